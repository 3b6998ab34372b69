// UCB1 (accelerated paper, eq. 1; parallelization paper, Algorithm 2 with C = sqrt(2)):
//
//   score_j = r_j + C sqrt(ln s / n_j)
#include <cmath>

#include "rules/rules.hpp"

namespace tesuji {

void select_ucb1(ChildBatch& batch, const Parameters& parameters) {
  const double c = parameters.c;
  const double log_s = batch.log_parent_visits;
  for (int j = 0; j < batch.padded_count; ++j) {
    batch.score[j] = batch.value[j] + c * std::sqrt(log_s / batch.visits[j]);
  }
}

}  // namespace tesuji
