#include "rules/mix.hpp"

#include <optional>

namespace tesuji {
namespace {

// The first of the children with the most visits, where a solver is at work of those that are not lost.
std::optional<std::uint32_t> most_visited(const Node& node, const NodeLayout& layout) {
  std::optional<std::uint32_t> best;
  std::uint32_t most = 0;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    const std::uint32_t visits = counted(node, child, layout);
    if (visits <= most || (layout.has_proofs && node.proofs(layout)[child] == Proof::kLoss)) continue;
    best = child;
    most = visits;
  }
  return best;
}

// How much more the children of a node are worth, all visits taken together, than their means say.
double beyond_means(const Node& node, std::size_t array, const NodeLayout& layout) {
  const RelaxedArray<double> values = node.backed_up(array, layout);
  const RelaxedArray<double> means = node.means(array, layout);
  double beyond = 0;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) beyond += values[child] - means[child];
  return beyond;
}

// The value of the child above a node, times its visits; `sum` is its sum of rewards.
double mixed(const PathStep& above, const Node& node, std::size_t array, double sum, const Rules& rules) {
  const NodeLayout& layout = rules.layout;
  const int chooser = above.parent.chooser();
  if (node.chooser() == kChance) {
    return sum + seen_by(chooser, kChance, beyond_means(node, array, layout), 0, layout);
  }
  const std::optional<std::uint32_t> best = most_visited(node, layout);
  if (!best) return sum;
  const auto visits = static_cast<double>(counted(node, *best, layout));
  const double weight = rules.parameters.mix_q * visits / (visits + rules.parameters.mix_m);
  const double robust = seen_by(chooser, node.chooser(), node.backed_up(array, layout)[*best], visits, layout) / visits;
  return (1 - weight) * sum + weight * (robust * static_cast<double>(counted(above.parent, above.child, layout)));
}

}  // namespace

void Mix::back_up(const Playout& playout, const Tree& tree, const Rules& rules) {
  const NodeLayout& layout = rules.layout;
  for (std::size_t step = playout.path.size(); --step > 0;) {
    const PathStep& here = playout.path[step];
    const NodeLock lock(here.parent, layout);
    count_playout(here.parent, here.child, layout);
    const NodeIndex below = here.parent.child(here.child);
    for (std::size_t array = 0; array < layout.backed_up; ++array) {
      const Relaxed<double> sum = here.parent.means(array, layout)[here.child];
      sum += to_double(playout.rewards[player_in(array, here.parent.chooser(), layout)]);
      here.parent.backed_up(array, layout)[here.child] =
          below == kNoNode ? double{sum} : mixed(here, tree.at(below), array, sum, rules);
    }
  }
}

}  // namespace tesuji
