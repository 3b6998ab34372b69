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
  static constexpr std::uint8_t kLastStone = 4;  // added to a cell where the last move was
  static constexpr int kLooks = 8;
  static constexpr int kMostLiberties = 3;  // that are told apart

  // Seen by `colour`, the player to move. `last` is the point of the last move, or 0.
  template <int kSize>
  ShapeBoard(const TacticalBoard<kSize>& tactics, int colour, std::ptrdiff_t last) {
    looks_.fill(kOutside);
    std::array<Cell, 4> cell_of;
    cell_of[colour] = kOwn;
    cell_of[1 - colour] = kOther;
    cell_of[GoBoard<kSize>::kEmpty] = kEmpty;
    const auto& board = tactics.board();
    for (int row = 0; row < board.size(); ++row) {
      for (int column = 0; column < board.size(); ++column) {
        const auto point = board.point_at(row, column);
        looks_[place(row, column)] = cell_of[board.colour(point)];
        const int liberties = std::min(tactics.liberty_count(point), kMostLiberties);
        liberties_[place(row, column)] = static_cast<std::uint8_t>(tactics.is_stone(point) ? liberties : 0);
      }
    }
    // A position that was set up may have lost the stone.
    if (last == 0 || !tactics.is_stone(last)) return;
    constexpr std::ptrdiff_t kLine = GoBoard<kSize>::kStride;
    last_ = place(static_cast<int>(last / kLine) - 1, static_cast<int>(last % kLine) - 1);
    looks_[last_] += kLastStone;
  }

  static int place(int row, int column) { return (row + kReach) * kStride + column + kReach; }
  Cell at(int place) const { return static_cast<Cell>(looks_[place] % kLastStone); }
  // The cell, and whether the last move was there: below kLooks.
  int look(int place) const { return looks_[place]; }
  // Of the chain of a stone, up to kMostLiberties; 0 where there is none.
  int liberties(int place) const { return liberties_[place]; }
  // Where the last stone is, or 0.
  int last() const { return last_; }

 private:
  std::array<std::uint8_t, kStride * kStride> looks_;
  std::array<std::uint8_t, kStride * kStride> liberties_{};
  int last_ = 0;
};

// A number for each of the eight ways to turn and mirror a shape, as one line of the cache.
inline constexpr int kShapeSymmetries = 8;
struct alignas(64) ShapeKeys : std::array<std::uint64_t, kShapeSymmetries> {};

// The hashes of the shapes around one point, from the smallest on, each made when it is asked for.
class ShapeHasher {
 public:
  ShapeHasher(const ShapeBoard& board, int place);

  // Of the next size. To be called at most kShapeSizes times.
  std::uint64_t next();

 private:
  void add_colours(int size);
  void add_liberties();
  void add_last();

  const ShapeBoard& board_;
  int centre_;
  int size_ = kFirstShapeSize;
  int done_ = 0;       // points whose colours are in the hashes
  int last_size_ = 0;  // of the smallest shape that has the last stone
  ShapeKeys hashes_{};
};

// The shapes that a model knows, by their hashes. With a shape it knows the smaller ones within.
class ShapeTable {
 public:
  static constexpr std::uint32_t kUnknown = 0;

  // The first shape has the number 1. `marks_last`: whether its shapes tell the last stone.
  explicit ShapeTable(std::span<const std::uint64_t> hashes, bool marks_last = true);

  // The largest known shape around each of some places, or kUnknown. All are looked up at once, size by size: so they
  // wait for memory together.
  void find_largest(const ShapeBoard& board, std::span<const int> places, std::span<std::uint32_t> numbers) const;
  std::uint32_t find(std::uint64_t hash) const;
  std::size_t size() const { return count_; }
  bool marks_last() const { return marks_last_; }

 private:
  // A line of the cache: the slots of one are compared at once. Half of the hash is enough to tell shapes apart. An
  // unused slot has the number kUnknown; the next bucket goes on where none is unused.
  static constexpr int kSlots = 8;
  struct alignas(64) Bucket {
    std::array<std::uint32_t, kSlots> halves{};
    std::array<std::uint32_t, kSlots> numbers{};
  };
  static std::uint32_t half(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  std::size_t count_;
  bool marks_last_;
  std::uint64_t mask_;
  std::vector<Bucket> buckets_;
};

}  // namespace tesuji
