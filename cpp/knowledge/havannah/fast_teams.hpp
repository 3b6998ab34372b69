// The small layer of a model of Havannah, for playouts: what can be kept up to date move by move. The stones next to a
// cell and its line, whether it is next to the last move, and whether it answers there.
#pragma once

#include <array>
#include <cstdint>

#include "games/havannah.hpp"
#include "knowledge/bradley_terry.hpp"
#include "knowledge/feature_set.hpp"
#include "knowledge/havannah/features.hpp"
#include "knowledge/havannah/shapes.hpp"

namespace tesuji {
namespace havannah {

struct FastCandidate {
  Places::Place place;
  int last_distance;   // 1, or anything else
  int last_direction;  // of the last move, if that was next to the cell
  Around around;
};

struct NextToLast {
  static constexpr FeatureName kName = "next to the last move";
  static constexpr std::array<FeatureName, 1> kLevels = {"yes"};
  static constexpr Part kPart = kTacticsPart;
  static int level(const FastCandidate& move) { return move.last_distance == 1; }
};

struct KeepsConnection {
  static constexpr FeatureName kName = "keeps a connection that the last move broke into";
  static constexpr std::array<FeatureName, 1> kLevels = {"yes"};
  static constexpr Part kPart = kTacticsPart;
  static int level(const FastCandidate& move) { return SavesBridge::level(move) != 0; }
};

// All of them. A model's gammas are in this order.
using FastFeatures = FeatureSet<Line, NextToLast, KeepsConnection>;
static_assert(FastFeatures::fits());

// Only the small ones are learned.
class FastShapes : public KnownShapes {
 public:
  using KnownShapes::KnownShapes;
};

}  // namespace havannah

// What a model of moves asks of a game (see move_model.hpp).
struct HavannahFastKnowledge {
  using Features = havannah::FastFeatures;
  using Shapes = havannah::FastShapes;
  using RecordedGame = Havannah<HavannahGeometry::kMaxSide>;
  using Fast = HavannahFastKnowledge;
  static constexpr int kShapeSizes = 1;

  static RecordedGame start(int size) { return RecordedGame(size); }
  static void play_unwritten(RecordedGame& /*position*/, Move /*next*/) {}

  // Of one position, seen by the player to move.
  template <int kMaxSide>
  class Teams {
   public:
    explicit Teams(const Havannah<kMaxSide>& position) : position_(position), board_(position) {}

    bool knows(Move move) const { return move != position_.swap_move(); }

    FeatureTeam team(Move move, const Shapes& shapes) const {
      if (!knows(move)) return {};
      const havannah::Around around = around_of(move);
      const Move last = position_.last_move();
      const int distance = last == kNoMove ? 0 : havannah::distance(point_of(last), point_of(move));
      FeatureTeam team = Features::team(havannah::FastCandidate{
          .place = havannah::Places::of(position_.side()).at(move),
          .last_distance = distance,
          .last_direction = distance == 1 ? havannah::direction_of(point_of(move), point_of(last)) : 0,
          .around = around});
      team.set_part(havannah::kShapePart, shapes.small(around.near_key()));
      return team;
    }

    std::uint64_t shape_hash(Move move, int size) const {
      return knows(move) ? havannah::shape_hash(around_of(move), size) : 0;
    }

   private:
    havannah::Point point_of(Move move) const {
      const auto& cell = position_.geometry().cell(move);
      return {cell.x, cell.y};
    }
    havannah::Around around_of(Move move) const {
      const havannah::Point cell = point_of(move);
      return board_.around(cell.x, cell.y);
    }

    const Havannah<kMaxSide>& position_;
    havannah::ShapeBoard board_;
  };

  template <int kMaxSide>
  static Teams<kMaxSide> teams(const Havannah<kMaxSide>& position) {
    return Teams<kMaxSide>(position);
  }
};

}  // namespace tesuji
