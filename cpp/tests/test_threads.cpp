// Several threads on one tree: nothing is lost, and at rest every rule's numbers are what its equations say.
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "doctest/doctest.h"
#include "games/othello.hpp"
#include "games/tic_tac_toe.hpp"
#include "games/tree_game.hpp"
#include "rules/registry.hpp"
#include "search/search.hpp"
#include "search/team.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMemory = 1u << 26;

// A look into the tree of a search at rest.
template <Game G>
class OpenSearch : public Search<G> {
 public:
  using Search<G>::Search;
  const Tree& tree() const { return this->tree_; }
  const Rules& rules() const { return this->rules_; }
};

Parameters with_threads(Parameters parameters, std::uint32_t threads, const char* parallel = "lock-free") {
  parameters.threads = threads;
  parameters.parallel = parallel;
  return parameters;
}

Budget playouts(std::uint64_t count) {
  Budget budget;
  budget.playouts = count;
  return budget;
}

// Calls visit(node, the child above it, its parent) for every node of the tree.
template <class Visit>
void for_each_node(const Tree& tree, const Visit& visit) {
  std::vector<std::pair<Node, std::uint32_t>> pending = {{tree.at(tree.anchor()), 0}};
  while (!pending.empty()) {
    const auto [parent, child] = pending.back();
    pending.pop_back();
    const NodeIndex index = parent.child(child);
    if (index == kNoNode) continue;
    const Node node = tree.at(index);
    visit(node, parent, child);
    for (std::uint32_t k = 0; k < node.child_count(); ++k) pending.push_back({node, k});
  }
}

const std::vector<Parameters> kEveryRule = {
    {},
    {.selection = "ucb-tuned1"},
    {.selection = "ucb-tuned2"},
    {.selection = "puct"},
    {.selection = "bast", .bast_delta = 0.1},
    {.backup = "discounted", .decay = 0.99},
    {.backup = "accelerated", .decay = 0.99},
    {.backup = "accelerated", .automatic_decay = true},
    {.backup = "mix", .mix_q = 0.5, .mix_m = 10},
    {.backup = "max", .evaluation = "discs"},
    {.rave = "rave", .c = 0},
    {.rave = "rave", .c = 0, .rave_distance = true, .rave_check_same = true},
    {.rave = "amaf-schedule"},
    {.rave = "amaf-error"},
    {.backup = "accelerated", .rave = "rave", .decay = 0.999},
    {.backup = "discounted", .rave = "rave", .decay = 0.999},
    {.bias = "bradley-terry", .widening_mu = 1.8, .bias_c = 0.6, .bias_k = 600},
    {.backup = "accelerated", .decay = 0.99, .solver = true},
    {.rave = "rave", .solver = true},
};

}  // namespace

TEST_CASE("a team calls every worker once, as often as it is asked") {
  for (const std::size_t size : {1u, 2u, 7u}) {
    Team team(size);
    std::vector<std::atomic<int>> calls(size);
    for (int round = 0; round < 50; ++round) team.run([&](std::size_t worker) { ++calls[worker]; });
    for (const std::atomic<int>& count : calls) CHECK(count == 50);
  }
}

TEST_CASE("no playout is lost, whatever the rule, the number of threads and how they share") {
  for (const Parameters& rule : kEveryRule) {
    for (const char* parallel : {"lock-free", "mutex", "root"}) {
      for (const std::uint32_t threads : {2u, 5u}) {
        Search<Othello> search(Othello{}, make_rules(with_threads(rule, threads, parallel)), 1, kMemory);
        const RunReport report = search.run(playouts(1500), nullptr);
        CHECK(report.playouts == 1500);
        CHECK(report.stopped_by == StoppedBy::kPlayouts);
        const Snapshot snapshot = search.snapshot();
        CHECK(snapshot.visits == 1500);
        std::uint64_t sum = 0;
        for (const ChildStatistics& child : snapshot.moves) sum += child.visits;
        CHECK(sum == 1500);
      }
    }
  }
}

