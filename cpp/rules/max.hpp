// Max, the backup rule of UCTMAX_H (Ramanujan and Selman 2011; accelerated paper, section 3): UCT walks the tree, but
// what it finds there is judged by an evaluation function and backed up as minimax does it.
//
//   r_i = H(leaf)              for a leaf i, as the player who chooses i sees it
//   r_i = 1 - max_j r_j        for the move i that leads to a node P, over the visited children j of P
//
// Without the `1 -` where the same player moves again. The judgement of P itself counts until the first of its children
// is visited, and no longer: it is the coarser one (ours). In a game whose rewards do not add up to 1, or of several
// players, every player has a value of their own, and takes the child that is best for the player who chooses (ours).
// Where chance moves at P, r_i is the expectation over the visited children (ours).
#pragma once

#include "rules/backed_up.hpp"

namespace tesuji {

struct Max : BackedUp {
  static constexpr BackupNeeds kNeeds{.backed_up = true, .every_player = true, .evaluation = true};

  static void back_up(const Playout& playout, const Tree& tree, const Rules& rules);
};

}  // namespace tesuji
