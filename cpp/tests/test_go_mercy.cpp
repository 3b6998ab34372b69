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

struct Played {
  std::vector<PlayedMove> moves;
  Rewards rewards;
};

Played played(const Go<kSize>& start, double mercy, std::uint64_t seed) {
  Rng rng(seed);
  Played result;
  result.rewards = GoKnowledgePlayout<kSize>(mercy).play(start, rng, &result.moves);
  return result;
}

}  // namespace

TEST_CASE("a lead in stones decides, komi counted, and a share of nothing never does") {
  const Mercy mercy(0.25, kPoints, 7.5);  // 20.25 points
  CHECK_FALSE(mercy.is_decided(27));
  CHECK(mercy.is_decided(28));
  CHECK_FALSE(mercy.is_decided(-12));
  CHECK(mercy.is_decided(-13));
  const Mercy none(0, kPoints, 7.5);
  CHECK_FALSE(none.is_decided(kPoints));
  CHECK_FALSE(none.is_decided(-kPoints));
  const Mercy all(1, kPoints, 0);
  CHECK_FALSE(all.is_decided(kPoints));
  CHECK_FALSE(all.is_decided(-kPoints));
}

TEST_CASE("with a komi that no board can make good, whoever has it has won") {
  for (const double komi : {200.0, 1e300}) {
    CHECK(Mercy(0.25, kPoints, komi).is_decided(kPoints));
    CHECK(Mercy(0.25, kPoints, -komi).is_decided(-kPoints));
    const Go<kSize> position(kSize, komi, true);
    CHECK(played(position, 0.25, 1).rewards == position.rewards_of(0));
  }
}

TEST_CASE("a playout ends at the first stone that decides it, and is worth what it would have been") {
  constexpr double kKomi = 7.5;
  constexpr double kShare = 0.25;
  const Go<kSize> start(kSize, kKomi, false);
  const Mercy mercy(kShare, kPoints, kKomi);
  int shorter = 0;
  int other = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Played whole = played(start, 0, seed);
    const Played part = played(start, kShare, seed);
    REQUIRE(part.moves.size() <= whole.moves.size());
    Go<kSize> position = start;
    bool is_decided = false;
    for (std::size_t i = 0; i < part.moves.size(); ++i) {
      REQUIRE_FALSE(is_decided);
      REQUIRE(part.moves[i].move == whole.moves[i].move);
      if (part.moves[i].player != position.to_move()) position.play(position.pass());
      position.play(part.moves[i].move);
      is_decided = mercy.is_decided(position.board().stone_difference());
    }
    // To the last move, or cut off there.
    REQUIRE((is_decided || part.moves.size() == whole.moves.size()));
    shorter += part.moves.size() < whole.moves.size();
    other += part.rewards != whole.rewards;
  }
  CHECK(shorter > 500);
  CHECK(other < 20);
}

TEST_CASE("who looks at the last board has the playout to its end") {
  const Go<kSize> start(kSize, 7.5, false);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng whole_rng(seed);
    Rng part_rng(seed);
    Go<kSize> whole = start;
    Go<kSize> part = start;
    GoKnowledgePlayout<kSize>(0).play(start, whole_rng, nullptr, &whole);
    GoKnowledgePlayout<kSize>(0.25).play(start, part_rng, nullptr, &part);
    CHECK(whole.board() == part.board());
  }
}
