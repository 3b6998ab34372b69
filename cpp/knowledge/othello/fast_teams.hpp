// The small layer of a model of Othello, for playouts: what a move has before anything is turned. Its square by the
// phase of the game, the corner beside it, and the distance to the last move. There are no shapes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "games/othello.hpp"
#include "knowledge/bradley_terry.hpp"
#include "knowledge/feature_set.hpp"
#include "knowledge/othello/features.hpp"

namespace tesuji {
namespace othello {

struct FastSituation {
  explicit FastSituation(const Othello& position)
      : sides{position.discs(position.to_move()), position.discs(1 - position.to_move())},
        last(position.last_move()),
        phase(phase_of(count(~(sides.own | sides.opponent)))) {}

  Sides sides;
  Move last;  // may be the pass, or kNoMove
  int phase;
};

struct FastCandidate {
  const FastSituation& situation;
  int square;
};

// The corner that a square is next to, or 0.
inline constexpr std::array<std::uint64_t, 64> kCornerBeside = [] {
  std::array<std::uint64_t, 64> corners{};
  for (const int corner : {0, 7, 56, 63}) {
    for (int square = 0; square < 64; ++square) {
      const int down = square / 8 - corner / 8;
      const int across = square % 8 - corner % 8;
      if (square != corner && down * down <= 1 && across * across <= 1) {
        corners[static_cast<unsigned>(square)] = std::uint64_t{1} << corner;
      }
    }
  }
  return corners;
}();

struct CornerBeside {
  static constexpr FeatureName kName = "the corner beside it";
  static constexpr std::array<FeatureName, 3> kLevels = {"empty", "own", "the opponent's"};
  static constexpr Part kPart = kCornerPart;
  static int level(const FastCandidate& move) {
    const std::uint64_t corner = kCornerBeside[static_cast<unsigned>(move.square)];
    if (corner == 0) return 0;
    const Sides& sides = move.situation.sides;
    return (sides.own & corner) != 0 ? 2 : (sides.opponent & corner) != 0 ? 3 : 1;
  }
};

// The distance is in another part than the place, so that a playout looks each up in a table of its own.
struct FastDistanceToLast : DistanceToLast {
  static constexpr Part kPart = kMobilityPart;
};

// All of them. A model's gammas are in this order.
using FastFeatures = FeatureSet<SquareInPhase, FastDistanceToLast, CornerBeside>;
static_assert(FastFeatures::fits());

class NoShapes {
 public:
  explicit NoShapes(std::span<const std::uint64_t> hashes) {
    if (!hashes.empty()) throw std::invalid_argument("the fast layer of Othello has no shapes");
  }
};

}  // namespace othello

// What a model of moves asks of a game (see move_model.hpp).
struct OthelloFastKnowledge {
  using Features = othello::FastFeatures;
  using Shapes = othello::NoShapes;
  using RecordedGame = Othello;
  using Fast = OthelloFastKnowledge;
  static constexpr int kShapeSizes = 0;

  static Othello start(int /*size*/) { return {}; }

  // Records leave passes out, which are forced.
  static void play_unwritten(Othello& position, Move next) {
    if (next != Othello::kPass && position.is_legal(Othello::kPass)) position.play(Othello::kPass);
  }

  // Of one position, seen by the player to move.
  class Teams {
   public:
    explicit Teams(const Othello& position) : situation_(position) {}

    bool knows(Move move) const { return move != Othello::kPass; }

    FeatureTeam team(Move move, const Shapes& /*shapes*/) const {
      if (!knows(move)) return {};
      return Features::team(othello::FastCandidate{situation_, static_cast<int>(move)});
    }

    std::uint64_t shape_hash(Move /*move*/, int /*size*/) const { return 0; }

   private:
    othello::FastSituation situation_;
  };

  static Teams teams(const Othello& position) { return Teams(position); }
};

}  // namespace tesuji
