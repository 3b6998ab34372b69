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
// Where several threads share a tree (NodeLayout::shared), visits and rewards are added to in one step each; whatever a
// rule keeps beside them is written only by the thread that holds the node's lock, and read by all (docs/threads.md).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <thread>

#include "core/game.hpp"
#include "core/zeroed_memory.hpp"
#include "search/proof.hpp"
#include "search/relaxed.hpp"

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
//   counted    the visits that the backup rule has seen, 4 bytes, where it cannot go by the visits themselves: they
//              include those of playouts under way in other threads
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
  bool has_counted = false;
  bool adds_up = false;  // not kept, but known as early: the rewards of all players, one or two, add up to 1
  bool shared = false;   // nor this: several threads may be at a node at once

  // Whether the place of the sums of rewards has backed-up values.
  constexpr bool replaces_rewards() const { return backed_up == 1; }
  constexpr std::size_t extra_bytes_per_child() const { return proofs_at() + (has_proofs ? 1 : 0); }
  constexpr std::size_t extra_doubles_per_child() const { return rave_at() + (has_rave ? 1 : 0); }
  constexpr std::size_t rave_at() const { return bounds_at() + (has_bounds ? 2 : 0); }
  constexpr std::size_t extra_backed_up() const { return replaces_rewards() ? 0 : backed_up; }
  constexpr std::size_t means_at() const { return extra_backed_up() + (has_weights ? 1 : 0); }
  constexpr std::size_t bounds_at() const { return means_at() + (has_means ? backed_up : 0); }
  constexpr std::size_t counted_at() const { return 8 * extra_doubles_per_child() + (has_rave ? 4 : 0); }
  constexpr std::size_t prior_at() const { return counted_at() + (has_counted ? 4 : 0); }
  constexpr std::size_t proofs_at() const { return prior_at() + (has_prior ? 4 : 0); }
  constexpr std::size_t ledger_bytes() const { return has_ledger ? 8 * (2 + std::size_t{backed_up}) : 0; }
};

// The numbers that a backup rule keeps of a node as a whole. All are 0 until the rule has seen the node.
class Ledger {
 public:
  explicit Ledger(double* end) : end_(end) {}

  Relaxed<double> scale() const { return Relaxed(end_ - 1); }
  Relaxed<double> weight() const { return Relaxed(end_ - 2); }
  Relaxed<double> sum(std::size_t array) const { return Relaxed(end_ - 3 - static_cast<std::ptrdiff_t>(array)); }

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
    NodeIndex parent;              // the two are set only during compaction: who holds this node, and where;
    std::uint32_t parent_child;    // while threads search, `parent` is the node's lock (see NodeLock)
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
    return after_plain<float>(layout.prior_at())[child];
  }
  RelaxedArray<float> priors(const NodeLayout& layout) const {
    return RelaxedArray(after_plain<float>(layout.prior_at()));
  }
  // Only where the layout has them, and nothing in their place.
  RelaxedArray<Reward> reward_sums() const { return RelaxedArray(rewards_array()); }

  // The arrays and the ledger of the layout; only where it has them.
  RelaxedArray<double> backed_up(std::size_t array, const NodeLayout& layout) const {
    return layout.replaces_rewards() ? RelaxedArray(array_at<double>(0)) : doubles(array);
  }
  RelaxedArray<double> weights(const NodeLayout& layout) const { return doubles(layout.extra_backed_up()); }
  RelaxedArray<double> rave_rewards(const NodeLayout& layout) const { return doubles(layout.rave_at()); }
  RelaxedArray<std::uint32_t> rave_visits(const NodeLayout& layout) const {
    return RelaxedArray(after_plain<std::uint32_t>(8 * layout.extra_doubles_per_child()));
  }
  RelaxedArray<std::uint32_t> counted(const NodeLayout& layout) const {
    return RelaxedArray(after_plain<std::uint32_t>(layout.counted_at()));
  }
  RelaxedArray<double> means(std::size_t array, const NodeLayout& layout) const {
    return doubles(layout.means_at() + array);
  }
  RelaxedArray<double> lower_bounds(const NodeLayout& layout) const { return doubles(layout.bounds_at()); }
  RelaxedArray<double> upper_bounds(const NodeLayout& layout) const { return doubles(layout.bounds_at() + 1); }
  RelaxedArray<Proof> proofs(const NodeLayout& layout) const {
    return RelaxedArray(after_plain<Proof>(layout.proofs_at()));
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
  void add_visits(std::uint32_t child, std::int32_t visits) const {
    bump(visits_array()[child], static_cast<std::uint32_t>(visits));
  }

  // The same while other threads do so too.
  void add_shared(std::uint32_t child, std::int32_t visits, Reward reward) const {
    if (visits != 0) {
      ref(visits_array()[child]).fetch_add(static_cast<std::uint32_t>(visits), std::memory_order_relaxed);
    }
    if (reward != 0) ref(rewards_array()[child]).fetch_add(reward, std::memory_order_relaxed);
  }
  void prefetch_rewards(std::uint32_t child) const { __builtin_prefetch(rewards_array() + child, 1); }

  // After a visit was taken back as if it had never been: a child may be without visits again.
  void forget_visited_prefix() const { ref(header().visited_prefix).store(0, std::memory_order_relaxed); }
  void set(std::uint32_t child, std::uint32_t visits, Reward reward) const {
    visits_array()[child] = visits;
    rewards_array()[child] = reward;
  }
  void set_move(std::uint32_t child, Move move) const { move_array()[child] = move; }
  void publish_child(std::uint32_t child, NodeIndex node) const {
    ref(child_array()[child]).store(node, std::memory_order_release);
  }
  // The same where another thread may have been faster. The node that the child has then: this one, or the other's.
  NodeIndex publish_first(std::uint32_t child, NodeIndex node) const {
    NodeIndex other = kNoNode;
    const bool is_first =
        ref(child_array()[child])
            .compare_exchange_strong(other, node, std::memory_order_acq_rel, std::memory_order_acquire);
    return is_first ? node : other;
  }

  // For NodeLock.
  bool try_lock() const { return ref(header().parent).exchange(kLocked, std::memory_order_acquire) == kNoNode; }
  bool looks_locked() const { return ref(header().parent).load(std::memory_order_relaxed) != kNoNode; }
  void unlock() const { ref(header().parent).store(kNoNode, std::memory_order_release); }

  // From the header on.
  static constexpr std::size_t bytes(std::uint32_t child_count, const NodeLayout& layout) {
    return plain_bytes(child_count) + rounded_up(child_count * layout.extra_bytes_per_child());
  }

 private:
  static constexpr NodeIndex kLocked = ~NodeIndex{0};
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
  // An array of the layout, by the bytes that a child has in those before it.
  template <class T>
  T* after_plain(std::size_t bytes_per_child_before) const {
    return reinterpret_cast<T*>(block_ + plain_bytes(child_count()) + bytes_per_child_before * child_count());
  }
  RelaxedArray<double> doubles(std::size_t array) const { return RelaxedArray(after_plain<double>(8 * array)); }

  std::byte* block_;
};

