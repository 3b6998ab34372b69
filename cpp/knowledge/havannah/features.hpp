// The features of a move in Havannah, each declared once (see feature_set.hpp). The shapes of stones, which have no
// names, are in shapes.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "games/havannah.hpp"
#include "knowledge/feature_set.hpp"
#include "knowledge/havannah/shapes.hpp"

namespace tesuji::havannah {

enum Part { kShapePart, kPlacePart, kTacticsPart, kChainsPart };

struct Point {
  int x;
  int y;
};

constexpr int distance(Point a, Point b) {
  const int dx = a.x - b.x;
  const int dy = a.y - b.y;
  return std::max({dx < 0 ? -dx : dx, dy < 0 ? -dy : dy, dx - dy < 0 ? dy - dx : dx - dy});
}

// In which of the six directions a neighbour lies.
constexpr int direction_of(Point cell, Point neighbour) {
  int direction = 0;
  while (cell.x + kDx[static_cast<unsigned>(direction)] != neighbour.x ||
         cell.y + kDy[static_cast<unsigned>(direction)] != neighbour.y) {
    ++direction;
  }
  return direction;
}

// What the features ask of a cell alone: one constant table a side.
class Places {
 public:
  struct Place {
    std::uint8_t line;    // 1 for a corner, then 2 for the first line, up to 6 for the fifth and those within
    std::uint8_t corner;  // the distance to the nearest corner, at most 4
  };

  static const Places& of(int side) {
    static const std::vector<Places> all = [] {
      std::vector<Places> tables;
      for (int i = HavannahGeometry::kMinSide; i <= HavannahGeometry::kMaxSide; ++i) tables.push_back(Places(i));
      return tables;
    }();
    return all[static_cast<std::size_t>(side - HavannahGeometry::kMinSide)];
  }

  const Place& at(Move move) const { return places_[move]; }

 private:
  explicit Places(int side) {
    const HavannahGeometry& geometry = HavannahGeometry::of(side);
    places_.resize(geometry.num_points());
    for (Move move = 0; move < geometry.num_points(); ++move) {
      if (geometry.on_board(move)) places_[move] = place_of(geometry.cell(move), side - 1);
    }
  }

  // `end` is the middle's coordinate, and the distance from there to each corner.
  static Place place_of(const HavannahGeometry::Cell& cell, int end) {
    const Point point{cell.x, cell.y};
    int corner = 4;
    for (unsigned i = 0; i < 6; ++i) {
      corner = std::min(corner, distance(point, {end + end * kDx[i], end + end * kDy[i]}));
    }
    const int line = corner == 0 ? 1 : std::min(end - distance(point, {end, end}) + 2, 6);
    return {static_cast<std::uint8_t>(line), static_cast<std::uint8_t>(corner)};
  }

