// Playouts of Havannah whose moves are drawn with probability P(m) of a model's fast layer, or P(m)^(1 / temperature).
// Or only where no connection must be kept: then the answers of playout=knowledge come first.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/havannah.hpp"
#include "knowledge/draw_weights.hpp"
#include "knowledge/havannah/fast_teams.hpp"
#include "knowledge/havannah/playout.hpp"
#include "knowledge/move_model.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

// The weight of each move by itself: by its line and the stones next to it. What an answer to the last move has more,
// its surplus, comes to that: so gammas of answers count as 1 where they are less.
class HavannahWeightTables {
 public:
  HavannahWeightTables(const MoveModel<HavannahFastKnowledge>& model, double temperature) {
    using namespace havannah;
    const PartTables<float> strengths = at_temperature(model.strengths(), temperature);
    for (unsigned key = 0; key < shapes_.size(); ++key) {
      shapes_[key] = limited(strengths[kShapePart][model.shapes().small(key)]);
    }
    for (std::size_t line = 0; line < lines_.size(); ++line) lines_[line] = limited(strengths[kPlacePart][line]);
    // As FeatureSet::team() numbers the values of a part: the last feature is the lowest digit.
    constexpr std::size_t kNext = 2;
    constexpr std::size_t kKeeps = 1;
    const auto& tactics = strengths[kTacticsPart];
    surplus_[0] = limited(std::max(tactics[kNext], 1.0F)) - 1;
    surplus_[1] = limited(std::max(tactics[kNext + kKeeps], 1.0F)) - 1;
  }

  std::uint64_t weight(unsigned near_key, std::size_t line) const {
    return weight_of(shapes_[near_key] * lines_[line]);
  }
  // Of a cell next to the last move, as a share of its weight.
  float surplus(bool keeps_connection) const { return surplus_[keeps_connection]; }

 private:
  std::array<float, 1 << 12> shapes_{};
  std::array<float, havannah::Line::kLevels.size() + 1> lines_{};
  std::array<float, 2> surplus_{};
};

// The weights of both players' moves while a game is played on, with the sum of each row of the grid.
template <int kMaxSide>
class HavannahWeights {
 public:
  HavannahWeights(const Havannah<kMaxSide>& position, const HavannahWeightTables& tables)
      : position_(position), places_(havannah::Places::of(position.side())), tables_(tables) {
    weigh_all();
  }

  void weigh_all() {
    for (unsigned i = 0; i < position_.num_empty(); ++i) weigh(position_.empty_cell(i));
  }

  // After a stone was put on a cell of the position.
  void update(Move cell) {
    set(cell, {0, 0});
    const unsigned outside = geometry().cell(cell).outside;
    for (unsigned direction = 0; direction < HavannahGeometry::kDirections; ++direction) {
      if ((outside >> direction & 1) != 0) continue;
      const Move neighbour = geometry().neighbour(cell, direction);
      if (weights_[0][neighbour] != 0) weigh(neighbour);
    }
  }

  // Of a move by itself, and with its surplus.
  std::uint64_t weight(int player, Move cell) const { return weights_[static_cast<unsigned>(player)][cell]; }
  std::uint64_t whole_weight(Move cell) const {
    std::uint64_t whole = weight(position_.to_move(), cell);
    const Answers near = answers();
    for (const Answer& answer : near.span()) whole += answer.cell == cell ? answer.surplus : 0;
    return whole;
  }

  Move draw(Rng& rng) const {
    const auto player = static_cast<unsigned>(position_.to_move());
    const Answers near = answers();
    std::uint64_t sum = near.sum;
    for (const std::uint64_t row : rows_[player]) sum += row;
    std::uint64_t rest = below(sum, rng);
    for (const Answer& answer : near.span()) {
      if (rest < answer.surplus) return answer.cell;
      rest -= answer.surplus;
    }
    std::size_t row = 0;
    while (rest >= rows_[player][row]) rest -= rows_[player][row++];
    Move cell = static_cast<Move>(row) * static_cast<Move>(position_.width());
    while (rest >= weights_[player][cell]) rest -= weights_[player][cell++];
    return cell;
  }

