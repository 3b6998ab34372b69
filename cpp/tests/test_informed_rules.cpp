// RAVE, AMAF, the biases and widening against numbers worked out by hand.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "games/othello.hpp"
#include "rules/rave.hpp"
#include "rules/registry.hpp"
#include "rules/widening.hpp"
#include "search/search.hpp"

namespace tesuji {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What a test says of a child.
struct Known {
  double wins = 0;
  std::uint32_t visits = 0;
  double rave_wins = 0;
  double rave_visits = 0;
  double prior = 0;
};

std::uint32_t chosen(const std::vector<Known>& children, std::uint32_t parent_visits, const Parameters& parameters) {
  Rules rules = make_rules(parameters);
  rules.layout = rules.layout_for(2, true, false);
  Tree tree(rules.layout, 1 << 20);
  const std::vector<Move> moves(children.size());
  const Node node = tree.at(tree.allocate(moves, 0));
  if (rules.layout.has_ledger) node.ledger().scale() = 1;
  for (std::uint32_t child = 0; child < children.size(); ++child) {
    const Known& known = children[child];
    node.set(child, known.visits, to_reward(known.wins));
    if (rules.layout.has_rave) {
      node.rave_rewards(rules.layout)[child] = known.rave_wins;
      node.rave_visits(rules.layout)[child] = static_cast<std::uint32_t>(known.rave_visits * kRaveVisit);
    }
    if (rules.layout.has_prior) node.prior(child, rules.layout) = static_cast<float>(known.prior);
    // A backup rule that forgets, and has not forgotten anything.
    if (rules.layout.replaces_rewards()) node.backed_up(0, rules.layout)[child] = known.wins;
    if (rules.layout.has_weights) node.weights(rules.layout)[child] = known.visits == 0 ? 0 : 1;
  }
  return rules.select(node, parent_visits, rules);
}

// The score of a child without exploration: that of a rival which is just as good, and of which nothing is known but
// its value, `rival_weight` times which is its score. Four children or one: vectors take them in another way.
double score_of(const Known& child, std::uint32_t parent_visits, const Parameters& parameters,
                double rival_weight = 1) {
  double low = 0;
  double high = 2;
  for (int step = 0; step < 40; ++step) {
    const double value = (low + high) / 2;
    const Known rival{.wins = value * 1000, .visits = 1000};
    const Known hopeless{.wins = 0, .visits = 1000};
    const std::uint32_t few = chosen({child, rival}, parent_visits, parameters);
    CHECK(few == chosen({child, hopeless, hopeless, hopeless, rival}, parent_visits, parameters) / 4);
    (few == 0 ? low : high) = value;
  }
  return rival_weight * low;
}

const Known kChild{.wins = 1, .visits = 4, .rave_wins = 8, .rave_visits = 10};

doctest::Approx about(double value) { return doctest::Approx(value).epsilon(1e-5); }

TEST_CASE("RAVE, eq. 8: visits and RAVE visits share the value") {
  // W = 10 / (1/1 + 10/10) = 5: 4/9 of 1/4 and 5/9 of 8/10.
  const Parameters parameters{.rave = "rave", .c = 0, .rave_initial = 1, .rave_final = 10};
  CHECK(score_of(kChild, 20, parameters) == about(4.0 / 9 * 0.25 + 5.0 / 9 * 0.8));
  // W = 10 / (1/0.5 + 10/20) = 4.
  CHECK(score_of(kChild, 20, {.rave = "rave", .c = 0, .rave_initial = 0.5, .rave_final = 20}) ==
        about(0.5 * 0.25 + 0.5 * 0.8));
  CHECK(score_of({.rave_wins = 6, .rave_visits = 10}, 20, parameters) == about(0.6));
  CHECK(score_of({.wins = 3, .visits = 5}, 20, parameters) == about(0.6));
}

TEST_CASE("RAVE without weight is greedy on the mean, and a child without visits is urgent") {
  const Parameters parameters{.rave = "rave", .c = 0, .rave_initial = 0};
  CHECK(score_of(kChild, 20, parameters) == about(0.25));
  CHECK(chosen({{.wins = 9, .visits = 10}, {.rave_wins = 0, .rave_visits = 10}}, 10, parameters) == 1);
  const std::vector<Known> fresh = {{.wins = 9, .visits = 10}, {.rave_wins = 9.5, .rave_visits = 10}, {}};
  CHECK(chosen(fresh, 10, {.rave = "rave", .c = 0}) == 2);
  CHECK(chosen(fresh, 10, {.rave = "rave", .c = 0, .fpu = 0.5}) == 1);
}

TEST_CASE("RAVE with a C explores as UCB1 does") {
  const Parameters parameters{.rave = "rave", .c = 0.5, .rave_initial = 1, .rave_final = 10};
  // The rival's own term is 0.5 sqrt(ln 20 / 1000).
  const double rival = 0.5 * std::sqrt(std::log(20.0) / 1000);
  CHECK(score_of(kChild, 20, parameters) + rival == about(5.0 / 9 + 0.5 * std::sqrt(std::log(20.0) / 4)));
}

TEST_CASE("RAVE with the tuned rules: the variance is that of the mixture, the visits are the child's own") {
  // The mixture is 5/9, V = 20/81, ln 20 / 4 = 0.748933; the rival has 1000 visits.
  Parameters parameters{.selection = "ucb-tuned1", .rave = "rave", .rave_initial = 1, .rave_final = 10};
  const double log_visits = std::log(20.0);
  double rival = score_of(kChild, 20, parameters);
  CHECK(rival + std::sqrt(rival * (1 - rival) * log_visits / 1000) == about(5.0 / 9 + std::sqrt(20.0 / 81 * 0.748933)));
  // A rival above 1 has the least variance, 0.001.
  parameters.selection = "ucb-tuned2";
  rival = score_of(kChild, 20, parameters);
  CHECK(rival + std::sqrt(1.001 * log_visits / 1000) == about(5.0 / 9 + std::sqrt(101.0 / 81 * 0.748933)));
}

TEST_CASE("RAVE with discounted visits: without decay it is that of plain visits, to the last bit") {
  const Parameters parameters{.backup = "discounted", .rave = "rave", .c = 0, .rave_final = kInfinity};
  // 22 times 15/22 is less than 15 for a computer. With two lost RAVE visits it is the equal of 15/24: the first is
  // taken.
  const Known mixed{.wins = 15, .visits = 22, .rave_wins = 0, .rave_visits = 2};
  const Known equal{.wins = 15, .visits = 24};
  CHECK(chosen({mixed, equal}, 100, parameters) == 0);
  CHECK(chosen({mixed, equal, equal, equal}, 100, parameters) == 0);
}

TEST_CASE("RAVE with discounted visits: a child without visits has its RAVE value or its urgency") {
  const Parameters parameters{.backup = "discounted", .rave = "rave", .c = 0};
  const Known visited{.wins = 5, .visits = 10};
  CHECK(chosen({visited, {}}, 10, parameters) == 1);
  CHECK(chosen({visited, visited, visited, {}}, 30, parameters) == 3);
  const Known hopeful{.rave_wins = 6, .rave_visits = 10};
  const Known hopeless{.rave_wins = 4, .rave_visits = 10};
  CHECK(chosen({visited, hopeful}, 10, parameters) == 1);
  CHECK(chosen({visited, visited, hopeless, hopeful}, 20, parameters) == 3);
  CHECK(chosen({hopeless, hopeless, hopeless, visited}, 10, parameters) == 3);
}

TEST_CASE("every so many-th selection does without RAVE") {
  const std::vector<Known> children = {{.wins = 6, .visits = 10},
                                       {.wins = 5, .visits = 10, .rave_wins = 10, .rave_visits = 10}};
  const Parameters parameters{.rave = "rave", .c = 0, .rave_skip = 20};
  CHECK(chosen(children, 18, parameters) == 1);
  CHECK(chosen(children, 19, parameters) == 0);
  CHECK(chosen(children, 20, parameters) == 1);
  // With four children and more vectors do it.
  std::vector<Known> more = children;
  more.resize(5, {.wins = 0, .visits = 10});
  CHECK(chosen(more, 18, parameters) == 1);
  CHECK(chosen(more, 19, parameters) == 0);
}

TEST_CASE("AMAF by the schedule of visits: beta = sqrt(k / (3 s + k))") {
  // k = 20, s = 20: beta = sqrt(20 / 80) = 1/2.
  const Parameters parameters{.rave = "amaf-schedule", .c = 0, .amaf_k = 20};
  CHECK(score_of(kChild, 20, parameters) == about(0.5 * 0.25 + 0.5 * 0.8));
  CHECK(score_of({.rave_wins = 6, .rave_visits = 10}, 20, parameters) == about(0.6));
}

TEST_CASE("AMAF by the least error: beta = m / (n + m + 4 n m b^2)") {
  // b = 0.1: beta = 10 / (4 + 10 + 1.6).
  const double beta = 10 / 15.6;
  CHECK(score_of(kChild, 20, {.rave = "amaf-error", .c = 0, .amaf_b = 0.1}) == about((1 - beta) * 0.25 + beta * 0.8));
  CHECK(score_of(kChild, 20, {.rave = "rave", .c = 0, .rave_initial = 1, .rave_final = 25}) ==
        about((1 - beta) * 0.25 + beta * 0.8));
}

TEST_CASE("RAVE costs 12 bytes a child slot, whatever the backup rule has beside it") {
  CHECK(make_rules({.rave = "rave"}).layout_for(2, true, false).extra_bytes_per_child() == 12);
  const Rules both = make_rules({.backup = "accelerated", .rave = "rave"});
  CHECK(both.layout_for(2, true, false).extra_bytes_per_child() == 8 + 12);
}

TEST_CASE("Bradley-Terry bias, eq. 6: C_BT sqrt(K / (s + K)) P") {
  Parameters parameters{.bias = "bradley-terry", .c = 0, .bias_c = 0.6, .bias_k = 600};
  const Known child{.wins = 5, .visits = 10, .prior = 0.8};
  CHECK(score_of(child, 200, parameters) == about(0.5 + 0.6 * std::sqrt(0.75) * 0.8));
  parameters.bias_k = kInfinity;
  CHECK(score_of(child, 200, parameters) == about(0.5 + 0.6 * 0.8));
}

TEST_CASE("Chaslot's bias, eq. 4: alpha r + beta RAVE + (gamma + C / ln(2 + n)) P") {
  const Known child{.wins = 2, .visits = 8, .rave_wins = 8, .rave_visits = 10, .prior = 0.5};
  Parameters parameters{.rave = "rave", .bias = "chaslot", .c = 0, .bias_c = 0.5, .bias_gamma = 0.1};
  parameters.bias_alpha = 0.7;
  parameters.bias_beta = 0.2;
  const double bias = (0.1 + 0.5 / std::log(10.0)) * 0.5;
  // The rival has no RAVE visits: its own value counts for both.
  CHECK(score_of(child, 20, parameters, 0.7 + 0.2) == about(0.7 * 0.25 + 0.2 * 0.8 + bias));
  // Without alpha and beta the weights are those of RAVE: W = 10 / (1 + 10/10) = 5.
  Parameters of_rave{.rave = "rave", .bias = "chaslot", .c = 0, .rave_final = 10, .bias_c = 0.5, .bias_gamma = 0.1};
  CHECK(score_of(child, 20, of_rave) == about((8 * 0.25 + 5 * 0.8) / 13 + bias));
  of_rave.rave = "none";
  CHECK(score_of(child, 20, of_rave) == about(0.25 + bias));
}

TEST_CASE("Huang's bias, eq. 5: alpha (r + C sqrt(ln s / n)) + (1 - alpha) RAVE + C_PB P / s") {
  const Known child{.wins = 2, .visits = 8, .rave_wins = 8, .rave_visits = 10, .prior = 0.5};
  Parameters parameters{.rave = "rave", .bias = "huang", .c = 0.3, .bias_c = 10};
  parameters.bias_alpha = 0.6;
  const auto explored = [](double value, double visits) { return value + 0.3 * std::sqrt(std::log(20.0) / visits); };
  const double expected = 0.6 * explored(0.25, 8) + 0.4 * 0.8 + 10.0 / 20 * 0.5;
  // The rival has no RAVE visits: its own value counts for both.
  const double rival = score_of(child, 20, parameters);
  CHECK(0.6 * explored(rival, 1000) + 0.4 * rival == about(expected));
  // Without alpha the weights are those of RAVE: W = 10 / (1 + 10/10) = 5, and the rival has all of its own.
  const Parameters of_rave{.rave = "rave", .bias = "huang", .c = 0.3, .rave_final = 10, .bias_c = 10};
  CHECK(explored(score_of(child, 20, of_rave), 1000) == about((8 * explored(0.25, 8) + 5 * 0.8) / 13 + 0.25));
}

TEST_CASE(
    "a child without visits has its bias too: of several the first, since the tree keeps them by falling priors") {
  // One visit, one win, c = 0: the visited child has 1 and its bias, the others 0.9 and theirs.
  const auto first_unvisited = [](double prior) {
    return std::vector<Known>{{.wins = 1, .visits = 1, .prior = 0.01}, {.prior = prior}, {.prior = prior / 2}};
  };
  for (const char* bias : {"bradley-terry", "chaslot", "huang"}) {
    const Parameters parameters{.bias = bias, .c = 0, .fpu = 0.9, .bias_c = 0.5, .bias_k = 10};
    CHECK(chosen(first_unvisited(0.6), 1, parameters) == 1);
    CHECK(chosen(first_unvisited(0.02), 1, parameters) == 0);
  }
}

TEST_CASE("widening, eq. 3: T = floor(1 + ln n / ln mu)") {
  CHECK(widened(100, std::log(1.0), 1.8) == 1);
  CHECK(widened(100, std::log(1.79), 1.8) == 1);
  CHECK(widened(100, std::log(1.81), 1.8) == 2);
  CHECK(widened(100, std::log(1000.0), 1.8) == 12);  // ln 1000 / ln 1.8 = 11.75
  CHECK(widened(5, std::log(1000.0), 1.8) == 5);
  // At a power of mu one more than just before it, though ln 1000 / ln 10 is less than 3 for a computer.
  for (std::uint64_t mu = 2; mu < 50; ++mu) {
    std::uint32_t power = 1;
    for (std::uint64_t visits = mu; visits < (1ull << 32); visits *= mu, ++power) {
      CHECK(widened(100, std::log(static_cast<double>(visits)), static_cast<double>(mu)) == power + 1);
      CHECK(widened(100, std::log(static_cast<double>(visits - 1)), static_cast<double>(mu)) == power);
    }
  }
  const std::vector<Known> children = {{.wins = 1, .visits = 10}, {.wins = 2, .visits = 10}, {.wins = 9, .visits = 10}};
  CHECK(chosen(children, 1, {.c = 0, .widening_mu = 2}) == 0);
  CHECK(chosen(children, 3, {.c = 0, .widening_mu = 2}) == 1);
  CHECK(chosen(children, 30, {.c = 0, .widening_mu = 2}) == 2);
  // RAVE alone is for vectors; beside widening it is not.
  const std::vector<Known> more = {{.wins = 1, .visits = 10}, {.wins = 2, .visits = 10}, {}, {}, {}};
  CHECK(chosen(more, 3, {.rave = "rave", .c = 0, .widening_mu = 2}) == 1);
}

TEST_CASE("bad parameters of RAVE, AMAF, the biases and widening are refused") {
  CHECK_THROWS_AS(make_rules({.widening_mu = 1}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.rave = "rave", .rave_initial = -1}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.rave = "rave", .rave_final = 0}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.rave = "amaf-schedule", .amaf_k = 0}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.rave = "amaf-schedule", .amaf_k = 1e10}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.rave = "amaf-error", .amaf_b = -0.1}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.bias = "bradley-terry", .bias_k = 0}), std::invalid_argument);
  CHECK_NOTHROW(make_rules({.bias = "huang", .bias_k = 0}));
  CHECK_NOTHROW(make_rules({.selection = "puct", .rave = "rave"}));
}

