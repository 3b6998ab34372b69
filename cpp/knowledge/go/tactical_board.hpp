// The fast board with the liberties of every chain as a set: what the fast one cannot tell, whether a chain has one
// liberty or two, and which. It is kept beside the fast board, from the outside, and costs a third of a move more.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "games/go_board.hpp"
#include "knowledge/go/point_set.hpp"

namespace tesuji {

// Points that a heuristic has found, for the next one or for a draw.
template <int kSize>
class PointList {
 public:
  using Index = typename GoBoard<kSize>::Index;

  void add(Index point) {
    for (int i = 0; i < count_; ++i) {
      if (points_[i] == point) return;
    }
    if (count_ < kMost) points_[count_++] = static_cast<typename GoBoard<kSize>::Point>(point);
  }
  void clear() { count_ = 0; }
  bool is_empty() const { return count_ == 0; }
  int count() const { return count_; }
  Index operator[](int i) const { return points_[i]; }
  Index draw(Rng& rng) const { return points_[rng.below(static_cast<std::uint32_t>(count_))]; }

 private:
  static constexpr int kMost = 64;  // a draw among so many is nearly as good as one among all
  std::array<typename GoBoard<kSize>::Point, kMost> points_;
  int count_ = 0;
};

template <int kSize>
class TacticalBoard {
 public:
  using Board = GoBoard<kSize>;
  using Index = typename Board::Index;
  using Point = typename Board::Point;
  using Points = PointSet<Board::kPoints>;
  static constexpr int kEmpty = Board::kEmpty;
  static constexpr auto kDirections = Board::kDirections;

  explicit TacticalBoard(const Board& board) : board_(board) {
    for (int slot = 0; slot < board.empty_count(); ++slot) {
      slots_[board.empty(slot)] = static_cast<Point>(slot);
      empty_.add(board.empty(slot));
    }
    neighbourhoods_ = empty_neighbourhoods();
    Points roots;
    // As a set, since a branch on each point would be foreseen wrongly half the time.
    board_points().without(empty_).for_each([&](Index stone) {
      change_neighbourhoods(board.colour(stone), stone);
      liberties_[board.chain(stone)] |= empty_around(stone);
      roots.add_if(board.chain(stone) == stone, stone);
    });
    roots.for_each([this](Index root) {
      liberty_counts_[root] = static_cast<std::uint8_t>(liberties_[root].count());
      if (liberty_counts_[root] == 1) in_atari_[board_.colour(root)].add(root);
    });
  }

  const Board& board() const { return board_; }
  int colour(Index point) const { return board_.colour(point); }
  bool is_stone(Index point) const { return board_.colour(point) <= Board::kWhite; }
  Index chain(Index stone) const { return board_.chain(stone); }

  const Points& liberties(Index stone) const { return liberties_[board_.chain(stone)]; }
  // None where the condition does not hold, without a branch and without a look at sets that are not wanted.
  const Points& liberties_if(bool condition, Index stone) const {
    return liberties_[board_.chain(stone) & (0 - Index{condition})];
  }
  // 0 where there is no stone.
  int liberty_count(Index stone) const { return liberty_counts_[board_.chain(stone)]; }
  bool in_atari(Index stone) const { return liberty_count(stone) == 1; }
  // What is on the eight points around one, two bits each as the board has them, row by row.
  unsigned neighbourhood(Index point) const { return neighbourhoods_[point]; }
  // The roots of the chains of a colour that have one liberty.
  const Points& chains_in_atari(int colour) const { return in_atari_[colour]; }

  template <class Visit>
  void for_each_stone(Index stone, Visit&& visit) const {
    Index other = stone;
    do {
      visit(other);
      other = board_.next_in_chain(other);
    } while (other != stone);
  }

