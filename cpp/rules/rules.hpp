// The interface of the search rules.
//
// A selection rule and a backup rule (which says what a child is worth) are each a struct with one static function over
// the numbers of one child; select.hpp makes of a pair of them a plain function over all children of a node, which the
// search calls once a node. It knows neither the game nor the tree's memory, so games and rules add, and do not
// multiply. registry.cpp is the table of them all.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "core/rewards.hpp"
#include "search/tree.hpp"

namespace tesuji {

// The parameters of an engine, after parsing. Names and meaning are those of the engine specs.
struct Parameters {
  std::string selection = "uct";  // uct, ucb-tuned1, ucb-tuned2
  std::string backup = "mean";
  std::string final = "visits";                          // visits, value
  double c = 1.0;                                        // exploration constant of uct
  double fpu = std::numeric_limits<double>::infinity();  // first-play urgency: the score of a child never visited
  bool term_outside = false;                             // ucb-tuned2: the second term outside the square root
  std::uint32_t expand = 1;                              // a leaf becomes a node after so many visits
};

// What the selection rules know of the parent, of visits s.
struct ParentTerms {
  double log_visits;       // ln s
  double root_log_visits;  // sqrt(ln s)
};

// What they know of a child that was visited, n_j times.
struct ChildTerms {
  double value;         // r_j, for the player who chooses
  double visits;        // n_j
  double inverse_root;  // 1 / sqrt(n_j)
};

// The child to descend into. `parent_visits` are all visits of the node, those made before it had children included.
using SelectRule = std::uint32_t (*)(const Node& node, std::uint32_t parent_visits, const Parameters& parameters);

// What a final rule sees of a root's child.
struct RootChild {
  std::uint32_t visits;
  double value;
};

// The index of the move to play; of equals the first.
using FinalRule = std::size_t (*)(std::span<const RootChild> children);

struct Rules {
  SelectRule select;
  FinalRule final;
  Parameters parameters;
};

// The rules by their names in the engine specs; std::invalid_argument for a name or a number that makes no sense.
Rules make_rules(const Parameters& parameters);

std::size_t final_visits(std::span<const RootChild> children);
std::size_t final_value(std::span<const RootChild> children);

}  // namespace tesuji
