// Havannah: hand-made wins and near-wins, and the fast win detection against a slow rule that knows nothing of it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "games/havannah.hpp"

namespace {

using tesuji::HavannahWin;
using tesuji::kDraw;
using tesuji::Move;
using tesuji::MoveList;
using tesuji::NoRecord;
using tesuji::Rng;
using Points = std::vector<std::uint8_t>;

constexpr std::uint8_t kEmpty = 2;
constexpr std::uint8_t kOffBoard = 3;

// The slow rule: flood fills over the whole board, for one player's stones.
class SlowRule {
 public:
  explicit SlowRule(int side) : side_(side), width_(2 * side - 1) {}

  bool on_board(int x, int y) const {
    return x >= 0 && y >= 0 && x < width_ && y < width_ && x - y < side_ && y - x < side_;
  }

  Points empty_board() const {
    Points points(static_cast<std::size_t>(width_ * width_), kOffBoard);
    for_each_cell([&](int x, int y) { points[at(x, y)] = kEmpty; });
    return points;
  }

  HavannahWin win_of(const Points& points, int player) const {
    if (encloses_something(points, player) || has_full_hexagon(points, player)) return HavannahWin::kRing;
    bool bridge = false;
    bool fork = false;
    std::vector<bool> seen(points.size(), false);
    const auto own = [&](std::size_t i) { return points[i] == player; };
    for_each_cell([&](int x, int y) {
      if (!own(at(x, y)) || seen[at(x, y)]) return;
      int corners = 0;
      std::set<int> edges;
      flood(x, y, seen, own, [&](const std::vector<int>& touched) {
        if (touched.size() == 2) ++corners;
        if (touched.size() == 1) edges.insert(touched[0]);
      });
      bridge = bridge || corners >= 2;
      fork = fork || edges.size() >= 3;
    });
    return bridge ? HavannahWin::kBridge : fork ? HavannahWin::kFork : HavannahWin::kNone;
  }

  bool has_full_hexagon(const Points& points, int player) const {
    bool found = false;
    for_each_cell([&](int x, int y) {
      bool full = points[at(x, y)] == player;
      for (const auto& [dx, dy] : kDirections) {
        full = full && on_board(x + dx, y + dy) && points[at(x + dx, y + dy)] == player;
      }
      found = found || full;
    });
    return found;
  }

  // Some cell without a stone of the player from which no way over such cells leads to the rim of the board.
  bool encloses_something(const Points& points, int player) const {
    std::vector<bool> seen(points.size(), false);
    const auto open = [&](std::size_t i) { return points[i] != player; };
    for_each_cell([&](int x, int y) {
      if (!edges_of(x, y).empty() && open(at(x, y)) && !seen[at(x, y)]) flood(x, y, seen, open, [](const auto&) {});
    });
    bool enclosed = false;
    for_each_cell([&](int x, int y) { enclosed = enclosed || (open(at(x, y)) && !seen[at(x, y)]); });
    return enclosed;
  }

 private:
  static constexpr std::array<std::pair<int, int>, 6> kDirections = {
      {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}}};

  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y * width_ + x); }

  template <class Visit>
  void for_each_cell(Visit visit) const {
    for (int y = 0; y < width_; ++y) {
      for (int x = 0; x < width_; ++x) {
        if (on_board(x, y)) visit(x, y);
      }
    }
  }

  std::vector<int> edges_of(int x, int y) const {
    const std::array<int, 6> distances = {x, y, width_ - 1 - x, width_ - 1 - y, side_ - 1 - x + y, side_ - 1 + x - y};
    std::vector<int> edges;
    for (int edge = 0; edge < 6; ++edge) {
      if (distances[static_cast<std::size_t>(edge)] == 0) edges.push_back(edge);
    }
    return edges;
  }

  template <class Inside, class Visit>
  void flood(int x, int y, std::vector<bool>& seen, Inside inside, Visit visit) const {
    std::vector<std::pair<int, int>> stack = {{x, y}};
    seen[at(x, y)] = true;
    while (!stack.empty()) {
      const auto [a, b] = stack.back();
      stack.pop_back();
      visit(edges_of(a, b));
      for (const auto& [dx, dy] : kDirections) {
        if (!on_board(a + dx, b + dy)) continue;
        const std::size_t next = at(a + dx, b + dy);
        if (seen[next] || !inside(next)) continue;
        seen[next] = true;
        stack.push_back({a + dx, b + dy});
      }
    }
  }

  int side_;
  int width_;
};

