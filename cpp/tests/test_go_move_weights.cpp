// The weights of the moves of playouts: kept from move to move they are those that are found from scratch, and moves
// are drawn by them. What the features say is shown on boards drawn as text.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "knowledge/go/bradley_terry_playout.hpp"
#include "knowledge/go/fast_model.hpp"
#include "knowledge/go/move_weights.hpp"
#include "knowledge/go/self_atari.hpp"

namespace {

using namespace tesuji;
using namespace tesuji::fast_features;

// Calls visit(position) before every move of a game in which moves are uniformly random but for a pass now and then.
template <int kSize, class Visit>
void play_randomly(int size, std::uint64_t seed, Visit&& visit) {
  Rng rng(seed);
  Go<kSize> position(size, 7.5, false);
  MoveList moves;
  for (int count = 0; count < 3 * size * size && !position.is_over(); ++count) {
    visit(position);
    position.search_moves(moves);
    const bool passes = rng.below(50) == 0;
    position.play(passes ? position.pass() : moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
  }
}

template <int kSize>
std::vector<typename TacticalBoard<kSize>::Index> playable(const TacticalBoard<kSize>& tactics, int colour) {
  std::vector<typename TacticalBoard<kSize>::Index> points;
  for (int slot = 0; slot < tactics.board().empty_count(); ++slot) {
    const auto point = tactics.board().empty(slot);
    if (Candidate<kSize>(tactics, colour, point, 0).is_playable()) points.push_back(point);
  }
  return points;
}

// A model in which every feature, and every other shape of some random games, has a strength of its own.
GoFastModel made_up_model() {
  std::set<std::uint64_t> found;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    play_randomly<9>(9, seed, [&](const Go<9>& position) {
      const TacticalBoard<9> tactics(position.board());
      for (const auto point : playable(tactics, position.to_move())) {
        const FastShape shape = Candidate<9>(tactics, position.to_move(), point, 0).shape();
        const std::uint64_t whole = hash_of_whole(shape);
        if (whole % 2 == 0) found.insert(whole);
        if (whole % 3 == 0) found.insert(hash_of_stones(shape));
      }
    });
  }
  // Shapes of stones alone have the larger hashes, and come first.
  const std::vector<std::uint64_t> shapes(found.rbegin(), found.rend());
  PartTables<float> strengths;
  Rng rng(1);
  for (int part = 0; part < kTeamParts; ++part) {
    strengths[part].resize(part == kShapePart ? shapes.size() + 1 : part_width(part));
    for (float& strength : strengths[part]) strength = static_cast<float>(std::exp(4 * rng.uniform() - 2));
    strengths[part][0] = 1;
  }
  // As learned: a value of the last part has the strength of its contiguity times that of its answer.
  auto& answers = strengths[kAnswerPart];
  for (float& strength : answers) strength = 1 + strength;
  answers[0] = 1;
  for (std::size_t value = 0; value < answers.size(); ++value) {
    const std::size_t answer = value % kAnswerLevels;
    if (answer != 0 && answer != value) answers[value] = answers[value - answer] * answers[answer];
  }
  return {shapes, strengths};
}

// The slow way: every feature of every move, on a board that was built anew. By itself, and as an answer.
struct SlowWeights {
  std::uint64_t by_itself = 0;
  double as_answer = 0;
};

template <int kSize>
SlowWeights slow_weights(const Go<kSize>& position, typename TacticalBoard<kSize>::Index point,
                         const GoFastModel& model, const PartTables<float>& strengths) {
  const TacticalBoard<kSize> tactics(position.board().rebuilt());
  if (tactics.colour(point) != tactics.kEmpty) return {};
  if (!position.board().is_legal(position.to_move(), point)) return {};
  if (position.board().is_own_eye(position.to_move(), point)) return {};
  const Candidate<kSize> move(tactics, position.to_move(), point, last_stone(tactics, position));
  FeatureTeam found = team(move, model.shapes());
  if (strengths[kTacticsPart][found.part(kTacticsPart)] == 0) return {};
  const double answer = strengths[kAnswerPart][found.part(kAnswerPart)];
  found.set_part(kAnswerPart, 0);
  const std::uint64_t by_itself = weight_of(strength_of(found, strengths));
  return {by_itself, static_cast<double>(by_itself) * answer};
}

// Whether weights are those of the slow way, their sum included, and self-atari what the board says.
template <int kSize>
bool are_right(const MoveWeights<kSize>& weights, const Go<kSize>& position, const GoFastModel& model,
               const PartTables<float>& strengths) {
  const TacticalBoard<kSize> tactics(position.board().rebuilt());
  double sum = 0;
  bool all_right = true;
  for (Move move = 0; move < position.pass(); ++move) {
    const auto point = position.board().point_of(move);
    const SlowWeights expected = slow_weights(position, point, model, strengths);
    all_right = all_right && weights.weight(position.to_move(), point) == expected.by_itself;
    sum += expected.as_answer;
  }
  for (const auto point : playable(tactics, position.to_move())) {
    Candidate<kSize> candidate(tactics, position.to_move(), point, 0);
    candidate.read();
    all_right = all_right && candidate.is_self_atari == is_self_atari(tactics, position.to_move(), point);
  }
  const auto kept_sum = static_cast<double>(weights.sum(position.to_move()));
  return all_right && std::abs(kept_sum - sum) <= 1e-5 * sum + 10;  // surpluses are rounded down
}

template <int kSize>
void compare_in_random_games(int size, std::uint64_t games, bool forbids_self_atari = false) {
  const GoFastModel model = made_up_model();
  auto strengths = model.strengths_at(1.5);
  if (forbids_self_atari) forbid_self_atari_of_chains(strengths);
  for (std::uint64_t seed = 0; seed < games; ++seed) {
    TacticalBoard<kSize> tactics{GoBoard<kSize>(size)};
    const WeightTables tables(model.shapes(), strengths);
    MoveWeights<kSize> weights(tactics, tables);
    int wrong = 0;
    int count = 0;
    play_randomly<kSize>(size, seed, [&](const Go<kSize>& position) {
      if (position.last_move() == position.pass()) {
        tactics.pass();
      } else if (position.last_move() != kNoMove) {
        const auto point = position.board().point_of(position.last_move());
        weights.before_move(1 - position.to_move(), point);
        weights.after_move(point, tactics.play(1 - position.to_move(), point));
      }
      ++count;
      if (count % 3 == 0) return;  // as where a playout finds something urgent: nobody asks for the weights
      weights.update(position.to_move(), last_stone(tactics, position));
      wrong += !are_right(weights, position, model, strengths);
      if (count % 10 != 1) return;
      MoveWeights<kSize> fresh(tactics, tables);
      fresh.update(position.to_move(), last_stone(tactics, position));
      wrong += !are_right(fresh, position, model, strengths);
    });
    CAPTURE(seed);
    CHECK(wrong == 0);
  }
}

// Black's move on the empty point `a` of a board drawn as text. X is Black, O is White, L White's last stone.
class Drawn {
 public:
  explicit Drawn(const std::vector<std::string>& rows) : tactics_(GoBoard<9>(9)) {
    for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
      for (int column = 0; column < static_cast<int>(rows[row].size()); ++column) {
        const char symbol = rows[row][column];
        const auto here = GoBoard<9>::point_at(row, column);
        if (symbol == 'X') tactics_.play(GoBoard<9>::kBlack, here);
        if (symbol == 'O' || symbol == 'L') tactics_.play(GoBoard<9>::kWhite, here);
        if (symbol == 'L') last_ = here;
        if (symbol == 'a') point_ = here;
      }
    }
  }

