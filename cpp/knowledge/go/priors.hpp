// What the knowledge of the playouts says of the moves of a new node, as visits that were never made: so many, with so
// many wins (Gelly and Silver 2007). With more time than a playout has, ladders are read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>

#include "games/go.hpp"
#include "knowledge/go/atari.hpp"
#include "knowledge/go/ladder.hpp"
#include "knowledge/go/low_liberties.hpp"
#include "knowledge/go/nakade.hpp"
#include "knowledge/go/patterns.hpp"
#include "knowledge/go/self_atari.hpp"
#include "knowledge/go/tactical_board.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

// How many visits each piece of knowledge is worth.
struct GoPriorVisits {
  static constexpr float kEven = 8;  // of any move, half of them won
  static constexpr float kCapture = 20;
  static constexpr float kRescue = 20;
  static constexpr float kStone = 4;  // for each stone captured or saved, up to ten
  static constexpr float kLostLadder = 20;
  static constexpr float kLadder = 20;
  static constexpr float kSelfAtari = 24;
  static constexpr float kVitalPoint = 20;
  static constexpr float kExtension = 10;
  static constexpr float kAtari = 10;
  static constexpr float kPattern = 6;
  static constexpr float kPatternNearby = 10;
  static constexpr float kNearby = 8;
  static constexpr float kLonelyEdge = 12;
};

template <int kSize>
class GoPriors final : public PriorKnowledge<Go<kSize>> {
 public:
  void judge(const Go<kSize>& position, std::span<const Move> moves, std::span<PriorVisits> priors) const override {
    const Tactics tactics(position.board());
    std::array<PriorVisits, GoBoard<kSize>::kPoints> found{};
    const int colour = position.to_move();
    judge_chains(tactics, colour, found);
    Index last = 0;
    if (position.last_move() != kNoMove && position.last_move() != position.pass()) {
      last = position.board().point_of(position.last_move());
      judge_answers(tactics, colour, last, found);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (moves[i] == position.pass()) {
        priors[i] = {kPassValue * Visits::kEven, Visits::kEven};
        continue;
      }
      const Index point = position.board().point_of(moves[i]);
      judge_point(tactics, colour, last, point, found);
      priors[i] = {found[point].wins + 0.5f * Visits::kEven, found[point].visits + Visits::kEven};
    }
  }

 private:
  static constexpr float kPassValue = 0.1f;  // while there is anything else to do

  using Visits = GoPriorVisits;
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;
  using Found = std::array<PriorVisits, GoBoard<kSize>::kPoints>;

  static void add_wins(Found& found, Index point, float visits) {
    found[point].wins += visits;
    found[point].visits += visits;
  }
  static void add_losses(Found& found, Index point, float visits) { found[point].visits += visits; }
  static void add_wins(Found& found, const PointList<kSize>& points, float visits) {
    for (int i = 0; i < points.count(); ++i) add_wins(found, points[i], visits);
  }

  static float worth_of(const Tactics& tactics, Index chain) {
    constexpr int kMostStones = 10;
    return Visits::kStone * static_cast<float>(std::min(tactics.board().chain_size(chain), kMostStones));
  }

  // All chains in atari.
  static void judge_chains(const Tactics& tactics, int colour, Found& found) {
    LadderReader<kSize> ladders;
    tactics.chains_in_atari(1 - colour).for_each([&](Index root) {
      add_wins(found, tactics.liberties(root).first(), Visits::kCapture + worth_of(tactics, root));
    });
    tactics.chains_in_atari(colour).for_each([&](Index root) {
      if (ladders.is_lost(tactics, root)) {
        add_losses(found, tactics.liberties(root).first(), Visits::kLostLadder);
        return;
      }
      PointList<kSize> moves;
      find_rescue(tactics, colour, root, moves);
      add_wins(found, moves, Visits::kRescue + worth_of(tactics, root));
    });
  }

  // Answers to the last move.
  static void judge_answers(const Tactics& tactics, int colour, Index last, Found& found) {
    PointList<kSize> moves;
    find_vital_points(tactics, colour, last, moves);
    add_wins(found, moves, Visits::kVitalPoint);
    moves.clear();
    find_extensions(tactics, colour, last, moves);
    add_wins(found, moves, Visits::kExtension);
    moves.clear();
    find_ataris(tactics, colour, last, moves);
    add_wins(found, moves, Visits::kAtari);
    LadderReader<kSize> ladders;
    for (int i = 0; i < moves.count(); ++i) {
      if (ladders.captures(tactics, colour, moves[i], last)) add_wins(found, moves[i], Visits::kLadder);
    }
  }

  static void judge_point(const Tactics& tactics, int colour, Index last, Index point, Found& found) {
    if (is_self_atari(tactics, colour, point)) {
      add_losses(found, point, Visits::kSelfAtari);
    } else if (fits_pattern(tactics, colour, point)) {
      add_wins(found, point, last != 0 && distance(last, point) <= 2 ? Visits::kPatternNearby : Visits::kPattern);
    }
    if (last != 0 && distance(last, point) <= 3) add_wins(found, point, Visits::kNearby);
    if (is_lonely_edge(tactics, point)) add_losses(found, point, Visits::kLonelyEdge);
  }

  // dx + dy + max(dx, dy): 2 for neighbours, 3 for diagonals.
  static int distance(Index a, Index b) {
    constexpr Index kStride = GoBoard<kSize>::kStride;
    const int dx = std::abs(static_cast<int>(a % kStride - b % kStride));
    const int dy = std::abs(static_cast<int>(a / kStride - b / kStride));
    return dx + dy + std::max(dx, dy);
  }

  // On the first line with nothing around it.
  static bool is_lonely_edge(const Tactics& tactics, Index point) {
    // Of the two bits for each point around, stones have the higher one clear, and of the others the border both set.
    constexpr unsigned kLow = 0x5555;
    constexpr unsigned kHigh = kLow << 1;
    const unsigned around = tactics.neighbourhood(point);
    return (around & kHigh) == kHigh && (around & kLow) != 0;
  }
};

}  // namespace tesuji
