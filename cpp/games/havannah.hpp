// Havannah on boards of side 3 to 10. A player wins with a ring (a loop of own stones around at least one cell,
// whatever stands on it), a bridge (a chain that holds two corners) or a fork (a chain that touches three edges; a
// corner belongs to no edge). A full board without any of them is a draw.
//
// Cell (x, y) of the grid of width w = 2 * side - 1 is on the board when |x - y| < side, and its neighbours are
// (x±1, y), (x, y±1), (x+1, y+1) and (x-1, y-1). Its move is y * w + x; the swap is w * w.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/game.hpp"
#include "core/mix_bits.hpp"
#include "games/havannah_geometry.hpp"

namespace tesuji {

enum class HavannahWin : std::uint8_t { kNone, kRing, kBridge, kFork };

// kMaxSide is the capacity, so that small boards are small objects: use Havannah<5>, Havannah<8> and Havannah<10>.
//
// Chains are kept so that a stone costs no loop and few unpredictable branches. Each stone has a label, and each label
// the label of the chain that it has become part of: to find a chain takes two loads, to join two chains is a
// replacement over the whole table of labels, which is a few vector instructions. A stone without own neighbours takes
// the label of its triangle in a fixed cover of the board. It is free: had this player begun another chain in the same
// triangle, the stone would have an own neighbour. So there are no more labels than triangles.
template <int kMaxSide>
class Havannah {
 public:
  static constexpr bool kConstantSum = true;

  static constexpr int kEmpty = 2;
  static constexpr int kOffBoard = 3;

  explicit Havannah(int side, bool swap = false) : geometry_(&geometry_of(side)), swap_pending_(swap) {
    for (Move move = 0; move < geometry_->num_points(); ++move) {
      if (!geometry_->on_board(move)) continue;
      labels_[move] = geometry_->triangle(move);
      empty_place_[move] = static_cast<Index>(num_empty_);
      empty_[num_empty_++] = static_cast<Index>(move);
    }
    for (Player& player : players_) {
      for (std::size_t label = 0; label < kMaxLabels; ++label) {
        player.chain_of[label / kBlock][label % kBlock] = static_cast<std::uint8_t>(label);
      }
    }
  }

  // A position from the contents of all w * w points, in the order of the moves and with the values of cell(). `swap`
  // says whether the swap rule is in force; it matters only as long as the second player has not moved. Any numbers of
  // stones will do, but only one player may have won.
  static Havannah from_cells(int side, std::span<const std::uint8_t> cells, int to_move, bool swap = false) {
    Havannah position(side);
    const HavannahGeometry& geometry = *position.geometry_;
    if (cells.size() != geometry.num_points()) {
      throw std::invalid_argument("Havannah: " + std::to_string(cells.size()) + " points given, side " +
                                  std::to_string(side) + " has " + std::to_string(geometry.num_points()));
    }
    if (to_move != 0 && to_move != 1) {
      throw std::invalid_argument("Havannah: player to move is " + std::to_string(to_move) + ", must be 0 or 1");
    }
    std::array<int, 2> stones{};
    for (Move move = 0; move < cells.size(); ++move) {
      const unsigned content = cells[move];
      if (geometry.on_board(move) ? content > kEmpty : content != kOffBoard) {
        throw std::invalid_argument("Havannah: point " + std::to_string(move) + " cannot hold " +
                                    std::to_string(content));
      }
      if (content >= kEmpty) continue;
      position.remove_empty(move);
      const unsigned has = position.put(position.players_[content], move, geometry);
      if (HavannahGeometry::wins(has) && position.winner_ == static_cast<int>(content ^ 1)) {
        throw std::invalid_argument("Havannah: both players have won");
      }
      position.settle(content, has);
      ++stones[content];
    }
    position.to_move_ = static_cast<std::uint8_t>(to_move);
    position.swap_pending_ = swap && stones[1] == 0 && stones[0] == to_move;
    return position;
  }

  int side() const { return geometry_->side(); }
  int width() const { return geometry_->width(); }
  Move swap_move() const { return geometry_->num_points(); }
  bool counts_for_rave(Move move) const { return move != swap_move(); }
  // Whether the swap is a legal move now, and whether it may still become one.
  bool can_swap() const { return swap_pending_ && to_move_ == 1; }
  bool swap_pending() const { return swap_pending_; }

  // What stands on a cell: 0 or 1 for a player's stone, kEmpty or kOffBoard.
  int cell(Move move) const {
    if (!geometry_->on_board(move)) return kOffBoard;
    const HavannahGeometry::Cell& cell = geometry_->cell(move);
    const unsigned bit = cell.x + 1u;
    for (int player = 0; player < 2; ++player) {
      if ((players_[static_cast<unsigned>(player)].rows[cell.y + kRowPadding] >> bit) & 1) return player;
    }
    return kEmpty;
  }

