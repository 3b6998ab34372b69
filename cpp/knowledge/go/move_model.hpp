// A learned model of Go moves: the shapes that it knows, and how strong each value of each part of a team is.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "games/go.hpp"
#include "knowledge/bradley_terry.hpp"
#include "knowledge/go/fast_model.hpp"
#include "knowledge/go/teams.hpp"
#include "search/evaluator.hpp"

namespace tesuji {

class GoMoveModel {
 public:
  // `fast`: the layer for playouts, where there is one.
  GoMoveModel(ShapeTable shapes, PartTables<float> strengths, std::shared_ptr<const GoFastModel> fast = nullptr)
      : shapes_(std::move(shapes)), strengths_(std::move(strengths)), fast_(std::move(fast)) {
    bool fits = strengths_[go_features::kShapePart].size() == shapes_.size() + 1;
    for (int part = go_features::kPlacePart; part < kTeamParts; ++part) {
      fits = fits && strengths_[part].size() == go_features::part_width(part);
    }
    if (!fits) throw std::invalid_argument("the strengths of a Go model do not fit the features");
  }

  const GoFastModel* fast() const { return fast_.get(); }

  template <int kSize>
  FeatureTeam team(const Go<kSize>& position, Move move) const {
    FeatureTeam result;
    for_each_team(position, std::span(&move, 1), [&](std::size_t, FeatureTeam team) { result = team; });
    return result;
  }

  // P(m) of legal moves, eq. 2 over those that are given.
  template <int kSize>
  void probabilities(const Go<kSize>& position, std::span<const Move> moves, std::span<float> result) const {
    float sum = 0;
    for_each_team(position, moves,
                  [&](std::size_t i, FeatureTeam team) { sum += result[i] = strength_of(team, strengths_); });
    for (float& probability : result) probability /= sum;
  }

 private:
  template <int kSize, class Visit>
  void for_each_team(const Go<kSize>& position, std::span<const Move> moves, Visit&& visit) const {
    if (moves.size() > GoTeams<kSize>::kMost) throw std::invalid_argument("more moves than a board has points");
    const TacticalBoard<kSize> tactics(position.board());
    auto situation = GoSituation<kSize>::of(tactics, position);
    GoTeams<kSize> teams(situation, shapes_);
    std::array<typename GoTeams<kSize>::Index, GoTeams<kSize>::kMost> points;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      points[i] = moves[i] == position.pass() ? 0 : position.board().point_of(moves[i]);
    }
    teams.for_each(std::span(points).first(moves.size()), visit);
  }

  ShapeTable shapes_;
  PartTables<float> strengths_;
  std::shared_ptr<const GoFastModel> fast_;
};

// P(m) for the nodes of a search, from a model that is borrowed.
template <int kSize>
class GoMovePriors final : public MovePriors<Go<kSize>> {
 public:
  explicit GoMovePriors(const GoMoveModel& model) : model_(model) {}

  void judge(const Go<kSize>& position, std::span<const Move> moves, std::span<float> priors) const override {
    model_.probabilities(position, moves, priors);
  }

 private:
  const GoMoveModel& model_;
};

}  // namespace tesuji