template <class Position>
Points contents(const Position& position) {
  Points points;
  for (Move move = 0; move < position.swap_move(); ++move) {
    points.push_back(static_cast<std::uint8_t>(position.cell(move)));
  }
  return points;
}

// Of several random moves the one with most own neighbours: such games grow the compact groups that fill hexagons.
template <class Position>
Move pick_compact(const Position& position, const MoveList& moves, int candidates, Rng& rng) {
  const int width = position.width();
  Move best = 0;
  int most = -1;
  for (int i = 0; i < candidates; ++i) {
    const Move move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
    int neighbours = 0;
    for (const int step : {-width - 1, -width, -1, 1, width, width + 1}) {
      if (position.cell(static_cast<Move>(static_cast<int>(move) + step)) == position.to_move()) ++neighbours;
    }
    if (neighbours > most) best = move;
    most = std::max(most, neighbours);
  }
  return best;
}

template <class Position>
void play_and_compare(Position& position, Points& points, const SlowRule& rule, Move move) {
  const int player = position.to_move();
  REQUIRE_FALSE(position.is_over());
  REQUIRE(position.is_legal(move));
  position.play(move);
  points[move] = static_cast<std::uint8_t>(player);
  const HavannahWin expected = rule.win_of(points, player);
  REQUIRE(position.win_kind() == expected);
  REQUIRE(position.winner() == (expected == HavannahWin::kNone ? kDraw : player));
}

// Calls test(the class with the smallest capacity for the side).
template <class Test>
void with_board(int side, Test test) {
  if (side <= 5) return test(tesuji::Havannah<5>(side));
  if (side <= 8) return test(tesuji::Havannah<8>(side));
  test(tesuji::Havannah<10>(side));
}

constexpr int kSide = 5;
using Board = tesuji::Havannah<kSide>;

// "e5" is the middle of the board of side 5: column from a, row from 1.
Move parse(const std::string& text) {
  return static_cast<Move>((std::stoi(text.substr(1)) - 1) * (2 * kSide - 1) + (text[0] - 'a'));
}

MoveList parse_all(const std::string& text) {
  MoveList moves;
  std::istringstream words(text);
  for (std::string word; words >> word;) moves.push_back(parse(word));
  return moves;
}

Board set_up(const std::string& mine, const std::string& others = "") {
  Points points = SlowRule(kSide).empty_board();
  for (const Move move : parse_all(mine)) points[move] = 0;
  for (const Move move : parse_all(others)) points[move] = 1;
  return Board::from_cells(kSide, points, 0);
}

// Whichever of the stones comes last makes the win, and not before; `there` are own stones that were there before.
void check_win(const std::string& mine, HavannahWin kind, const std::string& others = "",
               const std::string& there = "") {
  for (const Move last : parse_all(mine)) {
    Points points = contents(set_up(mine + " " + there, others));
    points[last] = kEmpty;
    Board board = Board::from_cells(kSide, points, 0);
    CAPTURE(mine);
    CAPTURE(last);
    REQUIRE(board.winner() == kDraw);
    REQUIRE_FALSE(board.is_over());
    board.play(last);
    CHECK(board.winner() == 0);
    CHECK(board.win_kind() == kind);
    CHECK(board.rewards() == tesuji::two_player_rewards(0));
    MoveList moves = {1, 2, 3};
    board.legal_moves(moves);
    CHECK(moves.empty());
  }
  CHECK(set_up(mine + " " + there, others).win_kind() == kind);
}

void check_no_win(const std::string& mine, const std::string& others = "") {
  CAPTURE(mine);
  CHECK(set_up(mine, others).winner() == kDraw);
}

}  // namespace

