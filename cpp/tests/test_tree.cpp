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
    std::unique_ptr<PlainNode> node;
  };
  std::vector<Child> children;
};

std::unique_ptr<PlainNode> copy_of(const Tree& tree, NodeIndex index) {
  if (index == kNoNode) return nullptr;
  const Node node = tree.at(index);
  auto copy = std::make_unique<PlainNode>();
  copy->chooser = node.chooser();
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    copy->children.push_back(
        {node.move(child), node.visits(child), node.rewards(child), copy_of(tree, node.child(child))});
  }
  return copy;
}

bool same(const PlainNode* a, const PlainNode* b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->chooser != b->chooser || a->children.size() != b->children.size()) return false;
  for (std::size_t k = 0; k < a->children.size(); ++k) {
    const auto& x = a->children[k];
    const auto& y = b->children[k];
    if (x.move != y.move || x.visits != y.visits || x.rewards != y.rewards) return false;
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
bool grow(Tree& tree, Rng& rng) {
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
  parent.publish_child(child, index);
  return true;
}

}  // namespace

TEST_CASE("a plain child costs 20 bytes, one with a prior 24, and a node 16 more") {
  CHECK(Node::bytes(10, NodeLayout{}) == 216);
  CHECK(Node::bytes(10, NodeLayout{.has_prior = true}) == 256);
  CHECK(Node::bytes(1, NodeLayout{}) % 8 == 0);
}

TEST_CASE("a new tree has an anchor and no root") {
  const Tree tree(NodeLayout{}, kMegabyte);
  CHECK(tree.root() == kNoNode);
  CHECK(tree.node_count() == 1);
  CHECK_FALSE(tree.is_full());
  CHECK_THROWS_AS(Tree(NodeLayout{}, 100), std::invalid_argument);
}

TEST_CASE("rerooting keeps exactly the subtree, at the front of the arena, over and over") {
  for (const bool has_prior : {false, true}) {
    Rng rng(7);
    Tree tree(NodeLayout{.has_prior = has_prior}, kMegabyte);
    for (int round = 0; round < 60; ++round) {
      for (int i = 0; i < 400; ++i) grow(tree, rng);
      const std::uint32_t child = rng.below(tree.at(tree.root()).child_count());
      const std::unique_ptr<PlainNode> before = copy_of(tree, tree.root());
      const PlainNode::Child& kept = before->children[child];
      tree.reroot(child);
      const std::unique_ptr<PlainNode> after = copy_of(tree, tree.root());
      REQUIRE(same(after.get(), kept.node.get()));
      REQUIRE(tree.at(tree.anchor()).visits(0) == kept.visits);
      REQUIRE(tree.at(tree.anchor()).rewards(0) == kept.rewards);
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
