#include "rules/discounted.hpp"

#include <array>

namespace tesuji {
namespace {

// What the ledger keeps of s^D / s; see discounted.hpp. With the same decay nearly all nodes of as many visits have the
// same s^D, to the last bit: the last one asked for is remembered with its logarithm.
class KeptRatios {
 public:
  double of(double discounted, std::uint32_t visits) {
    if (visits >= Discounted::kManyVisits) return discounted / visits;
    Entry& entry = entries_[visits];
    if (entry.discounted != discounted) [[unlikely]]
      entry = {discounted, std::log(discounted / visits)};
    return entry.log_ratio;
  }

 private:
  struct Entry {
    double discounted = 0;
    double log_ratio = 0;
  };
  std::array<Entry, Discounted::kManyVisits> entries_;
};

// Nothing has been discounted before the first backup.
inline void open_ledger(const Node& node, const PathStep& above) {
  const Ledger ledger = node.ledger();
  if (ledger.scale() != 0) [[likely]]
    return;
  ledger.scale() = 1;
  ledger.weight() = static_cast<double>(above.parent.visits(above.child) - 1);
}

// One more playout through the node, eq. 3 for s^D.
inline void add_to_node(const Node& node, const PathStep& above, double decay, KeptRatios& ratios) {
  const Ledger ledger = node.ledger();
  const double discounted = ledger.weight() * decay + 1;
  ledger.weight() = discounted;
  ledger.sum(0) = ratios.of(discounted, above.parent.visits(above.child));
}

// One more playout of the child.
inline void add_to_child(const Node& node, std::uint32_t child, double scale, double reward) {
  const auto visits = static_cast<double>(node.visits(child));
  double& inverse_root = node.weights(kOneArray)[child];
  double& sum = node.backed_up(0, kOneArray)[child];
  if (inverse_root == 0) {
    sum = visits * reward;
    inverse_root = std::sqrt(visits / scale);
    return;
  }
  const double inverse = inverse_root * inverse_root;
  const double newest = scale * inverse;  // what this playout weighs, an older one having the weight 1
  // Without decay this is a division of equals, and the sum stays exact.
  const double share = visits / (visits - 1 + newest);
  sum = (sum + newest * reward) * share;      // eq. 4
  inverse_root = std::sqrt(inverse * share);  // eq. 3
}

}  // namespace

void Discounted::back_up(const Playout& playout, const Tree& tree, const Rules& rules) {
  thread_local KeptRatios kept_ratios;
  KeptRatios& ratios = kept_ratios;
  if (playout.leaf != kNoNode) {
    const Node leaf = tree.at(playout.leaf);
    open_ledger(leaf, playout.path.back());
    add_to_node(leaf, playout.path.back(), 1, ratios);
  }
  // The root first: the next selection begins there, and no node waits for another.
  for (std::size_t step = 1; step < playout.path.size(); ++step) {
    const Node node = playout.path[step].parent;
    const PathStep& above = playout.path[step - 1];
    open_ledger(node, above);
    add_to_node(node, above, node.chooser() == kChance ? 1 : rules.parameters.decay, ratios);
    const double reward = to_double(playout.rewards[player_of(node.chooser())]);
    add_to_child(node, playout.path[step].child, grown_scale(node, rules.growth), reward);
    // Beyond the bound a weight is as good as none, and what is computed from a larger inverse root could overflow.
    keep_in_range(node, kOneArray, [](double old) { return std::min(old * std::sqrt(kTooLarge), 0x1p300); });
  }
}

}  // namespace tesuji
