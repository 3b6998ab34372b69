#include "rules/accelerated.hpp"

namespace tesuji {
namespace {

// The virtual child: all playouts through the node so far were made at the node itself.
void open_ledger(const PlayoutAtNode& playout, const NodeLayout& layout) {
  const Ledger ledger = playout.node.ledger();
  const Node& above = playout.above.parent;
  ledger.scale() = 1;
  ledger.weight() = above.visits(playout.above.child) - 1;
  for (std::size_t array = 0; array < layout.backed_up; ++array) {
    const double own = above.backed_up(array)[playout.above.child];
    ledger.sum(array) = seen_by(playout.node.chooser(), above.chooser(), own, ledger.weight(), layout);
  }
}

// eq. 7 times the visits n_j; for a leaf, the sum of its rewards.
double backed_up_sum(const PlayoutAtNode& playout, std::size_t array, const Tree& tree, const NodeLayout& layout) {
  const Node& node = playout.node;
  if (const NodeIndex below = node.child(playout.child); below != kNoNode) {
    const Node child = tree.at(below);
    const Ledger ledger = child.ledger();
    const double sum = seen_by(node.chooser(), child.chooser(), ledger.sum(array), ledger.weight(), layout);
    // Divided first: without decay this is a division of equals, and the sum stays exact.
    if (ledger.scale() != 0) return sum * (static_cast<double>(node.visits(playout.child)) / ledger.weight());
  }
  return node.backed_up(array)[playout.child] + to_double(playout.rewards[player_in(array, node.chooser(), layout)]);
}

}  // namespace

void Accelerated::back_up(const PlayoutAtNode& playout, const Tree& tree, const Rules& rules) {
  const Node& node = playout.node;
  const NodeLayout& layout = rules.layout;
  const Ledger ledger = node.ledger();
  if (ledger.scale() == 0) open_ledger(playout, layout);
  if (playout.child == PlayoutAtNode::kNoChild) {
    ledger.weight() += ledger.scale();
    for (std::size_t array = 0; array < layout.backed_up; ++array) {
      ledger.sum(array) += ledger.scale() * to_double(playout.rewards[player_in(array, node.chooser(), layout)]);
    }
    return;
  }
  const double scale = grown_scale(node, rules);
  const auto visits = static_cast<double>(node.visits(playout.child));
  double& weight = node.weights(layout)[playout.child];
  const double old_weight = weight;
  weight = (old_weight * (visits - 1) + scale) / visits;  // eq. 6, by the visit
  ledger.weight() += scale;
  for (std::size_t array = 0; array < layout.backed_up; ++array) {
    double& sum = node.backed_up(array)[playout.child];
    const double old_sum = sum;
    sum = backed_up_sum(playout, array, tree, layout);
    ledger.sum(array) += sum * weight - old_sum * old_weight;
  }
  keep_in_range(node, layout);
}

}  // namespace tesuji
