// The moves of Go positions as teams of features, for one position or for whole records.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "knowledge/bradley_terry.hpp"
#include "knowledge/go/features.hpp"
#include "knowledge/go/shapes.hpp"
#include "knowledge/go/situation.hpp"

namespace tesuji {

// Gives the teams of the moves of one position.
template <int kSize>
class GoTeams {
 public:
  using Situation = GoSituation<kSize>;
  using Index = typename Situation::Index;

  GoTeams(Situation& situation, const ShapeTable& shapes)
      : situation_(situation),
        shapes_(shapes),
        board_(situation.tactics, situation.colour, shapes.marks_last() ? situation.last : 0) {}

  // Calls visit(i, team) for each of the points, which are empty and legal, or 0 for a pass.
  template <class Visit>
  void for_each(std::span<const Index> points, Visit&& visit) {
    std::array<FeatureTeam, kMost> teams;
    std::array<int, kMost> places;
    std::array<std::uint32_t, kMost> shapes;
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      teams[i] = go_features::named_features(go_features::Candidate<kSize>(situation_, points[i]));
      places[count] = ShapeBoard::place(row_of(points[i]), column_of(points[i]));
      count += points[i] != 0;
    }
    shapes_.find_largest(board_, std::span(places).first(count), shapes);
    count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i] != 0) teams[i].set_part(go_features::kShapePart, shapes[count++]);
      visit(i, teams[i]);
    }
  }

  // The most moves that there can be.
  static constexpr int kMost = GoBoard<kSize>::kLines * GoBoard<kSize>::kLines + 1;

  static int row_of(Index point) { return static_cast<int>(point / GoBoard<kSize>::kStride) - 1; }
  static int column_of(Index point) { return static_cast<int>(point % GoBoard<kSize>::kStride) - 1; }

 private:
  Situation& situation_;
  const ShapeTable& shapes_;
  ShapeBoard board_;
};

// A game as a record has it: moves as the game numbers them, Black first, the colours by turns.
using RecordedMoves = std::span<const std::uint16_t>;

// Replays a record under simple ko. visit(situation, point) is called before each move; a pass is the point 0. Gives
// the number of moves that could be played: less than all when one is illegal.
template <int kSize, class Visit>
std::size_t replay(int size, RecordedMoves moves, Visit&& visit) {
  using Index = typename GoSituation<kSize>::Index;
  TacticalBoard<kSize> tactics{GoBoard<kSize>(size)};
  const auto pass = static_cast<std::uint16_t>(size * size);
  int colour = 0;
  Index last = 0;
  Index before_last = 0;
  for (std::size_t i = 0; i < moves.size(); ++i, colour = 1 - colour) {
    if (moves[i] > pass) return i;
    const Index point = moves[i] == pass ? 0 : tactics.board().point_of(moves[i]);
    if (point != 0 && (tactics.colour(point) != tactics.kEmpty || !tactics.is_legal(colour, point))) return i;
    GoSituation<kSize> situation(tactics, colour, last, before_last, i > 0 && last == 0);
    visit(situation, point);
    if (point == 0) {
      tactics.pass();
    } else {
      tactics.play(colour, point);
    }
    before_last = last;
    last = point;
  }
  return moves.size();
}

// All moves of all positions of a record compete, the pass too.
template <int kSize>
void add_record(int size, RecordedMoves moves, const ShapeTable& shapes, Competitions::Chunk& chunk) {
  const auto add_position = [&](GoSituation<kSize>& situation, auto played) {
    GoTeams<kSize> teams(situation, shapes);
    std::array<typename GoSituation<kSize>::Index, GoTeams<kSize>::kMost> points;
    std::size_t count = 0;
    const auto add = [&](auto point) {
      if (point == played) chunk.winners.push_back(static_cast<std::uint32_t>(chunk.teams.size() + count));
      points[count++] = point;
    };
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        const auto point = GoBoard<kSize>::point_at(row, column);
        const auto& tactics = situation.tactics;
        if (tactics.colour(point) == tactics.kEmpty && tactics.is_legal(situation.colour, point)) add(point);
      }
    }
    add(typename GoSituation<kSize>::Index{0});
    teams.for_each(std::span(points).first(count),
                   [&](std::size_t, FeatureTeam team) { chunk.teams.push_back(team.word()); });
    chunk.ends.push_back(static_cast<std::uint32_t>(chunk.teams.size()));
  };
  if (replay<kSize>(size, moves, add_position) != moves.size()) {
    throw std::invalid_argument("a record has an illegal move");
  }
}

// The hashes of all shapes around the moves of a record, kShapeSizes a move; zeros for a pass.
template <int kSize>
void add_shapes(int size, RecordedMoves moves, bool marks_last, std::vector<std::uint64_t>& hashes) {
  replay<kSize>(size, moves, [&](const GoSituation<kSize>& situation, auto point) {
    if (point == 0) {
      hashes.insert(hashes.end(), kShapeSizes, 0);
      return;
    }
    const ShapeBoard board(situation.tactics, situation.colour, marks_last ? situation.last : 0);
    ShapeHasher hasher(board, ShapeBoard::place(GoTeams<kSize>::row_of(point), GoTeams<kSize>::column_of(point)));
    for (int i = 0; i < kShapeSizes; ++i) hashes.push_back(hasher.next());
  });
}

}  // namespace tesuji
