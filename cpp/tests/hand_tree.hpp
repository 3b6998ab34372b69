// A tree that a test makes by hand, for numbers that were worked out by hand.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "rules/registry.hpp"
#include "search/rules.hpp"

namespace tesuji {

// A path names children from the root down.
class HandTree {
 public:
  using Path = std::vector<std::uint32_t>;

  HandTree(const Parameters& parameters, int players = 2, bool adds_up = true)
      : players_(players),
        rules_(with_layout(make_rules(parameters), players, adds_up)),
        own_tree_(std::make_unique<Tree>(rules_.layout, 1 << 20)),
        tree_(*own_tree_) {}

  // The position after a path becomes a node, `chooser` to move.
  void expand(const Path& path, std::uint32_t child_count, int chooser) {
    const PathStep last = steps(path).back();
    const std::vector<Move> moves(child_count);
    const NodeIndex index = tree_.allocate(moves, chooser);
    last.parent.publish_child(last.child, index);
  }

  // A playout from the position after a path.
  void play_out(const Path& path, const Rewards& rewards) {
    const std::vector<PathStep> way = steps(path);
    for (const PathStep& step : way) {
      if (rules_.layout.replaces_rewards()) {
        step.parent.add_visits(step.child, 1);
      } else {
        step.parent.add(step.child, 1, rewards[static_cast<std::size_t>(std::max(step.chooser, 0))]);
      }
    }
    const Playout playout{way, rewards, way.back().parent.child(way.back().child)};
    if (rules_.back_up != nullptr) rules_.back_up(playout, tree_, rules_);
    if (rules_.bound != nullptr) rules_.bound(playout, tree_, rules_);
  }
  // A playout from a position in which the game is over.
  void end_game(const Path& path, const Rewards& rewards) {
    play_out(path, rewards);
    const std::vector<PathStep> way = steps(path);
    rules_.solver.prove({way, rewards, kNoNode}, players_, rules_);
  }
  void win_of(int player, const Path& path) { play_out(path, two_player_rewards(player)); }

  // What the last move of a path is worth to the player who makes it.
  double value(const Path& path) const {
    const PathStep last = steps(path).back();
    const double visits = last.parent.visits(last.child);
    return last.parent.sum(last.child, rules_.layout) / visits;
  }

  Node node(const Path& path) const {
    const PathStep last = steps(path).back();
    return tree_.at(last.parent.child(last.child));
  }
  PathStep last_step(const Path& path) const { return steps(path).back(); }
  const NodeLayout& layout() const { return rules_.layout; }

 private:
  static Rules with_layout(Rules rules, int players, bool adds_up) {
    rules.layout = rules.layout_for(players, adds_up, true);
    return rules;
  }

  std::vector<PathStep> steps(const Path& path) const {
    std::vector<PathStep> way = {{tree_.at(tree_.anchor()), 0, 0}};
    for (const std::uint32_t child : path) {
      const Node node = tree_.at(way.back().parent.child(way.back().child));
      way.push_back({node, child, node.chooser()});
    }
    return way;
  }

  int players_;
  Rules rules_;
  std::unique_ptr<Tree> own_tree_;  // a tree cannot be moved
  Tree& tree_;
};

}  // namespace tesuji
