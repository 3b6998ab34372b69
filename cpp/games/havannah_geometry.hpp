// What a Havannah board of one side is: its cells and their neighbours, borders and corners, and what the stones around
// a cell say about chains. havannah.hpp has the rules.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/game.hpp"

namespace tesuji {

// What depends on the side alone: one constant table a side, shared by all positions.
class HavannahGeometry {
 public:
  static constexpr int kMinSide = 3;
  static constexpr int kMaxSide = 10;

  // What a chain has, in 13 bits: six corners from bit 0 on, six edges from bit 6 on, and a ring.
  static constexpr unsigned kEdgeShift = 6;
  static constexpr unsigned kCornerMask = 63;
  static constexpr unsigned kRing = 1u << 12;

  static constexpr unsigned kDirections = 6;

  // Whether that is a win. A look into a table is cheaper than counting bits.
  static bool wins(unsigned has) { return ((kWins[has >> kEdgeShift] >> (has & kCornerMask)) & 1) != 0; }

  struct Cell {
    std::uint8_t x, y;
    std::uint16_t border;  // the corner or the edge that a stone here adds to its chain; 0 inside the board
    std::uint8_t outside;  // bit i: there is no cell in direction i
  };

  // The own stones around a cell form at most three runs, each within one chain: one stone of each run is enough.
  // Absent runs have offset 0. Only a stone next to three stones in a row can complete a hexagon of seven.
  struct Runs {
    std::array<std::int8_t, 3> offset{};
    std::uint8_t count : 2 = 0;
    std::uint8_t has_three_in_a_row : 1 = 0;
  };

  static const HavannahGeometry& of(int side) {
    if (side < kMinSide || side > kMaxSide) {
      throw std::invalid_argument("Havannah: side " + std::to_string(side) + " is not in 3 to 10");
    }
    static const std::array<HavannahGeometry, kMaxSide - kMinSide + 1> all = {
        HavannahGeometry(3), HavannahGeometry(4), HavannahGeometry(5), HavannahGeometry(6),
        HavannahGeometry(7), HavannahGeometry(8), HavannahGeometry(9), HavannahGeometry(10)};
    return all[static_cast<std::size_t>(side - kMinSide)];
  }

  int side() const { return side_; }
  int width() const { return width_; }
  Move num_points() const { return static_cast<Move>(width_ * width_); }
  bool on_board(int x, int y) const {
    return x >= 0 && y >= 0 && x < width_ && y < width_ && x - y < side_ && y - x < side_;
  }
  bool on_board(Move move) const {
    return move < num_points() && on_board(static_cast<int>(move) % width_, static_cast<int>(move) / width_);
  }

  const Cell& cell(Move move) const { return cells_[move]; }
  // The cell next to one, in one of six directions in circular order.
  Move neighbour(Move move, unsigned direction) const {
    return move + static_cast<Move>(kDy[direction] * width_ + kDx[direction]);
  }
  // By the own stones around a cell, in the order of the rows; bit 3 is the cell itself, and 0.
  const Runs& runs(unsigned neighbourhood) const { return runs_[neighbourhood]; }
  // The same stones in circular order: bit i is direction i.
  unsigned circle(unsigned neighbourhood) const { return circles_[neighbourhood]; }
  // The triangle of the cover (see cover_with_triangles) in which a cell lies.
  std::uint8_t triangle(Move move) const { return triangles_[move]; }

 private:
  static constexpr int kMaxPoints = (2 * kMaxSide - 1) * (2 * kMaxSide - 1);
  // By edges and ring; bit i of the word is for the corners i.
  static constexpr std::array<std::uint64_t, 128> kWins = [] {
    std::array<std::uint64_t, 128> wins{};
    for (unsigned has = 0; has < 2 * kRing; ++has) {
      const bool bridge = std::popcount(has & kCornerMask) >= 2;
      const bool fork = std::popcount((has & ~kRing) >> kEdgeShift) >= 3;
      if (bridge || fork || has >= kRing) wins[has >> kEdgeShift] |= std::uint64_t{1} << (has & kCornerMask);
    }
    return wins;
  }();
  // The six directions in circular order.
  static constexpr std::array<int, kDirections> kDx = {1, 1, 0, -1, -1, 0};
  static constexpr std::array<int, kDirections> kDy = {0, 1, 1, 0, -1, -1};

  explicit HavannahGeometry(int side) : side_(side), width_(2 * side - 1) {
    for (int y = 0; y < width_; ++y) {
      for (int x = 0; x < width_; ++x) {
        if (on_board(x, y)) {
          cells_[index(x, y)] = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), border(x, y),
                                 outside(x, y)};
        }
      }
    }
    fill_runs();
    cover_with_triangles();
  }

  std::size_t index(int x, int y) const { return static_cast<std::size_t>(y * width_ + x); }

  std::uint16_t border(int x, int y) const {
    // In circular order, so that a corner is where an edge meets the next one.
    const std::array<bool, 6> edge = {y == 0,          x - y == side_ - 1, x == width_ - 1,
                                      y == width_ - 1, y - x == side_ - 1, x == 0};
    unsigned edges = 0;
    for (unsigned i = 0; i < 6; ++i) {
      if (edge[i] && edge[(i + 1) % 6]) return static_cast<std::uint16_t>(1u << i);
      if (edge[i]) edges |= 1u << i;
    }
    return static_cast<std::uint16_t>(edges << kEdgeShift);
  }

  std::uint8_t outside(int x, int y) const {
    unsigned found = 0;
    for (unsigned i = 0; i < kDirections; ++i) {
      found |= static_cast<unsigned>(!on_board(x + kDx[i], y + kDy[i])) << i;
    }
    return static_cast<std::uint8_t>(found);
  }

  void fill_runs() {
    for (unsigned around = 0; around < 64; ++around) {
      const auto own = [around](unsigned direction) { return ((around >> (direction % 6)) & 1) != 0; };
      unsigned neighbourhood = 0;
      Runs runs;
      for (unsigned i = 0; i < 6; ++i) {
        if (!own(i)) continue;
        neighbourhood |= 1u << (2 * (kDy[i] + 1) + kDx[i] + 1);
        if (own(i + 1) && own(i + 2)) runs.has_three_in_a_row = 1;
        // Six own stones around are one run that begins nowhere.
        if (own(i + 5) && !(around == 63 && i == 0)) continue;
        runs.offset[runs.count] = static_cast<std::int8_t>(kDy[i] * width_ + kDx[i]);
        runs.count = (runs.count + 1) & 3;
      }
      runs_[neighbourhood] = runs;
      circles_[neighbourhood] = static_cast<std::uint8_t>(around);
    }
  }

  // Covers the board with triangles of mutual neighbours, some of them incomplete. They lie in strips of two rows: of
  // the sequence (0, y+1), (0, y), (1, y+1), (1, y), ... any three that follow each other are mutual neighbours.
  void cover_with_triangles() {
    int triangle = -1;
    for (int y = 0; y < width_; y += 2) {
      int first = -3;
      for (int step = 0; step < 2 * width_; ++step) {
        const int x = step / 2;
        const int row = y + 1 - step % 2;
        if (!on_board(x, row)) continue;
        if (step >= first + 3) {
          first = step;
          ++triangle;
        }
        triangles_[index(x, row)] = static_cast<std::uint8_t>(triangle);
      }
    }
  }

  int side_;
  int width_;
  std::array<Cell, kMaxPoints> cells_{};
  std::array<Runs, 128> runs_{};
  std::array<std::uint8_t, 128> circles_{};
  std::array<std::uint8_t, kMaxPoints> triangles_{};
};

}  // namespace tesuji
