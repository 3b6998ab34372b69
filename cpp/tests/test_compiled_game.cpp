// Games made of plain functions: played right, and every wrong answer found out.
#include <cstring>

#include "doctest/doctest.h"
#include "games/compiled_game.hpp"
#include "rules/registry.hpp"
#include "search/search.hpp"

namespace tesuji {
namespace {

// One heap of stones: the players take one to three in turn, and who takes the last wins. The state is the heap and the
// player to move.
struct Heap {
  std::int32_t stones;
  std::int32_t player;
};
Heap& heap(void* state) { return *static_cast<Heap*>(state); }
const Heap& heap(const void* state) { return *static_cast<const Heap*>(state); }

std::int32_t heap_moves(const void* state, std::int32_t* moves) {
  const std::int32_t most = std::min(heap(state).stones, 3);
  for (std::int32_t k = 0; k < most; ++k) moves[k] = k;
  return most;
}
void heap_play(void* state, std::int32_t move) {
  heap(state).stones -= move + 1;
  heap(state).player = 1 - heap(state).player;
}
std::int32_t heap_status(const void* state, double* rewards) {
  const Heap& here = heap(state);
  if (here.stones > 0) return here.player;
  rewards[here.player] = -5.0;
  rewards[1 - here.player] = 5.0;
  return kStatusOver;
}

const CompiledRules kHeap{.legal_moves = heap_moves,
                          .play = heap_play,
                          .status = heap_status,
                          .probabilities = nullptr,
                          .num_players = 2,
                          .num_moves = 3,
                          .low = -5.0,
                          .high = 5.0};

CompiledGame game(const CompiledRules& rules, std::int32_t stones) {
  const Heap start{stones, 0};
  char bytes[sizeof start];
  std::memcpy(bytes, &start, sizeof start);
  return CompiledGame(rules, {bytes, sizeof bytes});
}

RunReport hundred_playouts(const CompiledGame& position) {
  Search<CompiledGame> search(position, make_rules(Parameters{}), 1, 1 << 20);
  return search.run({.playouts = 100}, {});
}

// A coin that shows 1 with the probability of three quarters, tossed once.
std::int32_t coin_moves(const void*, std::int32_t* moves) {
  moves[0] = 0;
  moves[1] = 1;
  return 2;
}
void coin_play(void* state, std::int32_t move) { *static_cast<std::int64_t*>(state) = move + 1; }
std::int32_t coin_status(const void* state, double* rewards) {
  const std::int64_t shown = *static_cast<const std::int64_t*>(state);
  if (shown == 0) return kStatusChance;
  rewards[0] = static_cast<double>(shown - 1);
  return kStatusOver;
}
constexpr std::string_view kCoinState("\0\0\0\0\0\0\0\0", 8);
void coin_probabilities(const void*, double* probabilities) {
  probabilities[0] = 0.25;
  probabilities[1] = 0.75;
}

}  // namespace

TEST_CASE("a compiled game is played by its functions") {
  CompiledGame position = game(kHeap, 5);
  MoveList moves;
  position.legal_moves(moves);
  CHECK(moves == MoveList{0, 1, 2});
  CHECK(position.is_legal(2));
  CHECK_FALSE(position.is_legal(3));
  const CompiledGame before = position;
  position.play(2);
  CHECK(position.to_move() == 1);
  CHECK_FALSE(position == before);
  CHECK(before == game(kHeap, 5));
  CHECK(before.hash() == game(kHeap, 5).hash());
  position.play(1);
  REQUIRE(position.is_over());
  CHECK(position.rewards()[1] == kRewardOne);  // the range of -5 to 5 becomes that of 0 to 1
  CHECK(position.rewards()[0] == 0);
  position.legal_moves(moves);
  CHECK(moves.empty());
}

TEST_CASE("the search solves a heap") {
  // Of 6 stones two are taken: 4 are lost for whoever is to move.
  Search<CompiledGame> search(game(kHeap, 6), make_rules(Parameters{}), 1, 1 << 20);
  search.run({.playouts = 2'000}, {});
  const Snapshot snapshot = search.snapshot();
  CHECK(snapshot.moves[snapshot.best.value()].move == 1);
}

TEST_CASE("chance in a compiled game") {
  const CompiledRules coin{.legal_moves = coin_moves,
                           .play = coin_play,
                           .status = coin_status,
                           .probabilities = coin_probabilities,
                           .num_players = 1,
                           .num_moves = 2};
  const CompiledGame position(coin, kCoinState);
  Search<CompiledGame> search(position, make_rules(Parameters{}), 1, 1 << 20);
  search.run({.playouts = 40'000}, {});
  for (const ChildStatistics& child : search.snapshot().moves) {
    const double share = static_cast<double>(child.visits) / 40'000;
    // Six standard deviations of the share are 0.013.
    CHECK(share == doctest::Approx(child.move == 1 ? 0.75 : 0.25).epsilon(0.06));
  }
  CompiledRules no_probabilities = coin;
  no_probabilities.probabilities = nullptr;
  CHECK_THROWS_AS(CompiledGame(no_probabilities, kCoinState), BadGame);
  CompiledRules too_likely = coin;
  too_likely.probabilities = [](const void*, double* probabilities) { probabilities[0] = probabilities[1] = 0.75; };
  CHECK_THROWS_AS(hundred_playouts(CompiledGame(too_likely, kCoinState)), BadGame);
}

TEST_CASE("answers out of bounds are found out") {
  CompiledRules rules = kHeap;
  SUBCASE("too many moves") {
    rules.legal_moves = [](const void*, std::int32_t*) { return std::int32_t{4}; };
  }
  SUBCASE("no moves before the end") {
    rules.legal_moves = [](const void*, std::int32_t*) { return std::int32_t{0}; };
  }
  SUBCASE("a negative number of moves") {
    rules.legal_moves = [](const void*, std::int32_t*) { return std::int32_t{-1}; };
  }
  SUBCASE("a move that is none") {
    rules.legal_moves = [](const void*, std::int32_t* moves) {
      moves[0] = 3;
      return std::int32_t{1};
    };
  }
  SUBCASE("a negative move") {
    rules.legal_moves = [](const void*, std::int32_t* moves) {
      moves[0] = -1;
      return std::int32_t{1};
    };
  }
  SUBCASE("a player who does not exist") {
    rules.status = [](const void* state, double*) {
      return heap(state).stones == 6 ? std::int32_t{0} : std::int32_t{2};
    };
  }
  SUBCASE("a status that does not exist") {
    rules.status = [](const void* state, double*) {
      return heap(state).stones == 6 ? std::int32_t{0} : std::int32_t{-3};
    };
  }
  SUBCASE("a reward out of range") { rules.high = 4.0; }
  SUBCASE("rewards that were not written") {
    rules.status = [](const void* state, double* rewards) {
      if (heap(state).stones == 6) return std::int32_t{0};
      rewards[0] = 1.0;
      return kStatusOver;
    };
  }
  CHECK_THROWS_AS(hundred_playouts(game(rules, 6)), BadGame);
}

}  // namespace tesuji
