// What is known for certain of a child, as the player who chooses it sees it. The solver (rules/solver.hpp) finds it
// out; a search without a solver has none.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/rewards.hpp"

namespace tesuji {

enum class Proof : std::uint8_t { kNone, kLoss, kDraw, kWin };

// The reward of the player who sees it so.
constexpr Reward reward_of(Proof proof) { return kRewardHalf * (static_cast<int>(proof) - 1); }
constexpr double value_of(Proof proof) { return to_double(reward_of(proof)); }

// All rewards; chance sees with the first player's eyes.
constexpr Rewards rewards_of(Proof proof, int chooser) {
  const Reward own = reward_of(proof);
  return chooser == 1 ? Rewards{kRewardOne - own, own} : Rewards{own, kRewardOne - own};
}

// The same as another player sees it.
constexpr Proof seen_by(int other, int chooser, Proof proof) {
  if (proof == Proof::kNone || std::max(other, 0) == std::max(chooser, 0)) return proof;
  return proof == Proof::kWin ? Proof::kLoss : proof == Proof::kLoss ? Proof::kWin : proof;
}

constexpr const char* name_of(Proof proof) {
  constexpr const char* kNames[] = {"", "loss", "draw", "win"};
  return kNames[static_cast<int>(proof)];
}

}  // namespace tesuji
