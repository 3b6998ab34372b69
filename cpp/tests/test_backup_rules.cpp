// The backup rules against numbers worked out by hand: the figures of the accelerated paper, and what it leaves open.
#include <cmath>
#include <vector>

#include "doctest/doctest.h"
#include "rules/discounted.hpp"
#include "rules/registry.hpp"
#include "tests/hand_tree.hpp"

namespace tesuji {
namespace {

// n^D of a child of a node.
double discounted_visits(const HandTree& tree, const Node& node, std::uint32_t child) {
  const double inverse_root = node.weights(tree.layout())[child];
  return Discounted::visits(node.visits(child), Discounted::root_ratio(inverse_root, Discounted::root_of_scale(node)));
}

Parameters with(const char* backup, double decay) { return {.backup = backup, .decay = decay}; }

// Fig. 1: A has B and C; B has D, E and F; C has only G; G has H and I. One playout at each leaf: D, E and H are won by
// the first player, F and I lost.
HandTree figure_1(const Parameters& parameters) {
  HandTree tree(parameters);
  tree.expand({}, 2, 0);
  tree.expand({0}, 3, 1);
  tree.expand({1}, 1, 1);
  tree.expand({1, 0}, 2, 0);
  tree.win_of(0, {0, 0});
  tree.win_of(0, {0, 1});
  tree.win_of(1, {0, 2});
  tree.win_of(1, {1, 0, 1});
  tree.win_of(0, {1, 0, 0});
  return tree;
}

// Fig. 2: three playouts at a, two of them won by the player who moves there; then a is expanded, with d and e below:
// a win and a loss for the same player.
HandTree figure_2(const Parameters& parameters) {
  HandTree tree(parameters);
  tree.expand({}, 3, 0);
  tree.win_of(0, {0});
  tree.win_of(0, {0});
  tree.win_of(1, {0});
  CHECK(tree.value({0}) == doctest::Approx(parameters.backup == "discounted" ? 3.0 / 7 : 2.0 / 3));
  tree.expand({0}, 2, 1);
  tree.win_of(0, {0, 0});
  tree.win_of(1, {0, 1});
  return tree;
}

}  // namespace

TEST_CASE("Fig. 1: plain UCT holds the losing move for the better one, 2/3 against 1/2") {
  for (const Parameters& parameters : {with("mean", 1), with("discounted", 1), with("accelerated", 1)}) {
    const HandTree tree = figure_1(parameters);
    CHECK(tree.value({0}) == 2.0 / 3);
    CHECK(tree.value({1}) == 0.5);
  }
}

TEST_CASE("Fig. 1: the cure. Accelerated UCT sees through the trap while the mean does not") {
  // Velocities 1/4, 1/2, 1 at B: (1/4 + 1/2) / (7/4) = 3/7. At G, I before H: 1/2 and 1, so 1 / (3/2) = 2/3; C has one
  // child, and so its value.
  HandTree tree = figure_1(with("accelerated", 0.5));
  CHECK(tree.value({0}) == doctest::Approx(3.0 / 7));
  CHECK(tree.value({1, 0}) == doctest::Approx(1.0 / 3));
  CHECK(tree.value({1}) == doctest::Approx(2.0 / 3));
  // The second player finds the refutation F once more: velocities 1/8, 1/4, 3/2.
  tree.win_of(1, {0, 2});
  CHECK(tree.value({0}) == doctest::Approx(0.375 / 1.875));
  HandTree plain = figure_1(with("mean", 1));
  plain.win_of(1, {0, 2});
  CHECK(plain.value({0}) == 0.5);

  // With a long memory it takes longer, and still less than for the mean: after eleven more visits of F, 2 / 14 is the
  // mean, and with lambda = 0.9 it is (0.9^13 + 0.9^12) / sum of 0.9^0 .. 0.9^13.
  HandTree slow = figure_1(with("accelerated", 0.9));
  for (int i = 0; i < 11; ++i) slow.win_of(1, {0, 2});
  const double all = (1 - std::pow(0.9, 14)) / 0.1;
  CHECK(slow.value({0}) == doctest::Approx((std::pow(0.9, 13) + std::pow(0.9, 12)) / all));
}

TEST_CASE("Fig. 2: 2/3 at the leaf, 3/5 for plain UCT after d and e") {
  for (const Parameters& parameters : {with("mean", 1), with("accelerated", 1)}) {
    CHECK(figure_2(parameters).value({0}) == 0.6);
  }
}

TEST_CASE("Fig. 2: the virtual child has a velocity of 3, and fades") {
  // lambda = 1/2: velocities 3/4, 1/2 and 1: (3/4 * 2/3 + 1/2) / (9/4) = 4/9.
  CHECK(figure_2(with("accelerated", 0.5)).value({0}) == doctest::Approx(4.0 / 9));
  // In general (2 l^2 + l) / (3 l^2 + l + 1).
  CHECK(figure_2(with("accelerated", 0.9)).value({0}) == doctest::Approx(2.52 / 4.33));
}

TEST_CASE("Discounted UCT: n^D, r^D and s^D, the playouts at the leaf included") {
  const HandTree tree = figure_2(with("discounted", 0.5));
  // Wins and losses at a, the oldest first: + + - + -, with the weights 1/16 to 1.
  CHECK(tree.value({0}) == doctest::Approx(11.0 / 31));
  const Node a = tree.node({0});
  CHECK(discounted_visits(tree, a, 0) == doctest::Approx(0.5));
  CHECK(discounted_visits(tree, a, 1) == doctest::Approx(1.0));
  CHECK(Discounted::node_visits(a, 5) == doctest::Approx(3 * 0.25 + 0.5 + 1));
  CHECK(tree.value({0, 0}) == 0.0);
  CHECK(tree.value({0, 1}) == 1.0);
}

TEST_CASE("an unselected child keeps its discounted ratio, however long it is forgotten") {
  HandTree tree(with("discounted", 0.001));
  tree.expand({}, 2, 0);
  tree.play_out({0}, {kRewardOne / 4, kRewardOne * 3 / 4});
  for (int i = 0; i < 1000; ++i) tree.win_of(1, {1});
  CHECK(tree.value({0}) == 0.25);
  CHECK(tree.value({1}) == 0.0);
  const Node root = tree.node({});
  CHECK(discounted_visits(tree, root, 0) > 0);
  CHECK(discounted_visits(tree, root, 0) < 1e-100);
  CHECK(Discounted::node_visits(root, 1001) == doctest::Approx(1 / 0.999));
}

TEST_CASE("velocities are exact over many rescalings") {
  // Both children in turn, one always won, the other lost: the later one has 1 / (1 + lambda) of the weight.
  for (const double decay : {0.001, 0.5, 0.99}) {
    HandTree tree(with("accelerated", decay));
    tree.expand({}, 1, 0);
    tree.expand({0}, 2, 1);
    for (int i = 0; i < 20'000; ++i) {
      tree.win_of(0, {0, 0});
      tree.win_of(1, {0, 1});
    }
    CHECK(tree.value({0}) == doctest::Approx(decay / (1 + decay)).epsilon(1e-12));
  }
}

TEST_CASE("the same player moves again: the value is not turned round") {
  HandTree tree(with("accelerated", 0.5));
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, 0);
  tree.win_of(0, {0, 0});
  tree.win_of(1, {0, 1});
  CHECK(tree.value({0}) == doctest::Approx(0.5 / 1.5));
}

