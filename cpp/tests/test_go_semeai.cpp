// Capturing races on boards drawn as text, and boards on which they are settled. Against brute force the solver is
// tested in tests/unit/test_semeai.py.
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "knowledge/go/find_races.hpp"
#include "knowledge/go/race_knowledge.hpp"
#include "knowledge/go/semeai.hpp"
#include "knowledge/go/settled_board.hpp"

namespace {

using namespace tesuji;

constexpr int kSize = 9;
using Board = GoBoard<kSize>;
using Index = Board::Index;

Board drawn(const std::vector<std::string>& rows) {
  Board board(kSize);
  for (const int colour : {0, 1}) {
    for (int row = 0; row < kSize; ++row) {
      for (int column = 0; column < kSize; ++column) {
        if (rows[row][column] == "XO"[colour]) board.play(colour, Board::point_at(row, column));
      }
    }
  }
  return board;
}

// Black's chain on the seventh line has four liberties; White's, above it, as many as the first row has points.
Board race_with_top(const std::string& top) {
  return drawn(
      {top, "OOOOXX...", "XXXXOX...", "....OX...", "OOOOO....", ".....X...", "..O......", "....O.X..", "........."});
}

const Index kBlackStone = Board::point_at(2, 0);
const Index kWhiteStone = Board::point_at(1, 0);

Go<kSize> position_of(const Board& board) {
  GoSetup setup;
  for (Move move = 0; move < kSize * kSize; ++move) {
    const int colour = board.colour(board.point_of(move));
    if (colour == 0) setup.black.push_back(move);
    if (colour == 1) setup.white.push_back(move);
  }
  return Go<kSize>::from_setup(kSize, 7.5, true, setup);
}

RaceVerdict solve(const Board& board, std::uint64_t most_positions = 100'000) {
  SemeaiSolver<kSize> solver({{{kBlackStone}, {kWhiteStone}}}, most_positions);
  return solver.solve(TacticalBoard<kSize>(board), 0);
}

}  // namespace

TEST_CASE("Go races: who moves first wins among equals, and who is ahead need not move") {
  const RaceVerdict equal = solve(race_with_top("....X...."));
  CHECK(equal.outcome[0] == RaceOutcome::kBlackWins);
  CHECK(equal.outcome[1] == RaceOutcome::kWhiteWins);
  CHECK(equal.necessary[0].size() == 4);
  const RaceVerdict ahead = solve(race_with_top("..XXX...."));
  CHECK(ahead.is_won_by(0, 0));
  CHECK(ahead.is_won_by(0, 1));
  CHECK(ahead.necessary[0].empty());
}

TEST_CASE("Go races: a bound that is reached makes the answer unknown") {
  const RaceVerdict verdict = solve(race_with_top("....X...."), 20);
  CHECK(verdict.outcome[0] == RaceOutcome::kUnknown);
  CHECK(verdict.necessary[0].empty());
}

TEST_CASE("Go races: only chains that are shut in are in a race") {
  const Board board = race_with_top("....X....");
  const auto races = find_races(TacticalBoard<kSize>(board), 3, false);
  REQUIRE(races.size() == 1);
  CHECK(board.chain(races[0].stones[0][0]) == board.chain(kBlackStone));
  CHECK(board.chain(races[0].stones[1][0]) == board.chain(kWhiteStone));
  CHECK(find_races(TacticalBoard<kSize>(board), 5, false).empty());
}

TEST_CASE("Go races: on a settled board the winner can never be captured") {
  RaceSettler<kSize> settler;
  const Board board = race_with_top("..XXX....");
  const auto settled = settler.settle(board, kWhiteStone, kBlackStone);
  REQUIRE(settled.has_value());
  Rng rng(1);
  NoRecord record;
  for (int game = 0; game < 200; ++game) {
    Board played = *settled;
    played.playout(rng, game % 2, 0, record);
    CHECK(played.colour(kBlackStone) == Board::kBlack);
    CHECK(played.colour(kWhiteStone) != Board::kWhite);
  }
  CHECK(settled->area_score() > board.area_score());
}

TEST_CASE("Go races: a lost stone that leaves no room for two eyes is not settled") {
  RaceSettler<kSize> settler;
  const Board board = drawn({"OX.......", ".X.......", "XX.......", ".........", ".........", ".........", ".........",
                             ".........", "........."});
  CHECK_FALSE(settler.settle(board, Board::point_at(0, 0), Board::point_at(0, 1)).has_value());
}

TEST_CASE("Go races: what the search is told of them") {
  Go<kSize> position = position_of(race_with_top("....X...."));
  RaceKnowledge<kSize> knowledge(5000, 10, 3, false);
  knowledge.look_at_root(position);
  LocalVerdict verdict;
  knowledge.judge(position, verdict);
  CHECK(verdict.necessary.size() == 4);
  REQUIRE(verdict.claims.size() == 2);
  CHECK(verdict.claims[0].player == 1);
  CHECK_FALSE(verdict.claims[0].stays);
  CHECK(verdict.claims[1].player == 0);
  CHECK(verdict.claims[1].stays);
  position.play(position.board().move_of(Board::point_at(6, 6)));  // elsewhere: now White is first
  verdict.clear();
  knowledge.judge(position, verdict);
  REQUIRE(verdict.claims.size() == 2);
  CHECK(verdict.claims[0].player == 0);
}

