// A tree as columns of numbers and back: a search goes on exactly, and no columns make it do what a game forbids.
#include <vector>

#include "doctest/doctest.h"
#include "games/othello.hpp"
#include "games/tic_tac_toe.hpp"
#include "rules/registry.hpp"
#include "search/search.hpp"
#include "search/tree_columns.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMemory = 1u << 22;

template <class G>
void run(Search<G>& search, std::uint64_t playouts) {
  Budget budget;
  budget.playouts = playouts;
  search.run(budget, [] { return false; });
}

bool same(const TreeColumns& a, const TreeColumns& b) {
  return a.parent == b.parent && a.chooser == b.chooser && a.move == b.move && a.visits == b.visits &&
         a.value == b.value && a.kept == b.kept && a.random == b.random;
}

TEST_CASE("a search goes on with a tree that was kept, exactly") {
  const std::vector<Parameters> engines = {
      {},
      {.backup = "accelerated", .decay = 0.99},
      {.backup = "discounted", .decay = 0.99},
      {.backup = "mix", .mix_q = 0.5, .mix_m = 10},
      {.selection = "bast"},
      {.selection = "puct"},
      {.rave = "rave"},
      {.solver = true},
  };
  for (const Parameters& parameters : engines) {
    Search<Othello> first(Othello{}, make_rules(parameters), 5, kMemory);
    run(first, 300);
    const TreeColumns kept = first.columns();
    Search<Othello> second(Othello{}, make_rules(parameters), 99, kMemory);
    second.restore(kept);
    CHECK(same(second.columns(), kept));
    run(first, 200);
    run(second, 200);
    CHECK(same(second.columns(), first.columns()));
  }
}

// The mean of the root's children, by their visits, to the player who chooses among them.
double mean_of_root(const TreeColumns& columns) {
  double sum = 0;
  double visits = 0;
  for (std::size_t row = 1; row < columns.size() && columns.parent[row] == 0; ++row) {
    sum += columns.visits[row] * columns.value[row];
    visits += columns.visits[row];
  }
  return sum / visits;
}

TEST_CASE("the row of the root has a value, whatever the rule of backup, before and after a move") {
  const std::vector<Parameters> engines = {
      {},
      {.backup = "accelerated", .decay = 0.99},
      {.backup = "accelerated", .decay = 0.99, .threads = 2},
      {.backup = "discounted", .decay = 0.99},
      {.backup = "mix", .mix_q = 0.5, .mix_m = 10},
      {.backup = "max", .evaluation = "discs"},
  };
  for (const Parameters& parameters : engines) {
    CAPTURE(parameters.backup);
    Search<Othello> search(Othello{}, make_rules(parameters), 5, kMemory);
    run(search, 500);
    const TreeColumns start = search.columns();
    CHECK(start.value[0] == doctest::Approx(mean_of_root(start)));
    search.advance(*search.best_move());
    run(search, 500);
    // The second player is to move now, and the row has what the first one made of it. With the mean that includes the
    // playouts that were made before there were children.
    const TreeColumns after = search.columns();
    CHECK(after.value[0] == doctest::Approx(1 - mean_of_root(after)).epsilon(0.001));
  }
}

TEST_CASE("a tree that does not fit leaves nothing searched") {
  Search<Othello> large(Othello{}, make_rules({}), 5, kMemory);
  run(large, 5000);
  Search<Othello> small(Othello{}, make_rules({}), 5, 64 * 1024);
  CHECK_THROWS_AS(small.restore(large.columns()), MemoryTooSmall);
  CHECK(small.columns().size() == 1);
  run(small, 10);
  CHECK(small.snapshot().visits == 10);
}

// Changes a number of the columns at random; what is refused must leave the search as it was.
void spoil(TreeColumns& columns, Rng& rng) {
  const auto row = rng.below(static_cast<std::uint32_t>(columns.size()));
  const std::uint32_t odd[] = {0, 1, 2, 8, 9, 64, 65, 1000, 0x7fffffff, 0xffffffff};
  const std::uint32_t number = odd[rng.below(10)];
  switch (rng.below(6)) {
    case 0:
      columns.parent[row] = number;
      break;
    case 1:
      columns.move[row] = number;
      break;
    case 2:
      columns.visits[row] = number;
      break;
    case 3:
      columns.chooser[row] = static_cast<std::int8_t>(number);
      break;
    case 4:
      columns.kept["rewards"][row] = rng.below(2) == 0 ? -1.0 : static_cast<double>(number) * 0.5;
      break;
    default:
      columns.parent.resize(row);
  }
}

TEST_CASE("no columns do harm") {
  Search<TicTacToe> search(TicTacToe{}, make_rules({}), 5, kMemory);
  run(search, 60);
  const TreeColumns kept = search.columns();
  Rng rng(1);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    TreeColumns columns = kept;
    for (auto count = 1 + rng.below(3); count > 0; --count) spoil(columns, rng);
    Search<TicTacToe> other(TicTacToe{}, make_rules({}), 5, kMemory);
    try {
      other.restore(columns);
    } catch (const BadTree&) {
      ++refused;
      CHECK(other.columns().size() == 1);
    }
    run(other, 5);
  }
  CHECK(refused > 1000);
  CHECK(refused < 3000);
}

}  // namespace
}  // namespace tesuji
