// Playouts that end before the game does (mercy.hpp), beside the same ones played to the end.
#include <cstdint>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "go_diagram.hpp"
#include "knowledge/go/bradley_terry_playout.hpp"
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
  const Mercy mercy(kShare, start.size() * start.size(), start.komi(), start.board().stone_difference());
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

// One to which all moves are alike.
GoFastModel indifferent_model() {
  PartTables<float> strengths;
  for (int part = 0; part < kTeamParts; ++part) {
    const std::size_t values = part == fast_features::kShapePart ? 1 : fast_features::part_width(part);
    strengths[part].assign(values, 1.0f);
  }
  return {{}, strengths};
}

// White has 36 stones and more, all of one chain without an eye; Black, who has 25, takes them when the points between
// are full.
Go<kSize> dead_lead(int lead) {
  std::vector<std::string> rows(4, "OOOOOOOOO");
  rows.push_back(std::string(lead - 11, 'O'));
  rows.insert(rows.end(), {"", "XXXXXXXXX", "XXXXXXXXX", ".X.XXXXXX"});
  Go<kSize> position = Diagram(rows).position();
  REQUIRE(position.board().stone_difference() == -lead);
  return position;
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

TEST_CASE("a lead that was there before counts for nothing, and being behind is no help") {
  const Mercy black_led(kShare, kPoints, 7.5, 5);
  CHECK_FALSE(black_led.is_decided(32));
  CHECK(black_led.is_decided(33));
  CHECK_FALSE(black_led.is_decided(-20));
  CHECK(black_led.is_decided(-21));
  const Mercy white_led(kShare, kPoints, 7.5, -5);
  CHECK_FALSE(white_led.is_decided(27));
  CHECK(white_led.is_decided(28));
  CHECK_FALSE(white_led.is_decided(-25));
  CHECK(white_led.is_decided(-26));
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

TEST_CASE("a playout drawn from a model ends where it is decided, too") {
  const GoFastModel model = indifferent_model();
  for (const bool urgent_first : {false, true}) {
    const Difference difference =
        compare(GoBradleyTerryPlayout<kSize>(model, 1, urgent_first),
                GoBradleyTerryPlayout<kSize>(model, 1, urgent_first, kShare), Go<kSize>(kSize, 7.5, false), 1000);
    CHECK(difference.shorter > 200);
    CHECK(difference.worth_something_else < 20);
  }
}

TEST_CASE("a lead of dead stones decides nothing, however large it is") {
  const GoFastModel model = indifferent_model();
  for (const double share : {0.2, 0.3}) {
    for (int lead = 13; lead <= 20; ++lead) {
      Go<kSize> position = dead_lead(lead);
      for (int player = 0; player < 2; ++player, position.play(position.pass())) {
        const auto is_same = [&](const auto& merciless, const auto& merciful, std::uint64_t seed) {
          return played(merciless, position, seed).rewards == played(merciful, position, seed).rewards;
        };
        int others = 0;
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
          others += !is_same(GoKnowledgePlayout<kSize>(), GoKnowledgePlayout<kSize>(share), seed);
          others += !is_same(GoBradleyTerryPlayout<kSize>(model, 1, true),
                             GoBradleyTerryPlayout<kSize>(model, 1, true, share), seed);
        }
        CAPTURE(lead);
        // Black has killed himself in some, after which White takes what was taken from him.
        CHECK(others < 8);
      }
    }
  }
}

TEST_CASE("who looks at the last board has the playout to its end") {
  const GoFastModel model = indifferent_model();
  const Go<kSize> start(kSize, 7.5, false);
  const auto last_board = [&](const KnowledgePlayout<Go<kSize>>& playout, std::uint64_t seed) {
    Rng rng(seed);
    Go<kSize> end = start;
    playout.play(start, rng, nullptr, &end);
    return end.board();
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CHECK(last_board(GoKnowledgePlayout<kSize>(), seed) == last_board(GoKnowledgePlayout<kSize>(kShare), seed));
    CHECK(last_board(GoBradleyTerryPlayout<kSize>(model, 1), seed) ==
          last_board(GoBradleyTerryPlayout<kSize>(model, 1, false, kShare), seed));
  }
}
