// What searches on several machines tell each other of the upper parts of their trees, and how a search takes in what
// others found. Who tells whom, when, and how much of it counts is decided above: see src/tesuji/cluster.
//
// A node is named by its path, the moves from the anchor, whose one move, kNoMove, leads to the root: the anchor is (),
// the root (kNoMove), the node after move m (kNoMove, m). A list of nodes is one array of numbers; each node has in it
// the length of its path, the path, and the number of its children. Statistics of a list are arrays with one number for
// each child, node after node, the children of a node by their moves: so the same node is the same stretch of numbers
// on every machine, although each tree has its children in an order of its own.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/rewards.hpp"

namespace tesuji {

using NodeList = std::vector<std::uint32_t>;

// Of the children of a list of nodes; all 0 where the tree lacks the node. What the layout does not have is empty.
struct SharedStatistics {
  std::vector<std::uint32_t> visits;
  std::vector<Reward> rewards;             // with a rule of backup that keeps none, visits times the value
  std::vector<std::uint32_t> rave_visits;  // in units of 1/256
  std::vector<double> rave_rewards;
  std::vector<std::uint8_t> proofs;
};

// By how much they change; `proofs` are what others know for certain.
struct SharedChanges {
  std::span<const std::int64_t> visits;
  std::span<const Reward> rewards;
  std::span<const std::int64_t> rave_visits;
  std::span<const double> rave_rewards;
  std::span<const std::uint8_t> proofs;
};

// Which nodes are worth telling of: those at most so many moves from the root, with at least so many visits and at
// least this share of the root's.
struct SharingLimits {
  std::uint32_t depth;
  double share;
  std::uint32_t least;
};

// A list of nodes, statistics or simulations that cannot be from a search of this position.
class BadMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads a list of nodes one by one.
class NodeListReader {
 public:
  explicit NodeListReader(std::span<const std::uint32_t> list) : left_(list) {}

  bool next() {
    if (left_.empty()) return false;
    const std::size_t length = left_.front();
    if (left_.size() < length + 2) throw BadMessage("a list of nodes ends within a node");
    path_ = left_.subspan(1, length);
    children_ = left_[length + 1];
    left_ = left_.subspan(length + 2);
    return true;
  }
  std::span<const std::uint32_t> path() const { return path_; }
  std::uint32_t children() const { return children_; }

 private:
  std::span<const std::uint32_t> left_;
  std::span<const std::uint32_t> path_;
  std::uint32_t children_ = 0;
};

// BadMessage where one is none that there is.
void check_proofs(std::span<const std::uint8_t> proofs);

// How many there are in a list, over all nodes.
std::size_t children_in(std::span<const std::uint32_t> list);

}  // namespace tesuji
