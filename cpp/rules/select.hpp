// From a selection rule and a backup rule to the child to descend into. A selection rule is a struct with a function
//
//   double score(const ParentTerms&, const ChildTerms&, const Parameters&)
//
// and a backup rule, which says what a child is worth, one with `double value(double rewards, double visits)`.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

// Logarithms and inverse roots of visit counts. Most counts are small, and a table of those halves the time of a
// selection step. Larger ones give the numbers that the table would have.
class VisitTable {
 public:
  static const VisitTable& instance() {
    static const VisitTable table;
    return table;
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
  VisitTable() {
    for (std::uint32_t visits = 1; visits < kSize; ++visits) {
      log_[visits] = std::log(static_cast<double>(visits));
      inverse_root_[visits] = 1.0 / std::sqrt(static_cast<double>(visits));
    }
  }

  std::array<double, kSize> log_{};
  std::array<double, kSize> inverse_root_{};
};

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

// The score of a child with visits.
template <class Selection, class Backup>
double score_of(const ParentTerms& parent, double rewards, double visits, double inverse_root,
                const Parameters& parameters) {
  const double value = Backup::value(rewards, visits);
  return Selection::score(parent, {.value = value, .visits = visits, .inverse_root = inverse_root}, parameters);
}

// The child with the highest score, the first of equals.
template <class Selection, class Backup>
struct PortableScan {
  static std::uint32_t best(const Node::Children& children, const ParentTerms& parent, const Parameters& parameters) {
    const VisitTable& table = VisitTable::instance();
    const auto score = [&](std::uint32_t child) {
      const std::uint32_t visits = children.visits(child);
      if (visits == 0) return parameters.fpu;
      return score_of<Selection, Backup>(parent, to_double(children.rewards(child)), static_cast<double>(visits),
                                         table.inverse_root(visits), parameters);
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
std::uint32_t select_child(const Node& node, std::uint32_t parent_visits, const Parameters& parameters) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::uint32_t unvisited = node.first_unvisited();
  const Node::Children children = node.children();
  // Nothing beats an infinite urgency, and of equals the first is taken.
  if (unvisited < children.count && parameters.fpu == kInfinity) return unvisited;

  const double log_visits = VisitTable::instance().log(std::max(parent_visits, 1u));
  return Scan::best(children, {.log_visits = log_visits, .root_log_visits = std::sqrt(log_visits)}, parameters);
}

}  // namespace tesuji
