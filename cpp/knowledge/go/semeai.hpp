// Capturing races (semeai), settled by search. Two sides have chains in the race, and the first capture of one of these
// decides it: the captor has won. Where neither side can force a capture both stay, which is called a seki here,
// whether or not one of them also has two eyes.
//
// A chain may also be alone: then it lives or dies, and its owner has won if it is never captured.
//
// "Can the attacker force a capture?" is a question with the answers yes and no, and an and-or search answers it. Such
// a search has five rules:
//
//   moves   Where chains that can never be captured close a small room around the race, all moves in it. Else the
//           liberties of its chains, the points next to these, and the liberties of chains nearby that have few; and
//           if the answer is yes, of the attacker's chains around it that are shut in and could be captured as soon.
//   pass    The defender may pass. The attacker never gains by it: after two passes nothing is captured.
//   ko      The question is asked twice. Each side in turn may take back at once, as if it had all the threats, and
//           the other never; a race whose outcome depends on that is a ko.
//   bound   After so many positions the answer is "unknown", never a guess.
//   walls   Whoever attacks a chain that is alone must not run short of liberties meanwhile; where a chain around it
//           might, but could also run, the answer is "unknown".
//
// A position that comes back on the same line has brought the attacker nothing: the answer there is no. Such an answer
// holds on this line only, so that what follows from it is not remembered.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/mix_bits.hpp"
#include "games/go_board.hpp"
#include "knowledge/go/race_moves.hpp"
#include "knowledge/go/tactical_board.hpp"

namespace tesuji {

// The first two have the numbers of the players.
enum class RaceOutcome : std::uint8_t { kBlackWins, kWhiteWins, kSeki, kKo, kUnknown };

struct RaceVerdict {
  std::array<RaceOutcome, 2> outcome = {RaceOutcome::kUnknown, RaceOutcome::kUnknown};  // by who moves first
  // What each player has to play, if first, for the better outcome; empty where a pass brings the same, or where the
  // bound was reached before all moves were looked at.
  std::array<MoveList, 2> necessary;
  std::uint64_t positions = 0;  // that were looked at

  bool is_won_by(int player, int to_move) const {
    return outcome[static_cast<std::size_t>(to_move)] == static_cast<RaceOutcome>(player);
  }
};

template <int kSize>
class SemeaiSolver {
 public:
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Tactics::Index;
  using Points = typename Tactics::Points;
  using Race = RaceStones<kSize>;

  // For questions that may each take so many positions: after them the answer is "unknown". `poll` is called now and
  // then, and may throw.
  SemeaiSolver(Race race, std::uint64_t most_positions, std::function<void()> poll = nullptr)
      : scope_{.stones = std::move(race), .room = {}},
        most_positions_(most_positions),
        poll_(std::move(poll)),
        table_(std::bit_ceil(std::clamp(most_positions, kLeastTable, kMostTable))) {}

  // The race as it stands, for either side to move; a ko that forbids a move now forbids it to `to_move` alone.
  //
  // What was found is remembered by the stones in which positions differ: who asks about several gives each but one of
  // them a hash of these.
  RaceVerdict solve(const Tactics& board, int to_move, std::uint64_t stones_hash = 0) {
    positions_ = 0;
    scope_.room = closed_room(board, race(), kMostRoom);
    touched_ |= scope_.room;
    RaceVerdict verdict;
    Tactics other = board;
    other.pass();
    for (const int mover : {0, 1}) {
      verdict.outcome[static_cast<std::size_t>(mover)] = outcome(mover == to_move ? board : other, mover, stones_hash);
    }
    for (const int mover : {0, 1}) {
      add_necessary(mover == to_move ? board : other, mover, stones_hash, verdict);
    }
    verdict.positions = positions_;
    return verdict;
  }