TEST_CASE("three players: each has an accelerated value of its own, with the same velocities") {
  HandTree tree(with("accelerated", 0.5), 3, false);
  tree.expand({}, 2, 0);
  tree.play_out({0}, {kRewardOne, 0, kRewardHalf});
  tree.expand({0}, 2, 2);
  tree.play_out({0, 0}, {0, kRewardOne, kRewardHalf});
  tree.play_out({0, 1}, {kRewardHalf, 0, kRewardOne});
  // Velocities 1/4 (virtual), 1/2 and 1: (1/4 + 0 + 1/2) / (7/4) for the first player.
  CHECK(tree.value({0}) == doctest::Approx(0.75 / 1.75));
  CHECK(tree.value({0, 0}) == 0.5);
  CHECK(tree.value({0, 1}) == 1.0);
}

TEST_CASE("where chance moves, no throw counts for more than another") {
  HandTree tree(with("accelerated", 0.5), 1);
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, kChance);
  tree.play_out({0, 0}, {kRewardOne});
  tree.play_out({0, 0}, {kRewardOne});
  tree.play_out({0, 1}, {0});
  CHECK(tree.value({0}) == 2.0 / 3);
}

TEST_CASE("a playout at a node, as an evaluator's leaf has it, is the virtual child's") {
  HandTree tree(with("accelerated", 0.5));
  tree.expand({}, 1, 0);
  tree.expand({0}, 2, 1);
  tree.win_of(0, {0});
  tree.win_of(1, {0});
  tree.win_of(1, {0, 0});
  // Velocities 2/2 for the virtual child, of value 1/2, and 1.
  CHECK(tree.value({0}) == doctest::Approx(0.25));
}

TEST_CASE("automatic decay: a window of ten visits a child, and of more in a long search") {
  HandTree tree({.backup = "accelerated", .automatic_decay = true});
  tree.expand({}, 2, 0);
  tree.expand({0}, 3, 1);
  // Three nodes, that above the root included, have six children: two each. The window is 20 visits, lambda 19/20, and
  // the velocities are 361/400, 380/400 and 1.
  tree.win_of(0, {0, 0});
  tree.win_of(1, {0, 1});
  tree.win_of(1, {0, 2});
  CHECK(tree.value({0}) == doctest::Approx(361.0 / 1141).epsilon(1e-12));
  // At the 10,000th visit of the root the window is 2 * 10000 / 500 = 40, so lambda is 39/40, once.
  for (int visits = 3; visits < 9999; ++visits) tree.win_of(0, {1});
  tree.win_of(1, {0, 2});
  CHECK(tree.value({0}) == doctest::Approx(39 * 361.0 / (39 * 1141 + 40 * 400)).epsilon(1e-12));
}

TEST_CASE("bad decays are refused") {
  CHECK_THROWS_AS(make_rules(with("accelerated", 1.5)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(with("discounted", 0.0)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(with("discounted", std::nan(""))), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(with("faster", 0.5)), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.backup = "discounted", .automatic_decay = true}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.backup = "accelerated", .decay = 0.5, .automatic_decay = true}), std::invalid_argument);
}

}  // namespace tesuji
