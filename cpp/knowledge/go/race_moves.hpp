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

// Whether few empty points can be reached from a chain's liberties over empty points. A chain that is not shut in could
// run, and no search that is worth its time would tell how far.
template <int kSize>
bool is_shut_in(const TacticalBoard<kSize>& board, typename GoBoard<kSize>::Index stone) {
  constexpr int kMostRoom = 12;
  typename TacticalBoard<kSize>::Points room = board.liberties(stone);
  while (room.count() <= kMostRoom) {
    typename TacticalBoard<kSize>::Points grown = room;
    room.for_each([&](auto point) {
      for (const int direction : GoBoard<kSize>::kDirections) {
        grown.add_if(board.colour(point + direction) == GoBoard<kSize>::kEmpty, point + direction);
      }
    });
    if (grown == room) return true;
    room = grown;
  }
  return false;
}

// All that can matter for a race, if it is little: the empty points and the chains that are reached from its chains, up
// to chains that can never be captured. Nothing where there are more than `most` empty points.
template <int kSize>
typename TacticalBoard<kSize>::Points closed_room(const TacticalBoard<kSize>& board, const RaceStones<kSize>& race,
                                                  int most) {
  using Index = typename GoBoard<kSize>::Index;
  typename TacticalBoard<kSize>::Points room;
  std::vector<Index> reached;
  int empty = 0;
  const auto add = [&](Index point) {
    room.add(point);
    reached.push_back(point);
  };
  const auto reach = [&](Index point) {
    if (room.has(point) || board.colour(point) == GoBoard<kSize>::kBorder) return;
    if (!board.is_stone(point)) {
      ++empty;
      add(point);
    } else if (count_sure_eyes(board, point) < 2) {
      board.for_each_stone(point, add);
    }
  };
  for (const auto& stones : race) {
    for (const Index chain : stones) board.for_each_stone(chain, add);
  }
  for (std::size_t i = 0; i < reached.size() && empty <= most; ++i) {
    for (const int direction : GoBoard<kSize>::kDirections) reach(reached[i] + direction);
  }
  return empty <= most ? room : typename TacticalBoard<kSize>::Points{};
}

// Where the moves of a race are looked for.
template <int kSize>
struct RaceScope {
  RaceStones<kSize> stones;
  typename TacticalBoard<kSize>::Points room;              // all that can matter; empty where that is too much
  std::vector<typename GoBoard<kSize>::Index> involved{};  // stones of other chains whose liberties matter
};

template <int kSize>
class RaceMoves {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;
  using Points = typename Tactics::Points;
  using Point = typename GoBoard<kSize>::Point;

  // Empty points, the most promising first. They need not be legal.
  void find(const Tactics& board, const RaceScope<kSize>& scope, int mover) {
    std::array<Points, 2> liberties;
    for (const int colour : {0, 1}) {
      for (const Index stone : scope.stones[colour]) {
        liberties[static_cast<std::size_t>(colour)] |= board.liberties(stone);
      }
    }
    const Points& own = liberties[static_cast<std::size_t>(mover)];
    const Points& enemy = liberties[static_cast<std::size_t>(1 - mover)];
    Points all = own;
    all |= enemy;
    const Points wide = scope.room.is_empty() ? nearby(board, scope, all) : empty_in(board, scope.room);
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

  static Points empty_in(const Tactics& board, const Points& room) {
    Points empty;
    room.for_each([&](Index point) { empty.add_if(board.colour(point) == Tactics::kEmpty, point); });
    return empty;
  }

  // The liberties of the race and of what is involved, the points next to these, and the liberties of weak chains.
  static Points nearby(const Tactics& board, const RaceScope<kSize>& scope, Points liberties) {
    for (const Index stone : scope.involved) {
      if (board.is_stone(stone)) liberties |= board.liberties(stone);
    }
    Points wide = liberties;
    liberties.for_each([&](Index point) { add_around(board, point, wide); });
    for (const auto& stones : scope.stones) {
      for (const Index stone : stones) add_weak_neighbours(board, stone, wide);
    }
    return wide;
  }

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
