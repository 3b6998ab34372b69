#include "search/sharing.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "search/searcher.hpp"

namespace tesuji {
namespace {

std::optional<std::uint32_t> child_with(const Node& node, Move move) {
  const Move* end = node.moves() + node.child_count();
  const Move* found = std::find(node.moves(), end, move);
  if (found == end) return std::nullopt;
  return static_cast<std::uint32_t>(found - node.moves());
}

std::optional<Node> find_node(const Tree& tree, std::span<const std::uint32_t> path) {
  NodeIndex index = tree.anchor();
  for (const Move move : path) {
    const Node node = tree.at(index);
    const std::optional<std::uint32_t> child = child_with(node, move);
    if (!child) throw BadMessage("a node is told of behind move " + std::to_string(move) + ", which there is not here");
    index = node.child(*child);
    if (index == kNoNode) return std::nullopt;
  }
  return tree.at(index);
}

// The children by their moves.
std::vector<std::uint32_t> by_moves(const Node& node) {
  std::vector<std::uint32_t> order(node.child_count());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return node.move(a) < node.move(b); });
  return order;
}

void check_children(const Node& node, std::uint32_t told) {
  if (node.child_count() == told) return;
  throw BadMessage("a node has " + std::to_string(node.child_count()) + " moves here and is told of with " +
                   std::to_string(told));
}

template <class T>
void add_within(Relaxed<T> number, std::int64_t change, std::int64_t most) {
  number = static_cast<T>(std::clamp<std::int64_t>(static_cast<std::int64_t>(T{number}) + change, 0, most));
}

class Reader {
 public:
  Reader(SharedStatistics& into, const NodeLayout& layout) : into_(into), layout_(layout) {}

  void skip(std::uint32_t children) { resize(into_.visits.size() + children); }

  void read(const Node& node) {
    const std::size_t first = into_.visits.size();
    resize(first + node.child_count());
    std::size_t place = first;
    for (const std::uint32_t child : by_moves(node)) {
      into_.visits[place] = node.visits(child);
      into_.rewards[place] =
          layout_.backed_up == 0 ? node.rewards(child) : to_reward(std::max(0.0, node.sum(child, layout_)));
      if (layout_.has_rave) {
        into_.rave_visits[place] = node.rave_visits(layout_)[child];
        into_.rave_rewards[place] = node.rave_rewards(layout_)[child];
      }
      if (layout_.has_proofs) into_.proofs[place] = static_cast<std::uint8_t>(Proof{node.proofs(layout_)[child]});
      ++place;
    }
  }

 private:
  void resize(std::size_t size) {
    into_.visits.resize(size);
    into_.rewards.resize(size);
    if (layout_.has_rave) into_.rave_visits.resize(size);
    if (layout_.has_rave) into_.rave_rewards.resize(size);
    if (layout_.has_proofs) into_.proofs.resize(size);
  }

  SharedStatistics& into_;
  const NodeLayout& layout_;
};

void add_changes(const Node& node, const SharedChanges& changes, std::size_t first, const NodeLayout& layout) {
  std::size_t place = first;
  for (const std::uint32_t child : by_moves(node)) {
    const std::int64_t visits = std::clamp<std::int64_t>(node.visits(child) + changes.visits[place], 0,
                                                         std::numeric_limits<std::uint32_t>::max());
    node.set(child, static_cast<std::uint32_t>(visits), node.rewards(child) + changes.rewards[place]);
    if (layout.has_rave) {
      add_within(node.rave_visits(layout)[child], changes.rave_visits[place], std::int64_t{1} << 31);
      node.rave_rewards(layout)[child] += changes.rave_rewards[place];
    }
    if (layout.has_proofs && changes.proofs[place] != 0) {
      node.proofs(layout)[child] = static_cast<Proof>(changes.proofs[place]);
    }
    ++place;
  }
  node.forget_visited_prefix();
}

void check_sizes(const SharedChanges& changes, std::size_t children, const NodeLayout& layout) {
  const auto is_right = [&](std::size_t size, bool is_there) { return size == (is_there ? children : 0); };
  if (is_right(changes.visits.size(), true) && is_right(changes.rewards.size(), true) &&
      is_right(changes.rave_visits.size(), layout.has_rave) && is_right(changes.rave_rewards.size(), layout.has_rave) &&
      is_right(changes.proofs.size(), layout.has_proofs)) {
    return;
  }
  throw BadMessage("the changes are not those of " + std::to_string(children) + " moves of this engine");
}

}  // namespace

void check_proofs(std::span<const std::uint8_t> proofs) {
  for (const std::uint8_t proof : proofs) {
    if (proof <= static_cast<std::uint8_t>(Proof::kWin)) continue;
    throw BadMessage("a move is told of with the proof " + std::to_string(proof) + ", and there are 0 to 3");
  }
}

std::size_t children_in(std::span<const std::uint32_t> list) {
  std::size_t children = 0;
  for (NodeListReader nodes(list); nodes.next();) children += nodes.children();
  return children;
}

bool Searcher::takes_changes() const {
  return rules_.layout.backed_up == 0 && rules_.bound == nullptr && companions().empty();
}

NodeList Searcher::shared_nodes(const SharingLimits& limits) const {
  const Busy busy(*this);
  struct Pending {
    NodeIndex index;
    std::vector<Move> path;
  };
  const Node anchor = tree_.at(tree_.anchor());
  const double least = std::max({1.0, static_cast<double>(limits.least), limits.share * anchor.visits(0)});
  NodeList list = {0, 1};
  std::vector<Pending> pending;
  if (tree_.root() != kNoNode) pending.push_back({tree_.root(), {kNoMove}});
  for (std::size_t next = 0; next < pending.size(); ++next) {
    const auto [index, path] = pending[next];
    const Node node = tree_.at(index);
    list.push_back(static_cast<std::uint32_t>(path.size()));
    list.insert(list.end(), path.begin(), path.end());
    list.push_back(node.child_count());
    if (path.size() > limits.depth) continue;
    for (const std::uint32_t child : by_moves(node)) {
      if (node.child(child) == kNoNode || node.visits(child) < least) continue;
      pending.push_back({node.child(child), path});
      pending.back().path.push_back(node.move(child));
    }
  }
  return list;
}

SharedStatistics Searcher::statistics_of(std::span<const std::uint32_t> list) const {
  const Busy busy(*this);
  SharedStatistics statistics;
  Reader reader(statistics, rules_.layout);
  for (NodeListReader nodes(list); nodes.next();) {
    const std::optional<Node> node = find_node(tree_, nodes.path());
    if (node) check_children(*node, nodes.children());
    if (node) {
      reader.read(*node);
    } else {
      reader.skip(nodes.children());
    }
  }
  return statistics;
}

void Searcher::add_changes_of(std::span<const std::uint32_t> list, const SharedChanges& changes) {
  const Busy busy(*this);
  if (!takes_changes()) throw BadMessage("this engine's statistics cannot be changed from outside");
  check_sizes(changes, children_in(list), rules_.layout);
  check_proofs(changes.proofs);
  for (NodeListReader nodes(list); nodes.next();) {  // all are looked at before the first is changed
    if (const std::optional<Node> node = find_node(tree_, nodes.path())) check_children(*node, nodes.children());
  }
  std::size_t place = 0;
  for (NodeListReader nodes(list); nodes.next(); place += nodes.children()) {
    if (const std::optional<Node> node = find_node(tree_, nodes.path())) {
      add_changes(*node, changes, place, rules_.layout);
    }
  }
}

}  // namespace tesuji
