// The final selection rules; each is a file of its own.
#pragma once

#include "search/rules.hpp"

namespace tesuji {

std::size_t final_visits(std::span<const RootChild> children, const Parameters& parameters);
std::size_t final_value(std::span<const RootChild> children, const Parameters& parameters);
std::size_t final_lcb(std::span<const RootChild> children, const Parameters& parameters);
std::size_t final_balanced(std::span<const RootChild> children, const Parameters& parameters);

// The child of the highest score; more visits decide between equals, then the order.
template <class Score>
std::size_t best_by(std::span<const RootChild> children, const Score& score) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < children.size(); ++j) {
    const double mine = score(children[j]);
    const double leaders = score(children[best]);
    if (mine > leaders || (mine == leaders && children[j].visits > children[best].visits)) best = j;
  }
  return best;
}

}  // namespace tesuji
