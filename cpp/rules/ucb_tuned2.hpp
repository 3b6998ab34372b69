// UCB-Tuned 2 (parallelization paper, Algorithm 2), as printed:
//
//   score_j = r_j + sqrt(V ln s / n_j + ln s / n_j),   V as for UCB-Tuned 1
//
// and as an option with the second term outside the root: r_j + sqrt(V ln s / n_j) + ln s / n_j.
#pragma once

#include <cmath>

#include "rules/terms.hpp"
#include "rules/ucb_tuned1.hpp"
#include "search/rules.hpp"

namespace tesuji {

struct UcbTuned2 {
  static double score(const ParentTerms& parent, const ChildTerms& child, const Parameters& parameters) {
    const double second = parent.log_visits / child.visits;
    const double first = UcbTuned1::variance(child.value) * second;
    if (parameters.term_outside) return child.value + std::sqrt(first) + second;
    return child.value + std::sqrt(first + second);
  }
};

}  // namespace tesuji
