// Playouts of Go that answer the other's last move: in the order of urgency captures and rescues, shapes of the 3x3
// patterns next to it, captures anywhere; and where there is nothing of the kind a random move that fills no own eye
// and gives nothing away.
#pragma once

#include <array>

#include "games/go.hpp"
#include "knowledge/go/atari.hpp"
#include "knowledge/go/low_liberties.hpp"
#include "knowledge/go/nakade.hpp"
#include "knowledge/go/patterns.hpp"
#include "knowledge/go/self_atari.hpp"
#include "knowledge/go/tactical_board.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

struct GoPolicyOptions {
  int global_captures = 1;
  int self_atari_keep = 0;  // of 256
  int self_atari_size = 2;
  int two_liberties = 0;
  int second_last = 0;
  int mercy = 0;
  int nakade = 0;
  int variant = 0;
};

template <int kSize>
class GoPolicy {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;
  using Point = typename Tactics::Point;

  GoPolicy(const Go<kSize>& position, Rng& rng, const GoPolicyOptions& options)
      : tactics_(position.board()),
        rng_(rng),
        options_(options),
        to_move_(position.to_move()),
        passes_(position.passes()) {
    const Move last = position.last_move();
    if (last != kNoMove && last != position.pass()) last_ = position.board().point_of(last);
  }

  // Plays to the end, or to a limit of moves, and gives Black's area minus White's.
  template <class Record>
  int play_out(Record&& record) {
    const int points = tactics_.board().size() * tactics_.board().size();
    const int mercy = options_.mercy == 0 ? 10000 : points * options_.mercy / 100;
    for (int moves = 0; moves < 3 * points && passes_ < 2; ++moves) {
      const Index point = choose();
      if (point == 0) {
        tactics_.pass();
        ++passes_;
      } else {
        tactics_.play(to_move_, point);
        record(to_move_, tactics_.board().move_of(point));
        passes_ = 0;
        const int d = tactics_.board().stone_difference();
        if (d > mercy || d < -mercy) return d;
      }
      before_last_ = last_;
      last_ = point;
      to_move_ = 1 - to_move_;
    }
    return tactics_.board().area_score();
  }

  // A point, or 0 for a pass.
  Index choose() {
    PointList<kSize> moves;
    if (last_ != 0) {
      find_capture_of_last(tactics_, to_move_, last_, moves);
      find_rescues(tactics_, to_move_, last_, moves);
      if (!moves.is_empty()) return moves.draw(rng_);
      if (options_.nakade) {
        find_vital_points(tactics_, to_move_, last_, moves);
        if (!moves.is_empty()) return moves.draw(rng_);
      }
      if (options_.two_liberties & 1) find_extensions(tactics_, to_move_, last_, moves);
      if (options_.two_liberties & 2) find_ataris(tactics_, to_move_, last_, moves);
      if (!moves.is_empty()) return moves.draw(rng_);
      find_patterns(last_, moves);
      if (options_.second_last == 1 && before_last_ != 0) find_patterns(before_last_, moves);
      if (options_.second_last == 2 && moves.is_empty() && before_last_ != 0) find_patterns(before_last_, moves);
      if (!moves.is_empty()) return moves.draw(rng_);
    }
    if (options_.global_captures) {
      find_captures(tactics_, to_move_, moves);
      if (!moves.is_empty()) return moves.draw(rng_);
    }
    return draw_any();
  }

 private:
  void find_patterns(Index centre, PointList<kSize>& moves) const {
    constexpr int kStride = GoBoard<kSize>::kStride;
    constexpr std::array<int, 8> kAround = {-kStride - 1, -kStride, -kStride + 1, -1, 1,
                                            kStride - 1,  kStride,  kStride + 1};
    // In two steps: what fits cannot be predicted, and is little.
    unsigned fitting = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const Index point = centre + kAround[i];
      const bool fits = fits_pattern(tactics_, to_move_, point);
      fitting |= static_cast<unsigned>(fits & (tactics_.colour(point) == Tactics::kEmpty)) << i;
    }
    for (; fitting != 0; fitting &= fitting - 1) {
      const Index point = centre + kAround[std::countr_zero(fitting)];
      if (tactics_.is_legal(to_move_, point) && !is_self_atari(tactics_, to_move_, point)) moves.add(point);
    }
  }

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

  bool is_sensible(Index point) {
    if (tactics_.board().is_own_eye(to_move_, point) || !tactics_.is_legal(to_move_, point)) return false;
    return !is_self_atari(tactics_, to_move_, point) ||
           chain_size_after(tactics_, to_move_, point) < options_.self_atari_size ||
           (options_.self_atari_keep > 0 && static_cast<int>(rng_.below(256)) < options_.self_atari_keep);
  }

  static constexpr int kQuickDraws = 4;

  Tactics tactics_;
  Rng& rng_;
  GoPolicyOptions options_;
  int to_move_;
  int passes_;
  Index last_ = 0;
  Index before_last_ = 0;
};

template <int kSize>
class GoKnowledgePlayout final : public KnowledgePlayout<Go<kSize>> {
 public:
  explicit GoKnowledgePlayout(const GoPolicyOptions& options = {}) : options_(options) {}

  Rewards play(const Go<kSize>& position, Rng& rng, std::vector<PlayedMove>* played) const override {
    GoPolicy<kSize> policy(position, rng, options_);
    if (played == nullptr) return position.rewards_of(policy.play_out(NoRecord{}));
    return position.rewards_of(policy.play_out([played](int player, Move move) { played->push_back({player, move}); }));
  }

 private:
  GoPolicyOptions options_;
};

}  // namespace tesuji
