// Mercy: a playout of Go ends as soon as it is decided, long before the last stones are put or captured:
//
//   stones - the other's stones > share x points of the board + the komi that the player gives + his lead at the start
//
// Most of the other's chains have been captured then, and he hardly ever wins any more (docs/go-playouts.md, Mercy). A
// lead that is there before the first move says nothing of that, since its stones may be dead. Komi only makes it
// harder for who gives it: whatever it is, a share of at least a point decides no open board.
#pragma once

#include <algorithm>

#include "games/go.hpp"

namespace tesuji {

class Mercy {
 public:
  // A share of 0 is no mercy. `start`: Black's stones minus White's before the first move.
  Mercy(double share, int points, double komi, int start = 0) {
    if (share == 0) return;
    const auto lead = [=](double given, int before) {
      return static_cast<int>(std::min(share * points + given + before, points + 0.0));
    };
    black_lead_ = lead(std::max(komi, 0.0), std::max(start, 0));
    white_lead_ = lead(std::max(-komi, 0.0), std::max(-start, 0));
  }

  // By Black's stones minus White's.
  bool is_decided(int difference) const { return difference > black_lead_ || -difference > white_lead_; }

 private:
  static constexpr int kNever = 1 << 20;  // more stones than there are

  int black_lead_ = kNever;
  int white_lead_ = kNever;
};

// None for a playout whose last board is looked at.
template <int kSize>
Mercy mercy_in(const Go<kSize>& position, double share, const Go<kSize>* end) {
  return Mercy(end == nullptr ? share : 0, position.size() * position.size(), position.komi(),
               position.board().stone_difference());
}

}  // namespace tesuji
