// What the visits that a new node gets say of its moves: each piece of knowledge on a board drawn as text. Nearly every
// point of interest is next to stones of both players, so that a pattern often fits as well.
#include <algorithm>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "knowledge/go/priors.hpp"
#include "tests/go_diagram.hpp"

namespace {

using namespace tesuji;
using Visits = GoPriorVisits;

constexpr int kSize = Diagram::kSize;
using Board = Diagram::Board;

// Visits that were won and lost.
struct Judgement {
  float won = 0;
  float lost = 0;

  bool operator==(const Judgement&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Judgement& judgement) {
    return out << judgement.won << " won, " << judgement.lost << " lost";
  }
};

constexpr Judgement kNothing = {};
constexpr Judgement won(float visits) { return {visits, 0}; }
constexpr Judgement lost(float visits) { return {0, visits}; }

// Of a move of Black, beside the visits that every move gets.
Judgement judged(const Diagram& diagram, char name) {
  const Move move = diagram.board.move_of(diagram.at(name));
  PriorVisits prior;
  GoPriors<kSize>().judge(diagram.position(), std::span(&move, 1), std::span(&prior, 1));
  const float evenly_won = 0.5f * Visits::kEven;
  return {prior.wins - evenly_won, prior.visits - prior.wins - evenly_won};
}

}  // namespace

TEST_CASE("priors: a capture, by the number of stones") {
  const Diagram two({".XXX..",  //
                     "XOOaO.",  //
                     ".XXX.."});
  CHECK(judged(two, 'a') == won(Visits::kCapture + 2 * Visits::kStone));
  const Diagram twelve({"OOOOOOaX.",  //
                        "OOOOOOX..",  //
                        "XXXXXX..."});
  CHECK(judged(twelve, 'a') == won(Visits::kCapture + 10 * Visits::kStone));
  const Diagram two_liberties({".XXX..",  //
                               "XOOaO.",  //
                               ".X.X.."});
  CHECK(judged(two_liberties, 'a').won < Visits::kCapture);
}

TEST_CASE("priors: a rescue, by the number of stones") {
  const Diagram diagram({".OOX.",  //
                         "OXXa.",  //
                         ".OOX."});
  CHECK(judged(diagram, 'a') == won(Visits::kRescue + 2 * Visits::kStone));
}

TEST_CASE("priors: whoever runs in a ladder loses, unless a stone breaks it") {
  const Diagram ladder({".........",  //
                        "..OO.....",  //
                        ".OXa.....",  //
                        "..O......"});
  CHECK(judged(ladder, 'a') == Judgement{Visits::kPattern, Visits::kLostLadder});
  const Diagram broken({".........",  //
                        "..OO.....",  //
                        ".OXa.....",  //
                        "..O......",  //
                        ".....X..."});
  CHECK(judged(broken, 'a') == won(Visits::kRescue + Visits::kStone + Visits::kPattern));
}

TEST_CASE("priors: an atari on the last stone, and more for one that begins a ladder") {
  constexpr float kNearbyPattern = Visits::kNearby + Visits::kPatternNearby;
  const Diagram ladder({".........",  //
                        "..XX.....",  //
                        ".XLb.....",  //
                        "..a......"});
  CHECK(judged(ladder, 'a') == won(Visits::kAtari + Visits::kLadder + kNearbyPattern));
  CHECK(judged(ladder, 'b') == won(kNearbyPattern));  // from there the stone would get away
  const Diagram broken({".........",                  //
                        "..XX.....",                  //
                        ".XLb.....",                  //
                        "..a......",                  //
                        ".....O..."});
  CHECK(judged(broken, 'a') == won(Visits::kAtari + kNearbyPattern));
}

TEST_CASE("priors: a vital point of an eye that the last stone made, captured or not") {
  const Diagram diagram({"av.L",  //
                         "OOOO"});
  CHECK(judged(diagram, 'v') == won(Visits::kVitalPoint));
  CHECK(judged(diagram, 'a') == lost(Visits::kSelfAtari));
  const Diagram old_eye({".v.O..",  //
                         "OOOO..",  //
                         ".....L"});
  CHECK(judged(old_eye, 'v') == kNothing);
}

