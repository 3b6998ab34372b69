// Go: small positions drawn as text, and long random games against the rules written down once more, slowly.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "tests/slow_go.hpp"

namespace {

using namespace tesuji;

template <int kSize>
Stones stones_of(const Go<kSize>& position) {
  Stones stones;
  for (Move point = 0; point < position.pass(); ++point) stones.push_back(position.cell(point));
  return stones;
}

template <int kSize>
GoSetup setup_of(const Go<kSize>& position) {
  GoSetup setup;
  for (Move point = 0; point < position.pass(); ++point) {
    if (position.cell(point) == 0) setup.black.push_back(point);
    if (position.cell(point) == 1) setup.white.push_back(point);
  }
  setup.to_move = position.to_move();
  setup.ko_point = position.ko_point();
  setup.passes = position.passes();
  setup.last_move = position.last_move();
  setup.history = position.history();
  return setup;
}

// Rows of "X" (Black), "O" (White) and ".", from the top; those left out at the bottom are empty.
Go<0> diagram(int to_move, const std::vector<std::string>& rows, bool superko = true) {
  GoSetup setup;
  setup.to_move = to_move;
  Move point = 0;
  for (const std::string& row : rows) {
    for (const char c : row) {
      if (c == 'X') setup.black.push_back(point);
      if (c == 'O') setup.white.push_back(point);
      point += c != ' ';
    }
  }
  return Go<0>::from_setup(static_cast<int>(rows.front().size() + 1) / 2, 7.5, superko, setup);
}

void check_stones(const Go<0>& position, const std::vector<std::string>& rows) {
  CHECK(stones_of(position) == stones_of(diagram(0, rows)));
}

Move at(const Go<0>& position, int row, int column) { return static_cast<Move>(row * position.size() + column); }

// Whether all that the board keeps up to date is what a recount gives.
template <int kSize>
bool board_data_is_right(const Go<kSize>& position, const SlowGo& rules) {
  const auto& board = position.board();
  const Stones stones = stones_of(position);
  const auto point_of = [&](int i) { return board.point_of(static_cast<Move>(i)); };
  bool right = true;
  std::set<std::ptrdiff_t> listed;
  for (int slot = 0; slot < board.empty_count(); ++slot) listed.insert(board.empty(slot));
  int difference = 0;
  for (int i = 0; i < static_cast<int>(stones.size()); ++i) {
    const auto point = point_of(i);
    right &= board.move_of(point) == static_cast<Move>(i) && listed.contains(point) == (stones[i] == 2);
    if (stones[i] == 2) {
      std::array<int, 4> masks{};  // by colour
      for (int d = 0; d < 4; ++d) masks[board.colour(point + board.kDirections[d])] |= 1 << d;
      right &= board.empty_neighbours(point) == std::popcount(static_cast<unsigned>(masks[2]));
      for (const int colour : {0, 1}) right &= static_cast<int>(board.neighbour_mask(point, colour)) == masks[colour];
      right &= board.chain(point) == point && board.next_in_chain(point) == point;
      continue;
    }
    difference += stones[i] == 0 ? 1 : -1;
    const SlowGo::Region chain = rules.region(stones, i);
    int pairs = 0;
    for (const int stone : chain.points) {
      right &= board.chain(point_of(stone)) == board.chain(point);
      for (const int neighbour : rules.neighbours(stone)) pairs += stones[neighbour] == 2;
    }
    right &= board.chain(board.next_in_chain(point)) == board.chain(point);
    right &= board.chain_size(point) == static_cast<int>(chain.points.size());
    right &= board.pseudo_liberties(point) == pairs;
  }
  return right && difference == board.stone_difference() && board.empty_count() == static_cast<int>(listed.size());
}

struct Rarities {
  int ko = 0;
  int superko = 0;  // moves that superko alone forbids
};

// All legal stones but those in own eyes; the pass only where the board is three quarters full, after a pass, or alone.
template <int kSize>
bool search_moves_are_right(const Go<kSize>& position, const SlowGo& rules, const MoveList& legal) {
  MoveList expected;
  for (const Move move : legal) {
    if (move != position.pass() && !rules.is_own_eye(static_cast<int>(move))) expected.push_back(move);
  }
  const auto empty = std::count(rules.stones().begin(), rules.stones().end(), 2);
  const bool may_pass = 4 * empty <= static_cast<int>(position.pass()) || position.passes() == 1 || expected.empty();
  if (may_pass && !position.is_over()) {
    expected.push_back(position.pass());
  }
  MoveList searched;
  position.search_moves(searched);
  std::sort(searched.begin(), searched.end());
  return searched == expected;
}

// Plays moves at random, eyes are filled too, so that chains of all sizes are captured; captures are preferred, so
// that there are many kos and positions come again.
template <int kSize>
void check_random_game(int size, bool superko, int moves, std::uint64_t seed, Rarities& seen) {
  Go<kSize> position(size, 7.5, superko);
  SlowGo rules(size, superko);
  Rng rng(seed);
  MoveList legal;
  for (int number = 0; number < moves && !position.is_over(); ++number) {
    MoveList expected, captures;
    Move ko_point = kNoMove;
    bool is_legal_agrees = true;
    for (int point = 0; point < size * size; ++point) {
      const std::optional<Stones> next = rules.after(point);
      const bool is_legal = rules.is_legal(next);
      const Move move = static_cast<Move>(point);
      if (is_legal) expected.push_back(move);
      const bool captures_some = next && std::ranges::count(*next, 2) >= std::ranges::count(rules.stones(), 2);
      if (is_legal && captures_some) captures.push_back(move);
      if (next && rules.retakes_ko(*next)) ko_point = move;
      is_legal_agrees &= position.is_legal(move) == is_legal;
      seen.superko += superko && next && !rules.retakes_ko(*next) && rules.repeats(*next);
    }
    expected.push_back(position.pass());
    position.legal_moves(legal);
    REQUIRE(legal == expected);
    REQUIRE(is_legal_agrees);
    REQUIRE(stones_of(position) == rules.stones());
    REQUIRE(position.to_move() == rules.to_move());
    REQUIRE(position.ko_point() == ko_point);
    REQUIRE(position.area_score() == rules.area_score());
    REQUIRE(board_data_is_right(position, rules));
    REQUIRE(search_moves_are_right(position, rules, legal));
    seen.ko += ko_point != kNoMove;
    if (legal.size() > 1 && rng.below(50) != 0) legal.pop_back();  // a pass only now and then
    const MoveList& list = !captures.empty() && rng.below(4) != 0 ? captures : legal;
    const Move move = list[rng.below(static_cast<std::uint32_t>(list.size()))];
    position.play(move);
    rules.play(static_cast<int>(move));
  }
}

// Replays a playout with the slow rules: each move sensible, each pass for want of one, and the right score.
template <int kSize>
void check_playout(int size, std::uint64_t seed) {
  Go<kSize> position(size, 0.5, true);
  SlowGo rules(size, false);
  Rng rng(seed);
  const int pass = size * size;
  const auto is_sensible = [&](int point) { return rules.is_legal(rules.after(point)) && !rules.is_own_eye(point); };
  const auto has_sensible_move = [&] {
    int count = 0;
    for (int point = 0; point < pass; ++point) count += is_sensible(point);
    return count > 0;
  };
  const auto recorder = [&](int player, Move move) {
    if (player != rules.to_move()) {
      REQUIRE_FALSE(has_sensible_move());
      rules.play(pass);
    }
    REQUIRE(is_sensible(static_cast<int>(move)));
    rules.play(static_cast<int>(move));
  };
  if (seed % 4 == 0) {
    position.play(position.pass());
    rules.play(pass);
  }
  const Rewards rewards = position.playout(rng, recorder);
  REQUIRE(stones_of(position) == rules.stones());
  REQUIRE(board_data_is_right(position, rules));
  REQUIRE(rewards == two_player_rewards(rules.area_score() > 0 ? 0 : 1));
  if (!position.is_over()) return;
  REQUIRE_FALSE(has_sensible_move());
  REQUIRE(position.board().area_score_of_finished() == rules.area_score());
  // Neither a finished game nor one with a pass and without a sensible move goes on.
  REQUIRE(position.playout(rng, recorder) == rewards);
  GoSetup setup = setup_of(position);
  setup.passes = 1;
  REQUIRE(Go<kSize>::from_setup(size, 0.5, true, setup).playout(rng, recorder) == rewards);
}

double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

}  // namespace

