// Mean, the backup rule of plain UCT (accelerated paper, eq. 1):
//
//   r_j = (sum of the rewards of j, for the player who chooses j) / n_j
//
// The tree keeps sums and visits anyway: there is nothing more to back up.
#pragma once

#include "search/tree.hpp"

namespace tesuji {

struct Mean {
  static constexpr bool kReadsBackedUp = false;
  static constexpr bool kDiscountsVisits = false;
};

}  // namespace tesuji
