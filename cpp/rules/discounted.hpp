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

  // The tree has 1 / sqrt(w) for w, what a visit of the child weighs: selection, which is where the time goes, wants
  // the root. 0 where there has been no visit.
  static double visit_weight(double inverse_root) {
    return inverse_root == 0 ? 0.0 : 1.0 / (inverse_root * inverse_root);
  }

  // s^D from s. Before the first backup nothing has been discounted.
  static double node_visits(const Node& node, double visits) {
    const Ledger ledger = node.ledger();
    return ledger.scale() == 0 ? visits : visits * (ledger.weight() / ledger.scale());
  }

  // sqrt(n_j / n^D_j). A child that has only virtual losses has no weight yet: they are as fresh as visits can be.
  static double root_ratio(double inverse_root, double root_of_scale) {
    const double ratio = inverse_root * root_of_scale;
    return ratio == 0 ? 1.0 : ratio;
  }
  static double root_of_scale(const Node& node) { return std::sqrt(node.ledger().scale()); }

  // n^D_j from n_j: never 0, for which a score could not be computed.
  static double visits(double visits, double root_ratio) {
    constexpr double kLeast = 1e-300;
    return std::max(visits / (root_ratio * root_ratio), kLeast);
  }
};

}  // namespace tesuji
