// Playouts of Othello whose moves are drawn with probability P(m) of a model's fast layer, or P(m)^(1 / temperature).
// The moves are others after every move, so that no sums can be kept: each move's weight is looked up, in two tables.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/othello.hpp"
#include "knowledge/draw_weights.hpp"
#include "knowledge/move_model.hpp"
#include "knowledge/othello/fast_teams.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

class OthelloBradleyTerryPlayout final : public KnowledgePlayout<Othello> {
 public:
  // What is needed of the model is copied.
  OthelloBradleyTerryPlayout(const MoveModel<OthelloFastKnowledge>& model, double temperature) {
    using namespace othello;
    const PartTables<float> strengths = at_temperature(model.strengths(), temperature);
    for (std::size_t square = 0; square < Othello::kSquares; ++square) {
      for (std::size_t phase = 0; phase < kPhases; ++phase) {
        const float place = strengths[kPlacePart][1 + 10 * phase + kPlaces[square].kind];
        for (std::size_t corner = 0; corner < kCornerLevels; ++corner) {
          squares_[phase][square][corner] = limited(place * strengths[kCornerPart][corner]);
        }
      }
    }
    for (std::size_t level = 0; level < distances_.size(); ++level) {
      distances_[level] = limited(strengths[kMobilityPart][level]);
    }
  }

  Rewards play(const Othello& position, Rng& rng, std::vector<PlayedMove>* played,
               Othello* end = nullptr) const override {
    Othello playing = position;
    while (true) {
      const othello::FastSituation situation(playing);
      const std::uint64_t moves = othello::mobility_of(situation.sides);
      if (moves == 0) {
        if (othello::mobility_of({situation.sides.opponent, situation.sides.own}) == 0) break;
        playing.play(Othello::kPass);
        continue;
      }
      const Move move = draw(situation, moves, rng);
      if (played != nullptr) played->push_back({playing.to_move(), move});
      playing.play(move);
    }
    if (end != nullptr) *end = playing;
    return playing.rewards();
  }

  std::uint64_t weight(const othello::FastSituation& situation, int square) const {
    const othello::FastCandidate move{situation, square};
    const auto& by_corner = squares_[static_cast<unsigned>(situation.phase)][static_cast<unsigned>(square)];
    const float strength = by_corner[static_cast<unsigned>(othello::CornerBeside::level(move))];
    return weight_of(strength * distances_[static_cast<unsigned>(othello::DistanceToLast::level(move))]);
  }

 private:
  static constexpr std::size_t kPhases = 3;
  static constexpr std::size_t kCornerLevels = othello::CornerBeside::kLevels.size() + 1;

  Move draw(const othello::FastSituation& situation, std::uint64_t moves, Rng& rng) const {
    if ((moves & (moves - 1)) == 0) return static_cast<Move>(std::countr_zero(moves));
    std::array<std::uint64_t, Othello::kSquares> weights;
    std::uint64_t sum = 0;
    std::size_t count = 0;
    for (std::uint64_t left = moves; left != 0; left &= left - 1) {
      sum += weights[count++] = weight(situation, std::countr_zero(left));
    }
    std::uint64_t rest = below(sum, rng);
    for (std::size_t place = 0; rest >= weights[place]; ++place) {
      rest -= weights[place];
      moves &= moves - 1;
    }
    return static_cast<Move>(std::countr_zero(moves));
  }

  std::array<std::array<std::array<float, kCornerLevels>, Othello::kSquares>, kPhases> squares_{};
  std::array<float, othello::DistanceToLast::kLevels.size() + 1> distances_{};
};

}  // namespace tesuji
