// The solver against proofs worked out by hand.
#include <vector>

#include "doctest/doctest.h"
#include "games/tic_tac_toe.hpp"
#include "games/tree_game.hpp"
#include "rules/solver.hpp"
#include "search/search.hpp"
#include "tests/hand_tree.hpp"

namespace tesuji {
namespace {

const Parameters kSolver{.solver = true};
constexpr std::size_t kMemory = 1 << 20;

Rewards won_by(int player) { return two_player_rewards(player); }

Proof proof(const HandTree& tree, const HandTree::Path& path) {
  const PathStep last = tree.last_step(path);
  return last.parent.proofs(tree.layout())[last.child];
}

// Five children, of which one after the other is proven. With RAVE none of them has RAVE visits.
void check_that_proven_are_left(const char* selection, const char* backup, const char* rave) {
  CAPTURE(selection);
  CAPTURE(backup);
  CAPTURE(rave);
  Rules rules = make_rules({.selection = selection, .backup = backup, .rave = rave, .c = 0.001, .solver = true});
  rules.layout = rules.layout_for(2, true, true);
  Tree tree(rules.layout, kMemory);
  const std::vector<Move> moves(5);
  const Node node = tree.at(tree.allocate(moves, 0));
  if (rules.layout.has_ledger) node.ledger().scale() = node.ledger().weight() = 1;
  // Values 0.9, 0.4, 0.2, 0.45 and 0.1, each of 1000 visits.
  for (std::uint32_t child = 0; child < 5; ++child) {
    const double wins = std::vector<double>{900, 400, 200, 450, 100}[child];
    node.set(child, 1000, to_reward(wins));
    if (rules.layout.replaces_rewards()) node.backed_up(0, rules.layout)[child] = wins;
    if (rules.layout.has_weights) node.weights(rules.layout)[child] = 1;
    node.prior(child, rules.layout) = 0.2f;
  }
  const auto chosen = [&] { return rules.select(node, 5000, rules); };
  CHECK(chosen() == 0);
  node.proofs(rules.layout)[0] = Proof::kLoss;
  CHECK(chosen() == 3);
  node.proofs(rules.layout)[3] = Proof::kDraw;
  CHECK(chosen() == 1);
  node.proofs(rules.layout)[1] = node.proofs(rules.layout)[2] = Proof::kLoss;
  CHECK(chosen() == 4);
}

}  // namespace

TEST_CASE("one win proves a node; losses and draws prove it when all children are known") {
  HandTree tree(kSolver);
  tree.expand({}, 2, 0);
  tree.expand({0}, 2, 1);
  tree.end_game({1}, won_by(1));
  CHECK(proof(tree, {1}) == Proof::kLoss);
  tree.end_game({0, 0}, won_by(0));
  CHECK(proof(tree, {0, 0}) == Proof::kLoss);  // for the second player, who chooses it
  CHECK(proof(tree, {0}) == Proof::kNone);
  tree.end_game({0, 1}, won_by(kDraw));
  CHECK(proof(tree, {0}) == Proof::kDraw);
  CHECK(proof(tree, {}) == Proof::kDraw);
}

TEST_CASE("a win is enough, and goes up through the moves of both players") {
  HandTree tree(kSolver);
  tree.expand({}, 2, 0);
  tree.expand({0}, 1, 1);
  tree.expand({0, 0}, 2, 0);
  tree.end_game({0, 0, 1}, won_by(0));
  CHECK(proof(tree, {0, 0}) == Proof::kLoss);
  CHECK(proof(tree, {0}) == Proof::kWin);
  CHECK(proof(tree, {}) == Proof::kWin);
  CHECK(proof(tree, {0, 0, 0}) == Proof::kNone);
}

TEST_CASE("the same player moves again: nothing is turned round") {
  HandTree tree(kSolver);
  tree.expand({}, 2, 0);
  tree.expand({0}, 2, 0);
  tree.end_game({0, 0}, won_by(0));
  CHECK(proof(tree, {0}) == Proof::kWin);
}

TEST_CASE("chance proves what all its outcomes have in common") {
  HandTree tree(kSolver);
  tree.expand({}, 2, 1);
  tree.expand({0}, 2, kChance);
  tree.end_game({0, 0}, won_by(1));
  CHECK(proof(tree, {0}) == Proof::kNone);
  tree.end_game({0, 1}, won_by(1));
  CHECK(proof(tree, {0}) == Proof::kWin);
  tree.expand({1}, 2, kChance);
  tree.end_game({1, 0}, won_by(1));
  tree.end_game({1, 1}, won_by(0));
  CHECK(proof(tree, {1}) == Proof::kNone);
}

TEST_CASE("other rewards prove nothing, nor do rewards that do not add up to 1") {
  HandTree tree(kSolver);
  tree.expand({}, 3, 0);
  tree.end_game({0}, {kRewardOne / 4, kRewardOne * 3 / 4});
  tree.end_game({1}, {kRewardOne, kRewardOne});
  CHECK(proof(tree, {0}) == Proof::kNone);
  CHECK(proof(tree, {1}) == Proof::kNone);
  HandTree alone(kSolver, 1);
  alone.expand({}, 2, 0);
  alone.end_game({0}, {0});
  CHECK(proof(alone, {0}) == Proof::kLoss);
  alone.end_game({1}, {kRewardOne});
  CHECK(proof(alone, {}) == Proof::kWin);
}

TEST_CASE("a proven child is not selected, whatever its value") {
  for (const char* selection : {"uct", "ucb-tuned1", "ucb-tuned2", "puct"}) {
    for (const char* backup : {"mean", "discounted", "accelerated", "mix"}) {
      for (const char* rave : {"none", "rave", "amaf-schedule"}) check_that_proven_are_left(selection, backup, rave);
    }
  }
}

TEST_CASE("a proven child is not selected, however seldom it was visited") {
  // Values 0.4 and -, exploration 100 sqrt(ln 1001 / 1000) = 8.3 and 100 sqrt(ln 1001) = 263.
  Rules rules = make_rules({.c = 100, .solver = true});
  rules.layout = rules.layout_for(2, true, false);
  Tree tree(rules.layout, kMemory);
  const std::vector<Move> moves(2);
  const Node node = tree.at(tree.allocate(moves, 0));
  node.set(0, 1000, to_reward(400.0));
  node.set(1, 1, 0);
  CHECK(rules.select(node, 1001, rules) == 1);
  node.proofs(rules.layout)[1] = Proof::kLoss;
  CHECK(rules.select(node, 1001, rules) == 0);
}

TEST_CASE("final selection with proofs: a win, no loss, a draw rather than worse") {
  const auto played = [](const std::vector<RootChild>& children, const char* final = "visits") {
    const Rules rules = make_rules({.final = final, .solver = true});
    return rules.solver.final(children, rules);
  };
  CHECK(played({{90, 0.9}, {5, 1.0, Proof::kWin}, {7, 1.0, Proof::kWin}}) == 2);
  CHECK(played({{90, 0.0, Proof::kLoss}, {5, 0.1}, {4, 0.9}}) == 1);
  CHECK(played({{90, 0.49}, {5, 0.5, Proof::kDraw}, {4, 0.9}}) == 1);
  CHECK(played({{90, 0.51}, {5, 0.5, Proof::kDraw}, {4, 0.9}}) == 0);
  CHECK(played({{90, 0.5}, {5, 0.5, Proof::kDraw}, {4, 0.9}}) == 0);  // no worse than a draw, and it may be won
  CHECK(played({{9, 0.0, Proof::kLoss}, {15, 0.0, Proof::kLoss}}) == 1);
  // Where all is lost the final rule has its say.
  CHECK(played({{9, 0.2, Proof::kLoss}, {15, 0.1, Proof::kLoss}}, "value") == 0);
}

TEST_CASE("a proven root ends the search, before and after a move") {
  Search<TicTacToe> search(TicTacToe{}, make_rules(kSolver), 1, kMemory * 64);
  const RunReport report = search.run({.playouts = 1'000'000}, {});
  CHECK(report.stopped_by == StoppedBy::kProven);
  CHECK(report.playouts < 200'000);
  CHECK(search.snapshot().proven == "draw");
  for (int ply = 0; ply < 9; ++ply) {
    search.advance(*search.best_move());
    if (search.is_over()) break;
    CHECK(search.run({.playouts = 1'000'000}, {}).stopped_by == StoppedBy::kProven);
    CHECK(search.snapshot().proven == "draw");
  }
  CHECK(search.is_over());
}

TEST_CASE("without a solver nothing is kept for it") {
  CHECK_FALSE(make_rules({}).layout_for(2, true, false).has_proofs);
  CHECK(NodeLayout{.has_proofs = true}.extra_bytes_per_child() == 1);
  CHECK(NodeLayout{}.extra_bytes_per_child() == 0);
}

}  // namespace tesuji
