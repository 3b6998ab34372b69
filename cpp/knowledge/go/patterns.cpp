#include "knowledge/go/patterns.hpp"

#include <string_view>

namespace tesuji {
namespace {

// Whose move the pattern is for.
enum class For { kBoth, kX, kO };

// Row by row, the point itself in the middle. X and O are the two players, either way; '.' is empty, '#' off the board,
// '-' empty or O, '?' anything.
struct Pattern {
  std::string_view shape;
  For to_move = For::kBoth;
  // Shapes that fit too but are no pattern.
  std::array<std::string_view, 2> unless = {};
};

constexpr Pattern kPatterns[] = {
    {"XOX"
     ".*."
     "???"},  // hane that encloses
    {"XO."
     ".*."
     "?.?"},  // hane that does not cut
    {"XO?"
     "X*."
     "?.?"},  // hane around a corner
    {"XOO"
     ".*."
     "?.?",
     For::kX},  // hane at the head of two
    {"XO?"
     "O*?"
     "???",
     For::kBoth,
     {"XO?"
      "O*O"
      "?.?",
      "XO?"
      "O*."
      "?O?"}},  // cut, unless what it cuts is protected
    {"?X?"
     "O*O"
     "---"},  // cut between two
    {"X.?"
     "O*?"
     "###"},  // chase along the edge
    {"OX?"
     "-*O"
     "###"},  // block at the edge
    {"?X?"
     "-*O"
     "###",
     For::kX},
    {"?XO"
     "-*-"
     "###",
     For::kO},
    {"?OX"
     "X*O"
     "###"},  // cut at the edge
};

bool fits(char symbol, int colour) {
  switch (symbol) {
    case 'X':
      return colour == 0;
    case 'O':
      return colour == 1;
    case '.':
      return colour == 2;
    case '#':
      return colour == 3;
    case '-':
      return colour == 1 || colour == 2;
    default:
      return true;
  }
}

int colour_at(Neighbourhood code, unsigned place) { return static_cast<int>(code >> (2 * place) & 3); }

bool fits(std::string_view shape, Neighbourhood code) {
  for (unsigned cell = 0, place = 0; cell < shape.size(); ++cell) {
    if (cell == 4) continue;
    if (!fits(shape[cell], colour_at(code, place++))) return false;
  }
  return !shape.empty();
}

bool fits(const Pattern& pattern, Neighbourhood code) {
  return fits(pattern.shape, code) && !fits(pattern.unless[0], code) && !fits(pattern.unless[1], code);
}

// The same seen from another side.
Neighbourhood moved(Neighbourhood code, const std::array<unsigned, 8>& from) {
  Neighbourhood result = 0;
  for (unsigned place = 0; place < 8; ++place) result |= (code >> (2 * from[place]) & 3) << (2 * place);
  return result;
}
Neighbourhood turned(Neighbourhood code) { return moved(code, {5, 3, 0, 6, 1, 7, 4, 2}); }
Neighbourhood mirrored(Neighbourhood code) { return moved(code, {2, 1, 0, 4, 3, 7, 6, 5}); }

// The same with the colours exchanged.
Neighbourhood exchanged(Neighbourhood code) {
  Neighbourhood result = 0;
  for (unsigned place = 0; place < 8; ++place) {
    const auto colour = static_cast<Neighbourhood>(colour_at(code, place));
    result |= (colour < 2 ? 1 - colour : colour) << (2 * place);
  }
  return result;
}

// As X is Black; with the colours exchanged it is White.
void add(const Pattern& pattern, Neighbourhood code, PatternTables& tables) {
  if (pattern.to_move != For::kO) {
    tables[0].set(code);
    tables[1].set(exchanged(code));
  }
  if (pattern.to_move != For::kX) {
    tables[1].set(code);
    tables[0].set(exchanged(code));
  }
}

PatternTables make_tables() {
  PatternTables tables;
  for (Neighbourhood code = 0; code < kNeighbourhoods; ++code) {
    for (const Pattern& pattern : kPatterns) {
      if (!fits(pattern, code)) continue;
      Neighbourhood seen = code;
      for (int side = 0; side < 8; ++side) {
        add(pattern, seen, tables);
        seen = side == 3 ? mirrored(seen) : turned(seen);
      }
    }
  }
  return tables;
}

}  // namespace

const PatternTables kPatternTables = make_tables();

}  // namespace tesuji
