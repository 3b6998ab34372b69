// Sum of Switches: D. Tom and M. Müller, "A Study of UCT and its Enhancements in an Artificial Game", Advances in
// Computer Games 2009. Two players take turns to pick one of the numbers 0 to n - 1, each number once, until none is
// left; a player's score is the sum of the own picks. Under best play both always pick the largest number left, and
// the first player ends up ahead by (n-1) - (n-2) + (n-3) - ... = floor(n / 2). That lead is the komi: the first player
// wins with at least so much, else the second. So from the start there is one winning move, and a player who is
// winning by nothing to spare must find the largest number every time.
//
// A pick is worth the same whenever it is made, which is what RAVE assumes: the game was made to study it.
#pragma once

#include <array>
#include <stdexcept>

#include "core/game.hpp"
#include "core/mix_bits.hpp"

namespace tesuji {

class SumOfSwitches {
 public:
  static constexpr bool kConstantSum = true;

  static constexpr int kMostSwitches = 256;

  explicit SumOfSwitches(int size = 10) : size_(static_cast<std::uint16_t>(size)) {
    if (size < 1 || size > kMostSwitches) throw std::invalid_argument("SumOfSwitches: from 1 to 256 numbers");
  }

  int size() const { return size_; }
  int komi() const { return size_ / 2; }
  // The sum of a player's picks.
  int score(int player) const { return scores_[static_cast<unsigned>(player)]; }

  int num_players() const { return 2; }
  int to_move() const { return picks_ % 2; }
  bool is_over() const { return picks_ == size_; }

  void legal_moves(MoveList& moves) const {
    moves.clear();
    for (Move number = 0; number < size_; ++number) {
      if (is_free(number)) moves.push_back(number);
    }
  }

  bool is_legal(Move move) const { return move < size_ && is_free(move); }
  void play(Move move) {
    const auto player = static_cast<unsigned>(to_move());
    picked_[player][move / 64] |= std::uint64_t{1} << (move % 64);
    scores_[player] += static_cast<int>(move);
    ++picks_;
  }

  Rewards rewards() const { return two_player_rewards(scores_[0] - scores_[1] >= komi() ? 0 : 1); }

  // The numbers left, in random order.
  template <class Record>
  Rewards playout(Rng& rng, Record&& record) {
    std::array<std::uint8_t, kMostSwitches> free;
    std::uint32_t left = 0;
    for (Move number = 0; number < size_; ++number) {
      free[left] = static_cast<std::uint8_t>(number);
      left += is_free(number) ? 1 : 0;
    }
    while (left > 0) {
      const std::uint32_t drawn = rng.below(left);
      const Move move = free[drawn];
      free[drawn] = free[--left];
      record(to_move(), move);
      play(move);
    }
    return rewards();
  }

  std::uint64_t hash() const {
    std::uint64_t hash = size_ * kSplitMixStep;
    for (const Set& set : picked_) {
      for (const std::uint64_t word : set) hash = hash_on(hash, word);
    }
    return hash;
  }
  bool operator==(const SumOfSwitches&) const = default;

  // Whose a number is: 0 or 1 for a player, 2 for nobody's yet.
  int cell(Move number) const { return has(0, number) ? 0 : has(1, number) ? 1 : 2; }

 private:
  using Set = std::array<std::uint64_t, kMostSwitches / 64>;

  bool has(unsigned player, Move number) const { return ((picked_[player][number / 64] >> (number % 64)) & 1) != 0; }
  bool is_free(Move number) const { return !has(0, number) && !has(1, number); }

  std::array<Set, 2> picked_{};
  std::array<int, 2> scores_{};
  std::uint16_t size_;
  std::uint16_t picks_ = 0;
};

static_assert(Game<SumOfSwitches> && HasPlayout<SumOfSwitches>);

}  // namespace tesuji