  // A player's stones around a cell: bit i is direction i of HavannahGeometry.
  unsigned stones_around(int player, Move move) const {
    const HavannahGeometry::Cell& cell = geometry_->cell(move);
    const Row* const rows = &players_[static_cast<unsigned>(player)].rows[cell.y + kRowPadding];
    return geometry_->circle(neighbourhood(rows, cell));
  }
  const HavannahGeometry& geometry() const { return *geometry_; }

  unsigned num_empty() const { return num_empty_; }
  Move empty_cell(unsigned place) const { return empty_[place]; }

  // The stones of a player in row y of the grid, which may be up to two rows off it: bit x + 1 is cell x.
  std::uint32_t stones_in_row(int player, int y) const {
    return players_[static_cast<unsigned>(player)].rows[static_cast<std::size_t>(y + static_cast<int>(kRowPadding))];
  }

  // What a stone of a player on an empty cell would make: how many chains it touches, the corners, edges and rings
  // that the new chain has (see HavannahGeometry), and the most corners and edges that one of the old ones has.
  struct Prospect {
    int chains = 0;
    unsigned has = 0;
    int most_before = 0;
  };
  Prospect prospect(int player, Move move) const {
    const Player& stones = players_[static_cast<unsigned>(player)];
    const HavannahGeometry::Cell cell = geometry_->cell(move);
    const Row* const rows = &stones.rows[cell.y + kRowPadding];
    const HavannahGeometry::Runs& runs = geometry_->runs(neighbourhood(rows, cell));
    Prospect found{.chains = 0, .has = cell.border, .most_before = 0};
    std::array<unsigned, 3> chains{};
    for (std::size_t run = 0; run < runs.count; ++run) {
      const unsigned chain = stones.chain(labels_[move + static_cast<std::size_t>(runs.offset[run])]);
      const auto known = chains.begin() + found.chains;
      if (std::find(chains.begin(), known, chain) != known) {
        found.has |= HavannahGeometry::kRing;
        continue;
      }
      *known = chain;
      ++found.chains;
      found.has |= stones.has[chain];
      found.most_before = std::max(found.most_before, std::popcount(unsigned{stones.has[chain]}));
    }
    if (runs.has_three_in_a_row) {
      std::array<Row, 2 * kRowPadding + 1> with_stone;
      std::copy_n(rows - kRowPadding, with_stone.size(), with_stone.begin());
      with_stone[kRowPadding] = static_cast<Row>(with_stone[kRowPadding] | (2u << cell.x));
      if (fills_hexagon(&with_stone[kRowPadding])) found.has |= HavannahGeometry::kRing;
    }
    return found;
  }

  int winner() const { return winner_; }  // kDraw as long as nobody has won
  HavannahWin win_kind() const { return win_kind_; }

  int num_players() const { return 2; }
  int to_move() const { return to_move_; }
  bool is_over() const { return winner_ != kDraw || num_empty_ == 0; }

  void legal_moves(MoveList& moves) const {
    moves.clear();
    if (is_over()) return;
    moves.assign(empty_.begin(), empty_.begin() + num_empty_);
    if (can_swap()) moves.push_back(swap_move());
  }

  bool is_legal(Move move) const {
    if (is_over()) return false;
    return move == swap_move() ? can_swap() : cell(move) == kEmpty;
  }

  void play(Move move) {
    if (move == swap_move()) {
      swap_sides();
      return;
    }
    remove_empty(move);
    settle(to_move_, put(players_[to_move_], move, *geometry_));
    last_moves_ = {static_cast<std::uint16_t>(move), last_moves_[0]};
    if (to_move_ == 1) swap_pending_ = false;
    to_move_ ^= 1;
  }

  // The last cell that was played on, and the one before; kNoMove where it is not known. They are no part of the
  // position: nothing that can happen depends on them.
  Move last_move() const { return last_moves_[0] == kUnknown ? kNoMove : last_moves_[0]; }
  Move move_before_last() const { return last_moves_[1] == kUnknown ? kNoMove : last_moves_[1]; }
  void set_last_moves(Move last, Move before_last) {
    last_moves_ = {static_cast<std::uint16_t>(last), static_cast<std::uint16_t>(before_last)};
  }

  Rewards rewards() const { return two_player_rewards(winner_); }

  void canonicalize() {
    std::sort(empty_.begin(), empty_.begin() + num_empty_);
    for (unsigned place = 0; place < num_empty_; ++place) empty_place_[empty_[place]] = static_cast<Index>(place);
  }

