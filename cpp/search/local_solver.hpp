// Where a solver of local fights enters the search (`semeai`; scalability paper, section 2.2). Of a position it says
// which moves are necessary, and what becomes of the stones that are fought over. Of that the search makes
//
//   expertise     virtual wins for the necessary moves of a new node; none where the fight needs no move
//   conditioning  playouts that end otherwise are thrown away and made anew, a bounded number of times
//   settle        the fights are decided on the board before the playout begins, so that nobody wastes a move on them
//
// The first two are the paper's, the third is ours.
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <vector>

#include "core/game.hpp"
#include "search/playout_moves.hpp"
#include "search/rules.hpp"
#include "search/tree.hpp"

namespace tesuji {

// What becomes of a stone of `player` on `point`: it stays until the end, or it is gone by then.
struct Claim {
  Move point;
  int player;
  bool stays;
};

struct LocalVerdict {
  MoveList necessary;  // for the player to move; without one of them a fight has a worse outcome
  // Moves in a fight that is won without them. Settled playouts make none of them, so that all-moves-as-first never
  // hears of them; they may be the best all the same, when the other's threats there cost points.
  MoveList worth_a_look;
  std::vector<Claim> claims;  // if both sides play the fights rightly, the player to move first

  void clear() {
    necessary.clear();
    worth_a_look.clear();
    claims.clear();
  }
};

template <Game G>
class LocalSolver {
 public:
  virtual ~LocalSolver() = default;
  // One for each thread: a solver may remember what it has solved.
  virtual std::unique_ptr<LocalSolver> copy() const = 0;
  virtual void look_at_root(const G& /*root*/) {}
  // The verdict comes cleared. The position is not over.
  virtual void judge(const G& position, LocalVerdict& verdict) = 0;
  // Plays the necessary moves and decides on the board what is claimed, as far as that can be done. The verdict is then
  // that of the new position. The moves are added to `played`, where it is given.
  virtual void settle(G& /*position*/, LocalVerdict& /*verdict*/, Rng& /*rng*/, std::vector<PlayedMove>* /*played*/) {}
};

// A game whose stones can be looked at: cell() gives the player who has a stone on a point, or something else.
template <class G>
concept HasCells = requires(const G& position, Move point) {
  { position.cell(point) } -> std::convertible_to<int>;
};

template <Game G>
bool agrees(const G& end, const std::vector<Claim>& claims) {
  if constexpr (HasCells<G>) {
    return std::all_of(claims.begin(), claims.end(), [&](const Claim& claim) {
      return (static_cast<int>(end.cell(claim.point)) == claim.player) == claim.stays;
    });
  } else {
    return true;
  }
}

// Those of the moves that a new node has begin with so many wins, beside what a prior gave them.
inline void add_virtual_wins(const Node& node, const MoveList& moves, double wins, const NodeLayout& layout) {
  if (moves.empty()) return;
  const RelaxedArray<double> rewards = node.rave_rewards(layout);
  const RelaxedArray<std::uint32_t> visits = node.rave_visits(layout);
  const auto units = static_cast<std::uint32_t>(wins * kRaveVisit);
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    if (std::find(moves.begin(), moves.end(), node.move(child)) == moves.end()) continue;
    visits[child] = visits[child] + units;
    rewards[child] = rewards[child] + units * kRaveUnit;
  }
}

inline void add_expertise(const Node& node, const LocalVerdict& verdict, const Rules& rules) {
  constexpr double kLook = 10;  // enough to be tried, and soon outweighed
  add_virtual_wins(node, verdict.necessary, rules.parameters.semeai_weight, rules.layout);
  if (rules.parameters.semeai_settles) add_virtual_wins(node, verdict.worth_a_look, kLook, rules.layout);
}

// A solver, and what it works on: of one thread.
template <Game G>
struct LocalFights {
  std::unique_ptr<LocalSolver<G>> solver = nullptr;
  LocalVerdict verdict = {};
  std::optional<G> leaf = std::nullopt;

  void look_at_root(const G& root) {
    if (solver != nullptr) solver->look_at_root(root);
  }

  const LocalVerdict& judge(const G& position) {
    verdict.clear();
    solver->judge(position, verdict);
    return verdict;
  }

  // A playout by `play_out()`, which plays on from `position`.
  template <class PlayOut>
  std::optional<Rewards> play_out(G& position, std::vector<PlayedMove>* played, Rng& rng, const Parameters& parameters,
                                  PlayOut&& play_out) {
    judge(position);
    if (parameters.semeai_settles) solver->settle(position, verdict, rng, played);
    if (parameters.semeai_retries == 0 || verdict.claims.empty()) return play_out();
    leaf = position;
    const std::size_t moves = played == nullptr ? 0 : played->size();
    for (std::uint32_t retry = 0;; ++retry) {
      const std::optional<Rewards> rewards = play_out();
      if (!rewards || retry == parameters.semeai_retries || agrees(position, verdict.claims)) return rewards;
      position = *leaf;
      if (played != nullptr) played->resize(moves);
    }
  }
};

}  // namespace tesuji
