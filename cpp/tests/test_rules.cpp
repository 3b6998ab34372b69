// Every rule against numbers worked out by hand.
#include <cmath>
#include <stdexcept>
#include <vector>

#include "doctest/doctest.h"
#include "rules/rules.hpp"
#include "search/select.hpp"

namespace tesuji {
namespace {

// Two children: 3 wins of 4 visits, and 1 win of 6. The parent has 10 visits.
ChildBatch example() {
  ChildBatch batch{};
  batch.count = 2;
  batch.padded_count = 4;
  batch.parent_visits = 10;
  batch.log_parent_visits = std::log(10.0);
  batch.visits = {4, 6, 1, 1};
  batch.rewards = {3, 1, 0, 0};
  mean_value(batch, Parameters{});
  return batch;
}

// A node whose children have the given visits and rewards (in wins).
struct OneNode {
  OneNode(const std::vector<std::uint32_t>& visits, const std::vector<double>& wins) : tree(NodeLayout{}, 1 << 20) {
    std::vector<Move> moves(visits.size());
    index = tree.allocate(moves, 0);
    for (std::uint32_t child = 0; child < visits.size(); ++child) {
      node().set(child, visits[child], static_cast<Reward>(wins[child] * static_cast<double>(kRewardOne)));
    }
  }
  Node node() const { return tree.at(index); }

  Tree tree;
  NodeIndex index;
};

}  // namespace

TEST_CASE("the mean is wins by visits") {
  const ChildBatch batch = example();
  CHECK(batch.value[0] == 0.75);
  CHECK(batch.value[1] == 1.0 / 6.0);
}

TEST_CASE("UCB1: r + C sqrt(ln s / n)") {
  ChildBatch batch = example();
  select_ucb1(batch, Parameters{.c = 0.5});
  // ln 10 = 2.302585; sqrt(2.302585 / 4) = 0.758714; sqrt(2.302585 / 6) = 0.619487
  CHECK(batch.score[0] == doctest::Approx(0.75 + 0.5 * 0.758714).epsilon(1e-6));
  CHECK(batch.score[1] == doctest::Approx(0.166667 + 0.5 * 0.619487).epsilon(1e-6));
}

TEST_CASE("UCB-Tuned 1: the variance bounds the exploration") {
  ChildBatch batch = example();
  select_ucb_tuned1(batch, Parameters{});
  // V = 0.75 * 0.25 = 0.1875; sqrt(0.1875 * 2.302585 / 4) = 0.328533
  CHECK(batch.score[0] == doctest::Approx(0.75 + 0.328533).epsilon(1e-6));
  // V = 5 / 36; sqrt(5 / 36 * 2.302585 / 6) = 0.230867
  CHECK(batch.score[1] == doctest::Approx(0.166667 + 0.230867).epsilon(1e-5));
}

TEST_CASE("UCB-Tuned 1: a child that always wins keeps a variance of 0.001") {
  ChildBatch batch = example();
  batch.value[0] = 1.0;
  select_ucb_tuned1(batch, Parameters{});
  // sqrt(0.001 * 2.302585 / 4) = 0.0239926
  CHECK(batch.score[0] == doctest::Approx(1.0239926).epsilon(1e-6));
}

TEST_CASE("UCB-Tuned 2: the second term inside the root, or outside as an option") {
  ChildBatch batch = example();
  select_ucb_tuned2(batch, Parameters{});
  // sqrt(1.1875 * 2.302585 / 4) = 0.826787
  CHECK(batch.score[0] == doctest::Approx(0.75 + 0.826787).epsilon(1e-6));
  select_ucb_tuned2(batch, Parameters{.term_outside = true});
  CHECK(batch.score[0] == doctest::Approx(0.75 + 0.328533 + 0.575646).epsilon(1e-6));
}

TEST_CASE("final selection") {
  const std::vector<RootChild> children = {{0, 0.0}, {10, 0.4}, {12, 0.5}, {12, 0.6}, {1, 0.9}};
  CHECK(final_visits(children) == 3);
  CHECK(final_value(children) == 4);
  const std::vector<RootChild> unvisited = {{0, 0.0}, {0, 0.0}};
  CHECK(final_visits(unvisited) == 0);
  CHECK(final_value(unvisited) == 0);
}

TEST_CASE("the child with the highest score is taken, the first of equals") {
  const Rules rules = make_rules(Parameters{.c = 0.1});
  CHECK(highest_score(OneNode({4, 6, 5}, {1, 5, 2}).node(), 15, rules) == 1);
  CHECK(highest_score(OneNode({5, 5, 5}, {2, 3, 3}).node(), 15, rules) == 1);
}

TEST_CASE("a child never visited comes first, or has its urgency") {
  const OneNode nodes({4, 0, 5, 0}, {4, 0, 2, 0});
  CHECK(highest_score(nodes.node(), 9, make_rules(Parameters{})) == 1);
  CHECK(highest_score(nodes.node(), 9, make_rules(Parameters{.c = 0.1, .fpu = 0.5})) == 0);
  CHECK(highest_score(nodes.node(), 9, make_rules(Parameters{.c = 0.1, .fpu = 2.0})) == 1);
}

TEST_CASE("children beyond one batch are seen") {
  std::vector<std::uint32_t> visits(1000, 10);
  std::vector<double> wins(1000, 4);
  wins[777] = 5;
  CHECK(highest_score(OneNode(visits, wins).node(), 10000, make_rules(Parameters{})) == 777);
  visits[900] = 0;
  CHECK(highest_score(OneNode(visits, wins).node(), 10000, make_rules(Parameters{})) == 900);
}

TEST_CASE("nonsense is refused") {
  CHECK_THROWS_AS(make_rules(Parameters{.selection = "ucb9"}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.final = ""}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.c = -1}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.c = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.fpu = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(make_rules(Parameters{.expand = 0}), std::invalid_argument);
}

}  // namespace tesuji
