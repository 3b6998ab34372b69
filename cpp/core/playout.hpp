// One game from a position to its end by somebody's choice of moves: uniform over legal_moves(), or a policy's. A game
// with a playout of its own does without this.
#pragma once

#include <optional>

#include "core/game.hpp"

namespace tesuji {

// The outcome that the probabilities give, drawn with the search's own generator. `scratch` has the moves.
template <HasChance G>
Move draw_chance_move(const G& position, Scratch& scratch, Rng& rng) {
  list_probabilities(position, scratch.moves.size(), scratch.probabilities);
  double remaining = rng.uniform();
  for (std::size_t k = 0; k < scratch.moves.size(); ++k) {
    remaining -= scratch.probabilities[k];
    if (remaining < 0) return scratch.moves[k];
  }
  // The probabilities add up to a little less than 1 after rounding. What is impossible does not happen even then.
  std::size_t last = scratch.moves.size() - 1;
  while (last > 0 && scratch.probabilities[last] == 0) --last;
  return scratch.moves[last];
}

// Plays on with `choose(position, moves)` wherever a player is to move, until the game is over. A game that does not
// end within `max_plies` counts as a draw for all its players: one that never ends hangs nothing. Nothing comes back
// when `stopped()` says so on the way.
template <Game G, class Record, class Stopped, class Choose>
std::optional<Rewards> chosen_playout(G& position, Rng& rng, Record& record, Scratch& scratch, std::uint32_t max_plies,
                                      const Stopped& stopped, const Choose& choose) {
  constexpr std::uint32_t kPliesBetweenChecks = 64;
  for (std::uint32_t ply = 1; ply <= max_plies; ++ply) {
    if (position.is_over()) return position.rewards();
    if (ply % kPliesBetweenChecks == 0 && stopped()) return std::nullopt;
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

template <Game G, class Record, class Stopped>
std::optional<Rewards> uniform_playout(G& position, Rng& rng, Record& record, Scratch& scratch, std::uint32_t max_plies,
                                       const Stopped& stopped) {
  return chosen_playout(position, rng, record, scratch, max_plies, stopped, [&rng](const G&, const MoveList& legal) {
    return legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
  });
}

}  // namespace tesuji
