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

// Nothing has been discounted before the first backup: `playouts` were made at the node before it had children.
inline void open_ledger(const Node& node, double playouts) {
  node.ledger().scale() = 1;
  node.ledger().weight() = playouts;
}

// One more playout through the node, eq. 3 for s^D; `visits` with it.
inline void add_to_node(const Node& node, double decay, std::uint32_t visits, KeptRatios& ratios) {
  const Ledger ledger = node.ledger();
  const double discounted = ledger.weight() * decay + 1;
  ledger.weight() = discounted;
  ledger.sum(0) = ratios.of(discounted, visits);
}

// One more playout of the child.
[[gnu::always_inline]] inline void add_to_child(const Node& node, std::uint32_t child, double scale, double reward,
                                                const NodeLayout& layout) {
  const auto visits = static_cast<double>(count_playout(node, child, layout));
  const Relaxed<double> inverse_root = node.weights(layout)[child];
  const Relaxed<double> sum = node.backed_up(0, layout)[child];
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

// How many playouts went through a node, by the child that it belongs to; with this one, which that child has had.
inline std::uint32_t playouts_through(const PathStep& above, const NodeLayout& layout) {
  return counted(above.parent, above.child, layout);
}

[[gnu::always_inline]] inline void ensure_open(const PathStep& here, const PathStep& above, const NodeLayout& layout) {
  ensure_open(here.parent, above, layout, [&](std::uint32_t playouts) { open_ledger(here.parent, playouts); });
}

// The node that the end of a path has become, by an evaluator or by another thread: where it is opened, this playout
// belongs to its virtual child.
[[gnu::always_inline]] inline void add_to_leaf(const Playout& playout, const Tree& tree, KeptRatios& ratios,
                                               const NodeLayout& layout) {
  const PathStep& last = playout.path.back();
  const NodeIndex index = layout.has_counted ? last.parent.child(last.child) : playout.leaf;
  if (index == kNoNode) return;
  const Node leaf = tree.at(index);
  const NodeLock lock(leaf, layout);
  if (leaf.ledger().scale() != 0) add_to_node(leaf, 1, playouts_through(last, layout), ratios);
}

[[gnu::always_inline]] inline void back_up_path(const Playout& playout, const Tree& tree, const Rules& rules,
                                                const NodeLayout& layout) {
  thread_local KeptRatios kept_ratios;
  KeptRatios& ratios = kept_ratios;
  if (layout.has_counted) {
    for (std::size_t step = 1; step < playout.path.size(); ++step) {
      ensure_open(playout.path[step], playout.path[step - 1], layout);
    }
    const PathStep& root = playout.path.front();
    const NodeLock lock(root.parent, layout);
    count_playout(root.parent, root.child, layout);
  }
  // The root first: the next selection begins there, and no node waits for another.
  for (std::size_t step = 1; step < playout.path.size(); ++step) {
    const Node node = playout.path[step].parent;
    const PathStep& above = playout.path[step - 1];
    ensure_open(playout.path[step], above, layout);
    const NodeLock lock(node, layout);
    add_to_node(node, node.chooser() == kChance ? 1 : rules.parameters.decay, playouts_through(above, layout), ratios);
    const double reward = to_double(playout.rewards[player_of(node.chooser())]);
    add_to_child(node, playout.path[step].child, grown_scale(node, rules.growth), reward, layout);
    // Beyond the bound a weight is as good as none, and what is computed from a larger inverse root could overflow.
    keep_in_range(node, layout, [](double old) { return std::min(old * std::sqrt(kTooLarge), 0x1p300); });
    if (step + 1 == playout.path.size()) add_to_leaf(playout, tree, ratios, layout);
  }
}

}  // namespace

void Discounted::back_up(const Playout& playout, const Tree& tree, const Rules& rules) {
  if (rules.layout.has_counted) {
    back_up_path(playout, tree, rules, rules.layout);
  } else {
    back_up_path(playout, tree, rules, kOneArray);
  }
}

}  // namespace tesuji
