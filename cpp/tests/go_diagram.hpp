// Positions of Go drawn as text, for tests of what is known about them.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// The upper left part of a board; X is Black, O is White, L White's last stone, what is left out is empty. A letter in
// lower case is an empty point with that name.
struct Diagram {
  static constexpr int kSize = 9;
  using Board = GoBoard<kSize>;
  using Tactics = TacticalBoard<kSize>;
  using Index = Tactics::Index;

  explicit Diagram(const std::vector<std::string>& rows) : board(kSize) {
    for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
      for (int column = 0; column < static_cast<int>(rows[row].size()); ++column) {
        const char symbol = rows[row][column];
        const Index point = Board::point_at(row, column);
        if (symbol == 'X') board.play(Board::kBlack, point);
        if (symbol == 'O' || symbol == 'L') board.play(Board::kWhite, point);
        if (symbol == 'L') last = point;
        if (symbol >= 'a' && symbol <= 'z') named.emplace_back(symbol, point);
      }
    }
  }

  Index at(char name) const {
    for (const auto& [symbol, point] : named) {
      if (symbol == name) return point;
    }
    FAIL("no such point: " << name);
    return 0;
  }

  // The names of the points, in order; a '!' if there are some that have none, and a '-' for a pass.
  std::string names(const std::set<Index>& points) const {
    std::set<char> found;
    for (const Index point : points) {
      const auto name = std::find_if(named.begin(), named.end(), [&](const auto& n) { return n.second == point; });
      found.insert(name != named.end() ? name->first : point == 0 ? '-' : '!');
    }
    return {found.begin(), found.end()};
  }

  // As Go players write it: letters without I for the columns, rows from below.
  static Index point(const std::string& text) {
    const int column = text[0] - 'A' - (text[0] > 'I' ? 1 : 0);
    return Board::point_at(kSize - (text[1] - '0'), column);
  }

  // What a heuristic finds for a player after a last move of the other.
  template <class Find>
  std::string found(Find&& find, int colour, const std::string& after) const {
    return found_after(find, colour, point(after));
  }
  // The same for Black, after L.
  template <class Find>
  std::string found(Find&& find) const {
    REQUIRE(last != 0);
    return found_after(find, Board::kBlack, last);
  }

  // Black is to move.
  Go<kSize> position() const {
    GoSetup setup;
    for (Move move = 0; move < kSize * kSize; ++move) {
      const int colour = board.colour(board.point_of(move));
      if (colour == Board::kBlack) setup.black.push_back(move);
      if (colour == Board::kWhite) setup.white.push_back(move);
    }
    if (last != 0) setup.last_move = board.move_of(last);
    return Go<kSize>::from_setup(kSize, 7.5, true, setup);
  }

  Board board;
  Index last = 0;
  std::vector<std::pair<char, Index>> named;

 private:
  template <class Find>
  std::string found_after(Find&& find, int colour, Index after) const {
    PointList<kSize> moves;
    find(Tactics(board), colour, after, moves);
    std::set<Index> points;
    for (int i = 0; i < moves.count(); ++i) points.insert(moves[i]);
    return names(points);
  }
};

}  // namespace tesuji
