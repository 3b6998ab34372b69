// The fast layer of a model of Go moves: for playouts.
#pragma once

#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "knowledge/bradley_terry.hpp"
#include "knowledge/draw_weights.hpp"
#include "knowledge/go/fast_features.hpp"

namespace tesuji {

class GoFastModel {
 public:
  GoFastModel(std::span<const std::uint64_t> shapes, PartTables<float> strengths)
      : shapes_(shapes), strengths_(std::move(strengths)) {
    bool fits = strengths_[fast_features::kShapePart].size() == shapes.size() + 1;
    for (int part = fast_features::kPlacePart; part < kTeamParts; ++part) {
      fits = fits && strengths_[part].size() == fast_features::part_width(part);
    }
    if (!fits) throw std::invalid_argument("the strengths of a Go model for playouts do not fit the features");
  }

  const FastShapeTable& shapes() const { return shapes_; }

  PartTables<float> strengths_at(double temperature) const { return at_temperature(strengths_, temperature); }

 private:
  FastShapeTable shapes_;
  PartTables<float> strengths_;
};

}  // namespace tesuji
