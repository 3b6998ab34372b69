#include "rules/bast.hpp"

#include <algorithm>
#include <cmath>

#include "rules/backed_up.hpp"

namespace tesuji {
namespace {

struct Bounds {
  double lower = 0;
  double upper = 1;
};

Bounds bounds_of_child(const Node& node, std::uint32_t child, const NodeLayout& layout) {
  if (node.visits(child) == 0) return {};
  if (layout.has_proofs && node.proofs(layout)[child] != Proof::kNone) {
    const double value = value_of(node.proofs(layout)[child]);
    return {value, value};
  }
  return {node.lower_bounds(layout)[child], node.upper_bounds(layout)[child]};
}

// Of the node's value, for the player who chooses there, or for the first one where chance does.
Bounds bounds_by_children(const Node& node, const NodeLayout& layout) {
  Bounds highest{0, 0};
  Bounds sum{0, 0};
  double probabilities = 0;  // they add up to 1 only nearly
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    const Bounds one = bounds_of_child(node, child, layout);
    highest = {std::max(highest.lower, one.lower), std::max(highest.upper, one.upper)};
    if (node.chooser() != kChance) continue;
    const auto probability = static_cast<double>(node.prior(child, layout));
    sum = {sum.lower + probability * one.lower, sum.upper + probability * one.upper};
    probabilities += probability;
  }
  return node.chooser() == kChance ? Bounds{sum.lower / probabilities, sum.upper / probabilities} : highest;
}

Bounds seen_from_above(const Node& node, int chooser, const NodeLayout& layout) {
  const Bounds below = bounds_by_children(node, layout);
  if (player_of(chooser) == player_of(node.chooser())) return below;
  return layout.adds_up ? Bounds{1 - below.upper, 1 - below.lower} : Bounds{};
}

}  // namespace

void Bast::update(const Playout& playout, const Tree& tree, const Rules& rules) {
  const Parameters& parameters = rules.parameters;
  const auto nodes = static_cast<double>(tree.node_count() - 1);  // without the anchor
  for (std::size_t depth = playout.path.size(); --depth > 0;) {
    const Node parent = playout.path[depth].parent;
    const std::uint32_t child = playout.path[depth].child;
    const NodeLock lock(parent, rules.layout);
    const auto visits = static_cast<double>(parent.visits(child));
    const double value = parent.sum(child, rules.layout) / visits;
    double slack = std::sqrt(std::log(2 * nodes * visits * (visits + 1) / parameters.bast_b) / (2 * visits));
    Bounds bounds;
    if (const NodeIndex below = parent.child(child); below != kNoNode) {
      slack += parameters.bast_delta * std::pow(parameters.bast_gamma, static_cast<double>(depth));
      bounds = seen_from_above(tree.at(below), parent.chooser(), rules.layout);
    }
    parent.upper_bounds(rules.layout)[child] = std::min(bounds.upper, value + slack);
    parent.lower_bounds(rules.layout)[child] = std::max(bounds.lower, value - slack);
  }
}

}  // namespace tesuji
