// Capturing races as knowledge for the search, and chains that live or die alone. They are those at the root; within
// the tree they are solved anew whenever something near them has changed, and remembered by what is there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mix_bits.hpp"
#include "games/go.hpp"
#include "knowledge/go/find_races.hpp"
#include "knowledge/go/semeai.hpp"
#include "knowledge/go/settled_board.hpp"
#include "search/local_solver.hpp"

namespace tesuji {

template <int kSize>
class RaceKnowledge final : public LocalSolver<Go<kSize>> {
 public:
  // `most_positions`: that are looked at for one race; `effort`: what the solver may look at in the tree, for each
  // question on the average; `least_stones`: of a chain that is worth it; `life`: whether chains alone are looked at.
  RaceKnowledge(std::uint64_t most_positions, std::uint32_t effort, int least_stones, bool life)
      : most_positions_(most_positions), effort_(effort), least_stones_(least_stones), life_(life) {}

  std::unique_ptr<LocalSolver<Go<kSize>>> copy() const override {
    return std::make_unique<RaceKnowledge>(most_positions_, effort_, least_stones_, life_);
  }

  void look_at_root(const Go<kSize>& root) override {
    if (root_ && *root_ == root) return;
    root_ = root;
    races_.clear();
    credit_ = static_cast<std::int64_t>(most_positions_);
    const Tactics board(root.board());
    for (const FoundRace<kSize>& found : find_races(board, least_stones_, life_)) {
      SemeaiSolver<kSize> solver(found.stones, most_positions_);
      const RaceVerdict verdict = solver.solve(board, root.to_move());
      if (verdict.outcome[0] == RaceOutcome::kUnknown || verdict.outcome[1] == RaceOutcome::kUnknown) continue;
      if (solver.lives_anyway(verdict)) continue;  // most chains do, and playouts know it as well
      const Points near = near_to(board, solver.touched(), found.stones);
      races_.push_back({std::move(solver), near, hash_of(root.board(), near), {}});
    }
  }

  void judge(const Go<kSize>& position, LocalVerdict& verdict) override {
    for (Race& race : races_) {
      if (is_decided(race, position)) continue;
      const RaceVerdict& found = verdict_on(race, position);
      add(race, found, position, verdict);
      const int mover = position.to_move();
      if (found.is_won_by(mover, 0) && found.is_won_by(mover, 1)) add_liberties(race, position, verdict.worth_a_look);
    }
    drop_contradictions(verdict);
  }

  void settle(Go<kSize>& position, LocalVerdict& verdict, Rng& rng, std::vector<PlayedMove>* played) override {
    if (races_.empty() || rng.below(kOneUnsettledOf) == 0) return;
    for (int moves = 0; moves < kMostMoves && !verdict.necessary.empty(); ++moves) {
      const Move move = verdict.necessary[rng.below(static_cast<std::uint32_t>(verdict.necessary.size()))];
      if (!position.is_legal(move)) break;  // by superko
      if (played != nullptr) played->push_back({position.to_move(), move});
      position.play(move);
      verdict.clear();
      judge(position, verdict);
    }
    if (!verdict.necessary.empty()) return;
    for (std::size_t i = 0; i + 1 < verdict.claims.size(); i += 2)
      settle_one(position, verdict.claims[i], verdict.claims[i + 1]);
  }

 private:
  using Board = GoBoard<kSize>;
  using Tactics = TacticalBoard<kSize>;
  using Index = typename Board::Index;
  using Points = typename Tactics::Points;

  // Some playouts are left to themselves: where all else is equal, a move in a race that is won is better than none.
  static constexpr std::uint32_t kOneUnsettledOf = 8;
  static constexpr int kMostMoves = 4;                    // that settle the races before a playout
  static constexpr std::size_t kMostRemembered = 50'000;  // verdicts of a race

  struct Race {
    SemeaiSolver<kSize> solver;
    Points near;              // what its verdict depends on, but for walls that have liberties to spare
    std::uint64_t root_hash;  // of the stones there, at the root
    std::unordered_map<std::uint64_t, RaceVerdict> known;
  };

  // What was touched, the chains themselves, and the points around both.
  static Points near_to(const Tactics& board, Points points, const RaceStones<kSize>& stones) {
    for (const auto& chains : stones) {
      for (const Index chain : chains) board.for_each_stone(chain, [&](Index stone) { points.add(stone); });
    }
    Points wide = points;
    points.for_each([&](Index point) {
      for (const int direction : Board::kDirections) wide.add(point + direction);
    });
    return wide;
  }

  static bool is_decided(const Race& race, const Go<kSize>& position) {
    for (const int colour : {0, 1}) {
      for (const Index stone : race.solver.race()[static_cast<std::size_t>(colour)]) {
        if (position.board().colour(stone) != colour) return true;
      }
    }
    return false;
  }

