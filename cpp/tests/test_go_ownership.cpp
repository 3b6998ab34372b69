// Who owns what after playouts: the judge of dead stones.
#include <string>

#include "doctest/doctest.h"
#include "games/go_ownership.hpp"

namespace {

using namespace tesuji;

TEST_CASE("a point of a finished playout has one owner at most, and the counts are those of the seed") {
  const Go<0> position(5);
  const auto counts = count_ownership(position, 100, 7);
  for (Move point = 0; point < 25; ++point) CHECK(counts[0][point] + counts[1][point] <= 100);
  CHECK(count_ownership(position, 100, 7) == counts);
  CHECK(count_ownership(position, 100, 8) != counts);
}

TEST_CASE("two eyes live in every playout, and own their eyes") {
  GoSetup setup;
  // Black's stones around the points 0 and 2 of a 9x9 board, in its upper left corner.
  setup.black = {1, 3, 9, 10, 11, 12};
  setup.to_move = 1;
  setup.passes = 2;
  const auto position = Go<9>::from_setup(9, 7.5, true, setup);
  const auto counts = count_ownership(position, 50, 1);
  for (const Move point : {0, 1, 2, 3, 9, 10, 11, 12}) {
    CHECK(counts[0][point] == 50);
    CHECK(counts[1][point] == 0);
  }
}

// A board as text: X is Black, O is White.
Go<9> drawn(const std::string& text) {
  GoSetup setup;
  for (Move point = 0; point < text.size(); ++point) {
    if (text[point] == 'X') setup.black.push_back(point);
    if (text[point] == 'O') setup.white.push_back(point);
  }
  return Go<9>::from_setup(9, 7.5, true, setup);
}

const std::string kTheRest =
    "OOOXXXXXX"
    ".OOXXXXXX"
    "OOOXXXXXX"
    "O.OXXXXXX"
    "OOOXXXXXX"
    "OOOXXXXXX";

TEST_CASE("nobody fills the shared liberties of a seki") {
  const auto position = drawn(
      "XX.OOX.XX"
      "XX.OOXXX."
      "OXXOXXXXX" +
      kTheRest);
  const auto counts = count_ownership(position, 100, 1);
  for (const Move point : {0, 1, 9, 10, 19, 20}) CHECK(counts[0][point] == 100);
  for (const Move point : {3, 4, 12, 13, 21}) CHECK(counts[1][point] == 100);
  for (const Move point : {2, 11}) CHECK(counts[0][point] + counts[1][point] == 0);
}

TEST_CASE("stones that leave too small an eye are given up to kill") {
  // White's two stones are in a black eye of four points, which a third one makes too small for two eyes. Nobody would
  // ever capture Black if White kept out of self-atari.
  const auto position = drawn(
      ".OO.XOX.X"
      "XXXXXOXX."
      "OOOOOOXXX" +
      kTheRest);
  const auto counts = count_ownership(position, 200, 1);
  CHECK(counts[0][4] < 150);
  CHECK(counts[0][8] == 200);
}

}  // namespace