TEST_CASE("havannah: rings") {
  const std::string around_the_middle = "f5 f6 e6 d5 d4 e4";
  SUBCASE("around an empty cell") { check_win(around_the_middle, HavannahWin::kRing); }
  SUBCASE("around an enemy's stone") { check_win(around_the_middle, HavannahWin::kRing, "e5"); }
  SUBCASE("around two cells") { check_win("f6 e6 d5 d4 e4 f4 g5 g6", HavannahWin::kRing); }
  SUBCASE("around seven cells") { check_win("g5 g6 g7 f7 e7 d6 c5 c4 c3 d3 e3 f4", HavannahWin::kRing, "e5 f5"); }
  SUBCASE("along the edge") { check_win("b1 c1 d2 d3 c3 b2", HavannahWin::kRing); }
  SUBCASE("around an own cell") { check_win(around_the_middle, HavannahWin::kRing, "", "e5"); }
  SUBCASE("with the middle filled") { CHECK(set_up(around_the_middle + " e5").win_kind() == HavannahWin::kRing); }
  SUBCASE("closed in the middle: a stone that joins two halves, inside a larger chain") {
    check_win("e4", HavannahWin::kRing, "", "f5 f6 e6 d5 d4 e3 f4 g5");
  }
  SUBCASE("near-rings") {
    check_no_win("f5 f6 e6 d5 d4");              // open
    check_no_win("f5 f6 e6 d5 d4 e5");           // open around an own stone
    check_no_win("e5 f5 f6");                    // a triangle
    check_no_win("c4 d4 e4 f4 g4 d5 e5 f5 g5");  // a thick chain, no hexagon
    check_no_win("b1 b2 a2");                    // the rim of the board closes no ring around a corner
    check_no_win("d1 d2 c2 b1");                 // nor around a cell of an edge
    check_no_win("f5 f6 e6 d5 d4", "e4");        // broken by the enemy
  }
}

TEST_CASE("havannah: bridges and forks") {
  SUBCASE("bridge along an edge") { check_win("a1 b1 c1 d1 e1", HavannahWin::kBridge); }
  SUBCASE("bridge across the board") { check_win("a1 b2 c3 d4 e5 f6 g7 h8 i9", HavannahWin::kBridge); }
  SUBCASE("two corners that the enemy keeps apart") { check_no_win("a1 b1 d1 e1", "c1"); }
  SUBCASE("fork") { check_win("c1 c2 c3 b3 a3 c4 c5 c6 c7", HavannahWin::kFork); }
  SUBCASE("two edges and a corner are no fork") { check_no_win("c1 c2 c3 b3 a3 a4 a5"); }
  SUBCASE("three edges in two chains") { check_no_win("c1 c2 c3 b3 a3 c5 c6 c7"); }
  SUBCASE("the kind is the first of ring, bridge and fork") {
    check_win("e5", HavannahWin::kBridge, "", "a1 b2 c3 d4 f6 g7 h8 i9 c1 c2 a3 b3 f7 f8 f9");
    check_win("e5", HavannahWin::kRing, "", "f5 g6 g7 f7 e6 h8 i9 d4 c3 b2 a1");
  }
}

// The labels of chains rest on this.
TEST_CASE("havannah: the cells of a triangle of the cover are mutual neighbours") {
  for (int side = 3; side <= 10; ++side) {
    const auto& geometry = tesuji::HavannahGeometry::of(side);
    const int bound = side <= 5 ? 32 : side <= 8 ? 64 : 96;
    for (Move a = 0; a < geometry.num_points(); ++a) {
      if (!geometry.on_board(a)) continue;
      REQUIRE(geometry.triangle(a) < bound);
      for (Move b = a + 1; b < geometry.num_points(); ++b) {
        if (!geometry.on_board(b) || geometry.triangle(a) != geometry.triangle(b)) continue;
        const int dx = geometry.cell(b).x - geometry.cell(a).x;
        const int dy = geometry.cell(b).y - geometry.cell(a).y;
        REQUIRE((std::max(std::abs(dx), std::abs(dy)) == 1 && dx * dy != -1));
      }
    }
  }
}

TEST_CASE("havannah: win detection agrees with the slow rule after every move" *
          doctest::test_suite("slow reference")) {
  int hexagons_without_a_hole = 0;
  for (int side = 3; side <= 10; ++side) {
    const int games = side <= 5 ? 1000 : side <= 8 ? 300 : 100;
    const SlowRule rule(side);
    with_board(side, [&](auto start) {
      Rng rng(static_cast<std::uint64_t>(side));
      for (int game = 0; game < games; ++game) {
        auto board = start;
        Points points = rule.empty_board();
        const int candidates = game % 2 == 0 ? 1 : 8;
        MoveList moves;
        for (board.legal_moves(moves); !moves.empty(); board.legal_moves(moves)) {
          play_and_compare(board, points, rule, pick_compact(board, moves, candidates, rng));
        }
        REQUIRE((board.winner() != kDraw || std::count(points.begin(), points.end(), kEmpty) == 0));
        if (board.win_kind() == HavannahWin::kRing && !rule.encloses_something(points, board.winner())) {
          ++hexagons_without_a_hole;
        }
      }
    });
  }
  CHECK(hexagons_without_a_hole > 100);
}

