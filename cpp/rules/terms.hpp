// The numbers that a selection rule is made of, in the notation of the papers.
#pragma once

namespace tesuji {

// What it knows of the parent, of visits s.
struct ParentTerms {
  double log_visits;       // ln s
  double root_log_visits;  // sqrt(ln s)
  double visits = 0;       // s; like the next, only for the rules of informed.hpp
  double value = 0.5;      // the mean over the children that were visited
};

// What it knows of a child that was visited n_j times.
struct ChildTerms {
  double value;         // r_j, for the player who chooses
  double visits;        // n_j
  double inverse_root;  // 1 / sqrt(n_j)
  double prior = 0;     // P(j); only for the rules of informed.hpp
};

}  // namespace tesuji
