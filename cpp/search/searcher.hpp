// What the outside sees of a search, whatever the game: budgets in, statistics out. The parts that do not need to know
// the game live here; search.hpp has the loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "search/rules.hpp"
#include "search/sharing.hpp"
#include "search/simulations.hpp"
#include "search/team.hpp"
#include "search/tree.hpp"
#include "search/tree_columns.hpp"

namespace tesuji {

// Whichever ends first; a limit that is not set is infinite.
struct Budget {
  std::uint64_t playouts = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  double cpu_seconds = std::numeric_limits<double>::infinity();
};

// kVisits: the root has as many visits as a counter holds. kProven: the solver knows what the root is worth.
enum class StoppedBy { kPlayouts, kSeconds, kCpuSeconds, kStop, kInterrupt, kVisits, kProven };
const char* name_of(StoppedBy reason);

struct RunReport {
  std::uint64_t playouts = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  StoppedBy stopped_by = StoppedBy::kPlayouts;
};

struct ChildStatistics {
  Move move = kNoMove;
  std::uint32_t visits = 0;
  double value = 0;  // for the player who chooses it; 0 where there are no visits
  std::optional<double> prior;
  std::optional<double> rave;
  std::optional<std::string> proven;  // "win", "draw" or "loss", where a solver knows
  std::vector<Move> pv;               // the moves most visited, this one first
};

struct Snapshot {
  std::uint32_t visits = 0;  // of the root
  std::vector<ChildStatistics> moves;
  std::optional<std::string> proven;  // what the player to move has here, where a solver knows
  std::optional<std::size_t> best;    // the move that the final rule takes, where there is one
  std::size_t nodes = 0;
  std::size_t child_slots = 0;
  std::size_t memory = 0;
  bool tree_full = false;
};

// A line of a tree written out: parents come before their children, the root has parent -1.
struct TreeLine {
  std::int64_t id;
  std::int64_t parent;
  Move move;
  std::uint32_t visits;
  double value;
};

// A second run, or a move, while a run is under way in another thread.
class SearchBusy : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// The arena cannot hold even the root.
class MemoryTooSmall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown by a search's game, evaluator or policy when the user wants it to end: the run ends with what it has.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

class Searcher {
 public:
  Searcher(const Rules& rules, const NodeLayout& layout, std::size_t max_memory)
      : rules_(rules), tree_(layout, max_memory), team_(rules.parameters.threads), clocks_(rules.parameters.threads) {
    rules_.layout = layout;
  }
  virtual ~Searcher() = default;
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  // `interrupted` is asked every few milliseconds, in the caller's thread; true ends the run, an exception ends it too
  // and passes through. So does one of a game or an evaluator, whichever thread it comes from: the first of them.
  RunReport run(const Budget& budget, const std::function<bool()>& interrupted);

  // Ends the run under way in another thread, and does nothing where there is none: a run that begins later is not
  // stopped by it.
  void stop() { stop_.store(true, std::memory_order_relaxed); }

  // Plays a legal move at the root and keeps what is known below it.
  void advance(Move move);

  // Whether the game is over at the root, so that there is nothing to search.
  virtual bool is_over() const = 0;

  // How many moves have been played at the root since the beginning.
  std::uint32_t plies() const { return plies_; }

  Snapshot snapshot() const;
  // The move that the final rule takes, where there is one: the part of a snapshot that a game needs.
  std::optional<Move> best_move() const;
  std::vector<TreeLine> tree_lines(std::uint32_t max_depth, std::uint32_t min_visits) const;

  // The whole tree, to be kept; std::logic_error where every worker has a tree of its own.
  TreeColumns columns();
  // Begins again with a tree that was kept, and with its random numbers where it has any. BadTree where it is none of
  // this position and these rules; MemoryTooSmall leaves nothing searched.
  void restore(const TreeColumns& columns);

  // ---- for searches that share what they find (sharing.hpp)

  // Whether visits and rewards may come from elsewhere: a rule of backup that keeps more than means could not follow,
  // and searches with a tree for each thread have no one tree.
  bool takes_changes() const;
  NodeList shared_nodes(const SharingLimits& limits) const;
  SharedStatistics statistics_of(std::span<const std::uint32_t> list) const;
  // Nodes that the tree lacks are left out. Changes nothing where something is wrong with the list.
  void add_changes_of(std::span<const std::uint32_t> list, const SharedChanges& changes);
  // The one of these that the final rule takes.
  std::size_t choose(std::span<const RootChild> children) const;

  // ---- for searches that share simulations (simulations.hpp)

  // From now on, whether finished simulations are written down; and those since the last call.
  void keep_simulations(bool keep);
  Simulations take_simulations();
  // Backs up what others simulated as if it had been done here.
  void back_up_simulations(std::span<const std::uint32_t> words);
  // The walks down of so many simulations that others are to play out: they count as lost until they come back, or are
  // given up.
  Simulations begin_simulations(std::uint32_t count);
  void end_simulations(std::span<const std::uint32_t> words);
  void give_up_simulations(std::span<const std::uint32_t> words);
  // Plays out what another search has begun.
  Simulations play_out_simulations(std::span<const std::uint32_t> words);

