// Go under area scoring: suicide is illegal, two passes end the game, positional superko is optional.
//
// A move is row * size + column, with row 0 at the top as in SGF; size * size is the pass. Player 0 is Black.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/game.hpp"
#include "core/mix_bits.hpp"
#include "core/rewards.hpp"
#include "games/go_board.hpp"

namespace tesuji {

// Hashes of the positions that were on the board. The search copies it once a playout: a plain copy of a few kilobytes
// costs less than counting references to something shared. The filter answers nearly all questions without a search.
class GoHistory {
 public:
  void add(std::uint64_t hash) {
    hashes_.push_back(hash);
    filter_.set(hash % kFilterBits);
  }
  bool contains(std::uint64_t hash) const {
    return filter_.test(hash % kFilterBits) && std::find(hashes_.begin(), hashes_.end(), hash) != hashes_.end();
  }
  const std::vector<std::uint64_t>& hashes() const { return hashes_; }

 private:
  static constexpr std::size_t kFilterBits = 2048;
  std::vector<std::uint64_t> hashes_;
  std::bitset<kFilterBits> filter_;
};

// A position as somebody wrote it down. Points, the ko point too, are numbered as moves are.
struct GoSetup {
  MoveList black;
  MoveList white;
  int to_move = 0;
  Move ko_point = kNoMove;
  int passes = 0;
  Move last_move = kNoMove;
  Move move_before_last = kNoMove;
  // Hashes of earlier positions, as history() gave them. The set-up position itself counts in any case.
  std::vector<std::uint64_t> history;
};

template <int kSize>
class Go {
 public:
  static constexpr bool kConstantSum = true;

  using Board = GoBoard<kSize>;
  using Index = typename Board::Index;

  explicit Go(int size = kSize == 0 ? 9 : kSize, double komi = 7.5, bool superko = true)
      : board_(checked_size(size)), komi_(checked_komi(komi)), superko_(superko) {
    if (superko_) history_.add(stones_hash_);
  }

  static Go from_setup(int size, double komi, bool superko, const GoSetup& setup) {
    Go position(size, komi, superko);
    position.set_up(setup);
    return position;
  }

  int num_players() const { return 2; }
  int to_move() const { return to_move_; }
  bool is_over() const { return passes_ >= 2; }

  void legal_moves(MoveList& moves) const {
    moves.clear();
    if (is_over()) return;
    Move move = 0;
    for (int row = 0; row < size(); ++row) {
      for (int column = 0; column < size(); ++column, ++move) {
        if (is_legal_stone(board_.point_at(row, column))) moves.push_back(move);
      }
    }
    moves.push_back(pass());
  }

  // What is worth a thought: as in the playouts no own eye is filled, and nobody passes while the board is open, unless
  // the other just did. Under area scoring a stone in one's own area costs nothing, so little is missed; but a search
  // too small to see that a second pass ends and loses the game does not pass by accident.
  void search_moves(MoveList& moves) const {
    moves.clear();
    if (is_over()) return;
    for (int slot = 0; slot < board_.empty_count(); ++slot) {
      const auto point = board_.empty(slot);
      if (!board_.is_own_eye(to_move_, point) && is_legal_stone(point)) moves.push_back(board_.move_of(point));
    }
    const bool is_open = 4 * board_.empty_count() > size() * size();
    if (!is_open || passes_ > 0 || moves.empty()) moves.push_back(pass());
  }

  bool is_legal(Move move) const {
    return !is_over() && (move == pass() || (move < pass() && is_legal_stone(board_.point_of(move))));
  }

  void play(Move move) {
    if (move == pass()) {
      ++passes_;
      board_.set_ko(0);
    } else {
      put_stone(board_.point_of(move));
      passes_ = 0;
    }
    move_before_last_ = last_move_;
    last_move_ = move;
    to_move_ = 1 - to_move_;
  }

  Rewards rewards() const { return rewards_of(area_score()); }
  // Of a game that ends with this score, Black's area minus White's.
  Rewards rewards_of(int area_score) const {
    const double margin = area_score - komi_;
    return two_player_rewards(margin > 0 ? 0 : margin < 0 ? 1 : kDraw);
  }

