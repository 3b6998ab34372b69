// The decay that nobody sets, `accelerated(auto)` (ours; the accelerated paper leaves it as future work). The memory
// of a node is a number of visits for each of its children, and grows with the search.
//
//   lambda_P = 1 - 1 / W_P
//   W_P      = b_P max(2, s / 500)     b_P children of the node P, s visits of the root
//
// W_P, the window, is how many visits of P count, the older ones fading. Where there are more moves to try it takes
// more visits to know which of them matter; and a longer search wants a longer memory. docs/automatic-decay.md has the
// figures that this comes from.
#pragma once

#include <algorithm>

#include "search/rules.hpp"

namespace tesuji {

inline constexpr double kLeastVisitsRemembered = 2;
inline constexpr double kShareRemembered = 1.0 / 500;

// The window of a node for each of its children, the same in the whole tree. The visits of the root are those after
// the playout that is backed up.
inline double automatic_window(std::uint32_t root_visits) {
  return std::max(kLeastVisitsRemembered, kShareRemembered * root_visits);
}

// 1 / lambda_P.
inline double automatic_growth(const Node& node, double window) { return 1 + 1 / (window * node.child_count() - 1); }

}  // namespace tesuji
