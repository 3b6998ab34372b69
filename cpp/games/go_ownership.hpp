// Who owns which point when a position is played out with some care: a judge of dead stones and of seki.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/go.hpp"
#include "games/go_careful_playout.hpp"

namespace tesuji {

// By player and point: in how many of `playouts` the point ended as a stone of the player or in an empty region that
// only the player's stones touch. A point between both players, as in a seki, is nobody's. Passes before do not count,
// and the players begin by turns, the one to move first: after two passes it is nobody's turn.
template <int kSize>
std::array<std::vector<std::uint32_t>, 2> count_ownership(const Go<kSize>& position, std::uint32_t playouts,
                                                          std::uint64_t seed) {
  using Board = typename Go<kSize>::Board;
  const Board start = position.board().rebuilt();
  const auto points = static_cast<Move>(position.size() * position.size());
  std::array<std::vector<std::uint32_t>, 2> counts{std::vector<std::uint32_t>(points),
                                                   std::vector<std::uint32_t>(points)};
  Rng rng(seed);
  for (std::uint32_t i = 0; i < playouts; ++i) {
    Board board = start;
    CarefulPlayout<kSize>(board, rng).run((position.to_move() + static_cast<int>(i % 2)) % 2);
    for (Move move = 0; move < points; ++move) {
      const int colour = board.colour(board.point_of(move));
      if (colour != Board::kEmpty) ++counts[static_cast<std::size_t>(colour)][move];
    }
    board.for_each_region([&](const auto* first, const auto* last, unsigned touched) {
      if (touched != 1u << Board::kBlack && touched != 1u << Board::kWhite) return;
      auto& owner = counts[touched == 1u << Board::kBlack ? Board::kBlack : Board::kWhite];
      for (; first != last; ++first) ++owner[board.move_of(*first)];
    });
  }
  return counts;
}

}  // namespace tesuji
