// Strengths of the fast layer of a model as weights for draws: integers, whose sums are exact however often they
// change.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "knowledge/bradley_terry.hpp"
#include "knowledge/go/fast_features.hpp"

namespace tesuji {

// So much is a strength of 1. The sum of all weights must stay below 2^50 (see MoveWeights::draw()).
inline constexpr float kUnitWeight = 65536;
inline constexpr float kMostWeight = 0x1.0p40F;

inline float limited(float weight) { return weight < kMostWeight ? weight : kMostWeight; }

// Of a playable move, which can always be drawn.
inline std::uint64_t weight_of(float strength) {
  const float weight = limited(strength * kUnitWeight);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(weight > 1 ? weight : 1));
}

// What moves have more by a factor.
inline std::uint64_t surplus_of(std::uint64_t weight, float strength) {
  const float surplus = static_cast<float>(static_cast<std::int64_t>(weight)) * (strength > 1 ? strength - 1 : 0);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(limited(surplus)));
}

class WeightTables {
 public:
  // The shapes are borrowed.
  WeightTables(const FastShapeTable& shapes, PartTables<float> strengths)
      : shapes_(shapes), strengths_(std::move(strengths)) {
    const auto& of_shapes = strengths_[fast_features::kShapePart];
    const auto& of_places = strengths_[fast_features::kPlacePart];
    plain_.resize(of_shapes.size() * kPlaces);
    for (std::size_t shape = 0; shape < of_shapes.size(); ++shape) {
      for (std::size_t place = 0; place < of_places.size(); ++place) {
        plain_[shape * kPlaces + place] = weight_of(of_shapes[shape] * of_places[place]);
      }
    }
  }

  const PartTables<float>& strengths() const { return strengths_; }

  // Of a move without tactics.
  std::uint64_t plain_weight(FastShape shape, std::size_t place) const {
    return plain_[shapes_.find(shape) * kPlaces + place];
  }
  // `tactics` is a value of that part. A strength of 0 is for moves that are never made.
  std::uint64_t tactical_weight(FastShape shape, std::size_t place, std::uint32_t tactics) const {
    using namespace fast_features;
    const float strength = strengths_[kTacticsPart][tactics];
    if (strength == 0) return 0;
    return weight_of(strengths_[kShapePart][shapes_.find(shape)] * strengths_[kPlacePart][place] * strength);
  }

 private:
  // A power of two: then the weights of a shape fill one line of the cache.
  static constexpr std::size_t kPlaces = 8;
  static_assert(fast_features::part_width(fast_features::kPlacePart) <= kPlaces);

  const FastShapeTable& shapes_;
  PartTables<float> strengths_;
  std::vector<std::uint64_t> plain_;
};

}  // namespace tesuji
