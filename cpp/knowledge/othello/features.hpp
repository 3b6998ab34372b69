// The features of a move in Othello, each declared once (see feature_set.hpp). The shapes of discs, which have no
// names, are in shapes.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "games/othello.hpp"
#include "knowledge/feature_set.hpp"
#include "knowledge/othello/shapes.hpp"

namespace tesuji::othello {

enum Part { kShapePart, kPlacePart, kMobilityPart, kCornerPart };

inline constexpr std::uint64_t kCorners = 0x8100000000000081u;

inline std::uint64_t mobility_of(const Sides& sides) { return mobility_on(kActivePath, sides); }
inline int count(std::uint64_t board) { return static_cast<int>(portable::count_of(board)); }

// The squares next to some squares.
inline std::uint64_t beside(std::uint64_t board) {
  const std::uint64_t row = board | (board << 1 & ~0x0101010101010101u) | (board >> 1 & ~0x8080808080808080u);
  return (row | row << 8 | row >> 8) & ~board;
}

// The phase of the game by the empty squares: opening, middle, end.
constexpr int phase_of(int empty_squares) { return empty_squares > 38 ? 0 : empty_squares > 18 ? 1 : 2; }

// What the moves of a position have in common.
struct Situation {
  explicit Situation(const Othello& position)
      : sides{position.discs(position.to_move()), position.discs(1 - position.to_move())},
        empty(~(sides.own | sides.opponent)),
        last(position.last_move()),
        opponent_moves(mobility_of({sides.opponent, sides.own})),
        own_moves(mobility_of(sides)),
        phase(phase_of(count(empty))) {}

  Sides sides;
  std::uint64_t empty;
  Move last;                     // may be the pass, or kNoMove
  std::uint64_t opponent_moves;  // if it were the opponent's turn
  std::uint64_t own_moves;
  int phase;
};

// A move and what it leads to.
struct Candidate {
  Candidate(const Situation& around, int where)
      : situation(around),
        square(where),
        turned(flips_on(kActivePath, around.sides, where)),
        after{around.sides.opponent & ~turned, around.sides.own | turned | std::uint64_t{1} << where},
        opponent_moves(mobility_of(after)),
        own_moves(mobility_of({after.opponent, after.own})) {}

