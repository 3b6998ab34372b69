// The scan of select.hpp, four children at a time. The equations of the rules stay what they are, functions of single
// numbers: called for four children in a row and inlined here, they become vector instructions.
//
// Where other threads may be writing the arrays, they are read number by number.
#pragma once

#include "core/cpu.hpp"
#include "rules/informed.hpp"
#include "rules/select.hpp"

#if TESUJI_HAS_AVX2
#include <immintrin.h>

TESUJI_AVX2_BEGIN
namespace tesuji {

template <class Selection>
concept ReadsValueAlone = requires { requires Selection::kReadsValueAlone; };

template <class Selection, class Backup, class Rave = NoRave>
struct Avx2Scan {
  using Rule = Backup;
  static constexpr std::uint32_t kLanes = 4;
  using Numbers = std::array<double, kLanes>;
  using Arrays = Candidates<Backup, Rave>;

  static std::uint32_t best(const Arrays& candidates, const ParentTerms& parent, const Parameters& parameters) {
    if (candidates.children.count < kLanes) {
      return PortableScan<Selection, Backup>::best(candidates, parent, parameters);
    }
    return best_of(candidates, [&](std::uint32_t first, __m128i counts, __m256d visits) {
      return scores_of(candidates, first, counts, visits, parent, parameters);
    });
  }

  // For at least four children.
  static std::uint32_t best_with_rave(const Arrays& candidates, const ParentTerms& parent,
                                      const Parameters& parameters) {
    const Rave rave(parent, parameters);
    return best_of(candidates, [&](std::uint32_t first, __m128i counts, __m256d visits) {
      return scores_with_rave(candidates, first, counts, visits, parent, rave, parameters);
    });
  }

 private:
  template <class Scores>
  static std::uint32_t best_of(const Arrays& candidates, const Scores& scores_at) {
    const Node::Children& children = candidates.children;
    __m256d best_scores = _mm256_set1_pd(-std::numeric_limits<double>::infinity());
    __m256i best_children = _mm256_setzero_si256();
    for (std::uint32_t next = 0; next < children.count; next += kLanes) {
      // The last four overlap the four before: a child looked at twice changes nothing.
      const std::uint32_t first = std::min(next, children.count - kLanes);
      const __m128i counts = load(candidates, RelaxedArray(children.visits_array), first);
      const __m256d visits = to_doubles(_mm256_cvtepu32_epi64(counts), 1.0);
      const __m256d scores = scores_at(first, counts, visits);
      const __m256i indices = _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_setr_epi64x(0, 1, 2, 3));
      const __m256d better = _mm256_cmp_pd(scores, best_scores, _CMP_GT_OQ);
      best_children = _mm256_blendv_epi8(best_children, indices, _mm256_castpd_si256(better));
      best_scores = _mm256_max_pd(scores, best_scores);
    }
    return first_of_best(best_scores, best_children);
  }

