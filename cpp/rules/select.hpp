// From a selection rule and a backup rule to the child to descend into. A selection rule is a struct with a function
//
//   double score(const ParentTerms&, const ChildTerms&, const Parameters&)
//
// and a backup rule one that says where the value of a child is found, and whether its visits are discounted:
//
//   kReadsBackedUp     the backed-up sums of the tree, by the visits, in place of the sums of rewards
//   kDiscountsVisits   n_j and s are those of discounted.hpp
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "rules/discounted.hpp"
#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

// Logarithms and inverse roots of visit counts. Most counts are small, and a table of those halves the time of a
// selection step. Larger ones give the numbers that the table would have.
class VisitTable {
 public:
  VisitTable() {
    for (std::uint32_t visits = 1; visits < kSize; ++visits) {
      log_[visits] = std::log(static_cast<double>(visits));
      inverse_root_[visits] = 1.0 / std::sqrt(static_cast<double>(visits));
    }
  }

  double log(std::uint32_t visits) const {
    return visits < kSize ? log_[visits] : std::log(static_cast<double>(visits));
  }
  double inverse_root(std::uint32_t visits) const {
    return visits < kSize ? inverse_root_[visits] : 1.0 / std::sqrt(static_cast<double>(visits));
  }

  static constexpr std::uint32_t kSize = 1024;  // a power of two
  const double* inverse_roots() const { return inverse_root_.data(); }

 private:
  std::array<double, kSize> log_{};
  std::array<double, kSize> inverse_root_{};
};

// Not a static of a function: the question whether that is made already would stand in every loop over children, and
// keep its numbers out of the registers.
inline const VisitTable kVisitTable;

// The first child of the highest score among those considered so far.
struct BestChild {
  double score = -std::numeric_limits<double>::infinity();
  std::uint32_t child = 0;

  void consider(double other_score, std::uint32_t other) {
    const bool better = other_score > score;
    score = better ? other_score : score;
    child = better ? other : child;
  }
};

// In the place of a RAVE rule (rave.hpp), where there is none.
struct NoRave {};

template <class Rave>
inline constexpr bool kHasRave = !std::is_same_v<Rave, NoRave>;

// The arrays of a node's children, as far as the rules read them.
template <class Backup, class Rave = NoRave>
struct Candidates {
  [[gnu::always_inline]] explicit Candidates(const Node& node, const NodeLayout& layout)
      : children(node.children()), shared(layout.shared) {
    if constexpr (kHasRave<Rave>) {
      rave_rewards = node.rave_rewards(layout);
      rave_visits = node.rave_visits(layout);
    }
    if constexpr (Backup::kReadsBackedUp) backed_up = node.backed_up(node.chooser_array(layout), layout);
    if constexpr (Backup::kDiscountsVisits) {
      weights = node.weights(layout);
      root_of_scale = Backup::root_of_scale(node);
    }
  }

  // What divided by the visits is the value.
  double sum(std::uint32_t child) const {
    if constexpr (Backup::kReadsBackedUp) return backed_up[child];
    return to_double(children.rewards(child));
  }

  // Such a child is not selected; see solver.hpp.
  bool is_proven(std::uint32_t /*child*/) const { return false; }

  Node::Children children;
  bool shared;  // whether other threads may write what is read here
  RelaxedArray<double> backed_up;
  RelaxedArray<double> weights;
  double root_of_scale = 1;
  RelaxedArray<double> rave_rewards;
  RelaxedArray<std::uint32_t> rave_visits;
};

// The terms of a child with visits.
template <class Backup, class Rave>
ChildTerms child_terms(const Candidates<Backup, Rave>& candidates, std::uint32_t child, std::uint32_t visits) {
  const auto n = static_cast<double>(visits);
  const double value = candidates.sum(child) / n;
  const double inverse_root = kVisitTable.inverse_root(visits);
  if constexpr (Backup::kDiscountsVisits) {
    const double ratio = Backup::root_ratio(candidates.weights[child], candidates.root_of_scale);
    return {.value = value, .visits = Backup::visits(n, ratio), .inverse_root = inverse_root * ratio};
  }
  return {.value = value, .visits = n, .inverse_root = inverse_root};
}

// s, the visits of the node.
template <class Backup>
double node_visits(const Node& node, std::uint32_t visits) {
  if constexpr (Backup::kDiscountsVisits) return Backup::node_visits(node, static_cast<double>(visits));
  return static_cast<double>(visits);
}

template <class Backup>
double log_node_visits(const Node& node, std::uint32_t visits) {
  const auto log_of = [](std::uint32_t count) { return kVisitTable.log(count); };
  if constexpr (Backup::kDiscountsVisits) return Backup::log_node_visits(node, std::max(visits, 1u), log_of);
  return log_of(std::max(visits, 1u));
}

// The child with the highest score, the first of equals.
template <class Selection, class Backup>
struct PortableScan {
  using Rule = Backup;

  static std::uint32_t best(const Candidates<Backup>& candidates, const ParentTerms& parent,
                            const Parameters& parameters) {
    const Node::Children& children = candidates.children;
    const auto score = [&](std::uint32_t child) {
      const std::uint32_t visits = children.visits(child);
      if (visits == 0) return parameters.fpu;
      return Selection::score(parent, child_terms(candidates, child, visits), parameters);
    };
    // Two running bests: a single one would wait for itself at every child, which costs a sixth of the step.
    BestChild even;
    BestChild odd;
    for (std::uint32_t child = 0; child + 1 < children.count; child += 2) {
      even.consider(score(child), child);
      odd.consider(score(child + 1), child + 1);
    }
    if (children.count % 2 == 1) even.consider(score(children.count - 1), children.count - 1);
    const bool odd_leads = odd.score > even.score || (odd.score == even.score && odd.child < even.child);
    return odd_leads ? odd.child : even.child;
  }
};

// The rule that descends into the best child of a scan. The tree keeps children in an order drawn at random, so that
// "the first of equals" favours no move.
template <class Scan>
std::uint32_t select_child(const Node& node, std::uint32_t parent_visits, const Rules& rules) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::uint32_t unvisited = node.first_unvisited();
  // Nothing beats an infinite urgency, and of equals the first is taken.
  if (unvisited < node.child_count() && rules.parameters.fpu == kInfinity) return unvisited;

  using Backup = typename Scan::Rule;
  const double log_visits = log_node_visits<Backup>(node, parent_visits);
  return Scan::best(Candidates<Backup>(node, rules.layout),
                    {.log_visits = log_visits, .root_log_visits = std::sqrt(log_visits)}, rules.parameters);
}

}  // namespace tesuji