 protected:
  // Up to `most` playouts by one of the workers; the number made, fewer than one only after a stop or out of time.
  virtual std::uint64_t simulate(std::size_t worker, std::uint64_t most) = 0;
  // As many playouts as make sense at once.
  virtual std::uint64_t playouts_at_once() const = 0;
  // Makes the root a node, so that even one playout has a move to show.
  virtual void prepare_root() = 0;
  virtual void play_at_root(Move move) = 0;
  // BadTree where a node has other moves than the game has there.
  virtual void check_tree(const TreeColumns& columns) const = 0;
  // Those of each worker.
  virtual std::vector<Rng*> random_numbers() = 0;

  // Only where remote.hpp has them.
  virtual void collect_simulations(Simulations& into);
  virtual void back_up_all(std::span<const std::uint32_t> words, bool begun_here);
  virtual void begin_all(std::uint32_t count, Simulations& into);
  virtual void give_up_all(std::span<const std::uint32_t> words);
  virtual void play_out_all(std::span<const std::uint32_t> words, Simulations& into);
  bool keeps_simulations_ = false;

  // The searches of the other workers, where every worker has a tree of its own.
  virtual std::vector<Searcher*> companions() const { return {}; }
  void follow(const Searcher& leader, std::size_t worker) {
    leader_ = &leader;
    place_ = worker;
  }

  // For playouts that may be long: whether the run under way is to end now, by a stop or because its time is spent.
  bool must_end(std::size_t worker) const { return is_stopped() || head().time_spent(worker + place_).has_value(); }
  bool is_stopped() const { return head().stop_.load(std::memory_order_relaxed); }

  // Whether the solver knows what the root is worth.
  bool is_proven() const { return proof(tree_.at(tree_.anchor()), 0) != Proof::kNone; }

  Rules rules_;
  Tree tree_;

 private:
  // Holds the search for one caller; a second one at the same time is told so.
  class Busy {
   public:
    explicit Busy(const Searcher& searcher) : searcher_(searcher) {
      if (searcher_.busy_.exchange(true)) {
        throw SearchBusy("another thread is at work with this search: stop() its run, or wait for its end");
      }
    }
    ~Busy() { searcher_.busy_.store(false); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    const Searcher& searcher_;
  };

  struct RootEntry;

  // A worker's own: no other one's lies on the same cache line.
  struct alignas(64) WorkerClock {
    double cpu_start = 0;
    mutable std::atomic<double> cpu_seconds{0};  // of this run, as last read
  };

  const Searcher& head() const { return leader_ == nullptr ? *this : *leader_; }
  // This and the companions.
  std::vector<const Searcher*> trees() const;
  std::uint64_t root_visits() const;
  // The first whose solver knows what the root is worth.
  const Searcher* proven_tree() const;
  void work(std::size_t worker, const std::function<bool()>& interrupted);
  void make_playouts(std::size_t worker, const std::function<bool()>& interrupted);
  std::uint64_t claim(std::uint64_t wanted);
  void end_run(StoppedBy reason);
  // Which of the two budgets of time is spent, if one is.
  std::optional<StoppedBy> time_spent(std::size_t worker) const;
  double cpu_seconds() const;
  void keep_below(Move move);
  std::vector<RootEntry> root_entries() const;
  std::vector<RootEntry> own_root_entries() const;
  void add_root_entries(std::vector<RootEntry>& entries) const;
  std::optional<std::size_t> best_of(const std::vector<RootEntry>& entries) const;
  double root_value() const;
  double root_value_before() const;
  // What a child is worth to the player who chooses it, as the backup rule has it; 0 where there are no visits.
  double value(const Node& node, std::uint32_t child) const {
    if (const Proof known = proof(node, child); known != Proof::kNone) return value_of(known);
    return node.visits(child) == 0 ? 0.0 : node.sum(child, rules_.layout) / static_cast<double>(node.visits(child));
  }
  Proof proof(const Node& node, std::uint32_t child) const {
    return rules_.layout.has_proofs ? node.proofs(rules_.layout)[child] : Proof::kNone;
  }
  // Of the root, as the player to move sees it.
  Proof root_proof() const;
  void check_single_tree() const;
  std::vector<Move> principal_variation(const Node& parent, std::uint32_t child) const;
  std::optional<std::uint32_t> next_in_line(const Node& node) const;

  Team team_;
  std::uint32_t plies_ = 0;
  const Searcher* leader_ = nullptr;  // where this is the search of another's worker: whose, and of which
  std::size_t place_ = 0;

  // Of the run under way, or of the last one.
  Budget budget_;
  double start_ = 0;
  std::vector<WorkerClock> clocks_;
  std::exception_ptr error_;  // the first; of end_mutex_
  std::optional<StoppedBy> reason_;
  std::mutex end_mutex_;
  alignas(64) std::atomic<std::uint64_t> left_{0};  // playouts that nobody has claimed
  alignas(64) std::atomic<bool> stop_{false};
  mutable std::atomic<bool> busy_{false};
};

}  // namespace tesuji