TEST_CASE("Go: a new board, and two passes") {
  Go<9> position(9, 0.0, true);
  MoveList moves;
  position.legal_moves(moves);
  CHECK(moves.size() == 82);
  CHECK(moves.back() == position.pass());
  CHECK(position.last_move() == kNoMove);
  position.play(position.pass());
  CHECK(position.passes() == 1);
  for (const Move move : {40u, position.pass(), position.pass()}) position.play(move);
  CHECK(position.is_over());
  CHECK_FALSE(position.is_legal(position.pass()));
  position.legal_moves(moves);
  CHECK(moves.empty());
  CHECK(position.rewards() == two_player_rewards(1));
  CHECK_THROWS_AS(Go<9>(13, 7.5, true), std::invalid_argument);
  for (const int size : {4, 20}) CHECK_THROWS_AS(Go<0>(size, 7.5, true), std::invalid_argument);
  CHECK_THROWS_AS(Go<9>(9, std::nan(""), true), std::invalid_argument);
}

TEST_CASE("Go: captures, and suicide of one stone and of several") {
  Go<0> position = diagram(0, {"O X . . .",  //
                               "O X . X .",  //
                               ". X X O X",  //
                               ". . . O X",  //
                               ". . . X ."});
  position.play(at(position, 3, 2));
  position.play(position.pass());
  position.play(at(position, 2, 0));
  for (const auto& [row, column] : {std::pair{0, 0}, {1, 0}, {2, 3}, {3, 3}}) {
    CHECK(position.cell(at(position, row, column)) == 2);
  }
  position = diagram(0, {". O . O .",  //
                         "O . O X O",  //
                         ". . O . O",  //
                         ". . . O ."});
  CHECK_FALSE(position.is_legal(at(position, 0, 0)));
  CHECK_FALSE(position.is_legal(at(position, 2, 3)));
  CHECK(position.is_legal(at(position, 1, 1)));
}

