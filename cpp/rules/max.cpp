#include "rules/max.hpp"

#include <optional>

namespace tesuji {
namespace {

double value_of(const Node& node, std::size_t array, std::uint32_t child, const NodeLayout& layout) {
  return node.backed_up(array, layout)[child] / static_cast<double>(counted(node, child, layout));
}

// The visited child of the highest value for the player who chooses, the first of equals.
std::optional<std::uint32_t> best_child(const Node& node, const NodeLayout& layout) {
  const std::size_t array = node.chooser_array(layout);
  std::optional<std::uint32_t> best;
  double highest = 0;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    if (counted(node, child, layout) == 0) continue;
    const double value = value_of(node, array, child, layout);
    if (best && value <= highest) continue;
    best = child;
    highest = value;
  }
  return best;
}

// Over the outcomes seen so far.
std::optional<double> expectation(const Node& node, std::size_t array, const NodeLayout& layout) {
  double sum = 0;
  double seen = 0;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    if (counted(node, child, layout) == 0) continue;
    const auto probability = static_cast<double>(node.prior(child, layout));
    sum += probability * value_of(node, array, child, layout);
    seen += probability;
  }
  if (seen == 0) return std::nullopt;
  return sum / seen;
}

// What a node is worth by its children, as the player who chooses it sees it; nothing while none was visited.
std::optional<double> by_children(const Node& node, int chooser, std::size_t array, const NodeLayout& layout) {
  std::optional<double> value;
  if (node.chooser() == kChance) {
    value = expectation(node, array, layout);
  } else if (const std::optional<std::uint32_t> best = best_child(node, layout)) {
    value = value_of(node, array, *best, layout);
  }
  if (!value) return std::nullopt;
  return seen_by(chooser, node.chooser(), *value, 1, layout);
}

}  // namespace

void Max::back_up(const Playout& playout, const Tree& tree, const Rules& rules) {
  const NodeLayout& layout = rules.layout;
  for (std::size_t step = playout.path.size(); --step > 0;) {
    const Node parent = playout.path[step].parent;
    const std::uint32_t child = playout.path[step].child;
    const NodeLock lock(parent, layout);
    const auto visits = static_cast<double>(count_playout(parent, child, layout));
    const NodeIndex below = parent.child(child);
    for (std::size_t array = 0; array < layout.backed_up; ++array) {
      std::optional<double> value;
      if (below != kNoNode) value = by_children(tree.at(below), parent.chooser(), array, layout);
      const double judged = to_double(playout.rewards[player_in(array, parent.chooser(), layout)]);
      parent.backed_up(array, layout)[child] = visits * value.value_or(judged);
    }
  }
}

}  // namespace tesuji
