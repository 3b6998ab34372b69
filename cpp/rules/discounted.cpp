#include "rules/discounted.hpp"

namespace tesuji {

// Weights are per visit, those of the node (its s^D) like those of its children, so that virtual losses count here too.
void Discounted::back_up(const PlayoutAtNode& playout, const Tree& /*tree*/, const Rules& rules) {
  const Node& node = playout.node;
  const Ledger ledger = node.ledger();
  if (ledger.scale() == 0) ledger.scale() = ledger.weight() = 1;
  const bool at_node = playout.child == PlayoutAtNode::kNoChild;
  const double scale = at_node ? ledger.scale() : grown_scale(node, rules);
  const auto node_visits = static_cast<double>(playout.above.parent.visits(playout.above.child));
  ledger.weight() = (ledger.weight() * (node_visits - 1) + scale) / node_visits;
  if (at_node) return;

  const auto visits = static_cast<double>(node.visits(playout.child));
  double& weight = node.weights(rules.layout)[playout.child];
  double& sum = node.backed_up(0)[playout.child];
  const double discounted = sum * weight + scale * to_double(playout.rewards[player_of(node.chooser())]);
  const double discounted_visits = weight * (visits - 1) + scale;  // eq. 3
  weight = discounted_visits / visits;
  // eq. 4. Divided first: without decay this is a division of equals, and the sum stays exact.
  sum = discounted * (visits / discounted_visits);
  keep_in_range(node, rules.layout);
}

}  // namespace tesuji
