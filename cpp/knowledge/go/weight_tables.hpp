// Strengths of the fast layer of a model as weights for draws: integers, whose sums are exact however often they
// change.
#pragma once

#include <algorithm>
#include <array>
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

// What moves of this weight have more, by a share of it.
inline std::uint64_t surplus_of(std::uint64_t weight, float share) {
  const float surplus = static_cast<float>(static_cast<std::int64_t>(weight)) * share;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(limited(surplus)));
}

class WeightTables {
 public:
  // The shapes are borrowed.
  WeightTables(const FastShapeTable& shapes, PartTables<float> strengths)
      : shapes_(shapes), strengths_(std::move(strengths)), quiet_numbers_(kNeighbourhoodMask + 1) {
    const auto known = static_cast<std::uint16_t>(strengths_[fast_features::kShapePart].size());
    quiet_.resize((2 * std::size_t{known} + 1) * kPlaces);  // the last is for points that are not played
    for (std::uint16_t number = 0; number < known; ++number) {
      add_quiet(number, number, 0);
      add_quiet(static_cast<std::uint16_t>(known + number), number, kLonelySelfAtari);
    }
    const auto& answers = strengths_[fast_features::kAnswerPart];
    for (std::uint32_t contiguity = 0; contiguity < kContiguities; ++contiguity) {
      const float near = std::max(answers[contiguity * fast_features::kAnswerLevels], 1.0F);
      contiguity_surplus_[contiguity] = near - 1;
      for (std::uint32_t answer = 0; answer < fast_features::kAnswerLevels; ++answer) {
        answer_surplus_[contiguity][answer] = near * (std::max(answers[answer], 1.0F) - 1);
      }
    }
    for (FastShape shape = 0; shape <= kNeighbourhoodMask; ++shape) {
      const Neighbours around(shape);
      const std::uint16_t number = shapes_.find(shape);
      quiet_numbers_[shape] = !around.is_playable()           ? static_cast<std::uint16_t>(2 * known)
                              : around.is_lonely_self_atari() ? static_cast<std::uint16_t>(known + number)
                                                              : number;
    }
  }

  const PartTables<float>& strengths() const { return strengths_; }

  // Of a point where no chain has one or two liberties: then its neighbourhood, as the player to move sees it, decides,
  // and whether it is an own eye or suicide. (A ko is no such point: the stone that took it is in atari.)
  std::uint64_t quiet_weight(FastShape neighbourhood, std::size_t place) const {
    return quiet_[quiet_numbers_[neighbourhood] * kPlaces + place];
  }
  // What a move next to the last one has more, by the level of its contiguity, and what an answer has beyond that, as
  // shares of its weight by itself.
  float contiguity_surplus(std::uint32_t contiguity) const { return contiguity_surplus_[contiguity]; }
  float answer_surplus(std::uint32_t contiguity, std::uint32_t answer) const {
    return answer_surplus_[contiguity][answer];
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

  // What the tactics are of one stone that will have one liberty.
  static constexpr std::uint32_t kLonelySelfAtari = fast_features::place_value<fast_features::SelfAtari>();

  // The points around one of which all chains have three liberties or more.
  struct Neighbours {
    explicit Neighbours(FastShape neighbourhood) {
      constexpr std::array<unsigned, 4> kBeside = {1, 3, 4, 6};
      constexpr std::array<unsigned, 4> kDiagonal = {0, 2, 5, 7};
      for (const unsigned i : kBeside) ++beside[neighbourhood >> (2 * i) & 3];
      for (const unsigned i : kDiagonal) ++diagonal[neighbourhood >> (2 * i) & 3];
    }

    bool is_playable() const { return beside[kEmpty] != 0 || (beside[kOwn] != 0 && !is_eye()); }
    bool is_lonely_self_atari() const { return beside[kEmpty] == 1 && beside[kOwn] == 0; }
    // As GoBoard::is_own_eye() has it.
    bool is_eye() const {
      return beside[kOther] == 0 && beside[kEmpty] == 0 && diagonal[kOther] + int{beside[kBorder] != 0} < 2;
    }

    enum { kOwn, kOther, kEmpty, kBorder };
    std::array<int, 4> beside{};
    std::array<int, 4> diagonal{};
  };

  void add_quiet(std::uint16_t place_in_table, std::uint16_t number, std::uint32_t tactics) {
    const auto& of_places = strengths_[fast_features::kPlacePart];
    const float shape = strengths_[fast_features::kShapePart][number];
    const float strength = strengths_[fast_features::kTacticsPart][tactics];
    for (std::size_t place = 0; place < of_places.size(); ++place) {
      quiet_[place_in_table * kPlaces + place] = weight_of(shape * of_places[place] * strength);
    }
  }

  static constexpr std::uint32_t kContiguities = fast_features::Contiguity::kLevels.size() + 1;

  const FastShapeTable& shapes_;
  PartTables<float> strengths_;
  std::array<float, kContiguities> contiguity_surplus_{};
  std::array<std::array<float, fast_features::kAnswerLevels>, kContiguities> answer_surplus_{};
  std::vector<std::uint16_t> quiet_numbers_;  // by a neighbourhood
  std::vector<std::uint64_t> quiet_;          // by such a number and a place
};

}  // namespace tesuji
