#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cpu.hpp"
#include "core/game.hpp"
#include "core/rng.hpp"
#include "doctest/doctest.h"
#include "games/othello.hpp"

#if defined(__has_feature)
#define TESUJI_HAS_FEATURE(feature) __has_feature(feature)
#else
#define TESUJI_HAS_FEATURE(feature) 0
#endif

namespace tesuji {
namespace {

using othello::Sides;

// Under a sanitizer the deep counts would take minutes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || TESUJI_HAS_FEATURE(address_sanitizer) || \
    TESUJI_HAS_FEATURE(thread_sanitizer)
constexpr unsigned kPerftDepth = 8;
#else
constexpr unsigned kPerftDepth = 10;
#endif

constexpr Move kD3 = 19, kC4 = 26, kF5 = 37, kE6 = 44;

std::vector<CpuPath> available_paths() {
  std::vector<CpuPath> paths = {CpuPath::kPortable};
  if (avx2_available()) paths.push_back(CpuPath::kAvx2);
  return paths;
}

// The rules once more, square by square, as a reference that shares nothing with the bitboards.
std::uint64_t naive_flips(const Sides& sides, int square) {
  const auto has = [](std::uint64_t board, int row, int column) { return ((board >> (row * 8 + column)) & 1) != 0; };
  const auto on_board = [](int row, int column) { return row >= 0 && row < 8 && column >= 0 && column < 8; };
  std::uint64_t flips = 0;
  for (int row_step = -1; row_step <= 1; ++row_step) {
    for (int column_step = -1; column_step <= 1; ++column_step) {
      if (row_step == 0 && column_step == 0) continue;
      std::uint64_t run = 0;
      int row = square / 8 + row_step;
      int column = square % 8 + column_step;
      for (; on_board(row, column) && has(sides.opponent, row, column); row += row_step, column += column_step) {
        run |= std::uint64_t{1} << (row * 8 + column);
      }
      if (on_board(row, column) && has(sides.own, row, column)) flips |= run;
    }
  }
  return flips;
}

std::uint64_t naive_mobility(const Sides& sides) {
  std::uint64_t moves = 0;
  for (int square = 0; square < 64; ++square) {
    const bool is_empty = (((sides.own | sides.opponent) >> square) & 1) == 0;
    if (is_empty && naive_flips(sides, square) != 0) moves |= std::uint64_t{1} << square;
  }
  return moves;
}

void check_against_reference(CpuPath path, const Sides& sides) {
  const std::uint64_t moves = naive_mobility(sides);
  REQUIRE(othello::mobility_on(path, sides) == moves);
  for (int square = 0; square < 64; ++square) {
    if (((moves >> square) & 1) == 0) continue;
    REQUIRE(othello::flips_on(path, sides, square) == naive_flips(sides, square));
  }
}

// The published counts take a pass for a move, and a game that is over before for one leaf: 228 of them at depth 10.
std::uint64_t perft(const Othello& position, int depth) {
  MoveList moves;
  position.legal_moves(moves);
  if (moves.empty()) return 1;
  if (depth == 1) return moves.size();
  std::uint64_t nodes = 0;
  for (const Move move : moves) {
    Othello next = position;
    next.play(move);
    nodes += perft(next, depth - 1);
  }
  return nodes;
}

// A diagram of 64 characters: X is black, O is white.
Othello position_of(std::string_view diagram, int to_move) {
  REQUIRE(diagram.size() == 64);
  std::uint64_t black = 0;
  std::uint64_t white = 0;
  for (unsigned square = 0; square < 64; ++square) {
    if (diagram[square] == 'X') black |= std::uint64_t{1} << square;
    if (diagram[square] == 'O') white |= std::uint64_t{1} << square;
  }
  return Othello::from_discs(black, white, to_move);
}

MoveList moves_of(const Othello& position) {
  MoveList moves;
  position.legal_moves(moves);
  return moves;
}

// Black has no move, white one (c1).
constexpr std::string_view kForcedPass =
    "OX......"
    "........"
    "........"
    "........"
    "........"
    "........"
    "........"
    "........";

TEST_CASE("othello: the start position") {
  const Othello start;
  CHECK(start.to_move() == 0);
  CHECK(start.num_players() == 2);
  CHECK_FALSE(start.is_over());
  CHECK(start.cell(27) == 1);
  CHECK(start.cell(36) == 1);
  CHECK(start.cell(28) == 0);
  CHECK(start.cell(35) == 0);
  CHECK(start.cell(0) == 2);
  CHECK(moves_of(start) == MoveList{kD3, kC4, kF5, kE6});
  CHECK(start.is_legal(kD3));
  CHECK_FALSE(start.is_legal(0));
  CHECK_FALSE(start.is_legal(28));
  CHECK_FALSE(start.is_legal(Othello::kPass));
  CHECK_FALSE(start.is_legal(Othello::kPass + 1));
  CHECK_FALSE(start.is_legal(kNoMove));
}

TEST_CASE("othello: a move flips and hands over") {
  Othello position;
  position.play(kD3);
  CHECK(position.to_move() == 1);
  CHECK(position.discs(0) ==
        (std::uint64_t{1} << 19 | std::uint64_t{1} << 27 | std::uint64_t{1} << 28 | std::uint64_t{1} << 35));
  CHECK(position.discs(1) == std::uint64_t{1} << 36);
}

TEST_CASE("othello: perft") {
  constexpr std::array<std::uint64_t, 10> kNodes = {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284};
  for (unsigned depth = 1; depth <= kPerftDepth; ++depth) {
    CAPTURE(depth);
    CHECK(perft(Othello(), static_cast<int>(depth)) == kNodes[depth - 1]);
  }
}

TEST_CASE("othello: mobility and flips agree with the reference in random games") {
  for (const CpuPath path : available_paths()) {
    CAPTURE(name_of(path));
    Rng rng(1);
    for (int game = 0; game < 100; ++game) {
      Othello position;
      for (MoveList moves = moves_of(position); !moves.empty(); moves = moves_of(position)) {
        check_against_reference(path, {position.discs(position.to_move()), position.discs(1 - position.to_move())});
        position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
      }
    }
  }
}

TEST_CASE("othello: mobility and flips agree with the reference on random boards") {
  for (const CpuPath path : available_paths()) {
    CAPTURE(name_of(path));
    Rng rng(2);
    for (int sample = 0; sample < 3000; ++sample) {
      const std::uint64_t colours = rng.next();
      // Dense boards, three squares in four, and sparse ones: the long runs are on the dense ones.
      const std::uint64_t occupied = sample % 2 == 0 ? rng.next() | rng.next() : rng.next() & rng.next();
      check_against_reference(path, {occupied & colours, occupied & ~colours});
      const std::uint64_t few = rng.next() & rng.next() & rng.next();
      check_against_reference(path, {occupied & few, occupied & ~few});
    }
  }
}

// Writes down a playout and checks that each of its moves is legal.
struct CheckedGame {
  Othello position;
  std::vector<std::pair<int, Move>> moves;

