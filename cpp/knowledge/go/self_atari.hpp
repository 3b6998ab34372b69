// A move that leaves its own chain with one liberty.
#pragma once

#include <bit>

#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

template <int kSize>
bool captures_several(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index point) {
  unsigned found = 0;  // no branches: what is there cannot be predicted
  for (unsigned other = tactics.board().neighbour_mask(point, 1 - colour); other != 0; other &= other - 1) {
    const auto stone = point + tactics.kDirections[std::countr_zero(other)];
    const unsigned in_atari = tactics.in_atari(stone);
    const unsigned of_several = tactics.board().next_in_chain(stone) != stone;
    found |= in_atari & of_several;
  }
  return found != 0;
}

// Of a legal move. Who captures several stones has room there.
template <int kSize>
bool is_self_atari(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index point) {
  if (tactics.board().empty_neighbours(point) >= 2) return false;
  for (unsigned own = tactics.board().neighbour_mask(point, colour); own != 0; own &= own - 1) {
    if (tactics.liberty_count(point + tactics.kDirections[std::countr_zero(own)]) > 2) return false;
  }
  return tactics.liberties_after(colour, point).template count_up_to<2>() < 2 &&
         !captures_several(tactics, colour, point);
}

}  // namespace tesuji
