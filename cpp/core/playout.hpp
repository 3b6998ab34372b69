// One random game from a position to its end: the game's own playout where it has one, else uniform over legal_moves().
#pragma once

#include <atomic>
#include <optional>

#include "core/game.hpp"

namespace tesuji {

// The outcome that the probabilities give, drawn with the search's own generator.
template <HasChance G>
Move draw_chance_move(const G& position, const MoveList& outcomes, Rng& rng) {
  double remaining = rng.uniform();
  for (const Move outcome : outcomes) {
    remaining -= position.chance_probability(outcome);
    if (remaining < 0) return outcome;
  }
  return outcomes.back();  // the probabilities add up to a little less than 1 after rounding
}

// A game that does not end within `max_plies` counts as a draw for all its players: one that never ends hangs nothing.
// Nothing comes back when `stop` is raised on the way.
template <Game G, class Record>
std::optional<Rewards> uniform_playout(G& position, Rng& rng, Record& record, MoveList& moves, std::uint32_t max_plies,
                                       const std::atomic<bool>& stop) {
  constexpr std::uint32_t kPliesBetweenStopChecks = 64;
  for (std::uint32_t ply = 0; ply < max_plies; ++ply) {
    if (position.is_over()) return position.rewards();
    if (ply % kPliesBetweenStopChecks == 0 && stop.load(std::memory_order_relaxed)) return std::nullopt;
    position.legal_moves(moves);
    const int player = position.to_move();
    Move move = kNoMove;
    if constexpr (HasChance<G>) {
      if (player == kChance) move = draw_chance_move(position, moves, rng);
    }
    if (move == kNoMove) move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
    record(player, move);
    position.play(move);
  }
  if (position.is_over()) return position.rewards();
  Rewards drawn;
  drawn.fill(kRewardHalf);
  return drawn;
}

}  // namespace tesuji
