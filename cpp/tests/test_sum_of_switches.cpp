// Sum of Switches: that its best play is what the definition says it is, by trying everything.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "games/sum_of_switches.hpp"
#include "rules/registry.hpp"
#include "search/search.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMemory = 64 << 20;

MoveList moves_of(const SumOfSwitches& position) {
  MoveList moves;
  position.legal_moves(moves);
  return moves;
}

SumOfSwitches after(SumOfSwitches position, Move move) {
  position.play(move);
  return position;
}

// The lead that the first player gets from the numbers left when both play for the lead alone, komi or not.
int best_lead_from_here(const SumOfSwitches& position) {
  if (position.is_over()) return 0;
  const int sign = position.to_move() == 0 ? 1 : -1;
  int best = -1'000'000;
  for (const Move move : moves_of(position)) {
    best = std::max(best, static_cast<int>(move) + sign * best_lead_from_here(after(position, move)));
  }
  return sign * best;
}

// Whether the first player wins from here, by the rewards alone.
bool first_wins(const SumOfSwitches& position) {
  if (position.is_over()) return position.rewards() == two_player_rewards(0);
  const bool first_moves = position.to_move() == 0;
  const MoveList moves = moves_of(position);
  const auto wins = [&](Move move) { return first_wins(after(position, move)); };
  return first_moves ? std::any_of(moves.begin(), moves.end(), wins) : std::all_of(moves.begin(), moves.end(), wins);
}

TEST_CASE("sum of switches: komi is the lead of best play") {
  for (int size = 1; size <= 8; ++size) {
    CAPTURE(size);
    CHECK(best_lead_from_here(SumOfSwitches(size)) == SumOfSwitches(size).komi());
  }
}

TEST_CASE("sum of switches: the largest number wins, any other loses, until somebody slips") {
  for (int size = 2; size <= 8; ++size) {
    SumOfSwitches position(size);
    while (!position.is_over()) {
      const MoveList moves = moves_of(position);
      REQUIRE(first_wins(position));
      for (const Move move : moves) {
        CAPTURE(size);
        CAPTURE(move);
        // Whatever the second player picks, the first has won.
        CHECK(first_wins(after(position, move)) == (position.to_move() == 1 || move == moves.back()));
      }
      position.play(moves.back());
    }
    CHECK(position.rewards() == two_player_rewards(0));
    CHECK(position.score(0) - position.score(1) == position.komi());
  }
}

TEST_CASE("sum of switches: the rules") {
  SumOfSwitches position(4);
  CHECK(position.to_move() == 0);
  CHECK(moves_of(position) == MoveList{0, 1, 2, 3});
  position.play(3);
  CHECK(position.to_move() == 1);
  CHECK(moves_of(position) == MoveList{0, 1, 2});
  CHECK_FALSE(position.is_legal(3));
  CHECK_FALSE(position.is_legal(4));
  CHECK_FALSE(position.is_legal(kNoMove));
  CHECK(position.cell(3) == 0);
  CHECK(position.cell(2) == 2);
  position.play(1);
  CHECK(position.cell(1) == 1);
  position.play(2);
  CHECK_FALSE(position.is_over());
  position.play(0);
  CHECK(position.is_over());
  CHECK(position.score(0) == 5);
  CHECK(position.score(1) == 1);
  CHECK(position.rewards() == two_player_rewards(0));
  for (const int size : {-1, 0, 257}) CHECK_THROWS_AS(SumOfSwitches{size}, std::invalid_argument);
}

TEST_CASE("sum of switches: positions are equal when each player has the same numbers") {
  const SumOfSwitches start(6);
  CHECK(after(after(after(start, 0), 1), 2) == after(after(after(start, 2), 1), 0));
  CHECK(after(after(after(start, 0), 1), 2).hash() == after(after(after(start, 2), 1), 0).hash());
  CHECK_FALSE(after(after(start, 0), 1) == after(after(start, 1), 0));
  CHECK_FALSE(SumOfSwitches(6) == SumOfSwitches(7));
  std::set<std::uint64_t> hashes;
  std::size_t positions = 0;
  std::vector<SumOfSwitches> level = {start, SumOfSwitches(7)};
  while (!level.empty()) {
    std::vector<SumOfSwitches> next;
    for (const SumOfSwitches& position : level) {
      positions += hashes.insert(position.hash()).second ? 1 : 0;
      for (const Move move : moves_of(position)) {
        if (!hashes.contains(after(position, move).hash())) next.push_back(after(position, move));
      }
    }
    level = std::move(next);
  }
  // Of n numbers k are picked, the first player has half of them, rounded up: the sum over k of C(n, k) C(k, k/2).
  CHECK(positions == 267 + 750);
}

TEST_CASE("sum of switches: a playout is a random order of what is left") {
  for (const int size : {5, 70, 256}) {
    Rng rng(1);
    std::map<Move, int> first_picks;
    const SumOfSwitches start = after(SumOfSwitches(size), static_cast<Move>(size - 1));
    for (int game = 0; game < 4'000; ++game) {
      SumOfSwitches position = start;
      SumOfSwitches checked = start;
      const Rewards rewards = position.playout(rng, [&](int player, Move move) {
        if (checked == start) ++first_picks[move];
        REQUIRE(checked.to_move() == player);
        REQUIRE(checked.is_legal(move));
        checked.play(move);
      });
      REQUIRE(position.is_over());
      REQUIRE(position == checked);
      REQUIRE(rewards == position.rewards());
      REQUIRE(position.score(0) + position.score(1) == size * (size - 1) / 2);
    }
    CHECK(first_picks.size() == static_cast<std::size_t>(size - 1));
    if (size > 5) continue;
    for (const auto& [move, count] : first_picks) CHECK(count == doctest::Approx(1'000).epsilon(0.12));
  }
}

TEST_CASE("sum of switches: the search finds the best pick") {
  for (const int size : {2, 5, 8}) {
    CAPTURE(size);
    SumOfSwitches position(size);
    // To the last choice: afterwards there is one number left.
    for (int left = size; left > 1; --left) {
      const MoveList moves = moves_of(position);
      if (position.to_move() == 0) {
        Search<SumOfSwitches> search(position, make_rules(Parameters{.c = 0.5}), 1, kMemory);
        search.run({.playouts = 30'000}, {});
        const Snapshot snapshot = search.snapshot();
        CHECK(snapshot.moves[snapshot.best.value()].move == moves.back());
      }
      position.play(moves.back());
    }
  }
}

}  // namespace
}  // namespace tesuji