  const Race& race() const { return scope_.stones; }
  bool is_alone() const { return race()[0].empty() || race()[1].empty(); }
  // Whether a chain that is alone needs no move.
  bool lives_anyway(const RaceVerdict& verdict) const {
    return is_alone() && verdict.is_won_by(owner(), 0) && verdict.is_won_by(owner(), 1);
  }
  // All points that any answer so far depends on.
  Points touched() const {
    Points all = touched_;
    all |= walls_;
    return all;
  }
  static std::uint64_t stone_key(int colour, Index point) {
    return mix_bits(static_cast<std::uint64_t>(2 * point + colour));
  }

 private:
  enum class Answer : std::uint8_t { kNo, kUnknown, kYes };

  static constexpr std::uint64_t kLeastTable = std::uint64_t{1} << 10;
  static constexpr std::uint64_t kMostTable = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kQuestions = 1'000'000;  // keys of questions are none of stones
  static constexpr std::uint64_t kScopes = 2'000'000;     // nor are those of scopes
  static constexpr std::uint64_t kPollEvery = std::uint64_t{1} << 14;
  static constexpr int kMostPlies = 80;
  static constexpr int kMostRoom = 10;       // empty points that are all looked at
  static constexpr int kMostLiberties = 12;  // a chain with more has left the race, for all that can be read

  struct Entry {
    std::uint64_t key = 0;
    Answer answer = Answer::kUnknown;
    int passes = 0;  // of a yes, how often the defender can pass before the capture
  };

  // ---- outcomes

  RaceOutcome outcome(const Tactics& board, int mover, std::uint64_t stones_hash) {
    const RaceOutcome first = outcome_with_threats_of(0, board, mover, stones_hash);
    if (!met_ko_ || first == RaceOutcome::kUnknown) return first;
    const RaceOutcome second = outcome_with_threats_of(1, board, mover, stones_hash);
    if (first == second || second == RaceOutcome::kUnknown) return second;
    return RaceOutcome::kKo;
  }

  RaceOutcome outcome_with_threats_of(int rich, const Tactics& board, int mover, std::uint64_t stones_hash) {
    rich_ = rich;
    const Answer mover_captures = ask(mover, board, mover, stones_hash);
    if (mover_captures == Answer::kYes) return static_cast<RaceOutcome>(mover);
    const Answer other_captures = ask(1 - mover, board, mover, stones_hash);
    if (other_captures == Answer::kYes) return static_cast<RaceOutcome>(1 - mover);
    const bool both_stay = mover_captures == Answer::kNo && other_captures == Answer::kNo;
    if (!both_stay) return RaceOutcome::kUnknown;
    return is_alone() ? static_cast<RaceOutcome>(owner()) : RaceOutcome::kSeki;
  }

  // Whose chain it is that lives or dies alone.
  int owner() const { return race()[0].empty() ? 1 : 0; }

  Answer ask(int attacker, const Tactics& board, int mover, std::uint64_t stones_hash) {
    attacker_ = attacker;
    scope_.involved.clear();
    for (;;) {
      path_.clear();
      repetitions_ = 0;
      const Answer answer = captures(board, mover, stones_hash);
      if (answer != Answer::kYes) return answer;
      runs_short_ = false;
      const bool has_more = involve_more(board, passes_);
      if (runs_short_) return Answer::kUnknown;
      if (!has_more) return answer;
    }
  }

  // Chains of the attacker next to all this, shut in too, that the defender can capture with so many moves elsewhere,
  // and so perhaps escape. Liberties that are also the defender's do not count: the attacker fills those. Tells whether
  // there are any. Around a chain that is alone, one that could run instead leaves it open who is captured first.
  bool involve_more(const Tactics& board, int moves_elsewhere) {
    if (!scope_.room.is_empty()) return false;
    const std::size_t before = scope_.involved.size();
    Points defended;
    Points points = touched_;
    for (const Index chain : race()[1 - attacker_]) {
      defended |= board.liberties(chain);
      board.for_each_stone(chain, [&](Index stone) { points.add(stone); });
    }
    points.for_each([&](Index point) {
      for (const int direction : Tactics::kDirections) {
        const Index stone = point + direction;
        if (board.colour(stone) != attacker_ || is_involved(board, stone)) continue;
        const int outside = board.liberty_count(stone) - (board.liberties(stone) & defended).count();
        if (is_alone() && board.liberty_count(stone) <= kMostLiberties) walls_ |= board.liberties(stone);
        if (outside > moves_elsewhere || count_sure_eyes(board, stone) >= 2) continue;
        if (is_shut_in(board, stone)) {
          scope_.involved.push_back(stone);
        } else {
          runs_short_ |= is_alone();
        }
      }
    });
    return scope_.involved.size() != before;
  }

