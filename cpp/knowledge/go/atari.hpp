// Chains with one liberty: to capture the other's, and to save one's own.
#pragma once

#include "knowledge/go/self_atari.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// Captures the chain of the other's last stone.
template <int kSize>
void find_capture_of_last(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index last,
                          PointList<kSize>& moves) {
  if (!tactics.in_atari(last)) return;
  const auto liberty = tactics.liberties(last).first();
  if (tactics.is_legal(colour, liberty)) moves.add(liberty);
}

// Saves an own chain in atari: by the capture of a chain next to it, or by a stone on its liberty that gets it at least
// two.
template <int kSize>
void find_rescue(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index stone,
                 PointList<kSize>& moves) {
  using Index = typename TacticalBoard<kSize>::Index;
  if (!tactics.chains_in_atari(1 - colour).is_empty()) {
    tactics.for_each_stone(stone, [&](Index own) {
      for (const int direction : tactics.kDirections) {
        const Index other = own + direction;
        if (tactics.colour(other) != 1 - colour || !tactics.in_atari(other)) continue;
        const Index liberty = tactics.liberties(other).first();
        if (tactics.is_legal(colour, liberty)) moves.add(liberty);
      }
    });
  }
  const Index liberty = tactics.liberties(stone).first();
  if (tactics.is_legal(colour, liberty) && !is_self_atari(tactics, colour, liberty)) moves.add(liberty);
}

// Saves the own chains that the other's last stone has put into atari.
template <int kSize>
void find_rescues(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index last,
                  PointList<kSize>& moves) {
  tactics.for_each_chain_around(
      last, colour, [&](auto stone) { return tactics.in_atari(stone); },
      [&](auto stone) { find_rescue(tactics, colour, stone, moves); });
}

// Captures whatever is in atari, anywhere.
template <int kSize>
void find_captures(const TacticalBoard<kSize>& tactics, int colour, PointList<kSize>& moves) {
  tactics.chains_in_atari(1 - colour).for_each([&](auto root) {
    const auto liberty = tactics.liberties(root).first();
    if (tactics.is_legal(colour, liberty)) moves.add(liberty);
  });
}

}  // namespace tesuji
