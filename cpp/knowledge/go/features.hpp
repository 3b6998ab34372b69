// The features of a move in Go, each declared once: its name, the names of its levels, the part of a team that it
// belongs to, and the function that finds its level. Level 0 is that the move has nothing of the kind. (The shapes of
// stones, which have no names, are in shapes.hpp.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "knowledge/bradley_terry.hpp"
#include "knowledge/go/nakade.hpp"
#include "knowledge/go/self_atari.hpp"
#include "knowledge/go/shapes.hpp"
#include "knowledge/go/situation.hpp"

namespace tesuji::go_features {

// The parts of a team; the product of the levels within one is limited (FeatureTeam::kBits).
enum Part { kShapePart, kPlacePart, kTacticsPart, kLibertiesPart };

// A move and what several features want to know of it.
template <int kSize>
struct Candidate {
  using Situation = GoSituation<kSize>;
  using Index = typename Situation::Index;

  // A point that is empty and legal, or 0 for a pass.
  Candidate(Situation& around, Index where) : situation(around), tactics(around.tactics), point(where) {
    if (point == 0) return;
    own = tactics.board().neighbour_mask(point, situation.colour);
    other = tactics.board().neighbour_mask(point, 1 - situation.colour);
    in_atari = tactics.mask_in_atari(point);
    liberties = count_liberties();
    is_self_atari = liberties < 2 && tesuji::is_self_atari(tactics, situation.colour, point);
  }

  template <class Visit>
  void for_each_own(Visit&& visit) const {
    if (own != 0) tactics.for_each_chain_around(point, situation.colour, [](Index) { return true; }, visit);
  }
  template <class Visit>
  void for_each_other(Visit&& visit) const {
    if (other != 0) tactics.for_each_chain_around(point, 1 - situation.colour, [](Index) { return true; }, visit);
  }

  static constexpr int kMostLiberties = 6;
  Situation& situation;
  const TacticalBoard<kSize>& tactics;
  Index point;
  // Bit d for tactics.kDirections[d]. Most points have few stones around: then most features need not be looked for.
  unsigned own = 0;
  unsigned other = 0;
  unsigned in_atari = 0;  // whatever its colour
  int liberties = 0;      // of the new chain
  bool is_self_atari = false;

 private:
  // Up to kMostLiberties. The sets of liberties are joined only where the counts do not tell.
  int count_liberties() const {
    if (own == 0) {
      int count = tactics.board().empty_neighbours(point);
      for (unsigned captured = other & in_atari; captured != 0; captured &= captured - 1) ++count;
      return count;
    }
    for (unsigned left = own; left != 0; left &= left - 1) {
      const Index neighbour = point + tactics.kDirections[std::countr_zero(left)];
      if (tactics.liberty_count(neighbour) > kMostLiberties) return kMostLiberties;
    }
    return tactics.liberties_after(situation.colour, point).count_up_to(kMostLiberties);
  }
};

using Names = std::string_view;

// The distances of Coulom's paper: dx + dy + max(dx, dy), 2 for neighbours and 3 for diagonals.
inline constexpr std::array<Names, 16> kDistances = {"2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",
                                                     "10", "11", "12", "13", "14", "15", "16", "17 and more"};

template <int kSize>
int distance_level(std::ptrdiff_t a, std::ptrdiff_t b) {
  constexpr std::ptrdiff_t kStride = GoBoard<kSize>::kStride;
  const int distance =
      shape_distance(static_cast<int>(a % kStride - b % kStride), static_cast<int>(a / kStride - b / kStride));
  return std::clamp(distance - 1, 1, static_cast<int>(kDistances.size()));
}

struct DistanceToLast {
  static constexpr Names kName = "distance to the last move";
  static constexpr auto kLevels = kDistances;
  static constexpr Part kPart = kPlacePart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    if (move.point == 0 || move.situation.last == 0) return 0;
    return distance_level<kSize>(move.point, move.situation.last);
  }
};

struct DistanceToBeforeLast {
  static constexpr Names kName = "distance to the move before";
  static constexpr auto kLevels = kDistances;
  static constexpr Part kPart = kPlacePart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    if (move.point == 0 || move.situation.before_last == 0) return 0;
    return distance_level<kSize>(move.point, move.situation.before_last);
  }
};

// Which lines are large depends on how full the board is.
struct Line {
  static constexpr Names kName = "line";
  static constexpr std::array<Names, 15> kLevels = {
      "1, opening", "2, opening", "3, opening", "4, opening", "5 and more, opening",
      "1, middle",  "2, middle",  "3, middle",  "4, middle",  "5 and more, middle",
      "1, endgame", "2, endgame", "3, endgame", "4, endgame", "5 and more, endgame"};
  static constexpr Part kPart = kPlacePart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    if (move.point == 0) return 0;
    constexpr std::ptrdiff_t kStride = GoBoard<kSize>::kStride;
    const std::ptrdiff_t size = move.tactics.board().size();
    const auto row = move.point / kStride;
    const auto column = move.point % kStride;
    return static_cast<int>(std::min({row, column, size + 1 - row, size + 1 - column, std::ptrdiff_t{5}})) +
           5 * phase(move);
  }

 private:
  // By the share of the points that have a stone: up to a tenth, up to two fifths, more.
  template <int kSize>
  static int phase(const Candidate<kSize>& move) {
    const int size = move.tactics.board().size();
    const int stones = size * size - move.tactics.board().empty_count();
    return (10 * stones > size * size) + (5 * stones > 2 * size * size);
  }
};