// Has a node for itself where threads share the tree; does nothing where they do not. Held for some ten nanoseconds,
// and never while a game or an evaluator is asked. Of two nodes the one nearer to the root is locked first.
class NodeLock {
 public:
  NodeLock(const Node& node, const NodeLayout& layout) : node_(node), holds_(layout.shared) {
    if (!holds_) return;
    for (int tries = 0; !node_.try_lock(); ++tries) wait_until_free(tries);
  }
  ~NodeLock() {
    if (holds_) node_.unlock();
  }
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

 private:
  // With more threads than cores, the one that holds the lock may need this core.
  void wait_until_free(int tries) const {
    for (int spins = 0; node_.looks_locked(); ++spins) {
      if (spins > 100 || tries > 100) std::this_thread::yield();
    }
  }

  Node node_;
  bool holds_;
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

  // A new node whose statistics are all zero, not yet anybody's child; kNoNode when the arena is full. Threads may ask
  // at once.
  NodeIndex allocate(std::span<const Move> moves, int chooser);

  // For a node that does not become a child's, because another was first: it counts no more, and goes with the next
  // reroot.
  void abandon(const Node& node) { count(-one(node)); }

  // Makes the root's child the new root, keeps what is below it and frees the rest.
  void reroot(std::uint32_t child);

  bool is_full() const { return full_.load(std::memory_order_relaxed); }
  std::size_t used_bytes() const { return next_.load(std::memory_order_relaxed) * kUnit; }
  std::size_t node_count() const { return counts_.load(std::memory_order_relaxed) >> 32; }
  std::size_t child_count() const { return counts_.load(std::memory_order_relaxed) & 0xffffffff; }

 private:
  static constexpr std::size_t kUnit = 8;
  static constexpr NodeIndex kFirst = 1;

  // A node's ledger lies before it: an index names the header.
  std::size_t ledger_units() const { return layout_.ledger_bytes() / kUnit; }
  std::size_t units(std::uint32_t child_count) const {
    return ledger_units() + Node::bytes(child_count, layout_) / kUnit;
  }
  // A node and its children, as counts_ has them.
  static std::uint64_t one(const Node& node) { return (std::uint64_t{1} << 32) + node.child_count(); }
  void count(std::uint64_t more);
  // The first of so many units, or nothing where they are not left.
  std::optional<std::size_t> claim(std::size_t size);
  std::byte* block(std::size_t index) const { return arena_.get() + (index - ledger_units()) * kUnit; }

  NodeLayout layout_;
  NodeIndex anchor_;
  std::size_t capacity_;  // in units, like next_ and dirty_
  ZeroedMemory arena_;
  std::size_t dirty_ = 0;  // up to here the arena may hold old bytes, beyond it is zero
  // Written by all threads: not beside what they read all the time.
  alignas(64) std::atomic<std::size_t> next_{0};  // where the next node goes
  std::atomic<std::uint64_t> counts_{0};          // of nodes, and in the lower half of children: added to in one step
  alignas(64) std::atomic<bool> full_{false};
};

}  // namespace tesuji
