// The 3x3 patterns of MoGo (Gelly, Wang, Munos and Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go",
// 2006): shapes around an empty point in which a stone there is often right, such as hane, cuts and moves at the edge.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstddef>

#include "knowledge/go/self_atari.hpp"
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

// The points around the last stone that a pattern fits, but for self-atari. (A template that is not said to be inline
// is too long for the compiler to put it into its caller.)
template <int kSize>
inline void find_patterns(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index last,
                          PointList<kSize>& moves) {
  using Index = typename TacticalBoard<kSize>::Index;
  constexpr int kStride = GoBoard<kSize>::kStride;
  constexpr std::array<int, 8> kAround = {-kStride - 1, -kStride, -kStride + 1, -1, 1,
                                          kStride - 1,  kStride,  kStride + 1};
  // In two steps: what fits cannot be predicted, and is little.
  unsigned fitting = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const Index point = last + kAround[i];
    const unsigned fits = fits_pattern(tactics, colour, point);
    const unsigned is_empty = tactics.colour(point) == tactics.kEmpty;
    fitting |= (fits & is_empty) << i;
  }
  for (; fitting != 0; fitting &= fitting - 1) {
    const Index point = last + kAround[std::countr_zero(fitting)];
    if (tactics.is_legal(colour, point) && !is_self_atari(tactics, colour, point)) moves.add(point);
  }
}

}  // namespace tesuji
