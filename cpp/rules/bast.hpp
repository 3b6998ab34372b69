// BAST, the Bandit Algorithm for Smooth Trees (Coquelin and Munos 2007; accelerated paper, section 3): every child has
// an upper and a lower bound, U and L, and the largest U is chosen; of equals, the child of fewer visits.
//
//   U_j = min(1 - max_k L_k, r_j + c_j + delta gamma^depth),   L_j = max(1 - max_k U_k, r_j - c_j - delta gamma^depth)
//   c_j = sqrt(ln(2 N n_j (n_j + 1) / b) / (2 n_j))
//
// with k over the children of j, which all count: one without visits has U = 1 and L = 0. A leaf has U = r_j + c_j and
// L = r_j - c_j, within [0, 1]. N is the number of nodes in the tree, the depth that of j below the root. The paper is
// about max trees; this is its form for two players (ours). Where the same player moves again, U_j and L_j have max_k
// U_k and max_k L_k; where chance moves, the expectations of U_k and L_k. Where another player moves and rewards do not
// add up to 1, the children's bounds say nothing.
//
// Each child keeps U and L as they were after its last visit. r_j is the value that the backup rule gives. Virtual
// losses do not change bounds: leaves of one batch differ only where bounds are equal.
#pragma once

#include "rules/select.hpp"

namespace tesuji {

struct Bast {
  // After the backup: the bounds of all children on the path, from the leaf up.
  static void update(const Playout& playout, const Tree& tree, const Rules& rules);
};

template <class Backup>
std::uint32_t select_bast(const Node& node, std::uint32_t /*parent_visits*/, const Rules& rules) {
  const Candidates<Backup> candidates(node, rules.layout);
  const RelaxedArray<double> upper = node.upper_bounds(rules.layout);
  std::uint32_t best = 0;
  double highest = -1;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    if (candidates.is_proven(child)) continue;
    const std::uint32_t visits = node.visits(child);
    const double bound = visits == 0 ? 1.0 : double{upper[child]};
    if (bound < highest || (bound == highest && visits >= node.visits(best))) continue;
    highest = bound;
    best = child;
  }
  return best;
}

}  // namespace tesuji
