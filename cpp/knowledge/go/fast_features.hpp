// The features of the moves of playouts, each declared once, as in features.hpp: few, and such that a move changes them
// at few points. Most depend on the stones around a point and the liberties of their chains; those of the last part
// are about the other's last move, and hold for one move only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "knowledge/bradley_terry.hpp"
#include "knowledge/go/fast_shapes.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji::fast_features {

enum Part { kShapePart, kPlacePart, kTacticsPart, kAnswerPart };

// A move and what several features want to know of it.
template <int kSize>
class Candidate {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;

  // An empty point. `last_stone` is the other's last one, or 0.
  Candidate(const Tactics& board, int to_move, Index where, Index last_stone)
      : tactics(board),
        colour(to_move),
        point(where),
        last(last_stone),
        own(board.board().neighbour_mask(where, to_move)),
        other(board.board().neighbour_mask(where, 1 - to_move)) {
    const unsigned few = few_liberties(board, where);
    one_liberty = few & 15;
    two_liberties = few >> 4;
  }

  // Bits for the directions in which a chain has one liberty, and above them those in which one has two.
  static unsigned few_liberties(const Tactics& board, Index where) {
    unsigned few = 0;
    for (unsigned d = 0; d < 4; ++d) few |= kFew[board.liberty_count(where + Tactics::kDirections[d])] << d;
    return few;
  }

  // Playouts make legal moves that fill no own eye.
  bool is_playable() const {
    const auto& board = tactics.board();
    const unsigned lives = static_cast<unsigned>(board.empty_neighbours(point)) | (own & ~one_liberty) | captured();
    // Computed whole: which of the three it is cannot be foreseen.
    return (unsigned{lives != 0} & unsigned{point != board.ko()} & unsigned{!board.is_own_eye(colour, point)}) != 0;
  }

  FastShape shape() const { return fast_shape(colour, tactics.neighbourhood(point), one_liberty); }

  // Of a playable move; to be called before features are asked for.
  void read() {
    for (unsigned d = 0; d < 4; ++d) {
      const Index neighbour = point + tactics.kDirections[d];
      several |= unsigned{tactics.board().next_in_chain(neighbour) != neighbour} << d;
    }
    is_self_atari = leaves_one_liberty();
  }

  Index stone(unsigned mask) const { return point + tactics.kDirections[std::countr_zero(mask)]; }
  unsigned captured() const { return other & one_liberty; }

  // Whether the last stone is next to an own chain, and so took a liberty of it.
  bool is_touched_by_last(Index stone) const {
    for (const int direction : tactics.kDirections) {
      const Index neighbour = last + direction;
      if (tactics.colour(neighbour) == colour && tactics.chain(neighbour) == tactics.chain(stone)) return true;
    }
    return false;
  }

  // By a number of liberties, a bit for one and a bit for two.
  static constexpr std::array<std::uint8_t, 256> kFew = {0, 1, 16};

  const Tactics& tactics;
  int colour;
  Index point;
  Index last;
  // Bits for the directions: own stones, the other's, and stones of either whose chains have so many liberties.
  unsigned own;
  unsigned other;
  unsigned one_liberty = 0;
  unsigned two_liberties = 0;
  unsigned several = 0;  // those whose chains have several stones
  bool is_self_atari = false;

 private:
  // As tesuji::is_self_atari() says it. Liberties are counted first as if no two chains had one in common: most
  // moves are decided by that.
  bool leaves_one_liberty() const {
    const int empty = tactics.board().empty_neighbours(point);
    const unsigned strong = own & ~(one_liberty | two_liberties);
    if (empty >= 2 || (strong | (captured() & several)) != 0) return false;
    if (empty + kBits[own & two_liberties] + kBits[captured()] < 2) return true;
    return tactics.liberties_after(colour, point).template count_up_to<2>() < 2;
  }

  // How many bits are set: not all processors can tell.
  static constexpr std::array<std::uint8_t, 16> kBits = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
};

// 0 for no chain in a mask, 1 for single stones, 2 where one has several.
inline int size_level(unsigned chains, unsigned several) { return int{chains != 0} + int{(chains & several) != 0}; }

using Names = std::string_view;

struct Line {
  static constexpr Names kName = "line";
  static constexpr std::array<Names, 5> kLevels = {"1", "2", "3", "4", "5 and more"};
  static constexpr Part kPart = kPlacePart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    return level(move.point, move.tactics.board().size(), GoBoard<kSize>::kStride);
  }
  static constexpr int level(std::ptrdiff_t point, std::ptrdiff_t size, std::ptrdiff_t stride) {
    const auto row = point / stride;
    const auto column = point % stride;
    return static_cast<int>(std::min({row, column, size + 1 - row, size + 1 - column, std::ptrdiff_t{5}}));
  }
};

struct Capture {
  static constexpr Names kName = "capture";
  static constexpr std::array<Names, 2> kLevels = {"of one stone", "of several stones"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    return size_level(move.captured(), move.several);
  }
};

struct Extension {
  static constexpr Names kName = "extension out of atari";
  static constexpr std::array<Names, 1> kLevels = {"of any chain"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    return int{(move.own & move.one_liberty) != 0} & int{!move.is_self_atari};
  }
};

struct SelfAtari {
  static constexpr Names kName = "self-atari";
  static constexpr std::array<Names, 3> kLevels = {"of one stone", "that joins single stones", "that joins a chain"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    return move.is_self_atari ? 1 + size_level(move.own, move.several) : 0;
  }
};

