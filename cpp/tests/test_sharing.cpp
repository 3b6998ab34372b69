// What searches tell each other: statistics of the upper tree, and simulations.
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "games/othello.hpp"
#include "games/tic_tac_toe.hpp"
#include "rules/registry.hpp"
#include "search/remote.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMemory = 1u << 24;

Parameters engine(const char* backup, const char* rave = "none", std::uint32_t threads = 1) {
  Parameters parameters;
  parameters.backup = backup;
  parameters.decay = parameters.backup == "mean" ? 1.0 : 0.99;
  parameters.rave = rave;
  parameters.threads = threads;
  return parameters;
}

void think(Searcher& search, std::uint64_t playouts) {
  Budget budget;
  budget.playouts = playouts;
  search.run(budget, nullptr);
}

std::vector<std::uint32_t> root_visits(const Searcher& search) {
  std::vector<std::pair<Move, std::uint32_t>> children;
  for (const ChildStatistics& child : search.snapshot().moves) children.emplace_back(child.move, child.visits);
  std::sort(children.begin(), children.end());
  std::vector<std::uint32_t> visits;
  for (const auto& [move, count] : children) visits.push_back(count);
  return visits;
}

constexpr SharingLimits kEverything{.depth = 20, .share = 0, .least = 1};

}  // namespace

TEST_CASE("statistics come in the order of the moves, and changes find their place") {
  for (const std::uint32_t threads : {1u, 3u}) {
    RemoteSearch<Othello> search(Othello(), make_rules(engine("mean", "rave", threads)), 1, kMemory);
    think(search, 2000);
    const NodeList nodes = search.shared_nodes({.depth = 2, .share = 0.02, .least = 10});
    const SharedStatistics before = search.statistics_of(nodes);
    REQUIRE(before.visits.size() > 10);
    REQUIRE(before.visits.size() == before.rave_rewards.size());
    CHECK(before.visits[0] == 2000);  // the anchor's
    const std::vector<std::uint32_t> at_root = root_visits(search);
    CHECK(std::equal(at_root.begin(), at_root.end(), before.visits.begin() + 1));

    const std::size_t count = before.visits.size();
    std::vector<std::int64_t> visits(count), rewards(count), rave_visits(count);
    std::vector<double> rave_rewards(count, 0.5);
    for (std::size_t place = 0; place < count; ++place) {
      visits[place] = static_cast<std::int64_t>(place);
      rewards[place] = 3 * kRewardHalf;
      rave_visits[place] = 7;
    }
    search.add_changes_of(nodes, {visits, rewards, rave_visits, rave_rewards, {}});
    const SharedStatistics after = search.statistics_of(nodes);
    for (std::size_t place = 0; place < count; ++place) {
      CHECK(after.visits[place] == before.visits[place] + place);
      CHECK(after.rewards[place] == before.rewards[place] + 3 * kRewardHalf);
      CHECK(after.rave_visits[place] == before.rave_visits[place] + 7);
      CHECK(after.rave_rewards[place] == doctest::Approx(before.rave_rewards[place] + 0.5));
    }
    think(search, 500);  // it goes on with them
  }
}

TEST_CASE("a rule that keeps more than means takes no changes") {
  for (const char* backup : {"accelerated", "discounted"}) {
    RemoteSearch<TicTacToe> search(TicTacToe(), make_rules(engine(backup)), 1, kMemory);
    think(search, 100);
    CHECK(!search.takes_changes());
    CHECK_THROWS_AS(search.add_changes_of(search.shared_nodes(kEverything), {}), BadMessage);
  }
}

// Priors that say nothing, and a draw everywhere.
class Indifferent final : public Evaluator<TicTacToe> {
 public:
  std::size_t batch_size() const override { return 2; }
  void evaluate(std::span<EvaluatedLeaf<TicTacToe>> leaves) override {
    for (EvaluatedLeaf<TicTacToe>& leaf : leaves) {
      for (float& prior : leaf.priors) prior = 1.0f / static_cast<float>(leaf.priors.size());
      leaf.rewards = two_player_rewards(kDraw);
    }
  }
};

