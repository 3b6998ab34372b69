#include "knowledge/go/fast_shapes.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tesuji {
namespace {

constexpr std::uint64_t kWholeTag = std::uint64_t{1} << kFastShapeBits;
constexpr std::uint64_t kStonesTag = kWholeTag << 1;
constexpr unsigned kAllInAtari = 15;

// Of the eight places around a point, row by row, those of the four neighbours, in the order of kDirections.
constexpr std::array<unsigned, 4> kNeighbourPlaces = {1, 3, 4, 6};

FastShape moved(FastShape shape, const std::array<unsigned, 8>& from) {
  FastShape result = 0;
  for (unsigned place = 0; place < 8; ++place) result |= (shape >> (2 * from[place]) & 3) << (2 * place);
  for (unsigned d = 0; d < 4; ++d) {
    const auto* source = std::find(kNeighbourPlaces.begin(), kNeighbourPlaces.end(), from[kNeighbourPlaces[d]]);
    result |= (shape >> (16 + (source - kNeighbourPlaces.begin())) & 1) << (16 + d);
  }
  return result;
}
FastShape turned(FastShape shape) { return moved(shape, {5, 3, 0, 6, 1, 7, 4, 2}); }
FastShape mirrored(FastShape shape) { return moved(shape, {2, 1, 0, 4, 3, 7, 6, 5}); }

std::array<FastShape, 8> symmetric_to(FastShape shape) {
  std::array<FastShape, 8> result{};
  for (unsigned side = 0; side < 8; ++side) {
    result[side] = shape;
    shape = side == 3 ? mirrored(shape) : turned(shape);
  }
  return result;
}

// The points around a quiet one.
struct QuietNeighbours {
  explicit QuietNeighbours(FastShape neighbourhood) {
    for (unsigned place = 0; place < 8; ++place) {
      const bool is_beside =
          std::find(kNeighbourPlaces.begin(), kNeighbourPlaces.end(), place) != kNeighbourPlaces.end();
      ++(is_beside ? beside : diagonal)[neighbourhood >> (2 * place) & 3];
    }
  }

  bool is_playable() const { return beside[kEmpty] != 0 || (beside[kOwn] != 0 && !is_eye()); }
  bool is_lonely() const { return beside[kEmpty] == 1 && beside[kOwn] == 0; }

 private:
  enum { kOwn, kOther, kEmpty, kBorder };

  // As GoBoard::is_own_eye() has it.
  bool is_eye() const {
    return beside[kOther] == 0 && beside[kEmpty] == 0 && diagonal[kOther] + int{beside[kBorder] != 0} < 2;
  }

  std::array<int, 4> beside{};
  std::array<int, 4> diagonal{};
};

std::uint64_t least_symmetric(FastShape shape) {
  const auto all = symmetric_to(shape);
  return *std::min_element(all.begin(), all.end());
}

}  // namespace

std::uint64_t hash_of_stones(FastShape shape) { return kStonesTag | least_symmetric(shape & kNeighbourhoodMask); }
std::uint64_t hash_of_whole(FastShape shape) { return kWholeTag | least_symmetric(shape); }

FastShapeTable::FastShapeTable(std::span<const std::uint64_t> hashes)
    : size_(hashes.size()), numbers_(std::size_t{1} << kFastShapeBits), quiet_numbers_(kNeighbourhoodMask + 1) {
  if (size_ > kMost) throw std::invalid_argument("a model knows too many shapes for playouts");
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto number = static_cast<std::uint16_t>(i + 1);
    const bool is_whole = (hashes[i] & kStonesTag) == 0;
    for (const FastShape shape : symmetric_to(static_cast<FastShape>(hashes[i] & (kWholeTag - 1)))) {
      for (unsigned in_atari = 0; in_atari <= (is_whole ? 0 : kAllInAtari); ++in_atari) {
        numbers_[shape | in_atari << 16] = number;
      }
    }
  }
  for (FastShape shape = 0; shape <= kNeighbourhoodMask; ++shape) {
    const QuietNeighbours around(shape);
    const auto number = static_cast<std::uint16_t>(find(shape) + (around.is_lonely() ? first_lonely() : 0));
    quiet_numbers_[shape] = around.is_playable() ? number : not_played();
  }
}

}  // namespace tesuji
