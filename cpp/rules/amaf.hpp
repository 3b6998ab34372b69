// AMAF, all moves as first, with a schedule for its share of the mixture (parallelization paper, Algorithm 2):
//
//   score_j = (1 - beta_j) r_j + beta_j r^RAVE_j
//
//   beta_j = sqrt(k / (3 s + k))                  (Gelly and Silver 2007: half and half when the node has k visits)
//   beta_j = m_j / (n_j + m_j + 4 n_j m_j b^2)    (Gelly and Silver 2011: the least error, b the bias of a RAVE value)
//
// r^RAVE_j and m_j are those of rave.hpp, and so is the form in which the tree is read: a RAVE visit weighs g_j visits,
// beta_j = g_j m_j / (n_j + g_j m_j). The second schedule is eq. 8 with initial = 1 and final = 1 / (4 b^2).
#pragma once

#include <cmath>

#include "rules/terms.hpp"
#include "search/rules.hpp"

namespace tesuji {

class AmafSchedule {
 public:
  AmafSchedule(const ParentTerms& parent, const Parameters& parameters) {
    const double beta = std::sqrt(parameters.amaf_k / (3 * parent.visits + parameters.amaf_k));
    odds_ = beta / (1 - beta);
  }

  // Without visits of its own a child has its RAVE value, whatever the weight.
  double visit_weight(double visits, double rave_visits) const {
    return visits == 0 ? 1.0 : odds_ * visits / rave_visits;
  }

 private:
  double odds_;
};

class AmafError {
 public:
  AmafError(const ParentTerms& /*parent*/, const Parameters& parameters)
      : four_b_squared_(4 * parameters.amaf_b * parameters.amaf_b) {}

  double visit_weight(double /*visits*/, double rave_visits) const { return 1 / (1 + four_b_squared_ * rave_visits); }

 private:
  double four_b_squared_;
};

}  // namespace tesuji
