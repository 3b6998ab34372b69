#include "search/select.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tesuji {

std::uint32_t highest_score(const Node& node, std::uint32_t parent_visits, const Rules& rules) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double urgency = rules.parameters.fpu;
  ChildBatch batch;
  batch.parent_visits = std::max<double>(parent_visits, 1);
  batch.log_parent_visits = std::log(batch.parent_visits);

  std::uint32_t best = 0;
  double best_score = -kInfinity;
  for (std::uint32_t first = 0; first < node.child_count(); first += ChildBatch::kCapacity) {
    const std::uint32_t count = std::min<std::uint32_t>(node.child_count() - first, ChildBatch::kCapacity);
    bool any_unvisited = false;
    for (std::uint32_t j = 0; j < count; ++j) {
      const std::uint32_t visits = node.visits(first + j);
      if (visits == 0) {
        // Nothing beats an infinite urgency, and of equals the first is taken: no need to look further.
        if (urgency == kInfinity) return first + j;
        any_unvisited = true;
      }
      batch.visits[j] = std::max<double>(visits, 1);
      batch.rewards[j] = static_cast<double>(node.rewards(first + j)) * (1.0 / static_cast<double>(kRewardOne));
    }
    batch.count = static_cast<int>(count);
    batch.padded_count = (batch.count + ChildBatch::kVector - 1) / ChildBatch::kVector * ChildBatch::kVector;
    for (int j = batch.count; j < batch.padded_count; ++j) {
      batch.visits[j] = 1;
      batch.rewards[j] = 0;
    }
    rules.value(batch, rules.parameters);
    rules.selection(batch, rules.parameters);
    for (std::uint32_t j = 0; j < count; ++j) {
      const double score = any_unvisited && node.visits(first + j) == 0 ? urgency : batch.score[j];
      if (score > best_score) {
        best_score = score;
        best = first + j;
      }
    }
  }
  return best;
}

}  // namespace tesuji
