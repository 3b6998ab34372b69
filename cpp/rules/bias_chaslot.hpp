// The bias of Chaslot and others (bias paper, eq. 4):
//
//   score_j = alpha r_j + beta p_rave(j) + (gamma + C / ln(2 + n_j)) P(j)
//
// Where alpha and beta are not given they are the weights of the RAVE rule, n_j / (n_j + W_j) and W_j / (n_j + W_j), or
// 1 and 0 without RAVE. The exploration term of the selection rule is added (uct(c=0) leaves it out).
#pragma once

#include <cmath>

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

struct ChaslotBias {
  static double term(const ParentTerms& /*parent*/, const ChildTerms& child, const Parameters& parameters) {
    return (parameters.bias_gamma + parameters.bias_c / std::log(2 + child.visits)) * child.prior;
  }
};

}  // namespace tesuji
