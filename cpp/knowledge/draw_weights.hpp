// Strengths of moves as weights for draws: integers, whose sums are exact however often they change.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "core/rng.hpp"
#include "knowledge/bradley_terry.hpp"

namespace tesuji {

// So much is a strength of 1. The sum of all weights must stay below 2^64.
inline constexpr float kUnitWeight = 65536;
inline constexpr float kMostWeight = 0x1.0p40F;

inline float limited(float weight) { return weight < kMostWeight ? weight : kMostWeight; }

// Of a playable move, which can always be drawn.
inline std::uint64_t weight_of(float strength) {
  const float weight = limited(strength * kUnitWeight);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(weight > 1 ? weight : 1));
}

// What moves of this weight have more, by a share of it.
inline std::uint64_t surplus_of(std::uint64_t weight, float share) {
  const float surplus = static_cast<float>(static_cast<std::int64_t>(weight)) * share;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(limited(surplus)));
}

// Uniform in [0, bound), but for a bias below bound / 2^64. In integers: the whole playout waits for this draw, and to
// make a double of the bound and an integer of the product would take four times as long.
inline std::uint64_t below(std::uint64_t bound, Rng& rng) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{rng.next()} * bound >> 64);
}

// Strengths for moves drawn with probability P(m)^(1 / temperature), but for a factor.
inline PartTables<float> at_temperature(PartTables<float> strengths, double temperature) {
  if (!(temperature > 0)) throw std::invalid_argument("the temperature of playouts must be above 0");
  if (temperature == 1) return strengths;
  for (auto& table : strengths) {
    for (float& strength : table) strength = static_cast<float>(std::pow(double{strength}, 1 / temperature));
  }
  return strengths;
}

}  // namespace tesuji
