// What the backup rules other than the mean have in common: how their numbers are kept, and how selection reads them.
//
// A child has, in the place that the sum of rewards has for the mean,
//
//   q_j = n_j r_j   with r_j the value that the rule gives it
//
// so that q_j / n_j is the value for all of them, and a virtual loss, a visit without a reward, lowers it as it lowers
// a mean. A rule that forgets also has, for the average visit of a child, the weight w_j. All weights of a node fade at
// once when its scale grows instead of them: a backup touches one child, whatever their number. Where nothing is
// forgotten all weights are 1 and q_j is the sum of rewards, to the last bit.
#pragma once

#include <algorithm>

#include "search/rules.hpp"

namespace tesuji {

// For selection: q_j stands for the sum of rewards.
struct BackedUp {
  static constexpr bool kReadsBackedUp = true;
  static constexpr bool kDiscountsVisits = false;
};

// The layout where one array is enough, as far as a rule that forgets needs it. A constant: the compiler then knows
// where everything is.
inline constexpr NodeLayout kOneArray{.backed_up = 1, .has_weights = true, .has_ledger = true};

// The visits of a child that the rule has seen: those whose playouts are under way in other threads are not among them.
inline std::uint32_t counted(const Node& node, std::uint32_t child, const NodeLayout& layout) {
  return layout.has_counted ? std::uint32_t{node.counted(layout)[child]} : node.visits(child);
}

// The same with the playout that is being backed up; the search has counted it in the visits already.
inline std::uint32_t count_playout(const Node& node, std::uint32_t child, const NodeLayout& layout) {
  if (layout.has_counted) node.counted(layout)[child] += 1;
  return counted(node, child, layout);
}

inline std::size_t player_of(int chooser) { return static_cast<std::size_t>(std::max(chooser, 0)); }

// A sum kept for the player who chooses at one node, over so many visits or so much weight, as the chooser at another
// has it. With an array for each player nothing needs to be turned round.
inline double seen_by(int other, int chooser, double sum, double weight, const NodeLayout& layout) {
  return layout.backed_up > 1 || player_of(other) == player_of(chooser) ? sum : weight - sum;
}

// The player whose rewards an array of a node has.
inline std::size_t player_in(std::size_t array, int chooser, const NodeLayout& layout) {
  return layout.backed_up > 1 ? array : player_of(chooser);
}

// Opens the ledger of a node where this playout is the first to come through it: `open(playouts)`, with the number of
// playouts that were made at the node before it had children. None that came through it has been counted above it yet;
// those that are under way and end there will find it open.
template <class Open>
[[gnu::always_inline]] inline void ensure_open(const Node& node, const PathStep& above, const NodeLayout& layout,
                                               const Open& open) {
  if (node.ledger().scale() != 0) [[likely]]
    return;
  const NodeLock lock_above(above.parent, layout);
  const NodeLock lock(node, layout);
  if (node.ledger().scale() != 0) return;
  const std::uint32_t seen = counted(above.parent, above.child, layout);
  open(layout.has_counted ? seen : seen - 1);
}

// The node's scale, grown for one more playout: what was there before now weighs lambda times as much. Where chance
// chooses, no visit tells more than an earlier one, and nothing is forgotten.
inline double grown_scale(const Node& node, double growth) {
  const Relaxed<double> scale = node.ledger().scale();
  if (node.chooser() != kChance) scale *= growth;
  return scale;
}

// Keeps the scale and the weights, which are measured in it, within the range of a double: by a power of two, so that
// nothing is rounded. `smaller(weight)` is a child's weight after that, as the rule writes weights. True where
// something was done: what else the rule measures in the scale has to follow.
inline constexpr double kTooLarge = 0x1p400;

template <class Smaller>
bool keep_in_range(const Node& node, const NodeLayout& layout, const Smaller& smaller) {
  const Ledger ledger = node.ledger();
  if (ledger.scale() < kTooLarge) [[likely]]
    return false;
  ledger.scale() /= kTooLarge;
  const RelaxedArray<double> weights = node.weights(layout);
  for (std::uint32_t child = 0; child < node.child_count(); ++child) weights[child] = smaller(weights[child]);
  return true;
}

}  // namespace tesuji