TEST_CASE("havannah: a playout is a legal game to the first win, as its recorder tells it") {
  for (int side = 3; side <= 10; ++side) {
    const SlowRule rule(side);
    with_board(side, [&](auto start) {
      Rng rng(100 + static_cast<std::uint64_t>(side));
      for (int game = 0; game < 60; ++game) {
        std::vector<std::pair<int, Move>> played;
        auto after_playout = start;
        auto record = [&](int player, Move move) { played.emplace_back(player, move); };
        const tesuji::Rewards rewards = after_playout.playout(rng, record);
        auto board = start;
        Points points = rule.empty_board();
        for (const auto& [player, move] : played) {
          REQUIRE(board.to_move() == player);
          play_and_compare(board, points, rule, move);
        }
        REQUIRE(board.is_over());
        REQUIRE(board == after_playout);
        REQUIRE(board.win_kind() == after_playout.win_kind());
        REQUIRE(board.rewards() == rewards);
      }
    });
  }
}

TEST_CASE("havannah: a full board without a win is a draw") {
  int draws = 0;
  Rng rng(7);
  for (int game = 0; game < 40000; ++game) {
    Board board(kSide);
    const tesuji::Rewards rewards = board.playout(rng, NoRecord{});
    if (board.winner() != kDraw) continue;
    ++draws;
    const Points points = contents(board);
    REQUIRE(std::count(points.begin(), points.end(), kEmpty) == 0);
    REQUIRE(SlowRule(kSide).win_of(points, 0) == HavannahWin::kNone);
    REQUIRE(SlowRule(kSide).win_of(points, 1) == HavannahWin::kNone);
    REQUIRE(board.is_over());
    REQUIRE(rewards == tesuji::two_player_rewards(kDraw));
  }
  CHECK(draws > 0);
}

TEST_CASE("havannah: playouts are uniform, repeatable, and end at once in a finished game") {
  const tesuji::Havannah<5> start(3);
  std::array<std::array<int, 25>, 2> count{};
  Rng rng(3);
  for (int game = 0; game < 19000; ++game) {
    auto board = start;
    board.playout(rng, [&, number = std::size_t{0}](int, Move move) mutable {
      if (number < 2) ++count[number++][move];
    });
  }
  for (Move move = 0; move < 25; ++move) {
    if (start.cell(move) == kOffBoard) continue;
    // Five standard deviations.
    CHECK(std::abs(count[0][move] - 1000) < 155);
    CHECK(std::abs(count[1][move] - 1000) < 155);
  }

  Board first(kSide);
  Board second(kSide);
  Rng rng_of_first(5);
  Rng rng_of_second(5);
  NoRecord no_record;
  first.playout(rng_of_first, NoRecord{});
  second.playout(rng_of_second, no_record);
  CHECK(first == second);
  const Board over = first;
  int moves = 0;
  CHECK(first.playout(rng, [&](int, Move) { ++moves; }) == over.rewards());
  CHECK(moves == 0);
  CHECK(first == over);
}

TEST_CASE("havannah: cells, moves and sides") {
  const tesuji::Havannah<8> board(8);
  CHECK(board.width() == 15);
  CHECK(board.cell(7) == kEmpty);
  CHECK(board.cell(8) == kOffBoard);
  CHECK(board.cell(225) == kOffBoard);
  CHECK_FALSE(board.is_legal(8));
  CHECK_FALSE(board.is_legal(tesuji::kNoMove));
  MoveList moves;
  board.legal_moves(moves);
  CHECK(moves.size() == 169);
  CHECK(std::set<Move>(moves.begin(), moves.end()).size() == 169);
  for (const Move move : moves) CHECK(board.is_legal(move));
  CHECK_THROWS_AS(tesuji::Havannah<10>(2), std::invalid_argument);
  CHECK_THROWS_AS(tesuji::Havannah<10>(11), std::invalid_argument);
  CHECK_THROWS_AS(tesuji::Havannah<5>(6), std::invalid_argument);
}

