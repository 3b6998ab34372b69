// What the search needs to know of a game. A game is a value: copying it copies the whole position, assigning to an
// existing one allocates nothing (in the steady state), and two copies never share anything that can change.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/rewards.hpp"
#include "core/rng.hpp"

namespace tesuji {

// A move is a number that the game chooses; the search only stores it and hands it back.
using Move = std::uint32_t;
inline constexpr Move kNoMove = ~Move{0};

using MoveList = std::vector<Move>;
using Probabilities = std::vector<double>;

// Lists that a playout fills again and again, kept so that it need not allocate.
struct Scratch {
  MoveList moves;
  Probabilities probabilities;
};

// A game that somebody else wrote has given an answer that no game can give.
class BadGame : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Probabilities that somebody else's game gave: each from 0 to 1, together 1 (but for rounding).
inline void check_probabilities(const Probabilities& probabilities) {
  double sum = 0;
  for (const double probability : probabilities) {
    if (!(probability >= 0 && probability <= 1)) {
      throw BadGame("a probability of " + std::to_string(probability) + ": it must be from 0 to 1");
    }
    sum += probability;
  }
  if (!(sum > 1 - 1e-6 && sum < 1 + 1e-6)) {
    throw BadGame("the probabilities add up to " + std::to_string(sum) + ", not to 1");
  }
}

// A playout tells its moves to a recorder, `record(player, move)`, in the order in which they are played: the rules
// that learn from playout moves (RAVE) pass a real one. This one costs nothing.
struct NoRecord {
  void operator()(int /*player*/, Move /*move*/) const {}
};

// legal_moves() clears the list first, gives every legal move once, and leaves the list empty exactly when the game is
// over (a pass, where a game has it, is a move). play() wants a legal move. rewards() may be asked only when is_over().
template <class G>
concept Game = std::copyable<G> && requires(G game, const G& position, Move move, MoveList& moves) {
  { position.num_players() } -> std::same_as<int>;
  { position.to_move() } -> std::same_as<int>;  // 0, 1, ... or kChance
  { position.is_over() } -> std::same_as<bool>;
  { position.legal_moves(moves) } -> std::same_as<void>;
  { position.is_legal(move) } -> std::same_as<bool>;
  { game.play(move) } -> std::same_as<void>;
  { position.rewards() } -> std::same_as<Rewards>;
};

// A game with a playout of its own: plays from here to the end (or to a length cap of its own), uniformly at random
// over the moves that the game calls sensible, changes the position on the way, and gives the rewards.
template <class G>
concept HasPlayout = requires(G game, Rng& rng, NoRecord record) {
  { game.playout(rng, record) } -> std::same_as<Rewards>;
};

// A game that knows of legal moves not worth a thought: the search looks only at these. They are some of the legal
// moves, and at least one of them while the game is not over.
template <class G>
concept HasSearchMoves = requires(const G& position, MoveList& moves) {
  { position.search_moves(moves) } -> std::same_as<void>;
};

// A game that keeps lists in the order of its history: this puts them into an order that depends on the position alone,
// so that a search of equal positions with equal seeds is the same search.
template <class G>
concept HasCanonicalOrder = requires(G game) {
  { game.canonicalize() } -> std::same_as<void>;
};

// A game with chance: where to_move() is kChance, legal_moves() gives the outcomes and this their probabilities, in the
// same order.
template <class G>
concept HasChance = requires(const G& position, Probabilities& probabilities) {
  { position.chance_probabilities(probabilities) } -> std::same_as<void>;
};

// A game with moves that mean little when they are made at another time: all-moves-as-first does not count them.
template <class G>
concept HasRaveSay = requires(const G& position, Move move) {
  { position.counts_for_rave(move) } -> std::same_as<bool>;
};

// The probabilities of so many outcomes as legal_moves() gave. A game that answers otherwise when it is asked again is
// found out here, before anybody reads beyond the shorter list.
template <HasChance G>
void list_probabilities(const G& position, std::size_t outcomes, Probabilities& probabilities) {
  position.chance_probabilities(probabilities);
  if (probabilities.size() == outcomes) return;
  throw BadGame("there are " + std::to_string(probabilities.size()) + " probabilities for " + std::to_string(outcomes) +
                " legal moves: a position must have the same moves whenever it is asked");
}

// A game of two players that says so: what one wins the other loses, and their rewards add up to 1.
template <class G>
concept ConstantSum = requires { requires G::kConstantSum; };

// A game that can judge a position without playing it out, in one or more ways that have names. The functions want a
// position that is not over.
template <class G>
struct Evaluation {
  const char* name;
  Rewards (*judge)(const G& position);
};
template <class G>
concept HasEvaluations = requires {
  { G::evaluations() } -> std::same_as<std::span<const Evaluation<G>>>;
};

template <Game G>
G in_canonical_order(G position) {
  if constexpr (HasCanonicalOrder<G>) position.canonicalize();
  return position;
}

// The moves that the search gives a position's node.
template <Game G>
void list_search_moves(const G& position, MoveList& moves) {
  if constexpr (HasSearchMoves<G>) {
    position.search_moves(moves);
  } else {
    position.legal_moves(moves);
  }
}

}  // namespace tesuji
