// How strong each move of a playout is, by the fast layer of a model, kept from move to move: only points whose
// neighbourhood or whose chains' liberties changed are looked at again. With the sum of each row, so that a
// move is drawn in a step for each row and column.
//
// What an answer to the last move has more than by itself, its surplus, holds for one move. It is not put into the
// sums: a draw is one of the surpluses or one of the weights. So an answer is never weaker than the same move by
// itself.
//
// Mispredicted branches are most of the cost: that is why conditions are computed with bits where possible.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

#include "core/rng.hpp"
#include "games/go.hpp"
#include "knowledge/go/fast_features.hpp"
#include "knowledge/go/tactical_board.hpp"
#include "knowledge/go/weight_tables.hpp"

namespace tesuji {

// The other's last stone in a position, or 0: a position that was set up need not have one.
template <int kSize>
typename TacticalBoard<kSize>::Index last_stone(const TacticalBoard<kSize>& tactics, const Go<kSize>& position) {
  const Move last = position.last_move();
  if (last == kNoMove || last == position.pass()) return 0;
  const auto point = position.board().point_of(last);
  return tactics.colour(point) == 1 - position.to_move() ? point : 0;
}

template <int kSize>
class MoveWeights {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Board = typename Tactics::Board;
  using Index = typename Tactics::Index;
  using Points = typename Tactics::Points;
  using Candidate = fast_features::Candidate<kSize>;

  // Both are borrowed.
  MoveWeights(const Tactics& tactics, const WeightTables& tables) : tactics_(tactics), tables_(tables) {
    const Board& board = tactics.board();
    for (int slot = 0; slot < board.empty_count(); ++slot) empty_.add(board.empty(slot));
    for (Side& side : sides_) side.stale = empty_;
    for (Index point = 0; point < Board::kPoints; ++point) {
      if (tactics.is_stone(point)) add_liberties_if_few(point, tense_);
    }
    tense_.add(board.ko());  // one that was set up need not be next to a stone in atari; 0 is no empty point
  }

  // To be called before a move is played on the tactical board, and after it.
  void before_move(int colour, Index point) {
    const unsigned own = tactics_.board().neighbour_mask(point, colour);
    const unsigned other = tactics_.board().neighbour_mask(point, 1 - colour);
    Points stale;
    unsigned captured = 0;
    for (unsigned d = 0; d < 4; ++d) {
      const Index stone = point + Tactics::kDirections[d];
      const int count = tactics_.liberty_count(stone);
      const unsigned is_other = other >> d & 1;
      // The other's chains lose a liberty: of three two are left.
      const bool is_few = count <= kFewLiberties + static_cast<int>(is_other);
      stale |= tactics_.liberties_if(((own | other) >> d & 1) & unsigned{is_few}, stone);
      captured |= (is_other & unsigned{count == 1}) << d;
    }
    for (; captured != 0; captured &= captured - 1) add_gaining(colour, neighbour(point, captured), stale);
    tense_ |= stale;
    for (Side& side : sides_) {
      side.stale |= stale;
      set(side, point, 0);
    }
    empty_.remove(point);
  }
  void after_move(Index point, int captured) {
    Points stale;
    add_liberties_if_few(point, stale);
    const Board& board = tactics_.board();
    for (int slot = board.empty_count() - captured; slot < board.empty_count(); ++slot) {
      empty_.add(board.empty(slot));
      add_square(board.empty(slot), stale);
    }
    tense_ |= stale;
    add_square(point, stale);
    for (Side& side : sides_) side.stale |= stale;
  }

  // Brings the weights of the player to move up to date. `last` is the other's last stone, or 0.
  void update(int colour, Index last) {
    Side& side = sides_[colour];
    if (colour == Board::kBlack) {
      weigh_stale<Board::kBlack>(side);
    } else {
      weigh_stale<Board::kWhite>(side);
    }
    if (tactics_.board().ko() != 0) side.stale.add(tactics_.board().ko());  // it will be allowed again
    surplus_ = 0;
    if (last != 0) find_surpluses(colour, last);
  }

  // A move with a probability of its weight's share of the sum; 0, a pass, where there is none. After update().
  Index draw(int colour, Rng& rng) const {
    const Side& side = sides_[colour];
    const std::uint64_t own = side.sum();
    if (own == 0) return 0;
    auto rest = below(own + surplus_, rng);
    if (rest < surplus_) return draw_answer(side, rest, rng);
    rest -= surplus_;
    const Index row = 1 + place_in(&side.rows[1], rest);
    const Index first = row * kStride + 1;
    return first + place_in(&side.weights[first], rest);
  }

  // Of a move by itself, and of all moves with the surpluses of answers.
  std::uint64_t weight(int colour, Index point) const { return sides_[colour].weights[point]; }
  std::uint64_t sum(int colour) const { return sides_[colour].sum() + surplus_; }

