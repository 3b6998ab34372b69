// Mix (Coulom 2006, "Efficient selectivity and backup operators"; the weight in this form is ours): from the mean
// towards the maximum, the further the more visits there are.
//
//   r_i = (1 - w) mean_i + w robust_i,   w = q n_best / (n_best + m)
//
// for the move i that leads to a node P. mean_i is the mean reward of all playouts through i, robust_i the value that
// this very rule gives to the most visited child of P, of n_best visits (of equals, the first), as the player who
// chooses i sees it. A leaf has its mean. With q = 0 this is plain UCT, to the last bit.
//
// In a game whose rewards do not add up to 1, or of several players, every player has a value of their own (ours).
// Where chance moves at P nothing is chosen: r_i is the mean, with the values of the children in place of their means
// (ours).
#pragma once

#include "rules/backed_up.hpp"

namespace tesuji {

struct Mix : BackedUp {
  static constexpr BackupNeeds kNeeds{.backed_up = true, .every_player = true, .means = true};

  static void back_up(const Playout& playout, const Tree& tree, const Rules& rules);
};

}  // namespace tesuji
