// UCB-Tuned 1 (parallelization paper, Algorithm 2):
//
//   score_j = r_j + sqrt(V ln s / n_j),   V = max(0.001, r_j (1 - r_j))
#pragma once

#include <algorithm>
#include <cmath>

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

struct UcbTuned1 {
  static double variance(double r) { return std::max(0.001, r * (1 - r)); }

  static double score(const ParentTerms& parent, const ChildTerms& child, const Parameters& /*parameters*/) {
    return child.value + std::sqrt(variance(child.value) * parent.log_visits / child.visits);
  }
};

}  // namespace tesuji
