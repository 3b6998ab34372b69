// Othello on bitboards. Square = row * 8 + column with a1 = 0, the upper left corner of the usual diagram; rows go
// down. Black is player 0 and begins; who has no move must pass; the game ends when nobody has one, and more discs win.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "core/count_bits.hpp"
#include "core/cpu.hpp"
#include "core/game.hpp"
#include "core/mix_bits.hpp"

#if TESUJI_HAS_AVX2
#include <immintrin.h>
#endif

namespace tesuji {

namespace othello {

// The discs of the side to move and of the other one: a move swaps them, so that nothing ever asks for a colour.
struct Sides {
  std::uint64_t own;
  std::uint64_t opponent;
  bool operator==(const Sides&) const = default;
};

// One board for each of the steps 1 (row), 7 and 9 (diagonals) and 8 (column), in the order 1, 7, 8, 9.
struct alignas(32) FourBoards {
  std::array<std::uint64_t, 4> boards;
};

// A disc on the left or the right edge can be bracketed along its column only. Leaving it out of the other steps also
// keeps their shifts from wrapping around the edge.
inline constexpr std::uint64_t kInnerColumns = 0x7e7e7e7e7e7e7e7eu;
inline constexpr FourBoards kBracketable = {{kInnerColumns, kInnerColumns, ~std::uint64_t{0}, kInnerColumns}};

// For each square, all squares that are not on its ray to higher numbers.
inline constexpr std::array<FourBoards, 64> kOffUpwardRays = [] {
  constexpr std::array<int, 4> kRowSteps = {0, 1, 1, 1};
  constexpr std::array<int, 4> kColumnSteps = {1, -1, 0, 1};
  std::array<FourBoards, 64> table{};
  for (unsigned square = 0; square < 64; ++square) {
    for (unsigned step = 0; step < 4; ++step) {
      std::uint64_t ray = 0;
      int row = static_cast<int>(square / 8) + kRowSteps[step];
      int column = static_cast<int>(square % 8) + kColumnSteps[step];
      for (; row < 8 && column >= 0 && column < 8; row += kRowSteps[step], column += kColumnSteps[step]) {
        ray |= std::uint64_t{1} << (row * 8 + column);
      }
      table[square].boards[step] = ~ray;
    }
  }
  return table;
}();

namespace portable {
#define TESUJI_OTHELLO_AVX2 0
#include "games/othello_kernel.inc"
#undef TESUJI_OTHELLO_AVX2
}  // namespace portable

#if TESUJI_HAS_AVX2
TESUJI_AVX2_BEGIN
namespace avx2 {
#define TESUJI_OTHELLO_AVX2 1
#include "games/othello_kernel.inc"
#undef TESUJI_OTHELLO_AVX2
}  // namespace avx2
TESUJI_AVX2_END
#endif

// The kernel on a path of the caller's choice; only a path that this machine has may be chosen.
inline std::uint64_t mobility_on([[maybe_unused]] CpuPath path, const Sides& sides) {
#if TESUJI_HAS_AVX2
  if (path == CpuPath::kAvx2) return avx2::mobility(sides);
#endif
  return portable::mobility(sides);
}

inline std::uint64_t flips_on([[maybe_unused]] CpuPath path, const Sides& sides, int square) {
#if TESUJI_HAS_AVX2
  if (path == CpuPath::kAvx2) return avx2::flips(sides, square);
#endif
  return portable::flips(sides, square);
}

// Zero, and so the portable path, until it is initialised: a position made before that is slower, not wrong.
inline const CpuPath kActivePath = active_cpu_path();

}  // namespace othello

class Othello {
 public:
  static constexpr bool kConstantSum = true;

  static constexpr int kSquares = 64;
  static constexpr Move kPass = 64;

  Othello() = default;

  // The discs of the two players must not overlap. `last` is the move before, where it is known.
  static Othello from_discs(std::uint64_t black, std::uint64_t white, int to_move, Move last = kNoMove) {
    Othello position;
    position.last_ = static_cast<std::uint8_t>(last);
    position.sides_ = to_move == 0 ? othello::Sides{black, white} : othello::Sides{white, black};
    position.to_move_ = to_move;
    return position;
  }

  int num_players() const { return 2; }
  int to_move() const { return to_move_; }
  bool is_over() const { return mobility(sides_) == 0 && !opponent_can_move(); }

  void legal_moves(MoveList& moves) const {
    moves.clear();
    std::uint64_t squares = mobility(sides_);
    if (squares == 0 && opponent_can_move()) moves.push_back(kPass);
    for (; squares != 0; squares &= squares - 1) moves.push_back(static_cast<Move>(std::countr_zero(squares)));
  }

