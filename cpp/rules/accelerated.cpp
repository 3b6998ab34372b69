#include "rules/accelerated.hpp"

#include <array>
#include <optional>

#include "rules/automatic_decay.hpp"

namespace tesuji {
namespace {

double reward_in(std::size_t array, const Node& node, const Playout& playout, const NodeLayout& layout) {
  return to_double(playout.rewards[player_in(array, node.chooser(), layout)]);
}

// Who chooses at a node, and what its ledger says: read together, while nobody else changes them.
struct Below {
  Below(const Node& node, const NodeLayout& layout) : chooser(node.chooser()), weight(node.ledger().weight()) {
    for (std::size_t array = 0; array < layout.backed_up; ++array) sums[array] = node.ledger().sum(array);
  }

  int chooser;
  double weight;
  std::array<double, kMaxPlayers> sums;
};

// The virtual child: all playouts through the node before this one were made at the node itself. Where threads share
// the tree some of them may still be under way: they come to the virtual child later (see back_up_leaf).
void open_ledger(const Node& node, const PathStep& above, std::uint32_t playouts, const NodeLayout& layout) {
  const Ledger ledger = node.ledger();
  ledger.scale() = 1;
  ledger.weight() = static_cast<double>(playouts);
  for (std::size_t array = 0; array < layout.backed_up; ++array) {
    const double own = above.parent.backed_up(array, layout)[above.child];
    ledger.sum(array) = seen_by(node.chooser(), above.parent.chooser(), own, ledger.weight(), layout);
  }
}

// One more playout of the virtual child.
void add_to_virtual_child(const Node& node, const Playout& playout, const NodeLayout& layout) {
  const Ledger ledger = node.ledger();
  ledger.weight() += ledger.scale();
  for (std::size_t array = 0; array < layout.backed_up; ++array) {
    ledger.sum(array) += ledger.scale() * reward_in(array, node, playout, layout);
  }
}

// One more playout of a child: eq. 6, and eq. 7 by the node below, where there is one that has been opened. The
// caller has the node for itself.
[[gnu::always_inline]] inline void add_to_child(const PathStep& at, const Below* below, double growth,
                                                const Playout& playout, const NodeLayout& layout) {
  const Node node = at.parent;
  const Ledger ledger = node.ledger();
  const double scale = grown_scale(node, growth);
  const auto visits = static_cast<double>(count_playout(node, at.child, layout));
  const Relaxed<double> weight = node.weights(layout)[at.child];
  const double old_weight = weight;
  const double new_weight = (old_weight * (visits - 1) + scale) / visits;  // eq. 6, by the visit
  weight = new_weight;
  ledger.weight() += scale;
  // Divided before it multiplies: without decay this is a division of equals, and all sums stay exact.
  const double share = below == nullptr ? 0 : visits / below->weight;
  for (std::size_t array = 0; array < layout.backed_up; ++array) {
    const Relaxed<double> sum = node.backed_up(array, layout)[at.child];
    const double old_sum = sum;
    const double new_sum = below == nullptr ? old_sum + reward_in(array, node, playout, layout)
                                            : share * seen_by(node.chooser(), below->chooser, below->sums[array],
                                                              below->weight, layout);  // eq. 7, times the visits
    sum = new_sum;
    const double others = ledger.sum(array) - old_sum * old_weight;
    ledger.sum(array) = others + new_sum * new_weight;
  }
  if (keep_in_range(node, layout, [](double old) { return old / kTooLarge; })) [[unlikely]] {
    ledger.weight() /= kTooLarge;
    for (std::size_t array = 0; array < layout.backed_up; ++array) ledger.sum(array) /= kTooLarge;
  }
}

[[gnu::always_inline]] inline void ensure_open(const Node& node, const PathStep& above, const NodeLayout& layout) {
  ensure_open(node, above, layout, [&](std::uint32_t playouts) { open_ledger(node, above, playouts, layout); });
}

// The end of a path. The child may have become a node, by an evaluator or by another thread; once that is opened, this
// playout belongs to its virtual child.
[[gnu::always_inline]] inline void back_up_leaf(const PathStep& last, double growth, const Playout& playout,
                                                const Tree& tree, const NodeLayout& layout) {
  const NodeLock lock(last.parent, layout);
  const NodeIndex index = layout.has_counted ? last.parent.child(last.child) : playout.leaf;
  std::optional<Below> below;
  if (index != kNoNode) {
    const Node leaf = tree.at(index);
    const NodeLock lock_leaf(leaf, layout);
    if (leaf.ledger().scale() != 0) {
      add_to_virtual_child(leaf, playout, layout);
      below.emplace(leaf, layout);
    }
  }
  add_to_child(last, below ? &*below : nullptr, growth, playout, layout);
}

// A node is locked while the one below is read: so whatever changes below is followed by a change here, and when all
// threads rest every value is that of the ledger below it.
[[gnu::always_inline]] inline Below locked_look(const Node& node, const NodeLayout& layout) {
  const NodeLock lock(node, layout);
  return Below(node, layout);
}

[[gnu::always_inline]] inline void back_up_path(const Playout& playout, const Tree& tree, const Rules& rules,
                                                const NodeLayout& layout) {
  const PathStep& root = playout.path.front();
  const double growth =
      rules.parameters.automatic_decay ? automatic_growth(tree, root.parent.visits(root.child)) : rules.growth;
  const std::size_t last = playout.path.size() - 1;
  if (last == 0) return;
  ensure_open(playout.path[last].parent, playout.path[last - 1], layout);
  back_up_leaf(playout.path[last], growth, playout, tree, layout);
  for (std::size_t step = last; --step > 0;) {
    const PathStep& here = playout.path[step];
    ensure_open(here.parent, playout.path[step - 1], layout);
    const NodeLock lock(here.parent, layout);
    const Below below = locked_look(playout.path[step + 1].parent, layout);
    add_to_child(here, &below, growth, playout, layout);
  }
}

}  // namespace

// With a layout that the compiler knows, half of the time is saved.
void Accelerated::back_up(const Playout& playout, const Tree& tree, const Rules& rules) {
  if (rules.layout.replaces_rewards() && !rules.layout.has_counted) {
    back_up_path(playout, tree, rules, kOneArray);
  } else {
    back_up_path(playout, tree, rules, rules.layout);
  }
}

}  // namespace tesuji
