// The tree: nodes in one arena of bounded size.
//
// A node is a block of the arena: a header of 16 bytes, then one array for each statistic of its children, so that a
// rule reads what it needs and nothing else. A child costs 20 bytes: the sum of its rewards for the player who chooses
// it (8), its visits (4), its own node or none (4), its move (4); 24 with a prior. A leaf has no node, only its entry
// in its parent. The root is the one child of an anchor node at the arena's start, so that it is treated like any
// other. A rule of backup that keeps more than means has its numbers in further arrays and, for the node as a whole, in
// a ledger of 24 bytes before the header; see NodeLayout.
//
// Nodes name each other by their offset in the arena, in units of 8 bytes. A child's node is always made after, and so
// lies behind, its one parent's: that is what makes compaction one sweep (see reroot).
//
// Statistics are read and written with relaxed atomics; a child's node is published with release and read with acquire.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/game.hpp"
#include "core/zeroed_memory.hpp"
#include "search/proof.hpp"

namespace tesuji {

// RAVE visits are counted in units of 1/256: they may have weights, and so fit into 4 bytes.
inline constexpr std::uint32_t kRaveVisit = 256;
inline constexpr double kRaveUnit = 1.0 / kRaveVisit;

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0;

// What nodes carry beyond the plain statistics; fixed for the life of a tree. The arrays of a rule's own statistics
// follow the plain ones, which so keep constant places, from the next multiple of 8 bytes on: those of 8-byte numbers
// first, so that all are aligned whatever the number of children.
//
//   backed up  a child's visits times the value that the backup rule gives it, for the player who chooses: it stands in
//              the place of the sum of rewards. Where rewards do not add up to 1, an array more for each player
//              instead.
//   weights    what a visit of the child weighs on the average, as the rule has it
//   means      the sum of rewards beside the backed up, for each of its arrays
//   bounds     the lower and the upper bound of a child's value
//   rave       two arrays: the rewards of the playouts in which the child's move came later, added up, as a double, and
//              their number in units of 1/256, in 4 bytes; see rave.hpp
//   prior      P(j), 4 bytes
//   proofs     one byte: what is known for certain
//   ledger     what the rule keeps of the node: scale, weight and one sum for each of the arrays of the backed up
struct NodeLayout {
  bool has_prior = false;
  std::uint8_t backed_up = 0;  // how many arrays
  bool has_weights = false;
  bool has_ledger = false;
  bool has_rave = false;
  bool has_means = false;
  bool has_bounds = false;
  bool has_proofs = false;
  bool adds_up = false;  // not kept, but known as early: the rewards of all players, one or two, add up to 1

  // Whether the place of the sums of rewards has backed-up values.
  constexpr bool replaces_rewards() const { return backed_up == 1; }
  constexpr std::size_t extra_bytes_per_child() const { return proofs_at() + (has_proofs ? 1 : 0); }
  constexpr std::size_t extra_doubles_per_child() const { return rave_at() + (has_rave ? 1 : 0); }
  constexpr std::size_t rave_at() const { return bounds_at() + (has_bounds ? 2 : 0); }
  constexpr std::size_t extra_backed_up() const { return replaces_rewards() ? 0 : backed_up; }
  constexpr std::size_t means_at() const { return extra_backed_up() + (has_weights ? 1 : 0); }
  constexpr std::size_t bounds_at() const { return means_at() + (has_means ? backed_up : 0); }
  constexpr std::size_t prior_at() const { return 8 * extra_doubles_per_child() + (has_rave ? 4 : 0); }
  constexpr std::size_t proofs_at() const { return prior_at() + (has_prior ? 4 : 0); }
  constexpr std::size_t ledger_bytes() const { return has_ledger ? 8 * (2 + std::size_t{backed_up}) : 0; }
};

// The numbers that a backup rule keeps of a node as a whole. All are 0 until the rule has seen the node.
class Ledger {
 public:
  explicit Ledger(double* end) : end_(end) {}

  double& scale() const { return end_[-1]; }
  double& weight() const { return end_[-2]; }
  double& sum(std::size_t array) const { return end_[-3 - static_cast<std::ptrdiff_t>(array)]; }