  static std::uint64_t hash_of(const Board& board, const Points& points) {
    std::uint64_t hash = 0;
    points.for_each([&](Index point) {
      if (board.colour(point) <= Board::kWhite) hash ^= SemeaiSolver<kSize>::stone_key(board.colour(point), point);
    });
    return hash;
  }

  const RaceVerdict& verdict_on(Race& race, const Go<kSize>& position) {
    const Board& board = position.board();
    const std::uint64_t stones = hash_of(board, race.near) ^ race.root_hash;
    const std::uint64_t key = stones ^ mix_bits(static_cast<std::uint64_t>(2 * board.ko() + position.to_move()));
    if (race.known.size() > kMostRemembered) race.known.clear();
    credit_ += effort_;
    if (const auto found = race.known.find(key); found != race.known.end()) return found->second;
    static const RaceVerdict kNothingKnown;
    if (credit_ < 0) return kNothingKnown;
    const auto entry = race.known.emplace(key, race.solver.solve(Tactics(board), position.to_move(), stones)).first;
    credit_ -= static_cast<std::int64_t>(entry->second.positions);
    return entry->second;
  }

  // Of a race that somebody wins there are two claims: first the stone that is lost, then the one that stays. Of a
  // chain that lives alone there is none: what its eyes are worth is for the playouts to say.
  static void add(const Race& race, const RaceVerdict& found, const Go<kSize>& position, LocalVerdict& verdict) {
    const auto mover = static_cast<std::size_t>(position.to_move());
    for (const Move move : found.necessary[mover]) verdict.necessary.push_back(move);
    const RaceOutcome outcome = found.outcome[mover];
    if (outcome == RaceOutcome::kKo || outcome == RaceOutcome::kUnknown) return;
    // Who moves first matters, and which move it takes is not known: settled playouts would give it for nothing.
    if (found.outcome[1 - mover] != outcome && found.necessary[mover].empty()) return;
    const int loser = outcome == RaceOutcome::kBlackWins ? 1 : 0;
    if (race.solver.race()[static_cast<std::size_t>(loser)].empty()) return;
    const std::optional<Index> winner = claimed_stone(race, 1 - loser, position.board());
    if (!winner) return;
    for (const int player : {loser, 1 - loser}) {
      const Index stone = player == loser ? race.solver.race()[static_cast<std::size_t>(loser)].front() : *winner;
      const bool stays = outcome == RaceOutcome::kSeki || player != loser;
      verdict.claims.push_back({position.board().move_of(stone), player, stays});
    }
  }

  // A stone of the winner's. Of a chain that is lost alone that is one of the largest chain around it, for others may
  // be stones thrown in; where none touches it there is nobody to have its place.
  static std::optional<Index> claimed_stone(const Race& race, int winner, const Board& board) {
    const auto& own = race.solver.race()[static_cast<std::size_t>(winner)];
    if (!own.empty()) return own.front();
    const Index lost = race.solver.race()[static_cast<std::size_t>(1 - winner)].front();
    std::optional<Index> largest;
    Index stone = lost;
    do {
      for (const int direction : Board::kDirections) {
        const Index enemy = stone + direction;
        if (board.colour(enemy) != winner) continue;
        if (!largest || board.chain_size(enemy) > board.chain_size(*largest)) largest = enemy;
      }
      stone = board.next_in_chain(stone);
    } while (stone != lost);
    return largest;
  }

  // Of the chains that the player to move is about to take.
  static void add_liberties(const Race& race, const Go<kSize>& position, MoveList& moves) {
    const Board& board = position.board();
    for (const Index first : race.solver.race()[static_cast<std::size_t>(1 - position.to_move())]) {
      Index stone = first;
      do {
        for (const int direction : Board::kDirections) {
          if (board.colour(stone + direction) == Board::kEmpty) moves.push_back(board.move_of(stone + direction));
        }
        stone = board.next_in_chain(stone);
      } while (stone != first);
    }
  }

  // A chain in two races may be said to win one and to lose the other: then nothing is known of either.
  static void drop_contradictions(LocalVerdict& verdict) {
    for (const Claim& one : verdict.claims) {
      for (const Claim& other : verdict.claims) {
        if (one.point == other.point && one.stays != other.stays) return verdict.clear();
      }
    }
  }

  void settle_one(Go<kSize>& position, const Claim& lost, const Claim& winner) {
    if (lost.stays) return;
    const Board& board = position.board();
    const Index stone = board.point_of(lost.point);
    if (board.colour(stone) != lost.player) return;  // it went with another chain
    if (const std::optional<Board> settled = settler_.settle(board, stone, board.point_of(winner.point))) {
      position.set_board(*settled);
    }
  }

  std::uint64_t most_positions_;
  std::uint32_t effort_;
  int least_stones_;
  bool life_;
  std::optional<Go<kSize>> root_;
  std::vector<Race> races_;
  std::int64_t credit_ = 0;  // positions
  RaceSettler<kSize> settler_;
};

}  // namespace tesuji
