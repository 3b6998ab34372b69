// The strengths of the fast layer of a model as weights for draws.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "knowledge/bradley_terry.hpp"
#include "knowledge/draw_weights.hpp"
#include "knowledge/go/fast_features.hpp"

namespace tesuji {

class WeightTables {
 public:
  // The shapes are borrowed.
  WeightTables(const FastShapeTable& shapes, PartTables<float> strengths)
      : shapes_(shapes), strengths_(std::move(strengths)), quiet_((std::size_t{shapes.not_played()} + 1) * kPlaces) {
    const auto places = static_cast<std::uint32_t>(strengths_[fast_features::kPlacePart].size());
    for (std::uint32_t number = 0; number < shapes.first_lonely(); ++number) {
      for (std::uint32_t place = 0; place < places; ++place) {
        quiet_[number * kPlaces + place] = weight(number, place, 0);
        quiet_[(shapes.first_lonely() + number) * kPlaces + place] = weight(number, place, kLonelySelfAtari);
      }
    }
    const auto& answers = strengths_[fast_features::kAnswerPart];
    for (std::uint32_t contiguity = 0; contiguity < kContiguities; ++contiguity) {
      const float near = limited(std::max(answers[contiguity * fast_features::kAnswerLevels], 1.0F));
      contiguity_surplus_[contiguity] = near - 1;
      for (std::uint32_t answer = 0; answer < fast_features::kAnswerLevels; ++answer) {
        // Limited, since the weight of a move that is not played is 0, and 0 times infinity would not be.
        answer_surplus_[contiguity][answer] = limited(near * (limited(std::max(answers[answer], 1.0F)) - 1));
      }
    }
  }

  // Of a quiet point (FastShapeTable), by its neighbourhood as the player to move sees it.
  std::uint64_t quiet_weight(FastShape neighbourhood, std::size_t place) const {
    return quiet_[shapes_.find_quiet(neighbourhood) * kPlaces + place];
  }
  // `tactics` is a value of that part.
  std::uint64_t tactical_weight(FastShape shape, std::size_t place, std::uint32_t tactics) const {
    return weight(shapes_.find(shape), place, tactics);
  }
  // Whether there are playable moves that are never made.
  bool forbids_moves() const {
    const auto& tactics = strengths_[fast_features::kTacticsPart];
    return std::find(tactics.begin(), tactics.end(), 0.0F) != tactics.end();
  }
  // What a move next to the last one has more, by the level of its contiguity, and what an answer has beyond that, as
  // shares of its weight by itself.
  float contiguity_surplus(std::uint32_t contiguity) const { return contiguity_surplus_[contiguity]; }
  float answer_surplus(std::uint32_t contiguity, std::uint32_t answer) const {
    return answer_surplus_[contiguity][answer];
  }

 private:
  // A power of two: then the weights of a shape fill one line of the cache.
  static constexpr std::size_t kPlaces = 8;
  static_assert(fast_features::part_width(fast_features::kPlacePart) <= kPlaces);

  static constexpr std::uint32_t kContiguities = fast_features::Contiguity::kLevels.size() + 1;
  // What the tactics are of one stone that will have one liberty.
  static constexpr std::uint32_t kLonelySelfAtari = fast_features::place_value<fast_features::SelfAtari>();

  // A strength of 0 is for moves that are never made.
  std::uint64_t weight(std::uint32_t shape, std::size_t place, std::uint32_t tactics) const {
    using namespace fast_features;
    const float strength = strengths_[kTacticsPart][tactics];
    if (strength == 0) return 0;
    return weight_of(strengths_[kShapePart][shape] * strengths_[kPlacePart][place] * strength);
  }

  const FastShapeTable& shapes_;
  PartTables<float> strengths_;
  std::array<float, kContiguities> contiguity_surplus_{};
  std::array<std::array<float, fast_features::kAnswerLevels>, kContiguities> answer_surplus_{};
  std::vector<std::uint64_t> quiet_;  // by a number of FastShapeTable::find_quiet() and a place
};

}  // namespace tesuji