  bool is_involved(const Tactics& board, Index stone) const {
    const auto is_same = [&](Index other) { return board.is_stone(other) && board.chain(other) == board.chain(stone); };
    return std::ranges::any_of(race()[attacker_], is_same) || std::ranges::any_of(scope_.involved, is_same);
  }

  // How good an outcome is for a player.
  static int rank(RaceOutcome outcome, int player) {
    if (outcome == RaceOutcome::kSeki) return 2;
    if (outcome == RaceOutcome::kKo) return 1;
    return outcome == static_cast<RaceOutcome>(player) ? 3 : 0;
  }

  void add_necessary(const Tactics& board, int mover, std::uint64_t stones_hash, RaceVerdict& verdict) {
    const RaceOutcome best = verdict.outcome[static_cast<std::size_t>(mover)];
    const RaceOutcome after_pass = verdict.outcome[static_cast<std::size_t>(1 - mover)];
    if (best == RaceOutcome::kUnknown || after_pass == RaceOutcome::kUnknown) return;
    if (rank(best, mover) <= rank(after_pass, mover)) return;
    MoveList necessary;
    RaceMoves<kSize> moves;
    moves.find(board, scope_, mover);
    for (int i = 0; i < moves.count(); ++i) {
      if (!board.is_legal(mover, moves[i])) continue;
      Tactics next = board;
      const int captured = next.play(mover, moves[i]);
      const bool decides = has_lost(next, 1 - mover);
      const RaceOutcome reached =
          decides ? static_cast<RaceOutcome>(mover)
                  : outcome(next, 1 - mover, hash_after(stones_hash, next, mover, moves[i], captured));
      if (reached == RaceOutcome::kUnknown) return;  // then it is not known which moves are enough
      if (reached == best) necessary.push_back(board.board().move_of(moves[i]));
    }
    verdict.necessary[static_cast<std::size_t>(mover)] = std::move(necessary);
  }

  // ---- the search

  bool has_lost(const Tactics& board, int player) const {
    for (const Index stone : race()[player]) {
      if (board.colour(stone) != player) return true;
    }
    return false;
  }

  // Whether the attacker forces a capture, from a position where all chains of the race are on the board.
  Answer captures(const Tactics& board, int mover, std::uint64_t stones_hash) {
    if (++positions_ > most_positions_ || path_.size() > kMostPlies) return Answer::kUnknown;
    if (positions_ % kPollEvery == 0 && poll_) poll_();
    const Index ko = board.board().ko();
    met_ko_ |= ko != 0;
    const Index forbidden = mover == rich_ ? 0 : ko;
    if (can_capture(board, mover, forbidden)) {
      passes_ = 0;
      return mover == attacker_ ? Answer::kYes : Answer::kNo;
    }
    if (is_safe(board)) return Answer::kNo;
    if (has_escaped(board)) return Answer::kUnknown;

    const auto question = static_cast<std::uint64_t>(8 * forbidden + mover + 2 * attacker_ + 4 * rich_);
    const std::uint64_t key = stones_hash ^ mix_bits(kQuestions + question) ^ scope_key();
    if (std::find(path_.begin(), path_.end(), key) != path_.end()) {
      ++repetitions_;
      return Answer::kNo;
    }
    Entry& entry = table_[key % table_.size()];
    if (entry.key == key) {
      passes_ = entry.passes;
      return entry.answer;
    }

    const std::uint64_t repetitions_before = repetitions_;
    path_.push_back(key);
    const Answer answer = try_moves(board, mover, stones_hash);
    path_.pop_back();
    const bool holds_everywhere = answer == Answer::kYes || repetitions_ == repetitions_before;
    if (answer != Answer::kUnknown && holds_everywhere) entry = {key, answer, passes_};
    return answer;
  }