  void canonicalize() { board_ = board_.rebuilt(); }

  // The board's uniform playout, under simple ko. It keeps no hashes, so the history does not know its positions.
  template <class Record>
  Rewards playout(Rng& rng, Record&& record) {
    if (is_over()) return rewards();
    const auto end = board_.playout(rng, to_move_, passes_, record);
    to_move_ = end.to_move;
    passes_ = end.passes;
    last_move_ = end.last_point == 0 ? pass() : board_.move_of(end.last_point);
    move_before_last_ = kNoMove;
    stones_hash_is_stale_ = true;
    return rewards_of(is_over() ? board_.area_score_of_finished() : board_.area_score());
  }

  // After moves on a copy of the board, or changes that are none: of them the history knows nothing.
  void set_board(const Board& board) {
    board_ = board;
    last_move_ = move_before_last_ = kNoMove;
    stones_hash_is_stale_ = true;
  }

  std::uint64_t hash() const {
    const Move rest = ((ko_point() + 1) * 4 + static_cast<Move>(passes_)) * 2 + static_cast<Move>(to_move_);
    return stones_hash() ^ mix_bits(rest + 1);
  }

  bool operator==(const Go& other) const {
    return board_ == other.board_ && to_move_ == other.to_move_ && passes_ == other.passes_ && komi_ == other.komi_ &&
           superko_ == other.superko_;
  }

  int size() const { return board_.size(); }
  double komi() const { return komi_; }
  bool superko() const { return superko_; }
  Move pass() const { return static_cast<Move>(size() * size()); }
  bool counts_for_rave(Move move) const { return move != pass(); }

  // What stands on a point: 0 or 1 for a player's stone, 2 for nothing.
  int cell(Move point) const { return board_.colour(board_.point_of(point)); }
  Move ko_point() const { return board_.ko() == 0 ? kNoMove : board_.move_of(board_.ko()); }
  int passes() const { return passes_; }
  Move last_move() const { return last_move_; }
  Move move_before_last() const { return move_before_last_; }
  int area_score() const { return board_.area_score(); }  // Black's minus White's, without komi
  const Board& board() const { return board_; }

  // Hashes of all positions so far, this one too, in order; empty where superko is off.
  const std::vector<std::uint64_t>& history() const { return history_.hashes(); }

 private:
  static int checked_size(int size) {
    if (kSize != 0 ? size != kSize : size < kMinGoSize || size > kMaxGoSize) {
      const std::string wanted = kSize != 0 ? std::to_string(kSize) : "from 5 to 19";
      throw std::invalid_argument("Go: size must be " + wanted + ", not " + std::to_string(size));
    }
    return size;
  }

  static double checked_komi(double komi) {
    if (!std::isfinite(komi)) throw std::invalid_argument("Go: komi must be a finite number");
    return komi;
  }

