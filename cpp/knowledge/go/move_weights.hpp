// How strong each move of a playout is, by the fast layer of a model, kept from move to move: only points whose
// neighbourhood or whose chains' liberties changed are looked at again. With the sum of each row and of all, so that a
// move is drawn in a step for each row and column.
//
// What an answer to the last move has more than by itself, its surplus, holds for one move. It is not put into the
// sums: a draw is one of the surpluses or one of the weights. So an answer is never weaker than the same move by
// itself.
//
// Weights are integers: sums of them are exact, however often they change.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/rng.hpp"
#include "games/go.hpp"
#include "knowledge/bradley_terry.hpp"
#include "knowledge/go/fast_features.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// So much is a strength of 1. The sum of all weights must stay below 2^50 (see draw()).
inline constexpr float kUnitWeight = 65536;
inline constexpr float kMostWeight = 0x1.0p40F;

inline float limited(float weight) { return weight < kMostWeight ? weight : kMostWeight; }

// Of a playable move, which can always be drawn.
inline std::uint64_t weight_of(float strength) {
  const float weight = limited(strength * kUnitWeight);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(weight > 1 ? weight : 1));
}

// What moves have more by a factor.
inline std::uint64_t surplus_of(std::uint64_t weight, float strength) {
  const float surplus = static_cast<float>(static_cast<std::int64_t>(weight)) * (strength > 1 ? strength - 1 : 0);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(limited(surplus)));
}

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

  // All three are borrowed.
  MoveWeights(const Tactics& tactics, const FastShapeTable& shapes, const PartTables<float>& strengths)
      : tactics_(tactics), shapes_(shapes), strengths_(strengths) {
    const Board& board = tactics.board();
    for (int slot = 0; slot < board.empty_count(); ++slot) empty_.add(board.empty(slot));
    for (Side& side : sides_) side.stale = empty_;
    for (unsigned level = 0; level < contiguity_.size(); ++level) {
      contiguity_[level] = strengths[fast_features::kAnswerPart][(level + 1) * fast_features::kAnswerLevels];
    }
  }

  // To be called before a move is played on the tactical board, and after it.
  void before_move(int colour, Index point) {
    const Board& board = tactics_.board();
    Points stale;
    for (unsigned mask = board.neighbour_mask(point, colour); mask != 0; mask &= mask - 1) {
      add_liberties_if_few(neighbour(point, mask), kFewLiberties, stale);
    }
    // The other's chains lose a liberty: of three two are left.
    for (unsigned mask = board.neighbour_mask(point, 1 - colour); mask != 0; mask &= mask - 1) {
      const Index stone = neighbour(point, mask);
      add_liberties_if_few(stone, kFewLiberties + 1, stale);
      if (tactics_.in_atari(stone)) add_gaining(colour, stone, stale);
    }
    for (Side& side : sides_) {
      side.stale |= stale;
      set(side, point, 0);
    }
    empty_.remove(point);
  }
  void after_move(Index point, int captured) {
    Points stale;
    add_square(point, stale);
    add_liberties_if_few(point, kFewLiberties, stale);
    const Board& board = tactics_.board();
    for (int slot = board.empty_count() - captured; slot < board.empty_count(); ++slot) {
      empty_.add(board.empty(slot));
      add_square(board.empty(slot), stale);
    }
    for (Side& side : sides_) side.stale |= stale;
  }

  // Brings the weights of the player to move up to date. `last` is the other's last stone, or 0.
  void update(int colour, Index last) {
    Side& side = sides_[colour];
    const Points stale = side.stale & empty_;
    side.stale = Points{};
    stale.for_each([&](Index point) { set(side, point, weight_by_itself(colour, point)); });
    if (tactics_.board().ko() != 0) side.stale.add(tactics_.board().ko());  // it will be allowed again
    surplus_ = 0;
    if (last != 0) find_surpluses(colour, last);
  }

  // A move with a probability of its weight's share of the sum; 0, a pass, where there is none. After update().
  Index draw(int colour, Rng& rng) const {
    const Side& side = sides_[colour];
    if (side.sum == 0) return 0;
    auto rest = below(side.sum + surplus_, rng);
    if (rest < surplus_) return draw_answer(side, rest, rng);
    rest -= surplus_;
    int row = 1;
    while (rest >= side.rows[row]) rest -= side.rows[row++];
    Index point = row * kStride + 1;
    while (rest >= side.weights[point]) rest -= side.weights[point++];
    return point;
  }

  // Of a move by itself, and of all moves with the surpluses of answers.
  std::uint64_t weight(int colour, Index point) const { return sides_[colour].weights[point]; }
  std::uint64_t sum(int colour) const { return sides_[colour].sum + surplus_; }

 private:
  // Chains with so many liberties or fewer matter to the features of their liberties.
  static constexpr int kFewLiberties = 2;

  struct Side {
    std::array<std::uint64_t, Board::kPoints> weights{};
    std::array<std::uint64_t, Board::kStride> rows{};
    std::uint64_t sum = 0;
    Points stale;  // empty points whose weights may be wrong, and others
  };

  static constexpr int kStride = Board::kStride;
  // By the levels of contiguity: on a line, diagonally.
  static constexpr std::array<std::array<int, 4>, 2> kAround = {
      {{-kStride, -1, 1, kStride}, {-kStride - 1, -kStride + 1, kStride - 1, kStride + 1}}};

  struct Surplus {
    Index point;
    std::uint64_t weight;
  };

  // Below 2^50 the product is never rounded up to the bound itself.
  static std::uint64_t below(std::uint64_t bound, Rng& rng) {
    return static_cast<std::uint64_t>(rng.uniform() * static_cast<double>(static_cast<std::int64_t>(bound)));
  }

  static Index neighbour(Index point, unsigned mask) { return point + Tactics::kDirections[std::countr_zero(mask)]; }

  static void add_square(Index point, Points& points) {
    constexpr std::uint64_t kThree = 7;
    points.add_all(kThree | kThree << kStride | kThree << (2 * kStride), point - kStride - 1);
  }

  void add_liberties_if_few(Index stone, int most, Points& points) const {
    if (tactics_.liberty_count(stone) <= most) points |= tactics_.liberties(stone);
  }
  // Own chains get liberties where a chain is captured.
  void add_gaining(int colour, Index captured, Points& points) const {
    tactics_.for_each_stone(captured, [&](Index stone) {
      for (const int direction : Tactics::kDirections) {
        const Index own = stone + direction;
        if (tactics_.colour(own) == colour) add_liberties_if_few(own, kFewLiberties, points);
      }
    });
  }

  float place_strength(Index point) const {
    using fast_features::Line;
    const auto level = [&] {
      if constexpr (kSize == 0) return Line::level(point, tactics_.board().size(), kStride);
      static constexpr auto kLevels = [] {
        std::array<std::uint8_t, Board::kPoints> levels{};
        for (Index i = 0; i < Board::kPoints; ++i)
          levels[i] = static_cast<std::uint8_t>(Line::level(i, kSize, kStride));
        return levels;
      }();
      return int{kLevels[point]};
    }();
    return strengths_[fast_features::kPlacePart][static_cast<std::size_t>(level)];
  }

  std::uint64_t weight_by_itself(int colour, Index point) const {
    const Candidate move(tactics_, colour, point, 0);
    if (!move.is_playable()) return 0;
    using namespace fast_features;
    const float strength = strengths_[kShapePart][shapes_.find(move.shape())] * place_strength(point);
    if (!move.is_tactical()) return weight_of(strength);
    const float tactics = tactics_strength(move);
    return tactics == 0 ? 0 : weight_of(strength * tactics);  // a strength of 0 is for moves that are never made
  }

  // Apart, so that the many points without tactics do not pay for it.
  [[gnu::noinline]] float tactics_strength(Candidate move) const {
    using namespace fast_features;
    move.read();
    return strengths_[kTacticsPart][part_value<kTacticsPart>(move)];
  }

  void find_surpluses(int colour, Index last) {
    const Side& side = sides_[colour];
    for (unsigned level = 0; level < kAround.size(); ++level) {
      const auto& around = kAround[level];
      sums_around_[level] = side.weights[last + around[0]] + side.weights[last + around[1]] +
                            side.weights[last + around[2]] + side.weights[last + around[3]];
      surpluses_around_[level] = surplus_of(sums_around_[level], contiguity_[level]);
      surplus_ += surpluses_around_[level];
    }
    urgent_count_ = 0;
    last_ = last;
    urgent_answers(colour, last).for_each([&](Index point) {
      if (side.weights[point] == 0) return;
      const std::uint64_t surplus = urgent_surplus(Candidate(tactics_, colour, point, last), side.weights[point]);
      urgent_[urgent_count_++] = {point, surplus};
      surplus_ += surplus;
    });
  }

  // On top of what its contiguity gives a move.
  [[gnu::noinline]] std::uint64_t urgent_surplus(Candidate move, std::uint64_t weight) const {
    using namespace fast_features;
    move.read();
    const std::uint32_t value = part_value<kAnswerPart>(move);
    const float contiguity = strengths_[kAnswerPart][value - value % kAnswerLevels];
    const float answer = strengths_[kAnswerPart][value % kAnswerLevels];
    return surplus_of(weight + surplus_of(weight, contiguity), answer);
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

  // Liberties of chains that the last move left with few, and captures that save such chains.
  Points urgent_answers(int colour, Index last) const {
    Points points;
    add_liberties_if_few(last, kFewLiberties, points);
    for (unsigned d = 0; d < 4; ++d) {
      const Index own = last + Tactics::kDirections[d];
      if (tactics_.colour(own) != colour || tactics_.liberty_count(own) > kFewLiberties) continue;
      points |= tactics_.liberties(own);
      if (!tactics_.in_atari(own) || tactics_.chains_in_atari(1 - colour).is_empty()) continue;
      tactics_.for_each_stone(own, [&](Index stone) {
        for (const int direction : Tactics::kDirections) {
          const Index other = stone + direction;
          if (tactics_.colour(other) == 1 - colour) add_liberties_if_few(other, 1, points);
        }
      });
    }
    return points;
  }

  void set(Side& side, Index point, std::uint64_t weight) {
    const std::uint64_t change = weight - side.weights[point];  // modulo 2^64, as the sums are
    side.weights[point] = weight;
    side.rows[point / kStride] += change;
    side.sum += change;
  }

  const Tactics& tactics_;
  const FastShapeTable& shapes_;
  const PartTables<float>& strengths_;
  std::array<float, 2> contiguity_{};  // its strengths, by level
  std::array<Side, 2> sides_;
  Points empty_;
  // The surpluses of answers to the last move: next to it, by the levels of contiguity, and urgent ones.
  std::uint64_t surplus_ = 0;
  Index last_ = 0;
  std::array<std::uint64_t, 2> sums_around_{};
  std::array<std::uint64_t, 2> surpluses_around_{};
  std::array<Surplus, Board::kLines * Board::kLines> urgent_;
  int urgent_count_ = 0;
};

}  // namespace tesuji
