// Playouts for a judge of life and death: random as the fast ones, but they answer an atari and keep out of self-atari.
//
// Uniform playouts fill the shared liberties of a seki, and let chains be captured that one move would save. Here a
// stone that only puts its own chain into atari is played where it can be of use: as a throw-in, or in a shape that
// leaves too small an eye when it is captured. Liberties are counted by walking along the chain: many times slower than
// the fast playouts, and quick enough to judge a board.
#pragma once

#include <algorithm>
#include <array>

#include "core/rng.hpp"
#include "games/go_board.hpp"

namespace tesuji {

template <int kSize>
class CarefulPlayout {
 public:
  using Board = GoBoard<kSize>;
  using Index = typename Board::Index;

  CarefulPlayout(Board& board, Rng& rng) : board_(board), rng_(rng) {}

  // Until two passes in a row or a limit of moves.
  void run(int to_move) {
    Index last = 0;
    int passes = 0;
    for (int moves = 3 * board_.size() * board_.size(); moves > 0 && passes < 2; --moves) {
      last = choose(to_move, last);
      passes = last == 0 ? passes + 1 : 0;
      if (last == 0) {
        board_.set_ko(0);
      } else {
        board_.play(to_move, last);
      }
      to_move = 1 - to_move;
    }
  }

 private:
  // Up to two liberties: more than that is safe.
  struct Liberties {
    std::array<Index, 2> points{};
    int count = 0;
    void add(Index point) {
      if (count < 2 && (count == 0 || points[0] != point)) points[static_cast<std::size_t>(count++)] = point;
    }
  };

  // Gives the point, or 0 for a pass.
  Index choose(int colour, Index last) {
    if (last != 0) {
      const Index answer = answer_to(colour, last);
      if (answer != 0) return answer;
    }
    std::array<Index, Board::kLines * Board::kLines> candidates;
    auto count = static_cast<std::uint32_t>(board_.empty_count());
    for (std::uint32_t slot = 0; slot < count; ++slot) candidates[slot] = board_.empty(static_cast<int>(slot));
    while (count > 0) {
      Index& drawn = candidates[rng_.below(count)];
      const Index point = drawn;
      if (!board_.is_own_eye(colour, point) && board_.is_legal(colour, point) && is_sensible(colour, point)) {
        return point;
      }
      drawn = candidates[--count];
    }
    return 0;
  }

  // Captures the last stone's chain, or saves a chain that it put into atari.
  Index answer_to(int colour, Index last) {
    const Liberties of_last = liberties(last);
    if (of_last.count == 1 && board_.is_legal(colour, of_last.points[0])) return of_last.points[0];
    for (const int direction : Board::kDirections) {
      const Index neighbour = last + direction;
      if (board_.colour(neighbour) != colour) continue;
      const Liberties left = liberties(neighbour);
      if (left.count != 1) continue;
      const Index capture = capture_beside(neighbour, colour);
      if (capture != 0) return capture;
      const Index extension = left.points[0];
      if (board_.is_legal(colour, extension) && liberties_after(colour, extension).count > 1) return extension;
    }
    return 0;
  }

  // The liberty of an enemy chain in atari that touches this chain, or 0.
  Index capture_beside(Index first, int colour) const {
    Index stone = first;
    do {
      for (const int direction : Board::kDirections) {
        const Index neighbour = stone + direction;
        if (board_.colour(neighbour) != 1 - colour) continue;
        const Liberties found = liberties(neighbour);
        if (found.count == 1 && board_.is_legal(colour, found.points[0])) return found.points[0];
      }
      stone = board_.next_in_chain(stone);
    } while (stone != first);
    return 0;
  }

  bool is_sensible(int colour, Index point) const {
    if (board_.empty_neighbours(point) > 1 || liberties_after(colour, point).count > 1) return true;
    bool captures = false;
    board_.for_each_captured(colour, point, [&](Index) { captures = true; });
    return captures || leaves_small_eye(colour, point);
  }

  Liberties liberties(Index first) const {
    Liberties found;
    add_liberties(first, 0, found);
    return found;
  }

  void add_liberties(Index first, Index except, Liberties& found) const {
    Index stone = first;
    do {
      for (const int direction : Board::kDirections) {
        const Index neighbour = stone + direction;
        if (neighbour != except && board_.colour(neighbour) == Board::kEmpty) found.add(neighbour);
      }
      stone = board_.next_in_chain(stone);
    } while (stone != first && found.count < 2);
  }

  // Of the chain of a new stone, not counting what it captures.
  Liberties liberties_after(int colour, Index point) const {
    Liberties found;
    for (const int direction : Board::kDirections) {
      const Index neighbour = point + direction;
      if (board_.colour(neighbour) == Board::kEmpty) found.add(neighbour);
      if (board_.colour(neighbour) == colour) add_liberties(neighbour, point, found);
      if (found.count > 1) break;
    }
    return found;
  }

  // Whether the chain of a new stone, once captured, leaves a space in which the enemy can still be kept from two eyes.
  // All shapes of up to three points are so, and of larger ones those with a point in their middle. Six are not looked
  // at: a rabbity six may be half of a seki, as in the test, and giving it up would lose that.
  bool leaves_small_eye(int colour, Index point) const {
    constexpr std::size_t kLargest = 5;
    std::array<Index, kLargest> shape{point};
    std::size_t size = 1;
    for (std::size_t done = 0; done < size; ++done) {
      for (const int direction : Board::kDirections) {
        const Index neighbour = shape[done] + direction;
        const bool is_new = std::find(shape.begin(), shape.begin() + size, neighbour) == shape.begin() + size;
        if (board_.colour(neighbour) != colour || !is_new) continue;
        if (size == kLargest) return false;
        shape[size++] = neighbour;
      }
    }
    if (size <= 3) return true;
    int pairs = 0;
    int most = 0;
    for (std::size_t i = 0; i < size; ++i) {
      int beside = 0;
      for (const int direction : Board::kDirections) {
        beside += std::find(shape.begin(), shape.begin() + size, shape[i] + direction) != shape.begin() + size;
      }
      pairs += beside;
      most = std::max(most, beside);
    }
    // Pyramid and square, cross and bulky five; each pair of neighbours is counted from both sides.
    return size == 4 ? most == 3 || pairs == 8 : most == 4 || pairs == 10;
  }

  Board& board_;
  Rng& rng_;
};

}  // namespace tesuji
