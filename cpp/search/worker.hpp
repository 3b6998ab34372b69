// What a thread of a search has for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/game.hpp"
#include "core/playout.hpp"
#include "search/evaluator.hpp"
#include "search/playout_moves.hpp"
#include "search/rules.hpp"
#include "search/simulations.hpp"
#include "search/tree.hpp"

namespace tesuji {

// One way down the tree, and what came of it.
template <Game G>
struct Descent {
  G position;
  std::vector<PathStep> path = {};
  Rewards rewards = {};
  std::vector<PlayedMove> played = {};  // where a rule learns from moves
  bool proves = false;                  // the game ended here, and a solver wants to know
  bool ends_game = false;               // the same, where simulations are written down
  MoveList moves = {};                  // the two are for leaves that an evaluator judges
  std::vector<float> priors = {};
};

// For searches elsewhere (remote.hpp).
template <Game G>
void write_down(const Descent<G>& descent, int players, Simulations& into) {
  const auto each_move = [&](const auto& write) {
    for (const PathStep& step : std::span(descent.path).subspan(1)) write(step.parent.move(step.child));
  };
  write_simulation(into, players, descent.ends_game, descent.rewards, each_move, descent.played);
}

// Of all that threads share, the anchor would be written to most. Its visits may come some playouts late: rules read
// them in a logarithm, a root, or beside visits of thousands, and RAVE's `skip` is then right on the average only.
inline constexpr std::int32_t kUntoldVisits = 32;

template <Game G>
struct alignas(64) Worker {
  std::size_t number;
  Rng rng;
  std::vector<Descent<G>> descents;
  Scratch scratch = {};
  FirstPlays first_plays = {};
  std::vector<EvaluatedLeaf<G>> leaves = {};
  std::vector<std::uint32_t> order = {};  // of a new node's children
  std::vector<PriorVisits> prior_visits = {};
  std::vector<float> priors = {};  // of a new node's moves
  LocalFights<G> fights = {};      // without a solver where the engine wants none
  Simulations simulations = {};    // written down for others
  std::int32_t root_visits = 0;    // not yet told to the anchor
  Reward root_rewards = 0;

  void tell(const Node& anchor) {
    if (root_visits == 0) return;
    anchor.add_shared(0, root_visits, root_rewards);
    root_visits = 0;
    root_rewards = 0;
  }
};

// Tells the anchor what it has not been told, whatever ends a worker's turn.
template <Game G>
class AnchorGuard {
 public:
  AnchorGuard(Worker<G>& worker, const Node& anchor) : worker_(worker), anchor_(anchor) {}
  ~AnchorGuard() { worker_.tell(anchor_); }
  AnchorGuard(const AnchorGuard&) = delete;
  AnchorGuard& operator=(const AnchorGuard&) = delete;

 private:
  Worker<G>& worker_;
  Node anchor_;
};

}  // namespace tesuji
