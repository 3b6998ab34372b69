// The features of Go moves on boards drawn as text. (Their symmetry, and that teams of a whole record are those of its
// positions one by one, is tested from Python.)
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "knowledge/go/features.hpp"
#include "knowledge/go/situation.hpp"

namespace {

using namespace tesuji;
using namespace tesuji::go_features;

constexpr int kSize = 9;
using Board = GoBoard<kSize>;
using Index = Board::Index;

// The level of a feature, by name, of Black's move on the empty point `a`, or of a pass where there is none. X is
// Black, O is White, B Black's last stone, L White's, which is played after all others and may capture.
template <class Feature>
std::string level(const std::vector<std::string>& rows, bool is_after_pass = false) {
  Board board(kSize);
  Index last = 0;
  Index before_last = 0;
  Index point = 0;
  for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
    for (int column = 0; column < static_cast<int>(rows[row].size()); ++column) {
      const char symbol = rows[row][column];
      const Index here = Board::point_at(row, column);
      if (symbol == 'X' || symbol == 'B') board.play(Board::kBlack, here);
      if (symbol == 'O') board.play(Board::kWhite, here);
      if (symbol == 'B') before_last = here;
      if (symbol == 'L') last = here;
      if (symbol == 'a') point = here;
    }
  }
  if (last != 0) board.play(Board::kWhite, last);
  const TacticalBoard<kSize> tactics(board);
  GoSituation<kSize> situation(tactics, Board::kBlack, last, before_last, is_after_pass);
  const int found = Feature::level(Candidate<kSize>(situation, point));
  return found == 0 ? "" : std::string(Feature::kLevels.at(static_cast<std::size_t>(found - 1)));
}

}  // namespace

TEST_CASE("captures say what they are good for") {
  CHECK(level<Capture>({".X.", "XOa", ".X."}) == "of one stone");
  CHECK(level<Capture>({".XX.", "XOOa", ".XX."}) == "of several stones");
  CHECK(level<Capture>({".X.", "XLa", ".X."}) == "of the last stone");
  CHECK(level<Capture>({"OX.", "aO."}) == "that saves own stones");
  CHECK(level<Capture>({"LX.", "aO."}) == "of the last stone, that saves own stones");
  CHECK(level<Capture>({"XOa", "XX."}) == "of stones that cannot escape");
  CHECK(level<Capture>({".XO", "XO.", ".Xa"}).empty());
}

TEST_CASE("extensions out of atari read the ladder") {
  CHECK(level<Extension>({".O.", "OXa", ".L."}) == "of an atari by the last move");
  CHECK(level<Extension>({".O.", "OXa", ".O."}) == "of an old atari");
  CHECK(level<Extension>({"OXa", "OO."}) == "into a ladder that is lost");
  CHECK(level<Extension>({"...", "OXa", ".O."}).empty());
}

TEST_CASE("self-atari by the number of stones") {
  CHECK(level<SelfAtari>({".aO", "OO."}) == "of one stone");
  CHECK(level<SelfAtari>({".a.", "OO."}).empty());
  CHECK(level<SelfAtari>({"XaO", "XO.", ".O."}) == "of two or three");
  CHECK(level<SelfAtari>({"XaO", "XO.", "XO.", ".O."}) == "of more");
}

TEST_CASE("ataris read the ladder") {
  CHECK(level<Atari>({".X.", "XOa", "..."}) == "of a chain that escapes");
  CHECK(level<Atari>({".X.", "XLa", "..."}) == "of the last stone's chain, which escapes");
  CHECK(level<Atari>({"XO.", "Xa."}) == "of a chain that cannot escape");
  CHECK(level<Atari>({"XL.", "Xa."}) == "of the last stone's chain, which cannot escape");
  CHECK(level<Atari>({".X.X.", "XOaOX", "....."}) == "of two chains");
  CHECK(level<Atari>({"...", ".Oa", "..."}).empty());
  const std::vector<std::string> ko = {".XO.", "XLXO", ".XO."};
  CHECK(level<Atari>({ko[0], ko[1], ko[2], "....", "..X.", ".XOa", "...."}) == "while a ko is forbidden");
}

TEST_CASE("passes") {
  CHECK(level<Pass>({"..."}) == "first");
  CHECK(level<Pass>({"..."}, true) == "after a pass");
  CHECK(level<Pass>({"a.."}).empty());
}

TEST_CASE("vital points of eyes, and a ko") {
  CHECK(level<VitalPoint>({".a.O", "OOOO"}) == "of the other's");
  CHECK(level<VitalPoint>({".a.X", "XXXX"}) == "of an own");
  CHECK(level<VitalPoint>({"a..O", "OOOO"}).empty());
  CHECK(level<Ko>({".XO.", "XOaO", ".XO."}) == "taken");
  CHECK(level<Ko>({".XO.", "XOa.", ".XO."}).empty());
}

TEST_CASE("liberties before and after") {
  CHECK(level<Race>({"XaO"}) == "2 : 3");
  CHECK(level<Race>({"...", ".a."}).empty());
  CHECK(level<Race>({"O..", "Oa."}) == "- : 3");
  CHECK(level<LibertiesAfter>({"...", ".a."}) == "4");
  CHECK(level<LibertiesAfter>({"aX."}) == "3");
  CHECK(level<AgainstLast>({"aL"}) == "3");
  CHECK(level<AgainstLast>({"a.L"}).empty());
  CHECK(level<Defence>({"aXL"}) == "2");
  CHECK(level<Defence>({"aXO"}).empty());
}

TEST_CASE("where a move is") {
  CHECK(level<Line>({"a"}) == "1, opening");
  CHECK(level<Line>({"", "", "", "", "....a"}) == "5 and more, opening");
  CHECK(level<Line>({".XXXXXXXX", "a"}) == "1, opening");
  CHECK(level<Line>({"XXXXXXXXX", ".a"}) == "2, middle");
  CHECK(level<Line>({"XXXXXXXXX", "XXXXXXXXX", "XXXXXXXXX", "XXXXXX..a"}) == "1, endgame");
  CHECK(level<NearLast>({"a.", ".L"}) == "2 or 3");
  CHECK(level<NearLast>({"a.L"}) == "4 to 6");
  CHECK(level<NearLast>({"a...L"}) == "7 and more");
  CHECK(level<NearLast>({"a.O"}).empty());
  CHECK(level<DistanceToLast>({"aL"}) == "2");
  CHECK(level<DistanceToLast>({"a.", ".L"}) == "3");
  CHECK(level<DistanceToLast>({"a.......L"}) == "16");
  CHECK(level<DistanceToLast>({"aO"}).empty());
  CHECK(level<DistanceToBeforeLast>({"a..BL"}) == "6");
  CHECK(level<DistanceToBeforeLast>({"a..XL"}).empty());
}
