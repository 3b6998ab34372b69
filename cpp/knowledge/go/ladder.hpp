// Ladders: whether a chain in atari is captured although it runs. Read on copies of the board, which is too slow for
// playouts and cheap enough for a new node of the tree.
#pragma once

#include <array>

#include "knowledge/go/atari.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

template <int kSize>
class LadderReader {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;

  // The owner of the stone is to move, and its chain is in atari. Who gives up reading believes that it escapes.
  bool is_lost(const Tactics& tactics, Index stone) const { return is_captured(tactics, stone, kMostPositions); }

  // Whether an atari by `attacker` on `point` captures a chain with two liberties.
  bool captures(const Tactics& tactics, int attacker, Index point, Index stone) const {
    return may_capture(tactics, attacker, point, stone) &&
           is_captured_after(tactics, attacker, point, stone, kMostPositions);
  }

 private:
  static constexpr int kMostPositions = 80;

  bool is_captured(const Tactics& before, Index stone, int positions) const {
    const int colour = before.colour(stone);
    PointList<kSize> ways;
    find_rescue(before, colour, stone, ways);
    if (ways.is_empty()) return true;
    const Index liberty = before.liberties(stone).first();
    if (ways.count() > 1 || ways[0] != liberty || positions <= 0) return false;
    Tactics tactics = before;
    tactics.play(colour, liberty);
    if (tactics.liberty_count(stone) != 2) return false;
    std::array<Index, 2> ataris{};
    int count = 0;
    tactics.liberties(stone).for_each([&](Index next) {
      if (may_capture(tactics, 1 - colour, next, stone)) ataris[count++] = next;
    });
    // Two ways share what is left to read: then neither depends on which of them is read first, and so on how the
    // board lies. Most steps of a ladder have one.
    for (int i = 0; i < count; ++i) {
      if (is_captured_after(tactics, 1 - colour, ataris[i], stone, (positions - 1) / count)) return true;
    }
    return false;
  }

  // Whether an atari is possible, and the chain does not get away with its next stone. Needs no copy of the board.
  static bool may_capture(const Tactics& tactics, int attacker, Index point, Index stone) {
    if (!tactics.is_legal(attacker, point)) return false;
    if ((tactics.board().neighbour_mask(point, 1 - attacker) & tactics.mask_in_atari(point)) != 0) return true;
    auto liberties = tactics.liberties(stone);
    liberties.remove(point);
    auto after = tactics.liberties_after(1 - attacker, liberties.first());
    after.remove(point);
    return after.count_up_to(3) < 3;
  }

  bool is_captured_after(const Tactics& before, int attacker, Index point, Index stone, int positions) const {
    if (positions <= 0) return false;
    Tactics tactics = before;
    tactics.play(attacker, point);
    return !tactics.in_atari(point) && is_captured(tactics, stone, positions - 1);
  }
};

}  // namespace tesuji
