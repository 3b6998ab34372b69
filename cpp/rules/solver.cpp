#include "rules/solver.hpp"

#include <algorithm>
#include <vector>

#include "rules/backed_up.hpp"

namespace tesuji {
namespace {

Proof proof_by_rewards(const Rewards& rewards, int players, int chooser) {
  if (players == 2 && rewards[0] + rewards[1] != kRewardOne) return Proof::kNone;
  const Reward own = rewards[player_of(chooser)];
  for (const Proof proof : {Proof::kLoss, Proof::kDraw, Proof::kWin}) {
    if (own == reward_of(proof)) return proof;
  }
  return Proof::kNone;
}

// What a node is worth to the player who chooses there, or to the first one where chance does.
Proof proof_by_children(const Node& node, const NodeLayout& layout) {
  Proof lowest = Proof::kWin;
  Proof highest = Proof::kNone;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    const Proof proof = node.proofs(layout)[child];
    lowest = std::min(lowest, proof);
    highest = std::max(highest, proof);
  }
  if (node.chooser() == kChance) return lowest == highest ? lowest : Proof::kNone;
  return highest == Proof::kWin || lowest != Proof::kNone ? highest : Proof::kNone;
}

}  // namespace

void Solver::prove(const Playout& playout, int players, const Rules& rules) {
  std::size_t step = playout.path.size() - 1;
  Proof proof = proof_by_rewards(playout.rewards, players, playout.path[step].parent.chooser());
  while (true) {
    const Node node = playout.path[step].parent;
    // Of two threads that prove two children at once, the second must see what the first wrote.
    const NodeLock lock(node, rules.layout);
    if (proof == Proof::kNone) return;
    node.proofs(rules.layout)[playout.path[step].child] = proof;
    if (step == 0) return;
    const Node above = playout.path[--step].parent;
    proof = seen_by(above.chooser(), node.chooser(), proof_by_children(node, rules.layout));
  }
}

std::size_t Solver::final_move(std::span<const RootChild> children, const Rules& rules) {
  const auto best_proof =
      std::max_element(children.begin(), children.end(), [](const RootChild& a, const RootChild& b) {
        return std::pair(a.proof, a.visits) < std::pair(b.proof, b.visits);
      });
  const auto proven = static_cast<std::size_t>(best_proof - children.begin());
  if (best_proof->proof == Proof::kWin) return proven;
  std::vector<RootChild> open;
  std::vector<std::size_t> places;
  for (std::size_t child = 0; child < children.size(); ++child) {
    if (children[child].proof == Proof::kLoss) continue;
    open.push_back(children[child]);
    places.push_back(child);
  }
  if (open.empty()) return rules.final(children, rules.parameters);
  const std::size_t chosen = places[rules.final(open, rules.parameters)];
  const bool is_worse = children[chosen].value < value_of(Proof::kDraw);
  return best_proof->proof == Proof::kDraw && is_worse ? proven : chosen;
}

}  // namespace tesuji
