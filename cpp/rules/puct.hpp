// PUCT (Rosin 2011; in the form of AlphaGo Zero, Silver and others 2017): a prior P(j) says where to look first.
//
//   score_j = r_j + C P(j) sqrt(s) / (1 + n_j)
//
// A child without visits has for r_j the mean over its visited siblings, 1/2 where there is none. With `even` > 0 that
// share of the prior is spread evenly over the m moves of a node (set_priors), P'(j) = (1 - even) P(j) + even / m: a
// prior of next to nothing hides a move from PUCT for good, whatever it is worth.
#pragma once

#include <algorithm>
#include <cmath>

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

struct Puct {
  static constexpr bool kScoresUnvisited = true;

  // s is at least 1, so that the prior counts for the first visit too.
  static double score(const ParentTerms& parent, const ChildTerms& child, const Parameters& parameters) {
    return child.value + parameters.c * std::sqrt(std::max(parent.visits, 1.0)) * child.prior / (1 + child.visits);
  }
};

}  // namespace tesuji
