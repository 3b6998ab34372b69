// The fast Go board: stones, chains, simple ko and uniform playouts, and nothing that those do not need.
//
// The board is one-dimensional, with a border one point wide, so that the neighbours of a point lie at constant
// distances. Each chain has a root, one of its points, and a tally, one word at the root: the sum over the chain's
// stones of what their four neighbours are. An empty point counts as a chain of its own, and so does a border point.
// So a new stone changes the tallies of its four neighbours by constants, whatever they are; an empty point's tally
// tells which neighbours are black or white and how many are empty; and it is already that of the stone put there.
//
// Liberties are pseudo-liberties: pairs of a stone and an empty neighbour. A chain is captured when none is left.
// Half the cost of a playout is mispredicted branches: that is why conditions are computed with bits where possible.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/game.hpp"
#include "core/rng.hpp"

namespace tesuji {

inline constexpr int kMinGoSize = 5;
inline constexpr int kMaxGoSize = 19;

// kSize is the number of lines, or 0 for any number from 5 to 19 that is known only at run time.
template <int kSize>
class GoBoard {
 public:
  // What is on a point.
  static constexpr int kBlack = 0;
  static constexpr int kWhite = 1;
  static constexpr int kEmpty = 2;
  static constexpr int kBorder = 3;

  static constexpr int kLines = kSize == 0 ? kMaxGoSize : kSize;
  static constexpr int kStride = kLines + 2;
  static constexpr int kPoints = kStride * kStride;
  static constexpr std::array<int, 4> kDirections = {-kStride, -1, 1, kStride};

  // A place on the padded board; 0 is a border point and stands for "no point". Arrays keep it as a Point, code
  // computes with an Index, which needs no conversion to become an address. (Bytes for the small boards were slower:
  // a byte may alias anything, and the compilers then reload what they know.)
  using Point = std::uint16_t;
  using Index = std::ptrdiff_t;

  explicit GoBoard(int size) : size_(size) {
    for (int point = 0; point < kPoints; ++point) {
      chain_[point] = next_[point] = static_cast<Point>(point);
      tally_[point] = kNotAStone;
      colour_[point] = kBorder;
    }
    for (int move = 0; move < size * size; ++move) {
      const Index point = point_of(static_cast<Move>(move));
      colour_[point] = kEmpty;
      empties_[empty_count_++] = static_cast<Point>(point);
      for (const int direction : kDirections) tally_[point + direction] += kOneLiberty;
      const int row = move / size;
      const int column = move % size;
      if (row == 0 || column == 0 || row == size - 1 || column == size - 1) {
        diagonal_[point] = kOnDiagonal<kBlack> + kOnDiagonal<kWhite>;
      }
    }
  }

  int size() const {
    if constexpr (kSize != 0) return kSize;
    return size_;
  }
  static constexpr Index point_at(int row, int column) { return (row + 1) * kStride + column + 1; }
  Index point_of(Move move) const { return point_at(static_cast<int>(move) / size(), static_cast<int>(move) % size()); }
  Move move_of(Index point) const { return static_cast<Move>((point / kStride - 1) * size() + point % kStride - 1); }

  int colour(Index point) const { return colour_[point]; }
  Index ko() const { return ko_; }
  void set_ko(Index point) { ko_ = point; }
  int empty_count() const { return empty_count_; }
  Index empty(int slot) const { return empties_[slot]; }  // in no particular order
  // The same board with its chains and lists built in the order of the points. In a part of a sound position every
  // chain has a liberty, so that nothing is captured on the way.
  GoBoard rebuilt() const {
    GoBoard board(size());
    for (const int colour : {kBlack, kWhite}) {
      for (Index point = 0; point < kPoints; ++point) {
        if (colour_[point] == colour) board.play(colour, point);
      }
    }
    std::sort(board.empties_.begin(), board.empties_.begin() + board.empty_count_);
    board.ko_ = ko_;
    return board;
  }
  Index chain(Index point) const { return chain_[point]; }
  Index next_in_chain(Index stone) const { return next_[stone]; }
  int chain_size(Index stone) const {
    int count = 1;
    for (Index other = next_[stone]; other != stone; other = next_[other]) ++count;
    return count;
  }
  int pseudo_liberties(Index stone) const { return (tally_[chain_[stone]] >> kLibertyShift) + 1; }
  int stone_difference() const { return stone_difference_; }  // black stones minus white ones

