#include "search/searcher.hpp"

#include <algorithm>

#include "core/clock.hpp"

namespace tesuji {
namespace {

// Clocks are read about this often: well under the 50 ms within which a stop must hold, and rarely enough to cost
// nothing.
constexpr double kSecondsBetweenClockReadings = 0.0005;
constexpr double kSecondsBetweenInterruptChecks = 0.01;
constexpr std::uint64_t kMostPlayoutsBetweenClockReadings = 1024;

}  // namespace

const char* name_of(StoppedBy reason) {
  switch (reason) {
    case StoppedBy::kPlayouts:
      return "playouts";
    case StoppedBy::kSeconds:
      return "seconds";
    case StoppedBy::kCpuSeconds:
      return "cpu_seconds";
    case StoppedBy::kStop:
      return "stop";
    case StoppedBy::kInterrupt:
      return "interrupt";
    case StoppedBy::kVisits:
      return "visits";
    case StoppedBy::kProven:
      return "proven";
  }
  return "unknown";
}

// Holds the search for one caller; a second one at the same time is told so.
class Searcher::Busy {
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

RunReport Searcher::run(const Budget& budget, const std::function<bool()>& interrupted) {
  const Busy busy(*this);
  stop_.store(false, std::memory_order_relaxed);
  budget_ = budget;
  start_ = wall_seconds();
  cpu_start_ = thread_cpu_seconds();
  const std::uint32_t visits = tree_.at(tree_.anchor()).visits(0);
  RunReport report;
  try {
    prepare_root();
    run_on(report, interrupted);
  } catch (const Interrupted&) {
    report.playouts = tree_.at(tree_.anchor()).visits(0) - visits;
    report.stopped_by = StoppedBy::kInterrupt;
  }
  report.seconds = wall_seconds() - start_;
  report.cpu_seconds = thread_cpu_seconds() - cpu_start_;
  return report;
}

std::optional<StoppedBy> Searcher::time_spent() const {
  if (wall_seconds() - start_ >= budget_.seconds) return StoppedBy::kSeconds;
  // This clock is slow to read, and few runs want it.
  if (budget_.cpu_seconds < std::numeric_limits<double>::infinity() &&
      thread_cpu_seconds() - cpu_start_ >= budget_.cpu_seconds) {
    return StoppedBy::kCpuSeconds;
  }
  return std::nullopt;
}

void Searcher::run_on(RunReport& report, const std::function<bool()>& interrupted) {
  double last_reading = start_;
  double last_interrupt_check = start_;
  // Adapts to the speed of the game, from playouts of a microsecond to playouts of a second.
  std::uint64_t burst = 1;
  const std::uint64_t visits_left = std::numeric_limits<std::uint32_t>::max() - tree_.at(tree_.anchor()).visits(0);
  const std::uint64_t most = std::min(budget_.playouts, visits_left);
  const auto ended = [&]() -> std::optional<StoppedBy> {
    if (stop_.load(std::memory_order_relaxed)) return StoppedBy::kStop;
    if (const std::optional<StoppedBy> spent = time_spent()) return spent;
    const double now = wall_seconds();
    if (now - last_interrupt_check >= kSecondsBetweenInterruptChecks) {
      last_interrupt_check = now;
      if (interrupted && interrupted()) return StoppedBy::kInterrupt;
    }
    if (now - last_reading < kSecondsBetweenClockReadings) {
      burst = std::min(2 * burst, kMostPlayoutsBetweenClockReadings);
    } else {
      burst = std::max<std::uint64_t>(burst / 2, 1);
    }
    last_reading = now;
    return std::nullopt;
  };
  while (report.playouts < most && !is_proven()) {
    report.playouts += simulate(std::min(burst * playouts_at_once(), most - report.playouts));
    if (const std::optional<StoppedBy> reason = ended()) {
      report.stopped_by = *reason;
      return;
    }
  }
  report.stopped_by = is_proven()               ? StoppedBy::kProven
                      : most < budget_.playouts ? StoppedBy::kVisits
                                                : StoppedBy::kPlayouts;
}

void Searcher::advance(Move move) {
  const Busy busy(*this);
  play_at_root(move);
  ++plies_;
  if (tree_.root() != kNoNode) {
    const Node root = tree_.at(tree_.root());
    for (std::uint32_t child = 0; child < root.child_count(); ++child) {
      if (root.move(child) == move) return tree_.reroot(child);
    }
  }
  tree_.clear();
}

Snapshot Searcher::snapshot() const {
  const Busy busy(*this);
  Snapshot result;
  const Node anchor = tree_.at(tree_.anchor());
  result.visits = anchor.visits(0);
  result.nodes = tree_.node_count();
  result.child_slots = tree_.child_count();
  result.memory = tree_.used_bytes();
  result.tree_full = tree_.is_full();
  if (tree_.root() == kNoNode) return result;

  const Node root = tree_.at(tree_.root());
  for (std::uint32_t child = 0; child < root.child_count(); ++child) {
    ChildStatistics statistics;
    statistics.move = root.move(child);
    statistics.visits = root.visits(child);
    statistics.value = value(root, child);
    if (rules_.layout.has_prior) statistics.prior = static_cast<double>(root.prior(child, rules_.layout));
    if (rules_.layout.has_rave && root.rave_visits(rules_.layout)[child] > 0) {
      statistics.rave = root.rave_rewards(rules_.layout)[child] / (root.rave_visits(rules_.layout)[child] * kRaveUnit);
    }
    if (proof(root, child) != Proof::kNone) statistics.proven = name_of(proof(root, child));
    statistics.pv = principal_variation(root, child);
    result.moves.push_back(std::move(statistics));
  }
  result.best = best_child();
  if (is_proven()) result.proven = name_of(root_proof());
  return result;
}

Proof Searcher::root_proof() const {
  const Node anchor = tree_.at(tree_.anchor());
  return seen_by(tree_.at(tree_.root()).chooser(), anchor.chooser(), proof(anchor, 0));
}

// The most visited child, the first of equals, but a proven win before all others, and a proven loss after them; none
// where no child was visited.
std::optional<std::uint32_t> Searcher::next_in_line(const Node& node) const {
  const auto rank = [&](std::uint32_t child) {
    const Proof known = proof(node, child);
    return std::pair((known == Proof::kWin) - (known == Proof::kLoss), node.visits(child));
  };
  std::optional<std::uint32_t> best;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    if (node.visits(child) > 0 && (!best || rank(child) > rank(*best))) best = child;
  }
  return best;
}

std::vector<Move> Searcher::principal_variation(const Node& parent, std::uint32_t child) const {
  std::vector<Move> moves = {parent.move(child)};
  for (NodeIndex index = parent.child(child); index != kNoNode;) {
    const Node node = tree_.at(index);
    const std::optional<std::uint32_t> next = next_in_line(node);
    if (!next) break;
    moves.push_back(node.move(*next));
    index = node.child(*next);
  }
  return moves;
}

std::optional<Move> Searcher::best_move() const {
  const Busy busy(*this);
  const std::optional<std::size_t> best = best_child();
  if (!best) return std::nullopt;
  return tree_.at(tree_.root()).move(static_cast<std::uint32_t>(*best));
}

std::optional<std::size_t> Searcher::best_child() const {
  if (tree_.root() == kNoNode) return std::nullopt;
  const Node root = tree_.at(tree_.root());
  std::vector<RootChild> candidates;
  for (std::uint32_t child = 0; child < root.child_count(); ++child) {
    candidates.push_back({root.visits(child), value(root, child), proof(root, child)});
  }
  if (candidates.empty()) return std::nullopt;
  if (rules_.solver.final != nullptr) return rules_.solver.final(candidates, rules_);
  return rules_.final(candidates, rules_.parameters);
}

// The anchor keeps the rewards of whoever moved last; this is for the player to move: the mean over the children, by
// their visits.
double Searcher::root_value() const {
  if (tree_.root() == kNoNode) return 0.0;
  if (is_proven()) return value_of(root_proof());
  const Node root = tree_.at(tree_.root());
  double sums = 0;
  double visits = 0;
  for (std::uint32_t child = 0; child < root.child_count(); ++child) {
    sums += root.sum(child, rules_.layout);
    visits += static_cast<double>(root.visits(child));
  }
  return visits == 0 ? 0.0 : sums / visits;
}

std::vector<TreeLine> Searcher::tree_lines(std::uint32_t max_depth, std::uint32_t min_visits) const {
  const Busy busy(*this);
  struct Pending {
    NodeIndex node;
    std::int64_t id;
    std::uint32_t depth;
  };
  std::vector<TreeLine> lines = {{0, -1, kNoMove, tree_.at(tree_.anchor()).visits(0), root_value()}};
  std::vector<Pending> pending = {{tree_.root(), 0, 0}};
  for (std::size_t next = 0; next < pending.size(); ++next) {
    const auto [index, id, depth] = pending[next];
    if (index == kNoNode || depth >= max_depth) continue;
    const Node node = tree_.at(index);
    for (std::uint32_t child = 0; child < node.child_count(); ++child) {
      const std::uint32_t visits = node.visits(child);
      if (visits < std::max<std::uint32_t>(min_visits, 1)) continue;
      const auto child_id = static_cast<std::int64_t>(lines.size());
      lines.push_back({child_id, id, node.move(child), visits, value(node, child)});
      pending.push_back({node.child(child), child_id, depth + 1});
    }
  }
  return lines;
}

}  // namespace tesuji