TEST_CASE("Chaslot's bias has both weights or neither: a missing one would count as -1") {
  CHECK_THROWS_AS(make_rules({.bias = "chaslot", .bias_alpha = 0.5}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules({.bias = "chaslot", .bias_beta = 0.5}), std::invalid_argument);
  CHECK_NOTHROW(make_rules({.bias = "chaslot", .bias_alpha = 0.5, .bias_beta = 0.5}));
  CHECK_NOTHROW(make_rules({.bias = "huang", .bias_alpha = 0.5}));
}

// Two nodes, five plies and their RAVE values: the root's moves are 0 to 9, those after move 1 are 9 down to 0.
struct RavePlayout {
  explicit RavePlayout(const Parameters& parameters) : rules(make_rules(parameters)) {
    rules.layout = rules.layout_for(2, true, false);
    std::vector<Move> moves(10);
    for (Move move = 0; move < 10; ++move) moves[move] = move;
    root = tree.allocate(moves, 0);
    tree.at(tree.anchor()).publish_child(0, root);
    std::reverse(moves.begin(), moves.end());
    reply = tree.allocate(moves, 1);
    tree.at(root).publish_child(1, reply);
  }

  // Player 0: 1, 3, 2; player 1: 2, 0, 3. Player 0 wins.
  void play() {
    const std::vector<PathStep> path = {{tree.at(tree.anchor()), 0, 0}, {tree.at(root), 1, 0}, {tree.at(reply), 7, 1}};
    const std::vector<PlayedMove> moves = {{0, 1}, {1, 2}, {0, 3}, {1, 0}, {0, 2}, {1, 3}, {1, kNoMove}};
    const Rewards rewards = two_player_rewards(0);
    update_rave({path, rewards, kNoNode}, moves, first, rules);
  }

  double visits(NodeIndex node, Move move) const { return at(node, move).second; }
  double rewards(NodeIndex node, Move move) const { return at(node, move).first; }
  std::pair<double, double> at(NodeIndex node, Move move) const {
    const Move child = node == root ? move : 9 - move;
    return {tree.at(node).rave_rewards(rules.layout)[child],
            tree.at(node).rave_visits(rules.layout)[child] * kRaveUnit};
  }

  Rules rules;
  Tree tree{make_rules({.rave = "rave"}).layout_for(2, true, false), 1 << 20};
  FirstPlays first;
  NodeIndex root = kNoNode;
  NodeIndex reply = kNoNode;
};

TEST_CASE("RAVE counts the moves of the chooser from a node on, once a playout") {
  RavePlayout playout({.rave = "rave"});
  for (int times = 1; times <= 3; ++times) {
    playout.play();
    for (Move move = 0; move < 10; ++move) {
      const double by_first = move >= 1 && move <= 3 ? times : 0;
      CHECK(playout.visits(playout.root, move) == by_first);
      CHECK(playout.rewards(playout.root, move) == by_first);
      const double by_second = move == 0 || move == 2 || move == 3 ? times : 0;
      CHECK(playout.visits(playout.reply, move) == by_second);
      CHECK(playout.rewards(playout.reply, move) == 0);
    }
  }
}

TEST_CASE("RAVE with distance: 2 - (its ply - this ply) / (plies from here to the end)") {
  RavePlayout playout({.rave = "rave", .rave_distance = true});
  playout.play();
  CHECK(playout.visits(playout.root, 1) == 2);
  CHECK(playout.visits(playout.root, 3) == doctest::Approx(2 - 2.0 / 7).epsilon(0.001));
  CHECK(playout.visits(playout.root, 2) == doctest::Approx(2 - 4.0 / 7).epsilon(0.001));
  CHECK(playout.rewards(playout.root, 2) == playout.visits(playout.root, 2));
  CHECK(playout.visits(playout.reply, 0) == doctest::Approx(2 - 2.0 / 6).epsilon(0.001));
}

TEST_CASE("RAVE may leave out what the opponent did first") {
  RavePlayout playout({.rave = "rave", .rave_check_same = true});
  playout.play();
  CHECK(playout.visits(playout.root, 3) == 1);
  CHECK(playout.visits(playout.root, 2) == 0);
  CHECK(playout.visits(playout.reply, 0) == 1);
  CHECK(playout.visits(playout.reply, 3) == 0);
}

TEST_CASE("a full counter of RAVE visits is halved with its rewards") {
  for (const bool distance : {false, true}) {
    RavePlayout playout({.rave = "rave", .rave_distance = distance});
    const Node node = playout.tree.at(playout.root);
    node.rave_visits(playout.rules.layout)[1] = kMostRaveVisits - 1;
    node.rave_rewards(playout.rules.layout)[1] = (kMostRaveVisits - 1) * kRaveUnit;
    playout.play();
    CHECK(playout.visits(playout.root, 1) == doctest::Approx(kMostRaveVisits / 2 * kRaveUnit));
    CHECK(playout.rewards(playout.root, 1) == doctest::Approx(playout.visits(playout.root, 1)));
  }
}

TEST_CASE("first plays forget the playout before, also when their stamps run out") {
  FirstPlays first;
  for (int round = 0; round < 3; ++round) {
    first.begin(FirstPlays::kMostStamps / 2);
    CHECK(first.ply(0, 7) == FirstPlays::kNever);
    first.set({0, 7}, 3);
    first.set({0, 7}, 1);
    first.set({kChance, 8}, 0);
    first.set({0, kNoMove}, 0);
    CHECK(first.ply(0, 7) == 1);
    CHECK(first.ply(1, 7) == FirstPlays::kNever);
  }
}

TEST_CASE("a game says which moves count for RAVE") {
  CHECK(Go<9>().counts_for_rave(80));
  CHECK_FALSE(Go<9>().counts_for_rave(81));
  CHECK_FALSE(Othello().counts_for_rave(Othello::kPass));
}

}  // namespace
}  // namespace tesuji