 private:
  // Chains with so many liberties or fewer matter to the features of their liberties.
  static constexpr int kFewLiberties = 2;

  struct Side {
    std::array<std::uint64_t, Board::kPoints> weights{};
    std::array<std::uint64_t, Board::kStride> rows{};
    Points stale;  // empty points whose weights may be wrong, and others

    std::uint64_t sum() const { return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}); }
  };

  static constexpr int kStride = Board::kStride;
  // By the levels of contiguity: on a line, diagonally.
  static constexpr std::array<std::array<int, 4>, 2> kAround = {
      {{-kStride, -1, 1, kStride}, {-kStride - 1, -kStride + 1, kStride - 1, kStride + 1}}};

  static constexpr auto kRows = [] {
    std::array<std::uint8_t, Board::kPoints> rows{};
    for (int i = 0; i < Board::kPoints; ++i) rows[i] = static_cast<std::uint8_t>(i / kStride);
    return rows;
  }();

  struct Surplus {
    Index point;
    std::uint64_t weight;
  };

  // In which of a line's weights `rest` falls; takes from it what comes before.
  static Index place_in(const std::uint64_t* weights, std::uint64_t& rest) {
    Index place = 0;
    std::uint64_t end = 0;
    std::uint64_t before = 0;
    for (int i = 0; i < Board::kLines; ++i) {
      end += weights[i];
      const bool is_past = rest >= end;
      place += is_past;
      before = is_past ? end : before;
    }
    rest -= before;
    return place;
  }

  static Index neighbour(Index point, unsigned mask) { return point + Tactics::kDirections[std::countr_zero(mask)]; }

  static void add_square(Index point, Points& points) {
    constexpr std::uint64_t kThree = 7;
    points.add_all(kThree | kThree << kStride | kThree << (2 * kStride), point - kStride - 1);
  }

  void add_liberties_if_few(Index stone, Points& points) const {
    if (tactics_.liberty_count(stone) <= kFewLiberties) points |= tactics_.liberties(stone);
  }
  // Own chains get liberties where a chain is captured.
  void add_gaining(int colour, Index captured, Points& points) const {
    tactics_.for_each_stone(captured, [&](Index stone) {
      for (const int direction : Tactics::kDirections) {
        const Index own = stone + direction;
        const unsigned is_own = tactics_.colour(own) == colour;
        points |= tactics_.liberties_if(is_own & unsigned{tactics_.liberty_count(own) <= kFewLiberties}, own);
      }
    });
  }

  std::size_t place_of(Index point) const {
    using fast_features::Line;
    if constexpr (kSize == 0) {
      return static_cast<std::size_t>(Line::level(point, tactics_.board().size(), kStride));
    } else {
      static constexpr auto kLevels = [] {
        std::array<std::uint8_t, Board::kPoints> levels{};
        for (Index i = 0; i < Board::kPoints; ++i)
          levels[i] = static_cast<std::uint8_t>(Line::level(i, kSize, kStride));
        return levels;
      }();
      return kLevels[point];
    }
  }

  template <int kColour>
  void weigh_stale(Side& side) {
    const Points stale = side.stale & empty_;
    side.stale = Points{};
    stale.without(tense_).for_each([&](Index point) { set(side, point, weigh_quiet<kColour>(point)); });
    (stale & tense_).for_each([&](Index point) {
      Candidate move(tactics_, kColour, point, 0);
      if ((move.one_liberty | move.two_liberties) == 0 && point != tactics_.board().ko()) {
        tense_.remove(point);
        set(side, point, weigh_quiet<kColour>(point));
      } else {
        set(side, point, weigh(move));
      }
    });
  }

  template <int kColour>
  std::uint64_t weigh_quiet(Index point) const {
    const FastShape shape = fast_shape(kColour, tactics_.neighbourhood(point), 0);
    return tables_.quiet_weight(shape, place_of(point));
  }

  std::uint64_t weigh(Candidate& move) const {
    if (!move.is_playable()) return 0;
    move.read();
    const std::uint32_t tactics = fast_features::part_value<fast_features::kTacticsPart>(move);
    return tables_.tactical_weight(move.shape(), place_of(move.point), tactics);
  }

  void find_surpluses(int colour, Index last) {
    const Side& side = sides_[colour];
    for (unsigned level = 0; level < kAround.size(); ++level) {
      const auto& around = kAround[level];
      sums_around_[level] = side.weights[last + around[0]] + side.weights[last + around[1]] +
                            side.weights[last + around[2]] + side.weights[last + around[3]];
      surpluses_around_[level] = surplus_of(sums_around_[level], tables_.contiguity_surplus(level + 1));
      surplus_ += surpluses_around_[level];
    }
    last_ = last;
    urgent_count_ = 0;
    find_urgent_answers(colour, last);
  }

  static std::uint32_t contiguity_of(Index point, Index last) {
    const Index distance = point > last ? point - last : last - point;
    const bool is_on_line = (distance == 1) | (distance == kStride);
    const bool is_diagonal = (distance == kStride - 1) | (distance == kStride + 1);
    return std::uint32_t{is_on_line} + 2 * std::uint32_t{is_diagonal};
  }

  Index draw_answer(const Side& side, std::uint64_t rest, Rng& rng) const {
    for (unsigned level = 0; level < kAround.size(); ++level) {
      if (rest >= surpluses_around_[level]) {
        rest -= surpluses_around_[level];
        continue;
      }
      std::uint64_t share = below(sums_around_[level], rng);
      unsigned place = 0;
      while (share >= side.weights[last_ + kAround[level][place]])
        share -= side.weights[last_ + kAround[level][place++]];
      return last_ + kAround[level][place];
    }
    int place = 0;
    while (rest >= urgent_[place].weight) rest -= urgent_[place++].weight;
    return urgent_[place].point;
  }

  // The answers of fast_features::Answer, found from the chains at the last stone: their liberties, and captures that
  // save one of them.
  void find_urgent_answers(int colour, Index last) {
    const Side& side = sides_[colour];
    const int theirs = tactics_.liberty_count(last);
    unsigned few = Candidate::few_liberties(tactics_, last);
    for (unsigned d = 0; d < 4; ++d) {
      few &= ~(unsigned{tactics_.colour(last + Tactics::kDirections[d]) != colour} * 0x11u << d);
    }
    if (few == 0 && theirs > kFewLiberties) return;
    const Points taking = tactics_.liberties_if(theirs <= kFewLiberties, last);
    Points rescuing;
    Points strengthening;
    Points saving;
    for (unsigned mask = few >> 4; mask != 0; mask &= mask - 1)
      strengthening |= tactics_.liberties(neighbour(last, mask));
    for (unsigned mask = few & 15; mask != 0; mask &= mask - 1) {
      rescuing |= tactics_.liberties(neighbour(last, mask));
      if (!tactics_.chains_in_atari(1 - colour).is_empty()) {
        add_captures_around(colour, neighbour(last, mask), saving);
      }
    }
    Points all = taking;
    all |= rescuing;
    all |= strengthening;
    all |= saving;
    all.for_each([&](Index point) {
      const unsigned is_open = tactics_.board().empty_neighbours(point) >= fast_features::Answer::kOpen;
      const std::uint32_t answer =
          kAnswers[unsigned{taking.has(point)} | unsigned{rescuing.has(point)} << 1 | unsigned{saving.has(point)} << 2 |
                   is_open << 3 | unsigned{theirs == 1} << 4];
      const std::uint64_t surplus =
          surplus_of(side.weights[point], tables_.answer_surplus(contiguity_of(point, last), answer));
      urgent_[urgent_count_++] = {point, surplus};
      surplus_ += surplus;
    });
  }

  // The level of fast_features::Answer of a point that find_urgent_answers() has found, by what it does: take a liberty
  // of the last stone's chain, extend out of atari, save by a capture; whether it is open, and whether that chain is in
  // atari.
  static constexpr auto kAnswers = [] {
    std::array<std::uint8_t, 32> levels{};
    for (unsigned bits = 0; bits < levels.size(); ++bits) {
      const bool takes = bits & 1;
      const bool extends = bits & 2;
      const bool saves = bits & 4;
      const bool is_open = bits & 8;
      const bool captures = takes && (bits & 16);
      levels[bits] = captures ? 6 : saves ? 5 : extends ? 3 + is_open : takes ? 2 : is_open;
    }
    return levels;
  }();

  // The last liberties of the other's chains next to an own one.
  void add_captures_around(int colour, Index own, Points& points) const {
    tactics_.for_each_stone(own, [&](Index stone) {
      for (const int direction : Tactics::kDirections) {
        const Index other = stone + direction;
        const unsigned is_other = tactics_.colour(other) == 1 - colour;
        points |= tactics_.liberties_if(is_other & unsigned{tactics_.in_atari(other)}, other);
      }
    });
  }

  void set(Side& side, Index point, std::uint64_t weight) {
    const std::uint64_t change = weight - side.weights[point];  // modulo 2^64, as the sums are
    side.weights[point] = weight;
    side.rows[kRows[point]] += change;
  }

  const Tactics& tactics_;
  const WeightTables& tables_;
  std::array<Side, 2> sides_;
  Points empty_;
  Points tense_;  // all empty points that are not quiet, and others
  // The surpluses of answers to the last move: next to it, by the levels of contiguity, and urgent ones.
  std::uint64_t surplus_ = 0;
  Index last_ = 0;
  std::array<std::uint64_t, 2> sums_around_{};
  std::array<std::uint64_t, 2> surpluses_around_{};
  std::array<Surplus, Board::kLines * Board::kLines> urgent_;
  int urgent_count_ = 0;
};

}  // namespace tesuji