TEST_CASE("priors: an extension of a chain that the last stone left with two liberties") {
  const Diagram diagram({"..O..",  //
                         ".LXa.",  //
                         "..b.."});
  CHECK(judged(diagram, 'a') == won(Visits::kExtension + Visits::kPattern));
  CHECK(judged(diagram, 'b') == won(Visits::kExtension + Visits::kPattern + Visits::kNearby));
  const Diagram elsewhere({".....",  //
                           "..O..",  //
                           ".OXa.",  //
                           "...L."});
  CHECK(judged(elsewhere, 'a') == won(Visits::kNearby));
}

TEST_CASE("priors: a pattern, and more for one next to the last stone") {
  const Diagram diagram({".....",  //
                         "..ab.",  //
                         "..XL.",  //
                         ".....",  //
                         ".....",  //
                         "..c..",  //
                         "..XO."});
  CHECK(judged(diagram, 'b') == won(Visits::kPatternNearby + Visits::kNearby));
  CHECK(judged(diagram, 'a') == won(Visits::kPattern + Visits::kNearby));  // diagonally
  CHECK(judged(diagram, 'c') == won(Visits::kPattern));
}

TEST_CASE("priors: the eight points around the last stone, and no others") {
  const Diagram diagram({".........",  //
                         ".........",  //
                         "...jkl...",  //
                         "..iabcm..",  //
                         "...dLe...",  //
                         "...fgh..."});
  for (const char near : {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}) CHECK(judged(diagram, near) == won(Visits::kNearby));
  for (const char far : {'i', 'j', 'k', 'l', 'm'}) CHECK(judged(diagram, far) == kNothing);
}

TEST_CASE("priors: a lonely move on the first line") {
  const Diagram diagram({"a...b....",  //
                         ".......cX",  //
                         ".d.......",  //
                         "e........"});
  CHECK(judged(diagram, 'a') == lost(Visits::kLonelyEdge));
  CHECK(judged(diagram, 'b') == lost(Visits::kLonelyEdge));
  CHECK(judged(diagram, 'e') == lost(Visits::kLonelyEdge));
  CHECK(judged(diagram, 'c') == kNothing);
  CHECK(judged(diagram, 'd') == kNothing);
  const Diagram beside_a_stone({"..a..",  //
                                ".X..."});
  CHECK(judged(beside_a_stone, 'a') == kNothing);
}

TEST_CASE("priors: self-atari, even where a pattern fits") {
  const Diagram alone({"a.O..",  //
                       "OO..."});
  CHECK(judged(alone, 'a') == lost(Visits::kSelfAtari));
  const Diagram cut({".aO..",  //
                     ".OX.."});
  CHECK(fits_pattern(Diagram::Tactics(cut.board), Board::kBlack, cut.at('a')));
  CHECK(judged(cut, 'a') == lost(Visits::kSelfAtari));
}

TEST_CASE("priors: a pass is bad while there is anything else to do") {
  const Go<kSize> start;
  const std::vector<Move> moves = {start.pass()};
  std::vector<PriorVisits> priors(1);
  GoPriors<kSize>().judge(start, moves, priors);
  CHECK(priors[0].visits == Visits::kEven);
  CHECK(priors[0].wins < 0.2f * Visits::kEven);
}

TEST_CASE("priors: captures are good, lost ladders and self-atari bad, and of the rest nothing is known") {
  // White's stone at A5 is in atari, Black's at C7 in a ladder.
  GoSetup setup;
  const auto add = [](MoveList& stones, const std::vector<std::string>& points) {
    for (const std::string& point : points) stones.push_back(Board(kSize).move_of(Diagram::point(point)));
  };
  add(setup.black, {"A6", "B5", "C7"});
  add(setup.white, {"A5", "C8", "D8", "B7", "C6", "H1", "H2", "J3"});
  const auto position = Go<kSize>::from_setup(kSize, 7.5, true, setup);
  MoveList moves;
  position.search_moves(moves);
  std::vector<PriorVisits> priors(moves.size());
  GoPriors<kSize>().judge(position, moves, priors);
  const auto value = [&](const std::string& point) {
    const Move move = position.board().move_of(Diagram::point(point));
    const auto index = std::find(moves.begin(), moves.end(), move) - moves.begin();
    REQUIRE(priors.at(static_cast<std::size_t>(index)).visits > 0);
    return priors[static_cast<std::size_t>(index)].wins / priors[static_cast<std::size_t>(index)].visits;
  };
  CHECK(value("A4") > 0.8f);
  CHECK(value("D7") < 0.4f);  // runs in the ladder
  CHECK(value("J1") < 0.3f);  // one liberty, J2
  CHECK(value("F7") == 0.5f);
}
