// The moves of Havannah positions as teams of features. One model serves all sides.
#pragma once

#include <algorithm>
#include <bit>

#include "games/havannah.hpp"
#include "knowledge/bradley_terry.hpp"
#include "knowledge/havannah/fast_teams.hpp"
#include "knowledge/havannah/features.hpp"
#include "knowledge/havannah/shapes.hpp"

namespace tesuji {

// What a model of moves asks of a game (see move_model.hpp).
struct HavannahKnowledge {
  using Features = havannah::Features;
  using Shapes = havannah::KnownShapes;
  using RecordedGame = Havannah<HavannahGeometry::kMaxSide>;
  using Fast = HavannahFastKnowledge;
  static constexpr int kShapeSizes = havannah::kShapeSizes;

  static RecordedGame start(int size) { return RecordedGame(size); }
  static void play_unwritten(RecordedGame& /*position*/, Move /*next*/) {}

  // Of one position, seen by the player to move.
  template <int kMaxSide>
  class Teams {
   public:
    explicit Teams(const Havannah<kMaxSide>& position)
        : position_(position),
          geometry_(HavannahGeometry::of(position.side())),
          places_(havannah::Places::of(position.side())),
          board_(position),
          last_(point_of(position.last_move())),
          before_last_(point_of(position.move_before_last())) {}

    // Records do not say who could have swapped: nothing is known of the swap.
    bool knows(Move move) const { return move != position_.swap_move(); }

    FeatureTeam team(Move move, const Shapes& shapes) const {
      if (!knows(move)) return {};
      const havannah::Point cell = point_of(move);
      const havannah::Around around = board_.around(cell.x, cell.y);
      FeatureTeam team = Features::team(candidate(move, cell, around));
      team.set_part(havannah::kShapePart, shapes.largest(around));
      return team;
    }

    // Of each size; 0 for the swap.
    std::uint64_t shape_hash(Move move, int size) const {
      if (!knows(move)) return 0;
      const havannah::Point cell = point_of(move);
      return havannah::shape_hash(board_.around(cell.x, cell.y), size);
    }

   private:
    static constexpr havannah::Point kNowhere = {-1, -1};

    havannah::Point point_of(Move move) const {
      if (move == kNoMove) return kNowhere;
      const auto& cell = geometry_.cell(move);
      return {cell.x, cell.y};
    }

    static int distance_to(havannah::Point other, havannah::Point cell) {
      return other.x < 0 ? 0 : havannah::distance(other, cell);
    }

    havannah::Candidate candidate(Move move, havannah::Point cell, const havannah::Around& around) const {
      const unsigned border = geometry_.cell(move).border;
      const auto prospect = [&](int player, unsigned stones) {
        if (stones != 0) return position_.prospect(player, move);
        return typename Havannah<kMaxSide>::Prospect{.chains = 0, .has = border, .most_before = 0};
      };
      const auto own = prospect(position_.to_move(), around.own_near());
      const auto other = prospect(1 - position_.to_move(), around.opponent_near());
      const int last_distance = distance_to(last_, cell);
      return {.place = places_.at(move),
              .last_distance = last_distance,
              .before_last_distance = distance_to(before_last_, cell),
              .last_direction = last_distance == 1 ? havannah::direction_of(cell, last_) : 0,
              .around = around,
              .chains = own.chains,
              .other_chains = other.chains,
              .has = own.has,
              .other_has = other.has,
              .gains = std::popcount(own.has) > own.most_before,
              .other_gains = std::popcount(other.has) > other.most_before};
    }

    const Havannah<kMaxSide>& position_;
    const HavannahGeometry& geometry_;
    const havannah::Places& places_;
    havannah::ShapeBoard board_;
    havannah::Point last_;
    havannah::Point before_last_;
  };

  template <int kMaxSide>
  static Teams<kMaxSide> teams(const Havannah<kMaxSide>& position) {
    return Teams<kMaxSide>(position);
  }
};

}  // namespace tesuji