  Candidate<9> move() const {
    Candidate<9> move(tactics_, GoBoard<9>::kBlack, point_, last_);
    REQUIRE(move.is_playable());
    move.read();
    return move;
  }

 private:
  TacticalBoard<9> tactics_;
  GoBoard<9>::Index last_ = 0;
  GoBoard<9>::Index point_ = 0;
};

// The level of a feature by name.
template <class Feature>
std::string level(const std::vector<std::string>& rows) {
  const Drawn drawn(rows);
  const int found = Feature::level(drawn.move());
  return found == 0 ? "" : std::string(Feature::kLevels.at(static_cast<std::size_t>(found - 1)));
}

}  // namespace

TEST_CASE("features of the moves of playouts") {
  CHECK(level<Line>({"...", ".a.", "..."}) == "2");
  CHECK(level<Capture>({".X.", "XOa", ".X."}) == "of one stone");
  CHECK(level<Capture>({".XX.", "XOOa", ".XX."}) == "of several stones");
  CHECK(level<Capture>({".X.", "XOa", "..."}).empty());
  CHECK(level<Extension>({".O.", "OXa", ".O."}) == "of any chain");
  CHECK(level<Extension>({"Xa.O", "OOO."}).empty());  // still in atari
  CHECK(level<SelfAtari>({".aO", "OO."}) == "of one stone");
  CHECK(level<SelfAtari>({"Xa.", "OO."}) == "that joins single stones");
  CHECK(level<SelfAtari>({"XaO", "XO.", ".O."}) == "that joins a chain");
  CHECK(level<SelfAtari>({"a..", "XXO", "OO."}) == "that joins a chain");  // both liberties are the same point
  CHECK(level<SelfAtari>({".XaX.", "OOOOO"}).empty());
  CHECK(level<Atari>({".X.", "XOa", "..."}) == "of one stone");
  CHECK(level<Atari>({".XX.", "XOOa", ".X.."}) == "of several stones");
  CHECK(level<Contiguity>({"...", ".La", "..."}) == "on a line");
  CHECK(level<Contiguity>({"a..", ".L.", "..."}) == "diagonally");
  CHECK(level<Contiguity>({"a..", "..L", "..."}).empty());
}

