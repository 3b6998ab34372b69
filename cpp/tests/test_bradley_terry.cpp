// The Bradley-Terry model on competitions so small that the answers are known.
#include <cmath>
#include <stdexcept>
#include <vector>

#include "doctest/doctest.h"
#include "knowledge/bradley_terry.hpp"

namespace {

using namespace tesuji;

FeatureTeam team(std::uint32_t first, std::uint32_t second = 0) {
  FeatureTeam result;
  result.set_part(0, first);
  result.set_part(1, second);
  return result;
}

// Positions in which team 1 meets team 0, and wins the first of them.
Competitions duels(int wins, int losses) {
  Competitions competitions;
  Competitions::Chunk chunk;
  for (int i = 0; i < wins + losses; ++i) {
    chunk.teams.push_back(team(1).word());
    chunk.teams.push_back(team(0).word());
    chunk.ends.push_back(static_cast<std::uint32_t>(chunk.teams.size()));
    chunk.winners.push_back(static_cast<std::uint32_t>(2 * i + (i < wins ? 0 : 1)));
  }
  competitions.add(std::move(chunk));
  return competitions;
}

PartTables<double> strengths(double first, double second) { return {{{first, second}, {1.0, 5.0}, {1.0}, {1.0}}}; }

}  // namespace

TEST_CASE("a team keeps its parts") {
  FeatureTeam packed;
  const std::array<std::uint32_t, kTeamParts> values = {(1u << FeatureTeam::kBits[0]) - 1, 5,
                                                        (1u << FeatureTeam::kBits[2]) - 1, 9000};
  for (int part = 0; part < kTeamParts; ++part) packed.set_part(part, values[part]);
  for (int part = 0; part < kTeamParts; ++part) CHECK(packed.part(part) == values[part]);
  packed.set_part(2, 7);
  CHECK(packed.part(1) == 5);
  CHECK(packed.part(2) == 7);
  CHECK(packed.part(3) == 9000);
}

TEST_CASE("the strength of a team is the product of its parts") {
  CHECK(strength_of(team(1, 1), strengths(1, 3)) == 15.0);
  CHECK(strength_of(team(0, 0), strengths(2, 3)) == 2.0);
}

TEST_CASE("expected wins and likelihood of duels") {
  const Competitions competitions = duels(3, 1);
  const Expectation found = expect(competitions, strengths(1, 3), 1);
  CHECK(found.wins[0][1] == doctest::Approx(4 * 0.75));
  CHECK(found.wins[0][0] == doctest::Approx(4 * 0.25));
  CHECK(found.wins[1][0] == doctest::Approx(4.0));
  CHECK(found.log_likelihood == doctest::Approx(3 * std::log(0.75) + std::log(0.25)));
  const auto wins = count_wins(competitions, {2, 1, 1, 1});
  CHECK(wins[0][1] == 3.0);
  CHECK(wins[0][0] == 1.0);
}

TEST_CASE("threads change no digit") {
  Competitions competitions;
  for (int i = 1; i < 20; ++i) {
    const Competitions part = duels(i, 2 * i);
    competitions.add(part.chunks()[0]);
  }
  const Expectation one = expect(competitions, strengths(0.3, 0.7), 1);
  const Expectation three = expect(competitions, strengths(0.3, 0.7), 3);
  CHECK(one.log_likelihood == three.log_likelihood);
  CHECK(one.wins == three.wins);
}

TEST_CASE("the place of the move that was played") {
  Competitions competitions;
  competitions.add(
      {.teams = {team(1).word(), team(0).word(), team(1).word(), team(0, 1).word()}, .ends = {4}, .winners = {2}});
  CHECK(count_better(competitions, strengths(1, 3)) == std::vector<std::uint32_t>{2});
  CHECK(count_better(competitions, strengths(1, 9)) == std::vector<std::uint32_t>{1});
  CHECK(count_better(competitions, strengths(3, 1)) == std::vector<std::uint32_t>{3});
}

TEST_CASE("values without a strength are an error") {
  PartTables<double> narrow = strengths(1, 3);
  narrow[0].pop_back();
  CHECK_THROWS_AS(expect(duels(1, 1), narrow, 1), std::invalid_argument);
}
