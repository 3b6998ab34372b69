// The capturing races on a board that are worth solving.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "knowledge/go/race_moves.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

template <int kSize>
struct FoundRace {
  RaceStones<kSize> stones;
  int size;  // stones of the smaller chain
};

// Pairs of chains that touch and could each be captured, the largest first: each has at least `least_stones`, no two
// eyes, and is shut in.
template <int kSize>
std::vector<FoundRace<kSize>> find_races(const TacticalBoard<kSize>& board, int least_stones) {
  using Index = typename GoBoard<kSize>::Index;
  constexpr std::size_t kMostRaces = 4;
  const auto is_weak = [&](Index stone) {
    return board.board().chain_size(stone) >= least_stones && count_sure_eyes(board, stone) < 2 &&
           is_shut_in(board, stone);
  };
  std::vector<FoundRace<kSize>> races;
  for (int move = 0; move < board.board().size() * board.board().size(); ++move) {
    const Index root = board.board().point_of(static_cast<Move>(move));
    if (board.colour(root) != GoBoard<kSize>::kBlack || board.chain(root) != root || !is_weak(root)) continue;
    std::vector<Index> met;
    board.for_each_stone(root, [&](Index stone) {
      for (const int direction : GoBoard<kSize>::kDirections) {
        if (board.colour(stone + direction) != GoBoard<kSize>::kWhite) continue;
        const Index enemy = board.chain(stone + direction);
        if (std::find(met.begin(), met.end(), enemy) != met.end()) continue;
        met.push_back(enemy);
        const int smaller = std::min(board.board().chain_size(root), board.board().chain_size(enemy));
        if (is_weak(enemy)) races.push_back({{{{root}, {enemy}}}, smaller});
      }
    });
  }
  std::stable_sort(races.begin(), races.end(), [](const auto& a, const auto& b) { return a.size > b.size; });
  if (races.size() > kMostRaces) races.resize(kMostRaces);
  return races;
}

}  // namespace tesuji
