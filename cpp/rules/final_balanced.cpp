// Final selection by a balance of ratio and visits (bias paper, section 6.2, which leaves the weights open; ours are
// equal):
//
//   r_j + n_j / max_k n_k
//
// Children without visits are left out.
#include <limits>

#include "rules/final.hpp"

namespace tesuji {

std::size_t final_balanced(std::span<const RootChild> children, const Parameters& /*parameters*/) {
  double most = 1;
  for (const RootChild& child : children) most = std::max<double>(most, child.visits);
  const auto balance = [most](const RootChild& child) {
    if (child.visits == 0) return -std::numeric_limits<double>::infinity();
    return child.value + child.visits / most;
  };
  return best_by(children, balance);
}

}  // namespace tesuji
