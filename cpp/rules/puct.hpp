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
std::uint32_t select_puct(const Node& node, std::uint32_t parent_visits, const Rules& rules) {
  const Candidates<Backup> candidates(node, rules.layout);
  const Node::Children& children = candidates.children;
  double sum = 0;
  double visits = 0;
  for (std::uint32_t child = 0; child < children.count; ++child) {
    if (candidates.is_proven(child)) continue;
    sum += candidates.sum(child);
    visits += static_cast<double>(children.visits(child));
  }
  const double unvisited = visits > 0 ? sum / visits : 0.5;
  // At least 1, so that the prior counts for the first visit too.
  const double weight = rules.parameters.c * std::sqrt(std::max(node_visits<Backup>(node, parent_visits), 1.0));
  BestChild best;
  for (std::uint32_t child = 0; child < children.count; ++child) {
    const std::uint32_t count = children.visits(child);
    const ChildTerms terms = count > 0 ? child_terms(candidates, child, count) : ChildTerms{unvisited, 0, 0};
    const auto prior = static_cast<double>(node.prior(child, rules.layout));
    best.consider(terms.value + weight * prior / (1 + terms.visits), child);
  }
  return best.child;
}

}  // namespace tesuji
