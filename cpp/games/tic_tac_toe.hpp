// Tic-tac-toe: the smallest real game. It is here because it can be solved: the search must find the draw. It also
// shows what a game must have, and nothing more; it takes the search's own uniform playout.
#pragma once

#include <array>
#include <bit>

#include "core/game.hpp"
#include "core/mix_bits.hpp"

namespace tesuji {

class TicTacToe {
 public:
  static constexpr bool kConstantSum = true;

  static constexpr int kCells = 9;

  int num_players() const { return 2; }
  int to_move() const { return std::popcount(static_cast<unsigned>(stones_[0] | stones_[1])) % 2; }
  bool is_over() const { return winner() != kDraw || (stones_[0] | stones_[1]) == kFull; }

  void legal_moves(MoveList& moves) const {
    moves.clear();
    if (is_over()) return;
    for (Move cell = 0; cell < kCells; ++cell) {
      if (is_empty(cell)) moves.push_back(cell);
    }
  }

  bool is_legal(Move move) const { return move < kCells && !is_over() && is_empty(move); }
  void play(Move move) {
    std::uint16_t& mine = stones_[static_cast<unsigned>(to_move())];
    mine = static_cast<std::uint16_t>(mine | (1u << move));
  }

  Rewards rewards() const { return two_player_rewards(winner()); }
  std::uint64_t hash() const { return (std::uint64_t{stones_[0]} << 16 | stones_[1]) * kSplitMixStep; }
  bool operator==(const TicTacToe&) const = default;

  // What stands on a cell: 0 or 1 for a player's stone, 2 for nothing.
  int cell(Move move) const { return (stones_[0] >> move) & 1 ? 0 : (stones_[1] >> move) & 1 ? 1 : 2; }

 private:
  static constexpr std::uint16_t kFull = 0x1ff;
  static constexpr std::array<std::uint16_t, 8> kLines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

  bool is_empty(Move move) const { return (((stones_[0] | stones_[1]) >> move) & 1) == 0; }

  int winner() const {
    for (const std::uint16_t line : kLines) {
      if ((stones_[0] & line) == line) return 0;
      if ((stones_[1] & line) == line) return 1;
    }
    return kDraw;
  }

  std::array<std::uint16_t, 2> stones_{};
};

static_assert(Game<TicTacToe>);

}  // namespace tesuji
