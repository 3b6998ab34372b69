// The fights on a board that are worth solving: capturing races, and chains that live or die where they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "knowledge/go/race_moves.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

template <int kSize>
struct FoundRace {
  RaceStones<kSize> stones;  // only one side has any where a chain lives or dies alone
  int size;                  // stones of the chain, or of the smaller one
};

template <int kSize>
class RaceFinder {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;
  using Points = typename Tactics::Points;
  using Found = std::vector<FoundRace<kSize>>;

  // Chains with fewer stones than `least_stones` are worth no fight. `life`: whether chains alone are asked about.
  RaceFinder(const Tactics& board, int least_stones, bool life) : board_(board), life_(life) {
    for (int move = 0; move < board.board().size() * board.board().size(); ++move) {
      const Index root = board.board().point_of(static_cast<Move>(move));
      if (board.is_stone(root) && board.chain(root) == root && is_weak(root, least_stones)) weak_.push_back(root);
    }
  }

  // Pairs of chains that touch and could each be captured, then chains that could be captured and race against none;
  // the largest of each first.
  Found find() const {
    constexpr std::size_t kMost = 4;
    Found found = pairs();
    Found alone = life_ ? without_a_pair(found) : Found{};
    for (Found* kind : {&found, &alone}) {
      std::stable_sort(kind->begin(), kind->end(), [](const auto& a, const auto& b) { return a.size > b.size; });
    }
    found.insert(found.end(), alone.begin(), alone.end());
    if (found.size() > kMost) found.resize(kMost);
    return found;
  }

 private:
  bool is_weak(Index root, int least_stones) const {
    return board_.board().chain_size(root) >= least_stones && count_sure_eyes(board_, root) < 2 &&
           is_shut_in(board_, root);
  }

  Found pairs() const {
    Found races;
    for (const Index black : weak_) {
      if (board_.colour(black) != GoBoard<kSize>::kBlack) continue;
      for (const Index white : enemies_around(black)) {
        if (!is_in(white, weak_)) continue;
        if (life_ && may_be_nakade(black) != may_be_nakade(white)) continue;
        races.push_back({{{{black}, {white}}}, std::min(size_of(black), size_of(white))});
      }
    }
    return races;
  }

  Found without_a_pair(const Found& races) const {
    Found alone;
    for (const Index chain : weak_) {
      const auto colour = static_cast<std::size_t>(board_.colour(chain));
      const auto has_it = [&](const FoundRace<kSize>& race) { return race.stones[colour].front() == chain; };
      if (std::any_of(races.begin(), races.end(), has_it) || may_be_nakade(chain)) continue;
      alone.push_back({{}, size_of(chain)});
      alone.back().stones[colour].push_back(chain);
    }
    return alone;
  }

  static bool is_in(Index root, const std::vector<Index>& roots) {
    return std::find(roots.begin(), roots.end(), root) != roots.end();
  }

  int size_of(Index root) const { return board_.board().chain_size(root); }

  // The roots of the enemy's chains that touch this one, in the order in which they are met.
  std::vector<Index> enemies_around(Index root) const {
    std::vector<Index> met;
    board_.for_each_stone(root, [&](Index stone) {
      for (const int direction : Tactics::kDirections) {
        if (board_.colour(stone + direction) != 1 - board_.colour(root)) continue;
        const Index enemy = board_.chain(stone + direction);
        if (!is_in(enemy, met)) met.push_back(enemy);
      }
    });
    return met;
  }

  // Whether a chain may stand in the eye space of others and has none itself: whoever takes it need not live by that,
  // so that to take it decides nothing. More than six stones always leave room for two eyes.
  bool may_be_nakade(Index root) const {
    if (size_of(root) > 6) return false;
    const int own = board_.colour(root);
    const std::vector<Index> around = enemies_met(root, own, true);
    const bool all_weak = std::all_of(around.begin(), around.end(), [&](Index chain) { return is_in(chain, weak_); });
    if (around.size() != 1 && !all_weak) return false;
    bool has_eye_space = false;
    board_.liberties(root).for_each([&](Index liberty) { has_eye_space |= enemies_met(liberty, own, false).empty(); });
    return !has_eye_space;
  }

  // Chains of the enemy that are met from a point over empty points, and over stones of `own` if that is asked.
  std::vector<Index> enemies_met(Index from, int own, bool over_own_stones) const {
    std::vector<Index> met;
    std::vector<Index> reached = {from};
    Points seen;
    seen.add(from);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const int direction : Tactics::kDirections) {
        const Index point = reached[i] + direction;
        const int colour = board_.colour(point);
        if (colour == 1 - own) {
          if (!is_in(board_.chain(point), met)) met.push_back(board_.chain(point));
        } else if ((colour == Tactics::kEmpty || (over_own_stones && colour == own)) && !seen.has(point)) {
          seen.add(point);
          reached.push_back(point);
        }
      }
    }
    return met;
  }

  const Tactics& board_;
  bool life_;
  std::vector<Index> weak_;  // roots of chains without two eyes that are shut in
};

template <int kSize>
std::vector<FoundRace<kSize>> find_races(const TacticalBoard<kSize>& board, int least_stones, bool life) {
  return RaceFinder<kSize>(board, least_stones, life).find();
}

}  // namespace tesuji
