// Selection by more than a child's own visits and value: RAVE, a bias by the prior, widening. Slower than the scans of
// select.hpp, and for every rule of selection and backup.
//
// A RAVE rule is made for a node and has a function
//
//   double visit_weight(double visits, double rave_visits)   for g_j of rave.hpp
//
// A child without visits has its RAVE value; where there is none, the first-play urgency.
#pragma once

#include "rules/rave.hpp"
#include "rules/select.hpp"
#include "rules/widening.hpp"

namespace tesuji {

template <class Selection>
concept ScoresUnvisited = requires { requires Selection::kScoresUnvisited; };

template <class Backup>
ParentTerms parent_terms(const Node& node, std::uint32_t parent_visits) {
  const double log_visits = log_node_visits<Backup>(node, parent_visits);
  return {.log_visits = log_visits,
          .root_log_visits = std::sqrt(log_visits),
          .visits = node_visits<Backup>(node, parent_visits)};
}

// What is known of a child: as rave.hpp has it, n_j r_j and n_j, and the same of RAVE in the weight of visits.
struct Mixture {
  double own_sum = 0;
  double own_weight = 0;
  double rave_sum = 0;
  double rave_weight = 0;

  bool knows_nothing() const { return own_weight + rave_weight == 0; }
  double value() const { return (own_sum + rave_sum) / (own_weight + rave_weight); }
};

// n_j r_j. Where nothing was discounted it is the sum of rewards to the last bit, which n_j times r_j need not be.
template <class Backup, class Rave>
double own_sum(const Candidates<Backup, Rave>& candidates, std::uint32_t child, double weight) {
  const std::uint32_t visits = candidates.children.visits(child);
  if (!Backup::kDiscountsVisits || visits == 0) return candidates.sum(child);
  return candidates.sum(child) * (weight / static_cast<double>(visits));
}

// Over those that were visited and are not proven; 1/2 where there is none.
template <class Backup, class Rave>
double mean_of_children(const Candidates<Backup, Rave>& candidates) {
  double sum = 0;
  double weights = 0;
  for (std::uint32_t child = 0; child < candidates.children.count; ++child) {
    const std::uint32_t visits = candidates.children.visits(child);
    if (visits == 0 || candidates.is_proven(child)) continue;
    const double weight = child_terms(candidates, child, visits).visits;
    sum += own_sum(candidates, child, weight);
    weights += weight;
  }
  return weights > 0 ? sum / weights : 0.5;
}

template <class Selection, class Backup, class Rave>
class InformedScan {
 public:
  InformedScan(const Node& node, std::uint32_t parent_visits, const Rules& rules)
      : node_(node),
        rules_(rules),
        candidates_(node, rules.layout),
        parent_(parent_terms<Backup>(node, parent_visits)),
        rave_(parent_, rules.parameters) {
    if constexpr (ScoresUnvisited<Selection>) parent_.value = mean_of_children(candidates_);
  }

  // The best of the first `count` children that are not proven, the first of equals. Children come by falling priors,
  // and without RAVE nothing else tells those without visits apart: the first of them stands for all. Most children of
  // a wide node have no visits, and to score them all was a seventh of a 9x9 Go search with PUCT.
  std::uint32_t best(std::uint32_t count) const {
    BestChild best;
    bool saw_unvisited = false;
    for (std::uint32_t child = 0; child < candidates_.children.count && count > 0; ++child) {
      if (candidates_.is_proven(child)) continue;
      --count;
      if constexpr (!kHasRave<Rave>) {
        if (candidates_.children.visits(child) == 0) {
          if (saw_unvisited) continue;
          saw_unvisited = true;
        }
      }
      best.consider(score(child), child);
    }
    return best.child;
  }

 private:
  struct None {
    None(const ParentTerms& /*parent*/, const Parameters& /*parameters*/) {}
  };
  using RaveOrNone = std::conditional_t<kHasRave<Rave>, Rave, None>;

