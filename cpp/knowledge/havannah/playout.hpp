// Playouts of Havannah that keep their connections. Two stones with two empty cells between them are connected, since
// one of the two can always be had: when the other player takes one, the playout answers on the other. So is a stone
// next to two empty cells of the edge. All else is random, as in uniform playouts. (What it is worth:
// docs/havannah-playouts.md.)
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "games/havannah.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

// Where `player` must answer a stone of the other on `intruder` to keep connections: bit i is direction i of
// HavannahGeometry.
template <int kMaxSide>
unsigned broken_connections(const Havannah<kMaxSide>& position, int player, Move intruder) {
  constexpr unsigned kCircle = (1u << HavannahGeometry::kDirections) - 1;
  const unsigned own = position.stones_around(player, intruder);
  const unsigned outside = position.geometry().cell(intruder).outside;
  const unsigned empty = kCircle & ~(own | outside | position.stones_around(1 - player, intruder));
  // By turning the circle of neighbours: what stands before each of them, and what after it.
  const auto before = [](unsigned circle) { return (circle << 1 | circle >> (HavannahGeometry::kDirections - 1)); };
  const auto after = [](unsigned circle) { return (circle >> 1 | circle << (HavannahGeometry::kDirections - 1)); };
  return empty & ((before(own) & after(own | outside)) | (before(outside) & after(own)));
}

// One of these answers to the last move, or kNoMove.
template <int kMaxSide>
Move draw_answer(const Havannah<kMaxSide>& position, Rng& rng) {
  const Move last = position.last_move();
  if (last == kNoMove) return kNoMove;
  unsigned answers = broken_connections(position, position.to_move(), last);
  if (answers == 0) return kNoMove;
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(answers))); skip > 0; --skip) {
    answers &= answers - 1;
  }
  return position.geometry().neighbour(last, static_cast<unsigned>(std::countr_zero(answers)));
}

template <int kMaxSide>
class HavannahKnowledgePlayout final : public KnowledgePlayout<Havannah<kMaxSide>> {
 public:
  Rewards play(const Havannah<kMaxSide>& position, Rng& rng, std::vector<PlayedMove>* played,
               Havannah<kMaxSide>* end = nullptr) const override {
    Havannah<kMaxSide> playing = position;
    while (!playing.is_over()) {
      const Move move = choose(playing, rng);
      if (played != nullptr) played->push_back({playing.to_move(), move});
      playing.play(move);
    }
    if (end != nullptr) *end = playing;
    return playing.rewards();
  }

  static Move choose(const Havannah<kMaxSide>& position, Rng& rng) {
    if (const Move answer = draw_answer(position, rng); answer != kNoMove) return answer;
    const auto choice = rng.below(position.num_empty() + (position.can_swap() ? 1u : 0u));
    return choice < position.num_empty() ? position.empty_cell(choice) : position.swap_move();
  }
};

}  // namespace tesuji
