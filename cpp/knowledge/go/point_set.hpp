// A set of points of the padded board, one bit each.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/count_bits.hpp"

namespace tesuji {

template <int kPoints>
class PointSet {
 public:
  using Index = std::ptrdiff_t;

  // Those with a condition do without a branch: conditions about neighbours are hard to foresee.
  constexpr void add(Index point) { words_[word(point)] |= bit(point); }
  void add_if(bool condition, Index point) {
    words_[word(point)] |= std::uint64_t{condition} << (static_cast<std::uint64_t>(point) % 64);
  }
  // Bit i of the mask is for the point first + i, which must be one.
  void add_all(std::uint64_t mask, Index first) {
    const auto shift = static_cast<std::uint64_t>(first) % 64;
    words_[word(first)] |= mask << shift;
    // In two steps, since a word cannot be shifted by 64. After the last word there are no points, and none to carry.
    const std::uint64_t carried = mask >> 1 >> (63 - shift);
    words_[std::min(word(first) + 1, words_.size() - 1)] |= carried;
  }
  void remove(Index point) { words_[word(point)] &= ~bit(point); }
  void remove_if(bool condition, Index point) {
    words_[word(point)] &= ~(std::uint64_t{condition} << (static_cast<std::uint64_t>(point) % 64));
  }
  bool has(Index point) const { return (words_[word(point)] & bit(point)) != 0; }

  PointSet& operator|=(const PointSet& other) {
    for (int i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  friend PointSet operator&(PointSet a, const PointSet& b) {
    for (int i = 0; i < kWords; ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  PointSet without(const PointSet& other) const {
    PointSet result = *this;
    for (int i = 0; i < kWords; ++i) result.words_[i] &= ~other.words_[i];
    return result;
  }
  friend bool operator==(const PointSet&, const PointSet&) = default;

  bool is_empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words_) any |= word;
    return any == 0;
  }

  int count() const {
    int sum = 0;
    for (const std::uint64_t word : words_) sum += count_bits(word);
    return sum;
  }

  // The same for a set of which one knows that it has few points, mostly none.
  int count_of_few() const {
    int sum = 0;
    for (std::uint64_t word : words_) {
      for (; word != 0; word &= word - 1) ++sum;
    }
    return sum;
  }

  // The number of points, but at most `limit`: most sets that are asked have many.
  int count_up_to(int limit) const {
    int sum = 0;
    for (std::uint64_t word : words_) {
      for (; word != 0 && sum < limit; word &= word - 1) ++sum;
    }
    return sum;
  }

  // The same for a small limit that is a constant, without a branch.
  template <int kLimit>
  int count_up_to() const {
    int sum = 0;
    for (std::uint64_t word : words_) {
      for (int i = 0; i < kLimit; ++i, word &= word - 1) sum += word != 0;
    }
    return sum < kLimit ? sum : kLimit;
  }

  // The lowest point of a set that is not empty.
  Index first() const {
    for (int i = 0; i < kWords; ++i) {
      if (words_[i] != 0) return 64 * i + std::countr_zero(words_[i]);
    }
    return 0;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    if constexpr (kWords == 2) {
      // One loop for both words: its end is foreseen wrongly once, not twice. The second comes in with masks.
      std::uint64_t word = words_[0];
      std::uint64_t next = words_[1];
      std::uint64_t base = 0;
      const auto go_on = [&] {
        const std::uint64_t is_done = 0 - std::uint64_t{word == 0};
        word |= next & is_done;
        next &= ~is_done;
        base |= 64 & is_done;
      };
      for (go_on(); word != 0; go_on()) {
        visit(static_cast<Index>(base) + std::countr_zero(word));
        word &= word - 1;
      }
    } else {
      for (int i = 0; i < kWords; ++i) {
        for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) visit(Index{64 * i + std::countr_zero(word)});
      }
    }
  }

 private:
  static constexpr int kWords = (kPoints + 63) / 64;
  static constexpr std::size_t word(Index point) { return static_cast<std::size_t>(point) / 64; }
  static constexpr std::uint64_t bit(Index point) {
    return std::uint64_t{1} << (static_cast<std::uint64_t>(point) % 64);
  }

  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace tesuji
