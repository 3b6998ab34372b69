// The moves of Othello positions as teams of features.
#pragma once

#include "games/othello.hpp"
#include "knowledge/bradley_terry.hpp"
#include "knowledge/othello/fast_teams.hpp"
#include "knowledge/othello/features.hpp"
#include "knowledge/othello/shapes.hpp"

namespace tesuji {

// What a model of moves asks of a game (see move_model.hpp).
struct OthelloKnowledge {
  using Features = othello::Features;
  using Shapes = othello::KnownShapes;
  using RecordedGame = Othello;
  using Fast = OthelloFastKnowledge;
  static constexpr int kShapeSizes = othello::kShapeSizes;

  static Othello start(int /*size*/) { return {}; }

  // Records leave passes out, which are forced.
  static void play_unwritten(Othello& position, Move next) {
    if (next != Othello::kPass && position.is_legal(Othello::kPass)) position.play(Othello::kPass);
  }

  // Of one position, seen by the player to move.
  class Teams {
   public:
    explicit Teams(const Othello& position) : situation_(position), boards_(situation_.sides) {}

    // A pass is the only move where it is legal: there is nothing to know of it.
    bool knows(Move move) const { return move != Othello::kPass; }

    FeatureTeam team(Move move, const Shapes& shapes) const {
      if (!knows(move)) return {};
      const int square = static_cast<int>(move);
      FeatureTeam team = Features::team(othello::Candidate(situation_, square));
      team.set_part(othello::kShapePart, shapes.largest(boards_, square));
      return team;
    }

    // Of each size; 0 for a pass.
    std::uint64_t shape_hash(Move move, int size) const {
      return knows(move) ? boards_.hash(static_cast<int>(move), size) : 0;
    }

   private:
    othello::Situation situation_;
    othello::ShapeBoards boards_;
  };

  static Teams teams(const Othello& position) { return Teams(position); }
};

}  // namespace tesuji
