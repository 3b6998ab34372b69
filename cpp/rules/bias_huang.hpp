// The bias of Huang and others (bias paper, eq. 5):
//
//   score_j = alpha (r_j + C sqrt(ln s / n_j)) + (1 - alpha) p_rave(j) + C_PB (1 / s) P(j)
//
// c is C_PB. Where alpha is not given it is the weight of the RAVE rule, n_j / (n_j + W_j), or 1 without RAVE.
#pragma once

#include <algorithm>

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

struct HuangBias {
  static double term(const ParentTerms& parent, const ChildTerms& child, const Parameters& parameters) {
    return parameters.bias_c / std::max(parent.visits, 1.0) * child.prior;
  }
};

}  // namespace tesuji