  // For an empty point: how many neighbours are empty, and which (bit d for kDirections[d]) are stones of `colour`.
  int empty_neighbours(Index point) const { return (tally_[point] & kEmptyField) / kOneLiberty; }
  unsigned neighbour_mask(Index point, int colour) const {
    return static_cast<unsigned>(tally_[point]) >> mask_shift(colour) & 15;
  }

  // Whether an empty point is a one-point eye of `colour`: no neighbour is empty or an enemy, and of the diagonals at
  // most one is an enemy's, at the edge of the board none.
  bool is_own_eye(int colour, Index point) const {
    return colour == kBlack ? is_own_eye<kBlack>(point, tally_[point]) : is_own_eye<kWhite>(point, tally_[point]);
  }

  // The same stones, and the same ko.
  bool operator==(const GoBoard& other) const {
    return size() == other.size() && ko_ == other.ko_ && colour_ == other.colour_;
  }

  bool is_legal(int colour, Index point) const {
    if (colour_[point] != kEmpty || point == ko_) return false;
    if (empty_neighbours(point) != 0) return true;
    for (const int direction : kDirections) {
      const Index neighbour = point + direction;
      if (colour_[neighbour] <= kWhite && (colour_[neighbour] == colour) != has_only_liberty(neighbour, point)) {
        return true;
      }
    }
    return false;
  }

  // Calls visit(stone) for every stone that a stone of `colour` on the empty `point` would capture.
  template <class Visit>
  void for_each_captured(int colour, Index point, Visit&& visit) const {
    std::array<Index, 4> done{};
    for (int d = 0; d < 4; ++d) {
      const Index first = point + kDirections[d];
      if (colour_[first] != 1 - colour || !has_only_liberty(first, point)) continue;
      done[d] = chain_[first];
      if (std::find(done.begin(), done.begin() + d, done[d]) != done.begin() + d) continue;
      Index stone = first;
      do {
        visit(stone);
        stone = next_[stone];
      } while (stone != first);
    }
  }

  // Puts a stone on an empty point and gives the number of captured stones; their points are the last of the empty
  // ones. Of the rules it checks nothing: a suicide leaves a chain without liberties behind.
  int play(int colour, Index point) {
    // To the end, without a way out: so the compilers compare several at once.
    const auto wanted = static_cast<Point>(point);
    Point slot = 0;
    for (Point other = 0; other < empty_count_; ++other) slot |= empties_[other] == wanted ? other : Point{0};
    return play_slot(colour, slot);
  }

  // The same for who knows where the point is in the list: empty(slot). The last of the list takes its place there.
  int play_slot(int colour, int slot) {
    const Index point = empties_[slot];
    empties_[slot] = empties_[--empty_count_];
    const int empty_count_before = empty_count_;
    ko_ = 0;
    const Tally before = tally_[point];
    const Roots roots = roots_around(point);
    if (colour == kBlack) {
      put_stone<kBlack>(point, before, roots, take_liberties<kBlack>(roots));
    } else {
      put_stone<kWhite>(point, before, roots, take_liberties<kWhite>(roots));
    }
    return empty_count_ - empty_count_before;
  }

  struct PlayoutEnd {
    int to_move;
    int passes;
    Index last_point;  // 0 is a pass
  };

  // Plays uniformly random moves that are legal and do not fill an own one-point eye, and passes where there is none,
  // until two passes in a row or a limit of moves. `passes` is the number of passes just before.
  template <class Record>
  PlayoutEnd playout(Rng& shared_rng, int to_move, int passes, Record& record) {
    Rng rng = shared_rng;  // a local one can stay in registers
    const int limit = 3 * size() * size();
    int moves = 0;
    Index last_point = 0;
    const auto finished = [&](Index point) {
      last_point = point;
      passes = point == 0 ? passes + 1 : 0;
      return ++moves >= limit || passes >= 2;
    };
    // The colours take turns in the code itself, so that each has an own copy where its colour is a constant.
    for (bool black_moves = to_move == kBlack;; black_moves = true) {
      if (black_moves && finished(random_move<kBlack>(rng, record))) break;
      if (finished(random_move<kWhite>(rng, record))) break;
    }
    shared_rng = rng;
    return {(to_move + moves) % 2, passes, last_point};
  }