 private:
  double* end_;
};

// One node, seen through its arrays. Cheap to make, and valid until the next reroot.
class Node {
 public:
  struct Header {
    std::uint32_t child_count : 24;
    std::int32_t chooser : 8;      // the player who chooses among the children, or kChance
    std::uint32_t visited_prefix;  // at least so many of the first children were visited; see first_unvisited
    NodeIndex parent;              // the two are set only during compaction: who holds this node, and where
    std::uint32_t parent_child;
  };
  static_assert(sizeof(Header) == 16);
  static constexpr std::uint32_t kMostChildren = (1u << 24) - 1;

  explicit Node(std::byte* block) : block_(block) {}

  Header& header() const { return *reinterpret_cast<Header*>(block_); }
  std::uint32_t child_count() const { return header().child_count; }
  int chooser() const { return header().chooser; }

  // The first child without visits, or the number of children. The header remembers how far the last look came, so
  // that a node of many children does not pay for all of them at each visit.
  std::uint32_t first_unvisited() const {
    const std::uint32_t count = child_count();
    const std::uint32_t known = ref(header().visited_prefix).load(std::memory_order_relaxed);
    std::uint32_t child = known;
    while (child < count && visits(child) != 0) ++child;
    if (child != known) ref(header().visited_prefix).store(child, std::memory_order_relaxed);
    return child;
  }

  std::uint32_t visits(std::uint32_t child) const { return ref(visits_array()[child]).load(std::memory_order_relaxed); }
  Reward rewards(std::uint32_t child) const { return ref(rewards_array()[child]).load(std::memory_order_relaxed); }
  NodeIndex child(std::uint32_t child) const { return ref(child_array()[child]).load(std::memory_order_acquire); }
  Move move(std::uint32_t child) const { return move_array()[child]; }
  const Move* moves() const { return move_array(); }
  float& prior(std::uint32_t child, const NodeLayout& layout) const {
    return reinterpret_cast<float*>(block_ + plain_bytes(child_count()) + layout.prior_at() * child_count())[child];
  }

  // The arrays and the ledger of the layout; only where it has them.
  double* backed_up(std::size_t array, const NodeLayout& layout) const {
    return layout.replaces_rewards() ? array_at<double>(0) : doubles(array);
  }
  double* weights(const NodeLayout& layout) const { return doubles(layout.extra_backed_up()); }
  double* rave_rewards(const NodeLayout& layout) const { return doubles(layout.rave_at()); }
  std::uint32_t* rave_visits(const NodeLayout& layout) const {
    return reinterpret_cast<std::uint32_t*>(doubles(layout.extra_doubles_per_child()));
  }
  double* means(std::size_t array, const NodeLayout& layout) const { return doubles(layout.means_at() + array); }
  double* lower_bounds(const NodeLayout& layout) const { return doubles(layout.bounds_at()); }
  double* upper_bounds(const NodeLayout& layout) const { return doubles(layout.bounds_at() + 1); }
  Proof* proofs(const NodeLayout& layout) const {
    return reinterpret_cast<Proof*>(block_ + plain_bytes(child_count()) + layout.proofs_at() * child_count());
  }
  Ledger ledger() const { return Ledger(reinterpret_cast<double*>(block_)); }
  // Which of the arrays has the player who chooses here. Chance chooses for nobody: it keeps the first player's.
  std::size_t chooser_array(const NodeLayout& layout) const {
    return layout.backed_up > 1 ? static_cast<std::size_t>(std::max(chooser(), 0)) : 0;
  }

  // What divided by the visits is the value of a child, as the backup rule has it, to the player who chooses.
  double sum(std::uint32_t child, const NodeLayout& layout) const {
    return layout.backed_up == 0 ? to_double(rewards(child)) : backed_up(chooser_array(layout), layout)[child];
  }

  // The arrays found once, for a loop over all children.
  struct Children {
    std::uint32_t count;
    std::uint32_t* visits_array;
    Reward* rewards_array;

    std::uint32_t visits(std::uint32_t child) const { return ref(visits_array[child]).load(std::memory_order_relaxed); }
    Reward rewards(std::uint32_t child) const { return ref(rewards_array[child]).load(std::memory_order_relaxed); }
  };
  Children children() const { return {child_count(), visits_array(), rewards_array()}; }

  // `visits` may be negative: a virtual loss is taken back so.
  void add(std::uint32_t child, std::int32_t visits, Reward reward) const {
    bump(visits_array()[child], static_cast<std::uint32_t>(visits));
    bump(rewards_array()[child], reward);
  }
  void add_visit(std::uint32_t child) const { bump(visits_array()[child], 1u); }
  void prefetch_rewards(std::uint32_t child) const { __builtin_prefetch(rewards_array() + child, 1); }

