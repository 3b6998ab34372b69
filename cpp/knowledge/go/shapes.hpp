// Shapes: what stands around a point, in nested diamonds that grow from 3x3 to 15 points across (Stern, Herbrich and
// Graepel 2006). The same shape turned, mirrored, or with the colours changed when the other is to move, has one hash.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "games/go_board.hpp"

namespace tesuji {

// The sizes are those of the distance dx + dy + max(dx, dy): all points up to 3 are the 3x3 square, and so on.
inline constexpr int kFirstShapeSize = 3;
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

  // Seen by `colour`, the player to move.
  template <int kSize>
  ShapeBoard(const GoBoard<kSize>& board, int colour) {
    cells_.fill(kOutside);
    for (int row = 0; row < board.size(); ++row) {
      for (int column = 0; column < board.size(); ++column) {
        const int there = board.colour(board.point_at(row, column));
        cells_[place(row, column)] = there == board.kEmpty ? kEmpty : there == colour ? kOwn : kOther;
      }
    }
  }

  static int place(int row, int column) { return (row + kReach) * kStride + column + kReach; }
  Cell at(int place) const { return cells_[place]; }

 private:
  std::array<Cell, kStride * kStride> cells_;
};

// The hashes of the shapes around one point, from the smallest on, each made when it is asked for.
class ShapeHasher {
 public:
  ShapeHasher(const ShapeBoard& board, int row, int column) : board_(board), centre_(ShapeBoard::place(row, column)) {}

  // Of the next size. To be called at most kShapeSizes times.
  std::uint64_t next();

 private:
  static constexpr int kSymmetries = 8;

  const ShapeBoard& board_;
  int centre_;
  int size_ = kFirstShapeSize;
  int done_ = 0;
  std::array<std::uint64_t, kSymmetries> hashes_{};
};

// The shapes that a model knows, by their hashes. With a shape it knows the smaller ones within.
class ShapeTable {
 public:
  static constexpr std::uint32_t kUnknown = 0;

  // The first shape has the number 1.
  explicit ShapeTable(std::span<const std::uint64_t> hashes);

  // The largest known shape around a point, or kUnknown.
  std::uint32_t largest(const ShapeBoard& board, int row, int column) const;
  std::uint32_t find(std::uint64_t hash) const;
  std::size_t size() const { return count_; }

 private:
  struct Slot {
    std::uint64_t hash;
    std::uint32_t number;
  };
  std::size_t count_;
  std::uint64_t mask_;
  std::vector<Slot> slots_;
};

}  // namespace tesuji
