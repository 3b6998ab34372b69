// The named features of a game's moves. Each is a type that declares everything once: kName, kLevels (their names),
// kPart (of a team) and level(candidate), where level 0 is that the move has nothing of the kind. A set of them makes
// teams; the gammas of a model are in its order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "knowledge/bradley_terry.hpp"

namespace tesuji {

using FeatureName = std::string_view;

template <class... Features>
struct FeatureSet {
  // Calls visit(feature) with a value of each type, in order.
  template <class Visit>
  static constexpr void for_each(Visit&& visit) {
    (visit(Features{}), ...);
  }

  // How many values a part has: the product of its features' levels, none counted too.
  static constexpr std::uint32_t part_width(int part) {
    std::uint32_t width = 1;
    ((width *= Features::kPart == part ? level_count<Features>() : 1), ...);
    return width;
  }

  // The first part is that of the shapes.
  static constexpr bool fits() {
    for (int part = 1; part < kTeamParts; ++part) {
      if (part_width(part) > 1u << FeatureTeam::kBits[part]) return false;
    }
    return part_width(0) == 1;
  }

  // The team of a move without its shape.
  template <class Candidate>
  static FeatureTeam team(const Candidate& move) {
    std::array<std::uint32_t, kTeamParts> values{};
    ((values[Features::kPart] =
          values[Features::kPart] * level_count<Features>() + static_cast<std::uint32_t>(Features::level(move))),
     ...);
    FeatureTeam team;
    for (int part = 1; part < kTeamParts; ++part) team.set_part(part, values[static_cast<std::size_t>(part)]);
    return team;
  }

 private:
  template <class Feature>
  static constexpr std::uint32_t level_count() {
    return static_cast<std::uint32_t>(Feature::kLevels.size() + 1);
  }
};

}  // namespace tesuji
