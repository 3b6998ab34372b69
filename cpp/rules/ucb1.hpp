// UCB1 (accelerated paper, eq. 1; parallelization paper, Algorithm 2 with C = sqrt(2)):
//
//   score_j = r_j + C sqrt(ln s / n_j)
#pragma once

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

struct Ucb1 {
  static double score(const ParentTerms& parent, const ChildTerms& child, const Parameters& parameters) {
    return child.value + parameters.c * parent.root_log_visits * child.inverse_root;
  }
};

// The same with C = 0, as RAVE has it: the numbers that the exploration wants need not be found.
struct Ucb1OfValuesAlone {
  static constexpr bool kReadsValueAlone = true;
  static double score(const ParentTerms& /*parent*/, const ChildTerms& child, const Parameters& /*parameters*/) {
    return child.value;
  }
};

}  // namespace tesuji
