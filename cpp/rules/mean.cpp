// Mean, the backup rule of plain UCT:
//
//   r_j = (sum of the rewards of j, for the player who chooses j) / n_j
#include "rules/rules.hpp"

namespace tesuji {

void mean_value(ChildBatch& batch, const Parameters& /*parameters*/) {
  for (int j = 0; j < batch.padded_count; ++j) {
    batch.value[j] = batch.rewards[j] / batch.visits[j];
  }
}

}  // namespace tesuji
