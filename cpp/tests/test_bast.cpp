// BAST against bounds worked out by hand.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "doctest/doctest.h"
#include "rules/bast.hpp"
#include "tests/hand_tree.hpp"

namespace tesuji {
namespace {

Parameters bast(double delta, double gamma, double b) {
  return {.selection = "bast", .bast_delta = delta, .bast_gamma = gamma, .bast_b = b};
}

double upper(const HandTree& tree, const HandTree::Path& path) {
  const PathStep last = tree.last_step(path);
  return last.parent.upper_bounds(tree.layout())[last.child];
}
double lower(const HandTree& tree, const HandTree::Path& path) {
  const PathStep last = tree.last_step(path);
  return last.parent.lower_bounds(tree.layout())[last.child];
}

std::uint32_t chosen(const HandTree& tree, const HandTree::Path& path) {
  Rules rules = make_rules(bast(0, 1, 1));
  rules.layout = tree.layout();
  return rules.select(tree.node(path), 1, rules);
}

// c_n in a tree of so many nodes, with b = 1/2.
double c(double nodes, double n) { return std::sqrt(std::log(4 * nodes * n * (n + 1)) / (2 * n)); }

}  // namespace

TEST_CASE("BAST: the bounds of leaves, and who is chosen by them") {
  HandTree tree(bast(0.1, 0.5, 0.5));
  tree.expand({}, 3, 0);
  CHECK(chosen(tree, {}) == 0);
  tree.win_of(0, {0});
  // c_1 = sqrt(ln(2 * 1 * 1 * 2 / 0.5) / 2) = sqrt(ln 8 / 2) = 1.019667
  CHECK(c(1, 1) == doctest::Approx(1.019667).epsilon(1e-6));
  CHECK(upper(tree, {0}) == 1.0);
  CHECK(lower(tree, {0}) == 0.0);
  CHECK(chosen(tree, {}) == 1);  // all bounds are 1: the one without visits
  for (int i = 0; i < 10; ++i) tree.win_of(1, {1});
  // c_10 = sqrt(ln(440) / 20) = 0.551669
  CHECK(upper(tree, {1}) == doctest::Approx(0.551669).epsilon(1e-6));
  CHECK(lower(tree, {1}) == 0.0);
  for (int i = 0; i < 9; ++i) tree.win_of(0, {0});
  CHECK(upper(tree, {0}) == 1.0);
  CHECK(lower(tree, {0}) == doctest::Approx(1 - 0.551669).epsilon(1e-6));
  for (int i = 0; i < 20; ++i) tree.win_of(1, {2});
  CHECK(chosen(tree, {}) == 0);
}

TEST_CASE("BAST: a node is bounded by its children and, less tightly, by its own mean") {
  HandTree tree(bast(0.1, 0.5, 0.5));
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, 1);
  for (int i = 0; i < 100; ++i) tree.win_of(0, {0, 0});
  // Nothing is known of the other child: the mean alone bounds from below, 1 - c - 0.1 * 0.5.
  CHECK(upper(tree, {0}) == 1.0);
  CHECK(lower(tree, {0}) == doctest::Approx(1 - c(2, 100) - 0.05));
  for (int i = 0; i < 100; ++i) tree.win_of(1, {0, 1});
  // The other child is won: at least 1 - c_100 for the second player, so at most c_100 for the first; the mean, 1/2,
  // says less from above, and more from below.
  CHECK(upper(tree, {0}) == doctest::Approx(c(2, 100)));
  CHECK(lower(tree, {0}) == doctest::Approx(0.5 - c(2, 200) - 0.05));
  // The refuted child is lost again and again: its mean bounds it, with the slack of delta gamma^1.
  HandTree tight(bast(0.1, 0.5, 0.5));
  tight.expand({}, 1, 0);
  tight.expand({0}, 1, 1);
  for (int i = 0; i < 100; ++i) tight.win_of(0, {0, 0});
  tight.expand({0, 0}, 2, 0);  // of which nothing is known yet
  tight.win_of(0, {0, 0, 0});
  CHECK(lower(tight, {0, 0}) == 0.0);
  CHECK(upper(tight, {0, 0}) == doctest::Approx(c(3, 101) + 0.1 * 0.25));
  CHECK(lower(tight, {0}) == doctest::Approx(1 - c(3, 101) - 0.1 * 0.25));
}

TEST_CASE("BAST: the same player, chance, and players whose rewards do not add up") {
  HandTree same(bast(0, 1, 0.5));
  same.expand({}, 1, 0);
  same.expand({0}, 1, 0);
  for (int i = 0; i < 100; ++i) same.win_of(0, {0, 0});
  CHECK(lower(same, {0}) == doctest::Approx(1 - c(2, 100)));

  HandTree dice(bast(10, 1, 0.5), 1);
  dice.expand({}, 1, 0);
  dice.expand({0}, 2, kChance);
  dice.node({0}).prior(0, dice.layout()) = 0.25f;
  dice.node({0}).prior(1, dice.layout()) = 0.75f;
  for (int i = 0; i < 100; ++i) dice.play_out({0, 0}, {0});
  CHECK(upper(dice, {0}) == doctest::Approx(0.25 * c(2, 100) + 0.75));
  CHECK(lower(dice, {0}) == 0.0);

  // Probabilities that do not add up to 1, here far from it, are taken for their shares.
  dice.node({0}).prior(1, dice.layout()) = 0.25f;
  dice.play_out({0, 0}, {0});
  CHECK(upper(dice, {0}) == doctest::Approx(0.5 * c(2, 101) + 0.5));

  HandTree strangers(bast(0.1, 0.5, 0.5), 2, false);
  strangers.expand({}, 1, 0);
  strangers.expand({0}, 1, 1);
  for (int i = 0; i < 100; ++i) strangers.win_of(1, {0, 0});
  CHECK(upper(strangers, {0}) == doctest::Approx(c(2, 100) + 0.05));
}

TEST_CASE("BAST: what is proven has its value for both bounds") {
  Parameters parameters = bast(0.1, 0.5, 0.5);
  parameters.solver = true;
  HandTree tree(parameters);
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, 1);
  tree.end_game({0, 0}, two_player_rewards(kDraw));
  CHECK(upper(tree, {0}) == 1.0);  // a single draw, before it was proven
  tree.win_of(0, {0, 1});
  // The second player has a draw at least: no more than 1/2 is left, though the mean is 3/4.
  CHECK(upper(tree, {0}) == 0.5);
  CHECK(lower(tree, {0}) == 0.0);
}

TEST_CASE("bad parameters of BAST are refused") {
  CHECK_THROWS_AS(make_rules(bast(-1, 0.5, 0.5)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(bast(1, 1.5, 0.5)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(bast(1, 0.5, 0)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(bast(1, 0.5, 2)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(bast(std::numeric_limits<double>::infinity(), 0.5, 0.5)), std::invalid_argument);
  CHECK_THROWS_WITH(make_rules({.selection = "bast", .rave = "rave"}),
                    "bast goes by its bounds alone: it takes no RAVE, no bias, no prior and no widening");
}

}  // namespace tesuji
