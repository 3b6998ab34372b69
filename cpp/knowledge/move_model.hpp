// A learned model of the moves of a game, and what it learns from: records. `K` is what is known of the game: its
// Features and Shapes, teams(position) that knows the teams of a position's moves, start(size) for its records, and
// Fast, the K of the small layer for playouts (of which it is its own).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "knowledge/bradley_terry.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

template <class K>
class MoveModel {
 public:
  using Fast = MoveModel<typename K::Fast>;

  // `fast`: the layer for playouts, where there is one.
  MoveModel(std::span<const std::uint64_t> shapes, PartTables<float> strengths,
            std::shared_ptr<const Fast> fast = nullptr)
      : shapes_(shapes), strengths_(std::move(strengths)), fast_(std::move(fast)) {
    bool fits = strengths_[0].size() == shapes.size() + 1;
    for (int part = 1; part < kTeamParts; ++part) {
      fits = fits && strengths_[static_cast<std::size_t>(part)].size() == K::Features::part_width(part);
    }
    if (!fits) throw std::invalid_argument("the strengths of a model do not fit the features");
  }

  const typename K::Shapes& shapes() const { return shapes_; }
  const PartTables<float>& strengths() const { return strengths_; }
  const Fast* fast() const { return fast_.get(); }

  template <Game G>
  FeatureTeam team(const G& position, Move move) const {
    return K::teams(position).team(move, shapes_);
  }

  // P(m) of legal moves, eq. 2 over those that are given.
  template <Game G>
  void probabilities(const G& position, std::span<const Move> moves, std::span<float> result) const {
    const auto teams = K::teams(position);
    float sum = 0;
    std::size_t known = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (!teams.knows(moves[i])) continue;
      sum += result[i] = strength_of(teams.team(moves[i], shapes_), strengths_);
      ++known;
    }
    // A move of which nothing is known is as likely as the others are on average.
    const float mean = known == 0 ? 1.0f : sum / static_cast<float>(known);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (!teams.knows(moves[i])) result[i] = mean;
      result[i] /= mean * static_cast<float>(moves.size());
    }
  }

 private:
  typename K::Shapes shapes_;
  PartTables<float> strengths_;
  std::shared_ptr<const Fast> fast_;
};

// P(m) for the nodes of a search, from a model that is borrowed.
template <class K, Game G>
class ModelPriors final : public MovePriors<G> {
 public:
  explicit ModelPriors(const MoveModel<K>& model) : model_(model) {}

  void judge(const G& position, std::span<const Move> moves, std::span<float> priors) const override {
    model_.probabilities(position, moves, priors);
  }

 private:
  const MoveModel<K>& model_;
};

// Replays a record. visit(position, move) is called before each move. Gives the number of moves that could be played:
// less than all when one is illegal.
template <class K, class Visit>
std::size_t replay_record(int size, std::span<const std::uint16_t> moves, Visit&& visit) {
  typename K::RecordedGame position = K::start(size);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    K::play_unwritten(position, moves[i]);
    if (!position.is_legal(moves[i])) return i;
    visit(std::as_const(position), Move{moves[i]});
    position.play(moves[i]);
  }
  return moves.size();
}

// All moves of all positions of a record compete; where there is only one, there is nothing to learn.
template <class K>
void add_competitions(int size, std::span<const std::uint16_t> moves, const typename K::Shapes& shapes,
                      Competitions::Chunk& chunk) {
  MoveList legal;
  const auto add_position = [&](const typename K::RecordedGame& position, Move played) {
    position.legal_moves(legal);
    if (legal.size() < 2) return;
    const auto teams = K::teams(position);
    for (const Move move : legal) {
      if (move == played) chunk.winners.push_back(static_cast<std::uint32_t>(chunk.teams.size()));
      chunk.teams.push_back(teams.team(move, shapes).word());
    }
    chunk.ends.push_back(static_cast<std::uint32_t>(chunk.teams.size()));
  };
  if (replay_record<K>(size, moves, add_position) != moves.size()) {
    throw std::invalid_argument("a record has an illegal move");
  }
}

// The hashes of the shapes around the moves of a record, K::kShapeSizes a move.
template <class K>
void add_shape_hashes(int size, std::span<const std::uint16_t> moves, std::vector<std::uint64_t>& hashes) {
  replay_record<K>(size, moves, [&](const typename K::RecordedGame& position, Move played) {
    const auto teams = K::teams(position);
    for (int shape = 0; shape < K::kShapeSizes; ++shape) hashes.push_back(teams.shape_hash(played, shape));
  });
}

}  // namespace tesuji
