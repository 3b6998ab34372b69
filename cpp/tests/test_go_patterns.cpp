// The 3x3 patterns of the playouts, one by one as they are drawn in patterns.cpp, and where playouts look for them.
#include <array>
#include <string>

#include "doctest/doctest.h"
#include "knowledge/go/patterns.hpp"
#include "tests/go_diagram.hpp"

namespace {

using namespace tesuji;

constexpr int kSize = Diagram::kSize;
using Board = Diagram::Board;

// X and O are the two players, '.' is empty, '#' off the board, '*' the point in question.
using Shape = std::array<std::string, 3>;

Shape turned(const Shape& shape) {
  Shape result = shape;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) result[column][2 - row] = shape[row][column];
  }
  return result;
}

Shape mirrored(const Shape& shape) {
  Shape result = shape;
  for (std::string& row : result) row = {row.rbegin(), row.rend()};
  return result;
}

// On a whole board, at its edge where the shape is.
std::string players(const Shape& shape, int colour_of_x) {
  constexpr int kMiddle = 4;
  const int centre_row = shape[0][1] == '#' ? 0 : shape[2][1] == '#' ? kSize - 1 : kMiddle;
  const int centre_column = shape[1][0] == '#' ? 0 : shape[1][2] == '#' ? kSize - 1 : kMiddle;
  Board board(kSize);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const char symbol = shape[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      if (symbol != 'X' && symbol != 'O') continue;
      board.play(symbol == 'X' ? colour_of_x : 1 - colour_of_x,
                 Board::point_at(centre_row + row - 1, centre_column + column - 1));
    }
  }
  const Diagram::Tactics tactics(board);
  const auto centre = Board::point_at(centre_row, centre_column);
  std::string result;
  if (fits_pattern(tactics, colour_of_x, centre)) result += 'X';
  if (fits_pattern(tactics, 1 - colour_of_x, centre)) result += 'O';
  return result;
}

// For whose move there is a pattern: "XO", "X", "O" or "". It must be the same however the shape lies, and whichever of
// the two is Black.
std::string fits_for(const Shape& shape) {
  const std::string result = players(shape, Board::kBlack);
  Shape seen = shape;
  for (int side = 0; side < 8; ++side) {
    INFO(seen[0] << '\n' << seen[1] << '\n' << seen[2]);
    CHECK(players(seen, Board::kBlack) == result);
    CHECK(players(seen, Board::kWhite) == result);
    seen = side == 3 ? mirrored(seen) : turned(seen);
  }
  return result;
}

}  // namespace

TEST_CASE("patterns: nothing fits where there is nothing, or one player alone") {
  CHECK(fits_for({"...",  //
                  ".*.",  //
                  "..."}) == "");
  CHECK(fits_for({"XXX",  //
                  ".*.",  //
                  "..."}) == "");
  CHECK(fits_for({"...",  //
                  ".*.",  //
                  "###"}) == "");
}

TEST_CASE("patterns: hane that encloses") {
  CHECK(fits_for({"XOX",  //
                  ".*.",  //
                  "..."}) == "XO");
  CHECK(fits_for({"XOX",  //
                  ".*.",  //
                  "OXO"}) == "XO");
  CHECK(fits_for({"XOX",  //
                  ".*.",  //
                  "###"}) == "XO");
  CHECK(fits_for({"XOX",  //
                  ".*X",  //
                  ".X."}) == "");
}

TEST_CASE("patterns: hane that does not cut") {
  CHECK(fits_for({"XO.",  //
                  ".*.",  //
                  "..."}) == "XO");
  CHECK(fits_for({"XO.",  //
                  ".*.",  //
                  "X.O"}) == "XO");
  CHECK(fits_for({"XO.",  //
                  ".*.",  //
                  ".X."}) == "");
  CHECK(fits_for({"XO.",  //
                  ".*X",  //
                  "..."}) == "");
}

TEST_CASE("patterns: hane around a corner") {
  CHECK(fits_for({"XO.",  //
                  "X*.",  //
                  "..."}) == "XO");
  CHECK(fits_for({"XOX",  //
                  "X*.",  //
                  "O.O"}) == "XO");
  CHECK(fits_for({"XO.",  //
                  "X*.",  //
                  ".X."}) == "");
  CHECK(fits_for({"XO.",  //
                  "X*X",  //
                  ".O."}) == "");
}

TEST_CASE("patterns: hane at the head of two is for the one whose hane it is") {
  CHECK(fits_for({"XOO",  //
                  ".*.",  //
                  "..."}) == "X");
  CHECK(fits_for({"XOO",  //
                  ".*.",  //
                  ".O."}) == "");
  CHECK(fits_for({"XOO",  //
                  ".*O",  //
                  "..."}) == "");
}

