// Final selection by value: the best ratio among the children that were visited at all; more visits decide between
// equals.
#include "rules/final.hpp"

namespace tesuji {

std::size_t final_value(std::span<const RootChild> children) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < children.size(); ++j) {
    const RootChild& child = children[j];
    const RootChild& leader = children[best];
    if (child.visits == 0) continue;
    if (leader.visits == 0 || child.value > leader.value ||
        (child.value == leader.value && child.visits > leader.visits)) {
      best = j;
    }
  }
  return best;
}

}  // namespace tesuji