  // Takes a virtual loss back as if it had never been: the child may be without visits again.
  void take_back(std::uint32_t child, std::int32_t visits) const {
    add(child, -visits, 0);
    ref(header().visited_prefix).store(0, std::memory_order_relaxed);
  }
  void set(std::uint32_t child, std::uint32_t visits, Reward reward) const {
    visits_array()[child] = visits;
    rewards_array()[child] = reward;
  }
  void set_move(std::uint32_t child, Move move) const { move_array()[child] = move; }
  void publish_child(std::uint32_t child, NodeIndex node) const {
    ref(child_array()[child]).store(node, std::memory_order_release);
  }

  // From the header on.
  static constexpr std::size_t bytes(std::uint32_t child_count, const NodeLayout& layout) {
    return plain_bytes(child_count) + rounded_up(child_count * layout.extra_bytes_per_child());
  }

 private:
  static constexpr std::size_t rounded_up(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
  static constexpr std::size_t plain_bytes(std::uint32_t child_count) {
    return rounded_up(sizeof(Header) + child_count * (8 + 4 + 4 + 4));
  }

  template <class T>
  static std::atomic_ref<T> ref(T& value) {
    return std::atomic_ref<T>(value);
  }

  // One thread owns the tree, so this need not be one atomic step. A locked addition costs a tenth of an Othello
  // search.
  template <class T>
  static void bump(T& value, T by) {
    ref(value).store(static_cast<T>(ref(value).load(std::memory_order_relaxed) + by), std::memory_order_relaxed);
  }

  template <class T>
  T* array_at(std::size_t bytes_per_child_before) const {
    return reinterpret_cast<T*>(block_ + sizeof(Header) + bytes_per_child_before * child_count());
  }
  Reward* rewards_array() const { return array_at<Reward>(0); }
  std::uint32_t* visits_array() const { return array_at<std::uint32_t>(8); }
  NodeIndex* child_array() const { return array_at<NodeIndex>(12); }
  Move* move_array() const { return array_at<Move>(16); }
  double* doubles(std::size_t array) const {
    return reinterpret_cast<double*>(block_ + plain_bytes(child_count())) + array * child_count();
  }

  std::byte* block_;
};

class Tree {
 public:
  // std::invalid_argument where `max_memory` cannot hold even a small tree.
  Tree(const NodeLayout& layout, std::size_t max_memory);

  // Forgets everything.
  void clear();

  // The anchor: its child 0 is the root.
  NodeIndex anchor() const { return anchor_; }
  Node at(NodeIndex index) const { return Node(arena_.get() + std::size_t{index} * kUnit); }
  NodeIndex root() const { return at(anchor_).child(0); }
  void prefetch(NodeIndex index) const { __builtin_prefetch(arena_.get() + std::size_t{index} * kUnit); }

  void prefetch_ledger(NodeIndex index) const { __builtin_prefetch(block(index), 1); }

  // A new node whose statistics are all zero, not yet anybody's child; kNoNode when the arena is full.
  NodeIndex allocate(std::span<const Move> moves, int chooser);

  // Makes the root's child the new root, keeps what is below it and frees the rest.
  void reroot(std::uint32_t child);

  bool is_full() const { return full_; }
  std::size_t used_bytes() const { return next_ * kUnit; }
  std::size_t node_count() const { return node_count_; }
  std::size_t child_count() const { return child_count_; }

 private:
  static constexpr std::size_t kUnit = 8;
  static constexpr NodeIndex kFirst = 1;

  // A node's ledger lies before it: an index names the header.
  std::size_t ledger_units() const { return layout_.ledger_bytes() / kUnit; }
  std::size_t units(std::uint32_t child_count) const {
    return ledger_units() + Node::bytes(child_count, layout_) / kUnit;
  }
  std::byte* block(std::size_t index) const { return arena_.get() + (index - ledger_units()) * kUnit; }

  NodeLayout layout_;
  NodeIndex anchor_;
  std::size_t capacity_;  // in units, like next_ and dirty_
  ZeroedMemory arena_;
  std::size_t next_ = 0;   // where the next node goes
  std::size_t dirty_ = 0;  // up to here the arena may hold old bytes, beyond it is zero
  std::size_t node_count_ = 0;
  std::size_t child_count_ = 0;
  bool full_ = false;
};

}  // namespace tesuji