  // Calls visit(first, last, touched) for every region of empty points: its points, and a bit for each of the two
  // colours that it touches.
  template <class Visit>
  void for_each_region(Visit&& visit) const {
    std::array<bool, kPoints> seen{};
    std::array<Point, kLines * kLines> region;
    for (int slot = 0; slot < empty_count_; ++slot) {
      if (seen[empties_[slot]]) continue;
      seen[empties_[slot]] = true;
      region[0] = empties_[slot];
      int region_size = 1;
      unsigned touched = 0;
      for (int i = 0; i < region_size; ++i) {
        for (const int direction : kDirections) {
          const int neighbour = region[i] + direction;
          touched |= 1u << colour_[neighbour];
          if (colour_[neighbour] != kEmpty || seen[neighbour]) continue;
          seen[neighbour] = true;
          region[region_size++] = static_cast<Point>(neighbour);
        }
      }
      visit(region.data(), region.data() + region_size, touched & (1u << kBlack | 1u << kWhite));
    }
  }

  // Black's area minus White's: stones, and empty regions that touch one colour only.
  int area_score() const {
    int score = stone_difference_;
    for_each_region([&score](const Point* first, const Point* last, unsigned touched) {
      if (touched == 1u << kBlack) score += static_cast<int>(last - first);
      if (touched == 1u << kWhite) score -= static_cast<int>(last - first);
    });
    return score;
  }

  // The same where no two empty points are neighbours, as after a playout that ended with two passes.
  int area_score_of_finished() const {
    int score = stone_difference_;
    for (int slot = 0; slot < empty_count_; ++slot) {
      const Tally tally = tally_[empties_[slot]];
      score += (tally & kMaskField<kWhite>) == 0;
      score -= (tally & kMaskField<kBlack>) == 0;
    }
    return score;
  }

 private:
  // A tally has in its lowest bits the directions in which black neighbours are and those in which white ones are, four
  // bits each; of a chain of several stones that is a meaningless sum, of at most 17 bits. Above come the
  // pseudo-liberties, for stones less one: so the sign tells a chain without liberties, and the bitwise or of tallies
  // tells whether there is one among them. Empty points and border points have so many that they are never that.
  using Tally = std::int32_t;
  static constexpr int kLibertyShift = 17;
  static constexpr Tally kOneLiberty = Tally{1} << kLibertyShift;
  static constexpr Tally kEmptyField = 7 * kOneLiberty;  // of an empty point, which has at most four
  static constexpr Tally kNotAStone = Tally{1} << 29;
  static constexpr int mask_shift(int colour) { return 4 * colour; }
  template <int kColour>
  static constexpr Tally kMaskField = Tally{15} << mask_shift(kColour);

  template <int kColour>
  static unsigned mask_in(Tally tally) {
    return static_cast<unsigned>(tally) >> mask_shift(kColour) & 15;
  }

  // What a new stone adds to the tally of its neighbour in direction d, which sees it in the opposite direction.
  template <int kColour>
  static constexpr Tally seen_from(int d) {
    return (Tally{1} << (mask_shift(kColour) + 3 - d)) - kOneLiberty;
  }

  // What a neighbour in direction d adds to the masks, by its colour.
  static constexpr std::array<std::array<Tally, 4>, 4> kMaskOf = [] {
    std::array<std::array<Tally, 4>, 4> table{};
    for (int d = 0; d < 4; ++d) {
      for (const int colour : {kBlack, kWhite}) table[d][colour] = Tally{1} << (mask_shift(colour) + d);
    }
    return table;
  }();

  // The first direction in a mask; none leads from the point to itself.
  static constexpr std::array<Index, 16> kFirstDirection = [] {
    std::array<Index, 16> table{};
    for (unsigned mask = 1; mask < 16; ++mask) table[mask] = kDirections[std::countr_zero(mask)];
    return table;
  }();

  // Stones on the diagonals of a point, four bits for each colour; the edge of the board counts as one of either.
  // An eye is false when the enemy has two or more.
  static constexpr std::array<int, 4> kDiagonals = {-kStride - 1, -kStride + 1, kStride - 1, kStride + 1};
  template <int kColour>
  static constexpr std::uint8_t kOnDiagonal = 1 << (4 * kColour);
  template <int kColour>
  static constexpr int kFalseEye = 6 * kOnDiagonal<1 - kColour>;

