// Playouts of Go that answer the other's last move: captures and rescues first, then the vital point of an eye, chains
// with two liberties and the shapes of the 3x3 patterns; then captures anywhere; and where there is nothing of the kind
// a random move that fills no own eye and loses no chain. (Which of them help: docs/go-playouts.md.)
#pragma once

#include <array>

#include "games/go.hpp"
#include "knowledge/go/atari.hpp"
#include "knowledge/go/mercy.hpp"
#include "knowledge/go/patterns.hpp"
#include "knowledge/go/self_atari.hpp"
#include "knowledge/go/tactical_board.hpp"
#include "knowledge/go/urgent.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

template <int kSize>
class GoPolicy {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;
  using Point = typename Tactics::Point;

  GoPolicy(const Go<kSize>& position, Rng& rng)
      : tactics_(position.board()), rng_(rng), to_move_(position.to_move()), passes_(position.passes()) {
    const Move last = position.last_move();
    if (last != kNoMove && last != position.pass()) last_ = position.board().point_of(last);
  }

  static constexpr int kMostMovesAPoint = 3;  // of the board, in a playout

  // Plays to the end, or to a limit of moves, and gives Black's area minus White's; where mercy ends it, Black's stones
  // minus White's.
  template <class Record>
  int play_out(const Mercy& mercy, Record&& record) {
    const int points = tactics_.board().size() * tactics_.board().size();
    for (int moves = 0; moves < kMostMovesAPoint * points && passes_ < 2; ++moves) {
      const Index point = choose();
      if (point == 0) {
        tactics_.pass();
        ++passes_;
      } else {
        record(to_move_, tactics_.board().move_of(point));
        captured_ = tactics_.play(to_move_, point);
        passes_ = 0;
        if (mercy.is_decided(tactics_.board().stone_difference())) return tactics_.board().stone_difference();
      }
      last_ = point;
      to_move_ = 1 - to_move_;
    }
    return tactics_.board().area_score();
  }

  const GoBoard<kSize>& board() const { return tactics_.board(); }

  // A point, or 0 for a pass. Of the first heuristic that finds something, one move at random.
  Index choose() {
    PointList<kSize> moves;
    if (last_ != 0) {
      find_urgent(tactics_, to_move_, last_, captured_, moves);
      if (moves.is_empty()) find_patterns(tactics_, to_move_, last_, moves);
      if (!moves.is_empty()) return moves.draw(rng_);
    }
    find_captures(tactics_, to_move_, moves);
    return moves.is_empty() ? draw_any() : moves.draw(rng_);
  }

 private:
  Index draw_any() {
    const auto& board = tactics_.board();
    const auto empty_count = static_cast<std::uint32_t>(board.empty_count());
    // Most draws are good ones, and a list of the points not yet drawn costs more than to draw a bad one twice.
    for (int draw = 0; draw < kQuickDraws && empty_count > 0; ++draw) {
      const Index point = board.empty(static_cast<int>(rng_.below(empty_count)));
      if (is_sensible(point)) return point;
    }
    std::array<Point, GoBoard<kSize>::kLines * GoBoard<kSize>::kLines> points;
    std::uint32_t left = 0;
    for (; left < empty_count; ++left) points[left] = static_cast<Point>(board.empty(static_cast<int>(left)));
    while (left > 0) {
      const std::uint32_t slot = rng_.below(left);
      const Index point = points[slot];
      if (is_sensible(point)) return point;
      points[slot] = points[--left];
    }
    return 0;
  }

  // A single stone may be thrown in: that takes eyes away, and a playout without it never captures some dead stones.
  bool is_sensible(Index point) const {
    if (tactics_.board().is_own_eye(to_move_, point) || !tactics_.is_legal(to_move_, point)) return false;
    return tactics_.board().neighbour_mask(point, to_move_) == 0 || !is_self_atari(tactics_, to_move_, point);
  }

  static constexpr int kQuickDraws = 4;

  Tactics tactics_;
  Rng& rng_;
  int to_move_;
  int passes_;
  Index last_ = 0;    // the other's last stone, or 0
  int captured_ = 0;  // by it
};

template <int kSize>
class GoKnowledgePlayout final : public KnowledgePlayout<Go<kSize>> {
 public:
  explicit GoKnowledgePlayout(double mercy_share = 0) : mercy_share_(mercy_share) {}

  bool knows_mercy() const override { return true; }

  Rewards play(const Go<kSize>& position, Rng& rng, std::vector<PlayedMove>* played,
               Go<kSize>* end = nullptr) const override {
    GoPolicy<kSize> policy(position, rng);
    const Mercy mercy = mercy_in(position, mercy_share_, end);
    const int score = played == nullptr ? policy.play_out(mercy, NoRecord{}) : play_recorded(policy, mercy, *played);
    if (end != nullptr) end->set_board(policy.board());
    return position.rewards_of(score);
  }

 private:
  // Into an array first: a vector asks for room at each move, which is a hundredth of a search.
  static int play_recorded(GoPolicy<kSize>& policy, const Mercy& mercy, std::vector<PlayedMove>& played) {
    constexpr int kLines = GoBoard<kSize>::kLines;
    std::array<PlayedMove, GoPolicy<kSize>::kMostMovesAPoint * kLines * kLines> moves;
    int count = 0;
    const int score = policy.play_out(mercy, [&](int player, Move move) { moves[count++] = {player, move}; });
    played.insert(played.end(), moves.begin(), moves.begin() + count);
    return score;
  }

  double mercy_share_;
};

}  // namespace tesuji
