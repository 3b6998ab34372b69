// An explicit tree with rewards at its leaves, for tests and for teaching: a search can be watched where every value is
// known. Move k leads to the k-th child of a position; a leaf is the end of the game.
//
// A position is a node of a tree that all positions of the game share and nobody changes, so copying one costs nothing.
// Nothing here recurses: a tree may be as deep as memory allows.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/mix_bits.hpp"

namespace tesuji {

class TreeGame {
 public:
  static constexpr bool kConstantSum = true;

  using NodeNumber = std::uint32_t;

  // Nodes are numbered level by level from the root, 0, the children of each in order: how many children each has says
  // everything about the tree's shape. A node without children is a leaf. Its value, in [0, 1], is the first player's
  // reward; the second gets the rest. Where there are children, the value must be 0, and `players` says who moves; at a
  // leaf the player must be 0.
  struct Nodes {
    int num_players = 2;
    std::vector<std::uint32_t> child_counts;
    std::vector<int> players;
    std::vector<double> values;
  };

  // The start of the game, or the position at another node of the tree. std::invalid_argument where it is no tree.
  explicit TreeGame(const Nodes& nodes, NodeNumber node = 0) : tree_(std::make_shared<const Tree>(nodes)), node_(node) {
    if (node_ >= tree_->size()) throw std::invalid_argument("TreeGame: there is no node " + std::to_string(node_));
  }

  int num_players() const { return tree_->num_players; }
  int to_move() const { return tree_->players[node_]; }
  bool is_over() const { return child_count() == 0; }
  Move child_count() const { return tree_->child_count(node_); }

  void legal_moves(MoveList& moves) const {
    moves.resize(child_count());
    for (Move move = 0; move < moves.size(); ++move) moves[move] = move;
  }

  bool is_legal(Move move) const { return move < child_count(); }
  void play(Move move) { node_ = tree_->first_child[node_] + move; }

  Rewards rewards() const {
    const Reward value = tree_->rewards[node_];
    return num_players() == 1 ? Rewards{value} : Rewards{value, kRewardOne - value};
  }

  // The same draws as the search's own uniform playout, without a list of the moves.
  template <class Record>
  Rewards playout(Rng& rng, Record&& record) {
    while (!is_over()) {
      const Move move = rng.below(child_count());
      record(to_move(), move);
      play(move);
    }
    return rewards();
  }

  std::uint64_t hash() const { return hash_on(tree_->hash, node_); }
  bool operator==(const TreeGame& other) const {
    return node_ == other.node_ && (tree_ == other.tree_ || *tree_ == *other.tree_);
  }

  // Every move of the game is below this.
  Move widest() const { return tree_->widest; }
  // There is no board; this says only whether a move can be made here: 2 where it can, 3 where not.
  int cell(Move move) const { return is_legal(move) ? 2 : 3; }

  NodeNumber node() const { return node_; }
  NodeNumber node_count() const { return static_cast<NodeNumber>(tree_->size()); }

  // The moves from the root to here.
  MoveList path() const {
    MoveList moves;
    for (NodeNumber node = node_; node != 0;) {
      const NodeNumber parent = tree_->parent(node);
      moves.push_back(node - tree_->first_child[parent]);
      node = parent;
    }
    std::reverse(moves.begin(), moves.end());
    return moves;
  }

  // What the game was made from; the values as they are after rounding to fixed point.
  Nodes nodes() const {
    Nodes nodes{num_players(), {}, {tree_->players.begin(), tree_->players.end()}, {}};
    for (NodeNumber node = 0; node < node_count(); ++node) {
      nodes.child_counts.push_back(tree_->child_count(node));
      nodes.values.push_back(to_double(tree_->rewards[node]));
    }
    return nodes;
  }

 private:
  struct Tree {
    explicit Tree(const Nodes& nodes) : num_players(nodes.num_players) {
      const std::size_t count = nodes.child_counts.size();
      if (num_players != 1 && num_players != 2) throw std::invalid_argument("TreeGame: one player or two");
      if (count == 0 || count >= kNoMove || nodes.players.size() != count || nodes.values.size() != count) {
        throw std::invalid_argument("TreeGame: as many child counts, players and values as nodes, and at least one");
      }
      link(nodes.child_counts);
      for (std::size_t node = 0; node < count; ++node) {
        const bool is_leaf = nodes.child_counts[node] == 0;
        const int player = nodes.players[node];
        const double value = nodes.values[node];
        if (player < 0 || player >= (is_leaf ? 1 : num_players))
          throw std::invalid_argument("TreeGame: no such player");
        if (!(value >= 0.0 && value <= (is_leaf ? 1.0 : 0.0))) {
          throw std::invalid_argument("TreeGame: a leaf's value is in [0, 1], any other node's is 0");
        }
        players.push_back(static_cast<std::int8_t>(player));
        rewards.push_back(static_cast<std::int32_t>(std::lround(value * static_cast<double>(kRewardOne))));
      }
      hash = hash_on(0, static_cast<std::uint64_t>(num_players));
      for (std::size_t node = 0; node < count; ++node) {
        hash = hash_on(hash_on(hash, first_child[node + 1]),
                       static_cast<std::uint64_t>(rewards[node]) << 1 | players[node]);
      }
    }

    // A node's children begin where those of the node before it end. Each node must have been announced by an earlier
    // one, and in the end each exactly once: then it is a tree.
    void link(std::span<const std::uint32_t> child_counts) {
      std::uint64_t announced = 1;
      first_child.reserve(child_counts.size() + 1);
      for (std::size_t node = 0; node < child_counts.size(); ++node) {
        if (announced <= node) throw std::invalid_argument("TreeGame: a node that is nobody's child");
        first_child.push_back(static_cast<NodeNumber>(announced));
        announced += child_counts[node];
        if (announced > child_counts.size()) throw std::invalid_argument("TreeGame: more children than nodes");
        widest = std::max(widest, child_counts[node]);
      }
      first_child.push_back(static_cast<NodeNumber>(announced));
    }

    std::size_t size() const { return players.size(); }
    std::uint32_t child_count(NodeNumber node) const { return first_child[node + 1] - first_child[node]; }
    NodeNumber parent(NodeNumber node) const {
      const auto after = std::upper_bound(first_child.begin(), first_child.end(), node);
      return static_cast<NodeNumber>(after - first_child.begin()) - 1;
    }
    bool operator==(const Tree&) const = default;

    int num_players;
    std::uint32_t widest = 0;
    std::uint64_t hash = 0;
    std::vector<NodeNumber> first_child;  // one entry more than there are nodes
    std::vector<std::int8_t> players;
    std::vector<std::int32_t> rewards;  // fixed point, the first player's
  };

  std::shared_ptr<const Tree> tree_;
  NodeNumber node_;
};

static_assert(Game<TreeGame> && HasPlayout<TreeGame>);

}  // namespace tesuji
