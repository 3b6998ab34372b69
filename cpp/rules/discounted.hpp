// Discounted UCT (accelerated paper, eqs. 2-4; Kocsis and Szepesvari 2006, in a tree). Old playouts count for less.
//
//   score_j = r^D_j + C sqrt(ln s^D / n^D_j),   s^D = sum_i n^D_i                         (eq. 2; see ucb1.hpp)
//   n^D_j  <- lambda n^D_j + I_j                for each child j of a node on the path    (eq. 3)
//   r^D_j  <- (lambda n^D_j r^D_j + R_j) / (lambda n^D_j + I_j)                           (eq. 4, with the old n^D_j)
//
// s^D includes the playouts made at the node before it had children, as a virtual child that is never selected (ours);
// below 1 it counts as 1. The tuned rules and PUCT read r^D, n^D and s^D in the same places.
//
// Where chance moves, nothing is discounted (ours). A child that is forgotten keeps its last r^D_j, however small its
// n^D_j becomes.
#pragma once

#include <cmath>

#include "rules/backed_up.hpp"

namespace tesuji {

struct Discounted {
  static constexpr bool kReadsBackedUp = true;
  static constexpr bool kDiscountsVisits = true;
  static constexpr BackupNeeds kNeeds{.backed_up = true, .weights = true, .ledger = true};

  static void back_up(const Playout& playout, const Tree& tree, const Rules& rules);

  // The ledger has s^D and, in the place of its sum, what became of a visit of the node. For few visits that is
  // ln(s^D / s), which is at most 0: the backup finds it in a table, and selection need not wait for a logarithm. For
  // many it is s^D / s itself, above 0, and selection takes the one logarithm that plain UCT would take. 0 before the
  // first backup, when nothing has been discounted.
  static constexpr std::uint32_t kManyVisits = 1024;
  static double node_visits(const Node& node, double visits) {
    const double kept = node.ledger().sum(0);
    return visits * (kept > 0 ? kept : std::exp(kept));
  }
  // `log_of(visits)` is the logarithm of a number of visits.
  template <class LogOf>
  [[gnu::always_inline]] static double log_node_visits(const Node& node, std::uint32_t visits, const LogOf& log_of) {
    const double kept = node.ledger().sum(0);
    return std::max(kept > 0 ? std::log(visits * kept) : log_of(visits) + kept, 0.0);
  }

  // sqrt(n_j / n^D_j). The tree has 1 / sqrt(w) for w, what a visit of the child weighs: selection, which is where the
  // time goes, wants the root. It is 0 without visits: those of a child that has only virtual losses are as fresh as
  // visits can be.
  static double root_ratio(double inverse_root, double root_of_scale) {
    const double ratio = inverse_root * root_of_scale;
    return ratio == 0 ? 1.0 : ratio;
  }
  static double root_of_scale(const Node& node) { return std::sqrt(node.ledger().scale()); }

  // n^D_j from n_j: never 0, for which a score could not be computed.
  static constexpr double kLeastVisits = 1e-300;
  static double visits(double visits, double root_ratio) {
    return std::max(visits / (root_ratio * root_ratio), kLeastVisits);
  }
};

}  // namespace tesuji
