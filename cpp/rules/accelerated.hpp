// Accelerated UCT (accelerated paper, eqs. 5-7). Recent visits say which children matter; all playouts of a child say
// what it is worth.
//
//   score_j = r^A_j + C sqrt(ln s / n_j)                                              (eq. 5; see ucb1.hpp)
//   v_j    <- lambda v_j + I_j                  for each child j of a node P on the path (eq. 6, velocity)
//   r^A_i   = 1 - sum_j v_j r^A_j / sum_k v_k   for the move i that leads to P           (eq. 7)
//
// A leaf has the mean of its playouts. The playouts made at P before it had children are those of a virtual child: its
// velocity is their number when P is expanded, it decays like the others and is never selected.
//
// Without the `1 -` where the same player moves again. In a game whose rewards do not add up to 1, or of several
// players, every player has an r^A of their own, with the same velocities (ours). Where chance moves, velocities do not
// decay (ours): the latest throw of the dice is no better informed than the first.
//
// lambda is the engine's, or found in the tree: see automatic_decay.hpp.
//
// The ledger has sum_j v_j r^A_j and sum_k v_k, the virtual child included, and each backup exchanges one child's
// contribution, v_j r^A_j = w_j q_j, for its new one. What is taken out is computed from the very numbers from which it
// was computed when it was put in, so the sum cannot drift away from what it stands for.
#pragma once

#include "rules/backed_up.hpp"

namespace tesuji {

struct Accelerated : BackedUp {
  static constexpr BackupNeeds kNeeds{.backed_up = true, .every_player = true, .weights = true, .ledger = true};

  static void back_up(const Playout& playout, const Tree& tree, const Rules& rules);
};

}  // namespace tesuji
