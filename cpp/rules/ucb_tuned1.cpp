// UCB-Tuned 1 (parallelization paper, Algorithm 2):
//
//   score_j = r_j + sqrt(V ln s / n_j),   V = max(0.001, r_j (1 - r_j))
#include <algorithm>
#include <cmath>

#include "rules/rules.hpp"

namespace tesuji {

void select_ucb_tuned1(ChildBatch& batch, const Parameters& /*parameters*/) {
  const double log_s = batch.log_parent_visits;
  for (int j = 0; j < batch.padded_count; ++j) {
    const double r = batch.value[j];
    const double variance = std::max(0.001, r * (1 - r));
    batch.score[j] = r + std::sqrt(variance * log_s / batch.visits[j]);
  }
}

}  // namespace tesuji
