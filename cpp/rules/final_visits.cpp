// Final selection by visits (parallelization paper, Algorithm 3: "the decision which has been simulated most often");
// the better value decides between equals.
#include "rules/final.hpp"

namespace tesuji {

std::size_t final_visits(std::span<const RootChild> children, const Parameters& /*parameters*/) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < children.size(); ++j) {
    const RootChild& child = children[j];
    const RootChild& leader = children[best];
    if (child.visits > leader.visits || (child.visits == leader.visits && child.value > leader.value)) best = j;
  }
  return best;
}

}  // namespace tesuji