  // Visits each chain of `colour` next to a point once, by one of its stones; only those for which `wanted(stone)`.
  template <class Wanted, class Visit>
  void for_each_chain_around(Index point, int colour, Wanted&& wanted, Visit&& visit) const {
    unsigned mask = 0;
    for (unsigned d = 0; d < 4; ++d) {
      const Index neighbour = point + kDirections[d];
      const unsigned is_of_colour = board_.colour(neighbour) == colour;
      const unsigned is_wanted = wanted(neighbour);
      mask |= (is_of_colour & is_wanted) << d;
    }
    std::array<Index, 4> seen{};
    for (int count = 0; mask != 0; mask &= mask - 1) {
      const Index neighbour = point + kDirections[std::countr_zero(mask)];
      const Index root = board_.chain(neighbour);
      if (std::find(seen.begin(), seen.begin() + count, root) != seen.begin() + count) continue;
      seen[count++] = root;
      visit(neighbour);
    }
  }

  // Of the chains of `colour` next to a point; many where there is none.
  int least_liberties_around(Index point, int colour) const {
    int least = Board::kPoints;
    for (const int direction : kDirections) {
      const int count = liberty_count(point + direction);
      least = std::min(least, board_.colour(point + direction) == colour ? count : Board::kPoints);
    }
    return least;
  }

  // The liberties that a stone on an empty point would have with the chains that it joins. Of captured stones only
  // those next to it count.
  Points liberties_after(int colour, Index point) const {
    Points result = empty_around(point);
    for (const int direction : kDirections) {
      const Index neighbour = point + direction;
      result |= liberties_if(board_.colour(neighbour) == colour, neighbour);
    }
    for (unsigned captured = board_.neighbour_mask(point, 1 - colour) & mask_in_atari(point); captured != 0;
         captured &= captured - 1) {
      result.add(point + kDirections[std::countr_zero(captured)]);
    }
    result.remove(point);
    return result;
  }

  // Of an empty point.
  bool is_legal(int colour, Index point) const {
    if (point == board_.ko()) return false;
    if (board_.empty_neighbours(point) != 0) return true;
    return (board_.neighbour_mask(point, colour) & ~mask_in_atari(point)) != 0 ||
           (board_.neighbour_mask(point, 1 - colour) & mask_in_atari(point)) != 0;
  }

  // Bit d for a chain in atari in kDirections[d].
  unsigned mask_in_atari(Index point) const {
    unsigned mask = 0;
    for (unsigned d = 0; d < 4; ++d) mask |= static_cast<unsigned>(in_atari(point + kDirections[d])) << d;
    return mask;
  }

  // A legal move; gives the number of captured stones.
  int play(int colour, Index point) {
    const Point slot = slots_[point];
    slots_[board_.empty(board_.empty_count() - 1)] = slot;
    Points joined;
    int count = 0;
    Index first = 0;
    bool joins_several = false;
    for (unsigned own = board_.neighbour_mask(point, colour); own != 0; own &= own - 1) {
      const Index root = board_.chain(point + kDirections[std::countr_zero(own)]);
      joined |= liberties_[root];
      in_atari_[colour].remove(root);
      joins_several = joins_several | ((first != 0) & (root != first));
      first = root;
      count = liberty_counts_[root] - 1;
    }
    const Points around = empty_around(point);
    count += board_.empty_neighbours(point) - (around & joined).count_of_few();
    joined |= around;
    joined.remove(point);
    if (joins_several) count = joined.count();  // they may have liberties in common
    for (unsigned other = board_.neighbour_mask(point, 1 - colour); other != 0; other &= other - 1) {
      remove_liberty(board_.chain(point + kDirections[std::countr_zero(other)]), point);
    }
    empty_.remove(point);
    const int captured = board_.play_slot(colour, slot);
    change_neighbourhoods(colour, point);
    const Index root = board_.chain(point);
    liberties_[root] = joined;
    liberty_counts_[root] = static_cast<std::uint8_t>(count);
    for (int i = board_.empty_count() - captured; i < board_.empty_count(); ++i) clear_stone(1 - colour, i);
    if (liberty_counts_[root] == 1) in_atari_[colour].add(root);  // only now: it may have what it captured alone
    return captured;
  }

  void pass() { board_.set_ko(0); }