TEST_CASE("answers to the last move in playouts") {
  CHECK(level<Answer>({".X.", "XLa", ".X."}) == "capture of its chain");
  CHECK(level<Answer>({".X.", "XOa", ".X."}).empty());
  CHECK(level<Answer>({"OX.", "aO.", ".X.", "..L"}).empty());
  CHECK(level<Answer>({"aOX.", "XXL."}) == "capture that saves from its atari");
  CHECK(level<Answer>({".O.", "OXa", ".L.", "..."}) == "open liberty of a chain that it put into atari");
  CHECK(level<Answer>({"OXa", "OLO"}) == "liberty of a chain that it put into atari");
  CHECK(level<Answer>({".X.", "XLa", "..."}) == "liberty of its chain, which has two");
  CHECK(level<Answer>({".L.", "OXa", "..."}) == "open liberty of a chain that it left two");
  CHECK(level<Answer>({".LO", "OXa", "..O"}).empty());  // not open
  CHECK(level<Answer>({".O.", "OXa", "..."}).empty());
}

TEST_CASE("weights of moves kept from move to move are those found from scratch" *
          doctest::test_suite("slow reference")) {
  compare_in_random_games<9>(9, 60);
  compare_in_random_games<0>(6, 60);
  compare_in_random_games<9>(9, 10, true);
  compare_in_random_games<19>(19, 1);
}

TEST_CASE("self-atari of chains can be forbidden, and of one stone stays") {
  PartTables<float> strengths;
  for (int part = 0; part < kTeamParts; ++part) strengths[part].assign(part == kShapePart ? 1 : part_width(part), 1);
  forbid_self_atari_of_chains(strengths);
  const auto strength = [&](const std::vector<std::string>& rows) {
    const Drawn drawn(rows);
    return strengths[kTacticsPart][part_value<kTacticsPart>(drawn.move())];
  };
  CHECK(strength({".aO", "OO."}) == 1);
  CHECK(strength({"XaO", "XO.", ".O."}) == 0);
  CHECK(strength({".X.", "XOa", ".X."}) == 1);
}