TEST_CASE("visits and rewards add up in the whole tree, after playouts that were broken off too") {
  OpenSearch<Othello> search(Othello{}, make_rules(with_threads({.virtual_loss = 3}, 4)), 1, kMemory);
  for (int round = 0; round < 20; ++round) {
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      search.stop();
    });
    search.run(playouts(round % 2 == 0 ? 100'000'000 : 500), nullptr);
    stopper.join();
  }
  for_each_node(search.tree(), [&](const Node& node, const Node& parent, std::uint32_t child) {
    std::uint64_t visits = 0;
    Reward rewards = 0;
    for (std::uint32_t k = 0; k < node.child_count(); ++k) {
      visits += node.visits(k);
      rewards += node.rewards(k);
    }
    // The first of an Othello node's visits was made before it had children, others if a thread was at work there.
    CHECK(visits <= parent.visits(child));
    CHECK(rewards <= static_cast<Reward>(visits) * kRewardOne);
  });
}

// When all threads rest, the ledger of every node is made of its children and of the playouts that ended at it, and
// every child with an opened node has the value of that node's ledger, though others wrote at the same time.
TEST_CASE("accelerated values are those of eq. 7 when the threads rest") {
  for (const double decay : {1.0, 0.99, 0.5}) {
    for (const char* parallel : {"lock-free", "mutex"}) {
      const Parameters parameters = with_threads({.backup = "accelerated", .decay = decay}, 4, parallel);
      OpenSearch<Othello> search(Othello{}, make_rules(parameters), 1, kMemory);
      search.run(playouts(20'000), nullptr);
      const NodeLayout& layout = search.rules().layout;
      std::size_t wrong = 0;
      std::size_t nodes = 0;
      for_each_node(search.tree(), [&](const Node& node, const Node& parent, std::uint32_t child) {
        const Ledger ledger = node.ledger();
        if (ledger.scale() == 0) return;
        ++nodes;
        double weight = 0;
        double sum = 0;
        for (std::uint32_t k = 0; k < node.child_count(); ++k) {
          wrong += node.counted(layout)[k] != node.visits(k);
          weight += node.weights(layout)[k] * node.visits(k);
          sum += node.weights(layout)[k] * node.backed_up(0, layout)[k];
        }
        // The rest is the virtual child's, whose playouts are worth 0 to 1 each.
        const double tolerance = 1e-9 * ledger.weight();
        wrong += weight > ledger.weight() + tolerance;
        wrong += sum > ledger.sum(0) + tolerance;
        wrong += ledger.sum(0) - sum > ledger.weight() - weight + tolerance;
        if (child == 0 && parent.child(0) == search.tree().root()) return;  // the anchor keeps no value
        const bool turned = node.chooser() != parent.chooser();
        const double value = ledger.sum(0) / ledger.weight();
        const double above = parent.backed_up(0, layout)[child] / parent.visits(child);
        wrong += std::abs((turned ? 1 - value : value) - above) > 1e-9;
      });
      CHECK(nodes > 1000);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("without decay, threads leave the same sums as the rewards would have") {
  for (const char* backup : {"accelerated", "discounted"}) {
    OpenSearch<Othello> search(Othello{}, make_rules(with_threads({.backup = backup}, 4)), 1, kMemory);
    search.run(playouts(20'000), nullptr);
    const NodeLayout& layout = search.rules().layout;
    std::size_t wrong = 0;
    for_each_node(search.tree(), [&](const Node& node, const Node&, std::uint32_t) {
      for (std::uint32_t k = 0; k < node.child_count(); ++k) {
        const double doubled = 2 * node.backed_up(0, layout)[k];
        // What another thread had not finished was a fraction for a moment, and was rounded.
        const bool is_whole = std::abs(doubled - std::round(doubled)) < 1e-9;
        wrong += !is_whole || doubled > 2.0 * node.visits(k) + 1e-9 || doubled < -1e-9;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("discounted visits of a node are those of eq. 3 when the threads rest") {
  // Every playout through the root is discounted there in turn, so s^D is a sum of powers, whoever came when.
  const double decay = 0.99;
  OpenSearch<Othello> search(Othello{}, make_rules(with_threads({.backup = "discounted", .decay = decay}, 4)), 1,
                             kMemory);
  search.run(playouts(3'000), nullptr);
  const Node root = search.tree().at(search.tree().root());
  CHECK(root.ledger().weight() == doctest::Approx((1 - std::pow(decay, 3'000)) / (1 - decay)));
  const NodeLayout& layout = search.rules().layout;
  double by_children = 0;
  for (std::uint32_t k = 0; k < root.child_count(); ++k) {
    const double inverse_root = root.weights(layout)[k];
    if (inverse_root > 0) by_children += root.visits(k) / (inverse_root * inverse_root);
  }
  CHECK(by_children / root.ledger().scale() == doctest::Approx(root.ledger().weight()));
}

TEST_CASE("RAVE visits of threads are all counted") {
  OpenSearch<TicTacToe> search(TicTacToe{}, make_rules(with_threads({.rave = "rave"}, 4)), 1, kMemory);
  search.run(playouts(20'000), nullptr);
  const Node root = search.tree().at(search.tree().root());
  const NodeLayout& layout = search.rules().layout;
  for (std::uint32_t k = 0; k < root.child_count(); ++k) {
    // Whole visits, at least those of the child itself, at most all.
    const std::uint32_t visits = root.rave_visits(layout)[k];
    CHECK(visits % kRaveVisit == 0);
    CHECK(visits / kRaveVisit >= root.visits(k));
    CHECK(visits / kRaveVisit <= 20'000);
    CHECK(root.rave_rewards(layout)[k] <= visits * kRaveUnit);
  }
}

TEST_CASE("a solver's threads prove what one thread proves") {
  for (const char* parallel : {"lock-free", "mutex", "root"}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Search<TicTacToe> search(TicTacToe{}, make_rules(with_threads({.solver = true}, 4, parallel)), seed, kMemory);
      const RunReport report = search.run(playouts(2'000'000), nullptr);
      CHECK(report.stopped_by == StoppedBy::kProven);
      CHECK(search.snapshot().proven == "draw");
    }
  }
}

TEST_CASE("threads far above the cores, a tiny arena, and a new root all the time") {
  for (const Parameters& rule : kEveryRule) {
    for (const char* parallel : {"lock-free", "mutex", "root"}) {
      Search<Othello> search(Othello{}, make_rules(with_threads(rule, 16, parallel)), 7, 16 * 80'000);
      for (int move = 0; move < 12 && !search.is_over(); ++move) {
        const std::uint64_t before = search.snapshot().visits;
        search.run(playouts(400), nullptr);
        const Snapshot snapshot = search.snapshot();
        if (!snapshot.proven) CHECK(snapshot.visits == before + 400);
        search.advance(*search.best_move());
      }
    }
  }
}

TEST_CASE("time ends the run of all threads, and CPU time is that of all") {
  for (const char* parallel : {"lock-free", "mutex", "root"}) {
    Search<Othello> search(Othello{}, make_rules(with_threads({}, 3, parallel)), 1, kMemory);
    Budget budget;
    budget.seconds = 0.05;
    CHECK(search.run(budget, nullptr).stopped_by == StoppedBy::kSeconds);
    Budget cpu;
    cpu.cpu_seconds = 0.05;
    const RunReport report = search.run(cpu, nullptr);
    CHECK(report.stopped_by == StoppedBy::kCpuSeconds);
    CHECK(report.cpu_seconds >= 0.05);
  }
}

TEST_CASE("an interruption ends the run of all threads") {
  Search<Othello> search(Othello{}, make_rules(with_threads({}, 3)), 1, kMemory);
  int asked = 0;
  const RunReport report = search.run(playouts(1'000'000'000), [&] { return ++asked == 2; });
  CHECK(report.stopped_by == StoppedBy::kInterrupt);
  CHECK(report.playouts == search.snapshot().visits);
}

}  // namespace tesuji