 private:
  static constexpr std::size_t kWidth = 2 * kMaxSide - 1;

  struct Answer {
    Move cell;
    std::uint64_t surplus;
  };
  struct Answers {
    std::array<Answer, HavannahGeometry::kDirections> found;
    std::size_t count = 0;
    std::uint64_t sum = 0;

    std::span<const Answer> span() const { return {found.data(), count}; }
  };

  const HavannahGeometry& geometry() const { return position_.geometry(); }

  // What the cells next to the last move have more.
  Answers answers() const {
    Answers result;
    const Move last = position_.last_move();
    if (last == kNoMove) return result;
    const unsigned outside = geometry().cell(last).outside;
    const unsigned keeping = broken_connections(position_, position_.to_move(), last);
    for (unsigned direction = 0; direction < HavannahGeometry::kDirections; ++direction) {
      if ((outside >> direction & 1) != 0) continue;
      const Move cell = geometry().neighbour(last, direction);
      const std::uint64_t surplus =
          surplus_of(weight(position_.to_move(), cell), tables_.surplus((keeping >> direction & 1) != 0));
      if (surplus == 0) continue;
      result.found[result.count++] = {cell, surplus};
      result.sum += surplus;
    }
    return result;
  }

  void weigh(Move cell) {
    const unsigned outside = geometry().cell(cell).outside;
    const unsigned first = position_.stones_around(0, cell) | outside;
    const unsigned second = position_.stones_around(1, cell) | outside;
    const std::size_t line = places_.at(cell).line;
    set(cell, {tables_.weight(first | second << 6, line), tables_.weight(second | first << 6, line)});
  }

  void set(Move cell, std::array<std::uint64_t, 2> weights) {
    const std::size_t row = geometry().cell(cell).y;
    for (unsigned player = 0; player < 2; ++player) {
      rows_[player][row] += weights[player] - weights_[player][cell];
      weights_[player][cell] = weights[player];
    }
  }

  const Havannah<kMaxSide>& position_;
  const havannah::Places& places_;
  const HavannahWeightTables& tables_;
  std::array<std::array<std::uint64_t, kWidth * kWidth>, 2> weights_{};
  std::array<std::array<std::uint64_t, kWidth>, 2> rows_{};
};

template <int kMaxSide>
class HavannahBradleyTerryPlayout final : public KnowledgePlayout<Havannah<kMaxSide>> {
 public:
  // What is needed of the model is copied.
  HavannahBradleyTerryPlayout(const MoveModel<HavannahFastKnowledge>& model, double temperature,
                              bool keeps_connections_first)
      : tables_(model, temperature), keeps_connections_first_(keeps_connections_first) {}

  Rewards play(const Havannah<kMaxSide>& position, Rng& rng, std::vector<PlayedMove>* played,
               Havannah<kMaxSide>* end = nullptr) const override {
    Havannah<kMaxSide> playing = position;
    HavannahWeights<kMaxSide> weights(playing, tables_);
    while (!playing.is_over()) {
      const Move move = choose(playing, weights, rng);
      if (played != nullptr) played->push_back({playing.to_move(), move});
      playing.play(move);
      if (move == playing.swap_move()) {
        weights.weigh_all();
      } else {
        weights.update(move);
      }
    }
    if (end != nullptr) *end = playing;
    return playing.rewards();
  }

 private:
  // A swap, of which models know nothing, is as likely as in uniform playouts.
  Move choose(const Havannah<kMaxSide>& position, const HavannahWeights<kMaxSide>& weights, Rng& rng) const {
    if (position.can_swap() && rng.below(position.num_empty() + 1) == 0) return position.swap_move();
    if (keeps_connections_first_) {
      if (const Move answer = draw_answer(position, rng); answer != kNoMove) return answer;
    }
    return weights.draw(rng);
  }

  HavannahWeightTables tables_;
  bool keeps_connections_first_;
};

}  // namespace tesuji