struct Pass {
  static constexpr Names kName = "pass";
  static constexpr std::array<Names, 2> kLevels = {"first", "after a pass"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    if (move.point != 0) return 0;
    return move.situation.is_after_pass ? 2 : 1;
  }
};

struct Capture {
  static constexpr Names kName = "capture";
  static constexpr std::array<Names, 6> kLevels = {
      "of one stone",      "of several stones",     "of stones that cannot escape",
      "of the last stone", "that saves own stones", "of the last stone, that saves own stones"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    int best = 0;
    if ((move.other & move.in_atari) == 0) return best;
    move.for_each_other([&](auto stone) {
      if (move.tactics.in_atari(stone)) best = std::max(best, level_of(move, stone));
    });
    return best;
  }

 private:
  template <int kSize>
  static int level_of(const Candidate<kSize>& move, std::ptrdiff_t stone) {
    const bool is_last = move.situation.is_last_chain(stone);
    if (saves(move, stone)) return is_last ? 6 : 5;
    if (is_last) return 4;
    const bool is_one = move.tactics.board().next_in_chain(stone) == stone;
    if (move.situation.is_lost(stone)) return 3;
    return is_one ? 1 : 2;
  }

  // Whether a chain next to the captured one was in atari.
  template <int kSize>
  static bool saves(const Candidate<kSize>& move, std::ptrdiff_t captured) {
    if (move.tactics.chains_in_atari(move.situation.colour).is_empty()) return false;
    bool found = false;
    move.tactics.for_each_stone(captured, [&](auto stone) {
      for (const int direction : move.tactics.kDirections) {
        const auto own = stone + direction;
        found |= move.tactics.colour(own) == move.situation.colour && move.tactics.in_atari(own);
      }
    });
    return found;
  }
};

struct Extension {
  static constexpr Names kName = "extension out of atari";
  static constexpr std::array<Names, 3> kLevels = {"into a ladder that is lost", "of an old atari",
                                                   "of an atari by the last move"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    int best = 0;
    if (move.is_self_atari || (move.own & move.in_atari) == 0) return best;
    move.for_each_own([&](auto stone) {
      if (!move.tactics.in_atari(stone)) return;
      const int level = move.situation.is_lost(stone) ? 1 : move.situation.is_next_to_last(stone) ? 3 : 2;
      best = std::max(best, level);
    });
    return best;
  }
};

struct SelfAtari {
  static constexpr Names kName = "self-atari";
  static constexpr std::array<Names, 3> kLevels = {"of one stone", "of two or three", "of more"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    if (!move.is_self_atari) return 0;
    int stones = 1;
    move.for_each_own([&](auto stone) { stones += move.tactics.board().chain_size(stone); });
    return stones == 1 ? 1 : stones <= 3 ? 2 : 3;
  }
};

struct Atari {
  static constexpr Names kName = "atari";
  static constexpr std::array<Names, 6> kLevels = {
      "of a chain that escapes", "while a ko is forbidden",       "of the last stone's chain, which escapes",
      "of two chains",           "of a chain that cannot escape", "of the last stone's chain, which cannot escape"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    int best = 0;
    int count = 0;
    move.for_each_other([&](auto stone) {
      if (move.tactics.liberty_count(stone) != 2) return;
      ++count;
      const bool is_last = move.situation.is_last_chain(stone);
      const bool is_ko_fight = move.tactics.board().ko() != 0;
      const int level = !move.is_self_atari && move.situation.captures(move.point, stone) ? (is_last ? 6 : 5)
                        : is_last                                                         ? 3
                        : is_ko_fight                                                     ? 2
                                                                                          : 1;
      best = std::max(best, level);
    });
    return count > 1 ? std::max(best, 4) : best;
  }
};

struct VitalPoint {
  static constexpr Names kName = "vital point of an eye";
  static constexpr std::array<Names, 2> kLevels = {"of the other's", "of an own"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    if (move.point == 0) return 0;
    if ((move.own != 0) == (move.other != 0) || move.tactics.board().empty_neighbours(move.point) < 2) return 0;
    if (!may_be_vital(move.tactics, move.point) || vital_point(move.tactics, move.point) != move.point) return 0;
    return move.other != 0 ? 1 : 2;
  }
};

