// SplitMix64 (Steele, Lea and Flood 2014) and what is made of its parts: keys, hashes and seeds that are the same on
// every platform.
#pragma once

#include <cstdint>

namespace tesuji {

inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15u;

// Every bit of the answer depends on every bit of `x`.
constexpr std::uint64_t scramble_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The n-th number of the generator that begins with 0.
constexpr std::uint64_t mix_bits(std::uint64_t n) { return scramble_bits(n * kSplitMixStep); }

// A hash of several words, one after the other: `hash` is that of the words before.
constexpr std::uint64_t hash_on(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * kSplitMixStep;
  return hash ^ (hash >> 32);
}

}  // namespace tesuji
