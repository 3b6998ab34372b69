// Who owns what after playouts: the judge of dead stones.
#include "doctest/doctest.h"
#include "games/go_ownership.hpp"

namespace {

using namespace tesuji;

TEST_CASE("every point of a finished playout has one owner, and the counts are those of the seed") {
  const Go<0> position(5);
  const auto counts = count_ownership(position, 100, 7);
  for (Move point = 0; point < 25; ++point) CHECK(counts[0][point] + counts[1][point] == 100);
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

}  // namespace