TEST_CASE("havannah: swap") {
  Board board(kSide, true);
  CHECK_FALSE(board.can_swap());
  board.play(parse("c3"));
  CHECK(board.can_swap());
  CHECK(board.is_legal(board.swap_move()));
  MoveList moves;
  board.legal_moves(moves);
  CHECK(moves.size() == 61);
  CHECK(moves.back() == board.swap_move());

  Board declined = board;
  declined.play(parse("e5"));
  declined.play(parse("f5"));
  CHECK_FALSE(declined.can_swap());

  Board swapped = board;
  swapped.play(swapped.swap_move());
  CHECK(swapped.cell(parse("c3")) == 1);
  CHECK(swapped.to_move() == 0);
  CHECK_FALSE(swapped.is_legal(parse("c3")));
  swapped.legal_moves(moves);
  CHECK(moves.size() == 60);

  SUBCASE("the taken stone counts for its new owner") {
    Board game(kSide, true);
    game.play(parse("a1"));
    game.play(game.swap_move());
    for (const char* const move : {"e5", "b1", "e6", "c1", "e7", "d1", "e8", "e1"}) game.play(parse(move));
    CHECK(game.winner() == 1);
    CHECK(game.win_kind() == HavannahWin::kBridge);
  }
  SUBCASE("playouts swap as often as they play any other move") {
    Rng rng(11);
    int swaps = 0;
    for (int game = 0; game < 6100; ++game) {
      Board start = board;
      start.playout(rng, [&](int player, Move move) { swaps += player == 1 && move == board.swap_move(); });
    }
    CHECK(std::abs(swaps - 100) < 50);
  }
}

TEST_CASE("havannah: a position can be taken apart and set up again") {
  for (int side = 3; side <= 10; ++side) {
    with_board(side, [&](auto start) {
      using Position = decltype(start);
      Rng rng(static_cast<std::uint64_t>(side));
      for (const bool swap : {false, true}) {
        Position board(side, swap);
        MoveList moves;
        MoveList moves_of_copy;
        do {
          const Position copy = Position::from_cells(side, contents(board), board.to_move(), swap);
          REQUIRE(copy == board);
          REQUIRE(copy.hash() == board.hash());
          REQUIRE(copy.winner() == board.winner());
          REQUIRE(copy.win_kind() == board.win_kind());
          board.legal_moves(moves);
          copy.legal_moves(moves_of_copy);
          REQUIRE(std::is_permutation(moves.begin(), moves.end(), moves_of_copy.begin(), moves_of_copy.end()));
          if (!moves.empty()) board.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
        } while (!moves.empty());
      }
    });
  }

  Points points = SlowRule(kSide).empty_board();
  CHECK_THROWS_AS(Board::from_cells(kSide, points, 2), std::invalid_argument);
  CHECK_THROWS_AS(Board::from_cells(4, points, 0), std::invalid_argument);
  for (const Move move : parse_all("a1 b1 c1 d1 e1")) points[move] = 0;
  for (const Move move : parse_all("a5 b6 c7 d8 e9")) points[move] = 1;
  CHECK_THROWS_AS(Board::from_cells(kSide, points, 0), std::invalid_argument);
  points[parse("c1")] = kOffBoard;
  CHECK_THROWS_AS(Board::from_cells(kSide, points, 0), std::invalid_argument);
}

TEST_CASE("havannah: equality and hash see stones, mover, side and swap, and not the order of moves") {
  const auto after = [](const std::string& moves) {
    Board board(kSide);
    for (const Move move : parse_all(moves)) board.play(move);
    return board;
  };
  CHECK(after("e5 c3 d4") == after("d4 c3 e5"));
  CHECK(after("e5 c3 d4").hash() == after("d4 c3 e5").hash());

  const std::vector<Board> different = {
      Board(kSide), Board(kSide, true), Board(4),       Board::from_cells(kSide, contents(Board(kSide)), 1),
      after("e5"),  after("d4"),        after("e5 c3"), after("c3 e5")};
  std::set<std::uint64_t> hashes;
  for (const Board& board : different) {
    hashes.insert(board.hash());
    CHECK(std::count(different.begin(), different.end(), board) == 1);
  }
  CHECK(hashes.size() == different.size());
}