  template <int kColour>
  bool is_own_eye(Index point, Tally tally) const {
    return ((tally & (kEmptyField | kMaskField<1 - kColour>)) | (diagonal_[point] & kFalseEye<kColour>)) == 0;
  }

  using Roots = std::array<Index, 4>;

  Roots roots_around(Index point) const {
    return {chain_[point + kDirections[0]], chain_[point + kDirections[1]], chain_[point + kDirections[2]],
            chain_[point + kDirections[3]]};
  }

  // The four neighbours lose a liberty and see a stone. Tells whether one of them has no liberty left.
  template <int kColour>
  bool take_liberties(const Roots& roots) {
    for (int d = 0; d < 4; ++d) tally_[roots[d]] += seen_from<kColour>(d);
    return (tally_[roots[0]] | tally_[roots[1]] | tally_[roots[2]] | tally_[roots[3]]) < 0;
  }

  template <int kColour>
  void give_back_liberties(const Roots& roots) {
    for (int d = 0; d < 4; ++d) tally_[roots[d]] -= seen_from<kColour>(d);
  }

  // Of a point with enemies all around. To try it is cheaper than to count how often each chain touches the point.
  template <int kColour>
  bool would_capture(const Roots& roots) {
    const bool some_dead = take_liberties<kColour>(roots);
    give_back_liberties<kColour>(roots);
    return some_dead;
  }

  // A bit for each direction in which the neighbour has no liberty left.
  unsigned dead_around(const Roots& roots) const {
    unsigned dead = 0;
    for (int d = 0; d < 4; ++d) dead |= static_cast<unsigned>(tally_[roots[d]]) >> 31 << d;
    return dead;
  }

  // After take_liberties(). `before` is the tally of the empty point before it, here and below.
  template <int kColour>
  bool is_suicide(Tally before, const Roots& roots) const {
    const unsigned dead = dead_around(roots);
    const unsigned captured = dead & mask_in<1 - kColour>(before);
    const unsigned alive = ~dead & mask_in<kColour>(before);
    return (static_cast<unsigned>(before & kEmptyField) | captured | alive) == 0;
  }

  bool has_only_liberty(Index stone, Index point) const {
    int pairs = 0;
    for (const int direction : kDirections) pairs += chain_[point + direction] == chain_[stone];
    return pseudo_liberties(stone) == pairs;
  }

  // Gives the point, or 0 for a pass. Inlined by force, as put_stone(): calls cost an eighth of the speed.
  template <int kColour, class Record>
  [[gnu::always_inline]] Index random_move(Rng& rng, Record& record) {
    const Index ko = std::exchange(ko_, 0);
    // Points not yet rejected are the first ones of the list; so every draw is uniform over them.
    unsigned candidates = static_cast<unsigned>(empty_count_);
    while (candidates > 0) {
      const unsigned slot = rng.below(candidates--);
      const Index point = empties_[slot];
      const Tally before = tally_[point];
      const Roots roots = roots_around(point);
      const unsigned own_eye = is_own_eye<kColour>(point, before);
      const unsigned enclosed = (before & (kEmptyField | kMaskField<kColour>)) == 0;
      // One branch for both kinds of unlikely points: which of them it is cannot be predicted.
      if ((own_eye | enclosed) == 0 || (own_eye == 0 && point != ko && would_capture<kColour>(roots))) {
        const bool some_dead = take_liberties<kColour>(roots);
        if (!some_dead || !is_suicide<kColour>(before, roots)) {
          empties_[slot] = empties_[candidates];
          empties_[candidates] = empties_[--empty_count_];
          put_stone<kColour>(point, before, roots, some_dead);
          record(kColour, move_of(point));
          return point;
        }
        give_back_liberties<kColour>(roots);
      }
      empties_[slot] = empties_[candidates];
      empties_[candidates] = static_cast<Point>(point);
    }
    return 0;
  }