  bool is_legal(Move move) const {
    const std::uint64_t squares = mobility(sides_);
    if (move == kPass) return squares == 0 && opponent_can_move();
    return move < kSquares && ((squares >> move) & 1) != 0;
  }

  bool counts_for_rave(Move move) const { return move != kPass; }

  void play(Move move) {
    std::uint64_t placed = 0;
    std::uint64_t flipped = 0;
    if (move != kPass) {
      placed = std::uint64_t{1} << move;
      flipped = othello::flips_on(othello::kActivePath, sides_, static_cast<int>(move));
    }
    sides_ = {sides_.opponent & ~flipped, sides_.own | placed | flipped};
    to_move_ = 1 - to_move_;
    last_ = static_cast<std::uint8_t>(move);
  }

  // The move before, which may be a pass; kNoMove where it is not known. It is no part of the position: nothing that
  // can happen depends on it.
  Move last_move() const { return last_ == kUnknown ? kNoMove : last_; }

  // Without a branch on who won: nobody could predict it.
  Rewards rewards() const {
    const std::uint32_t black = othello::portable::count_of(discs(0));
    const std::uint32_t white = othello::portable::count_of(discs(1));
    const Reward first = kRewardHalf * (1 + (black > white) - (black < white));
    return {first, kRewardOne - first};
  }

  template <class Record>
  Rewards playout(Rng& rng, Record&& record) {
    return playout_on(othello::kActivePath, rng, record);
  }

  // Uniformly random legal moves to the end; a pass is not recorded.
  template <class Record>
  Rewards playout_on([[maybe_unused]] CpuPath path, Rng& rng, Record&& record) {
#if TESUJI_HAS_AVX2
    if (path == CpuPath::kAvx2) {
      othello::avx2::playout(sides_, to_move_, rng, record);
      return rewards();
    }
#endif
    othello::portable::playout(sides_, to_move_, rng, record);
    return rewards();
  }

  // discs: a player's share of the discs. mobility: a player's share of the moves, each having one more than there are.
  static std::span<const Evaluation<Othello>> evaluations() {
    static constexpr std::array<Evaluation<Othello>, 2> kEvaluations = {{
        {"discs", [](const Othello& position) { return shares(position.discs(0), position.discs(1), 0); }},
        {"mobility", [](const Othello& position) { return shares(position.moves_of(0), position.moves_of(1), 1); }},
    }};
    return kEvaluations;
  }

  std::uint64_t hash() const {
    // Both steps of a full mixer before the second board comes in: one multiplication alone leaves differences in the
    // upper rows where they are, and the other board can cancel them.
    const std::uint64_t mixed = scramble_bits(discs(0) + kSplitMixStep * static_cast<std::uint64_t>(1 + to_move_));
    return scramble_bits(mixed ^ discs(1));
  }
  bool operator==(const Othello& other) const { return sides_ == other.sides_ && to_move_ == other.to_move_; }

  std::uint64_t discs(int player) const { return player == to_move_ ? sides_.own : sides_.opponent; }

  // What stands on a square: 0 or 1 for a player's disc, 2 for nothing.
  int cell(Move square) const { return (discs(0) >> square) & 1 ? 0 : (discs(1) >> square) & 1 ? 1 : 2; }

 private:
  static constexpr std::uint64_t bit(int row, int column) { return std::uint64_t{1} << (row * 8 + column); }
  static std::uint64_t mobility(const othello::Sides& sides) {
    return othello::mobility_on(othello::kActivePath, sides);
  }
  std::uint64_t moves_of(int player) const { return mobility({discs(player), discs(1 - player)}); }
  static Rewards shares(std::uint64_t first, std::uint64_t second, int more) {
    const int own = std::popcount(first) + more;
    const Reward reward = to_reward(own / static_cast<double>(own + std::popcount(second) + more));
    return {reward, kRewardOne - reward};
  }
  bool opponent_can_move() const { return mobility({sides_.opponent, sides_.own}) != 0; }

  othello::Sides sides_ = {bit(3, 4) | bit(4, 3), bit(3, 3) | bit(4, 4)};
  int to_move_ = 0;
  static constexpr std::uint8_t kUnknown = static_cast<std::uint8_t>(kNoMove);
  std::uint8_t last_ = kUnknown;
};

static_assert(Game<Othello> && HasPlayout<Othello>);

}  // namespace tesuji
