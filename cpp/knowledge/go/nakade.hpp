// The vital point of a small eye: who plays it first decides whether there are two eyes or one.
#pragma once

#include <algorithm>
#include <array>

#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// The vital point of the empty region around `inside`, or 0: a region of three to six points that one player encloses,
// with a point from which a stone leaves no two eyes.
template <int kSize>
typename TacticalBoard<kSize>::Index vital_point(const TacticalBoard<kSize>& tactics,
                                                 typename TacticalBoard<kSize>::Index inside) {
  using Index = typename TacticalBoard<kSize>::Index;
  constexpr int kMost = 6;
  std::array<Index, kMost> region;
  std::array<int, kMost> degrees{};
  region[0] = inside;
  int size = 1;
  unsigned touched = 0;
  for (int i = 0; i < size; ++i) {
    for (const int direction : tactics.kDirections) {
      const Index neighbour = region[i] + direction;
      const int there = tactics.colour(neighbour);
      touched |= 1u << there;
      if (there != tactics.kEmpty) continue;
      ++degrees[i];
      if (std::find(region.begin(), region.begin() + size, neighbour) != region.begin() + size) continue;
      if (size == kMost) return 0;
      region[size++] = neighbour;
    }
    if ((touched & 3) == 3) return 0;
  }
  if (size < 3) return 0;
  const auto best = std::max_element(degrees.begin(), degrees.begin() + size) - degrees.begin();
  int pairs = 0;
  for (int i = 0; i < size; ++i) pairs += degrees[i];
  // Three in a row or bent; the pyramid; the cross and the bulky five; the rabbity six.
  const int degree = degrees[best];
  const bool has_vital_point = (size == 3 && degree == 2) || (size == 4 && degree == 3) || (size == 5 && degree == 4) ||
                               (size == 5 && degree == 3 && pairs == 10) || (size == 6 && degree == 4 && pairs == 12);
  return has_vital_point ? region[best] : 0;
}

// The vital points of the eyes that the last move made or made smaller.
template <int kSize>
void find_vital_points(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index last,
                       PointList<kSize>& moves) {
  for (const int direction : tactics.kDirections) {
    if (tactics.colour(last + direction) != tactics.kEmpty) continue;
    const auto vital = vital_point(tactics, last + direction);
    if (vital != 0 && tactics.is_legal(colour, vital)) moves.add(vital);
  }
}

}  // namespace tesuji
