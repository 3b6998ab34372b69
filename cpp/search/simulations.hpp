// Simulations as words that can be sent: one array of numbers, simulation after simulation. Each has
//
//   its length in words; the moves from the root to the leaf, counted; whether the game ended there; one reward a
//   player; the moves; and, where a rule learns from moves, all moves to the end of the game, each after its player
//
// One that was only begun has no rewards yet, and nothing after its moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/game.hpp"
#include "core/rewards.hpp"
#include "search/playout_moves.hpp"
#include "search/sharing.hpp"

namespace tesuji {

using Simulations = std::vector<std::uint32_t>;

inline constexpr std::size_t kSimulationHead = 3;

class SimulationReader {
 public:
  SimulationReader(std::span<const std::uint32_t> words, int players)
      : left_(words), players_(static_cast<std::size_t>(players)) {}

  bool next() {
    if (left_.empty()) return false;
    const std::size_t length = left_.front();
    if (length < kSimulationHead || length > left_.size()) throw BadMessage("simulations end within a simulation");
    words_ = left_.first(length);
    left_ = left_.subspan(length);
    if (head() + words_[1] > length || (length - head() - words_[1]) % 2 != 0) {
      throw BadMessage("a simulation is shorter than it says");
    }
    return true;
  }

  std::span<const Move> moves() const { return words_.subspan(head(), words_[1]); }
  bool ends_game() const { return words_[2] != 0; }
  Rewards rewards() const {
    Rewards rewards{};
    for (std::size_t player = 0; player < players_; ++player) {
      rewards[player] = words_[kSimulationHead + player];
      if (rewards[player] > kRewardOne) throw BadMessage("a simulation has a reward above 1");
    }
    return rewards;
  }
  void read_played(std::vector<PlayedMove>& played) const {
    played.clear();
    for (std::size_t place = head() + words_[1]; place < words_.size(); place += 2) {
      const auto player = static_cast<std::int32_t>(words_[place]);
      if (player < kChance || player >= static_cast<std::int32_t>(players_)) {
        throw BadMessage("a simulation has a move of a player that there is not");
      }
      played.push_back({player, words_[place + 1]});
    }
  }

 private:
  std::size_t head() const { return kSimulationHead + players_; }

  std::span<const std::uint32_t> left_;
  std::span<const std::uint32_t> words_;
  std::size_t players_;
};

// Writes one simulation; `moves` gives its moves one by one to the function that it is called with.
template <class EachMove>
void write_simulation(Simulations& into, int players, bool ends_game, const Rewards& rewards, const EachMove& each_move,
                      std::span<const PlayedMove> played) {
  const std::size_t start = into.size();
  into.insert(into.end(), {0, 0, ends_game ? 1u : 0u});
  for (int player = 0; player < players; ++player) {
    into.push_back(static_cast<std::uint32_t>(rewards[static_cast<std::size_t>(player)]));
  }
  const std::size_t first_move = into.size();
  each_move([&](Move move) { into.push_back(move); });
  into[start + 1] = static_cast<std::uint32_t>(into.size() - first_move);
  for (const PlayedMove& one : played) into.insert(into.end(), {static_cast<std::uint32_t>(one.player), one.move});
  into[start] = static_cast<std::uint32_t>(into.size() - start);
}

}  // namespace tesuji
