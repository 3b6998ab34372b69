// A move that leaves its own chain with one liberty.
#pragma once

#include <bit>

#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// Of a legal move. Who captures several stones has room there.
template <int kSize>
bool is_self_atari(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index point) {
  if (tactics.board().empty_neighbours(point) >= 2) return false;
  for (unsigned own = tactics.board().neighbour_mask(point, colour); own != 0; own &= own - 1) {
    if (tactics.liberty_count(point + tactics.kDirections[std::countr_zero(own)]) > 2) return false;
  }
  if (tactics.liberties_after(colour, point).count_up_to(2) == 2) return false;
  bool captures_several = false;
  const auto is_several = [&](auto stone) {
    return tactics.in_atari(stone) && tactics.board().next_in_chain(stone) != stone;
  };
  tactics.for_each_chain_around(point, 1 - colour, is_several, [&](auto) { captures_several = true; });
  return !captures_several;
}

}  // namespace tesuji
