// Mean, the backup rule of plain UCT:
//
//   r_j = (sum of the rewards of j, for the player who chooses j) / n_j
#pragma once

#include "core/rewards.hpp"

namespace tesuji {

struct Mean {
  static double value(Reward rewards, double visits) { return to_double(rewards) / visits; }
};

}  // namespace tesuji
