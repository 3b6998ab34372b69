// Progressive widening (bias paper, eq. 3; Coulom 2007): at a node of n visits only the T children of the highest prior
// are considered.
//
//   T = floor(1 + ln max(1, n) / ln mu),   mu > 1
//
// The tree keeps children in the order of their priors, so they are the first T. Beside a solver, the first T of those
// that are not proven (ours): what is proven makes room for the next.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace tesuji {

inline std::uint32_t widened(std::uint32_t child_count, double log_visits, double mu) {
  // At a power of mu the quotient, a whole number, may be rounded to just below it.
  constexpr double kForRounding = 1 + 4 * std::numeric_limits<double>::epsilon();
  const double most = 1 + log_visits / std::log(mu) * kForRounding;
  return most < static_cast<double>(child_count) ? static_cast<std::uint32_t>(most) : child_count;
}

}  // namespace tesuji
