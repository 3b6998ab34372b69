// The arena and its compaction, against a plain copy of the tree in ordinary containers.
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/rng.hpp"
#include "doctest/doctest.h"
#include "search/tree.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;

struct PlainNode {
  int chooser;
  struct Child {
    Move move;
    std::uint32_t visits;
    Reward rewards;
    double own;  // all that the layout adds, in one number
    std::unique_ptr<PlainNode> node;
  };
  double ledger;
  std::vector<Child> children;
};

double own_numbers(const Node& node, std::uint32_t child, const NodeLayout& layout) {
  double sum = 0;
  for (std::size_t array = 0; array < layout.backed_up; ++array) sum = 3 * sum + node.backed_up(array, layout)[child];
  if (layout.has_weights) sum = 3 * sum + node.weights(layout)[child];
  return layout.has_prior ? 3 * sum + static_cast<double>(node.prior(child, layout)) : sum;
}

double ledger_numbers(const Node& node, const NodeLayout& layout) {
  if (!layout.has_ledger) return 0;
  double sum = 3 * node.ledger().scale() + node.ledger().weight();
  for (std::size_t array = 0; array < layout.backed_up; ++array) sum = 3 * sum + node.ledger().sum(array);
  return sum;
}

void fill_own_numbers(const Node& node, Rng& rng, const NodeLayout& layout) {
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    REQUIRE(own_numbers(node, child, layout) == 0);
    for (std::size_t array = 0; array < layout.backed_up; ++array) node.backed_up(array, layout)[child] = rng.uniform();
    if (layout.has_weights) node.weights(layout)[child] = rng.uniform();
    if (layout.has_prior) node.prior(child, layout) = static_cast<float>(rng.uniform());
  }
  if (!layout.has_ledger) return;
  REQUIRE(ledger_numbers(node, layout) == 0);
  node.ledger().scale() = rng.uniform();
  node.ledger().weight() = rng.uniform();
  for (std::size_t array = 0; array < layout.backed_up; ++array) node.ledger().sum(array) = rng.uniform();
}

std::unique_ptr<PlainNode> copy_of(const Tree& tree, NodeIndex index, const NodeLayout& layout = {}) {
  if (index == kNoNode) return nullptr;
  const Node node = tree.at(index);
  auto copy = std::make_unique<PlainNode>();
  copy->chooser = node.chooser();
  copy->ledger = ledger_numbers(node, layout);
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    copy->children.push_back({node.move(child), node.visits(child), node.rewards(child),
                              own_numbers(node, child, layout), copy_of(tree, node.child(child), layout)});
  }
  return copy;
}

bool same(const PlainNode* a, const PlainNode* b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->chooser != b->chooser || a->ledger != b->ledger || a->children.size() != b->children.size()) return false;
  for (std::size_t k = 0; k < a->children.size(); ++k) {
    const auto& x = a->children[k];
    const auto& y = b->children[k];
    if (x.move != y.move || x.visits != y.visits || x.rewards != y.rewards || x.own != y.own) {
      return false;
    }
    if (!same(x.node.get(), y.node.get())) return false;
  }
  return true;
}

std::size_t count(const PlainNode* node) {
  if (node == nullptr) return 0;
  std::size_t total = 1;
  for (const auto& child : node->children) total += count(child.node.get());
  return total;
}

// Gives a random childless entry a node, some visits and rewards; false when the arena is full.
bool grow(Tree& tree, Rng& rng, const NodeLayout& layout = {}) {
  Node parent = tree.at(tree.anchor());
  std::uint32_t child = 0;
  while (parent.child(child) != kNoNode) {
    parent = tree.at(parent.child(child));
    child = rng.below(parent.child_count());
  }
  std::vector<Move> moves(1 + rng.below(7));
  for (Move& move : moves) move = rng.below(1000);
  const NodeIndex index = tree.allocate(moves, static_cast<int>(rng.below(3)));
  if (index == kNoNode) return false;
  for (std::uint32_t k = 0; k < moves.size(); ++k) {
    REQUIRE(tree.at(index).visits(k) == 0);
    REQUIRE(tree.at(index).rewards(k) == 0);
    REQUIRE(tree.at(index).child(k) == kNoNode);
    tree.at(index).add(k, static_cast<std::int32_t>(rng.below(9)), static_cast<Reward>(rng.below(1u << 31)));
  }
  fill_own_numbers(tree.at(index), rng, layout);
  parent.publish_child(child, index);
  return true;
}

}  // namespace