  // Two positions are equal when the same can happen from them.
  bool operator==(const Havannah& other) const {
    return geometry_ == other.geometry_ && to_move_ == other.to_move_ && swap_pending_ == other.swap_pending_ &&
           players_[0].rows == other.players_[0].rows && players_[1].rows == other.players_[1].rows;
  }

  std::uint64_t hash() const {
    std::uint64_t hash = static_cast<std::uint64_t>(side()) << 2 | static_cast<std::uint64_t>(swap_pending_) << 1 |
                         static_cast<std::uint64_t>(to_move_);
    for (const Player& player : players_) {
      for (const Row row : player.rows) hash = hash_on(hash, row);
    }
    return hash;
  }

  // Uniform over the legal moves, the swap among them.
  template <class Record>
  Rewards playout(Rng& rng, Record&& record) {
    while (swap_pending_ && !is_over()) {
      const unsigned choice = rng.below(num_empty_ + (can_swap() ? 1u : 0u));
      const Move move = choice < num_empty_ ? empty_[choice] : swap_move();
      record(to_move(), move);
      play(move);
    }
    if (!is_over()) random_stones(rng, record);
    return rewards();
  }

 private:
  static constexpr int kMaxWidth = 2 * kMaxSide - 1;
  static constexpr int kMaxPoints = kMaxWidth * kMaxWidth;
  static constexpr int kMaxCells = 3 * kMaxSide * (kMaxSide - 1) + 1;
  // Two empty rows on either side: the look at a hexagon reaches two rows away.
  static constexpr std::size_t kRowPadding = 2;
  // The triangles of the cover, rounded up to blocks: 23 for side 5, 60 for side 8, 95 for side 10.
  static constexpr std::size_t kBlock = 16;
  static constexpr std::size_t kMaxLabels = kMaxSide <= 5 ? 32 : kMaxSide <= 8 ? 64 : 96;
  static_assert(kMaxSide <= HavannahGeometry::kMaxSide);

  using Index = std::conditional_t<kMaxPoints <= 256, std::uint8_t, std::uint16_t>;
  // Bit x + 1 is cell x, so that the left neighbour of cell 0 can be asked for.
  using Row = std::conditional_t<kMaxWidth + 1 <= 16, std::uint16_t, std::uint32_t>;
  // A vector type of the compiler (gcc, clang; any processor): left to itself, clang unrolls instead of vectorising.
  using Block [[gnu::vector_size(kBlock)]] = std::uint8_t;

  struct Player {
    std::array<Block, kMaxLabels / kBlock> chain_of{};    // by label: the label of its chain
    std::array<std::uint16_t, kMaxLabels> has{};          // by chain: its corners and edges
    std::array<Row, kMaxWidth + 2 * kRowPadding> rows{};  // the stones

    unsigned chain(unsigned label) const { return reinterpret_cast<const std::uint8_t*>(chain_of.data())[label]; }

    void join(unsigned from, unsigned to) {
      const Block from_block = Block{} + static_cast<std::uint8_t>(from);
      const Block change = Block{} + static_cast<std::uint8_t>(from ^ to);
      for (Block& block : chain_of) block ^= reinterpret_cast<Block>(block == from_block) & change;
    }
  };

  static const HavannahGeometry& geometry_of(int side) {
    const HavannahGeometry& geometry = HavannahGeometry::of(side);
    if (side > kMaxSide) {
      throw std::invalid_argument("Havannah: side " + std::to_string(side) + " does not fit into a board of side " +
                                  std::to_string(kMaxSide));
    }
    return geometry;
  }

  // The own stones around a cell of row 0, as HavannahGeometry::runs wants them.
  static unsigned neighbourhood(const Row* rows, const HavannahGeometry::Cell& cell) {
    const unsigned above = (unsigned{rows[-1]} >> cell.x) & 3;
    const unsigned beside = (unsigned{rows[0]} >> cell.x) & 5;
    const unsigned below = (unsigned{rows[1]} >> cell.x) & 6;
    return above | beside << 2 | below << 4;
  }

