// What everything else is built on: random numbers, mixed bits, and what chance draws.
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/mix_bits.hpp"
#include "core/playout.hpp"
#include "core/rewards.hpp"
#include "core/rng.hpp"
#include "doctest/doctest.h"
#include "search/priors.hpp"

namespace tesuji {
namespace {

// The generator in a state from which uniform() gives the largest number below 1.
Rng about_to_give_the_largest() {
  Rng rng(0);
  rng.go_on_from({~std::uint64_t{0}, 0});
  return rng;
}

// Three outcomes, whose probabilities add up to 1 but for rounding; the last is impossible.
class Throw {
 public:
  static constexpr double kSmall = 0x1p-40;

  int num_players() const { return 1; }
  int to_move() const { return kChance; }
  bool is_over() const { return false; }
  void legal_moves(MoveList& moves) const { moves = {7, 8, 9}; }
  bool is_legal(Move move) const { return move >= 7 && move <= 9; }
  void play(Move) {}
  Rewards rewards() const { return {}; }
  void chance_probabilities(Probabilities& probabilities) const { probabilities = {0.5, 0.5 - kSmall, 0}; }
};
static_assert(Game<Throw> && HasChance<Throw>);

}  // namespace

TEST_CASE("mixed bits are the numbers of SplitMix64 from 0 on, as they were published") {
  const std::array<std::uint64_t, 3> published = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f};
  for (std::size_t n = 0; n < published.size(); ++n) CHECK(mix_bits(n + 1) == published[n]);
  // They are what a seed becomes.
  CHECK(Rng(0).state() == Rng::State{published[0], published[1]});
}

TEST_CASE("the random numbers are those of xoroshiro128+, as its authors' code gives them") {
  Rng rng(0);
  rng.go_on_from({1, 2});
  for (const std::uint64_t expected : {3ull, 412333834243ull, 2360170716294286339ull, 9295852285959843169ull,
                                       2797080929874688578ull, 6019711933173041966ull, 3076529664176959358ull,
                                       3521761819100106140ull, 7493067640054542992ull, 920801338098114767ull}) {
    CHECK(rng.next() == expected);
  }
}

TEST_CASE("draws stay below their bounds, and a state of zeros does not stick") {
  Rng rng = about_to_give_the_largest();
  CHECK(rng.uniform() == 1 - 0x1p-53);
  for (const std::uint32_t bound : {1u, 2u, 1000u, ~0u}) CHECK(about_to_give_the_largest().below(bound) == bound - 1);
  rng.go_on_from({0, 0});
  rng.next();
  CHECK(rng.next() != 0);
}

TEST_CASE("the hash of words depends on each of them and on their order") {
  CHECK(hash_on(hash_on(0, 1), 2) != hash_on(hash_on(0, 2), 1));
  CHECK(hash_on(hash_on(0, 1), 2) != hash_on(hash_on(0, 1), 3));
  CHECK(hash_on(hash_on(0, 1), 2) != hash_on(hash_on(0, 3), 2));
}

TEST_CASE("what is impossible does not happen, even where probabilities add up to less than 1") {
  const Throw position;
  Scratch scratch;
  position.legal_moves(scratch.moves);
  Rng rng = about_to_give_the_largest();
  CHECK(draw_chance_move(position, scratch, rng) == 8);

  const NodeLayout layout{.has_prior = true};
  Tree tree(layout, 1 << 20);
  const Node node = tree.at(tree.allocate(scratch.moves, kChance));
  set_chance_priors(node, position, layout, scratch.probabilities);
  node.prior(1, layout) = 0.4999f;
  rng = about_to_give_the_largest();
  CHECK(draw_by_prior(node, layout, rng) == 1);
}

TEST_CASE("probabilities of other moves than those that were given before are found out") {
  const Throw position;
  Scratch scratch;
  scratch.moves = {6, 7, 8, 9};
  Rng rng(1);
  CHECK_THROWS_AS(draw_chance_move(position, scratch, rng), BadGame);

  const NodeLayout layout{.has_prior = true};
  Tree tree(layout, 1 << 20);
  const Node node = tree.at(tree.allocate(scratch.moves, kChance));
  CHECK_THROWS_AS(set_chance_priors(node, position, layout, scratch.probabilities), BadGame);
}

TEST_CASE("rewards are fixed-point numbers, exact where halves are") {
  for (const double value : {0.0, 0.25, 0.5, 1.0}) CHECK(to_double(to_reward(value)) == value);
  CHECK(to_double(to_reward(1.0 / 3)) == doctest::Approx(1.0 / 3).epsilon(1e-6));
  CHECK(two_player_rewards(kDraw)[0] + two_player_rewards(kDraw)[1] == kRewardOne);
}

}  // namespace tesuji
