// An evaluator judges leaves in place of a playout, several at a time: a neural network, a hand-made function, another
// program. The search collects up to batch_size() leaves, each with a virtual loss on its path so that they differ,
// asks once, then backs all of them up.
#pragma once

#include <cstddef>
#include <span>

#include "core/game.hpp"

namespace tesuji {

template <Game G>
struct EvaluatedLeaf {
  const G* position;            // not over
  std::span<const Move> moves;  // those that the search gives it
  std::span<float> priors;      // to be filled: one a move, at least 0, adding up to 1
  Rewards rewards;              // to be filled: one a player
};

template <Game G>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual std::size_t batch_size() const = 0;
  virtual void evaluate(std::span<EvaluatedLeaf<G>> leaves) = 0;
};

}  // namespace tesuji
