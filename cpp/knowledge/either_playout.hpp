// Playouts of two kinds, each time one of them at random (`playout=both`). Every kind of playout judges some positions
// too well, and a search goes where its own playouts do. Two kinds are wrong about different positions, and their mean
// is less wrong than either (docs/go-playouts.md, 19x19).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "search/evaluator.hpp"

namespace tesuji {

template <Game G>
class EitherPlayout final : public KnowledgePlayout<G> {
 public:
  using Kind = std::unique_ptr<const KnowledgePlayout<G>>;

  EitherPlayout(Kind one, Kind other) : one_(std::move(one)), other_(std::move(other)) {}

  Rewards play(const G& position, Rng& rng, std::vector<PlayedMove>* played, G* end = nullptr) const override {
    const Kind& kind = rng.below(2) == 0 ? one_ : other_;
    return kind->play(position, rng, played, end);
  }

  bool knows_mercy() const override { return one_->knows_mercy() && other_->knows_mercy(); }

 private:
  Kind one_;
  Kind other_;
};

}  // namespace tesuji
