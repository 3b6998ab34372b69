// The two places where somebody else's knowledge enters the search.
//
// An evaluator judges leaves, several at a time: a neural network, a hand-made function, another program. The search
// collects up to batch_size() leaves, each with a virtual loss on its path so that they differ, asks once, then backs
// all of them up. A playout policy chooses the moves of the playouts.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "core/game.hpp"

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

// What a search is given beyond its rules; each may be missing.
template <Game G>
struct Knowledge {
  std::unique_ptr<Evaluator<G>> evaluator;
  std::unique_ptr<PlayoutPolicy<G>> policy;
};

}  // namespace tesuji
