// A board on which a capturing race is over: the lost chain is gone, and the winner has its place, with two eyes, so
// that no playout can undo it. Under area scoring that is worth what the race was worth, and it took nobody a move.
#pragma once

#include <optional>
#include <vector>

#include "games/go_board.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

template <int kSize>
class RaceSettler {
 public:
  using Board = GoBoard<kSize>;
  using Index = typename Board::Index;
  using Points = PointSet<Board::kPoints>;

  // Nothing where the lost chain leaves no room for two eyes.
  std::optional<Board> settle(const Board& board, Index lost, Index winner) {
    loser_ = board.colour(lost);
    find_room(board, lost);
    for (std::size_t i = 0; i < room_.size(); ++i) {
      if (!can_be_eye(board, room_[i])) continue;
      for (std::size_t j = i + 1; j < room_.size(); ++j) {
        if (!can_be_eye(board, room_[j])) continue;
        std::optional<Board> settled = fill(board, room_[i], room_[j]);
        if (are_eyes(*settled, room_[i], room_[j], winner)) return settled;
      }
    }
    return std::nullopt;
  }

 private:
  // The lost stones and their liberties, but for those that other stones of the loser touch.
  void find_room(const Board& board, Index lost) {
    room_.clear();
    in_room_ = {};
    const auto add = [&](Index point) {
      if (in_room_.has(point)) return;
      in_room_.add(point);
      room_.push_back(point);
    };
    Index stone = lost;
    do {
      add(stone);
      stone = board.next_in_chain(stone);
    } while (stone != lost);
    const std::size_t stones = room_.size();
    for (std::size_t i = 0; i < stones; ++i) {
      for (const int direction : Board::kDirections) {
        const Index liberty = room_[i] + direction;
        if (board.colour(liberty) == Board::kEmpty && !touches_others(board, liberty, board.chain(lost))) add(liberty);
      }
    }
  }

  bool touches_others(const Board& board, Index point, Index lost_root) const {
    for (const int direction : Board::kDirections) {
      const Index neighbour = point + direction;
      if (board.colour(neighbour) == loser_ && board.chain(neighbour) != lost_root) return true;
    }
    return false;
  }

  bool can_be_eye(const Board& board, Index point) const {
    for (const int direction : Board::kDirections) {
      const Index neighbour = point + direction;
      const int colour = board.colour(neighbour);
      if (colour != 1 - loser_ && colour != Board::kBorder && !in_room_.has(neighbour)) return false;
    }
    return true;
  }

  Board fill(const Board& board, Index first, Index second) const {
    Board filled(board.size());
    for (int move = 0; move < board.size() * board.size(); ++move) {
      const Index point = board.point_of(static_cast<Move>(move));
      if (point == first || point == second) continue;
      const int colour = in_room_.has(point) ? 1 - loser_ : board.colour(point);
      if (colour <= Board::kWhite) filled.play(colour, point);
    }
    return filled;
  }

  // Whether both points are eyes, and of the chain that the winner had in the race.
  bool are_eyes(const Board& board, Index first, Index second, Index winner) const {
    if (board.colour(winner) != 1 - loser_) return false;
    for (const Index eye : {first, second}) {
      if (!board.is_own_eye(1 - loser_, eye)) return false;
      for (const int direction : Board::kDirections) {
        const Index neighbour = eye + direction;
        if (board.colour(neighbour) != Board::kBorder && board.chain(neighbour) != board.chain(winner)) return false;
      }
    }
    return true;
  }

  int loser_ = 0;
  std::vector<Index> room_;
  Points in_room_;
};

}  // namespace tesuji