  // The rest of a move, after take_liberties() and the removal of the point from the list of empty ones.
  template <int kColour>
  [[gnu::always_inline]] void put_stone(Index point, Tally before, const Roots& roots, bool some_dead) {
    colour_[point] = kColour;
    stone_difference_ += kColour == kBlack ? 1 : -1;
    for (const int diagonal : kDiagonals) diagonal_[point + diagonal] += kOnDiagonal<kColour>;
    if (some_dead) capture_around<kColour>(point, before, roots);

    // Joins the first own neighbour's chain. Without one it joins itself, by the same steps.
    const unsigned own = mask_in<kColour>(before);
    const Index root = chain_[point + kFirstDirection[own]];
    const Tally tally = tally_[point] - kNotAStone;
    tally_[point] = -kOneLiberty;
    tally_[root] += tally;
    chain_[point] = static_cast<Point>(root);
    std::swap(next_[point], next_[root]);

    unsigned others = 0;
    for (int d = 1; d < 4; ++d) others |= static_cast<unsigned>(roots[d] != root) << d;
    others &= own;
    if (others != 0) merge_around(point, others);
  }

  [[gnu::noinline]] void merge_around(Index point, unsigned others) {
    for (; others != 0; others &= others - 1) {
      const Index neighbour = point + kDirections[std::countr_zero(others)];
      if (chain_[neighbour] != chain_[point]) merge(chain_[neighbour], chain_[point]);
    }
  }

  // The chain with fewer pseudo-liberties, which is nearly always the smaller one, gets the other's root.
  void merge(Index a, Index b) {
    const bool in_order = tally_[a] >= tally_[b];
    const Index larger = in_order ? a : b;
    const Index smaller = in_order ? b : a;
    tally_[larger] += tally_[smaller] + kOneLiberty;
    Index stone = smaller;
    do {
      chain_[stone] = static_cast<Point>(larger);
      stone = next_[stone];
    } while (stone != smaller);
    std::swap(next_[larger], next_[smaller]);
  }

  template <int kColour>
  [[gnu::noinline]] void capture_around(Index point, Tally before, const Roots& roots) {
    const int empty_count_before = empty_count_;
    for (unsigned dead = dead_around(roots) & mask_in<1 - kColour>(before); dead != 0; dead &= dead - 1) {
      const Index neighbour = point + kDirections[std::countr_zero(dead)];
      // A chain may touch the point more than once, and is gone then.
      if (colour_[neighbour] != kEmpty) remove_chain<1 - kColour>(neighbour);
    }
    const bool enclosed = (before & (kEmptyField | kMaskField<kColour>)) == 0;
    if (enclosed && empty_count_ == empty_count_before + 1) ko_ = empties_[empty_count_before];
  }

  // No neighbour of a captured chain is empty. So first each stone becomes a chain of its own, with the tally of an
  // empty point that stones and border surround; then it is taken away as put_stone() put it there.
  template <int kColour>
  void remove_chain(Index first) {
    Index stone = first;
    do {
      Tally tally = kNotAStone;
      for (int d = 0; d < 4; ++d) tally += kMaskOf[d][colour_[stone + kDirections[d]]];
      tally_[stone] = tally;
      chain_[stone] = static_cast<Point>(stone);
      stone = next_[stone];
    } while (stone != first);
    do {
      colour_[stone] = kEmpty;
      stone_difference_ -= kColour == kBlack ? 1 : -1;
      empties_[empty_count_++] = static_cast<Point>(stone);
      for (int d = 0; d < 4; ++d) tally_[chain_[stone + kDirections[d]]] -= seen_from<kColour>(d);
      for (const int diagonal : kDiagonals) diagonal_[stone + diagonal] -= kOnDiagonal<kColour>;
      stone = std::exchange(next_[stone], static_cast<Point>(stone));
    } while (stone != first);
  }

  std::array<Tally, kPoints> tally_;  // right at roots only
  std::array<Point, kPoints> chain_;  // the root of the chain
  std::array<Point, kPoints> next_;   // the next stone of the chain, in a circle
  std::array<std::uint8_t, kPoints> colour_;
  std::array<std::uint8_t, kPoints> diagonal_{};  // of border points, meaningless
  std::array<Point, kLines * kLines> empties_{};
  int size_;
  int empty_count_ = 0;
  int stone_difference_ = 0;
  Index ko_ = 0;  // the point that must not be played now, or 0
};

}  // namespace tesuji
