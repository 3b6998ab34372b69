#include "search/tree.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace tesuji {
namespace {

constexpr std::size_t kLeastMemory = 64 * 1024;

}  // namespace

Tree::Tree(const NodeLayout& layout, std::size_t max_memory) : layout_(layout) {
  if (max_memory < kLeastMemory) {
    throw std::invalid_argument("max_memory must be at least " + std::to_string(kLeastMemory) + " bytes");
  }
  // 32-bit indices reach 32 GiB; a larger arena could not be used.
  capacity_ = std::min<std::size_t>(max_memory / kUnit, std::numeric_limits<NodeIndex>::max());
  arena_ = allocate_zeroed(capacity_ * kUnit);
  clear();
}

void Tree::clear() {
  dirty_ = std::max(dirty_, next_.load());
  next_ = kFirst;
  counts_ = 0;
  full_ = false;
  const Move no_move = kNoMove;
  anchor_ = allocate({&no_move, 1}, 0);
}

NodeIndex Tree::allocate(std::span<const Move> moves, int chooser) {
  if (moves.size() > Node::kMostChildren)
    throw std::length_error("a position has more legal moves than a node can hold");
  const auto child_count = static_cast<std::uint32_t>(moves.size());
  const std::size_t size = units(child_count);
  const std::optional<std::size_t> start = claim(size);
  if (!start) {
    full_.store(true, std::memory_order_relaxed);
    return kNoNode;
  }
  const auto index = static_cast<NodeIndex>(*start + ledger_units());
  const Node node = at(index);
  if (*start < dirty_) std::memset(block(index), 0, std::min(size, dirty_ - *start) * kUnit);
  node.header().child_count = child_count & Node::kMostChildren;
  node.header().chooser = static_cast<std::int8_t>(chooser);
  count(one(node));
  for (std::uint32_t child = 0; child < child_count; ++child) node.set_move(child, moves[child]);
  return index;
}

// One thread alone need not pay for steps that cannot be divided: see Node::bump.
std::optional<std::size_t> Tree::claim(std::size_t size) {
  std::size_t start = next_.load(std::memory_order_relaxed);
  while (start + size <= capacity_) {
    if (!layout_.shared) {
      next_.store(start + size, std::memory_order_relaxed);
      return start;
    }
    if (next_.compare_exchange_weak(start, start + size, std::memory_order_relaxed)) return start;
  }
  return std::nullopt;
}

void Tree::count(std::uint64_t more) {
  if (layout_.shared) {
    counts_.fetch_add(more, std::memory_order_relaxed);
  } else {
    counts_.store(counts_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
}

// One sweep in the order of addresses. A parent lies before its children, so when a kept node is reached its parent has
// already arrived at its new place, and has left in it, as parent and parent_child, where its new index is to be
// written. A node that nobody has so marked is garbage. Nodes only move towards the front, never over an unread one.
void Tree::reroot(std::uint32_t child) {
  const Node old_root = at(root());
  const Node anchor_node = at(anchor_);
  const NodeIndex new_root = old_root.child(child);
  anchor_node.header().chooser = old_root.header().chooser;
  anchor_node.set(0, old_root.visits(child), old_root.rewards(child));
  for (std::size_t array = 0; array < layout_.backed_up; ++array) {
    anchor_node.backed_up(array, layout_)[0] = old_root.backed_up(array, layout_)[child];
  }
  if (layout_.has_counted) anchor_node.counted(layout_)[0] = old_root.counted(layout_)[child];
  if (layout_.has_proofs) anchor_node.proofs(layout_)[0] = old_root.proofs(layout_)[child];
  anchor_node.publish_child(0, new_root);

  const std::size_t end = next_;
  next_ = kFirst + units(1);
  counts_ = 0;
  count(one(anchor_node));
  if (new_root != kNoNode) {
    at(new_root).header().parent = anchor_;
    at(new_root).header().parent_child = 0;
    const std::size_t before = ledger_units();
    for (std::size_t read = new_root; read < end;) {
      const Node node = at(static_cast<NodeIndex>(read));
      const std::size_t size = units(node.child_count());
      if (node.header().parent != kNoNode) {
        const auto index = static_cast<NodeIndex>(next_ + before);
        at(node.header().parent).publish_child(node.header().parent_child, index);
        node.header().parent = kNoNode;
        std::memmove(block(index), block(read), size * kUnit);
        const Node moved = at(index);
        for (std::uint32_t k = 0; k < moved.child_count(); ++k) {
          if (moved.child(k) == kNoNode) continue;
          Node::Header& below = at(moved.child(k)).header();
          below.parent = index;
          below.parent_child = k;
        }
        count(one(moved));
        next_ += size;
      }
      read += size;
    }
  }
  dirty_ = std::max(dirty_, end);
  full_ = false;
}

}  // namespace tesuji
