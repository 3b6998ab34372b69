// Shapes for playouts: the eight points around one, and which of its four neighbours are in atari. A number of twenty
// bits, which a table turns into the shape that a model knows, the same turned and mirrored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// As the player to move sees it: the neighbourhood of a tactical board, 0 for own stones and 1 for the other's; above
// it a bit for each direction in which a chain is in atari.
using FastShape = std::uint32_t;
inline constexpr int kFastShapeBits = 20;
inline constexpr FastShape kNeighbourhoodMask = 0xffff;

inline constexpr FastShape fast_shape(int colour, unsigned neighbourhood, unsigned in_atari) {
  // Colours are changed where the higher of the two bits is 0: at stones.
  const unsigned stones = ~(neighbourhood >> 1) & 0x5555u & (0u - static_cast<unsigned>(colour));
  return (neighbourhood ^ stones) | in_atari << 16;
}

// Names of a shape for a model, the same for all eight symmetries and never 0: of the stones alone, and of the whole.
std::uint64_t hash_of_stones(FastShape shape);
std::uint64_t hash_of_whole(FastShape shape);

// The shapes that a model knows, by their hashes. The first has the number 1.
class FastShapeTable {
 public:
  static constexpr std::uint16_t kUnknown = 0;

  // Shapes of stones alone come before whole ones.
  explicit FastShapeTable(std::span<const std::uint64_t> hashes);

  // The whole shape where it is known, else its stones, else kUnknown.
  std::uint16_t find(FastShape shape) const { return numbers_[shape]; }
  std::size_t size() const { return size_; }

  // A quiet point has no chain of one or two liberties around it. There a neighbourhood also tells whether the point is
  // suicide or an own eye, and whether a stone would be alone with one liberty. So for quiet points there are three
  // sorts of numbers: those of find(), the same after `first_lonely()`, and `not_played()`.
  std::uint16_t find_quiet(FastShape neighbourhood) const { return quiet_numbers_[neighbourhood]; }
  std::uint16_t first_lonely() const { return static_cast<std::uint16_t>(size_ + 1); }
  std::uint16_t not_played() const { return static_cast<std::uint16_t>(2 * (size_ + 1)); }

  static constexpr std::size_t kMost = 32'766;  // then 16 bits suffice for not_played()

 private:
  std::size_t size_;
  std::vector<std::uint16_t> numbers_;
  std::vector<std::uint16_t> quiet_numbers_;
};

}  // namespace tesuji
