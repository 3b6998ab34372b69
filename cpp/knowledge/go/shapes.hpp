// Shapes: what stands around a point, in nested diamonds that grow from 3x3 to 15 points across (Stern, Herbrich and
// Graepel 2006). The same shape turned, mirrored, or with the colours changed when the other is to move, has one hash.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "games/go_board.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// The sizes are those of the distance dx + dy + max(dx, dy): all points up to 3 are the 3x3 square, and so on. The
// smallest shape, of size 2, is the square too, with the colours alone; from size 3 on shapes also tell how many
// liberties the chains next to the point have, and which stone is the last.
inline constexpr int kFirstShapeSize = 2;
inline constexpr int kLastShapeSize = 14;
inline constexpr int kShapeSizes = kLastShapeSize - kFirstShapeSize + 1;

inline constexpr int shape_distance(int dx, int dy) {
  const int x = dx < 0 ? -dx : dx;
  const int y = dy < 0 ? -dy : dy;
  return x + y + (x > y ? x : y);
}

// The board with room around it, so that the largest shape never leaves it.
class ShapeBoard {
 public:
  static constexpr int kReach = kLastShapeSize / 2;
  static constexpr int kStride = kMaxGoSize + 2 * kReach;
  enum Cell : std::uint8_t { kEmpty, kOwn, kOther, kOutside };
  static constexpr int kMostLiberties = 3;  // that are told apart

  // Seen by `colour`, the player to move. `last` is the point of the last move, or 0.
  template <int kSize>
  ShapeBoard(const TacticalBoard<kSize>& tactics, int colour, std::ptrdiff_t last) {
    cells_.fill(kOutside);
    const auto& board = tactics.board();
    for (int row = 0; row < board.size(); ++row) {
      for (int column = 0; column < board.size(); ++column) {
        const auto point = board.point_at(row, column);
        const int there = board.colour(point);
        cells_[place(row, column)] = there == board.kEmpty ? kEmpty : there == colour ? kOwn : kOther;
        if (there != board.kEmpty) {
          liberties_[place(row, column)] =
              static_cast<std::uint8_t>(std::min(tactics.liberty_count(point), kMostLiberties));
        }
        if (point == last) last_ = place(row, column);
      }
    }
  }

  static int place(int row, int column) { return (row + kReach) * kStride + column + kReach; }
  Cell at(int place) const { return cells_[place]; }
  // Of the chain of a stone, up to kMostLiberties; 0 where there is none.
  int liberties(int place) const { return liberties_[place]; }
  // Where the last stone is, or 0.
  int last() const { return last_; }

 private:
  std::array<Cell, kStride * kStride> cells_;
  std::array<std::uint8_t, kStride * kStride> liberties_{};
  int last_ = 0;
};

// The hashes of the shapes around one point, from the smallest on, each made when it is asked for.
class ShapeHasher {
 public:
  ShapeHasher(const ShapeBoard& board, int row, int column);

  // Of the next size. To be called at most kShapeSizes times.
  std::uint64_t next();

 private:
  static constexpr int kSymmetries = 8;

  void add(const std::array<std::uint64_t, kSymmetries>& keys) {
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) hashes_[symmetry] ^= keys[symmetry];
  }
  void add_colours(int size);
  void add_liberties();
  void add_last();

  const ShapeBoard& board_;
  int centre_;
  int size_ = kFirstShapeSize;
  int done_ = 0;       // points whose colours are in the hashes
  int last_size_ = 0;  // of the smallest shape that has the last stone
  std::array<std::uint64_t, kSymmetries> hashes_{};
};

// The shapes that a model knows, by their hashes. With a shape it knows the smaller ones within.
class ShapeTable {
 public:
  static constexpr std::uint32_t kUnknown = 0;

  // The first shape has the number 1. `marks_last`: whether its shapes tell the last stone.
  explicit ShapeTable(std::span<const std::uint64_t> hashes, bool marks_last = true);

  // The largest known shape around a point, or kUnknown.
  std::uint32_t largest(const ShapeBoard& board, int row, int column) const;
  std::uint32_t find(std::uint64_t hash) const;
  std::size_t size() const { return count_; }
  bool marks_last() const { return marks_last_; }

 private:
  // Half of the hash is enough to tell shapes apart, and twice as many slots fit into a cache.
  struct Slot {
    std::uint32_t hash;
    std::uint32_t number;
  };
  std::size_t count_;
  bool marks_last_;
  std::uint64_t mask_;
  std::vector<Slot> slots_;
};

}  // namespace tesuji
