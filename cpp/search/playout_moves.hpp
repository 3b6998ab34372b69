// The moves of a playout, from the root to its end, for the rules that learn from them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/game.hpp"

namespace tesuji {

struct PlayedMove {
  int player;
  Move move;  // kNoMove for one that says nothing about the same move at another time, such as a pass
};

// By player and move, when it was first made, seen from some ply of a playout on. The plies are told last first, so
// that each overwrites the later ones. A table that is never cleared: entries of earlier playouts are known by their
// stamps.
class FirstPlays {
 public:
  // Moves with larger numbers are not kept.
  static constexpr Move kMostMoves = 1u << 20;
  static constexpr std::uint32_t kMostStamps = 1u << 31;
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

  // Forgets everything; what follows has at most so many plies.
  void begin(std::uint32_t plies) {
    if (next_stamp_ + plies > kMostStamps) {
      for (std::vector<std::uint32_t>& stamps : stamps_) stamps.assign(stamps.size(), 0);
      next_stamp_ = 1;
    }
    stamp_ = next_stamp_;
    next_stamp_ += plies;
  }

  void set(const PlayedMove& played, std::uint32_t ply) {
    if (played.player < 0 || played.move >= kMostMoves) return;
    std::vector<std::uint32_t>& stamps = stamps_[static_cast<std::size_t>(played.player)];
    if (played.move >= stamps.size()) stamps.resize(played.move + 1);
    stamps[played.move] = stamp_ + ply;
  }

  // A player's moves by number: the entries from stamp() on are those of this playout.
  std::span<const std::uint32_t> stamps(int player) const { return stamps_[static_cast<std::size_t>(player)]; }
  std::uint32_t stamp() const { return stamp_; }

  // kNever where the player did not make the move.
  std::uint32_t ply(int player, Move move) const {
    const std::vector<std::uint32_t>& stamps = stamps_[static_cast<std::size_t>(player)];
    return move < stamps.size() && stamps[move] >= stamp_ ? stamps[move] - stamp_ : kNever;
  }

 private:
  std::array<std::vector<std::uint32_t>, kMaxPlayers> stamps_;
  std::uint32_t stamp_ = 1;
  std::uint32_t next_stamp_ = 1;
};

}  // namespace tesuji
