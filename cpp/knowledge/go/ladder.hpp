// Ladders: whether a chain in atari is captured although it runs. Read on copies of the board, which is too slow for
// playouts and cheap enough for a new node of the tree.
#pragma once

#include "knowledge/go/atari.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

template <int kSize>
class LadderReader {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;

  // The owner of the stone is to move, and its chain is in atari. Who gives up reading believes that it escapes.
  bool is_lost(const Tactics& tactics, Index stone) {
    left_ = kMostPositions;
    return is_captured(tactics, stone);
  }

  // Whether an atari by `attacker` on `point` captures a chain with two liberties.
  bool captures(const Tactics& tactics, int attacker, Index point, Index stone) {
    left_ = kMostPositions;
    return is_captured_after(tactics, attacker, point, stone);
  }

 private:
  static constexpr int kMostPositions = 80;

  bool is_captured(const Tactics& before, Index stone) {
    const int colour = before.colour(stone);
    PointList<kSize> ways;
    find_rescue(before, colour, stone, ways);
    if (ways.is_empty()) return true;
    const Index liberty = before.liberties(stone).first();
    if (ways.count() > 1 || ways[0] != liberty || left_-- <= 0) return false;
    Tactics tactics = before;
    tactics.play(colour, liberty);
    if (tactics.liberty_count(stone) != 2) return false;
    bool captured = false;
    tactics.liberties(stone).for_each(
        [&](Index next) { captured = captured || is_captured_after(tactics, 1 - colour, next, stone); });
    return captured;
  }

  bool is_captured_after(const Tactics& before, int attacker, Index point, Index stone) {
    if (!before.is_legal(attacker, point) || left_-- <= 0) return false;
    Tactics tactics = before;
    tactics.play(attacker, point);
    return !tactics.in_atari(point) && is_captured(tactics, stone);
  }

  int left_ = 0;
};

}  // namespace tesuji
