// The tactical board against liberties counted slowly, and on boards drawn as text what is found there one by one: the
// order in which playouts ask is in test_go_playout_steps.cpp.
#include <array>
#include <set>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "knowledge/go/atari.hpp"
#include "knowledge/go/ladder.hpp"
#include "knowledge/go/low_liberties.hpp"
#include "knowledge/go/nakade.hpp"
#include "knowledge/go/playout.hpp"
#include "knowledge/go/self_atari.hpp"
#include "knowledge/go/tactical_board.hpp"
#include "tests/go_diagram.hpp"

namespace {

using namespace tesuji;

constexpr int kSize = 9;
using Tactics = TacticalBoard<kSize>;
using Index = Tactics::Index;
using Board = GoBoard<kSize>;

constexpr int kBlack = Board::kBlack;
constexpr int kWhite = Board::kWhite;

template <int kLines>
std::set<Index> slow_liberties(const GoBoard<kLines>& board, Index stone) {
  std::set<Index> liberties;
  Index other = stone;
  do {
    for (const int direction : board.kDirections) {
      if (board.colour(other + direction) == board.kEmpty) liberties.insert(other + direction);
    }
    other = board.next_in_chain(other);
  } while (other != stone);
  return liberties;
}

template <int kLines>
std::set<Index> slow_liberties_after(const GoBoard<kLines>& board, int colour, Index point) {
  std::set<Index> liberties;
  for (const int direction : board.kDirections) {
    const Index neighbour = point + direction;
    const int found = board.colour(neighbour);
    if (found == board.kEmpty) liberties.insert(neighbour);
    if (found == colour) liberties.merge(slow_liberties(board, neighbour));
    if (found == 1 - colour && slow_liberties(board, neighbour).size() == 1) liberties.insert(neighbour);
  }
  liberties.erase(point);
  return liberties;
}

template <int kLines>
unsigned slow_neighbourhood(const GoBoard<kLines>& board, Index point) {
  unsigned code = 0;
  unsigned shift = 0;
  for (const Index row : {-board.kStride, 0, board.kStride}) {
    for (const Index column : {-1, 0, 1}) {
      if (row == 0 && column == 0) continue;
      code |= static_cast<unsigned>(board.colour(point + row + column)) << shift;
      shift += 2;
    }
  }
  return code;
}

template <class Points>
std::set<Index> as_set(const Points& points) {
  std::set<Index> result;
  points.for_each([&](Index point) { result.insert(point); });
  return result;
}

template <int kLines>
void check_liberties(const TacticalBoard<kLines>& tactics) {
  std::array<std::set<Index>, 2> in_atari;
  for (Index point = 0; point < GoBoard<kLines>::kPoints; ++point) {
    if (tactics.colour(point) == tactics.kEmpty) {
      for (const int colour : {kBlack, kWhite}) {
        REQUIRE(as_set(tactics.liberties_after(colour, point)) == slow_liberties_after(tactics.board(), colour, point));
      }
    }
    if (tactics.colour(point) <= tactics.kEmpty) {
      REQUIRE(tactics.neighbourhood(point) == slow_neighbourhood(tactics.board(), point));
    }
    if (tactics.colour(point) > kWhite) continue;
    const std::set<Index> found = as_set(tactics.liberties(point));
    REQUIRE(found == slow_liberties(tactics.board(), point));
    REQUIRE(tactics.liberties_if(true, point) == tactics.liberties(point));
    REQUIRE(tactics.liberties_if(false, point).is_empty());
    REQUIRE(tactics.in_atari(point) == (found.size() == 1));
    REQUIRE(tactics.liberty_count(point) == static_cast<int>(found.size()));
    if (found.size() == 1) in_atari[tactics.colour(point)].insert(tactics.chain(point));
  }
  for (const int colour : {kBlack, kWhite}) REQUIRE(as_set(tactics.chains_in_atari(colour)) == in_atari[colour]);
}

// Random moves; after every tenth the board is made anew, too.
template <int kLines>
void check_random_games(int size, int games, int plies) {
  Rng rng(1);
  for (int game = 0; game < games; ++game) {
    TacticalBoard<kLines> tactics{GoBoard<kLines>(size)};
    int colour = kBlack;
    for (int ply = 0; ply < plies; ++ply, colour = 1 - colour) {
      const GoBoard<kLines>& board = tactics.board();
      const Index point = board.empty(static_cast<int>(rng.below(static_cast<std::uint32_t>(board.empty_count()))));
      REQUIRE(tactics.is_legal(colour, point) == board.is_legal(colour, point));
      if (!tactics.is_legal(colour, point)) continue;
      tactics.play(colour, point);
      check_liberties(tactics);
      if (ply % 10 == 0) check_liberties(TacticalBoard<kLines>(board));
    }
  }
}

}  // namespace

