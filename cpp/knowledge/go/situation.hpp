// A position as the features of its moves see it: the board with its liberties, the last two moves, and ladders that
// are read once.
#pragma once

#include <array>
#include <cstdint>

#include "games/go.hpp"
#include "knowledge/go/ladder.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

template <int kSize>
class GoSituation {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;

  // The last move and the one before are points, or 0 where there is none.
  GoSituation(const Tactics& board, int to_move, Index last_point, Index point_before, bool after_pass)
      : tactics(board), colour(to_move), last(last_point), before_last(point_before), is_after_pass(after_pass) {}

  static GoSituation of(const Tactics& board, const Go<kSize>& position) {
    const auto point = [&](Move move) {
      return move == kNoMove || move == position.pass() ? Index{0} : position.board().point_of(move);
    };
    return GoSituation(board, position.to_move(), point(position.last_move()), point(position.move_before_last()),
                       position.passes() > 0);
  }

  // Whether the last stone is still there.
  bool has_last_stone() const { return last != 0 && tactics.is_stone(last); }
  bool is_last_chain(Index stone) const { return has_last_stone() && tactics.chain(stone) == tactics.chain(last); }
  // Whether the last stone is next to the chain of this one, and so took a liberty of it.
  bool is_next_to_last(Index stone) const {
    if (last == 0) return false;
    for (const int direction : tactics.kDirections) {
      if (tactics.colour(last + direction) == tactics.colour(stone) &&
          tactics.chain(last + direction) == tactics.chain(stone)) {
        return true;
      }
    }
    return false;
  }

  // Whether an own chain in atari is lost although it runs.
  bool is_lost(Index stone) {
    Answer& answer = lost_[tactics.chain(stone)];
    if (answer == kUnread) answer = ladders_.is_lost(tactics, stone) ? kYes : kNo;
    return answer == kYes;
  }

  // Whether an atari on `point` captures the other's chain, which has two liberties.
  bool captures(Index point, Index stone) { return ladders_.captures(tactics, colour, point, stone); }

  const Tactics& tactics;
  int colour;
  Index last;
  Index before_last;
  bool is_after_pass;

 private:
  enum Answer : std::uint8_t { kUnread, kNo, kYes };
  LadderReader<kSize> ladders_;
  std::array<Answer, GoBoard<kSize>::kPoints> lost_{};
};

}  // namespace tesuji
