// Final selection by a balance of ratio and visits (bias paper, section 6.2, which leaves the weight w open, but raised
// it where there is a bias):
//
//   r_j + w n_j / max_k n_k
//
// Children without visits are left out.
#include <limits>

#include "rules/final.hpp"

namespace tesuji {

std::size_t final_balanced(std::span<const RootChild> children, const Parameters& parameters) {
  double most = 1;
  for (const RootChild& child : children) most = std::max<double>(most, child.visits);
  const auto balance = [weight = parameters.final_weight, most](const RootChild& child) {
    if (child.visits == 0) return -std::numeric_limits<double>::infinity();
    return child.value + weight * child.visits / most;
  };
  return best_by(children, balance);
}

}  // namespace tesuji
