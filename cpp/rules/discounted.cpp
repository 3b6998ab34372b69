#include "rules/discounted.hpp"

namespace tesuji {
namespace {

// One more playout through the node: its s^D, per visit like the weights of its children, so that a virtual loss counts
// here too.
void add_to_node(const Node& node, const PathStep& above, double scale) {
  const auto visits = static_cast<double>(above.parent.visits(above.child));
  double& weight = node.ledger().weight();
  weight = (weight * (visits - 1) + scale) / visits;
}

// Nothing has been discounted before the first backup.
void open_ledger(const Node& node) {
  if (node.ledger().scale() == 0) node.ledger().scale() = node.ledger().weight() = 1;
}

}  // namespace

void Discounted::back_up(const Playout& playout, const Tree& tree, const Rules& rules) {
  if (playout.leaf != kNoNode) {
    const Node leaf = tree.at(playout.leaf);
    open_ledger(leaf);
    add_to_node(leaf, playout.path.back(), leaf.ledger().scale());
  }
  for (std::size_t step = playout.path.size(); --step > 0;) {
    const Node node = playout.path[step].parent;
    const std::uint32_t child = playout.path[step].child;
    open_ledger(node);
    const double scale = grown_scale(node, rules.growth);
    add_to_node(node, playout.path[step - 1], scale);

    const auto visits = static_cast<double>(node.visits(child));
    const double reward = to_double(playout.rewards[player_of(node.chooser())]);
    double& inverse_root = node.weights(rules.layout)[child];
    double& sum = node.backed_up(0, rules.layout)[child];
    const double weight = visit_weight(inverse_root);
    const double discounted_visits = weight * (visits - 1) + scale;  // eq. 3
    // eq. 4. Divided before it multiplies: without decay this is a division of equals, and the sum stays exact.
    sum = (sum * weight + scale * reward) * (visits / discounted_visits);
    inverse_root = std::sqrt(visits / discounted_visits);
    // Beyond the bound a weight is as good as none, and a larger inverse root would overflow one day.
    keep_in_range(node, rules.layout, [](double old) { return std::min(old * std::sqrt(kTooLarge), 0x1p500); });
  }
}

}  // namespace tesuji