// With everything that a backup rule may want, for two players each.
constexpr NodeLayout kFull{.has_prior = true, .backed_up = 2, .has_weights = true, .has_ledger = true};

TEST_CASE("a plain child costs 20 bytes, one with a prior 24, and a node 16 more") {
  CHECK(Node::bytes(10, NodeLayout{}) == 216);
  CHECK(Node::bytes(10, NodeLayout{.has_prior = true}) == 256);
  CHECK(Node::bytes(1, NodeLayout{}) % 8 == 0);
}

TEST_CASE("an accelerated child costs 28 bytes, and its node 24 more") {
  const NodeLayout accelerated{.backed_up = 1, .has_weights = true, .has_ledger = true};
  CHECK(Node::bytes(10, accelerated) == 16 + 280);
  CHECK(accelerated.ledger_bytes() == 24);
}

TEST_CASE("a new tree has an anchor and no root") {
  const Tree tree(NodeLayout{}, kMegabyte);
  CHECK(tree.root() == kNoNode);
  CHECK(tree.node_count() == 1);
  CHECK_FALSE(tree.is_full());
  CHECK_THROWS_AS(Tree(NodeLayout{}, 100), std::invalid_argument);
}

TEST_CASE("rerooting keeps exactly the subtree, at the front of the arena, over and over") {
  for (const NodeLayout& layout : {NodeLayout{}, NodeLayout{.has_prior = true}, kFull}) {
    Rng rng(7);
    Tree tree(layout, kMegabyte);
    for (int round = 0; round < 60; ++round) {
      for (int i = 0; i < 400; ++i) grow(tree, rng, layout);
      const std::uint32_t child = rng.below(tree.at(tree.root()).child_count());
      const std::unique_ptr<PlainNode> before = copy_of(tree, tree.root(), layout);
      const PlainNode::Child& kept = before->children[child];
      std::vector<double> backed_up;
      for (std::size_t array = 0; array < layout.backed_up; ++array) {
        backed_up.push_back(tree.at(tree.root()).backed_up(array, layout)[child]);
      }
      tree.reroot(child);
      const std::unique_ptr<PlainNode> after = copy_of(tree, tree.root(), layout);
      REQUIRE(same(after.get(), kept.node.get()));
      REQUIRE(tree.at(tree.anchor()).visits(0) == kept.visits);
      REQUIRE(tree.at(tree.anchor()).rewards(0) == kept.rewards);
      for (std::size_t array = 0; array < layout.backed_up; ++array) {
        REQUIRE(tree.at(tree.anchor()).backed_up(array, layout)[0] == backed_up[array]);
      }
      REQUIRE(tree.node_count() == 1 + count(after.get()));
    }
  }
}

TEST_CASE("a full arena refuses, keeps what it has, and has room again after rerooting") {
  Rng rng(3);
  Tree tree(NodeLayout{}, 64 * 1024);
  while (grow(tree, rng)) {
  }
  CHECK(tree.is_full());
  CHECK(tree.used_bytes() <= 64 * 1024);
  const std::unique_ptr<PlainNode> before = copy_of(tree, tree.root());
  tree.reroot(0);
  CHECK(same(copy_of(tree, tree.root()).get(), before->children[0].node.get()));
  CHECK_FALSE(tree.is_full());
  CHECK(grow(tree, rng));
  tree.clear();
  CHECK(tree.root() == kNoNode);
  CHECK(grow(tree, rng));
}

}  // namespace tesuji
