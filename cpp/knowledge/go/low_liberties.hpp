// Chains with two liberties next to the last move: one's own gets a third, the other's is put into atari.
#pragma once

#include "knowledge/go/self_atari.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// How far the players count liberties here: beyond it a chain is not in danger.
inline constexpr int kSafeLiberties = 3;

template <int kSize>
bool gains_liberties(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index point) {
  if (tactics.board().empty_neighbours(point) >= kSafeLiberties) return true;
  return tactics.is_legal(colour, point) &&
         tactics.liberties_after(colour, point).count_up_to(kSafeLiberties) == kSafeLiberties;
}

// A stone on a liberty of an own chain that has two, so that it has more.
template <int kSize>
void find_extensions(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index last,
                     PointList<kSize>& moves) {
  tactics.for_each_chain_around(
      last, colour, [&](auto stone) { return tactics.liberty_count(stone) == 2; },
      [&](auto stone) {
        tactics.liberties(stone).for_each([&](auto liberty) {
          if (gains_liberties(tactics, colour, liberty)) moves.add(liberty);
        });
      });
}

// An atari on the chain of the last stone, from the side on which it is left with less to run to; none where it gets
// away on either.
template <int kSize>
void find_ataris(const TacticalBoard<kSize>& tactics, int colour, typename TacticalBoard<kSize>::Index last,
                 PointList<kSize>& moves) {
  using Index = typename TacticalBoard<kSize>::Index;
  if (tactics.liberty_count(last) != 2) return;
  std::array<Index, 2> liberties{};
  int count = 0;
  tactics.liberties(last).for_each([&](Index liberty) { liberties[count++] = liberty; });
  std::array<int, 2> escapes{};
  for (int i = 0; i < 2; ++i) {
    auto after = tactics.liberties_after(1 - colour, liberties[1 - i]);
    after.remove(liberties[i]);
    const bool is_possible = tactics.is_legal(colour, liberties[i]) && !is_self_atari(tactics, colour, liberties[i]);
    escapes[i] = is_possible ? after.count_up_to(kSafeLiberties) : kSafeLiberties;
  }
  for (int i = 0; i < 2; ++i) {
    if (escapes[i] < kSafeLiberties && escapes[i] <= escapes[1 - i]) moves.add(liberties[i]);
  }
}

}  // namespace tesuji
