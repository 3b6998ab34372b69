// Mean, the backup rule of plain UCT:
//
//   r_j = (sum of the rewards of j, for the player who chooses j) / n_j
#pragma once

namespace tesuji {

struct Mean {
  static double value(double rewards, double visits) { return rewards / visits; }
};

}  // namespace tesuji