  Answer try_moves(const Tactics& board, int mover, std::uint64_t stones_hash) {
    const bool attacks = mover == attacker_;
    const Answer wanted = attacks ? Answer::kYes : Answer::kNo;
    Answer best = attacks ? Answer::kNo : Answer::kYes;
    int most_passes = 0;
    // Most races that cannot be won cannot be won with a move more either: then this settles it at once.
    if (!attacks) {
      Tactics next = board;
      next.pass();
      best = std::min(best, captures(next, 1 - mover, stones_hash));
      if (best == wanted) return best;
      most_passes = passes_ + 1;
    }
    RaceMoves<kSize> moves;
    moves.find(board, scope_, mover);
    Index& refutation = refutations_[path_.size()];
    moves.put_first(refutation);
    for (int i = 0; i < moves.count(); ++i) {
      touched_.add(moves[i]);
      if (!is_allowed(board, mover, moves[i])) continue;
      Tactics next = board;
      const int captured = next.play(mover, moves[i]);
      const Answer answer = captures(next, 1 - mover, hash_after(stones_hash, next, mover, moves[i], captured));
      best = attacks ? std::max(best, answer) : std::min(best, answer);
      most_passes = std::max(most_passes, passes_);
      if (best == wanted) {
        refutation = moves[i];
        return best;
      }
      if (positions_ > most_positions_) return Answer::kUnknown;
    }
    passes_ = most_passes;
    return best;
  }

  bool is_allowed(const Tactics& board, int mover, Index point) const {
    if (point == board.board().ko()) return mover == rich_;
    return board.is_legal(mover, point);
  }

  // Answers that come from other moves are others. All moves of a room are always the same answer.
  std::uint64_t scope_key() const {
    if (!scope_.room.is_empty()) return mix_bits(kScopes);
    std::uint64_t key = 0;
    for (const Index stone : scope_.involved) key ^= mix_bits(kScopes + static_cast<std::uint64_t>(stone));
    return key;
  }

  static std::uint64_t hash_after(std::uint64_t hash, const Tactics& next, int mover, Index point, int captured) {
    hash ^= stone_key(mover, point);
    for (int i = 1; i <= captured; ++i) {
      hash ^= stone_key(1 - mover, next.board().empty(next.board().empty_count() - i));
    }
    return hash;
  }
  // Whether the player to move takes a chain of the race now.
  bool can_capture(const Tactics& board, int mover, Index forbidden) const {
    for (const Index stone : race()[1 - mover]) {
      if (board.in_atari(stone) && board.liberties(stone).first() != forbidden) return true;
    }
    return false;
  }

  bool has_escaped(const Tactics& board) const {
    for (const Index stone : race()[1 - attacker_]) {
      if (board.liberty_count(stone) <= kMostLiberties) return false;
    }
    return true;
  }

  // Whether each of the defender's chains has two points of its own, with nothing but its own stones around: no
  // attacker ever plays there.
  bool is_safe(const Tactics& board) const {
    for (const Index stone : race()[1 - attacker_]) {
      if (count_sure_eyes(board, stone) < 2) return false;
    }
    return true;
  }

  RaceScope<kSize> scope_;
  int attacker_ = 0;
  int rich_ = 0;         // in ko threats
  bool met_ko_ = false;  // anywhere in this race: the table does not tell where
  std::uint64_t positions_ = 0;
  std::uint64_t most_positions_;
  std::function<void()> poll_;
  std::uint64_t repetitions_ = 0;
  int passes_ = 0;           // of the last yes, how often the defender can pass before the capture
  Points touched_;           // in the search
  Points walls_;             // liberties of the chains around a chain that is alone
  bool runs_short_ = false;  // one of these might be captured first
  std::vector<std::uint64_t> path_;
  std::array<Index, kMostPlies + 2> refutations_{};  // by ply, what answered the last move there: most others, too
  std::vector<Entry> table_;
};

}  // namespace tesuji
