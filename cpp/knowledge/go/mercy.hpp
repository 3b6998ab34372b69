// Mercy: a playout of Go ends as soon as it is decided, long before the last stones are put or captured:
//
//   |black stones - white stones - komi| > share x points of the board
//
// Most chains of the loser are gone then, and he hardly ever wins any more (docs/go-playouts.md, Mercy).
#pragma once

#include <algorithm>
#include <cmath>

#include "games/go.hpp"

namespace tesuji {

class Mercy {
 public:
  // A share of 0 is no mercy.
  Mercy(double share, int points, double komi) {
    if (share == 0) return;
    // Where komi is more than the board has points, one of the two is out of reach and the other always fulfilled.
    most_ = static_cast<int>(std::floor(std::clamp(komi + share * points, -points - 1.0, points + 0.0)));
    least_ = static_cast<int>(std::ceil(std::clamp(komi - share * points, points * -1.0, points + 1.0)));
  }

  bool is_decided(int stone_difference) const { return stone_difference > most_ || stone_difference < least_; }

 private:
  static constexpr int kNever = 1 << 20;  // more stones than there are

  int most_ = kNever;
  int least_ = -kNever;
};

// None for a playout whose last board is looked at.
template <int kSize>
Mercy mercy_in(const Go<kSize>& position, double share, const Go<kSize>* end) {
  return {end == nullptr ? share : 0, position.size() * position.size(), position.komi()};
}

}  // namespace tesuji
