// The numbers of the shapes that a model knows, by their hashes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tesuji {

class ShapeNumbers {
 public:
  static constexpr std::uint32_t kUnknown = 0;

  explicit ShapeNumbers(std::size_t capacity) : mask_(std::bit_ceil(2 * capacity + 1) - 1), slots_(mask_ + 1) {}

  // Whether the hash was not there yet; if it was, it must have the same number.
  bool add(std::uint64_t hash, std::uint32_t number) {
    Slot& slot = slots_[place_of(hash)];
    if (slot.number != kUnknown && slot.number != number) throw std::invalid_argument("two shapes have the same hash");
    const bool is_new = slot.number == kUnknown;
    slot = {hash, number};
    return is_new;
  }

  std::uint32_t find(std::uint64_t hash) const { return slots_[place_of(hash)].number; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = kUnknown;
  };

  std::uint64_t place_of(std::uint64_t hash) const {
    std::uint64_t place = (hash * 0x9e3779b97f4a7c15u) >> 32 & mask_;
    while (slots_[place].number != kUnknown && slots_[place].hash != hash) place = (place + 1) & mask_;
    return place;
  }

  std::uint64_t mask_;
  std::vector<Slot> slots_;
};

}  // namespace tesuji
