// How strong each move of a playout is, by the fast layer of a model, kept from move to move: only points whose
// neighbourhood or whose chains' liberties changed are looked at again. With the sum of each row and of all, so that a
// move is drawn in a step for each row and column.
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

// Of a playable move, which can always be drawn. By the parts of its team that stay from move to move...
inline std::uint64_t weight_of(float strength) {
  return static_cast<std::uint64_t>(std::max(1.0F, std::min(kMostWeight, strength * kUnitWeight)));
}
// ... and with the part that is about the last move.
inline std::uint64_t answering_weight(std::uint64_t weight, float strength) {
  const float wanted = static_cast<float>(static_cast<std::int64_t>(weight)) * strength;
  return static_cast<std::uint64_t>(std::max(1.0F, std::min(kMostWeight, wanted)));
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
    for (unsigned place = 0; place < kSquare.size(); ++place) {
      const Index point = kSomewhere + kSquare[place];
      const auto level = static_cast<std::uint32_t>(fast_features::Contiguity::level<kSize>(point, kSomewhere));
      contiguity_[place] = strengths[fast_features::kAnswerPart][level * fast_features::kAnswerLevels];
    }
  }

  // To be called before a move is played on the tactical board, and after it.
  void before_move(int colour, Index point) {
    forget_answers();
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
      set_lasting(side, point, 0);
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
    forget_answers();
    Side& side = sides_[colour];
    (side.stale & empty_).for_each([&](Index point) { set_lasting(side, point, lasting_weight(colour, point)); });
    side.stale = Points{};
    if (tactics_.board().ko() != 0) side.stale.add(tactics_.board().ko());  // it will be allowed again
    if (last != 0) weigh_answers(colour, last);
  }

  // A move with a probability of its weight's share of the sum; 0, a pass, where there is none.
  Index draw(int colour, Rng& rng) const {
    const Side& side = sides_[colour];
    if (side.sum == 0) return 0;
    // Below 2^50 the product is never rounded up to the sum itself.
    auto rest = static_cast<std::uint64_t>(rng.uniform() * static_cast<double>(side.sum));
    int row = 1;
    while (rest >= side.rows[row]) rest -= side.rows[row++];
    Index point = row * Board::kStride + 1;
    while (rest >= side.weights[point]) rest -= side.weights[point++];
    return point;
  }

  std::uint64_t weight(int colour, Index point) const { return sides_[colour].weights[point]; }
  std::uint64_t sum(int colour) const { return sides_[colour].sum; }

 private:
  // Chains with so many liberties or fewer matter to the features of their liberties.
  static constexpr int kFewLiberties = 2;

  struct Side {
    std::array<std::uint64_t, Board::kPoints> lasting{};  // by the features that stay from move to move
    std::array<std::uint64_t, Board::kPoints> weights{};  // with those about the last move
    std::array<std::uint64_t, Board::kStride> rows{};
    std::uint64_t sum = 0;
    Points stale;  // empty points whose weights may be wrong, and others
  };

  static constexpr int kStride = Board::kStride;
  static constexpr std::array<int, 9> kSquare = {-kStride - 1, -kStride, -kStride + 1, -1,         0,
                                                 1,            kStride - 1, kStride,   kStride + 1};
  static constexpr Index kSomewhere = 2 * kStride + 2;

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
        for (Index i = 0; i < Board::kPoints; ++i) levels[i] = static_cast<std::uint8_t>(Line::level(i, kSize, kStride));
        return levels;
      }();
      return int{kLevels[point]};
    }();
    return strengths_[fast_features::kPlacePart][static_cast<std::size_t>(level)];
  }

  // By the features that stay from move to move.
  std::uint64_t lasting_weight(int colour, Index point) const {
    using namespace fast_features;
    Candidate move(tactics_, colour, point, 0);
    if (!move.is_playable()) return 0;
    float strength = strengths_[kShapePart][shapes_.find(move.shape())] * place_strength(point);
    if (move.is_tactical()) {
      move.read();
      strength *= strengths_[kTacticsPart][part_value<kTacticsPart>(move)];
    }
    return weight_of(strength);
  }

  // Weighs the moves for which a feature of the last part may hold.
  void weigh_answers(int colour, Index last) {
    using namespace fast_features;
    Side& side = sides_[colour];
    answering_ = &side;
    answered_ = last;
    change_square(side, last, [&](Index point, unsigned place) {
      const std::uint64_t lasting = side.lasting[point];
      return lasting == 0 ? 0 : answering_weight(lasting, contiguity_[place]);
    });
    urgent_ = urgent_answers(colour, last);
    urgent_.for_each([&](Index point) {
      if (side.lasting[point] == 0) return;
      Candidate move(tactics_, colour, point, last);
      move.read();
      const float strength = strengths_[kAnswerPart][part_value<kAnswerPart>(move)];
      set(side, point, answering_weight(side.lasting[point], strength));
    });
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

  void forget_answers() {
    if (answering_ == nullptr) return;
    Side& side = *answering_;
    change_square(side, answered_, [&](Index point, unsigned) { return side.lasting[point]; });
    urgent_.for_each([&](Index point) { set(side, point, side.lasting[point]); });
    answering_ = nullptr;
  }

  void set(Side& side, Index point, std::uint64_t weight) {
    const std::uint64_t change = weight - side.weights[point];  // modulo 2^64, as the sums are
    side.weights[point] = weight;
    side.rows[point / kStride] += change;
    side.sum += change;
  }
  void set_lasting(Side& side, Index point, std::uint64_t weight) {
    side.lasting[point] = weight;
    set(side, point, weight);
  }
  // The same for nine points at once, of three rows.
  template <class Weight>
  void change_square(Side& side, Index centre, Weight&& weight) {
    const Index middle_row = centre / kStride;
    std::uint64_t all = 0;
    for (unsigned row = 0; row < 3; ++row) {
      std::uint64_t change = 0;
      for (unsigned place = 3 * row; place < 3 * row + 3; ++place) {
        const Index point = centre + kSquare[place];
        const std::uint64_t now = weight(point, place);
        change += now - side.weights[point];
        side.weights[point] = now;
      }
      side.rows[middle_row - 1 + row] += change;
      all += change;
    }
    side.sum += all;
  }

  const Tactics& tactics_;
  const FastShapeTable& shapes_;
  const PartTables<float>& strengths_;
  std::array<float, kSquare.size()> contiguity_{};  // to the middle of the square, as a strength
  std::array<Side, 2> sides_;
  Points empty_;
  // Whose weights are changed for one move, around which stone and where else.
  Side* answering_ = nullptr;
  Index answered_ = 0;
  Points urgent_;
};

}  // namespace tesuji
