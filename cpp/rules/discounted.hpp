// Discounted UCT (accelerated paper, eqs. 2-4; Kocsis and Szepesvari 2006, in a tree). Old playouts count for less.
//
//   score_j = r^D_j + C sqrt(ln s^D / n^D_j),   s^D = sum_i n^D_i                         (eq. 2; see ucb1.hpp)
//   n^D_j  <- lambda n^D_j + I_j                for each child j of a node on the path    (eq. 3)
//   r^D_j  <- (lambda n^D_j r^D_j + R_j) / (lambda n^D_j + I_j)                           (eq. 4, with the old n^D_j)
//
// s^D includes the playouts made at the node before it had children, as a virtual child that is never selected (ours);
// below 1 it counts as 1. The tuned rules and PUCT read r^D, n^D and s^D in the same places.
//
// Where chance moves, nothing is discounted (ours). An n^D_j too small for a number keeps its last r^D_j.
#pragma once

#include "rules/backed_up.hpp"

namespace tesuji {

struct Discounted {
  static constexpr bool kReadsBackedUp = true;
  static constexpr bool kDiscountsVisits = true;
  static constexpr BackupNeeds kNeeds{.backed_up = true, .weights = true, .ledger = true};

  static void back_up(const PlayoutAtNode& playout, const Tree& tree, const Rules& rules);

  // What a visit of the node weighs on the average, and the factor that makes the weights of its children's visits
  // numbers of the same kind: before the first backup nothing has been discounted.
  static double node_weight(const Node& node) {
    return node.ledger().scale() == 0 ? 1.0 : node.ledger().weight() / node.ledger().scale();
  }
  static double unit(const Node& node) { return node.ledger().scale() == 0 ? 1.0 : 1.0 / node.ledger().scale(); }

  // n^D_j from n_j: never 0, for which a score could not be computed. A child without a weight has virtual losses
  // alone: they are as fresh as visits can be.
  static double visits(double visits, double weight, double unit) {
    constexpr double kLeast = 1e-300;
    return weight == 0 ? visits : std::max(visits * (weight * unit), kLeast);
  }
};

}  // namespace tesuji