struct Ko {
  static constexpr Names kName = "ko";
  static constexpr std::array<Names, 1> kLevels = {"taken"};
  static constexpr Part kPart = kTacticsPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    const auto& board = move.tactics.board();
    if (move.liberties != 1 || move.own != 0 || board.empty_neighbours(move.point) != 0) return 0;
    bool takes = false;
    move.for_each_other(
        [&](auto stone) { takes |= move.tactics.in_atari(stone) && board.next_in_chain(stone) == stone; });
    return takes ? 1 : 0;
  }
};

struct LibertiesAfter {
  static constexpr Names kName = "liberties after the move";
  static constexpr std::array<Names, 6> kLevels = {"1", "2", "3", "4", "5", "6 and more"};
  static constexpr Part kPart = kLibertiesPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    return move.liberties;
  }
};

// The weakest chains next to a point, own and other: who is short of liberties in a capturing race.
struct Race {
  static constexpr Names kName = "liberties of own chains against the other's";
  static constexpr std::array<Names, 24> kLevels = {"- : 1",  "- : 2",  "- : 3",  "- : 4+", "1 : -",  "1 : 1",
                                                    "1 : 2",  "1 : 3",  "1 : 4+", "2 : -",  "2 : 1",  "2 : 2",
                                                    "2 : 3",  "2 : 4+", "3 : -",  "3 : 1",  "3 : 2",  "3 : 3",
                                                    "3 : 4+", "4+ : -", "4+ : 1", "4+ : 2", "4+ : 3", "4+ : 4+"};
  static constexpr Part kPart = kLibertiesPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    return 5 * weakest(move, move.own) + weakest(move, move.other);
  }

 private:
  template <int kSize>
  static int weakest(const Candidate<kSize>& move, unsigned stones) {
    if (stones == 0) return 0;
    int least = 4;
    for (; stones != 0; stones &= stones - 1) {
      const auto neighbour = move.point + move.tactics.kDirections[std::countr_zero(stones)];
      least = std::min(least, move.tactics.liberty_count(neighbour));
    }
    return least;
  }
};

struct AgainstLast {
  static constexpr Names kName = "takes a liberty of the last stone's chain, of";
  static constexpr std::array<Names, 6> kLevels = {"1", "2", "3", "4", "5", "6 and more"};
  static constexpr Part kPart = kLibertiesPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    if (move.point == 0 || !move.situation.has_last_stone()) return 0;
    if (!move.tactics.liberties(move.situation.last).has(move.point)) return 0;
    return std::min(move.tactics.liberty_count(move.situation.last), static_cast<int>(kLevels.size()));
  }
};

struct Defence {
  static constexpr Names kName = "extends a chain that the last move touched, of";
  static constexpr std::array<Names, 5> kLevels = {"1", "2", "3", "4", "5 and more"};
  static constexpr Part kPart = kLibertiesPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    int least = 0;
    if (move.situation.last == 0) return least;
    move.for_each_own([&](auto stone) {
      if (!move.situation.is_next_to_last(stone)) return;
      const int count = std::min(move.tactics.liberty_count(stone), static_cast<int>(kLevels.size()));
      least = least == 0 ? count : std::min(least, count);
    });
    return least;
  }
};

// Once more, and coarser, for its combinations with the liberties.
struct NearLast {
  static constexpr Names kName = "distance to the last move, with liberties";
  static constexpr std::array<Names, 3> kLevels = {"2 or 3", "4 to 6", "7 and more"};
  static constexpr Part kPart = kLibertiesPart;
  template <int kSize>
  static int level(const Candidate<kSize>& move) {
    const int distance = DistanceToLast::level(move) + 1;
    return distance == 1 ? 0 : distance <= 3 ? 1 : distance <= 6 ? 2 : 3;
  }
};

// All of them. A model's gammas are in this order.
using All = std::tuple<DistanceToLast, DistanceToBeforeLast, Line, Pass, Capture, Extension, SelfAtari, Atari,
                       VitalPoint, Ko, LibertiesAfter, Race, AgainstLast, Defence, NearLast>;

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
static_assert(part_width(kPlacePart) <= 1u << FeatureTeam::kBits[kPlacePart]);
static_assert(part_width(kTacticsPart) <= 1u << FeatureTeam::kBits[kTacticsPart]);
static_assert(part_width(kLibertiesPart) <= 1u << FeatureTeam::kBits[kLibertiesPart]);

// The team of a move without its shape.
template <int kSize>
FeatureTeam named_features(const Candidate<kSize>& move) {
  std::array<std::uint32_t, kTeamParts> values{};
  for_each_feature([&](auto feature) {
    const auto levels = static_cast<std::uint32_t>(feature.kLevels.size() + 1);
    values[feature.kPart] = values[feature.kPart] * levels + static_cast<std::uint32_t>(feature.level(move));
  });
  FeatureTeam team;
  for (int part = kPlacePart; part < kTeamParts; ++part) team.set_part(part, values[part]);
  return team;
}

}  // namespace tesuji::go_features
