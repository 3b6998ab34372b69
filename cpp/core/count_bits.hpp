// How many bits of a word are set. Where the compiler must not count on the processor's own instruction, std::popcount
// is a call of a library, and in playouts that was a hundredth of a search.
#pragma once

#include <cstdint>

namespace tesuji {

constexpr int count_bits(std::uint64_t word) {
  // Sums of neighbouring fields of 1, 2 and 4 bits; then of all bytes, in the highest.
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<int>(word * 0x0101010101010101 >> 56);
}

static_assert(count_bits(0) == 0 && count_bits(~std::uint64_t{0}) == 64 && count_bits(std::uint64_t{1} << 63 | 1) == 2);

}  // namespace tesuji