TEST_CASE("a tactical board knows the liberties of every chain, move by move" * doctest::test_suite("slow reference")) {
  check_random_games<9>(9, 20, 200);
  check_random_games<13>(13, 2, 500);
  check_random_games<19>(19, 1, 1000);
  check_random_games<0>(5, 20, 100);
  check_random_games<0>(7, 5, 150);
}

TEST_CASE("the last stone is captured where it stands in atari") {
  const Diagram diagram({".X...",  //
                         "XOa..",  //
                         ".X..."});
  CHECK(diagram.found(find_capture_of_last<kSize>, kBlack, "B8") == "a");
  const Diagram safe({".X...",  //
                      "XO...",  //
                      "....."});
  CHECK(safe.found(find_capture_of_last<kSize>, kBlack, "B8") == "");
}

TEST_CASE("a chain in atari is saved by running, or by the capture of what surrounds it") {
  const Diagram diagram({"bOX..",  //
                         "OXa..",  //
                         "XO..."});
  CHECK(diagram.found(find_rescues<kSize>, kBlack, "B9") == "ab");
}

TEST_CASE("a chain that gets no second liberty does not run") {
  const Diagram runs({"Xa...",  //
                      "O....",  //
                      "....."});
  CHECK(runs.found(find_rescues<kSize>, kBlack, "A8") == "a");
  const Diagram lost({"Xa...",  //
                      "OO...",  //
                      "....."});
  CHECK(lost.found(find_rescues<kSize>, kBlack, "A8") == "");
}

TEST_CASE("captures are found anywhere") {
  const Diagram diagram({"aXXO.",  //
                         "OOO..",  //
                         ".....",  //
                         "OXb..",  //
                         ".O..."});
  const auto find_all = [](const Tactics& tactics, int colour, Index, PointList<kSize>& moves) {
    find_captures(tactics, colour, moves);
  };
  CHECK(diagram.found(find_all, kWhite, "A8") == "a");
  CHECK(diagram.found(find_all, kBlack, "A8") == "");
}

TEST_CASE("a chain of two liberties is extended where that gives it a third") {
  const Diagram diagram({"..O..",  //
                         ".OXa.",  //
                         "..b.."});
  CHECK(diagram.found(find_extensions<kSize>, kBlack, "B8") == "ab");
  const Diagram narrow({"OX...",  //
                        "OX...",  //
                        "OOO.."});
  CHECK(narrow.found(find_extensions<kSize>, kBlack, "A8") == "");
}

TEST_CASE("an atari comes from the side on which the chain has less to run to") {
  const Diagram diagram({".O...",  //
                         ".Xb..",  //
                         ".O..."});
  CHECK(diagram.found(find_ataris<kSize>, kWhite, "B8") == "b");
  const Diagram edge({"XaX..",  //
                      ".O...",  //
                      "XO..."});
  CHECK(edge.found(find_ataris<kSize>, kWhite, "A9") == "a");
  const Diagram open({".....",  //
                      ".XO.."});
  CHECK(open.found(find_ataris<kSize>, kWhite, "B8") == "");
}

TEST_CASE("self-atari is a move that leaves one liberty, unless it captures several stones") {
  const Diagram into({"a.X..",  //
                      "XXX..",  //
                      "....."});
  CHECK(is_self_atari(Tactics(into.board), kWhite, into.at('a')));
  CHECK_FALSE(is_self_atari(Tactics(into.board), kBlack, into.at('a')));
  const Diagram several({"aOOX.",  //
                         "OXXX.",  //
                         "X...."});
  CHECK_FALSE(is_self_atari(Tactics(several.board), kBlack, several.at('a')));
}