  std::vector<Place> places_;
};

// A move and what several features want to know of it.
struct Candidate {
  Places::Place place;
  int last_distance;         // 0 where it is not known
  int before_last_distance;  // likewise
  int last_direction;        // of the last move, if that was next to the cell
  Around around;
  int chains;          // own ones that it touches
  int other_chains;    // the opponent's
  unsigned has;        // the corners, edges and rings of the new chain
  unsigned other_has;  // the same if the opponent played there
  bool gains;          // whether the new chain has more than each of the old ones
  bool other_gains;
};

inline constexpr std::array<FeatureName, 8> kDistances = {"1", "2", "3", "4", "5", "6", "7", "8 and more"};

struct DistanceToLast {
  static constexpr FeatureName kName = "distance to the last move";
  static constexpr auto kLevels = kDistances;
  static constexpr Part kPart = kPlacePart;
  static int level(const Candidate& move) { return std::min(move.last_distance, 8); }
};

struct DistanceToBeforeLast {
  static constexpr FeatureName kName = "distance to the move before";
  static constexpr auto kLevels = kDistances;
  static constexpr Part kPart = kPlacePart;
  static int level(const Candidate& move) { return std::min(move.before_last_distance, 8); }
};

struct Line {
  static constexpr FeatureName kName = "line";
  static constexpr std::array<FeatureName, 6> kLevels = {"corner", "1", "2", "3", "4", "5 and more"};
  static constexpr Part kPart = kPlacePart;
  static int level(const auto& move) { return move.place.line; }
};

struct DistanceToCorner {
  static constexpr FeatureName kName = "distance to a corner";
  static constexpr std::array<FeatureName, 4> kLevels = {"1", "2", "3", "4 and more"};
  static constexpr Part kPart = kPlacePart;
  static int level(const Candidate& move) { return move.place.corner; }
};

struct Wins {
  static constexpr FeatureName kName = "wins";
  static constexpr std::array<FeatureName, 1> kLevels = {"at once"};
  static constexpr Part kPart = kTacticsPart;
  static int level(const Candidate& move) { return HavannahGeometry::wins(move.has); }
};

struct StopsWin {
  static constexpr FeatureName kName = "stops a win";
  static constexpr std::array<FeatureName, 1> kLevels = {"that the opponent has there"};
  static constexpr Part kPart = kTacticsPart;
  static int level(const Candidate& move) { return HavannahGeometry::wins(move.other_has); }
};

// A bridge is two own stones with two common neighbours, both empty: if the opponent takes one, the other connects.
// Between a stone and the edge the same holds.
struct SavesBridge {
  static constexpr FeatureName kName = "answers in a bridge that the last move broke into";
  static constexpr std::array<FeatureName, 2> kLevels = {"between two stones", "between a stone and the edge"};
  static constexpr Part kPart = kTacticsPart;
  static int level(const auto& move) {
    if (move.last_distance != 1) return 0;
    const unsigned both = turn(0b100010, static_cast<unsigned>(move.last_direction));
    if ((move.around.own_near() & both) == both) return 1;
    return (move.around.own_near() & both) != 0 && (move.around.outside_near() & both) != 0 ? 2 : 0;
  }
};

struct MakesBridges {
  static constexpr FeatureName kName = "makes bridges";
  static constexpr std::array<FeatureName, 3> kLevels = {"one", "two", "three and more"};
  static constexpr Part kPart = kTacticsPart;
  static int level(const Candidate& move) {
    const unsigned empty = move.around.empty_near();
    return std::min(std::popcount(move.around.own_far() & empty & turn(empty, 5)), 3);
  }
};

struct BreaksIntoBridge {
  static constexpr FeatureName kName = "breaks into a bridge of the opponent";
  static constexpr std::array<FeatureName, 2> kLevels = {"one", "several"};
  static constexpr Part kPart = kTacticsPart;
  static int level(const Candidate& move) {
    const unsigned stones = move.around.opponent_near();
    return std::min(std::popcount(turn(stones, 1) & turn(stones, 5) & move.around.empty_near()), 2);
  }
};

// Cells inside a bridge of one's own need no stone as long as the opponent does not take the other.
struct FillsOwnBridge {
  static constexpr FeatureName kName = "fills an own bridge";
  static constexpr std::array<FeatureName, 2> kLevels = {"one", "several"};
  static constexpr Part kPart = kTacticsPart;
  static int level(const Candidate& move) {
    const unsigned stones = move.around.own_near();
    return std::min(std::popcount(turn(stones, 1) & turn(stones, 5) & move.around.empty_near()), 2);
  }
};

inline constexpr std::array<FeatureName, 3> kNumbers = {"one", "two", "three"};

struct Joins {
  static constexpr FeatureName kName = "own chains that it touches";
  static constexpr auto kLevels = kNumbers;
  static constexpr Part kPart = kChainsPart;
  static int level(const Candidate& move) { return move.chains; }
};

struct Cuts {
  static constexpr FeatureName kName = "opposing chains that it touches";
  static constexpr auto kLevels = kNumbers;
  static constexpr Part kPart = kChainsPart;
  static int level(const Candidate& move) { return move.other_chains; }
};

// What a chain has: an edge, two, a corner, a corner with an edge, or with two; 0 for nothing. What wins is not here.
inline int wealth(unsigned has) {
  if (HavannahGeometry::wins(has)) return 0;
  const int edges = std::popcount(has >> HavannahGeometry::kEdgeShift);
  return (has & HavannahGeometry::kCornerMask) != 0 ? 3 + edges : edges;
}

inline constexpr std::array<FeatureName, 10> kWealth = {"an edge, as before",
                                                        "two edges, as before",
                                                        "a corner, as before",
                                                        "a corner and an edge, as before",
                                                        "a corner and two edges, as before",
                                                        "an edge, new",
                                                        "two edges, new",
                                                        "a corner, new",
                                                        "a corner and an edge, new",
                                                        "a corner and two edges, new"};

inline int wealth_level(unsigned has, bool gains) {
  const int level = wealth(has);
  return level != 0 && gains ? level + 5 : level;
}

struct ChainHas {
  static constexpr FeatureName kName = "its chain has";
  static constexpr auto kLevels = kWealth;
  static constexpr Part kPart = kChainsPart;
  static int level(const Candidate& move) { return wealth_level(move.has, move.gains); }
};

struct OtherChainWouldHave {
  static constexpr FeatureName kName = "a chain of the opponent would have";
  static constexpr auto kLevels = kWealth;
  static constexpr Part kPart = kChainsPart;
  static int level(const Candidate& move) { return wealth_level(move.other_has, move.other_gains); }
};

// All of them. A model's gammas are in this order.
using Features = FeatureSet<DistanceToLast, DistanceToBeforeLast, Line, DistanceToCorner, Wins, StopsWin, SavesBridge,
                            MakesBridges, BreaksIntoBridge, FillsOwnBridge, Joins, Cuts, ChainHas, OtherChainWouldHave>;
static_assert(Features::fits());

}  // namespace tesuji::havannah