 private:
  static constexpr int kStride = Board::kStride;
  static constexpr std::array<int, 8> kAround = {-kStride - 1, -kStride, -kStride + 1, -1, 1,
                                                 kStride - 1,  kStride,  kStride + 1};

  static constexpr std::array<Points, Board::kPoints> kNeighbours = [] {
    std::array<Points, Board::kPoints> table{};
    for (int point = kStride; point < Board::kPoints - kStride; ++point) {
      for (const int direction : kDirections) table[point].add(point + direction);
    }
    return table;
  }();

  // In one step with the whole set: a point after the other, each waits for what the one before has written to the same
  // word. That made a playout a seventh slower.
  Points empty_around(Index point) const { return kNeighbours[point] & empty_; }

  using Neighbourhoods = std::array<std::uint16_t, Board::kPoints>;

  static constexpr Neighbourhoods make_empty_neighbourhoods(int size) {
    Neighbourhoods codes{};
    for (int point = kStride; point < Board::kPoints - kStride; ++point) {
      for (unsigned i = 0; i < 8; ++i) {
        const int row = (point + kAround[i]) / kStride;
        const int column = (point + kAround[i]) % kStride;
        const bool is_inside = row >= 1 && row <= size && column >= 1 && column <= size;
        codes[point] |= static_cast<std::uint16_t>((is_inside ? kEmpty : Board::kBorder) << (2 * i));
      }
    }
    return codes;
  }

  Neighbourhoods empty_neighbourhoods() const {
    if constexpr (kSize == 0) {
      return make_empty_neighbourhoods(board_.size());
    } else {
      static constexpr Neighbourhoods kCodes = make_empty_neighbourhoods(kSize);
      return kCodes;
    }
  }

  static constexpr Points make_board_points(int size) {
    Points points;
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) points.add(Board::point_at(row, column));
    }
    return points;
  }

  Points board_points() const {
    if constexpr (kSize == 0) {
      return make_board_points(board_.size());
    } else {
      static constexpr Points kAll = make_board_points(kSize);
      return kAll;
    }
  }

  // A stone comes or goes: the eight points around see the change, each from the opposite side.
  void change_neighbourhoods(int colour, Index point) {
    const unsigned change = static_cast<unsigned>(colour ^ kEmpty);
    for (unsigned i = 0; i < 8; ++i) {
      neighbourhoods_[point + kAround[i]] ^= static_cast<std::uint16_t>(change << (2 * (7 - i)));
    }
  }

  // What is to be done where a stone was captured.
  void clear_stone(int colour, int slot) {
    const Index point = board_.empty(slot);
    slots_[point] = static_cast<Point>(slot);
    empty_.add(point);
    liberty_counts_[point] = 0;
    in_atari_[colour].remove(point);
    change_neighbourhoods(colour, point);
    for (const int direction : kDirections) {
      const Index root = board_.chain(point + direction);
      // A chain may touch the point more than once: the second time there is nothing to do.
      const unsigned is_theirs = board_.colour(point + direction) == 1 - colour;
      const unsigned is_new = is_theirs & unsigned{!liberties_[root].has(point)};
      liberties_[root].add_if(is_new, point);
      liberty_counts_[root] += static_cast<std::uint8_t>(is_new);
      in_atari_[1 - colour].remove_if(is_new & unsigned{liberty_counts_[root] == 2}, root);
    }
  }

  void remove_liberty(Index root, Index point) {
    if (!liberties_[root].has(point)) return;
    liberties_[root].remove(point);
    if (--liberty_counts_[root] == 1) in_atari_[board_.colour(root)].add(root);
  }

  Board board_;
  std::array<Points, Board::kPoints> liberties_{};             // right at roots only; of no point, none
  std::array<std::uint8_t, Board::kPoints> liberty_counts_{};  // right at roots and at points without a stone
  std::array<Points, 2> in_atari_{};
  Points empty_;
  std::array<Point, Board::kPoints> slots_;  // where an empty point is in the board's list
  Neighbourhoods neighbourhoods_;            // of border points, meaningless
};

}  // namespace tesuji