TEST_CASE("the vital point of a small eye") {
  const auto vital = [](const Diagram& diagram, char inside) {
    return vital_point(Tactics(diagram.board), diagram.at(inside));
  };
  const Diagram three({"iv.X",  //
                       "XXXX"});
  CHECK(vital(three, 'i') == three.at('v'));
  const Diagram bent({"iX..",  //
                      "v.X.",  //
                      "XX.."});
  CHECK(vital(bent, 'i') == bent.at('v'));
  const Diagram four_in_a_row({"i...X",  //
                               "XXXXX"});
  CHECK(vital(four_in_a_row, 'i') == 0);
  const Diagram pyramid({".v.X",  //
                         "XiX.",  //
                         ".X.."});
  CHECK(vital(pyramid, 'i') == pyramid.at('v'));
  const Diagram bulky_five({"iv.X",  //
                            "..X.",  //
                            "XX.."});
  CHECK(vital(bulky_five, 'i') == bulky_five.at('v'));
  const Diagram cross({"..X..",  //
                       ".XiX.",  //
                       "X.v.X",  //
                       ".X.X.",  //
                       "..X.."});
  CHECK(vital(cross, 'i') == cross.at('v'));
  const Diagram rabbity_six({".XX..",  //
                             "X.iX.",  //
                             "X.v.X",  //
                             ".X.X.",  //
                             "..X.."});
  CHECK(vital(rabbity_six, 'i') == rabbity_six.at('v'));
  const Diagram square({"i.X",  //
                        "..X",  //
                        "XX."});
  CHECK(vital(square, 'i') == 0);
  const Diagram shared({"iv.O",  //
                        "XXXX"});
  CHECK(vital(shared, 'i') == 0);
}

TEST_CASE("a ladder is lost unless a stone breaks it") {
  LadderReader<kSize> ladders;
  const Diagram ladder({".........",  //
                        "..OO.....",  //
                        ".OXa.....",  //
                        "..O......"});
  CHECK(ladders.is_lost(Tactics(ladder.board), Diagram::point("C7")));
  const Diagram broken({".........",  //
                        "..OO.....",  //
                        ".OXa.....",  //
                        "..O......",  //
                        ".....X...",  //
                        "........."});
  CHECK_FALSE(ladders.is_lost(Tactics(broken.board), Diagram::point("C7")));
  // One atari earlier: it begins at a; from b the stone would run downwards.
  const Diagram before({".........",  //
                        "..OO.....",  //
                        ".OXb.....",  //
                        "..a......"});
  CHECK(ladders.captures(Tactics(before.board), kWhite, before.at('a'), Diagram::point("C7")));
  CHECK_FALSE(ladders.captures(Tactics(before.board), kWhite, before.at('b'), Diagram::point("C7")));
}

TEST_CASE("a ladder is read the same way however the board lies") {
  // White has two ways at many steps, in open and crowded positions alike: what is left to read must not depend on
  // which of them comes first.
  LadderReader<kSize> ladders;
  int lost = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed);
    Board board(kSize);
    Board mirrored(kSize);
    for (int stone = 0; stone < 30; ++stone) {
      const int row = static_cast<int>(rng.below(kSize));
      const int column = static_cast<int>(rng.below(kSize));
      const int colour = static_cast<int>(rng.below(2));
      const auto point = Board::point_at(row, column);
      if (board.colour(point) != Board::kEmpty || !Tactics(board).is_legal(colour, point)) continue;
      board.play(colour, point);
      mirrored.play(colour, Board::point_at(column, kSize - 1 - row));
    }
    const Tactics tactics(board);
    const Tactics other(mirrored);
    for (int place = 0; place < kSize * kSize; ++place) {
      const auto stone = Board::point_at(place / kSize, place % kSize);
      if (!tactics.is_stone(stone) || !tactics.in_atari(stone)) continue;
      const bool is_lost = ladders.is_lost(tactics, stone);
      lost += is_lost;
      CHECK(is_lost == ladders.is_lost(other, Board::point_at(place % kSize, kSize - 1 - place / kSize)));
    }
  }
  CHECK(lost > 50);
}

TEST_CASE("playouts end, score the board, repeat with the seed and record every stone") {
  const GoKnowledgePlayout<kSize> playout;
  const Go<kSize> start;
  std::vector<PlayedMove> first;
  std::vector<PlayedMove> second;
  Rng rng(5);
  Rng same(5);
  const Rewards rewards = playout.play(start, rng, &first);
  CHECK(playout.play(start, same, &second) == rewards);
  CHECK(first.size() > 40);
  REQUIRE(first.size() == second.size());
  Go<kSize> replayed(kSize, 7.5, false);
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].move == second[i].move);
    if (first[i].player != replayed.to_move()) replayed.play(replayed.pass());
    REQUIRE(replayed.is_legal(first[i].move));
    replayed.play(first[i].move);
  }
  CHECK(replayed.rewards() == rewards);
}

TEST_CASE("a stone whose only liberty is what it captured is known to be in atari") {
  const Diagram diagram({".XO.",  //
                         "XOaO",  //
                         ".XO."});
  Tactics tactics(diagram.board);
  CHECK(tactics.play(Board::kBlack, diagram.at('a')) == 1);
  CHECK(tactics.in_atari(diagram.at('a')));
  CHECK(tactics.chains_in_atari(Board::kBlack).has(tactics.chain(diagram.at('a'))));
}
