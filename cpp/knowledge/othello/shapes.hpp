// Shapes around a square of Othello: what lies under a mask that depends on the square, the same for all squares that
// the eight symmetries of the board change into each other, and with the colours changed when the other is to move.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "games/othello.hpp"
#include "knowledge/shape_numbers.hpp"

namespace tesuji::othello {

inline constexpr int kShapeSizes = 2;
inline constexpr int kSymmetries = 8;

// Symmetry: bit 0 mirrors the columns, bit 1 the rows, bit 2 then changes rows and columns.
constexpr int turned(int symmetry, int square) {
  int row = square / 8;
  int column = square % 8;
  if ((symmetry & 1) != 0) column = 7 - column;
  if ((symmetry & 2) != 0) row = 7 - row;
  return (symmetry & 4) != 0 ? column * 8 + row : row * 8 + column;
}

// Where a square lies in the eighth of the board that stands for all: row and column of at most 3, the row not larger.
struct Place {
  std::uint8_t square;
  std::uint8_t kind;  // 0 to 9: the squares of that eighth, in order
  // The symmetries that bring the square there: two for the squares of a diagonal, else twice the same.
  std::array<std::uint8_t, 2> symmetries;
};

inline constexpr std::array<Place, 64> kPlaces = [] {
  std::array<std::uint8_t, 64> kinds{};
  std::uint8_t count = 0;
  for (int row = 0; row < 4; ++row) {
    for (int column = row; column < 4; ++column) kinds[static_cast<unsigned>(row * 8 + column)] = count++;
  }
  std::array<Place, 64> places{};
  for (int square = 0; square < 64; ++square) {
    Place& place = places[static_cast<unsigned>(square)];
    int found = 0;
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      const int there = turned(symmetry, square);
      if (there / 8 > 3 || there % 8 > 3 || there / 8 > there % 8) continue;
      place.square = static_cast<std::uint8_t>(there);
      place.symmetries[1] = static_cast<std::uint8_t>(symmetry);
      if (found++ == 0) place.symmetries[0] = static_cast<std::uint8_t>(symmetry);
    }
    place.kind = kinds[place.square];
  }
  return places;
}();

// Small: on an edge all of the edge, elsewhere the eight squares around. Large: on an edge the three squares beside it
// too, in a corner both edges, next to a corner on the diagonal all of that, elsewhere two squares in each direction.
inline constexpr std::array<std::array<std::uint64_t, kShapeSizes>, 10> kShapeMasks = [] {
  constexpr std::uint64_t kEdge = 0xff;
  constexpr std::uint64_t kSide = 0x0101010101010101u;
  constexpr std::uint64_t kDiagonal = 0x8040201008040201u;
  std::array<std::array<std::uint64_t, kShapeSizes>, 10> masks{};
  for (int square = 0; square < 64; ++square) {
    const Place place = kPlaces[static_cast<unsigned>(square)];
    if (place.square != square) continue;
    const int row = square / 8;
    const int column = square % 8;
    std::uint64_t around = 0;
    std::uint64_t cross = 0;
    for (int other = 0; other < 64; ++other) {
      const int down = other / 8 > row ? other / 8 - row : row - other / 8;
      const int across = other % 8 > column ? other % 8 - column : column - other % 8;
      const std::uint64_t bit = std::uint64_t{1} << other;
      if (down <= 1 && across <= 1) around |= bit;
      if ((down == 0 && across <= 2) || (across == 0 && down <= 2)) cross |= bit;
    }
    const bool on_edge = row == 0 && column > 0;
    const std::uint64_t more = square == 0 ? kEdge | kSide : square == 9 ? kDiagonal : cross;
    masks[place.kind] = {on_edge ? kEdge : around, on_edge ? kEdge | around : around | more};
  }
  return masks;
}();

// A position, seen by the player to move, under all symmetries.
class ShapeBoards {
 public:
  explicit ShapeBoards(const Sides& sides) {
    const Boards own = turn_all(sides.own);
    const Boards opponent = turn_all(sides.opponent);
    for (std::size_t i = 0; i < kSymmetries; ++i) sides_[i] = {own[i], opponent[i]};
  }

  // Never 0.
  std::uint64_t hash(int square, int size) const {
    const Place& place = kPlaces[static_cast<unsigned>(square)];
    const std::uint64_t mask = kShapeMasks[place.kind][static_cast<unsigned>(size)];
    const std::uint64_t first = mixed(sides_[place.symmetries[0]], mask);
    const std::uint64_t second = mixed(sides_[place.symmetries[1]], mask);
    return (std::min(first, second) << 8 | static_cast<std::uint64_t>(place.kind * kShapeSizes + size)) + 1;
  }

 private:
  using Boards = std::array<std::uint64_t, kSymmetries>;

  static std::uint64_t mixed(const Sides& sides, std::uint64_t mask) {
    std::uint64_t hash = (sides.own & mask) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 32) ^ (sides.opponent & mask)) * 0xbf58476d1ce4e5b9u;
    return (hash ^ (hash >> 29)) >> 8;
  }

  static std::uint64_t swap_bits(std::uint64_t board, std::uint64_t mask, int distance) {
    const std::uint64_t change = (board ^ (board >> distance)) & mask;
    return board ^ change ^ (change << distance);
  }
  static std::uint64_t mirror_columns(std::uint64_t board) {
    board = swap_bits(board, 0x5555555555555555u, 1);
    board = swap_bits(board, 0x3333333333333333u, 2);
    return swap_bits(board, 0x0f0f0f0f0f0f0f0fu, 4);
  }
  static std::uint64_t mirror_rows(std::uint64_t board) {
    board = swap_bits(board, 0x00ff00ff00ff00ffu, 8);
    board = swap_bits(board, 0x0000ffff0000ffffu, 16);
    return std::rotl(board, 32);
  }
  static std::uint64_t transpose(std::uint64_t board) {
    board = swap_bits(board, 0x00aa00aa00aa00aau, 7);
    board = swap_bits(board, 0x0000cccc0000ccccu, 14);
    return swap_bits(board, 0x00000000f0f0f0f0u, 28);
  }
  static Boards turn_all(std::uint64_t board) {
    const std::uint64_t mirrored = mirror_columns(board);
    Boards boards = {board, mirrored, mirror_rows(board), mirror_rows(mirrored)};
    for (std::size_t i = 0; i < 4; ++i) boards[i + 4] = transpose(boards[i]);
    return boards;
  }

  std::array<Sides, kSymmetries> sides_;
};

// The shapes that a model knows. With the large one around a square it knows the small one.
class KnownShapes {
 public:
  // The first shape has the number 1.
  explicit KnownShapes(std::span<const std::uint64_t> hashes) : count_(hashes.size()), numbers_(hashes.size()) {
    for (std::uint32_t i = 0; i < hashes.size(); ++i) {
      if (!numbers_.add(hashes[i], i + 1)) throw std::invalid_argument("two shapes have the same hash");
    }
  }

  std::size_t size() const { return count_; }

  // The number of the largest that is known, or 0.
  std::uint32_t largest(const ShapeBoards& boards, int square) const {
    const std::uint32_t large = numbers_.find(boards.hash(square, 1));
    return large != ShapeNumbers::kUnknown ? large : numbers_.find(boards.hash(square, 0));
  }

 private:
  std::size_t count_;
  ShapeNumbers numbers_;
};

}  // namespace tesuji::othello
