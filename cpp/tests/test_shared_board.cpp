// The books of a cluster's machines. tests/cluster/test_books.py holds them against a count of every playout.
#include <algorithm>
#include <vector>

#include "doctest/doctest.h"
#include "games/othello.hpp"
#include "rules/registry.hpp"
#include "search/search.hpp"
#include "search/shared_board.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMemory = 1u << 24;
constexpr SharingLimits kTop{.depth = 2, .share = 0.02, .least = 5};

void think(Searcher& search, std::uint64_t playouts) {
  Budget budget;
  budget.playouts = playouts;
  search.run(budget, nullptr);
}

SharedStatistics told_by(SharedBoard& board) {
  const SharedTotals& own = board.own();
  return {.visits = {own.visits.begin(), own.visits.end()},
          .rewards = own.rewards,
          .rave_visits = {own.rave_visits.begin(), own.rave_visits.end()},
          .rave_rewards = own.rave_rewards,
          .proofs = own.proofs};
}

}  // namespace

TEST_CASE("averages keep values, and known moves known") {
  const SharedTotals mean = averaged({.visits = {0, 1, 7, 1000},
                                      .rewards = {0, kRewardOne, 3 * kRewardOne, 600 * kRewardOne},
                                      .rave_visits = {0, 256, 2560, 25600},
                                      .rave_rewards = {0.0, 1.0, 5.0, 60.0},
                                      .proofs = {}},
                                     4);
  CHECK(mean.visits == std::vector<std::int64_t>{0, 1, 2, 250});
  CHECK(mean.rewards == std::vector<Reward>{0, kRewardOne, 898779, 150 * kRewardOne});  // 6/7 of two visits
  CHECK(mean.rave_visits == std::vector<std::int64_t>{0, 64, 640, 6400});
  CHECK(mean.rave_rewards == std::vector<double>{0, 0.25, 1.25, 15});
}

TEST_CASE("two machines show the same, tell only what is theirs, and follow the game") {
  Search<Othello> first(Othello(), make_rules(Parameters{}), 1, kMemory);
  Search<Othello> second(Othello(), make_rules(Parameters{}), 2, kMemory);
  SharedBoard left(first);
  SharedBoard right(second);
  for (int round = 1; round <= 5; ++round) {
    think(first, 400);
    think(second, 100);
    for (SharedBoard* board : {&left, &right}) {
      board->find_nodes(kTop);
      board->look();
    }
    const NodeList left_list = left.nodes();
    const SharedStatistics from_left = told_by(left);
    right.hear(0, left_list, from_left);
    left.hear(1, right.nodes(), told_by(right));
    CHECK(left.total_of({}).visits == std::vector<std::int64_t>{500 * round});
    CHECK(right.total_of({}).visits == std::vector<std::int64_t>{500 * round});
    left.show(2);
    right.show(2);
    CHECK(first.snapshot().visits == 250 * round);
    CHECK(second.snapshot().visits == 250 * round);
    left.look();
    CHECK(left.own().visits.front() == 400 * round);  // what came from the other is not its own
  }
  const Move move = first.snapshot().moves.front().move;
  std::vector<Move> moves;
  for (const ChildStatistics& child : first.snapshot().moves) moves.push_back(child.move);
  std::sort(moves.begin(), moves.end());
  const std::size_t place = static_cast<std::size_t>(std::find(moves.begin(), moves.end(), move) - moves.begin());
  const std::vector<std::uint32_t> root = {kNoMove};
  const std::int64_t behind = left.total_of(root).visits[place];
  first.advance(move);
  left.advance(move, moves);
  CHECK(left.total_of({}).visits == std::vector<std::int64_t>{behind});
  left.advance(12345, moves);  // not one of them: nothing is known of what comes
  CHECK(left.nodes() == NodeList{0, 1});
}

TEST_CASE("a message that cannot be true is refused, and leaves the books as they were") {
  Search<Othello> search(Othello(), make_rules(Parameters{.solver = true}), 1, kMemory);
  think(search, 100);
  SharedBoard board(search);
  board.find_nodes(kTop);
  board.look();
  const SharedTotals before = board.total();
  SharedStatistics told = told_by(board);
  // A node that this tree does not have yet, with four billion moves.
  NodeList huge = board.nodes();
  huge.insert(huge.end(), {3, kNoMove, 19, 18, ~0u});
  CHECK_THROWS_AS(board.hear(1, huge, told), BadMessage);
  told.proofs.back() = 4;
  CHECK_THROWS_AS(board.hear(1, board.nodes(), told), BadMessage);
  CHECK(board.total().visits == before.visits);
  CHECK(board.total().proofs == before.proofs);
}

}  // namespace tesuji
