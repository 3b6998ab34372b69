// Playouts of Havannah that keep their connections, against the definition of a connection.
#include <doctest/doctest.h>

#include <array>
#include <set>
#include <vector>

#include "games/havannah.hpp"
#include "knowledge/havannah/playout.hpp"

namespace {

using tesuji::Havannah;
using tesuji::HavannahGeometry;
using tesuji::Move;
using tesuji::Rng;
using Board = Havannah<5>;
using Playout = tesuji::HavannahKnowledgePlayout<5>;

constexpr int kSide = 5;
constexpr int kWidth = 2 * kSide - 1;
constexpr std::array<int, 6> kDx = {1, 0, 1, -1, 0, -1};
constexpr std::array<int, 6> kDy = {0, 1, 1, 0, -1, -1};

std::set<Move> neighbours(const Board& board, Move move) {
  std::set<Move> found;
  for (unsigned direction = 0; direction < kDx.size(); ++direction) {
    const int x = static_cast<int>(move) % kWidth + kDx[direction];
    const int y = static_cast<int>(move) / kWidth + kDy[direction];
    if (board.geometry().on_board(x, y)) found.insert(static_cast<Move>(y * kWidth + x));
  }
  return found;
}

std::set<Move> answers(const Board& board, int player, Move intruder) {
  std::set<Move> found;
  const unsigned directions = tesuji::broken_connections(board, player, intruder);
  for (unsigned direction = 0; direction < HavannahGeometry::kDirections; ++direction) {
    if ((directions >> direction & 1) != 0) found.insert(board.geometry().neighbour(intruder, direction));
  }
  return found;
}

// From the definition: an empty cell next to the intruder, such that both have the same two own stones as neighbours,
// or the same own stone, and both are on the same edge.
std::set<Move> slow_answers(const Board& board, int player, Move intruder) {
  const auto edges_of = [](Move move) {
    const int x = static_cast<int>(move) % kWidth;
    const int y = static_cast<int>(move) / kWidth;
    const std::vector<bool> edges = {y == 0, x - y == kSide - 1, x == kWidth - 1, y == kWidth - 1,
                                     x == 0, y - x == kSide - 1};
    return edges;
  };
  std::set<Move> found;
  for (const Move answer : neighbours(board, intruder)) {
    if (board.cell(answer) != Board::kEmpty) continue;
    int common_stones = 0;
    for (const Move stone : neighbours(board, intruder)) {
      const auto around = neighbours(board, answer);
      if (board.cell(stone) == player && around.contains(stone)) ++common_stones;
    }
    const auto here = edges_of(intruder);
    const auto there = edges_of(answer);
    bool same_edge = false;
    for (std::size_t edge = 0; edge < here.size(); ++edge) same_edge = same_edge || (here[edge] && there[edge]);
    if (common_stones == 2 || (common_stones == 1 && same_edge)) found.insert(answer);
  }
  return found;
}

TEST_CASE("a Havannah playout answers where a connection is broken, and only there") {
  Rng rng(1);
  int with_answers = 0;
  for (int game = 0; game < 300; ++game) {
    Board board(kSide);
    while (!board.is_over()) {
      const Move move = board.empty_cell(rng.below(board.num_empty()));
      board.play(move);
      if (board.is_over()) break;
      const auto expected = slow_answers(board, board.to_move(), move);
      REQUIRE(answers(board, board.to_move(), move) == expected);
      if (expected.empty()) continue;
      ++with_answers;
      REQUIRE(expected.contains(Playout::choose(board, rng)));
    }
  }
  CHECK(with_answers > 1000);
}

TEST_CASE("a Havannah playout chooses among all answers, and else among all cells") {
  Rng rng(2);
  Board board(kSide);
  const auto cell = [](int x, int y) { return static_cast<Move>(y * kWidth + x); };
  // Stones of player 1 on three corners of a triangle around (4, 4); player 0 goes into the middle of it.
  for (const Move move : {cell(0, 0), cell(5, 4), cell(1, 0), cell(3, 3), cell(0, 1), cell(4, 5)}) board.play(move);
  board.play(cell(4, 4));
  std::set<Move> chosen;
  for (int i = 0; i < 200; ++i) chosen.insert(Playout::choose(board, rng));
  CHECK(chosen == std::set<Move>{cell(5, 5), cell(4, 3), cell(3, 4)});

  Board quiet(kSide);
  quiet.play(cell(4, 4));
  chosen.clear();
  for (int i = 0; i < 3000; ++i) chosen.insert(Playout::choose(quiet, rng));
  CHECK(chosen.size() == quiet.num_empty());
}

TEST_CASE("a Havannah playout reaches the end, tells its moves and may swap") {
  Rng rng(3);
  int swaps = 0;
  for (int game = 0; game < 500; ++game) {
    Board board(kSide, true);
    std::vector<tesuji::PlayedMove> played;
    const auto rewards = Playout().play(board, rng, &played);
    for (const auto& [player, move] : played) {
      REQUIRE(board.to_move() == player);
      REQUIRE(board.is_legal(move));
      swaps += move == board.swap_move() ? 1 : 0;
      board.play(move);
    }
    REQUIRE(board.is_over());
    REQUIRE(board.rewards()[0] == rewards[0]);
  }
  CHECK(swaps > 0);
}

}  // namespace