struct Atari {
  static constexpr Names kName = "atari";
  static constexpr std::array<Names, 2> kLevels = {"of one stone", "of several stones"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    const unsigned chains = move.other & move.two_liberties;
    return move.is_self_atari ? 0 : size_level(chains, move.several);
  }
};

struct Contiguity {
  static constexpr Names kName = "next to the last move";
  static constexpr std::array<Names, 2> kLevels = {"on a line", "diagonally"};
  static constexpr Part kPart = kAnswerPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    constexpr auto kStride = GoBoard<kSize>::kStride;
    const auto distance = move.point > move.last ? move.point - move.last : move.last - move.point;
    if (move.last == 0) return 0;
    if (distance == 1 || distance == kStride) return 1;
    return distance == kStride - 1 || distance == kStride + 1 ? 2 : 0;
  }
};

struct Answer {
  static constexpr Names kName = "answer to the last move";
  static constexpr std::array<Names, 6> kLevels = {
      "open liberty of a chain that it left two",  "liberty of its chain, which has two",
      "liberty of a chain that it put into atari", "open liberty of a chain that it put into atari",
      "capture that saves from its atari",         "capture of its chain"};
  static constexpr Part kPart = kAnswerPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    if (move.last == 0) return 0;
    const int theirs = move.tactics.liberty_count(move.last);
    const bool takes_liberty = theirs <= 2 && move.tactics.liberties(move.last).has(move.point);
    if (takes_liberty && theirs == 1) return 6;
    if (saves_by_capture(move)) return 5;
    const bool is_open = move.tactics.board().empty_neighbours(move.point) >= kOpen;
    if (touched(move, move.own & move.one_liberty)) return is_open ? 4 : 3;
    if (takes_liberty) return 2;
    return is_open && touched(move, move.own & move.two_liberties) ? 1 : 0;
  }
  // So many empty points around a move: its stone will have two liberties at least. What it has with the chains that it
  // joins would take longer to see.
  static constexpr int kOpen = 2;

 private:
  template <int kSize>
  static bool touched(const Candidate<kSize>& move, unsigned mask) {
    for (; mask != 0; mask &= mask - 1) {
      if (move.is_touched_by_last(move.stone(mask))) return true;
    }
    return false;
  }

  template <int kSize>
  static bool saves_by_capture(const Candidate<kSize>& move) {
    if (move.tactics.chains_in_atari(move.colour).is_empty()) return false;
    bool saves = false;
    for (unsigned mask = move.captured(); mask != 0; mask &= mask - 1) {
      move.tactics.for_each_stone(move.stone(mask), [&](auto captured) {
        for (const int direction : move.tactics.kDirections) {
          const auto own = captured + direction;
          saves = saves || (move.tactics.colour(own) == move.colour && move.tactics.in_atari(own) &&
                            move.is_touched_by_last(own));
        }
      });
    }
    return saves;
  }
};

// Contiguity comes first in its part: a level of it is so many values.
inline constexpr std::uint32_t kAnswerLevels = Answer::kLevels.size() + 1;

// All of them. A model's gammas are in this order.
using All = std::tuple<Line, Capture, Extension, SelfAtari, Atari, Contiguity, Answer>;

// Calls visit(feature) with a value of each type, in order.
template <class Visit>
constexpr void for_each_feature(Visit&& visit) {
  std::apply([&](auto... features) { (visit(features), ...); }, All{});
}

// How many values a part has: the product of its features' levels, none counted too.
constexpr std::uint32_t part_width(int part) {
  std::uint32_t width = 1;
  for_each_feature([&](auto feature) {
    if (feature.kPart == part) width *= static_cast<std::uint32_t>(feature.kLevels.size() + 1);
  });
  return width;
}

// What a level of a feature is multiplied by in the value of its part: by the levels of those after it.
template <class Wanted>
constexpr std::uint32_t place_value() {
  std::uint32_t result = 0;
  for_each_feature([&](auto feature) {
    if (feature.kPart == Wanted::kPart) result *= static_cast<std::uint32_t>(feature.kLevels.size() + 1);
    if (feature.kName == Wanted::kName) result = 1;
  });
  return result;
}

// A strength of 0 for every move that leaves two stones or more in atari.
inline void forbid_self_atari_of_chains(PartTables<float>& strengths) {
  auto& tactics = strengths[kTacticsPart];
  for (std::uint32_t value = 0; value < tactics.size(); ++value) {
    if (value / place_value<SelfAtari>() % (SelfAtari::kLevels.size() + 1) >= 2) tactics[value] = 0;
  }
}

// The value of a part of a move that was read.
template <int kPart, int kSize>
std::uint32_t part_value(const Candidate<kSize>& move) {
  std::uint32_t value = 0;
  for_each_feature([&](auto feature) {
    if constexpr (feature.kPart == kPart) {
      const auto levels = static_cast<std::uint32_t>(feature.kLevels.size() + 1);
      value = value * levels + static_cast<std::uint32_t>(feature.level(move));
    }
  });
  return value;
}

// The team of a playable move.
template <int kSize>
FeatureTeam team(Candidate<kSize> move, const FastShapeTable& shapes) {
  move.read();
  FeatureTeam team;
  team.set_part(kShapePart, shapes.find(move.shape()));
  team.set_part(kPlacePart, part_value<kPlacePart>(move));
  team.set_part(kTacticsPart, part_value<kTacticsPart>(move));
  team.set_part(kAnswerPart, part_value<kAnswerPart>(move));
  return team;
}

}  // namespace tesuji::fast_features
