// What the search asks of the rules. It calls them through these pointers and knows none of them: they live in
// cpp/rules, one file each, and cpp/rules/registry.hpp makes a set of them from an engine's parameters.
//
// A rule for selection is a plain function over the arrays of a node's children, called once a node. It knows neither
// the game nor the search, so games and rules add, and do not multiply.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "search/tree.hpp"

namespace tesuji {

// The parameters of an engine, after parsing. Names and meaning are those of the engine specs.
struct Parameters {
  std::string selection = "uct";  // uct, ucb-tuned1, ucb-tuned2, puct
  std::string backup = "mean";
  std::string final = "visits";                          // visits, value
  double c = 1.0;                                        // exploration constant of uct and puct
  double fpu = std::numeric_limits<double>::infinity();  // first-play urgency: the score of a child never visited
  bool term_outside = false;                             // ucb-tuned2: the second term outside the square root
  std::uint32_t expand = 1;                              // a leaf becomes a node after so many visits
  bool all_moves = false;                                // search every legal move, sensible or not
  std::uint32_t playout_cap = 20'000;                    // a playout that is longer counts as drawn
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

// What a child with visits is worth to the player who chooses it, as the backup rule has it; `rewards` are their sum.
using ValueRule = double (*)(double rewards, double visits);

struct Rules {
  SelectRule select;
  ValueRule value;
  FinalRule final;
  bool needs_prior;
  Parameters parameters;
};

}  // namespace tesuji
