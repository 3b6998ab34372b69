// RAVE, rapid action value estimation (accelerated paper, eq. 8, with the weights of Fuego; Gelly and Silver 2007).
//
//   rave_j = n_j / (n_j + W_j) r_j + W_j / (n_j + W_j) r^RAVE_j                       (eq. 8)
//   W_j    = m_j / (1 / initial + m_j / final)
//
// r^RAVE_j is the mean reward of the m_j playouts in which the chooser made the move j here or later, counted at its
// first occurrence. The mixture stands in the place of r_j: with Discounted UCT n_j is discounted too, with Accelerated
// UCT it is not (accelerated paper, section 5.4). The exploration term of eq. 1 is left out unless a C is given.
//
// Options, both Fuego's: playouts count for more the sooner the move came, 2 - (its ply - this ply) / (plies from here
// to the end); and a move that an opponent made first does not count.
//
// A RAVE rule says what a RAVE visit weighs beside a visit, g_j = W_j / m_j. So eq. 8 is
//
//   rave_j = (n_j r_j + g_j m_j r^RAVE_j) / (n_j + g_j m_j)
//
// with two divisions in place of four, and the sums that the tree keeps.
#pragma once

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

// When a counter of RAVE visits is full, it and the rewards are halved.
inline constexpr std::uint32_t kMostRaveVisits = 1u << 31;

void update_rave(const Playout& playout, std::span<const PlayedMove> moves, FirstPlays& first, const Rules& rules);

class RaveWeights {
 public:
  RaveWeights(const ParentTerms& /*parent*/, const Parameters& parameters)
      : inverse_initial_(1 / parameters.rave_initial), inverse_final_(1 / parameters.rave_final) {}

  double visit_weight(double /*visits*/, double rave_visits) const {
    return 1 / (inverse_initial_ + rave_visits * inverse_final_);
  }

 private:
  double inverse_initial_;
  double inverse_final_;
};

// Without RAVE: what a prior leaves in the place of RAVE visits counts like visits.
class PriorAlone {
 public:
  PriorAlone(const ParentTerms& /*parent*/, const Parameters& /*parameters*/) {}

  double visit_weight(double /*visits*/, double /*rave_visits*/) const { return 1; }
};

}  // namespace tesuji
