// Playouts that end before the game does (mercy.hpp), beside the same ones played to the end.
#include <cstdint>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "knowledge/go/mercy.hpp"
#include "knowledge/go/playout.hpp"

namespace {

using namespace tesuji;

constexpr int kSize = 9;
constexpr int kPoints = kSize * kSize;
constexpr double kShare = 0.25;

struct Played {
  std::vector<PlayedMove> moves;
  Rewards rewards;
};

template <int kBoard>
Played played(const KnowledgePlayout<Go<kBoard>>& playout, const Go<kBoard>& start, std::uint64_t seed) {
  Rng rng(seed);
  Played result;
  result.rewards = playout.play(start, rng, &result.moves);
  return result;
}

struct Difference {
  int shorter = 0;
  int worth_something_else = 0;
};

// Of the same playouts with and without mercy, each of which must end at the first stone that decides it.
template <int kBoard>
Difference compare(const KnowledgePlayout<Go<kBoard>>& merciless, const KnowledgePlayout<Go<kBoard>>& merciful,
                   const Go<kBoard>& start, std::uint64_t playouts) {
  const Mercy mercy(kShare, start.size() * start.size(), start.komi());
  Difference difference;
  for (std::uint64_t seed = 0; seed < playouts; ++seed) {
    const Played whole = played(merciless, start, seed);
    const Played part = played(merciful, start, seed);
    REQUIRE(part.moves.size() <= whole.moves.size());
    Go<kBoard> position = start;
    bool is_decided = false;
    for (std::size_t i = 0; i < part.moves.size(); ++i) {
      REQUIRE_FALSE(is_decided);
      REQUIRE(part.moves[i].move == whole.moves[i].move);
      if (part.moves[i].player != position.to_move()) position.play(position.pass());
      position.play(part.moves[i].move);
      is_decided = mercy.is_decided(position.board().stone_difference());
    }
    if (is_decided) CHECK(part.rewards == position.rewards_of(position.board().stone_difference()));
    REQUIRE((is_decided || part.moves.size() == whole.moves.size()));
    difference.shorter += part.moves.size() < whole.moves.size();
    difference.worth_something_else += part.rewards != whole.rewards;
  }
  return difference;
}

}  // namespace

TEST_CASE("a lead in stones decides, komi makes it harder for who gives it, and a share of nothing never does") {
  const Mercy mercy(kShare, kPoints, 7.5);  // 20.25 points
  CHECK_FALSE(mercy.is_decided(27));
  CHECK(mercy.is_decided(28));
  CHECK_FALSE(mercy.is_decided(-20));
  CHECK(mercy.is_decided(-21));
  const Mercy reverse(kShare, kPoints, -7.5);
  CHECK_FALSE(reverse.is_decided(-27));
  CHECK(reverse.is_decided(-28));
  CHECK(reverse.is_decided(21));
  for (const Mercy& never : {Mercy(0, kPoints, 7.5), Mercy(1, kPoints, 0), Mercy(1, kPoints, -1e300)}) {
    CHECK_FALSE(never.is_decided(kPoints));
  }
  CHECK_FALSE(Mercy(1, kPoints, 1e300).is_decided(-kPoints));
}

TEST_CASE("an open board is not decided, whatever the komi") {
  for (const double komi : {-1e300, -24.5, 7.5, 25.0, 1e300}) {
    for (const int points : {5 * 5, 6 * 6, 9 * 9}) {
      const Mercy mercy(kShare, points, komi);
      for (const int difference : {-1, 0, 1}) CHECK_FALSE(mercy.is_decided(difference));
    }
  }
}

TEST_CASE("a playout ends at the first stone that decides it, and is worth what it would have been") {
  const Difference of_nine =
      compare(GoKnowledgePlayout<kSize>(), GoKnowledgePlayout<kSize>(kShare), Go<kSize>(kSize, 7.5, false), 2000);
  CHECK(of_nine.shorter > 400);
  CHECK(of_nine.worth_something_else < 4);
  const Difference of_five =
      compare(GoKnowledgePlayout<0>(), GoKnowledgePlayout<0>(kShare), Go<0>(5, 7.5, false), 1000);
  CHECK(of_five.shorter > 100);
  CHECK(of_five.worth_something_else < 20);
}

TEST_CASE("who looks at the last board has the playout to its end") {
  const Go<kSize> start(kSize, 7.5, false);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng whole_rng(seed);
    Rng part_rng(seed);
    Go<kSize> whole = start;
    Go<kSize> part = start;
    GoKnowledgePlayout<kSize>(0).play(start, whole_rng, nullptr, &whole);
    GoKnowledgePlayout<kSize>(kShare).play(start, part_rng, nullptr, &part);
    CHECK(whole.board() == part.board());
  }
}
