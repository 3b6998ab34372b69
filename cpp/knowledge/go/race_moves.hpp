// The chains of a capturing race, and the moves that may matter for it.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// One stone of each chain in the race, by the colour. Chains that join on the way stay in it.
template <int kSize>
using RaceStones = std::array<std::vector<typename GoBoard<kSize>::Index>, 2>;

// How many liberties of a chain have only its own stones around them.
template <int kSize>
int count_sure_eyes(const TacticalBoard<kSize>& board, typename GoBoard<kSize>::Index stone) {
  const auto root = board.chain(stone);
  int count = 0;
  board.liberties(stone).for_each([&](auto liberty) {
    bool is_eye = true;
    for (const int direction : GoBoard<kSize>::kDirections) {
      const int colour = board.colour(liberty + direction);
      is_eye &= colour == GoBoard<kSize>::kBorder ||
                (board.is_stone(liberty + direction) && board.chain(liberty + direction) == root);
    }
    count += is_eye;
  });
  return count;
}

template <int kSize>
class RaceMoves {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;
  using Points = typename Tactics::Points;
  using Point = typename GoBoard<kSize>::Point;

  // Empty points, the most promising first. They need not be legal.
  void find(const Tactics& board, const RaceStones<kSize>& race, int mover) {
    std::array<Points, 2> liberties;
    for (const int colour : {0, 1}) {
      for (const Index stone : race[colour]) liberties[static_cast<std::size_t>(colour)] |= board.liberties(stone);
    }
    const Points& own = liberties[static_cast<std::size_t>(mover)];
    const Points& enemy = liberties[static_cast<std::size_t>(1 - mover)];
    Points all = own;
    all |= enemy;
    Points wide = all;
    all.for_each([&](Index point) { add_around(board, point, wide); });
    for (const auto& stones : race) {
      for (const Index stone : stones) add_weak_neighbours(board, stone, wide);
    }
    // Captures nearby, then liberties of the enemy alone, then shared ones and the own, then the rest.
    wide.for_each([&](Index point) { add_if(captures(board, mover, point), point); });
    wide.for_each([&](Index point) { add_if(enemy.has(point) && !own.has(point), point); });
    wide.for_each([&](Index point) { add_if(all.has(point), point); });
    wide.for_each([&](Index point) { add_if(!all.has(point), point); });
    remove_sure_eyes(board, mover);
  }

  // Nothing changes where the point is none of them.
  void put_first(Index point) {
    const auto found = std::find(points_.begin(), points_.begin() + count_, static_cast<Point>(point));
    if (found != points_.begin() + count_) std::rotate(points_.begin(), found, found + 1);
  }

  int count() const { return count_; }
  Index operator[](int i) const { return points_[static_cast<std::size_t>(i)]; }

 private:
  static constexpr int kFewLiberties = 3;

  void add_if(bool wanted, Index point) {
    if (!wanted || seen_.has(point)) return;
    seen_.add(point);
    points_[static_cast<std::size_t>(count_++)] = static_cast<Point>(point);
  }

  static void add_liberties_if_few(const Tactics& board, Index stone, Points& found) {
    if (board.liberty_count(stone) <= kFewLiberties) found |= board.liberties(stone);
  }

  // The empty neighbours of a point, and the liberties of weak chains next to it.
  static void add_around(const Tactics& board, Index point, Points& found) {
    for (const int direction : Tactics::kDirections) {
      const Index neighbour = point + direction;
      if (board.colour(neighbour) == Tactics::kEmpty) found.add(neighbour);
      if (board.is_stone(neighbour)) add_liberties_if_few(board, neighbour, found);
    }
  }

  static void add_weak_neighbours(const Tactics& board, Index chain, Points& found) {
    board.for_each_stone(chain, [&](Index stone) {
      for (const int direction : Tactics::kDirections) {
        const Index neighbour = stone + direction;
        if (board.is_stone(neighbour) && board.colour(neighbour) != board.colour(stone)) {
          add_liberties_if_few(board, neighbour, found);
        }
      }
    });
  }

  static bool captures(const Tactics& board, int mover, Index point) {
    return (board.board().neighbour_mask(point, 1 - mover) & board.mask_in_atari(point)) != 0;
  }

  // Whoever fills a point that only one own chain surrounds loses a liberty for nothing.
  void remove_sure_eyes(const Tactics& board, int mover) {
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      const Index point = points_[static_cast<std::size_t>(i)];
      if (!is_sure_eye(board, mover, point))
        points_[static_cast<std::size_t>(kept++)] = points_[static_cast<std::size_t>(i)];
    }
    count_ = kept;
  }

  static bool is_sure_eye(const Tactics& board, int mover, Index point) {
    Index root = 0;
    for (const int direction : Tactics::kDirections) {
      const Index neighbour = point + direction;
      if (board.colour(neighbour) == GoBoard<kSize>::kBorder) continue;
      if (board.colour(neighbour) != mover || (root != 0 && board.chain(neighbour) != root)) return false;
      root = board.chain(neighbour);
    }
    return true;
  }

  std::array<Point, GoBoard<kSize>::kLines * GoBoard<kSize>::kLines> points_;
  int count_ = 0;
  Points seen_;
};

}  // namespace tesuji
