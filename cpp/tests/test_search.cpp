// The loop, on games small enough to know the answer: tic-tac-toe, a dice game, a game of three players.
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <thread>

#include "doctest/doctest.h"
#include "games/go.hpp"
#include "games/havannah.hpp"
#include "games/othello.hpp"
#include "games/tic_tac_toe.hpp"
#include "rules/registry.hpp"
#include "search/search.hpp"

namespace tesuji {
namespace {

constexpr std::size_t kMemory = 64 << 20;

TicTacToe after(std::initializer_list<Move> moves) {
  TicTacToe position;
  for (const Move move : moves) position.play(move);
  return position;
}

const ChildStatistics& best_of(const Snapshot& snapshot) { return snapshot.moves[snapshot.best.value()]; }

// One player stops with what is on the table (move 0) or throws a die once (move 1). A throw of 5 or 6 pays 1, else 0.
// Stopping pays `safe`.
class OneThrow {
 public:
  explicit OneThrow(double safe) : safe_(static_cast<Reward>(safe * static_cast<double>(kRewardOne))) {}

  int num_players() const { return 1; }
  int to_move() const { return state_ == State::kChoose ? 0 : kChance; }
  bool is_over() const { return state_ == State::kOver; }
  void legal_moves(MoveList& moves) const {
    moves.clear();
    if (state_ == State::kChoose) moves = {0, 1};
    if (state_ == State::kThrow) moves = {0, 1};
  }
  bool is_legal(Move move) const { return !is_over() && move < 2; }
  void chance_probabilities(Probabilities& probabilities) const { probabilities = {2.0 / 3.0, 1.0 / 3.0}; }
  void play(Move move) {
    if (state_ == State::kChoose && move == 1) {
      state_ = State::kThrow;
    } else {
      reward_ = state_ == State::kChoose ? safe_ : (move == 1 ? kRewardOne : 0);
      state_ = State::kOver;
    }
  }
  Rewards rewards() const { return {reward_}; }

 private:
  enum class State { kChoose, kThrow, kOver };
  State state_ = State::kChoose;
  Reward safe_;
  Reward reward_ = 0;
};
static_assert(Game<OneThrow> && HasChance<OneThrow>);

// Three players in turn name 0 or 1. Each wants its own number to differ from the two others'; the last sees both.
// Player 2 can always match nobody exactly when the first two agree: it then gets everything.
class OddOneOut {
 public:
  int num_players() const { return 3; }
  int to_move() const { return count_; }
  bool is_over() const { return count_ == 3; }
  void legal_moves(MoveList& moves) const {
    moves.clear();
    if (!is_over()) moves = {0, 1};
  }
  bool is_legal(Move move) const { return !is_over() && move < 2; }
  void play(Move move) { named_[static_cast<std::size_t>(count_++)] = move; }
  Rewards rewards() const {
    Rewards rewards{};
    for (std::size_t player = 0; player < 3; ++player) {
      const Move first_other = named_[(player + 1) % 3];
      const Move second_other = named_[(player + 2) % 3];
      if (first_other == second_other && named_[player] != first_other) rewards[player] = kRewardOne;
    }
    return rewards;
  }

 private:
  std::array<Move, 3> named_{};
  int count_ = 0;
};
static_assert(Game<OddOneOut>);

// One player counts, and nothing ends it.
class Endless {
 public:
  int num_players() const { return 1; }
  int to_move() const { return 0; }
  bool is_over() const { return false; }
  void legal_moves(MoveList& moves) const { moves = {0}; }
  bool is_legal(Move move) const { return move == 0; }
  void play(Move) { ++plies_; }
  Rewards rewards() const { return {}; }

