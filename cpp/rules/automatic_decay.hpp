// The decay that nobody sets, `accelerated(auto)` (ours; the accelerated paper leaves it as future work).
//
//   lambda = 1 - 1 / W
//   W      = b max(10, s / 500)     b children of a node of the tree, on average; s visits of the root
//
// W, the window, is how many visits of a node count, the older ones fading: so many for each child. Where there are
// more moves to try it takes more visits to know which of them matter; and a longer search wants a longer memory.
// docs/automatic-decay.md has the figures that this comes from.
#pragma once

#include <algorithm>

#include "search/tree.hpp"

namespace tesuji {

inline constexpr double kLeastVisitsRemembered = 10;
inline constexpr double kShareRemembered = 1.0 / 500;

// 1 / lambda, the same in the whole tree. The visits of the root are those with the playout that is backed up.
inline double automatic_growth(const Tree& tree, std::uint32_t root_visits) {
  const double branching = static_cast<double>(tree.child_count()) / static_cast<double>(tree.node_count());
  const double window = branching * std::max(kLeastVisitsRemembered, kShareRemembered * root_visits);
  return 1 + 1 / (window - 1);
}

}  // namespace tesuji
