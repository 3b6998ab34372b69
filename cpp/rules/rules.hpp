// The interface of the search rules. A rule is a plain function over the arrays of a node's children, called once a
// node: it knows neither the game nor the tree, so games and rules add, and do not multiply.
//
// The children come in batches of fixed size, copied out of the tree (other threads may be writing there; vector
// instructions work on the copy). First the value rule fills `value`, what a child is worth to the player who chooses
// it; then the selection rule fills `score`. The child with the highest score is taken, the first of equals: the tree
// keeps children in an order drawn at random, so that "the first" favours no move.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "core/rewards.hpp"

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

struct ChildBatch {
  static constexpr int kCapacity = 64;
  static constexpr int kVector = 4;  // rules may compute whole vectors: the arrays are valid up to padded_count

  int count = 0;
  int padded_count = 0;
  double parent_visits = 0;
  double log_parent_visits = 0;
  alignas(64) std::array<double, kCapacity> visits;   // at least 1; a child never visited gets the urgency instead
  alignas(64) std::array<double, kCapacity> rewards;  // sum of rewards in [0, 1] for the player who chooses
  alignas(64) std::array<double, kCapacity> value;
  alignas(64) std::array<double, kCapacity> score;
};

using BatchRule = void (*)(ChildBatch& batch, const Parameters& parameters);

// What a final rule sees of a root's child.
struct RootChild {
  std::uint32_t visits;
  double value;
};

// The index of the move to play; of equals the first.
using FinalRule = std::size_t (*)(std::span<const RootChild> children);

struct Rules {
  BatchRule value;
  BatchRule selection;
  FinalRule final;
  Parameters parameters;
};

// The rules by their names in the engine specs; std::invalid_argument for a name or a number that makes no sense.
Rules make_rules(const Parameters& parameters);

// Backup rules: what a child is worth.
void mean_value(ChildBatch& batch, const Parameters& parameters);

// Selection rules.
void select_ucb1(ChildBatch& batch, const Parameters& parameters);
void select_ucb_tuned1(ChildBatch& batch, const Parameters& parameters);
void select_ucb_tuned2(ChildBatch& batch, const Parameters& parameters);

// Final selection.
std::size_t final_visits(std::span<const RootChild> children);
std::size_t final_value(std::span<const RootChild> children);

}  // namespace tesuji