  const Situation& situation;
  int square;
  std::uint64_t turned;
  Sides after;  // seen by the opponent, who is to move then
  std::uint64_t opponent_moves;
  std::uint64_t own_moves;  // if the opponent did nothing
};

// Squares that the symmetries change into each other are one.
struct SquareInPhase {
  static constexpr FeatureName kName = "square";
  static constexpr std::array<FeatureName, 30> kLevels = {
      "a1, opening", "b1, opening", "c1, opening", "d1, opening", "b2, opening", "c2, opening",
      "d2, opening", "c3, opening", "d3, opening", "d4, opening", "a1, middle",  "b1, middle",
      "c1, middle",  "d1, middle",  "b2, middle",  "c2, middle",  "d2, middle",  "c3, middle",
      "d3, middle",  "d4, middle",  "a1, end",     "b1, end",     "c1, end",     "d1, end",
      "b2, end",     "c2, end",     "d2, end",     "c3, end",     "d3, end",     "d4, end"};
  static constexpr Part kPart = kPlacePart;
  static int level(const auto& move) {
    return 1 + 10 * move.situation.phase + kPlaces[static_cast<unsigned>(move.square)].kind;
  }
};

struct DistanceToLast {
  static constexpr FeatureName kName = "distance to the last move";
  static constexpr std::array<FeatureName, 5> kLevels = {"1", "2", "3", "4", "5 and more"};
  static constexpr Part kPart = kPlacePart;
  static int level(const auto& move) {
    if (move.situation.last >= Othello::kSquares) return 0;
    const int last = static_cast<int>(move.situation.last);
    return std::min(std::max(std::abs(last / 8 - move.square / 8), std::abs(last % 8 - move.square % 8)), 5);
  }
};

// Who plays last in a region has the last word there. Quarters of the board stand for the regions.
struct Parity {
  static constexpr FeatureName kName = "empty squares in its quarter, at the end";
  static constexpr std::array<FeatureName, 3> kLevels = {"one", "an even number", "an odd number"};
  static constexpr Part kPart = kPlacePart;
  static int level(const Candidate& move) {
    if (move.situation.phase < 2) return 0;
    constexpr std::uint64_t kQuarter = 0x0f0f0f0f;
    const int shift = (move.square / 32) * 32 + (move.square % 8 / 4) * 4;
    const int left = count(move.situation.empty & kQuarter << shift);
    return left == 1 ? 1 : left % 2 == 0 ? 2 : 3;
  }
};

struct TurnsLast {
  static constexpr FeatureName kName = "turns the disc that was just placed";
  static constexpr std::array<FeatureName, 1> kLevels = {"yes"};
  static constexpr Part kPart = kPlacePart;
  static int level(const Candidate& move) {
    return move.situation.last < Othello::kSquares && (move.turned >> move.situation.last & 1) != 0;
  }
};

struct OpponentMobility {
  static constexpr FeatureName kName = "moves of the opponent after it";
  static constexpr std::array<FeatureName, 42> kLevels = {
      "0, opening", "1, opening", "2, opening", "3, opening",  "4, opening",  "5, opening",  "6, opening",
      "7, opening", "8, opening", "9, opening", "10, opening", "11, opening", "12, opening", "13+, opening",
      "0, middle",  "1, middle",  "2, middle",  "3, middle",   "4, middle",   "5, middle",   "6, middle",
      "7, middle",  "8, middle",  "9, middle",  "10, middle",  "11, middle",  "12, middle",  "13+, middle",
      "0, end",     "1, end",     "2, end",     "3, end",      "4, end",      "5, end",      "6, end",
      "7, end",     "8, end",     "9, end",     "10, end",     "11, end",     "12, end",     "13+, end"};
  static constexpr Part kPart = kMobilityPart;
  static int level(const Candidate& move) {
    return 1 + 14 * move.situation.phase + std::min(count(move.opponent_moves), 13);
  }
};

struct OwnMobility {
  static constexpr FeatureName kName = "own moves after it";
  static constexpr std::array<FeatureName, 9> kLevels = {"0 or 1",   "2 or 3",   "4 or 5",   "6 or 7",     "8 or 9",
                                                         "10 or 11", "12 or 13", "14 or 15", "16 and more"};
  static constexpr Part kPart = kMobilityPart;
  static int level(const Candidate& move) { return 1 + std::min(count(move.own_moves) / 2, 8); }
};

// Empty squares beside the discs that were turned: where the opponent may find moves later.
struct Frontier {
  static constexpr FeatureName kName = "empty squares beside the discs turned";
  static constexpr std::array<FeatureName, 8> kLevels = {"0", "1", "2", "3", "4", "5 or 6", "7 or 8", "9 and more"};
  static constexpr Part kPart = kMobilityPart;
  static int level(const Candidate& move) {
    const int open = count(beside(move.turned) & move.situation.empty & ~(std::uint64_t{1} << move.square));
    return open < 5 ? 1 + open : open < 7 ? 6 : open < 9 ? 7 : 8;
  }
};

struct DiscsTurned {
  static constexpr FeatureName kName = "discs turned";
  static constexpr std::array<FeatureName, 24> kLevels = {
      "1, opening",      "2, opening",     "3, opening",     "4, opening",  "5, opening",  "6 or 7, opening",
      "8 or 9, opening", "10+, opening",   "1, middle",      "2, middle",   "3, middle",   "4, middle",
      "5, middle",       "6 or 7, middle", "8 or 9, middle", "10+, middle", "1, end",      "2, end",
      "3, end",          "4, end",         "5, end",         "6 or 7, end", "8 or 9, end", "10+, end"};
  static constexpr Part kPart = kCornerPart;
  static int level(const Candidate& move) {
    const int discs = count(move.turned);
    return 8 * move.situation.phase + (discs < 6 ? discs : discs < 8 ? 6 : discs < 10 ? 7 : 8);
  }
};

struct CornerGiven {
  static constexpr FeatureName kName = "the opponent and the corners";
  static constexpr std::array<FeatureName, 4> kLevels = {"can take one more", "can take one, as before",
                                                         "can take one less, but another", "can take none any more"};
  static constexpr Part kPart = kCornerPart;
  static int level(const Candidate& move) {
    const std::uint64_t before = move.situation.opponent_moves & kCorners;
    const std::uint64_t after = move.opponent_moves & kCorners;
    if ((after & ~before) != 0) return 1;
    if (after == before) return after != 0 ? 2 : 0;
    return after != 0 ? 3 : 4;
  }
};

struct CornerPrepared {
  static constexpr FeatureName kName = "own corners";
  static constexpr std::array<FeatureName, 3> kLevels = {"one can be taken next", "one is left for later",
                                                         "one cannot be taken any more"};
  static constexpr Part kPart = kCornerPart;
  static int level(const Candidate& move) {
    const std::uint64_t before = move.situation.own_moves & kCorners & ~(std::uint64_t{1} << move.square);
    const std::uint64_t after = move.own_moves & kCorners;
    if ((before & ~after) != 0) return 3;
    if ((after & ~before) != 0) return 1;
    return before != 0 ? 2 : 0;
  }
};

// Whether the opponent could have had the square: who takes it also takes it away.
struct OpponentCouldToo {
  static constexpr FeatureName kName = "the opponent could play there, too";
  static constexpr std::array<FeatureName, 3> kLevels = {"opening", "middle", "end"};
  static constexpr Part kPart = kCornerPart;
  static int level(const Candidate& move) {
    return (move.situation.opponent_moves >> move.square & 1) != 0 ? 1 + move.situation.phase : 0;
  }
};

// All of them. A model's gammas are in this order.
using Features = FeatureSet<SquareInPhase, DistanceToLast, Parity, TurnsLast, OpponentMobility, OwnMobility, Frontier,
                            DiscsTurned, CornerGiven, CornerPrepared, OpponentCouldToo>;
static_assert(Features::fits());

}  // namespace tesuji::othello
