// A game of somebody's own as plain functions on a state of fixed size: made by numba, or any compiler, and run here
// without Python. What the functions answer is checked; that they write only where they may cannot be.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/game.hpp"

namespace tesuji {

// What `status` answers where no player is to move.
inline constexpr std::int32_t kStatusChance = -1;
inline constexpr std::int32_t kStatusOver = -2;

// What all positions of such a game share.
struct CompiledRules {
  // Writes the legal moves, at least one and at most `num_moves`, and says how many. Not asked after the end.
  std::int32_t (*legal_moves)(const void* state, std::int32_t* moves);
  void (*play)(void* state, std::int32_t move);
  // The player to move, kStatusChance, or kStatusOver; only then it writes one reward a player.
  std::int32_t (*status)(const void* state, double* rewards);
  // Where chance decides: writes the probability of each legal move, in their order. May be missing.
  void (*probabilities)(const void* state, double* probabilities);

  int num_players = 2;
  std::uint32_t num_moves = 0;  // every move is a number below this
  double low = 0.0;             // of the rewards
  double high = 1.0;

  bool operator==(const CompiledRules&) const = default;
};

class CompiledGame {
 public:
  // The state is copied, and rounded up to whole words.
  CompiledGame(const CompiledRules& rules, std::string_view state)
      : rules_(std::make_shared<const CompiledRules>(rules)), state_((state.size() + 7) / 8, 0), bytes_(state.size()) {
    if (rules.num_players < 1 || rules.num_players > kMaxPlayers) throw BadGame("a game has 1 to 8 players");
    if (state.empty() || rules.num_moves == 0) throw BadGame("a game has a state, and moves");
    state.copy(reinterpret_cast<char*>(state_.data()), state.size());
    read_status();
  }

  int num_players() const { return rules_->num_players; }
  int to_move() const { return status_; }
  bool is_over() const { return status_ == kStatusOver; }

  void legal_moves(MoveList& moves) const {
    moves.clear();
    if (is_over()) return;
    moves.resize(rules_->num_moves);
    const std::int32_t count = rules_->legal_moves(state_.data(), reinterpret_cast<std::int32_t*>(moves.data()));
    if (count < 1 || static_cast<std::uint32_t>(count) > rules_->num_moves) {
      throw BadGame("legal_moves answered " + std::to_string(count) + ", and there are 1 to " +
                    std::to_string(rules_->num_moves) + " moves while the game is not over");
    }
    moves.resize(static_cast<std::uint32_t>(count));
    for (const Move move : moves) {
      if (move >= rules_->num_moves) {
        throw BadGame("legal_moves wrote the move " + std::to_string(static_cast<std::int32_t>(move)) +
                      ", and moves are numbers from 0 to " + std::to_string(rules_->num_moves - 1));
      }
    }
  }

  bool is_legal(Move move) const {
    MoveList moves;
    legal_moves(moves);
    for (const Move legal : moves) {
      if (legal == move) return true;
    }
    return false;
  }

  void play(Move move) {
    rules_->play(state_.data(), static_cast<std::int32_t>(move));
    read_status();
  }

  void chance_probabilities(Probabilities& probabilities) const {
    MoveList moves;
    legal_moves(moves);
    probabilities.assign(moves.size(), std::numeric_limits<double>::quiet_NaN());
    rules_->probabilities(state_.data(), probabilities.data());
    check_probabilities(probabilities);
  }

  Rewards rewards() const { return rewards_; }

  std::string_view state() const { return {reinterpret_cast<const char*>(state_.data()), bytes_}; }
  const CompiledRules& rules() const { return *rules_; }
  std::uint64_t hash() const { return std::hash<std::string_view>{}(state()); }
  bool operator==(const CompiledGame& other) const { return *rules_ == *other.rules_ && state() == other.state(); }

  // There is no board; this says only whether a move can be made here: 2 where it can, 3 where not.
  int cell(Move move) const { return is_legal(move) ? 2 : 3; }

 private:
  void read_status() {
    double rewards[kMaxPlayers];
    for (double& reward : rewards) reward = std::numeric_limits<double>::quiet_NaN();
    const std::int32_t status = rules_->status(state_.data(), rewards);
    if (status < kStatusOver || status >= rules_->num_players) {
      throw BadGame("status answered " + std::to_string(status) + ": it gives the player to move (0 to " +
                    std::to_string(rules_->num_players - 1) + "), -1 for chance, or -2 when the game is over");
    }
    if (status == kStatusChance && rules_->probabilities == nullptr) {
      throw BadGame("status says that chance decides, and the game has no probabilities");
    }
    status_ = status;
    if (status == kStatusOver) take_rewards(rewards);
  }

  void take_rewards(const double* rewards) {
    for (int player = 0; player < rules_->num_players; ++player) {
      const double reward = rewards[player];
      if (!(reward >= rules_->low && reward <= rules_->high)) {
        throw BadGame("status gave player " + std::to_string(player) + " the reward " + std::to_string(reward) +
                      ", outside the game's range of " + std::to_string(rules_->low) + " to " +
                      std::to_string(rules_->high) + " (nan: it was not written)");
      }
      rewards_[static_cast<std::size_t>(player)] = to_reward((reward - rules_->low) / (rules_->high - rules_->low));
    }
  }

  std::shared_ptr<const CompiledRules> rules_;
  std::vector<std::uint64_t> state_;
  std::size_t bytes_;
  std::int32_t status_ = 0;
  Rewards rewards_{};
};

static_assert(Game<CompiledGame> && HasChance<CompiledGame>);

}  // namespace tesuji
