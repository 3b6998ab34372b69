// Playouts of Go whose moves are drawn with probability P(m) of a model's fast layer (Coulom 2007; Ikeda and Viennot
// 2013), or P(m)^(1 / temperature). Or only where nothing is urgent: then the answers of playout=knowledge come first,
// and as there a move that joins own stones must not leave them in atari.
#pragma once

#include "games/go.hpp"
#include "knowledge/go/fast_model.hpp"
#include "knowledge/go/mercy.hpp"
#include "knowledge/go/move_weights.hpp"
#include "knowledge/go/tactical_board.hpp"
#include "knowledge/go/urgent.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

template <int kSize>
class GoBradleyTerryPlayout final : public KnowledgePlayout<Go<kSize>> {
 public:
  // The model is borrowed.
  GoBradleyTerryPlayout(const GoFastModel& model, double temperature, bool urgent_first = false, double mercy_share = 0)
      : tables_(model.shapes(), strengths(model, temperature, urgent_first)),
        urgent_first_(urgent_first),
        mercy_share_(mercy_share) {}

  bool knows_mercy() const override { return true; }

  Rewards play(const Go<kSize>& position, Rng& rng, std::vector<PlayedMove>* played,
               Go<kSize>* end = nullptr) const override {
    if (played == nullptr) return position.rewards_of(play_out(position, rng, NoRecord{}, end));
    const auto record = [played](int player, Move move) { played->push_back({player, move}); };
    return position.rewards_of(play_out(position, rng, record, end));
  }

 private:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;

  static PartTables<float> strengths(const GoFastModel& model, double temperature, bool urgent_first) {
    PartTables<float> result = model.strengths_at(temperature);
    if (urgent_first) fast_features::forbid_self_atari_of_chains(result);
    return result;
  }

  // Plays to the end, or to a limit of moves, and gives Black's area minus White's; where mercy ends it, Black's stones
  // minus White's.
  template <class Record>
  int play_out(const Go<kSize>& position, Rng& rng, Record&& record, Go<kSize>* end) const {
    Tactics tactics(position.board());
    MoveWeights<kSize> weights(tactics, tables_);
    int colour = position.to_move();
    int passes = position.passes();
    int captured = 0;
    Index last = last_stone(tactics, position);
    const Mercy mercy = mercy_in(position, mercy_share_, end);
    const int points = position.size() * position.size();
    for (int moves = 0; moves < 3 * points && passes < 2; ++moves, colour = 1 - colour) {
      last = choose(tactics, weights, colour, last, captured, rng);
      if (last == 0) {
        tactics.pass();
        ++passes;
        continue;
      }
      record(colour, tactics.board().move_of(last));
      weights.before_move(colour, last);
      captured = tactics.play(colour, last);
      if (mercy.is_decided(tactics.board().stone_difference())) return tactics.board().stone_difference();
      weights.after_move(last, captured);
      passes = 0;
    }
    if (end != nullptr) end->set_board(tactics.board());
    // Then nobody has a playable move, and so no two empty points are neighbours.
    const bool is_finished = passes >= 2 && !tables_.forbids_moves();
    return is_finished ? tactics.board().area_score_of_finished() : tactics.board().area_score();
  }

  // A point, or 0 for a pass. Weights that are not asked for are brought up to date later.
  Index choose(const Tactics& tactics, MoveWeights<kSize>& weights, int colour, Index last, int captured,
               Rng& rng) const {
    if (urgent_first_ && last != 0) {
      PointList<kSize> moves;
      find_urgent(tactics, colour, last, captured, moves);
      if (!moves.is_empty()) return moves.draw(rng);
    }
    weights.update(colour, last);
    return weights.draw(colour, rng);
  }

  WeightTables tables_;
  bool urgent_first_;
  double mercy_share_;
};

}  // namespace tesuji
