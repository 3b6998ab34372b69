// PUCT (Rosin 2011; in the form of AlphaGo Zero, Silver and others 2017): a prior P(j) says where to look first.
//
//   score_j = r_j + C P(j) sqrt(s) / (1 + n_j)
//
// A child without visits has for r_j the mean over its visited siblings, 1/2 where there is none.
#pragma once

#include <algorithm>
#include <cmath>

#include "rules/select.hpp"

namespace tesuji {

template <class Backup>
std::uint32_t select_puct(const Node& node, std::uint32_t parent_visits, const Parameters& parameters) {
  const Node::Children children = node.children();
  Reward sum = 0;
  double visits = 0;
  for (std::uint32_t child = 0; child < children.count; ++child) {
    sum += children.rewards(child);
    visits += static_cast<double>(children.visits(child));
  }
  const double unvisited = visits > 0 ? to_double(sum) / visits : 0.5;
  // At least 1, so that the prior counts for the first visit too.
  const double weight = parameters.c * std::sqrt(static_cast<double>(std::max(parent_visits, 1u)));
  BestChild best;
  for (std::uint32_t child = 0; child < children.count; ++child) {
    const auto n = static_cast<double>(children.visits(child));
    const double value = n > 0 ? Backup::value(to_double(children.rewards(child)), n) : unvisited;
    best.consider(value + weight * static_cast<double>(node.prior(child)) / (1 + n), child);
  }
  return best.child;
}

}  // namespace tesuji
