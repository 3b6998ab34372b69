// Mix and max against numbers worked out by hand.
#include <limits>
#include <stdexcept>

#include "doctest/doctest.h"
#include "games/othello.hpp"
#include "games/tic_tac_toe.hpp"
#include "search/search.hpp"
#include "tests/hand_tree.hpp"

namespace tesuji {
namespace {

Parameters mix(double q, double m) { return {.backup = "mix", .mix_q = q, .mix_m = m}; }
const Parameters kMax{.backup = "max"};

Rewards rewards(double first) { return {to_reward(first), kRewardOne - to_reward(first)}; }

constexpr std::size_t kMemory = 1 << 20;

}  // namespace

TEST_CASE("mix: between the mean and the most visited child, the nearer to the latter the more visits it has") {
  HandTree tree(mix(0.5, 2));
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, 1);
  tree.win_of(0, {0, 0});
  tree.win_of(1, {0, 1});
  tree.win_of(1, {0, 1});
  // n_best = 2: w = 0.5 * 2 / 4 = 0.25, mean 1/3, robust-max 0.
  CHECK(tree.value({0}) == doctest::Approx(0.75 / 3));
  tree.win_of(1, {0, 1});
  // w = 0.5 * 3 / 5 = 0.3, mean 1/4.
  CHECK(tree.value({0}) == doctest::Approx(0.7 / 4));

  // One level deeper: the value of the most visited child is itself a mixture.
  tree.expand({0, 1}, 1, 0);
  tree.win_of(0, {0, 1, 0});
  // w = 0.5 * 1 / 3 = 1/6, mean 3/4, robust-max 0.
  CHECK(tree.value({0, 1}) == doctest::Approx(0.625));
  // w = 0.5 * 4 / 6 = 1/3, mean 2/5, robust-max 1 - 0.625.
  CHECK(tree.value({0}) == doctest::Approx(2.0 / 3 * 0.4 + 0.375 / 3));
}

TEST_CASE("mix: of equally visited children the first, and the same player's value is not turned round") {
  HandTree tree(mix(1, 0));
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, 0);
  tree.win_of(0, {0, 0});
  tree.win_of(1, {0, 1});
  CHECK(tree.value({0}) == 1.0);
  tree.win_of(1, {0, 1});
  CHECK(tree.value({0}) == 0.0);
}

TEST_CASE("mix: three players have a value each") {
  HandTree tree(mix(0.5, 0), 3, false);
  tree.expand({}, 1, 0);
  tree.play_out({0}, {kRewardOne, 0, kRewardHalf});
  CHECK(tree.value({0}) == 1.0);
  tree.expand({0}, 2, 2);
  tree.play_out({0, 1}, {0, kRewardOne, kRewardHalf});
  // w = 0.5, mean 1/2, robust-max 0 for the first player.
  CHECK(tree.value({0}) == doctest::Approx(0.25));
}

TEST_CASE("mix: where chance moves, the mean of the children's values") {
  HandTree tree(mix(1, 0), 1);
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, kChance);
  tree.expand({0, 0}, 2, 0);
  tree.play_out({0, 0, 0}, {kRewardOne});
  tree.play_out({0, 0, 1}, {0});
  CHECK(tree.value({0, 0}) == 1.0);  // the mean is 1/2
  CHECK(tree.value({0}) == 1.0);
  tree.play_out({0, 1}, {0});
  CHECK(tree.value({0}) == doctest::Approx(2.0 / 3));
}

TEST_CASE("mix: chance keeps the first player's values, and the second player's are turned round") {
  HandTree tree(mix(1, 0));
  tree.expand({}, 1, 1);
  tree.expand({0}, 2, kChance);
  tree.expand({0, 0}, 2, 1);
  tree.win_of(1, {0, 0, 0});
  tree.win_of(0, {0, 0, 1});
  // Below the throw the second player wins by the first of two moves: 0 for the first player, where the mean is 1/2.
  CHECK(tree.value({0, 0}) == 0.0);
  CHECK(tree.value({0}) == 1.0);
}

TEST_CASE("mix: beside a solver the most visited child of those that are not lost") {
  Parameters parameters = mix(1, 0);
  parameters.solver = true;
  HandTree tree(parameters);
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, 1);
  tree.win_of(1, {0, 0});
  tree.end_game({0, 0}, two_player_rewards(0));
  CHECK(tree.value({0}) == 0.5);
  tree.win_of(1, {0, 1});
  CHECK(tree.value({0}) == 0.0);
}

