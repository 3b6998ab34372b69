// The bias of the bias paper (its eq. 6), for priors P(m) of a Bradley-Terry model or any other:
//
//   score_j = r_j + C sqrt(ln s / n_j) + C_BT sqrt(K / (s + K)) P(j)
//
// c is C_BT, k is K; with an infinite K the bias does not fade.
#pragma once

#include <cmath>

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

struct BradleyTerryBias {
  static double term(const ParentTerms& parent, const ChildTerms& child, const Parameters& parameters) {
    const double fading = std::isinf(parameters.bias_k) ? 1 : parameters.bias_k / (parent.visits + parameters.bias_k);
    return parameters.bias_c * std::sqrt(fading) * child.prior;
  }
};

}  // namespace tesuji
