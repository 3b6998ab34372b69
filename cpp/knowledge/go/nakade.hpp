// The vital point of a small eye: who plays it first decides whether there are two eyes or one.
#pragma once

#include <algorithm>
#include <array>

#include "core/count_bits.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// The points of an eye that has a vital one.
inline constexpr int kLeastNakade = 3;
inline constexpr int kMostNakade = 6;

// Whether there may be such an eye of the other's around an empty point. Most points are told by what is next to them:
// an own stone, or too much room.
template <int kSize>
bool may_be_small_eye(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index point) {
  if (tactics.colour(point) != tactics.kEmpty || tactics.board().neighbour_mask(point, colour) != 0) return false;
  const unsigned around = tactics.neighbourhood(point);
  return count_bits(around >> 1 & ~around & 0x5555u) < kMostNakade;
}

// Whether an empty point with two empty neighbours or more may be the vital one of its eye. It is next to nearly all of
// the eye, so that at most one of its diagonals is empty: the fourth point of a square, or one of another eye.
template <int kSize>
bool may_be_vital(const TacticalBoard<kSize>& tactics, typename TacticalBoard<kSize>::Index point) {
  constexpr unsigned kDiagonals = 1u | 1u << 4 | 1u << 10 | 1u << 14;
  const unsigned around = tactics.neighbourhood(point);
  const unsigned empty = around >> 1 & ~around & kDiagonals;
  return (empty & (empty - 1)) == 0;
}

// The vital point of the empty region around `inside`, or 0: a region of three to six points that one player encloses,
// with a point from which a stone leaves no two eyes.
template <int kSize>
typename TacticalBoard<kSize>::Index vital_point(const TacticalBoard<kSize>& tactics,
                                                 typename TacticalBoard<kSize>::Index inside) {
  using Index = typename TacticalBoard<kSize>::Index;
  std::array<Index, kMostNakade> region;
  std::array<int, kMostNakade> degrees{};
  region[0] = inside;
  int size = 1;
  unsigned touched = 0;
  for (int i = 0; i < size; ++i) {
    for (const int direction : tactics.kDirections) {
      const Index neighbour = region[i] + direction;
      const int there = tactics.colour(neighbour);
      touched |= 1u << there;
      if ((touched & 3) == 3) return 0;
      if (there != tactics.kEmpty) continue;
      ++degrees[i];
      if (std::find(region.begin(), region.begin() + size, neighbour) != region.begin() + size) continue;
      if (size == kMostNakade) return 0;
      region[size++] = neighbour;
    }
  }
  if (size < kLeastNakade) return 0;
  const auto best = std::max_element(degrees.begin(), degrees.begin() + size) - degrees.begin();
  int pairs = 0;
  for (int i = 0; i < size; ++i) pairs += degrees[i];
  // Three in a row or bent; the pyramid; the cross and the bulky five; the rabbity six.
  const int degree = degrees[best];
  const bool has_vital_point = (size == 3 && degree == 2) || (size == 4 && degree == 3) || (size == 5 && degree == 4) ||
                               (size == 5 && degree == 3 && pairs == 10) || (size == 6 && degree == 4 && pairs == 12);
  return has_vital_point ? region[best] : 0;
}

// The vital points of the other's eyes that the last move made or made smaller.
template <int kSize>
void find_vital_points(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index last,
                       PointList<kSize>& moves) {
  for (const int direction : tactics.kDirections) {
    if (!may_be_small_eye(tactics, colour, last + direction)) continue;
    const auto vital = vital_point(tactics, last + direction);
    if (vital != 0 && tactics.is_legal(colour, vital)) moves.add(vital);
  }
}

}  // namespace tesuji
