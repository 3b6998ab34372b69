// What the children of a new node begin with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/game.hpp"
#include "core/rng.hpp"
#include "search/evaluator.hpp"
#include "search/rules.hpp"
#include "search/tree.hpp"

namespace tesuji {

// The moves and their priors, by falling priors where the rules want that; a share of them may be spread evenly. Where
// nobody supplies priors, all moves have the same. Chance has its own (below). `order` is scratch.
inline void set_priors(const Node& node, std::span<const Move> moves, std::span<const float> priors, const Rules& rules,
                       std::vector<std::uint32_t>& order) {
  const std::uint32_t count = node.child_count();
  const float even_prior = 1.0f / static_cast<float>(count);
  if (priors.empty()) {
    for (std::uint32_t k = 0; k < count; ++k) node.prior(k, rules.layout) = even_prior;
    return;
  }
  order.resize(count);
  std::iota(order.begin(), order.end(), 0u);
  if (rules.uses_prior && node.chooser() != kChance) {
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return priors[a] > priors[b] || (priors[a] == priors[b] && a < b);
    });
  }
  const auto even_share = static_cast<float>(rules.parameters.prior_even);
  for (std::uint32_t k = 0; k < count; ++k) {
    node.set_move(k, moves[order[k]]);
    node.prior(k, rules.layout) = even_share * even_prior + (1 - even_share) * priors[order[k]];
  }
}

// Where chance decides they are the game's probabilities. `probabilities` is scratch.
template <HasChance G>
void set_chance_priors(const Node& node, const G& position, const NodeLayout& layout, Probabilities& probabilities) {
  list_probabilities(position, node.child_count(), probabilities);
  for (std::uint32_t k = 0; k < node.child_count(); ++k) {
    node.prior(k, layout) = static_cast<float>(probabilities[k]);
  }
}

// Those of a model. `priors` is scratch.
template <Game G>
std::span<const float> priors_of(const MovePriors<G>& model, const G& position, const MoveList& moves,
                                 std::vector<float>& priors) {
  priors.resize(moves.size());
  model.judge(position, moves, priors);
  return priors;
}

// What is known of the moves counts like RAVE visits that were made before the first one. `known` is scratch.
template <Game G>
void add_prior_visits(const Node& node, const G& position, const PriorKnowledge<G>& knowledge, const Rules& rules,
                      std::vector<PriorVisits>& known) {
  const std::uint32_t count = node.child_count();
  known.resize(count);
  knowledge.judge(position, {node.moves(), count}, known);
  const RelaxedArray<double> rewards = node.rave_rewards(rules.layout);
  const RelaxedArray<std::uint32_t> visits = node.rave_visits(rules.layout);
  for (std::uint32_t child = 0; child < count; ++child) {
    const PriorVisits& prior = known[child];
    if (prior.visits <= 0) continue;
    // The visits are whole units of the counter, and the rewards are in proportion: the mean is kept.
    visits[child] = static_cast<std::uint32_t>(prior.visits * rules.parameters.prior_weight * kRaveVisit);
    rewards[child] = visits[child] * kRaveUnit * (static_cast<double>(prior.wins) / static_cast<double>(prior.visits));
  }
}

// A child drawn by the probabilities of chance. Where rounding leaves something over, it is the last possible one's.
inline std::uint32_t draw_by_prior(const Node& node, const NodeLayout& layout, Rng& rng) {
  double remaining = rng.uniform();
  for (std::uint32_t child = 0; child + 1 < node.child_count(); ++child) {
    remaining -= static_cast<double>(node.prior(child, layout));
    if (remaining < 0) return child;
  }
  std::uint32_t last = node.child_count() - 1;
  while (last > 0 && node.prior(last, layout) == 0) --last;
  return last;
}

}  // namespace tesuji
