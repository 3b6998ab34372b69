// Playouts of Othello and Havannah that draw their moves from a model: what they keep is what the model says of the
// position as it stands.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/rng.hpp"
#include "games/havannah.hpp"
#include "games/othello.hpp"
#include "knowledge/havannah/bradley_terry_playout.hpp"
#include "knowledge/havannah/teams.hpp"
#include "knowledge/othello/bradley_terry_playout.hpp"
#include "knowledge/othello/teams.hpp"

namespace tesuji {
namespace {

// From 1/8 to 8; those of the answers are above 1, since less counts as 1.
template <class K>
MoveModel<K> random_model(const std::vector<std::uint64_t>& shapes, int answers_part, Rng& rng) {
  PartTables<float> strengths;
  strengths[0].resize(shapes.size() + 1);
  for (int part = 1; part < kTeamParts; ++part) {
    strengths[static_cast<std::size_t>(part)].resize(K::Features::part_width(part));
  }
  for (int part = 0; part < kTeamParts; ++part) {
    for (float& strength : strengths[static_cast<std::size_t>(part)]) {
      strength = static_cast<float>(std::exp2(6 * rng.uniform() - (part == answers_part ? 0 : 3)));
    }
  }
  // Value 0 is none of a part's features.
  for (auto& part : strengths) part[0] = 1;
  return MoveModel<K>(shapes, strengths);
}

// The small shapes of Havannah's cells, but for every fourth: a model does not know all.
std::vector<std::uint64_t> small_shapes() {
  std::set<std::uint64_t> hashes;
  for (unsigned key = 0; key < 1 << 12; ++key) {
    const std::uint64_t hash = havannah::shape_hash({key & havannah::kNear, key >> 6}, 0);
    if (hash % 4 != 0) hashes.insert(hash);
  }
  return {hashes.begin(), hashes.end()};
}

double strength_in(const MoveModel<HavannahFastKnowledge>& model, const Havannah<5>& position, Move move) {
  return static_cast<double>(strength_of(model.team(position, move), model.strengths()));
}

TEST_CASE("the weights of a Havannah playout are those of the model after every move") {
  Rng rng(1);
  const auto model = random_model<HavannahFastKnowledge>(small_shapes(), havannah::kTacticsPart, rng);
  const HavannahWeightTables tables(model, 1);
  for (const int side : {3, 4, 5}) {
    Havannah<5> position(side, true);
    HavannahWeights<5> weights(position, tables);
    int compared = 0;
    while (!position.is_over()) {
      for (unsigned i = 0; i < position.num_empty(); ++i) {
        const Move cell = position.empty_cell(i);
        const double expected = strength_in(model, position, cell) * static_cast<double>(kUnitWeight);
        const auto found = static_cast<double>(weights.whole_weight(cell));
        // A surplus multiplies what was lost when its weight became an integer.
        REQUIRE(std::abs(found - expected) <= 70 + 1e-5 * expected);
        ++compared;
      }
      const bool swaps = position.can_swap() && side != 4;
      const Move move = swaps ? position.swap_move() : position.empty_cell(rng.below(position.num_empty()));
      position.play(move);
      if (swaps) {
        weights.weigh_all();
      } else {
        weights.update(move);
      }
    }
    CHECK(compared > 50);
  }
}

TEST_CASE("moves of a Havannah playout are drawn by their weights") {
  Rng rng(2);
  const auto model = random_model<HavannahFastKnowledge>(small_shapes(), havannah::kTacticsPart, rng);
  const HavannahWeightTables tables(model, 1);
  Havannah<5> position(4);
  for (int i = 0; i < 8; ++i) position.play(position.empty_cell(rng.below(position.num_empty())));
  REQUIRE(!position.is_over());
  const HavannahWeights<5> weights(position, tables);
  double sum = 0;
  for (unsigned i = 0; i < position.num_empty(); ++i) sum += strength_in(model, position, position.empty_cell(i));
  constexpr int kDraws = 100'000;
  std::map<Move, int> counts;
  for (int i = 0; i < kDraws; ++i) ++counts[weights.draw(rng)];
  for (unsigned i = 0; i < position.num_empty(); ++i) {
    const Move cell = position.empty_cell(i);
    const double share = strength_in(model, position, cell) / sum;
    const double spread = std::sqrt(kDraws * share * (1 - share));
    CHECK(std::abs(counts[cell] - kDraws * share) < 6 * spread + 1);
  }
}

TEST_CASE("a Havannah playout may answer first where a connection is broken") {
  Rng rng(3);
  const auto model = random_model<HavannahFastKnowledge>(small_shapes(), havannah::kTacticsPart, rng);
  const HavannahBradleyTerryPlayout<5> playout(model, 1, true);
  const Havannah<5> position(5);
  int answered = 0;
  for (int game = 0; game < 20; ++game) {
    std::vector<PlayedMove> played;
    Havannah<5> playing = position;
    playout.play(position, rng, &played);
    for (const PlayedMove& move : played) {
      const Move last = playing.last_move();
      const unsigned answers = last == kNoMove ? 0 : broken_connections(playing, playing.to_move(), last);
      bool is_answer = false;
      for (unsigned direction = 0; direction < HavannahGeometry::kDirections; ++direction) {
        is_answer |= (answers >> direction & 1) != 0 && playing.geometry().neighbour(last, direction) == move.move;
      }
      REQUIRE((answers == 0 || is_answer));
      answered += answers != 0;
      playing.play(move.move);
    }
    CHECK(playing.is_over());
  }
  CHECK(answered > 20);
}

TEST_CASE("the weights of an Othello playout are those of the model, and it ends the game") {
  Rng rng(4);
  const auto model = random_model<OthelloFastKnowledge>({}, -1, rng);
  const OthelloBradleyTerryPlayout playout(model, 1);
  MoveList moves;
  int compared = 0;
  for (int game = 0; game < 20; ++game) {
    Othello position;
    while (!position.is_over()) {
      position.legal_moves(moves);
      const othello::FastSituation situation(position);
      for (const Move move : moves) {
        if (move == Othello::kPass) continue;
        const double expected = static_cast<double>(strength_of(model.team(position, move), model.strengths())) *
                                static_cast<double>(kUnitWeight);
        const auto found = static_cast<double>(playout.weight(situation, static_cast<int>(move)));
        REQUIRE(std::abs(found - expected) <= 2 + 1e-5 * expected);
        ++compared;
      }
      position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    Othello end;
    const Rewards rewards = playout.play(Othello(), rng, nullptr, &end);
    CHECK(end.is_over());
    CHECK(rewards == end.rewards());
  }
  CHECK(compared > 1000);
}

TEST_CASE("the corner beside a square is told by who has it") {
  constexpr int kA1 = 0;
  constexpr int kB1 = 1;
  constexpr int kB2 = 9;
  constexpr int kD3 = 19;
  constexpr int kG8 = 62;
  const std::uint64_t black = std::uint64_t{1} << kA1;
  const std::uint64_t white = std::uint64_t{1} << 63;
  const auto level = [&](int to_move, int square) {
    const othello::FastSituation situation(Othello::from_discs(black, white, to_move));
    return othello::CornerBeside::level({situation, square});
  };
  CHECK(level(0, kB1) == 2);
  CHECK(level(1, kB1) == 3);
  CHECK(level(0, kB2) == 2);
  CHECK(level(0, kG8) == 3);
  CHECK(level(0, 6) == 1);
  CHECK(level(0, kD3) == 0);
  CHECK(level(0, kA1) == 0);
}

TEST_CASE("moves of an Othello playout are drawn by their weights") {
  Rng rng(5);
  const auto model = random_model<OthelloFastKnowledge>({}, -1, rng);
  const OthelloBradleyTerryPlayout playout(model, 1);
  Othello position;
  MoveList moves;
  for (int i = 0; i < 10; ++i) {
    position.legal_moves(moves);
    position.play(moves[0]);
  }
  position.legal_moves(moves);
  REQUIRE(moves.size() > 3);
  std::map<Move, double> strengths;
  double sum = 0;
  for (const Move move : moves) {
    sum += strengths[move] = static_cast<double>(strength_of(model.team(position, move), model.strengths()));
  }
  constexpr int kPlayouts = 40'000;
  std::map<Move, int> counts;
  std::vector<PlayedMove> played;
  for (int i = 0; i < kPlayouts; ++i) {
    played.clear();
    playout.play(position, rng, &played);
    ++counts[played.front().move];
  }
  for (const auto& [move, strength] : strengths) {
    const double share = strength / sum;
    CHECK(std::abs(counts[move] - kPlayouts * share) < 6 * std::sqrt(kPlayouts * share * (1 - share)) + 1);
  }
}

}  // namespace
}  // namespace tesuji
