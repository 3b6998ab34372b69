// Final selection by value: the best ratio among the children that were visited at all; more visits decide between
// equals.
#include <limits>

#include "rules/final.hpp"

namespace tesuji {

std::size_t final_value(std::span<const RootChild> children, const Parameters& /*parameters*/) {
  return best_by(children, [](const RootChild& child) {
    return child.visits == 0 ? -std::numeric_limits<double>::infinity() : child.value;
  });
}

}  // namespace tesuji