TEST_CASE("Go races: with more effort more is known of positions that differ near the race") {
  const Go<kSize> root = position_of(race_with_top("....X...."));
  const auto count_known = [&](std::uint32_t effort) {
    RaceKnowledge<kSize> knowledge(6000, effort, 3, false);
    knowledge.look_at_root(root);
    LocalVerdict verdict;
    int known = 0;
    for (Move first = 0; first < 5; ++first) {
      for (Move second = 0; second < kSize * kSize; ++second) {
        Go<kSize> position = root;
        for (const Move move : {first, second}) {
          if (position.is_legal(move)) position.play(move);
        }
        verdict.clear();
        knowledge.judge(position, verdict);
        known += verdict.claims.empty() ? 0 : 1;
      }
    }
    return known;
  };
  const int with_little = count_known(1);
  const int with_much = count_known(100'000);
  CHECK(with_little > 0);
  CHECK(with_little < with_much);
}

TEST_CASE("Go races: who needs a move gets nothing without it, whatever the bound") {
  const Go<kSize> position = position_of(race_with_top("....X...."));
  LocalVerdict verdict;
  int claims = 0;
  for (std::uint64_t bound = 100; bound <= 6000; bound += 100) {
    RaceKnowledge<kSize> knowledge(bound, 10, 3, false);
    knowledge.look_at_root(position);
    verdict.clear();
    knowledge.judge(position, verdict);
    if (verdict.claims.empty()) continue;
    ++claims;
    CHECK_FALSE(verdict.necessary.empty());
  }
  CHECK(claims > 0);
}

TEST_CASE("Go races: a chain that races against none lives or dies alone") {
  // White's room has three points in a row; Black's wall is open to the right.
  const std::string empty(kSize, '.');
  const Board board = drawn({"...OX....", "OOOOX....", "XXXXX....", empty, empty, empty, empty, empty, empty});
  const auto found = find_races(TacticalBoard<kSize>(board), 3, true);
  REQUIRE(found.size() == 1);
  CHECK(find_races(TacticalBoard<kSize>(board), 3, false).empty());
  CHECK(found[0].stones[0].empty());
  CHECK(board.chain(found[0].stones[1][0]) == board.chain(kWhiteStone));

  Go<kSize> position = position_of(board);
  RaceKnowledge<kSize> knowledge(5000, 10, 3, true);
  knowledge.look_at_root(position);
  LocalVerdict verdict;
  knowledge.judge(position, verdict);
  const Move vital = position.board().move_of(Board::point_at(0, 1));
  CHECK(verdict.necessary == MoveList{vital});
  REQUIRE(verdict.claims.size() == 2);
  CHECK(verdict.claims[0].player == 1);
  CHECK_FALSE(verdict.claims[0].stays);
  CHECK(verdict.claims[1].player == 0);
  CHECK(position.cell(verdict.claims[1].point) == 0);

  position.play(position.board().move_of(Board::point_at(6, 6)));  // elsewhere: now White is first, and lives
  verdict.clear();
  knowledge.judge(position, verdict);
  CHECK(verdict.necessary == MoveList{vital});
  CHECK(verdict.claims.empty());
}

TEST_CASE("Go races: chains that live whoever moves are left to the playouts") {
  const std::string empty(kSize, '.');
  const Board board = drawn({"....OX...", "OOOOOX...", "XXXXXX...", empty, empty, empty, empty, empty, empty});
  Go<kSize> position = position_of(board);
  RaceKnowledge<kSize> knowledge(5000, 10, 3, true);
  knowledge.look_at_root(position);
  LocalVerdict verdict;
  position.play(position.board().move_of(Board::point_at(0, 1)));  // a stone of Black's within
  position.play(position.board().move_of(Board::point_at(6, 6)));
  knowledge.judge(position, verdict);
  CHECK(verdict.necessary.empty());
}

TEST_CASE("Go races: a dead chain that nobody touches takes no knowledge of others with it") {
  // The race of the tests above, and White's four stones in the corner, which Black keeps from a distance.
  const Board board = drawn({"....X....", "OOOOXX...", "XXXXOX...", "....OX...", "OOOOO....", ".....XXXX", "..O..X...",
                             "....OX.OO", ".....X.OO"});
  const Go<kSize> position = position_of(board);
  RaceKnowledge<kSize> knowledge(5000, 10, 3, true);
  knowledge.look_at_root(position);
  LocalVerdict verdict;
  knowledge.judge(position, verdict);
  CHECK(verdict.necessary.size() >= 4);
  CHECK(verdict.claims.size() == 2);
}