TEST_CASE("moves are drawn by their weights") {
  const GoFastModel model = made_up_model();
  const auto strengths = model.strengths_at(1);
  Go<9> position;
  play_randomly<9>(9, 3, [&](const Go<9>& reached) {
    if (reached.board().empty_count() >= 50) position = reached;
  });
  const TacticalBoard<9> tactics(position.board());
  const WeightTables tables(model.shapes(), strengths);
  MoveWeights<9> weights(tactics, tables);
  weights.update(position.to_move(), last_stone(tactics, position));
  REQUIRE(last_stone(tactics, position) != 0);
  constexpr int kDraws = 200'000;
  std::map<std::ptrdiff_t, int> counts;
  Rng rng(4);
  for (int i = 0; i < kDraws; ++i) ++counts[weights.draw(position.to_move(), rng)];
  const auto points = playable(tactics, position.to_move());
  CHECK(points.size() > 30);
  int drawn = 0;
  for (const auto point : points) {
    const double share = slow_weights(position, point, model, strengths).as_answer /
                         static_cast<double>(weights.sum(position.to_move()));
    drawn += counts[point];
    // Six standard deviations: beyond them once in 500 million points. (And a few draws, for rare moves.)
    CHECK(std::abs(counts[point] - share * kDraws) < 6 * std::sqrt(share * (1 - share) * kDraws) + 6);
  }
  CHECK(drawn == kDraws);
}

TEST_CASE("Bradley-Terry playouts end, score the board, repeat with the seed and record every stone") {
  const GoFastModel model = made_up_model();
  const Go<9> start;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const bool urgent_first = seed % 3 == 1;
    // So cold that some moves have a strength of 0: they are never made, and the board is not filled.
    const bool is_cold = seed % 3 == 2;
    const GoBradleyTerryPlayout<9> playout(model, is_cold ? 0.01 : 0.7, urgent_first);
    std::vector<PlayedMove> first;
    std::vector<PlayedMove> second;
    Rng rng(seed);
    Rng same(seed);
    const Rewards rewards = playout.play(start, rng, &first);
    CHECK(playout.play(start, same, &second) == rewards);
    CHECK((is_cold || first.size() > 40));
    REQUIRE(first.size() == second.size());
    Go<9> replayed(9, 7.5, false);
    for (std::size_t i = 0; i < first.size(); ++i) {
      CHECK(first[i].move == second[i].move);
      if (first[i].player != replayed.to_move()) replayed.play(replayed.pass());
      REQUIRE(replayed.is_legal(first[i].move));
      const auto point = replayed.board().point_of(first[i].move);
      CHECK((urgent_first || !replayed.board().is_own_eye(replayed.to_move(), point)));  // a rescue may fill one
      replayed.play(first[i].move);
    }
    CHECK(replayed.rewards() == rewards);
    for (const double margin : {-0.5, 0.5}) {  // the score to the point, by komi at both sides of it
      const Go<9> close(9, replayed.area_score() + margin);
      Rng again(seed);
      CHECK(playout.play(close, again, nullptr) == close.rewards_of(replayed.area_score()));
    }
  }
}

TEST_CASE("tables tell whether they forbid playable moves") {
  const GoFastModel model = made_up_model();
  CHECK(!WeightTables(model.shapes(), model.strengths_at(1)).forbids_moves());
  CHECK(WeightTables(model.shapes(), model.strengths_at(0.01)).forbids_moves());  // some become 0
  auto strengths = model.strengths_at(1);
  forbid_self_atari_of_chains(strengths);
  CHECK(WeightTables(model.shapes(), strengths).forbids_moves());
}

