// Who owns which point when a position is played out at random: a judge of dead stones after two passes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/playout.hpp"
#include "games/go.hpp"

namespace tesuji {

// By player and point: in how many of `playouts` uniform playouts the point ended as a stone of the player or as an
// empty point that only the player's stones touch. Passes before do not count, and the players begin by turns, the one
// to move first: after two passes it is nobody's turn.
template <int kSize>
std::array<std::vector<std::uint32_t>, 2> count_ownership(const Go<kSize>& position, std::uint32_t playouts,
                                                          std::uint64_t seed) {
  using Board = typename Go<kSize>::Board;
  const Board start = position.board().rebuilt();
  const auto points = static_cast<Move>(position.size() * position.size());
  std::array<std::vector<std::uint32_t>, 2> counts{std::vector<std::uint32_t>(points),
                                                   std::vector<std::uint32_t>(points)};
  Rng rng(seed);
  NoRecord record;
  for (std::uint32_t i = 0; i < playouts; ++i) {
    Board board = start;
    const int first = (position.to_move() + static_cast<int>(i % 2)) % 2;
    board.playout(rng, first, 0, record);
    for (Move move = 0; move < points; ++move) {
      const auto point = board.point_of(move);
      const int colour = board.colour(point);
      for (const int player : {0, 1}) {
        const bool is_stone = colour == player;
        const bool is_eye = colour == Board::kEmpty && board.empty_neighbours(point) == 0 &&
                            board.neighbour_mask(point, 1 - player) == 0;
        counts[static_cast<std::size_t>(player)][move] += is_stone || is_eye;
      }
    }
  }
  return counts;
}

}  // namespace tesuji