  double score(std::uint32_t child) const {
    const std::uint32_t visits = candidates_.children.visits(child);
    ChildTerms terms = visits > 0 ? child_terms(candidates_, child, visits) : ChildTerms{0, 0, 0};
    if (rules_.layout.has_prior) terms.prior = static_cast<double>(node_.prior(child, rules_.layout));
    const Mixture mixture = mixture_of(child, terms);
    const double base = visits > 0 ? score_visited(terms, mixture) : score_unvisited(terms, mixture);
    return rules_.bias.term == nullptr ? base : base + rules_.bias.term(parent_, terms, rules_.parameters);
  }

  Mixture mixture_of(std::uint32_t child, const ChildTerms& terms) const {
    Mixture mixture;
    mixture.own_weight = terms.visits;
    mixture.own_sum = own_sum(candidates_, child, terms.visits);
    if constexpr (kHasRave<Rave>) {
      const double rave_visits = static_cast<double>(candidates_.rave_visits[child]) * kRaveUnit;
      if (rave_visits == 0) return mixture;
      const double visit_weight = rave_.visit_weight(terms.visits, rave_visits);
      mixture.rave_sum = visit_weight * candidates_.rave_rewards[child];
      mixture.rave_weight = visit_weight * rave_visits;
    }
    return mixture;
  }

  double score_visited(ChildTerms terms, const Mixture& mixture) const {
    const Parameters& parameters = rules_.parameters;
    if (rules_.bias.term == nullptr || (parameters.bias_alpha == kFromRave && !rules_.bias.mixes_scores)) {
      terms.value = mixture.value();
      return Selection::score(parent_, terms, parameters);
    }
    // Where RAVE knows nothing of a child, the child's own value stands for it.
    const double rave_value = mixture.rave_weight > 0 ? mixture.rave_sum / mixture.rave_weight : terms.value;
    const double alpha = parameters.bias_alpha != kFromRave
                             ? parameters.bias_alpha
                             : mixture.own_weight / (mixture.own_weight + mixture.rave_weight);
    if (rules_.bias.mixes_scores) {
      return alpha * Selection::score(parent_, terms, parameters) + (1 - alpha) * rave_value;
    }
    terms.value = alpha * terms.value + parameters.bias_beta * rave_value;
    return Selection::score(parent_, terms, parameters);
  }

  double score_unvisited(ChildTerms terms, const Mixture& mixture) const {
    if constexpr (ScoresUnvisited<Selection>) {
      terms.value = mixture.knows_nothing() ? parent_.value : mixture.value();
      return Selection::score(parent_, terms, rules_.parameters);
    }
    if (mixture.knows_nothing()) return rules_.parameters.fpu;
    if constexpr (std::is_same_v<Rave, PriorAlone>) {
      // Its visits are to be believed no more than real ones.
      terms = {.value = mixture.value(),
               .visits = mixture.rave_weight,
               .inverse_root = 1 / std::sqrt(mixture.rave_weight),
               .prior = terms.prior};
      return Selection::score(parent_, terms, rules_.parameters);
    }
    return mixture.value();
  }

  const Node& node_;
  const Rules& rules_;
  Candidates<Backup, Rave> candidates_;
  ParentTerms parent_;
  RaveOrNone rave_;
};

// Fuego's randomisation: now and then a selection without RAVE, so that a move with a bad RAVE value gets a chance.
inline bool skips_rave(std::uint32_t parent_visits, const Parameters& parameters) {
  return parameters.rave_skip != 0 && parent_visits % parameters.rave_skip == parameters.rave_skip - 1;
}

template <class Selection, class Backup, class Rave>
std::uint32_t select_informed(const Node& node, std::uint32_t parent_visits, const Rules& rules) {
  const Parameters& parameters = rules.parameters;
  std::uint32_t count = node.child_count();
  if (parameters.widening_mu != 0) {
    count = widened(count, kVisitTable.log(std::max(parent_visits, 1u)), parameters.widening_mu);
  }
  if constexpr (kHasRave<Rave>) {
    if (!skips_rave(parent_visits, parameters)) {
      return InformedScan<Selection, Backup, Rave>(node, parent_visits, rules).best(count);
    }
  }
  return InformedScan<Selection, Backup, NoRave>(node, parent_visits, rules).best(count);
}

}  // namespace tesuji