 private:
  std::uint64_t plies_ = 0;
};

// Ten thousand moves, any of which ends the game.
class ManyMoves {
 public:
  int num_players() const { return 1; }
  int to_move() const { return 0; }
  bool is_over() const { return over_; }
  void legal_moves(MoveList& moves) const {
    moves.clear();
    for (Move move = 0; !over_ && move < 10'000; ++move) moves.push_back(move);
  }
  bool is_legal(Move move) const { return !over_ && move < 10'000; }
  void play(Move) { over_ = true; }
  Rewards rewards() const { return {kRewardOne}; }

 private:
  bool over_ = false;
};

// Knows one good opening move, counts what it is asked, and can be told to fail.
class OpeningBook final : public Evaluator<TicTacToe> {
 public:
  explicit OpeningBook(std::shared_ptr<std::pair<int, int>> calls_and_leaves) : counts_(std::move(calls_and_leaves)) {}
  std::size_t batch_size() const override { return 8; }
  void evaluate(std::span<EvaluatedLeaf<TicTacToe>> leaves) override {
    ++counts_->first;
    if (counts_->first == 20) throw std::runtime_error("out of paper");
    counts_->second += static_cast<int>(leaves.size());
    for (EvaluatedLeaf<TicTacToe>& leaf : leaves) {
      REQUIRE_FALSE(leaf.position->is_over());
      for (std::size_t k = 0; k < leaf.moves.size(); ++k) leaf.priors[k] = leaf.moves[k] == 4 ? 0.5f : 0.1f;
      const bool first_has_centre = leaf.position->cell(4) == 0;
      leaf.rewards = two_player_rewards(first_has_centre ? 0 : 1);
    }
  }

 private:
  std::shared_ptr<std::pair<int, int>> counts_;
};

}  // namespace

TEST_CASE("tic-tac-toe: the first move is a draw") {
  for (const char* selection : {"uct", "ucb-tuned1", "ucb-tuned2"}) {
    Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{.selection = selection, .c = 0.5}), 1, kMemory);
    search.run({.playouts = 200'000}, {});
    const Snapshot snapshot = search.snapshot();
    CHECK(best_of(snapshot).value == doctest::Approx(0.5).epsilon(0.15));
    CHECK(snapshot.visits == 200'000);
  }
}

TEST_CASE("tic-tac-toe: a win is taken, a loss is parried") {
  // X at 0 and 1 wins at 2; O at 3 and 4 would win at 5.
  Search<TicTacToe> win(after({0, 3, 1, 4}), make_rules(Parameters{}), 1, kMemory);
  win.run({.playouts = 2'000}, {});
  CHECK(best_of(win.snapshot()).move == 2);
  // X at 0 and 1 threatens 2: O must go there.
  Search<TicTacToe> parry(after({0, 4, 1}), make_rules(Parameters{}), 1, kMemory);
  parry.run({.playouts = 5'000}, {});
  CHECK(best_of(parry.snapshot()).move == 2);
}

TEST_CASE("after N playouts the root has N visits, and its children share them") {
  Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{.expand = 3}), 5, kMemory);
  search.run({.playouts = 1'234}, {});
  const Snapshot snapshot = search.snapshot();
  std::uint32_t sum = 0;
  for (const ChildStatistics& child : snapshot.moves) sum += child.visits;
  CHECK(snapshot.visits == 1'234);
  CHECK(sum == 1'234);
}

TEST_CASE("every node's visits are its children's and its own, up to `expand` of them") {
  const Parameters parameters{.expand = 4};
  Search<TicTacToe> search(TicTacToe{}, make_rules(parameters), 5, kMemory);
  search.run({.playouts = 3'000}, {});
  const std::vector<TreeLine> lines = search.tree_lines(20, 1);
  std::vector<std::uint32_t> below(lines.size(), 0);
  for (const TreeLine& line : lines) {
    if (line.parent >= 0) below[static_cast<std::size_t>(line.parent)] += line.visits;
  }
  for (const TreeLine& line : lines) {
    const std::uint32_t children = below[static_cast<std::size_t>(line.id)];
    if (children == 0) continue;
    const std::uint32_t own = line.parent < 0 ? 0 : parameters.expand;
    REQUIRE(line.visits == children + own);
  }
}

TEST_CASE("equal seeds give equal trees, other seeds others; a split run is the same run") {
  const auto lines_of = [](std::uint64_t seed, std::initializer_list<std::uint64_t> runs) {
    Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{}), seed, kMemory);
    for (const std::uint64_t playouts : runs) search.run({.playouts = playouts}, {});
    std::vector<std::pair<Move, std::uint32_t>> result;
    for (const TreeLine& line : search.tree_lines(20, 1)) result.push_back({line.move, line.visits});
    return result;
  };
  CHECK(lines_of(1, {3'000}) == lines_of(1, {3'000}));
  CHECK(lines_of(1, {3'000}) == lines_of(1, {1'000, 1, 1'999}));
  CHECK(lines_of(1, {3'000}) != lines_of(2, {3'000}));
}

TEST_CASE("one seed gives one tree, with every compiler and on every path of the processor") {
  const auto digest = [](auto position, const Parameters& parameters) {
    Search<decltype(position)> search(position, make_rules(parameters), 2012, kMemory);
    search.run({.playouts = 5'000}, {});
    std::uint64_t sum = 0;
    for (const TreeLine& line : search.tree_lines(20, 1)) sum = (sum ^ line.move ^ line.visits) * 0x9e3779b97f4a7c15u;
    return sum;
  };
  CHECK(digest(Othello{}, Parameters{}) == 3738146885468690665u);
  CHECK(digest(Othello{}, Parameters{.selection = "ucb-tuned2", .fpu = 1.1, .expand = 3}) == 8028193802210348891u);
  CHECK(digest(Go<9>{}, Parameters{.selection = "ucb-tuned1"}) == 8659613238574691561u);
  CHECK(digest(Havannah<5>{5}, Parameters{.c = 0.3}) == 17164624030321452468u);
}

TEST_CASE("advance keeps the subtree") {
  Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{}), 1, kMemory);
  search.run({.playouts = 5'000}, {});
  const Snapshot before = search.snapshot();
  const ChildStatistics& kept = best_of(before);
  search.advance(kept.move);
  const Snapshot now = search.snapshot();
  CHECK(now.visits == kept.visits);
  CHECK(now.nodes < before.nodes);
  CHECK(now.moves.size() == 8);
  search.run({.playouts = 100}, {});
  CHECK(search.snapshot().visits == kept.visits + 100);
  CHECK_THROWS_AS(search.advance(kept.move), std::invalid_argument);
  CHECK(search.snapshot().visits == kept.visits + 100);
}

TEST_CASE("a full tree goes on without growing, and says so") {
  Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{}), 1, 64 * 1024);
  search.run({.playouts = 50'000}, {});
  const Snapshot snapshot = search.snapshot();
  CHECK(snapshot.tree_full);
  CHECK(snapshot.memory <= 64 * 1024);
  CHECK(snapshot.visits == 50'000);
  CHECK(best_of(snapshot).visits > 0);
}

TEST_CASE("chance: the value is the expectation, and the better choice is found") {
  for (const double safe : {0.2, 0.45}) {
    Search<OneThrow> search(OneThrow(safe), make_rules(Parameters{}), 1, kMemory);
    search.run({.playouts = 20'000}, {});
    const Snapshot snapshot = search.snapshot();
    CHECK(best_of(snapshot).move == (safe > 1.0 / 3.0 ? 0 : 1));
    for (const ChildStatistics& child : snapshot.moves) {
      // The expectation of a throw is 1/3; even the less visited child has hundreds of visits.
      const double expected = child.move == 0 ? safe : 1.0 / 3.0;
      const double deviation = std::sqrt(1.0 / 3.0 * 2.0 / 3.0 / child.visits);
      CHECK(std::abs(child.value - expected) < 5 * deviation);
    }
  }
}

TEST_CASE("three players, each for itself") {
  // The first two have named the same: the last takes everything by naming the other.
  OddOneOut position;
  position.play(1);
  position.play(1);
  Search<OddOneOut> last(position, make_rules(Parameters{}), 1, kMemory);
  last.run({.playouts = 500}, {});
  CHECK(best_of(last.snapshot()).move == 0);
  CHECK(best_of(last.snapshot()).value == 1.0);

  // The second, after a 1: naming 1 too would give all to the last, so it names 0 and hopes.
  OddOneOut second;
  second.play(1);
  Search<OddOneOut> middle(second, make_rules(Parameters{.c = 0.5}), 1, kMemory);
  middle.run({.playouts = 5'000}, {});
  CHECK(best_of(middle.snapshot()).move == 0);
}

TEST_CASE("a game that never ends meets the cap, and stop() ends it within a playout") {
  Search<Endless> search(Endless{}, make_rules(Parameters{}), 1, kMemory);
  search.run({.playouts = 3}, {});
  CHECK(search.snapshot().moves[0].value == 0.5);
  std::thread stopper([&search] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    search.stop();
  });
  const RunReport report = search.run({.seconds = 600}, {});
  stopper.join();
  CHECK(report.stopped_by == StoppedBy::kStop);
}

TEST_CASE("a root that does not fit is an error, not a search without moves") {
  Search<ManyMoves> search(ManyMoves{}, make_rules(Parameters{}), 1, 64 * 1024);
  CHECK_THROWS_AS(search.run({.playouts = 10}, {}), MemoryTooSmall);
}

TEST_CASE("equal positions are searched alike, however they came about") {
  const auto visits = [](const Go<0>& position) {
    Search<Go<0>> search(position, make_rules(Parameters{}), 3, kMemory);
    search.run({.playouts = 500}, {});
    std::vector<std::pair<Move, std::uint32_t>> result;
    for (const ChildStatistics& child : search.snapshot().moves) result.push_back({child.move, child.visits});
    return result;
  };
  // The same stones set up again have other chains and lists inside.
  Rng rng(8);
  for (int game = 0; game < 20; ++game) {
    Go<0> one(7, 0.5, false);
    MoveList moves;
    for (int ply = 0; ply < 40 && !one.is_over(); ++ply) {
      one.search_moves(moves);
      one.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    if (one.is_over()) continue;
    GoSetup setup;
    for (Move point = one.pass(); point-- > 0;) {
      if (one.cell(point) == 0) setup.black.push_back(point);
      if (one.cell(point) == 1) setup.white.push_back(point);
    }
    setup.to_move = one.to_move();
    setup.ko_point = one.ko_point();
    setup.passes = one.passes();
    const Go<0> other = Go<0>::from_setup(7, 0.5, false, setup);
    REQUIRE(one == other);
    CHECK(visits(one) == visits(other));
  }

  Havannah<5> here(4);
  Havannah<5> there(4);
  for (const Move move : {0u, 8u, 16u, 24u}) here.play(move);
  for (const Move move : {16u, 24u, 0u, 8u}) there.play(move);
  REQUIRE(here == there);
  Search<Havannah<5>> first(here, make_rules(Parameters{}), 3, kMemory);
  Search<Havannah<5>> second(there, make_rules(Parameters{}), 3, kMemory);
  first.run({.playouts = 500}, {});
  second.run({.playouts = 500}, {});
  CHECK(first.snapshot().moves[7].move == second.snapshot().moves[7].move);
  CHECK(first.snapshot().moves[7].visits == second.snapshot().moves[7].visits);
}

TEST_CASE("the value of the root is the player's to move, also after advance") {
  // X at 0 and 1 wins at 2, now and after O's move at 8.
  Search<TicTacToe> search(after({0, 4, 1}), make_rules(Parameters{}), 1, kMemory);
  search.run({.playouts = 2'000}, {});
  search.advance(8);
  search.run({.playouts = 2'000}, {});
  CHECK(search.tree_lines(0, 1)[0].value > 0.8);
}

TEST_CASE("budgets: whichever ends first") {
  Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{}), 1, kMemory);
  CHECK(search.run({.playouts = 10, .seconds = 600}, {}).stopped_by == StoppedBy::kPlayouts);
  CHECK(search.run({.seconds = 0.01}, {}).stopped_by == StoppedBy::kSeconds);
  CHECK(search.run({.seconds = 600, .cpu_seconds = 0.01}, {}).stopped_by == StoppedBy::kCpuSeconds);
  CHECK(search.run({.seconds = 600}, [] { return true; }).stopped_by == StoppedBy::kInterrupt);
}

TEST_CASE("a second run at the same time is refused, and an exception leaves the search usable") {
  Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{}), 1, kMemory);
  const auto second = [&search]() -> bool {
    CHECK_THROWS_AS(search.run({.playouts = 1}, {}), SearchBusy);
    CHECK_THROWS_AS(search.advance(0), SearchBusy);
    throw std::runtime_error("handler");
  };
  CHECK_THROWS_AS(search.run({.seconds = 600}, second), std::runtime_error);
  const std::uint32_t visits = search.snapshot().visits;
  CHECK(search.run({.playouts = 10}, {}).playouts == 10);
  CHECK(search.snapshot().visits == visits + 10);
}

// Takes the last of the moves; counts its calls.
class LastMove final : public PlayoutPolicy<TicTacToe> {
 public:
  explicit LastMove(std::shared_ptr<int> calls) : calls_(std::move(calls)) {}
  Move choose(const TicTacToe& position, const MoveList& moves, Rng&) override {
    ++*calls_;
    for (const Move move : moves) REQUIRE(position.is_legal(move));
    return moves.back();
  }

 private:
  std::shared_ptr<int> calls_;
};

// Priors alone: what a leaf is worth is left to the playouts.
class PriorsOnly final : public Evaluator<TicTacToe> {
 public:
  std::size_t batch_size() const override { return 4; }
  void evaluate(std::span<EvaluatedLeaf<TicTacToe>> leaves) override {
    for (EvaluatedLeaf<TicTacToe>& leaf : leaves) {
      for (float& prior : leaf.priors) prior = 1.0f / static_cast<float>(leaf.priors.size());
    }
  }
};

TEST_CASE("a policy chooses the moves of the playouts, also of those that an evaluator leaves to them") {
  const auto calls = std::make_shared<int>(0);

  Search<TicTacToe> alone(after({4, 0}), make_rules(Parameters{}), 1, kMemory,
                          {nullptr, std::make_unique<LastMove>(calls)});
  alone.run({.playouts = 1}, {});
  CHECK(*calls > 0);

  *calls = 0;
  Search<TicTacToe> both(TicTacToe{}, make_rules({.selection = "puct"}), 1, kMemory,
                         {std::make_unique<PriorsOnly>(), std::make_unique<LastMove>(calls)});
  both.run({.playouts = 400}, {});
  CHECK(*calls > 400);
  CHECK(both.snapshot().visits == 400);
}

TEST_CASE("a game that is interrupted ends the run with what it has") {
  class Impatient final : public PlayoutPolicy<TicTacToe> {
   public:
    Move choose(const TicTacToe&, const MoveList& moves, Rng&) override {
      if (++calls_ > 1'000) throw Interrupted();
      return moves.front();
    }

   private:
    int calls_ = 0;
  };
  Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{}), 1, kMemory, {nullptr, std::make_unique<Impatient>()});
  const RunReport report = search.run({.playouts = 100'000}, {});
  CHECK(report.stopped_by == StoppedBy::kInterrupt);
  CHECK(report.playouts > 50);
  CHECK(report.playouts == search.snapshot().visits);
}

TEST_CASE("an evaluator is asked in batches, its priors are kept, its failure leaves no virtual loss") {
  const auto counts = std::make_shared<std::pair<int, int>>(0, 0);
  Search<TicTacToe> search(TicTacToe{}, make_rules(Parameters{}), 1, kMemory,
                           {std::make_unique<OpeningBook>(counts), nullptr});
  search.run({.playouts = 80}, {});
  CHECK(counts->first == 1 + 80 / 8);  // one for the root, then full batches
  const Snapshot snapshot = search.snapshot();
  CHECK(snapshot.visits == 80);
  CHECK(best_of(snapshot).move == 4);
  CHECK(best_of(snapshot).prior.value() == 0.5);

  CHECK_THROWS_AS(search.run({.playouts = 100'000}, {}), std::runtime_error);
  std::uint32_t sum = 0;
  for (const ChildStatistics& child : search.snapshot().moves) sum += child.visits;
  CHECK(sum == search.snapshot().visits);
  const std::uint32_t before = search.snapshot().visits;
  search.run({.playouts = 40}, {});
  CHECK(search.snapshot().visits == before + 40);
}

}  // namespace tesuji
