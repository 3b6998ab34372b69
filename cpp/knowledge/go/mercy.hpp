// Mercy: a playout of Go ends as soon as it is decided, long before the last stones are put or captured:
//
//   stones - the other's stones > share x points of the board + the komi that the player gives
//
// Komi only makes it harder for who gives it, so that it decides no open board. Most of the other's chains have been
// captured then, and he hardly ever wins any more (docs/go-playouts.md, Mercy).
#pragma once

#include <algorithm>

#include "games/go.hpp"

namespace tesuji {

class Mercy {
 public:
  // A share of 0 is no mercy.
  Mercy(double share, int points, double komi) {
    if (share == 0) return;
    const auto lead = [=](double given) { return static_cast<int>(std::min(share * points + given, points + 0.0)); };
    black_lead_ = lead(std::max(komi, 0.0));
    white_lead_ = lead(std::max(-komi, 0.0));
  }

  // By Black's stones minus White's.
  bool is_decided(int difference) const { return difference > black_lead_ || -difference > white_lead_; }

 private:
  static constexpr int kNever = 1 << 20;  // more stones than there are

  int black_lead_ = kNever;
  int white_lead_ = kNever;
};

// None for a playout whose last board is looked at, and none where the lead is there before the first move: it may be
// in stones that are dead.
template <int kSize>
Mercy mercy_in(const Go<kSize>& position, double share, const Go<kSize>* end) {
  const int points = position.size() * position.size();
  const Mercy mercy(end == nullptr ? share : 0, points, position.komi());
  return mercy.is_decided(position.board().stone_difference()) ? Mercy(0, points, position.komi()) : mercy;
}

}  // namespace tesuji