TEST_CASE("max: a leaf's judgement, until it has children; then the best of those visited, for who chooses") {
  HandTree tree(kMax);
  tree.expand({}, 1, 0);
  tree.play_out({0}, rewards(0.75));
  tree.play_out({0}, rewards(0.75));
  CHECK(tree.value({0}) == 0.75);
  tree.expand({0}, 3, 1);
  tree.play_out({0, 0}, rewards(0.5));
  CHECK(tree.value({0}) == 0.5);
  tree.play_out({0, 1}, rewards(0.25));  // the second player likes this better
  CHECK(tree.value({0}) == 0.25);
  tree.play_out({0, 2}, rewards(0.875));
  CHECK(tree.value({0}) == 0.25);
  tree.expand({0, 1}, 2, 1);  // who moves again, and finds that it is not so good
  tree.play_out({0, 1, 0}, rewards(0.625));
  CHECK(tree.value({0, 1}) == 0.375);
  CHECK(tree.value({0}) == 0.5);
}

TEST_CASE("max: three players take what is best for the one who chooses") {
  HandTree tree(kMax, 3, false);
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, 2);
  tree.play_out({0, 0}, {kRewardOne, 0, 0});
  CHECK(tree.value({0}) == 1.0);
  tree.play_out({0, 1}, {kRewardHalf, 0, kRewardOne});
  CHECK(tree.value({0}) == 0.5);
  // Just as good for who chooses, and nothing for the first player: of equals the first counts.
  HandTree equals(kMax, 3, false);
  equals.expand({}, 1, 0);
  equals.expand({0}, 2, 2);
  equals.play_out({0, 0}, {kRewardOne, 0, kRewardHalf});
  equals.play_out({0, 1}, {0, 0, kRewardHalf});
  CHECK(equals.value({0}) == 1.0);
}

TEST_CASE("max: where chance moves, the expectation over the outcomes seen") {
  HandTree tree(kMax, 1);
  tree.expand({}, 1, 0);
  tree.expand({0}, 3, kChance);
  for (std::uint32_t child = 0; child < 3; ++child)
    tree.node({0}).prior(child, tree.layout()) = child == 1 ? 0.5f : 0.25f;
  tree.play_out({0, 0}, {kRewardOne});
  tree.play_out({0, 1}, {kRewardHalf});
  tree.play_out({0, 1}, {kRewardHalf});
  // (0.25 + 0.5 * 0.5) / 0.75, however often each came up.
  CHECK(tree.value({0}) == doctest::Approx(0.5 / 0.75));
}

TEST_CASE("Othello's evaluation functions: shares of discs and of moves") {
  const auto judged = [](const char* name, const Othello& position) {
    for (const Evaluation<Othello>& evaluation : Othello::evaluations()) {
      if (std::string(name) == evaluation.name) return to_double(evaluation.judge(position)[0]);
    }
    return -1.0;
  };
  Othello position;
  CHECK(judged("discs", position) == 0.5);
  CHECK(judged("mobility", position) == 0.5);
  position.play(19);
  // Four black discs and one white; three moves for each side.
  CHECK(judged("discs", position) == doctest::Approx(0.8).epsilon(1e-6));
  CHECK(judged("mobility", position) == 0.5);
  // Black on a1, white on b1 and c1: black has d1, white nothing.
  const Othello corner = Othello::from_discs(1, 6, 0);
  CHECK(judged("discs", corner) == doctest::Approx(1.0 / 3).epsilon(1e-6));
  CHECK(judged("mobility", corner) == doctest::Approx(2.0 / 3).epsilon(1e-6));
}

TEST_CASE("max needs somebody who judges, and only one") {
  const auto search = [](const char* evaluation) {
    Search<Othello>(Othello{}, make_rules({.backup = "max", .evaluation = evaluation}), 1, kMemory);
  };
  CHECK_NOTHROW(search("discs"));
  CHECK_THROWS_AS(search(""), std::invalid_argument);
  CHECK_THROWS_AS(search("corners"), std::invalid_argument);
  CHECK_THROWS_AS(Search<TicTacToe>(TicTacToe{}, make_rules({.backup = "max", .evaluation = "discs"}), 1, kMemory),
                  std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.backup = "mean", .evaluation = "discs"}), std::invalid_argument);
}

TEST_CASE("bad mixtures are refused") {
  CHECK_THROWS_AS(make_rules(mix(1.5, 1)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(mix(-0.1, 1)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(mix(0.5, -1)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(mix(0.5, std::numeric_limits<double>::infinity())), std::invalid_argument);
}

}  // namespace tesuji
