// What makes the priors of Go moves fast gives what the plain way gives.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "knowledge/go/features.hpp"
#include "knowledge/go/shapes.hpp"
#include "knowledge/go/situation.hpp"
#include "knowledge/go/teams.hpp"

namespace {

using namespace tesuji;

// Calls visit(situation, legal points) for the positions of random games.
template <int kSize, class Visit>
void for_each_position(int size, int games, int length, Visit&& visit) {
  Rng rng(5);
  for (int game = 0; game < games; ++game) {
    Go<kSize> position(size, 7.5, false);
    for (int i = 0; i < length && !position.is_over(); ++i) {
      const TacticalBoard<kSize> tactics(position.board());
      auto situation = GoSituation<kSize>::of(tactics, position);
      MoveList moves;
      list_search_moves(position, moves);
      std::vector<std::ptrdiff_t> points;
      for (const Move move : moves) {
        if (move != position.pass()) points.push_back(position.board().point_of(move));
      }
      visit(situation, points);
      position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
}

template <int kSize>
int place_of(std::ptrdiff_t point) {
  return ShapeBoard::place(GoTeams<kSize>::row_of(point), GoTeams<kSize>::column_of(point));
}

// The shapes of every seventh move up to some size, each once.
template <int kSize>
std::vector<std::uint64_t> some_shapes(int size) {
  std::vector<std::uint64_t> hashes;
  std::uint32_t seen = 0;
  for_each_position<kSize>(size, 2, 80, [&](auto& situation, const auto& points) {
    const ShapeBoard board(situation.tactics, situation.colour, situation.last);
    for (const auto point : points) {
      if (++seen % 7 != 0) continue;
      ShapeHasher hasher(board, place_of<kSize>(point));
      for (std::uint32_t i = 0; i <= seen / 7 % kShapeSizes; ++i) hashes.push_back(hasher.next());
    }
  });
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

template <int kSize>
void compare_shapes(int size) {
  const ShapeTable table(some_shapes<kSize>(size));
  std::array<int, kShapeSizes + 1> of_size{};
  int differences = 0;
  for_each_position<kSize>(size, 3, 80, [&](auto& situation, const auto& points) {
    const ShapeBoard board(situation.tactics, situation.colour, situation.last);
    std::vector<int> places;
    for (const auto point : points) places.push_back(place_of<kSize>(point));
    std::vector<std::uint32_t> numbers(places.size());
    table.find_largest(board, places, numbers);
    for (std::size_t i = 0; i < places.size(); ++i) {
      ShapeHasher hasher(board, places[i]);
      std::uint32_t known = ShapeTable::kUnknown;
      int sizes = 0;
      for (; sizes < kShapeSizes; ++sizes) {
        const std::uint32_t found = table.find(hasher.next());
        if (found == ShapeTable::kUnknown) break;
        known = found;
      }
      ++of_size[sizes];
      differences += numbers[i] != known;
    }
  });
  CHECK(differences == 0);
  for (const int count : of_size) CHECK(count > 0);
}

}  // namespace

TEST_CASE("shapes looked up together are those that are found one by one") {
  compare_shapes<9>(9);
  compare_shapes<0>(13);
  compare_shapes<19>(19);
}

TEST_CASE("a table of shapes finds all that it was given, and nothing else") {
  Rng rng(3);
  std::vector<std::uint64_t> hashes(5000);
  // A few buckets get most of them, so that many run over; the last one too.
  for (auto& hash : hashes) hash = rng.next() << 16 | (rng.below(4) == 0 ? rng.below(1 << 16) : 0xfffeu + rng.below(2));
  const ShapeTable table(hashes);
  int wrong = 0;
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    wrong += table.find(hashes[i]) != i + 1;
    wrong += table.find(hashes[i] ^ std::uint64_t{1} << 63) != ShapeTable::kUnknown;
  }
  CHECK(wrong == 0);
  hashes.push_back(hashes.front());
  CHECK_THROWS_AS(ShapeTable{hashes}, std::invalid_argument);
}

TEST_CASE("shortcuts of the features change nothing") {
  int eyes = 0;
  for_each_position<9>(9, 60, 140, [&](auto& situation, const auto& points) {
    const auto& tactics = situation.tactics;
    for (const auto point : points) {
      const go_features::Candidate<9> move(situation, point);
      REQUIRE(move.liberties == tactics.liberties_after(situation.colour, point).count_up_to(move.kMostLiberties));
      if (tactics.board().empty_neighbours(point) < 2 || vital_point(tactics, point) != point) continue;
      ++eyes;
      REQUIRE(may_be_vital(tactics, point));
    }
  });
  CHECK(eyes > 20);
}
