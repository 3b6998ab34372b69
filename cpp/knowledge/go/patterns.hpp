// The 3x3 patterns of MoGo (Gelly, Wang, Munos and Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go",
// 2006): shapes around an empty point in which a stone there is often right, such as hane, cuts and moves at the edge.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>

#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// As a tactical board keeps them: what is on the eight points around one, two bits each, row by row.
using Neighbourhood = unsigned;
inline constexpr std::size_t kNeighbourhoods = 1u << 16;

// By the player to move, the neighbourhoods that a pattern fits.
using PatternTables = std::array<std::bitset<kNeighbourhoods>, 2>;
extern const PatternTables kPatternTables;

template <int kSize>
bool fits_pattern(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index point) {
  return kPatternTables[static_cast<std::size_t>(colour)][tactics.neighbourhood(point)];
}

}  // namespace tesuji