TEST_CASE("Go: a ko is retaken only after another move") {
  Go<0> position = diagram(1, {". X O . .",  //
                               "X . X O .",  //
                               ". X O . ."});
  const Move ko = at(position, 1, 2);
  position.play(at(position, 1, 1));
  CHECK(position.ko_point() == ko);
  CHECK_FALSE(position.is_legal(ko));
  position.play(position.pass());
  CHECK(position.ko_point() == kNoMove);
  position.play(at(position, 4, 0));
  CHECK(position.is_legal(ko));
}

TEST_CASE("Go: a snapback is not a ko") {
  Go<0> position = diagram(0, {". . O X .",  //
                               "O O O X .",  //
                               "X X X X ."});
  position.play(at(position, 0, 0));
  position.play(at(position, 0, 1));
  CHECK(position.ko_point() == kNoMove);
  position.play(at(position, 0, 0));
  check_stones(position, {"X . . X .",  //
                          ". . . X .",  //
                          "X X X X ."});
}

TEST_CASE("Go: superko forbids to send two and return one, and to go round a triple ko") {
  const std::vector<std::string> two_for_one = {". O . O .",  //
                                                "X X O . ."};
  // Black has just taken in the first and the third ko, White in the second.
  const std::string side = ". X O . . . . . .", black_took = "X . X O . . . . .", white_took = "X O . O . . . . .";
  const std::vector<std::string> triple_ko = {side, black_took, side, side, white_took, side, side, black_took, side};
  const auto check = [](const std::vector<std::string>& rows, const std::vector<std::pair<int, int>>& moves) {
    for (const bool superko : {false, true}) {
      Go<0> position = diagram(1, rows, superko);
      for (const auto& [row, column] : moves) {
        const bool is_last = &row == &moves.back().first;
        REQUIRE(position.is_legal(at(position, row, column)) == !(superko && is_last));
        if (!superko || !is_last) position.play(at(position, row, column));
      }
      CHECK(position.history().size() == (superko ? moves.size() : 0));
      if (!superko) check_stones(position, rows);
    }
  };
  check(two_for_one, {{0, 0}, {0, 2}, {0, 1}});
  check(triple_ko, {{1, 1}, {4, 2}, {7, 1}, {1, 2}, {4, 1}, {7, 2}});
}

TEST_CASE("Go: area scoring") {
  const Go<0> position = diagram(0, {". X . O .",  //
                                     "X X . O O",  //
                                     ". X O O .",  //
                                     "X X O . .",  //
                                     "X . X O ."});
  // Black: 8 stones and 3 points; White: 7 stones and 5 points; two points are neutral.
  CHECK(position.area_score() == 11 - 12);
  Go<0> draw = Go<0>::from_setup(5, -1.0, true, setup_of(position));
  draw.play(draw.pass());
  draw.play(draw.pass());
  CHECK(draw.rewards() == two_player_rewards(kDraw));
}

