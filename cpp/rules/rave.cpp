#include "rules/rave.hpp"

#include <cmath>

#include "core/cpu.hpp"
#include "rules/backed_up.hpp"

#if TESUJI_HAS_AVX2
#include <immintrin.h>
#endif

namespace tesuji {
namespace {

// A node on the path of a playout, as the update sees it.
struct RaveNode {
  RaveNode(const Node& node, const Playout& playout, const NodeLayout& layout)
      : count(node.child_count()),
        chooser(node.chooser()),
        reward(to_double(playout.rewards[player_of(node.chooser())])),
        moves(node.moves()),
        rewards(node.rave_rewards(layout)),
        visits(node.rave_visits(layout)) {}

  void add(std::uint32_t child, std::uint32_t weight) const {
    rewards[child] += static_cast<double>(weight) * kRaveUnit * reward;
    visits[child] += weight;
  }

  void keep_in_range() const {
    for (std::uint32_t child = 0; child < count; ++child) {
      if (visits[child] < kMostRaveVisits) continue;
      visits[child] /= 2;
      rewards[child] /= 2;
    }
  }

  std::uint32_t count;
  int chooser;
  double reward;
  const Move* moves;
  RelaxedArray<double> rewards;
  RelaxedArray<std::uint32_t> visits;
};

// Without a branch: whether a move came is a coin's toss.
void add_all(const RaveNode& node, const FirstPlays& first, std::uint32_t from) {
  std::uint32_t highest = 0;
  for (std::uint32_t child = from; child < node.count; ++child) {
    node.add(child, first.ply(node.chooser, node.moves[child]) == FirstPlays::kNever ? 0 : kRaveVisit);
    highest = std::max(highest, std::uint32_t{node.visits[child]});
  }
  if (highest >= kMostRaveVisits) [[unlikely]]
    node.keep_in_range();
}

#if TESUJI_HAS_AVX2
TESUJI_AVX2_BEGIN
// The same, eight children at a time, for a thread that has the tree for itself.
void add_all_avx2(const RaveNode& node, const FirstPlays& first) {
  constexpr std::uint32_t kLanes = 8;
  const std::span<const std::uint32_t> stamps = first.stamps(node.chooser);
  // Signed comparisons do: there are fewer than 2^31 moves, and stamps begin anew before.
  const __m256i most = _mm256_set1_epi32(static_cast<int>(stamps.size()));
  const __m256i before = _mm256_set1_epi32(static_cast<int>(first.stamp() - 1));
  const __m256d reward = _mm256_set1_pd(node.reward);
  std::uint32_t child = 0;
  __m256i all_visits = _mm256_setzero_si256();
  for (; child + kLanes <= node.count; child += kLanes) {
    const __m256i moves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(node.moves + child));
    const __m256i known = _mm256_cmpgt_epi32(most, moves);
    const __m256i found = _mm256_mask_i32gather_epi32(
        _mm256_setzero_si256(), reinterpret_cast<const int*>(stamps.data()), moves, known, sizeof(std::uint32_t));
    const __m256i came = _mm256_cmpgt_epi32(found, before);
    auto* visits = reinterpret_cast<__m256i*>(node.visits.data() + child);
    const __m256i weight = _mm256_and_si256(came, _mm256_set1_epi32(static_cast<int>(kRaveVisit)));
    const __m256i more_visits = _mm256_add_epi32(_mm256_loadu_si256(visits), weight);
    _mm256_storeu_si256(visits, more_visits);
    all_visits = _mm256_or_si256(all_visits, more_visits);
    const __m256d low = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(came)));
    const __m256d high = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_extracti128_si256(came, 1)));
    double* rewards = node.rewards.data() + child;
    _mm256_storeu_pd(rewards, _mm256_add_pd(_mm256_loadu_pd(rewards), _mm256_and_pd(low, reward)));
    _mm256_storeu_pd(rewards + 4, _mm256_add_pd(_mm256_loadu_pd(rewards + 4), _mm256_and_pd(high, reward)));
  }
  if (_mm256_movemask_ps(_mm256_castsi256_ps(all_visits)) != 0) [[unlikely]]
    node.keep_in_range();
  add_all(node, first, child);
}
TESUJI_AVX2_END
#endif

bool somebody_else_was_first(const FirstPlays& first, int chooser, Move move, std::uint32_t came) {
  for (int player = 0; player < kMaxPlayers; ++player) {
    if (player != chooser && first.ply(player, move) < came) return true;
  }
  return false;
}

// With the options: what comes earlier counts for more, and what an opponent did before counts for nothing.
void add_weighted(const RaveNode& node, const FirstPlays& first, std::uint32_t ply, std::uint32_t length,
                  const Parameters& parameters) {
  for (std::uint32_t child = 0; child < node.count; ++child) {
    const Move move = node.moves[child];
    const std::uint32_t came = first.ply(node.chooser, move);
    if (came == FirstPlays::kNever) continue;
    if (parameters.rave_check_same && somebody_else_was_first(first, node.chooser, move, came)) continue;
    const double nearness =
        parameters.rave_distance ? 2 - static_cast<double>(came - ply) / static_cast<double>(length - ply) : 1.0;
    node.add(child, static_cast<std::uint32_t>(std::lround(nearness / kRaveUnit)));
  }
  node.keep_in_range();
}

}  // namespace

// Last ply first, so that `first` has at every node just the plies from there on.
void update_rave(const Playout& playout, std::span<const PlayedMove> moves, FirstPlays& first, const Rules& rules) {
  const Parameters& parameters = rules.parameters;
  const bool has_options = parameters.rave_distance || parameters.rave_check_same;
  const auto length = static_cast<std::uint32_t>(moves.size());
  const auto tree_plies = static_cast<std::uint32_t>(playout.path.size()) - 1;
  first.begin(length);
  for (std::uint32_t ply = length; ply-- > tree_plies;) first.set(moves[ply], ply);
  for (std::uint32_t ply = tree_plies; ply-- > 0;) {
    first.set(moves[ply], ply);
    const Node node = playout.path[ply + 1].parent;
    if (node.chooser() == kChance) continue;
    const NodeLock lock(node, rules.layout);
    const RaveNode rave_node(node, playout, rules.layout);
    if (has_options) {
      add_weighted(rave_node, first, ply, length, parameters);
      continue;
    }
#if TESUJI_HAS_AVX2
    if (rules.cpu_path == CpuPath::kAvx2 && !rules.layout.shared) {
      add_all_avx2(rave_node, first);
      continue;
    }
#endif
    add_all(rave_node, first, 0);
  }
}

}  // namespace tesuji