  // By colour and point. A key depends on row and column only, not on the type of board.
  static constexpr std::array<std::array<std::uint64_t, Board::kPoints>, 2> kKeys = [] {
    std::array<std::array<std::uint64_t, Board::kPoints>, 2> keys{};
    for (unsigned colour = 0; colour < 2; ++colour) {
      for (unsigned point = 0; point < Board::kPoints; ++point) {
        const unsigned row = point / Board::kStride;
        const unsigned column = point % Board::kStride;
        keys[colour][point] = mix_bits(1'000'000 * (colour + 1) + 1'000 * row + column);
      }
    }
    return keys;
  }();

  std::uint64_t key(int colour, Index point) const {
    return kKeys[static_cast<unsigned>(colour)][static_cast<unsigned>(point)];
  }

  std::uint64_t stones_hash() const {
    if (!stones_hash_is_stale_) return stones_hash_;
    std::uint64_t hash = 0;
    for (Move move = 0; move < pass(); ++move) {
      const Index point = board_.point_of(move);
      if (board_.colour(point) != Board::kEmpty) hash ^= key(board_.colour(point), point);
    }
    return hash;
  }

  bool is_legal_stone(Index point) const { return board_.is_legal(to_move_, point) && !(superko_ && repeats(point)); }

  // An earlier position had a stone on `point`, so one must have been captured there since. That leaves few points.
  bool repeats(Index point) const {
    if (!vacated_.test(static_cast<std::size_t>(point))) return false;
    std::uint64_t hash = stones_hash() ^ key(to_move_, point);
    board_.for_each_captured(to_move_, point, [&](Index stone) { hash ^= key(1 - to_move_, stone); });
    return history_.contains(hash);
  }

  void put_stone(Index point) {
    stones_hash_ = stones_hash() ^ key(to_move_, point);
    stones_hash_is_stale_ = false;
    const int captured = board_.play(to_move_, point);
    for (int i = 1; i <= captured; ++i) {
      const Index stone = board_.empty(board_.empty_count() - i);
      stones_hash_ ^= key(1 - to_move_, stone);
      if (superko_) vacated_.set(static_cast<std::size_t>(stone));
    }
    if (superko_) history_.add(stones_hash_);
  }

  void set_up(const GoSetup& setup) {
    if (setup.to_move != 0 && setup.to_move != 1) {
      throw std::invalid_argument("Go: the player to move must be 0 or 1, not " + std::to_string(setup.to_move));
    }
    if (setup.passes < 0 || setup.passes > 2) {
      throw std::invalid_argument("Go: passes must be 0, 1 or 2, not " + std::to_string(setup.passes));
    }
    set_up_stones(setup.black, 0);
    set_up_stones(setup.white, 1);
    if (setup.ko_point != kNoMove) {
      if (setup.ko_point >= pass() || cell(setup.ko_point) != Board::kEmpty) {
        throw std::invalid_argument("Go: the ko point must be an empty point, not " + describe(setup.ko_point));
      }
      board_.set_ko(board_.point_of(setup.ko_point));
    }
    for (const Move move : {setup.last_move, setup.move_before_last}) {
      if (move != kNoMove && move > pass()) throw std::invalid_argument("Go: no such last move: " + describe(move));
    }
    last_move_ = setup.last_move;
    move_before_last_ = setup.move_before_last;
    to_move_ = setup.to_move;
    passes_ = setup.passes;
    if (!superko_) return;
    history_ = GoHistory();
    for (const std::uint64_t hash : setup.history) history_.add(hash);
    if (history().empty() || history().back() != stones_hash_) history_.add(stones_hash_);
    // Where stones were captured before is not known.
    if (history().size() > 1) vacated_.set();
  }

  // Stones are played one by one. In a part of a sound position every chain has a liberty, so that nothing is captured.
  void set_up_stones(const MoveList& points, int colour) {
    for (const Move move : points) {
      if (move >= pass()) throw std::invalid_argument("Go: no such point: " + describe(move));
      if (cell(move) != Board::kEmpty) throw std::invalid_argument("Go: two stones on point " + describe(move));
      const Index point = board_.point_of(move);
      if (board_.play(colour, point) != 0 || board_.pseudo_liberties(point) == 0) {
        throw std::invalid_argument("Go: the stone on point " + describe(move) + " leaves a chain without liberties");
      }
      stones_hash_ ^= key(colour, point);
    }
  }

  std::string describe(Move point) const {
    if (point >= pass()) return std::to_string(point);
    return std::to_string(point) + " (row " + std::to_string(point / static_cast<Move>(size())) + ", column " +
           std::to_string(point % static_cast<Move>(size())) + ")";
  }

  Board board_;
  double komi_;
  bool superko_;
  bool stones_hash_is_stale_ = false;  // after a playout
  int to_move_ = 0;
  int passes_ = 0;
  Move last_move_ = kNoMove;
  Move move_before_last_ = kNoMove;
  std::uint64_t stones_hash_ = 0;
  GoHistory history_;
  std::bitset<Board::kPoints> vacated_;  // where a stone was captured, since the first position of the history
};

static_assert(Game<Go<9>> && HasPlayout<Go<9>>);
static_assert(Game<Go<13>> && HasPlayout<Go<13>>);
static_assert(Game<Go<19>> && HasPlayout<Go<19>>);
static_assert(Game<Go<0>> && HasPlayout<Go<0>>);

}  // namespace tesuji