// A search that has been told by others what its first move proves, though it has no node there itself.
std::unique_ptr<Searcher> told_of(std::uint8_t proof, bool has_evaluator) {
  Parameters parameters = engine("mean");
  parameters.solver = true;
  Knowledge<TicTacToe> knowledge;
  if (has_evaluator) knowledge.evaluator = std::make_unique<Indifferent>();
  auto search =
      std::make_unique<RemoteSearch<TicTacToe>>(TicTacToe(), make_rules(parameters), 1, kMemory, std::move(knowledge));
  think(*search, 1);
  const NodeList nodes = search->shared_nodes({.depth = 0, .share = 0, .least = 1});
  const std::vector<std::int64_t> nothing(search->statistics_of(nodes).visits.size());
  std::vector<std::uint8_t> proofs(nothing.size());
  for (std::size_t place = 1; place < proofs.size(); ++place) proofs[place] = proof;
  search->add_changes_of(nodes, {nothing, nothing, {}, {}, proofs});
  return search;
}

TEST_CASE("what others have proven counts, also where this search has no node yet") {
  for (const bool has_evaluator : {false, true}) {
    for (const Move move : {0u, 4u, 8u}) {
      const std::unique_ptr<Searcher> search = told_of(static_cast<std::uint8_t>(Proof::kLoss), has_evaluator);
      search->advance(move);
      CHECK(search->run({.playouts = 10}, nullptr).stopped_by == StoppedBy::kProven);
      CHECK(search->snapshot().proven == "win");
      CHECK(search->snapshot().moves.size() == 8);
      CHECK(search->best_move().has_value());
    }
  }
}

TEST_CASE("a proof that there is not is refused") {
  CHECK_THROWS_AS(told_of(4, false), BadMessage);
  CHECK_THROWS_AS(told_of(255, false), BadMessage);
}

TEST_CASE("simulations that come back end what was begun") {
  for (const char* backup : {"mean", "accelerated", "discounted"}) {
    for (const char* rave : {"none", "rave"}) {
      Parameters parameters = engine(backup, rave);
      parameters.plays_elsewhere = true;
      RemoteSearch<Othello> master(Othello(), make_rules(parameters), 1, kMemory);
      RemoteSearch<Othello> helper(Othello(), make_rules(parameters), 2, kMemory);
      for (int round = 0; round < 50; ++round) {
        const Simulations first = master.begin_simulations(8);
        const Simulations second = master.begin_simulations(8);
        const Simulations lost = master.begin_simulations(8);
        master.end_simulations(helper.play_out_simulations(second));
        master.end_simulations(helper.play_out_simulations(first));
        master.give_up_simulations(lost);
      }
      CHECK(master.snapshot().visits == 50 * 16);
      const std::vector<std::uint32_t> visits = root_visits(master);
      CHECK(std::accumulate(visits.begin(), visits.end(), 0u) == 50 * 16);
    }
  }
}

TEST_CASE("simulations of other threads are all written down, and can be backed up elsewhere") {
  RemoteSearch<TicTacToe> one(TicTacToe(), make_rules(engine("mean", "none", 4)), 1, kMemory);
  RemoteSearch<TicTacToe> other(TicTacToe(), make_rules(engine("mean", "none", 2)), 2, kMemory);
  one.keep_simulations(true);
  think(one, 3000);
  const Simulations words = one.take_simulations();
  CHECK(one.take_simulations().empty());
  other.back_up_simulations(words);
  CHECK(other.snapshot().visits == 3000);
  CHECK(root_visits(other) == root_visits(one));
}

TEST_CASE("words that are no simulations are refused") {
  RemoteSearch<TicTacToe> search(TicTacToe(), make_rules(engine("mean", "rave")), 1, kMemory);
  const std::vector<Simulations> wrong = {
      {1}, {9}, {5, 3, 0, 0, 0}, {6, 1, 0, 0, 0, 99}, {6, 1, 0, kRewardOne + 1, 0, 0}, {6, 1, 0, 0, 0, 0, 8}};
  for (const Simulations& words : wrong) {
    CHECK_THROWS_AS(search.back_up_simulations(words), BadMessage);
  }
  CHECK(search.snapshot().visits == 0);
}

}  // namespace tesuji
