#include "rules/rave.hpp"

#include <algorithm>
#include <bit>

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

// How much a move counts that came some plies later, in units of a RAVE visit: always one, or with the option from two
// at once to one at the end of the playout. In whole numbers, so that every path of the processor has the same.
class PlyWeights {
 public:
  PlyWeights(const Parameters& parameters, std::uint32_t plies_left)
      : at_once_((parameters.rave_distance ? 2 * kRaveVisit : kRaveVisit) * kScale + kScale / 2),
        less_a_ply_(parameters.rave_distance ? kRaveVisit * kScale / plies_left : 0) {}

  std::uint32_t of(std::uint32_t plies_later) const { return (at_once_ - plies_later * less_a_ply_) / kScale; }

  static constexpr std::uint32_t kScale = 1u << 16;
  std::uint32_t at_once() const { return at_once_; }
  std::uint32_t less_a_ply() const { return less_a_ply_; }

 private:
  std::uint32_t at_once_;
  std::uint32_t less_a_ply_;
};

// Without a branch: whether a move came is a coin's toss.
void add_all(const RaveNode& node, const FirstPlays& first, std::uint32_t ply, const PlyWeights& weights) {
  std::uint32_t highest = 0;
  for (std::uint32_t child = 0; child < node.count; ++child) {
    const std::uint32_t came = first.ply(node.chooser, node.moves[child]);
    node.add(child, came == FirstPlays::kNever ? 0 : weights.of(came - ply));
    highest = std::max(highest, std::uint32_t{node.visits[child]});
  }
  if (highest >= kMostRaveVisits) [[unlikely]]
    node.keep_in_range();
}

#if TESUJI_HAS_AVX2
TESUJI_AVX2_BEGIN
constexpr std::uint32_t kLanes = 8;

// The same, eight children at a time, for a thread that has the tree for itself. There are eight or more.
template <bool kByDistance>
void add_all_avx2(const RaveNode& node, const FirstPlays& first, std::uint32_t ply, const PlyWeights& weights) {
  const std::span<const std::uint32_t> stamps = first.stamps(node.chooser);
  // Signed comparisons do: there are fewer than 2^31 moves, and stamps begin anew before.
  const __m256i most = _mm256_set1_epi32(static_cast<int>(stamps.size()));
  const __m256i before = _mm256_set1_epi32(static_cast<int>(first.stamp() - 1));
  const __m256i here = _mm256_set1_epi32(static_cast<int>(first.stamp() + ply));
  const __m256i at_once = _mm256_set1_epi32(static_cast<int>(weights.at_once()));
  const __m256i less_a_ply = _mm256_set1_epi32(static_cast<int>(weights.less_a_ply()));
  const __m256d reward = _mm256_set1_pd(node.reward);
  const auto rewards_of = [reward](__m128i weight) {
    return _mm256_mul_pd(_mm256_mul_pd(_mm256_cvtepi32_pd(weight), _mm256_set1_pd(kRaveUnit)), reward);
  };
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256i all_visits = _mm256_setzero_si256();
  for (std::uint32_t next = 0; next < node.count; next += kLanes) {
    // The last eight overlap the eight before: those that were counted already count nothing.
    const std::uint32_t child = std::min(next, node.count - kLanes);
    const __m256i is_new = _mm256_cmpgt_epi32(lanes, _mm256_set1_epi32(static_cast<int>(next - child) - 1));
    const __m256i moves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(node.moves + child));
    const __m256i known = _mm256_cmpgt_epi32(most, moves);
    const __m256i found = _mm256_mask_i32gather_epi32(
        _mm256_setzero_si256(), reinterpret_cast<const int*>(stamps.data()), moves, known, sizeof(std::uint32_t));
    const __m256i came = _mm256_cmpgt_epi32(found, before);
    __m256i weight = _mm256_set1_epi32(static_cast<int>(kRaveVisit));
    if constexpr (kByDistance) {
      const __m256i less = _mm256_mullo_epi32(_mm256_sub_epi32(found, here), less_a_ply);
      weight = _mm256_srli_epi32(_mm256_sub_epi32(at_once, less), std::countr_zero(PlyWeights::kScale));
    }
    weight = _mm256_and_si256(weight, _mm256_and_si256(came, is_new));
    auto* visits = reinterpret_cast<__m256i*>(node.visits.data() + child);
    const __m256i more_visits = _mm256_add_epi32(_mm256_loadu_si256(visits), weight);
    _mm256_storeu_si256(visits, more_visits);
    all_visits = _mm256_or_si256(all_visits, more_visits);
    double* rewards = node.rewards.data() + child;
    const __m256d low = rewards_of(_mm256_castsi256_si128(weight));
    const __m256d high = rewards_of(_mm256_extracti128_si256(weight, 1));
    _mm256_storeu_pd(rewards, _mm256_add_pd(_mm256_loadu_pd(rewards), low));
    _mm256_storeu_pd(rewards + 4, _mm256_add_pd(_mm256_loadu_pd(rewards + 4), high));
  }
  if (_mm256_movemask_ps(_mm256_castsi256_ps(all_visits)) != 0) [[unlikely]]
    node.keep_in_range();
}
TESUJI_AVX2_END
#endif

bool somebody_else_was_first(const FirstPlays& first, int chooser, Move move, std::uint32_t came) {
  for (int player = 0; player < kMaxPlayers; ++player) {
    if (player != chooser && first.ply(player, move) < came) return true;
  }
  return false;
}

// What an opponent did before counts for nothing.
void add_checked(const RaveNode& node, const FirstPlays& first, std::uint32_t ply, const PlyWeights& weights) {
  for (std::uint32_t child = 0; child < node.count; ++child) {
    const Move move = node.moves[child];
    const std::uint32_t came = first.ply(node.chooser, move);
    if (came == FirstPlays::kNever || somebody_else_was_first(first, node.chooser, move, came)) continue;
    node.add(child, weights.of(came - ply));
  }
  node.keep_in_range();
}

}  // namespace

// Last ply first, so that `first` has at every node just the plies from there on.
void update_rave(const Playout& playout, std::span<const PlayedMove> moves, FirstPlays& first, const Rules& rules) {
  const Parameters& parameters = rules.parameters;
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
    const PlyWeights weights(parameters, length - ply);
    if (parameters.rave_check_same) {
      add_checked(rave_node, first, ply, weights);
      continue;
    }
#if TESUJI_HAS_AVX2
    if (rules.cpu_path == CpuPath::kAvx2 && !rules.layout.shared && rave_node.count >= kLanes) {
      const auto add = parameters.rave_distance ? add_all_avx2<true> : add_all_avx2<false>;
      add(rave_node, first, ply, weights);
      continue;
    }
#endif
    add_all(rave_node, first, ply, weights);
  }
}

}  // namespace tesuji