  // Puts a stone on an empty cell; gives what its chain has now.
  [[gnu::always_inline]] unsigned put(Player& player, Move move, const HavannahGeometry& geometry) {
    const HavannahGeometry::Cell cell = geometry.cell(move);
    Row* const rows = &player.rows[cell.y + kRowPadding];
    const HavannahGeometry::Runs& runs = geometry.runs(neighbourhood(rows, cell));
    rows[0] = static_cast<Row>(rows[0] | (2u << cell.x));
    const auto chain_of_run = [&](std::size_t run) {
      return player.chain(labels_[move + static_cast<std::size_t>(runs.offset[run])]);
    };
    // Without own neighbours the offset is 0, and this finds the label of the cell's triangle.
    const unsigned chain = chain_of_run(0);
    labels_[move] = static_cast<std::uint8_t>(chain);
    unsigned has = player.has[chain] | cell.border;
    // Two runs of one chain: the stone closes a loop, with one of the two gaps between the runs inside, and that gap is
    // on the board.
    if (runs.count >= 2) {
      const unsigned second = chain_of_run(1);
      has |= player.has[second] | (second == chain ? HavannahGeometry::kRing : 0);
      player.join(second, chain);
      if (runs.count == 3) {
        const unsigned third = chain_of_run(2);
        has |= player.has[third] | (third == chain ? HavannahGeometry::kRing : 0);
        player.join(third, chain);
      }
    }
    if (runs.has_three_in_a_row && fills_hexagon(rows)) has |= HavannahGeometry::kRing;
    player.has[chain] = static_cast<std::uint16_t>(has);
    return has;
  }

  // A loop around own stones only holds seven stones in a hexagon. All whose middle is in the row of the last stone or
  // next to it are looked for at once.
  static bool fills_hexagon(const Row* rows) {
    unsigned found = 0;
    for (int i = -1; i <= 1; ++i) {
      const unsigned above = rows[i - 1];
      const unsigned middle = rows[i];
      const unsigned below = rows[i + 1];
      found |= above & (above << 1) & middle & (middle << 1) & (middle >> 1) & below & (below >> 1);
    }
    return found != 0;
  }

  void settle(unsigned player, unsigned has) {
    if (!HavannahGeometry::wins(has)) return;
    const unsigned corners = has & HavannahGeometry::kCornerMask;
    const HavannahWin kind = has >= HavannahGeometry::kRing   ? HavannahWin::kRing
                             : (corners & (corners - 1)) != 0 ? HavannahWin::kBridge
                                                              : HavannahWin::kFork;
    // Only a set-up position can have more than one winning chain.
    if (winner_ == kDraw || kind < win_kind_) win_kind_ = kind;
    winner_ = static_cast<std::int8_t>(player);
  }

  void remove_empty(Move move) {
    const Index place = empty_place_[move];
    const Index last = empty_[--num_empty_];
    empty_[place] = last;
    empty_place_[last] = place;
  }

  // The second player takes the first stone over where it stands, as a stone of player 1, and player 0 moves again. So
  // players keep their numbers, and nothing else in the program needs to know of the swap.
  void swap_sides() {
    Move stone = 0;
    while (cell(stone) != 0) ++stone;
    *this = Havannah(side());
    to_move_ = 1;
    play(stone);
  }

  template <class Record>
  void random_stones(Rng& shared_rng, Record& record) {
    // Local copies: the compiler cannot know that writing bytes of the board leaves the originals alone.
    Rng rng = shared_rng;
    const HavannahGeometry& geometry = *geometry_;
    unsigned num_empty = num_empty_;
    Player* mover = &players_[to_move_];
    Player* other = &players_[to_move_ ^ 1];
    unsigned has = 0;
    do {
      // empty_place_ is not kept up: nobody plays on after the end.
      const unsigned place = rng.below(num_empty);
      const Move move = empty_[place];
      empty_[place] = empty_[--num_empty];
      record(static_cast<int>(mover - players_.data()), move);
      has = put(*mover, move, geometry);
      std::swap(mover, other);
    } while (!HavannahGeometry::wins(has) && num_empty != 0);
    shared_rng = rng;
    num_empty_ = static_cast<std::uint16_t>(num_empty);
    to_move_ = static_cast<std::uint8_t>(mover - players_.data());
    settle(to_move_ ^ 1u, has);
  }

  std::array<Player, 2> players_;
  const HavannahGeometry* geometry_;
  std::uint16_t num_empty_ = 0;
  std::uint8_t to_move_ = 0;
  bool swap_pending_;  // the swap rule is in force and the second player has not moved
  std::int8_t winner_ = kDraw;
  HavannahWin win_kind_ = HavannahWin::kNone;
  static constexpr std::uint16_t kUnknown = static_cast<std::uint16_t>(kNoMove);
  std::array<std::uint16_t, 2> last_moves_ = {kUnknown, kUnknown};
  std::array<Index, kMaxCells> empty_{};           // the empty cells are the first num_empty_
  std::array<Index, kMaxPoints> empty_place_{};    // by empty cell: where it is in that list
  std::array<std::uint8_t, kMaxPoints> labels_{};  // by stone: its label; by empty cell: its triangle
};

static_assert(Game<Havannah<5>> && Game<Havannah<8>> && Game<Havannah<10>>);
static_assert(HasPlayout<Havannah<5>> && HasPlayout<Havannah<8>> && HasPlayout<Havannah<10>>);

}  // namespace tesuji
