// The places where somebody else's knowledge enters the search.
//
// An evaluator judges leaves, several at a time: a neural network, a hand-made function, another program. The search
// collects up to batch_size() leaves, each with a virtual loss on its path so that they differ, asks once, then backs
// all of them up. A playout policy chooses the moves of the playouts, or knowledge of the game makes
// whole ones.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/game.hpp"
#include "search/local_solver.hpp"
#include "search/playout_moves.hpp"

namespace tesuji {

template <Game G>
struct EvaluatedLeaf {
  const G* position;            // not over
  std::span<const Move> moves;  // those that the search gives it
  std::span<float> priors;      // to be filled: one a move, at least 0, adding up to 1
  // To be filled, one a player; where it stays empty the leaf is played out.
  std::optional<Rewards> rewards;
};

template <Game G>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual std::size_t batch_size() const = 0;
  virtual void evaluate(std::span<EvaluatedLeaf<G>> leaves) = 0;
};

template <Game G>
class PlayoutPolicy {
 public:
  virtual ~PlayoutPolicy() = default;
  // One of the moves, which are all the legal ones; never asked where chance decides.
  virtual Move choose(const G& position, const MoveList& moves, Rng& rng) = 0;
};

// Playouts that know the game (`playout=knowledge`). One object serves all threads of a search: what a playout keeps it
// keeps on the stack.
template <Game G>
class KnowledgePlayout {
 public:
  virtual ~KnowledgePlayout() = default;
  // From a position that is not over to the end. The moves are added to `played`, and the board is shown to `end`,
  // where they are given; `end` may be the position itself. Without `end` a playout may stop where it is decided.
  virtual Rewards play(const G& position, Rng& rng, std::vector<PlayedMove>* played, G* end = nullptr) const = 0;
  // Whether they can end before the game does (`mercy`).
  virtual bool knows_mercy() const { return false; }
};

// Visits that were never made: what is known of a move before it is tried.
struct PriorVisits {
  float wins = 0;
  float visits = 0;
};

// What the game's knowledge says of the moves of a new node (`prior`). It serves all threads, too.
template <Game G>
class PriorKnowledge {
 public:
  virtual ~PriorKnowledge() = default;
  // For the player to move, one answer a move.
  virtual void judge(const G& position, std::span<const Move> moves, std::span<PriorVisits> priors) const = 0;
};

// How likely each move of a new node is, before anything is tried: P(m) of a learned model. It serves all threads, too.
// Only rules that need priors ask: it costs as much as a playout.
template <Game G>
class MovePriors {
 public:
  virtual ~MovePriors() = default;
  // One answer a move, at least 0, adding up to 1.
  virtual void judge(const G& position, std::span<const Move> moves, std::span<float> priors) const = 0;
};

// What a search is given beyond its rules; each may be missing.
template <Game G>
struct Knowledge {
  std::unique_ptr<Evaluator<G>> evaluator;
  std::unique_ptr<PlayoutPolicy<G>> policy;
  std::unique_ptr<const KnowledgePlayout<G>> playout = nullptr;
  std::unique_ptr<const PriorKnowledge<G>> prior = nullptr;
  std::unique_ptr<const MovePriors<G>> move_priors = nullptr;  // an evaluator's go before
  std::unique_ptr<const LocalSolver<G>> local_solver = nullptr;
};

}  // namespace tesuji
