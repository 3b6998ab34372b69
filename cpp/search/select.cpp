#include "search/select.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tesuji {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Exact for whole numbers from 0 to 2^52, which is all that counts and sums of rewards can be; unlike the conversion
// instruction it works on vectors of 64-bit integers everywhere: the number becomes the mantissa of 2^52 + x.
double exact_double(std::uint64_t x) {
  constexpr std::uint64_t kTwoTo52 = 0x4330000000000000u;
  return std::bit_cast<double>(kTwoTo52 | x) - 0x1.0p52;
}

void load(ChildBatch& batch, const Node& node, std::uint32_t first) {
  constexpr double kUnit = 1.0 / static_cast<double>(kRewardOne);
  const std::uint32_t* const visits = node.visits_data() + first;
  const Reward* const rewards = node.rewards_data() + first;
  for (int j = 0; j < batch.count; ++j) {
    batch.visits[j] = exact_double(visits[j]);
    batch.rewards[j] = exact_double(static_cast<std::uint64_t>(rewards[j])) * kUnit;
  }
  for (int j = batch.count; j < batch.padded_count; ++j) {
    batch.visits[j] = 1;
    batch.rewards[j] = 0;
  }
}

// The highest score of a batch. Four running maxima, compared at the end: a single one would wait for itself at every
// child.
double highest(const ChildBatch& batch) {
  constexpr int kLanes = ChildBatch::kVector;
  std::array<double, kLanes> lead;
  lead.fill(-kInfinity);
  for (int j = 0; j < batch.padded_count; j += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      lead[lane] = batch.score[j + lane] > lead[lane] ? batch.score[j + lane] : lead[lane];
    }
  }
  return std::max(std::max(lead[0], lead[1]), std::max(lead[2], lead[3]));
}

std::uint32_t first_with(double score, const ChildBatch& batch) {
  std::uint32_t j = 0;
  while (batch.score[j] != score) ++j;
  return j;
}

}  // namespace

std::uint32_t highest_score(const Node& node, std::uint32_t parent_visits, const Rules& rules) {
  const double urgency = rules.parameters.fpu;
  const std::uint32_t child_count = node.child_count();
  const std::uint32_t unvisited = node.first_unvisited();
  // Nothing beats an infinite urgency, and of equals the first is taken.
  if (unvisited < child_count && urgency == kInfinity) return unvisited;

  ChildBatch batch;
  batch.parent_visits = exact_double(std::max(parent_visits, 1u));
  batch.log_parent_visits = std::log(batch.parent_visits);
  std::uint32_t best = 0;
  double best_score = -kInfinity;
  for (std::uint32_t first = 0; first < child_count; first += ChildBatch::kCapacity) {
    batch.count = static_cast<int>(std::min<std::uint32_t>(child_count - first, ChildBatch::kCapacity));
    batch.padded_count = (batch.count + ChildBatch::kVector - 1) / ChildBatch::kVector * ChildBatch::kVector;
    load(batch, node, first);
    rules.value(batch, rules.parameters);
    rules.selection(batch, rules.parameters);
    if (unvisited < child_count) {
      for (int j = 0; j < batch.count; ++j) {
        if (batch.visits[j] == 0) batch.score[j] = urgency;
      }
    }
    for (int j = batch.count; j < batch.padded_count; ++j) batch.score[j] = -kInfinity;
    const double score = highest(batch);
    if (score > best_score) {
      best_score = score;
      best = first + first_with(score, batch);
    }
  }
  return best;
}

}  // namespace tesuji
