// Final selection by the lower confidence bound, the mirror image of UCB1 (ucb1.hpp):
//
//   r_j - C sqrt(ln s / n_j)   with s the visits of all children
//
// C is that of the selection rule, or 1 where it has none or 0. A move is played for what it is worth at least.
// Children without visits are left out.
#include <cmath>
#include <limits>

#include "rules/final.hpp"

namespace tesuji {

std::size_t final_lcb(std::span<const RootChild> children, const Parameters& parameters) {
  double visits = 0;
  for (const RootChild& child : children) visits += child.visits;
  const double root_log_visits = std::sqrt(std::log(std::max(visits, 1.0)));
  const auto bound = [&](const RootChild& child) {
    if (child.visits == 0) return -std::numeric_limits<double>::infinity();
    return child.value - parameters.lcb_c * root_log_visits / std::sqrt(child.visits);
  };
  return best_by(children, bound);
}

}  // namespace tesuji