TEST_CASE("Go: random games against the slow rules" * doctest::test_suite("slow reference")) {
  Rarities seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) check_random_game<0>(5, true, 300, seed, seen);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    check_random_game<0>(5, false, 150, seed, seen);
    check_random_game<0>(7, seed % 2 == 0, 150, seed, seen);
    check_random_game<9>(9, seed % 2 == 0, 200, seed, seen);
  }
  check_random_game<13>(13, true, 350, 1, seen);
  check_random_game<0>(13, false, 250, 2, seen);
  check_random_game<19>(19, true, 300, 3, seen);
  // The games must have come across what they are to test.
  CHECK(seen.superko > 30);
  CHECK(seen.ko > 200);
}

TEST_CASE("Go: playouts against the slow rules") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    check_playout<0>(5, seed);
    check_playout<0>(7, seed);
    check_playout<9>(9, seed);
  }
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    check_playout<13>(13, seed);
    check_playout<19>(19, seed);
  }
}

TEST_CASE("Go: the first move of a playout is uniform over the sensible ones") {
  const auto first_moves = [](const Go<0>& start, int playouts) {
    std::vector<int> counts(static_cast<std::size_t>(start.pass()), 0);
    Rng rng(2024);
    for (int i = 0; i < playouts; ++i) {
      Go<0> position = start;
      int number = 0;
      position.playout(rng, [&](int, Move move) { counts[move] += ++number == 1; });
    }
    return counts;
  };
  // 80 degrees of freedom: 124.8 is exceeded once in a thousand times.
  CHECK(chi_square(first_moves(Go<0>(9, 7.5, true), 81 * 500), 500) < 124.8);

  // All points but (3,2) and (4,2) are Black's eyes or suicides.
  const Go<0> late = diagram(0, {". X O O .",  //
                                 "X X O O O",  //
                                 ". X O . O",  //
                                 "X X . O O",  //
                                 ". X . O ."});
  const std::vector<int> counts = first_moves(late, 3000);
  const std::vector<int> sensible = {counts[at(late, 3, 2)], counts[at(late, 4, 2)]};
  CHECK(sensible[0] + sensible[1] == 3000);
  CHECK(chi_square(sensible, 1500) < 10.8);
}

TEST_CASE("Go: a set-up position plays on as the original") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Go<0> original(5, 7.5, true);
    Rng rng(seed);
    MoveList moves, moves_of_copy;
    for (int i = 0; i < 60 && !original.is_over(); ++i) {
      Go<0> copy = Go<0>::from_setup(5, 7.5, true, setup_of(original));
      CHECK(copy == original);
      CHECK(copy.hash() == original.hash());
      CHECK(copy.history() == original.history());
      original.legal_moves(moves);
      copy.legal_moves(moves_of_copy);
      CHECK(moves == moves_of_copy);
      original.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
}

TEST_CASE("Go: a set-up must make sense") {
  const auto set_up = [](MoveList black, MoveList white, int to_move = 0, Move ko = kNoMove, int passes = 0) {
    return Go<9>::from_setup(9, 7.5, true, {black, white, to_move, ko, passes, kNoMove, kNoMove, {}});
  };
  CHECK_THROWS_WITH_AS(set_up({3}, {3}), "Go: two stones on point 3 (row 0, column 3)", std::invalid_argument);
  CHECK_THROWS_WITH_AS(set_up({81}, {}), "Go: no such point: 81", std::invalid_argument);
  CHECK_THROWS_AS(set_up({0}, {1, 9}), std::invalid_argument);
  CHECK_THROWS_AS(set_up({1, 9}, {0}), std::invalid_argument);
  CHECK_THROWS_AS(set_up({}, {}, 2), std::invalid_argument);
  CHECK_THROWS_AS(set_up({5}, {}, 0, 5), std::invalid_argument);
  CHECK_THROWS_AS(set_up({}, {}, 0, kNoMove, 3), std::invalid_argument);
}

TEST_CASE("Go: equality and hash") {
  Go<9> a(9, 7.5, true), b(9, 7.5, true);
  for (const Move move : {40u, 20u, 60u}) a.play(move);
  for (const Move move : {60u, 20u, 40u}) b.play(move);
  CHECK(a == b);
  CHECK(a.hash() == b.hash());
  Go<9> passed = a;
  passed.play(passed.pass());
  CHECK_FALSE(passed == a);
  CHECK(passed.hash() != a.hash());
  CHECK_FALSE(Go<9>(9, 6.5, true) == Go<9>(9, 7.5, true));
  CHECK_FALSE(Go<9>(9, 7.5, false) == Go<9>(9, 7.5, true));
  Rng rng(3);
  a.playout(rng, NoRecord{});
  const Go<9> copy = Go<9>::from_setup(9, 7.5, true, setup_of(a));
  CHECK(copy == a);
  CHECK(copy.hash() == a.hash());
}
