// The one random generator of the core: xoroshiro128+ (Blackman and Vigna), whose lowest bits, the weak ones, decide no
// draw. Draws are our own integer arithmetic, so that a seed gives the same stream with every compiler and library.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/mix_bits.hpp"

namespace tesuji {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    state0_ = split_mix(seed);
    state1_ = split_mix(seed);
  }

  // Where the stream is, to go on with it elsewhere.
  using State = std::array<std::uint64_t, 2>;
  State state() const { return {state0_, state1_}; }
  // All zeros would stay zeros for ever.
  void go_on_from(const State& state) {
    state0_ = state[0];
    state1_ = (state[0] | state[1]) == 0 ? 1 : state[1];
  }

  std::uint64_t next() {
    const std::uint64_t s0 = state0_;
    std::uint64_t s1 = state1_;
    const std::uint64_t result = s0 + s1;
    s1 ^= s0;
    state0_ = std::rotl(s0, 24) ^ s1 ^ (s1 << 16);
    state1_ = std::rotl(s1, 37);
    return result;
  }

  // Uniform in [0, bound). The bias is below bound / 2^32: far under anything that a playout could show.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

  // Uniform in [0, 1), with 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  // SplitMix64 spreads neighbouring seeds over the whole state.
  static std::uint64_t split_mix(std::uint64_t& x) {
    x += kSplitMixStep;
    return scramble_bits(x);
  }

  std::uint64_t state0_;
  std::uint64_t state1_;
};

}  // namespace tesuji