TEST_CASE("patterns: cut, unless what it cuts is protected") {
  CHECK(fits_for({"XO.",  //
                  "O*.",  //
                  "..."}) == "XO");
  CHECK(fits_for({"XO.",  //
                  "O*X",  //
                  "..."}) == "XO");
  CHECK(fits_for({"XO.",  //
                  "O*O",  //
                  "..."}) == "");
  CHECK(fits_for({"XO.",  //
                  "O*.",  //
                  ".O."}) == "");
  // The exceptions are for one protecting stone.
  CHECK(fits_for({"XO.",  //
                  "O*O",  //
                  ".O."}) == "XO");
  CHECK(fits_for({"XO.",  //
                  "O*O",  //
                  ".X."}) == "XO");
  CHECK(fits_for({".O.",  //
                  "O*.",  //
                  "..."}) == "");
}

TEST_CASE("patterns: cut between two") {
  CHECK(fits_for({".X.",  //
                  "O*O",  //
                  "..."}) == "XO");
  CHECK(fits_for({".X.",  //
                  "O*O",  //
                  "OOO"}) == "XO");
  CHECK(fits_for({".X.",  //
                  "O*O",  //
                  ".X."}) == "");
  CHECK(fits_for({".X.",  //
                  "O*O",  //
                  "X.."}) == "");
  CHECK(fits_for({"...",  //
                  "O*O",  //
                  "..."}) == "");
}

TEST_CASE("patterns: chase along the edge") {
  CHECK(fits_for({"X..",  //
                  "O*.",  //
                  "###"}) == "XO");
  CHECK(fits_for({"X.#",  //
                  "O*#",  //
                  "###"}) == "XO");
  CHECK(fits_for({"O..",  //
                  "O*.",  //
                  "###"}) == "");
  CHECK(fits_for({"X..",           //
                  "O*.",           //
                  ".X."}) == "");  // not at the edge
}

// Of MoGo's table, though it adds nothing: the two that follow fit as well, one for each player.
TEST_CASE("patterns: block at the edge") {
  CHECK(fits_for({"OX.",  //
                  ".*O",  //
                  "###"}) == "XO");
  CHECK(fits_for({"OX.",  //
                  "O*O",  //
                  "###"}) == "XO");
  CHECK(fits_for({"XX.",            //
                  ".*O",            //
                  "###"}) == "X");  // for O there must be one of its stones in the corner
  CHECK(fits_for({"OX.",            //
                  ".*O",            //
                  ".O."}) == "");   // not at the edge
}

TEST_CASE("patterns: under the own stone at the edge, against the other's next to it") {
  CHECK(fits_for({".X.",  //
                  ".*O",  //
                  "###"}) == "X");
  CHECK(fits_for({".X.",  //
                  "O*O",  //
                  "###"}) == "X");
  CHECK(fits_for({".X.",  //
                  "X*O",  //
                  "###"}) == "");
}

TEST_CASE("patterns: under the other's stone at the edge, from an own one beside it") {
  CHECK(fits_for({".XO",  //
                  ".*.",  //
                  "###"}) == "O");
  CHECK(fits_for({"XXO",             //
                  "O*O",             //
                  "###"}) == "XO");  // for X it is the pattern before
  CHECK(fits_for({".XO",             //
                  "X*.",             //
                  "###"}) == "");
}

// Of MoGo's table as well: wherever it fits, so does the cut that may be anywhere.
TEST_CASE("patterns: cut at the edge") {
  CHECK(fits_for({".OX",  //
                  "X*O",  //
                  "###"}) == "XO");
  CHECK(fits_for({".OO",  //
                  "X*O",  //
                  "###"}) == "");
}

TEST_CASE("patterns are looked for around the last stone, and nowhere else") {
  const Diagram diagram({".........",  //
                         ".........",  //
                         "..ab.....",  //
                         "..XL.....",  //
                         "..cd.....",  //
                         ".........",  //
                         ".....X...",  //
                         ".....OX..",  //
                         ".....e..."});
  CHECK(fits_pattern(Diagram::Tactics(diagram.board), Board::kBlack, diagram.at('e')));
  CHECK(diagram.found(find_patterns<kSize>) == "abcd");
}

TEST_CASE("patterns: a self-atari is left out") {
  // The cut at a would have one liberty.
  const Diagram diagram({".aO..",  //
                         ".LX..",  //
                         ".bc.."});
  CHECK(fits_pattern(Diagram::Tactics(diagram.board), Board::kBlack, diagram.at('a')));
  CHECK(diagram.found(find_patterns<kSize>) == "bc");
  // The same a line away from the edge.
  const Diagram inside({".....",  //
                        ".aO..",  //
                        ".LX..",  //
                        ".bc.."});
  CHECK(inside.found(find_patterns<kSize>) == "abc");
}
