// Players and rewards. A finished playout gives one reward a player, each in [0, 1] as a fixed-point integer: sums of
// them are exact, adding to them can be atomic, and games of one, two or many players need no tree of their own.
#pragma once

#include <array>
#include <cstdint>

namespace tesuji {

inline constexpr int kMaxPlayers = 8;

// The "player" to move where chance decides.
inline constexpr int kChance = -1;

using Reward = std::int64_t;

// 2^20: a reward is known to a millionth, and even a sum over 2^32 playouts is exact as a double.
inline constexpr Reward kRewardOne = Reward{1} << 20;
inline constexpr Reward kRewardHalf = kRewardOne / 2;

using Rewards = std::array<Reward, kMaxPlayers>;

constexpr double to_double(Reward reward) {
  return static_cast<double>(reward) * (1.0 / static_cast<double>(kRewardOne));
}

// Of a number in [0, 1].
constexpr Reward to_reward(double value) { return static_cast<Reward>(value * static_cast<double>(kRewardOne) + 0.5); }

// The outcome of a two-player game: a win of player 0 or 1, or kDraw.
inline constexpr int kDraw = -1;
constexpr Rewards two_player_rewards(int winner) {
  if (winner == kDraw) return {kRewardHalf, kRewardHalf};
  return winner == 0 ? Rewards{kRewardOne, 0} : Rewards{0, kRewardOne};
}

}  // namespace tesuji