  void operator()(int player, Move move) {
    if (position.to_move() != player) {
      REQUIRE(position.is_legal(Othello::kPass));
      position.play(Othello::kPass);
    }
    REQUIRE(position.is_legal(move));
    position.play(move);
    moves.emplace_back(player, move);
  }
};

TEST_CASE("othello: a playout is a legal game to the end") {
  for (const CpuPath path : available_paths()) {
    CAPTURE(name_of(path));
    Rng rng(3);
    for (int game = 0; game < 300; ++game) {
      CheckedGame checked;
      Othello position;
      const Rewards rewards = position.playout_on(path, rng, checked);
      CHECK(position.is_over());
      CHECK(moves_of(position).empty());
      CHECK(rewards == position.rewards());
      CHECK(position.discs(0) == checked.position.discs(0));
      CHECK(position.discs(1) == checked.position.discs(1));
    }
  }
}

TEST_CASE("othello: a seed gives the same playouts on every path") {
  if (!avx2_available()) return;
  Rng portable_rng(4);
  Rng avx2_rng(4);
  for (int game = 0; game < 2000; ++game) {
    CheckedGame portable_game;
    CheckedGame avx2_game;
    Othello portable_position;
    Othello avx2_position;
    const Rewards expected = portable_position.playout_on(CpuPath::kPortable, portable_rng, portable_game);
    REQUIRE(avx2_position.playout_on(CpuPath::kAvx2, avx2_rng, avx2_game) == expected);
    REQUIRE(avx2_game.moves == portable_game.moves);
    REQUIRE(avx2_position == portable_position);
  }
  CHECK(portable_rng.next() == avx2_rng.next());
}

// Pinned, so that a change of the stream is noticed, with whichever compiler and path.
TEST_CASE("othello: the playouts of a seed never change") {
  Rng rng(5);
  std::uint64_t digest = 0;
  for (int game = 0; game < 1000; ++game) {
    Othello position;
    position.playout(rng, NoRecord{});
    digest = digest * 31 + position.discs(0) * 7 + position.discs(1);
  }
  CHECK(digest == 16866846802021042875u);
}

TEST_CASE("othello: statistics of uniform playouts") {
  constexpr int kGames = 20000;
  Rng rng(6);
  int black_wins = 0;
  int draws = 0;
  std::uint64_t moves = 0;
  std::array<int, 64> first_moves{};
  for (int game = 0; game < kGames; ++game) {
    Othello position;
    bool is_first = true;
    const Rewards rewards = position.playout(rng, [&](int, Move move) {
      if (std::exchange(is_first, false)) ++first_moves[move];
      ++moves;
    });
    REQUIRE(rewards[0] + rewards[1] == kRewardOne);
    if (rewards[0] == kRewardOne) ++black_wins;
    if (rewards[0] == kRewardHalf) ++draws;
  }
  // Known to be slightly bad for black: about 45.5% wins and 4% draws; a game leaves hardly a square empty.
  CHECK(black_wins > 0.44 * kGames);
  CHECK(black_wins < 0.47 * kGames);
  CHECK(draws > 0.03 * kGames);
  CHECK(draws < 0.055 * kGames);
  CHECK(moves > std::uint64_t{59} * kGames);
  CHECK(moves <= std::uint64_t{60} * kGames);
  for (const Move move : {kD3, kC4, kF5, kE6}) {
    CHECK(first_moves[move] > 0.235 * kGames);
    CHECK(first_moves[move] < 0.265 * kGames);
  }
}

TEST_CASE("othello: a forced pass") {
  Othello position = position_of(kForcedPass, 0);
  CHECK_FALSE(position.is_over());
  CHECK(moves_of(position) == MoveList{Othello::kPass});
  CHECK(position.is_legal(Othello::kPass));
  CHECK_FALSE(position.is_legal(2));
  position.play(Othello::kPass);
  CHECK(position == position_of(kForcedPass, 1));
  CHECK(moves_of(position) == MoveList{2});
  CHECK_FALSE(position.is_legal(Othello::kPass));
}

TEST_CASE("othello: the game ends when a side is wiped out") {
  for (const CpuPath path : available_paths()) {
    CAPTURE(name_of(path));
    Othello position = position_of(kForcedPass, 0);
    Rng rng(7);
    CheckedGame checked{position, {}};
    // Black passes, white takes the last black disc, and the playout must stop with 61 squares empty.
    CHECK(position.playout_on(path, rng, checked) == two_player_rewards(1));
    CHECK(checked.moves == std::vector<std::pair<int, Move>>{{1, 2}});
    CHECK(position.is_over());
    CHECK(position.discs(0) == 0);
    CHECK(position.discs(1) == 7);
    CHECK_FALSE(position.is_legal(Othello::kPass));
  }
}

TEST_CASE("othello: a playout from a finished game changes no disc") {
  for (const CpuPath path : available_paths()) {
    CAPTURE(name_of(path));
    for (const std::uint64_t black : {~std::uint64_t{0}, std::uint64_t{0x8000000000000001}, std::uint64_t{0}}) {
      Othello position = Othello::from_discs(black, 0, 1);
      Rng rng(8);
      REQUIRE(position.is_over());
      CHECK(position.playout_on(path, rng, NoRecord{}) == position.rewards());
      CHECK(position.discs(0) == black);
      CHECK(position.discs(1) == 0);
    }
  }
}

TEST_CASE("othello: more discs win, equally many draw") {
  constexpr std::uint64_t kLeftHalf = 0x0f0f0f0f0f0f0f0f;
  CHECK(Othello::from_discs(kLeftHalf, ~kLeftHalf, 0).rewards() == two_player_rewards(kDraw));
  CHECK(Othello::from_discs(kLeftHalf, ~kLeftHalf, 1).rewards() == two_player_rewards(kDraw));
  CHECK(Othello::from_discs(kLeftHalf, ~kLeftHalf & ~(std::uint64_t{1} << 63), 1).rewards() == two_player_rewards(0));
  CHECK(Othello::from_discs(kLeftHalf & ~std::uint64_t{1}, ~kLeftHalf, 0).rewards() == two_player_rewards(1));
  CHECK(Othello::from_discs(0, 0, 0).is_over());
}

TEST_CASE("othello: equality and hash see the discs and the player to move") {
  const Othello start;
  CHECK(start == Othello::from_discs(start.discs(0), start.discs(1), 0));
  CHECK(start.hash() == Othello::from_discs(start.discs(0), start.discs(1), 0).hash());
  const Othello others[] = {Othello::from_discs(start.discs(0), start.discs(1), 1),
                            Othello::from_discs(start.discs(1), start.discs(0), 0),
                            Othello::from_discs(start.discs(1), start.discs(0), 1)};
  for (const Othello& other : others) {
    CHECK_FALSE(start == other);
    CHECK(start.hash() != other.hash());
  }
}

TEST_CASE("othello: a disc of one player does not hide behind one of the other") {
  constexpr std::uint64_t kCorner = std::uint64_t{1} << 63;
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 31;
  CHECK(Othello::from_discs(kCorner, kMiddle, 0).hash() != Othello::from_discs(0, kCorner, 0).hash());
}

TEST_CASE("othello: positions of random games have different hashes") {
  Rng rng(9);
  std::set<std::pair<std::pair<std::uint64_t, std::uint64_t>, int>> positions;
  std::set<std::uint64_t> hashes;
  for (int game = 0; game < 200; ++game) {
    Othello position;
    for (MoveList moves = moves_of(position); !moves.empty(); moves = moves_of(position)) {
      position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
      positions.insert({{position.discs(0), position.discs(1)}, position.to_move()});
      hashes.insert(position.hash());
    }
  }
  CHECK(hashes.size() == positions.size());
}

}  // namespace
}  // namespace tesuji
