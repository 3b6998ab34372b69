// One random game from a position to its end: the game's own playout where it has one, else uniform over legal_moves().
#pragma once

#include <atomic>
#include <optional>

#include "core/game.hpp"

namespace tesuji {

// The outcome that the probabilities give, drawn with the search's own generator. `scratch` has the moves.
template <HasChance G>
Move draw_chance_move(const G& position, Scratch& scratch, Rng& rng) {
  position.chance_probabilities(scratch.probabilities);
  double remaining = rng.uniform();
  for (std::size_t k = 0; k < scratch.moves.size(); ++k) {
    remaining -= scratch.probabilities[k];
    if (remaining < 0) return scratch.moves[k];
  }
  return scratch.moves.back();  // the probabilities add up to a little less than 1 after rounding
}

// Plays on with `choose(position, moves)` wherever a player is to move, until the game is over. A game that does not
// end within `max_plies` counts as a draw for all its players: one that never ends hangs nothing. Nothing comes back
// when `stop` is raised on the way.
template <Game G, class Record, class Choose>
std::optional<Rewards> chosen_playout(G& position, Rng& rng, Record& record, Scratch& scratch, std::uint32_t max_plies,
                                      const std::atomic<bool>& stop, Choose&& choose) {
  constexpr std::uint32_t kPliesBetweenStopChecks = 64;
  for (std::uint32_t ply = 0; ply < max_plies; ++ply) {
    if (position.is_over()) return position.rewards();
    if (ply % kPliesBetweenStopChecks == 0 && stop.load(std::memory_order_relaxed)) return std::nullopt;
    position.legal_moves(scratch.moves);
    const int player = position.to_move();
    Move move = kNoMove;
    if constexpr (HasChance<G>) {
      if (player == kChance) move = draw_chance_move(position, scratch, rng);
    }
    if (move == kNoMove) move = choose(position, scratch.moves);
    record(player, move);
    position.play(move);
  }
  if (position.is_over()) return position.rewards();
  Rewards drawn;
  drawn.fill(kRewardHalf);
  return drawn;
}

template <Game G, class Record>
std::optional<Rewards> uniform_playout(G& position, Rng& rng, Record& record, Scratch& scratch, std::uint32_t max_plies,
                                       const std::atomic<bool>& stop) {
  return chosen_playout(position, rng, record, scratch, max_plies, stop, [&rng](const G&, const MoveList& legal) {
    return legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
  });
}

}  // namespace tesuji
