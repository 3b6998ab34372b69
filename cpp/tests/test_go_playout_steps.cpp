// The steps of a move of a playout (docs/go-playouts.md), their order, and what is left out of a random move. Boards on
// which two steps find something tell which of them comes first.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "knowledge/go/low_liberties.hpp"
#include "knowledge/go/nakade.hpp"
#include "knowledge/go/patterns.hpp"
#include "knowledge/go/playout.hpp"
#include "knowledge/go/self_atari.hpp"
#include "knowledge/go/urgent.hpp"
#include "tests/go_diagram.hpp"

namespace {

using namespace tesuji;

constexpr int kSize = Diagram::kSize;
using Board = Diagram::Board;
using Index = Diagram::Index;
using Tactics = Diagram::Tactics;

constexpr int kBlack = Board::kBlack;
constexpr int kWhite = Board::kWhite;

// All moves that a playout may begin with: so many draws miss none of 81 points.
std::set<Index> first_moves(const Go<kSize>& position) {
  constexpr int kDraws = 3000;
  Rng rng(1);
  GoPolicy<kSize> policy(position, rng);
  std::set<Index> moves;
  for (int draw = 0; draw < kDraws; ++draw) moves.insert(policy.choose());
  return moves;
}
std::string first_moves(const Diagram& diagram) { return diagram.names(first_moves(diagram.position())); }

// All second moves of playouts, which must have their first stone on `first`.
std::set<Index> second_moves(const Diagram& diagram, Index first) {
  constexpr std::uint64_t kPlayouts = 100;
  std::set<Index> moves;
  for (std::uint64_t seed = 0; seed < kPlayouts; ++seed) {
    Rng rng(seed);
    std::vector<PlayedMove> played;
    GoKnowledgePlayout<kSize>().play(diagram.position(), rng, &played);
    REQUIRE(played.size() >= 2);
    CHECK(diagram.board.point_of(played[0].move) == first);
    REQUIRE(played[1].player == kWhite);
    moves.insert(diagram.board.point_of(played[1].move));
  }
  return moves;
}

// What Black finds after a last stone that has captured so many.
std::string urgent(const Diagram& diagram, int captured) {
  return diagram.found([captured](const Tactics& tactics, int colour, Index last, PointList<kSize>& moves) {
    find_urgent(tactics, colour, last, captured, moves);
  });
}

}  // namespace

TEST_CASE("a small eye may be where nobody of one's own is near and there is little room") {
  const auto may_be = [](const Diagram& diagram, int colour) {
    return may_be_small_eye(Tactics(diagram.board), colour, diagram.at('a'));
  };
  const Diagram eye({"a..O",  //
                     "OOOO"});
  CHECK(may_be(eye, kBlack));
  CHECK_FALSE(may_be(eye, kWhite));  // one's own
  const Diagram own_stone({"a.O.",   //
                           "X.O.",   //
                           "OOO."});
  CHECK_FALSE(may_be(own_stone, kBlack));
  const Diagram room({".....",  //
                      "..a..",  //
                      ".OO.."});
  CHECK_FALSE(may_be(room, kBlack));
  const Diagram less_room({".O...",  //
                           "..a..",  //
                           ".OO.."});
  CHECK(may_be(less_room, kBlack));
  const Diagram stone({"OO.",  //
                       "..."});
  CHECK_FALSE(may_be_small_eye(Tactics(stone.board), kBlack, Diagram::point("A9")));
}

TEST_CASE("vital points are those of eyes next to the last stone") {
  const Diagram at_the_end({".v.L",  //
                            "OOOO"});
  CHECK(at_the_end.found(find_vital_points<kSize>) == "v");
  const Diagram at_the_middle({".v.O",  //
                               "OLOO"});
  CHECK(at_the_middle.found(find_vital_points<kSize>) == "v");
  const Diagram on_two_sides({".v.L.w.O",  //
                              "OOOOOOOO"});
  CHECK(on_two_sides.found(find_vital_points<kSize>) == "vw");
  const Diagram elsewhere({"...O..",  //
                           "OOOOL."});
  CHECK(elsewhere.found(find_vital_points<kSize>) == "");
  const Diagram already_played({".X.L",  //
                                "OOOO"});
  CHECK(already_played.found(find_vital_points<kSize>) == "");
  const Diagram two_points({"..L.",  //
                            "OOO."});
  CHECK(two_points.found(find_vital_points<kSize>) == "");
  const Diagram four_in_a_row({"....L",  //
                               "OOOOO"});
  CHECK(four_in_a_row.found(find_vital_points<kSize>) == "");
  const Diagram pyramid({".v.O.",  //
                         "O.O..",  //
                         ".L..."});
  CHECK(pyramid.found(find_vital_points<kSize>) == "v");
  // Enclosed by Black, with White's stone in the way.
  const Diagram own({"...LX",  //
                     "XXXX."});
  CHECK(own.found(find_vital_points<kSize>) == "");
}

TEST_CASE("urgent: a vital point only after a capture of three to six stones, before chains of two liberties") {
  const Diagram two_liberties({".v.LXa.",  //
                               "OOOOb.."});
  for (const int captured : {3, 4, 5, 6}) CHECK(urgent(two_liberties, captured) == "v");
  for (const int captured : {0, 1, 2, 7}) CHECK(urgent(two_liberties, captured) == "ab");
}

TEST_CASE("urgent: rescues come before a vital point") {
  const Diagram in_atari({".v.LXa.",  //
                          "OOOOO.."});
  CHECK(urgent(in_atari, 3) == "a");
}

