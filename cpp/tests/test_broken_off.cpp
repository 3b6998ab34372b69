// Games and evaluators are other people's code: whatever they throw, the tree is left as if the playout had never been.
#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "doctest/doctest.h"
#include "games/tic_tac_toe.hpp"
#include "rules/registry.hpp"
#include "search/remote.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMemory = 1u << 24;

// Tic-tac-toe that fails once, at a move that the test names; it counts those of all positions and threads.
class Fragile : public TicTacToe {
 public:
  static inline std::atomic<int> moves_left = 0;

  void play(Move move) {
    if (--moves_left == 0) throw std::runtime_error("broken");
    TicTacToe::play(move);
  }
};

class Indifferent final : public Evaluator<Fragile> {
 public:
  std::size_t batch_size() const override { return 8; }
  void evaluate(std::span<EvaluatedLeaf<Fragile>> leaves) override {
    for (EvaluatedLeaf<Fragile>& leaf : leaves) {
      for (float& prior : leaf.priors) prior = 1.0f / static_cast<float>(leaf.priors.size());
      leaf.rewards = two_player_rewards(kDraw);
    }
  }
};

// Every playout that the root has seen went to one of its children, and to no other by mistake.
void check_visits(const Searcher& search) {
  const Snapshot snapshot = search.snapshot();
  std::uint64_t sum = 0;
  for (const ChildStatistics& child : snapshot.moves) sum += child.visits;
  CHECK(sum == snapshot.visits);
}

TEST_CASE("a game that fails within a batch leaves no virtual loss, however many threads share the tree") {
  for (const std::uint32_t threads : {1u, 3u}) {
    for (const char* parallel : {"lock-free", "mutex", "root"}) {
      for (const int failing_move : {1, 2, 3, 10, 500}) {
        const Parameters parameters{.threads = threads, .parallel = parallel, .virtual_loss = 3};
        Search<Fragile> search(Fragile{}, make_rules(parameters), 1, kMemory,
                               {std::make_unique<Indifferent>(), nullptr});
        Fragile::moves_left = failing_move;
        CHECK_THROWS_WITH(search.run({.playouts = 5'000}, {}), "broken");
        check_visits(search);
        const std::uint32_t before = search.snapshot().visits;
        CHECK(search.run({.playouts = 100}, {}).playouts == 100);
        CHECK(search.snapshot().visits == before + 100);
        check_visits(search);
      }
    }
  }
}

TEST_CASE("a game that fails while simulations are begun for others leaves none of them begun") {
  const Parameters parameters{.virtual_loss = 3, .plays_elsewhere = true};
  RemoteSearch<Fragile> search(Fragile{}, make_rules(parameters), 1, kMemory);
  for (const int failing_move : {1, 5, 20}) {
    Fragile::moves_left = failing_move;
    CHECK_THROWS_WITH(search.begin_simulations(50), "broken");
    check_visits(search);
    search.give_up_simulations(search.begin_simulations(50));
    CHECK(search.snapshot().visits == 0);
    check_visits(search);
  }
}

}  // namespace
}  // namespace tesuji
