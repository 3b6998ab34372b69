// Selection and final selection by a rule from outside the core (search/given_rules.hpp), with the terms that the rules
// of the core have. It is for trying a rule out: everything here allocates, and what is asked may be Python.
#pragma once

#include <vector>

#include "rules/informed.hpp"
#include "search/given_rules.hpp"

namespace tesuji {

// The child of the highest score, the first of equals.
template <class Backup>
std::uint32_t select_given(const Node& node, std::uint32_t parent_visits, const Rules& rules) {
  GivenSelection& rule = *rules.parameters.given_selection;
  const Candidates<Backup> candidates(node, rules.layout);
  ParentTerms parent = parent_terms<Backup>(node, parent_visits);
  parent.value = mean_of_children(candidates);
  BestChild best;
  std::vector<ChildTerms> terms;
  std::vector<std::uint32_t> places;
  for (std::uint32_t child = 0; child < candidates.children.count; ++child) {
    if (candidates.is_proven(child)) continue;
    const std::uint32_t visits = candidates.children.visits(child);
    if (visits == 0 && !rule.scores_unvisited()) {
      best.consider(rules.parameters.fpu, child);
      continue;
    }
    terms.push_back(visits > 0 ? child_terms(candidates, child, visits) : ChildTerms{parent.value, 0, 0});
    if (rules.layout.has_prior) terms.back().prior = static_cast<double>(node.prior(child, rules.layout));
    places.push_back(child);
  }
  // Nothing beats an infinite urgency.
  if (terms.empty() || best.score == std::numeric_limits<double>::infinity()) return best.child;
  std::vector<double> scores(terms.size());
  rule.score(parent, terms, scores);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const bool is_earlier = scores[k] == best.score && places[k] < best.child;
    if (scores[k] > best.score || is_earlier) best = {scores[k], places[k]};
  }
  return best.child;
}

// As the final rules of the core: more visits decide between equals, then the order.
std::size_t final_given(std::span<const RootChild> children, const Parameters& parameters);

}  // namespace tesuji
