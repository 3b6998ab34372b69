// Records for the fast layer of a model: the moves that a playout could make compete. Passes and moves into own eyes
// teach it nothing, and positions in which one was made are left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "knowledge/bradley_terry.hpp"
#include "knowledge/go/fast_features.hpp"
#include "knowledge/go/teams.hpp"

namespace tesuji {

// How many shapes, one within the other, a move of the fast layer has.
inline constexpr int kFastShapeSizes = 2;

template <int kSize>
fast_features::Candidate<kSize> fast_candidate(const GoSituation<kSize>& situation,
                                               typename GoSituation<kSize>::Index point) {
  const auto last = situation.has_last_stone() ? situation.last : 0;
  return {situation.tactics, situation.colour, point, last};
}

template <int kSize>
void add_record(int size, RecordedMoves moves, const FastShapeTable& shapes, Competitions::Chunk& chunk) {
  const auto add_position = [&](const GoSituation<kSize>& situation, auto played) {
    if (played == 0 || !fast_candidate(situation, played).is_playable()) return;
    const auto& board = situation.tactics.board();
    for (int slot = 0; slot < board.empty_count(); ++slot) {
      const auto move = fast_candidate(situation, board.empty(slot));
      if (!move.is_playable()) continue;
      if (move.point == played) chunk.winners.push_back(static_cast<std::uint32_t>(chunk.teams.size()));
      chunk.teams.push_back(fast_features::team(move, shapes).word());
    }
    chunk.ends.push_back(static_cast<std::uint32_t>(chunk.teams.size()));
  };
  if (replay<kSize>(size, moves, add_position) != moves.size()) {
    throw std::invalid_argument("a record has an illegal move");
  }
}

// The hashes of the shapes around the moves of a record, kFastShapeSizes a move, the stones alone first.
template <int kSize>
void add_fast_shapes(int size, RecordedMoves moves, std::vector<std::uint64_t>& hashes) {
  replay<kSize>(size, moves, [&](const GoSituation<kSize>& situation, auto played) {
    if (played == 0 || !fast_candidate(situation, played).is_playable()) return;
    const FastShape shape = fast_candidate(situation, played).shape();
    hashes.push_back(hash_of_stones(shape));
    hashes.push_back(hash_of_whole(shape));
  });
}

}  // namespace tesuji
