// Shapes around a cell of Havannah: its six neighbours, and with them the six cells that a bridge leads to. The same
// shape turned, mirrored (twelve symmetries), or with the colours changed when the other is to move, has one number.
//
// What stands around is two sets of twelve bits, own stones and the opponent's, in circular order: the neighbours from
// bit 0 on, then the far cells, of which cell i lies between the neighbours i and i + 1. A cell off the board is in
// both.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "games/havannah.hpp"
#include "knowledge/shape_numbers.hpp"

namespace tesuji::havannah {

inline constexpr int kShapeSizes = 2;
inline constexpr unsigned kNear = 63;

// The six directions in circular order.
inline constexpr std::array<int, 6> kDx = {1, 1, 0, -1, -1, 0};
inline constexpr std::array<int, 6> kDy = {0, 1, 1, 0, -1, -1};

// Six bits in a circle, turned by some places.
constexpr unsigned turn(unsigned six, unsigned places) { return (six << places | six >> (6 - places)) & kNear; }

struct Around {
  unsigned own;
  unsigned opponent;

  unsigned key() const { return own | opponent << 12; }
  unsigned near_key() const { return (own & kNear) | (opponent & kNear) << 6; }

  unsigned own_near() const { return own & ~opponent & kNear; }
  unsigned opponent_near() const { return opponent & ~own & kNear; }
  unsigned outside_near() const { return own & opponent & kNear; }
  unsigned empty_near() const { return ~(own | opponent) & kNear; }
  unsigned own_far() const { return (own & ~opponent) >> 6; }
};

// Twelve bits under one of the twelve symmetries.
constexpr unsigned turned(unsigned symmetry, unsigned twelve) {
  unsigned near = twelve & kNear;
  unsigned far = twelve >> 6;
  if (symmetry >= 6) {
    unsigned mirrored_near = 0;
    unsigned mirrored_far = 0;
    for (unsigned i = 0; i < 6; ++i) {
      mirrored_near |= (near >> i & 1) << ((6 - i) % 6);
      mirrored_far |= (far >> i & 1) << (5 - i);
    }
    near = mirrored_near;
    far = mirrored_far;
  }
  return turn(near, symmetry % 6) | turn(far, symmetry % 6) << 6;
}

// The bits of the cells around another, row by row: two rows above it one, one row above four, and so on.
constexpr unsigned place(int dx, int dy) {
  constexpr std::array<int, 5> kMiddles = {1, 3, 6, 9, 11};
  return static_cast<unsigned>(kMiddles[static_cast<unsigned>(dy + 2)] + dx);
}
// From the order of the rows to the circular one. A bit at a time: compilers bound the steps of a constant.
inline constexpr std::array<std::uint16_t, 1 << 13> kCircular = [] {
  std::array<std::uint16_t, 13> of_place{};
  for (unsigned i = 0; i < 6; ++i) {
    const unsigned next = (i + 1) % 6;
    of_place[place(kDx[i], kDy[i])] = static_cast<std::uint16_t>(1u << i);
    of_place[place(kDx[i] + kDx[next], kDy[i] + kDy[next])] = static_cast<std::uint16_t>(1u << (i + 6));
  }
  std::array<std::uint16_t, 1 << 13> table{};
  for (unsigned bits = 1; bits < table.size(); ++bits) {
    const unsigned first = of_place[static_cast<std::size_t>(std::countr_zero(bits))];
    table[bits] = static_cast<std::uint16_t>(table[bits & (bits - 1)] | first);
  }
  return table;
}();

// The board by rows with room around it, so that no look around a cell leaves it.
class ShapeBoard {
 public:
  // Seen by the player to move.
  template <int kMaxSide>
  explicit ShapeBoard(const Havannah<kMaxSide>& position) {
    const int side = position.side();
    const int width = position.width();
    for (int y = -2; y < width + 2; ++y) {
      const bool is_row = y >= 0 && y < width;
      const int first = std::max(0, y - side + 1);
      const int last = std::min(width - 1, y + side - 1);
      const std::uint32_t outside = is_row ? ~(((2u << (last - first)) - 1) << (first + 2)) : ~0u;
      const auto stones = [&](int player) { return is_row ? position.stones_in_row(player, y) << 1 : 0u; };
      rows_[static_cast<unsigned>(y + 2)] = {stones(position.to_move()) | outside,
                                             stones(1 - position.to_move()) | outside};
    }
  }

  // Of an empty cell.
  Around around(int x, int y) const {
    const Row* const rows = &rows_[static_cast<unsigned>(y + 2)];
    return {kCircular[bits(rows, &Row::own, x)], kCircular[bits(rows, &Row::opponent, x)]};
  }

 private:
  // Bit x + 2 is cell x.
  struct Row {
    std::uint32_t own;
    std::uint32_t opponent;
  };

  static unsigned bits(const Row* rows, std::uint32_t Row::* stones, int x) {
    return (rows[-2].*stones >> (x + 1) & 1) | (rows[-1].*stones >> x & 15) << 1 |
           (rows[0].*stones >> (x + 1) & 7) << 5 | (rows[1].*stones >> (x + 1) & 15) << 8 |
           (rows[2].*stones >> (x + 3) & 1) << 12;
  }
  std::array<Row, 2 * HavannahGeometry::kMaxSide - 1 + 4> rows_;
};

// The hash of the small shape (size 0) or of the large one: the least key of all symmetries, and the size. Never 0.
inline std::uint64_t shape_hash(const Around& around, int size) {
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned symmetry = 0; symmetry < 12; ++symmetry) {
    const Around other{turned(symmetry, around.own), turned(symmetry, around.opponent)};
    least = std::min<std::uint64_t>(least, size == 0 ? other.near_key() : other.key());
  }
  return least | std::uint64_t{1} << (24 + size);
}

// The shapes that a model knows, under all symmetries. With the large one it knows the small one.
class KnownShapes {
 public:
  // The first shape has the number 1.
  explicit KnownShapes(std::span<const std::uint64_t> hashes)
      : count_(hashes.size()), small_(1 << 12, ShapeNumbers::kUnknown), large_(12 * hashes.size()) {
    for (std::uint32_t i = 0; i < hashes.size(); ++i) add(hashes[i], i + 1);
  }

  std::size_t size() const { return count_; }

  // The number of the largest that is known, or 0.
  std::uint32_t largest(const Around& around) const {
    const std::uint32_t large = large_.find(around.key());
    return large != ShapeNumbers::kUnknown ? large : small(around.near_key());
  }
  std::uint32_t small(unsigned near_key) const { return small_[near_key]; }

 private:
  void add(std::uint64_t hash, std::uint32_t number) {
    const bool is_small = hash >> 24 == 1;
    if (!is_small && hash >> 24 != 2) throw std::invalid_argument("a shape has a size that there is not");
    const auto key = static_cast<unsigned>(hash & 0xffffff);
    const unsigned bits = is_small ? 6 : 12;
    const Around around{key & ((1u << bits) - 1), key >> bits};
    for (unsigned symmetry = 0; symmetry < 12; ++symmetry) {
      const Around other{turned(symmetry, around.own), turned(symmetry, around.opponent)};
      if (is_small) {
        small_[other.near_key()] = number;
      } else {
        large_.add(other.key(), number);
      }
    }
  }

  std::size_t count_;
  std::vector<std::uint32_t> small_;
  ShapeNumbers large_;
};

}  // namespace tesuji::havannah