TEST_CASE("a ko point that was set up is not played while it is one, whatever is around it") {
  GoBoard<9> board(9);
  const auto ko = GoBoard<9>::point_at(4, 4);
  board.set_ko(ko);
  const GoFastModel model = made_up_model();
  const WeightTables tables(model.shapes(), model.strengths_at(1));
  TacticalBoard<9> tactics(board);
  MoveWeights<9> weights(tactics, tables);
  weights.update(0, 0);
  CHECK(weights.weight(0, ko) == 0);
  tactics.pass();
  weights.update(0, 0);
  CHECK(weights.weight(0, ko) != 0);
}

TEST_CASE("a ko is not retaken where strengths are so great that their product is infinite") {
  GoBoard<9> board(9);
  for (const auto& [colour, row, column] :
       {std::array{0, 0, 1}, {0, 1, 0}, {0, 2, 1}, {1, 0, 2}, {1, 1, 3}, {1, 2, 2}, {0, 1, 2}}) {
    board.play(colour, GoBoard<9>::point_at(row, column));
  }
  const auto ko = GoBoard<9>::point_at(1, 2);
  const auto taking = GoBoard<9>::point_at(1, 1);
  board.play(1, taking);
  REQUIRE(board.ko() == ko);
  const GoFastModel model = made_up_model();
  auto strengths = model.strengths_at(1);
  for (float& strength : strengths[kAnswerPart]) strength = 1e30F;
  const TacticalBoard<9> tactics(board);
  const WeightTables tables(model.shapes(), strengths);
  MoveWeights<9> weights(tactics, tables);
  weights.update(0, taking);
  CHECK(weights.weight(0, ko) == 0);
  Rng rng(6);
  for (int i = 0; i < 1000; ++i) CHECK(weights.draw(0, rng) != ko);
}

TEST_CASE("a model of too many shapes for playouts is refused") {
  const std::vector<std::uint64_t> most(FastShapeTable::kMost, hash_of_whole(0));
  CHECK(FastShapeTable(most).not_played() == 65'534);
  const std::vector<std::uint64_t> too_many(FastShapeTable::kMost + 1, hash_of_whole(0));
  CHECK_THROWS_AS(FastShapeTable{too_many}, std::invalid_argument);
}

TEST_CASE("a shape for playouts is one under all symmetries, and the other colour sees the colours exchanged") {
  // From the last of the eight places to the first: 0 is Black's stone, 1 White's, 2 an empty point. White's is in
  // atari.
  const FastShape shape = fast_shape(0, 0b10'10'10'10'01'10'00'10, 1u << 1);     // Black's in the north, White's west
  const FastShape turned = fast_shape(0, 0b10'10'10'00'10'10'01'10, 1u << 0);    // east and north
  const FastShape mirrored = fast_shape(0, 0b10'10'10'01'10'10'00'10, 1u << 2);  // north and east
  const FastShape another = fast_shape(0, 0b10'01'10'10'10'10'00'10, 1u << 3);   // north and south
  for (const FastShape same : {turned, mirrored}) {
    CHECK(same != shape);
    CHECK(hash_of_whole(same) == hash_of_whole(shape));
    CHECK(hash_of_stones(same) == hash_of_stones(shape));
  }
  CHECK(hash_of_whole(another) != hash_of_whole(shape));
  CHECK(hash_of_whole(shape) != hash_of_stones(shape));
  CHECK(fast_shape(1, 0b10'10'10'10'00'10'01'10, 1u << 1) == shape);

  const std::vector<std::uint64_t> hashes = {hash_of_stones(shape), hash_of_whole(shape)};
  const FastShapeTable table(hashes);
  for (const FastShape same : {shape, turned, mirrored}) {
    CHECK(table.find(same) == 2);
    CHECK(table.find(same & kNeighbourhoodMask) == 1);
  }
  CHECK(table.find(another) == FastShapeTable::kUnknown);
}
