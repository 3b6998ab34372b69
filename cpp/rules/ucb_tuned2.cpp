// UCB-Tuned 2 (parallelization paper, Algorithm 2), as printed:
//
//   score_j = r_j + sqrt(V ln s / n_j + ln s / n_j),   V = max(0.001, r_j (1 - r_j))
//
// and as an option with the second term outside the root: r_j + sqrt(V ln s / n_j) + ln s / n_j.
#include <algorithm>
#include <cmath>

#include "rules/rules.hpp"

namespace tesuji {

void select_ucb_tuned2(ChildBatch& batch, const Parameters& parameters) {
  const double log_s = batch.log_parent_visits;
  const double inside = parameters.term_outside ? 0.0 : 1.0;
  const double outside = 1.0 - inside;
  for (int j = 0; j < batch.padded_count; ++j) {
    const double r = batch.value[j];
    const double variance = std::max(0.001, r * (1 - r));
    const double second = log_s / batch.visits[j];
    batch.score[j] = r + std::sqrt(variance * second + inside * second) + outside * second;
  }
}

}  // namespace tesuji