  static __m256d load(const Arrays& candidates, RelaxedArray<double> numbers, std::uint32_t first) {
    if (!candidates.shared) return _mm256_loadu_pd(numbers.data() + first);
    return _mm256_setr_pd(numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]);
  }
  static __m128i load(const Arrays& candidates, RelaxedArray<std::uint32_t> numbers, std::uint32_t first) {
    if (!candidates.shared) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers.data() + first));
    const auto at = [&](std::uint32_t lane) { return static_cast<int>(std::uint32_t{numbers[first + lane]}); };
    return _mm_setr_epi32(at(0), at(1), at(2), at(3));
  }

  // Integers times `unit`, a power of two. Exact below 2^52, where all visits and sums of rewards are: such a number
  // fits into the fraction of 2^52 units, which are then taken off.
  static __m256d to_doubles(__m256i integers, double unit) {
    const __m256d base = _mm256_set1_pd(0x1.0p52 * unit);
    return _mm256_sub_pd(_mm256_or_pd(_mm256_castsi256_pd(integers), base), base);
  }

  // Of no visits, anything. Four single loads: gathering them took more than twice as long.
  static __m256d inverse_root(const double* table, __m128i counts, __m256d visits) {
    if (!_mm_testz_si128(counts, _mm_set1_epi32(~static_cast<int>(VisitTable::kSize - 1)))) {
      return _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_sqrt_pd(visits));
    }
    const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(counts));
    const auto high = static_cast<std::uint64_t>(_mm_extract_epi64(counts, 1));
    return _mm256_setr_pd(table[low & 0xffffffff], table[low >> 32], table[high & 0xffffffff], table[high >> 32]);
  }

  static __m256d sums(const Arrays& candidates, std::uint32_t first) {
    if constexpr (Backup::kReadsBackedUp) return load(candidates, candidates.backed_up, first);
    const RelaxedArray<Reward> rewards(candidates.children.rewards_array + first);
    const __m256i four = candidates.shared ? _mm256_setr_epi64x(rewards[0], rewards[1], rewards[2], rewards[3])
                                           : _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rewards.data()));
    return to_doubles(four, to_double(1));
  }

  // The terms of four children, a number for each.
  struct Terms {
    Numbers value;
    Numbers visits;
    Numbers inverse_root;
  };

  static Terms terms_of(const Arrays& candidates, std::uint32_t first, __m128i counts, __m256d visits) {
    Terms terms;
    _mm256_storeu_pd(terms.value.data(), _mm256_div_pd(sums(candidates, first), visits));
    __m256d inverse_roots = inverse_root(kVisitTable.inverse_roots(), counts, visits);
    if constexpr (Backup::kDiscountsVisits) {
      const __m256d ratios = root_ratios(candidates, first);
      inverse_roots = _mm256_mul_pd(inverse_roots, ratios);
      visits = _mm256_div_pd(visits, _mm256_mul_pd(ratios, ratios));
      visits = _mm256_max_pd(visits, _mm256_set1_pd(Backup::kLeastVisits));
    }
    _mm256_storeu_pd(terms.visits.data(), visits);
    _mm256_storeu_pd(terms.inverse_root.data(), inverse_roots);
    return terms;
  }

  // Discounted::root_ratio() of four children. Left to the compiler, each of them would be a branch.
  static __m256d root_ratios(const Arrays& candidates, std::uint32_t first) {
    const __m256d scale = _mm256_set1_pd(candidates.root_of_scale);
    const __m256d ratios = _mm256_mul_pd(load(candidates, candidates.weights, first), scale);
    return _mm256_blendv_pd(ratios, _mm256_set1_pd(1.0), is_zero(ratios));
  }

  static __m256d scores_by(const Terms& terms, const ParentTerms& parent, const Parameters& parameters) {
    Numbers scores;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const ChildTerms child{terms.value[lane], terms.visits[lane], terms.inverse_root[lane]};
      scores[lane] = Selection::score(parent, child, parameters);
    }
    return _mm256_loadu_pd(scores.data());
  }

  static __m256d scores_of(const Arrays& candidates, std::uint32_t first, __m128i counts, __m256d visits,
                           const ParentTerms& parent, const Parameters& parameters) {
    const __m256d scores = scores_by(terms_of(candidates, first, counts, visits), parent, parameters);
    return _mm256_blendv_pd(scores, _mm256_set1_pd(parameters.fpu), is_zero(visits));
  }

  static __m256d is_zero(__m256d numbers) { return _mm256_cmp_pd(numbers, _mm256_setzero_pd(), _CMP_EQ_OQ); }

  // As InformedScan has it.
  static __m256d scores_with_rave(const Arrays& candidates, std::uint32_t first, __m128i counts, __m256d visits,
                                  const ParentTerms& parent, const Rave& rave, const Parameters& parameters) {
    const __m256d unvisited = is_zero(visits);
    Terms terms;
    __m256d own_sum = sums(candidates, first);
    __m256d own_weight = visits;
    if constexpr (Backup::kDiscountsVisits) {
      terms = terms_of(candidates, first, counts, visits);
      own_weight = _mm256_andnot_pd(unvisited, _mm256_loadu_pd(terms.visits.data()));
      own_sum = _mm256_andnot_pd(unvisited, _mm256_mul_pd(own_sum, _mm256_div_pd(own_weight, visits)));
    } else if constexpr (!ReadsValueAlone<Selection>) {
      _mm256_storeu_pd(terms.visits.data(), visits);
      const double* inverse_roots = kVisitTable.inverse_roots();
      _mm256_storeu_pd(terms.inverse_root.data(), inverse_root(inverse_roots, counts, visits));
    }
    const __m128i rave_counts = load(candidates, candidates.rave_visits, first);
    const __m256d rave_visits = to_doubles(_mm256_cvtepu32_epi64(rave_counts), kRaveUnit);
    Numbers own, of_rave, weight;
    _mm256_storeu_pd(own.data(), own_weight);
    _mm256_storeu_pd(of_rave.data(), rave_visits);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) weight[lane] = rave.visit_weight(own[lane], of_rave[lane]);
    const __m256d visit_weight = _mm256_andnot_pd(is_zero(rave_visits), _mm256_loadu_pd(weight.data()));
    const __m256d rave_sum = _mm256_mul_pd(visit_weight, load(candidates, candidates.rave_rewards, first));
    const __m256d all = _mm256_add_pd(own_weight, _mm256_mul_pd(visit_weight, rave_visits));
    const __m256d value = _mm256_div_pd(_mm256_add_pd(own_sum, rave_sum), all);
    const __m256d urgency = _mm256_blendv_pd(value, _mm256_set1_pd(parameters.fpu), is_zero(all));
    if constexpr (ReadsValueAlone<Selection>) return urgency;  // the value where there are visits of either kind
    _mm256_storeu_pd(terms.value.data(), value);
    return _mm256_blendv_pd(scores_by(terms, parent, parameters), urgency, unvisited);
  }

  // The lowest child among the lanes with the highest score. Without branches: which lane that is cannot be predicted.
  static std::uint32_t first_of_best(__m256d scores, __m256i children) {
    __m256d highest = _mm256_max_pd(scores, _mm256_permute2f128_pd(scores, scores, 1));
    highest = _mm256_max_pd(highest, _mm256_permute_pd(highest, 0b0101));
    const __m256d is_lower = _mm256_cmp_pd(scores, highest, _CMP_LT_OQ);
    __m256i first = _mm256_or_si256(children, _mm256_castpd_si256(is_lower));
    first = _mm256_min_epu32(first, _mm256_permute4x64_epi64(first, 0b01'00'11'10));
    first = _mm256_min_epu32(first, _mm256_shuffle_epi32(first, 0b01'00'11'10));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(first)));
  }
};

// select_informed() for RAVE without a bias and without widening.
template <class Selection, class Backup, class Rave>
std::uint32_t select_rave_avx2(const Node& node, std::uint32_t parent_visits, const Rules& rules) {
  using Scan = Avx2Scan<Selection, Backup, Rave>;
  if (node.child_count() < Scan::kLanes || skips_rave(parent_visits, rules.parameters)) {
    return select_informed<Selection, Backup, Rave>(node, parent_visits, rules);
  }
  return Scan::best_with_rave(Candidates<Backup, Rave>(node, rules.layout), parent_terms<Backup>(node, parent_visits),
                              rules.parameters);
}

}  // namespace tesuji
TESUJI_AVX2_END
#endif