TEST_CASE("urgent: both the capture of the last stone and rescues; both extensions and ataris") {
  // b captures, and saves; a saves. Black's stone at C9 has two liberties, too, but that can wait.
  const Diagram capture_and_rescue({"bLX..",  //
                                    "OXa..",  //
                                    "XO..."});
  CHECK(urgent(capture_and_rescue, 0) == "ab");
  // a and b extend; c and d put the last stone into atari.
  const Diagram extension_and_atari({".Xa..",  //
                                     "XLc..",  //
                                     "bdX.."});
  CHECK(urgent(extension_and_atari, 0) == "abcd");
  const Diagram nothing({".....",  //
                         ".L...",  //
                         "....."});
  CHECK(urgent(nothing, 0) == "");
}

TEST_CASE("playout, 1 before 3: the last stone is captured before chains get a third liberty") {
  const Diagram diagram({".X...",  //
                         "XLa..",  //
                         ".X..."});
  CHECK(diagram.found(find_extensions<kSize>) != "");
  CHECK(first_moves(diagram) == "a");
}

TEST_CASE("playout, 1 before 4 and 5: a chain is saved before patterns and captures elsewhere") {
  const Diagram diagram({"..O......",  //
                         ".LXa.....",  //
                         "..O......",  //
                         ".........",  //
                         ".........",  //
                         ".........",  //
                         ".........",  //
                         "X........",  //
                         "Oe......."});
  CHECK(diagram.found(find_patterns<kSize>) != "");
  CHECK(first_moves(diagram) == "a");
}

TEST_CASE("playout, 2: after a capture in the playout the other plays the vital point, before 3") {
  // Black captures three at a. White's stone at E9 is left with two liberties, F9 and E8.
  const Diagram diagram({"OOLaO..",  //
                         "XXXX..."});
  CHECK(second_moves(diagram, diagram.at('a')) == std::set<Index>{Diagram::point("B9")});
  // After the same capture in the tree the first move of a playout does not look for it.
  Go<kSize> after = diagram.position();
  after.play(after.board().move_of(diagram.at('a')));
  CHECK(first_moves(after) == std::set<Index>{Diagram::point("F9"), Diagram::point("E8")});
}

TEST_CASE("playout, 2: an own chain in atari is saved first") {
  const Diagram diagram({"OOLaO..",  //
                         "XXXXX.."});
  CHECK(second_moves(diagram, diagram.at('a')) == std::set<Index>{Diagram::point("F9")});
}

TEST_CASE("playout, 3 before 4: a chain of two liberties is extended before a pattern is played") {
  const Diagram diagram({"..O..",  //
                         ".LXa.",  //
                         ".pb.."});
  CHECK(diagram.found(find_patterns<kSize>) == "bp");
  CHECK(first_moves(diagram) == "ab");
}

TEST_CASE("playout, 4 before 5: a pattern near the last stone before a capture elsewhere") {
  const Diagram diagram({".........",  //
                         ".........",  //
                         "..ab.....",  //
                         "..XL.....",  //
                         "..cd.....",  //
                         ".........",  //
                         ".........",  //
                         "X........",  //
                         "Oe......."});
  CHECK(first_moves(diagram) == "abcd");
}

TEST_CASE("playout, 5 before 6: a capture anywhere before a random move, and patterns only near the last stone") {
  const Diagram far({".......L.",  //
                     ".........",  //
                     ".........",  //
                     "..XO.....",  //
                     ".........",  //
                     ".........",  //
                     ".........",  //
                     "X........",  //
                     "Oe......."});
  CHECK(first_moves(far) == "e");
  // The same where there is no last stone.
  const Diagram no_last_stone({"..XO.....",  //
                               ".........",  //
                               ".........",  //
                               "X........",  //
                               "Oe.......",  //
                               "X........"});
  CHECK(first_moves(no_last_stone) == "e");
}

TEST_CASE("playout, 6: any move where nothing is urgent, but into an own eye") {
  const Diagram diagram({"eX.......",  //
                         "XX...XXX.",  //
                         ".....XfX.",  //
                         ".....XXX.",  //
                         "........."});
  CHECK(first_moves(diagram) == "!");
  // With White on a diagonal it is none.
  const Diagram false_eye({"eX.......",  //
                           "XO.......",  //
                           "........."});
  CHECK(first_moves(false_eye) == "!e");
}

TEST_CASE("playout, 6: no chain is put into self-atari, a single stone may be thrown in") {
  // At a and b a stone would join Black's and leave it one liberty; at c and d it would be alone.
  const Diagram diagram({"aXbO..Ocd",  //
                         "OOO...OOO",  //
                         "........."});
  for (const char name : {'a', 'b', 'c', 'd'}) {
    CHECK(is_self_atari(Tactics(diagram.board), kBlack, diagram.at(name)));
  }
  CHECK(first_moves(diagram) == "!cd");
}

TEST_CASE("playout, 6: the last sensible move is found, and without one a playout passes") {
  const Diagram diagram({"XXXXXXXXX",  //
                         "XabX.X.XX",  //
                         "XXXXXXXXX",  //
                         "X.X.X.X.X",  //
                         "XXXXXXXXX",  //
                         "X.X.X.X.X",  //
                         "XXXXXXXXX",  //
                         "X.X.X.X.X",  //
                         "XXXXXXXXX"});
  CHECK(first_moves(diagram) == "ab");
  const Diagram only_eyes({"XXXXXXXXX",  //
                           "X.X.X.X.X",  //
                           "XXXXXXXXX",  //
                           "X.X.X.X.X",  //
                           "XXXXXXXXX",  //
                           "X.X.X.X.X",  //
                           "XXXXXXXXX",  //
                           "X.X.X.X.X",  //
                           "XXXXXXXXX"});
  CHECK(first_moves(only_eyes) == "-");
}
