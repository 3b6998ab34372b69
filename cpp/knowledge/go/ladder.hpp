// Ladders: whether a chain in atari is captured although it runs. Read on copies of the board, which is too slow for
// playouts and cheap enough for a new node of the tree.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "knowledge/go/atari.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

template <int kSize>
class LadderReader {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;

  // The owner of the stone is to move, and its chain is in atari. Who gives up reading believes that it escapes.
  bool is_lost(const Tactics& tactics, Index stone) const {
    int left = kMostPositions;
    const Outlook outlook = look(tactics, stone, left);
    if (outlook != kRuns) return outlook == kLost;
    Tactics board = tactics;
    return is_captured_running(board, stone, left);
  }

  // Whether an atari by `attacker` on `point` captures a chain with two liberties.
  bool captures(const Tactics& tactics, int attacker, Index point, Index stone) const {
    int left = kMostPositions;
    if (escapes(tactics, attacker, point, stone) >= kFree) return false;
    Tactics board = tactics;
    return is_captured_after(board, point, stone, left);
  }

 private:
  static constexpr int kMostPositions = 80;
  static constexpr int kFree = 3;  // liberties with which a chain gets away

  // A way to go on, and what it leaves the chain: how many liberties, and on which line its next stone would be.
  struct Atari {
    Index point = 0;
    std::pair<int, int> leaves;
  };

  // What a look at a chain in atari tells: nothing saves it, it gets away or nobody reads on, or all it can do is run.
  enum Outlook { kLost, kEscapes, kRuns };

  // `left` is the number of positions that may still be read.
  static Outlook look(const Tactics& tactics, Index stone, int& left) {
    PointList<kSize> ways;
    find_rescue(tactics, tactics.colour(stone), stone, ways);
    if (ways.is_empty()) return kLost;
    return ways.count() > 1 || ways[0] != tactics.liberties(stone).first() || left-- <= 0 ? kEscapes : kRuns;
  }

  // The rest plays on the board that it is given: copies of it are what reading costs.
  bool is_captured_running(Tactics& board, Index stone, int& left) const {
    board.play(board.colour(stone), board.liberties(stone).first());
    return board.liberty_count(stone) == 2 && is_captured_by_any(board, stone, left);
  }

  // The attacker is to move, and the chain has two liberties. The order in which they are tried, and what is left to
  // read for the second, must not depend on how the board lies: of two that leave the same, each has one half.
  bool is_captured_by_any(Tactics& tactics, Index stone, int& left) const {
    const int attacker = 1 - tactics.colour(stone);
    std::array<Atari, 2> ataris{};
    int count = 0;
    tactics.liberties(stone).for_each([&](Index point) {
      const int escape = escapes(tactics, attacker, point, stone);
      if (escape < kFree) ataris[count++] = {point, {escape, line(tactics, other_liberty(tactics, point, stone))}};
    });
    if (count == 2 && ataris[0].leaves == ataris[1].leaves) {
      std::array<int, 2> halves = {left / 2, left / 2};
      for (int i = 0; i < 2; ++i) {
        Tactics board = tactics;
        if (is_captured_after(board, ataris[i].point, stone, halves[i])) return true;
      }
      left = halves[0] + halves[1];
      return false;
    }
    if (count == 2 && ataris[1].leaves < ataris[0].leaves) std::swap(ataris[0], ataris[1]);
    if (count == 2) {
      Tactics board = tactics;
      if (is_captured_after(board, ataris[0].point, stone, left)) return true;
    }
    return count > 0 && is_captured_after(tactics, ataris[count - 1].point, stone, left);
  }

  bool is_captured_after(Tactics& board, Index point, Index stone, int& left) const {
    if (left-- <= 0) return false;
    board.play(1 - board.colour(stone), point);
    if (board.in_atari(point)) return false;
    const Outlook outlook = look(board, stone, left);
    return outlook == kRuns ? is_captured_running(board, stone, left) : outlook == kLost;
  }

  // How many liberties a chain of two gets when it answers an atari on `point`, up to kFree; so many as well where the
  // atari is illegal. Needs no copy of the board.
  static int escapes(const Tactics& tactics, int attacker, Index point, Index stone) {
    if (!tactics.is_legal(attacker, point)) return kFree;
    auto after = tactics.liberties_after(1 - attacker, other_liberty(tactics, point, stone));
    after.remove(point);
    const int count = after.count_up_to(kFree);
    // What the atari captures on its way may be part of what the chain would run to.
    const bool is_capture = (tactics.board().neighbour_mask(point, 1 - attacker) & tactics.mask_in_atari(point)) != 0;
    return is_capture ? std::min(count, kFree - 1) : count;
  }

  static Index other_liberty(const Tactics& tactics, Index point, Index stone) {
    auto liberties = tactics.liberties(stone);
    liberties.remove(point);
    return liberties.first();
  }

  static int line(const Tactics& tactics, Index point) {
    constexpr Index kStride = GoBoard<kSize>::kStride;
    const Index past = tactics.board().size() + 1;
    const Index row = point / kStride;
    const Index column = point % kStride;
    return static_cast<int>(std::min({row, column, past - row, past - column}));
  }
};

}  // namespace tesuji
