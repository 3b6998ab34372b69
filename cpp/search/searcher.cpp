#include "search/searcher.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/clock.hpp"

namespace tesuji {
namespace {

// Clocks are read about this often: well under the 50 ms within which a stop must hold, and rarely enough to cost
// nothing.
constexpr double kSecondsBetweenClockReadings = 0.0005;
constexpr double kSecondsBetweenInterruptChecks = 0.01;
constexpr std::uint64_t kMostPlayoutsBetweenClockReadings = 1024;

// What a counter holds, and room in it for the visits of playouts that are under way in other threads.
constexpr std::uint64_t kMostVisits = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kRoomForThreads = 1u << 28;

// By their visits; nothing where there are none. `sum_of(child)` divided by a child's visits is its value.
template <class SumOf>
std::optional<double> mean_of_children(const Node& node, const SumOf& sum_of) {
  double sums = 0;
  double visits = 0;
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    sums += sum_of(child);
    visits += static_cast<double>(node.visits(child));
  }
  if (visits == 0) return std::nullopt;
  return sums / visits;
}

// A child's prior as it was supplied: without the even share that set_priors (priors.hpp) gives every move. Where that
// is all, nothing is left to know.
double supplied_prior(const Node& node, std::uint32_t child, const Rules& rules) {
  const auto prior = static_cast<double>(node.prior(child, rules.layout));
  const double even_share = rules.parameters.prior_even;
  if (even_share == 0 || even_share == 1 || node.chooser() == kChance) return prior;
  return std::max(0.0, (prior - even_share / node.child_count()) / (1 - even_share));
}

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

RunReport Searcher::run(const Budget& budget, const std::function<bool()>& interrupted) {
  const Busy busy(*this);
  stop_.store(false, std::memory_order_relaxed);
  budget_ = budget;
  start_ = wall_seconds();
  reason_.reset();
  error_ = nullptr;
  for (WorkerClock& clock : clocks_) clock.cpu_seconds.store(0, std::memory_order_relaxed);
  clocks_.front().cpu_start = thread_cpu_seconds();
  const std::uint64_t most_visits = team_.size() == 1 ? kMostVisits : kMostVisits - kRoomForThreads;
  const std::uint64_t visits = root_visits();
  const std::uint64_t visits_left = most_visits - std::min(most_visits, visits);
  left_.store(std::min(budget.playouts, visits_left), std::memory_order_relaxed);
  try {
    prepare_root();
    team_.run([&](std::size_t worker) { work(worker, interrupted); });
  } catch (const Interrupted&) {
    reason_ = StoppedBy::kInterrupt;
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  RunReport report;
  report.playouts = root_visits() - visits;
  report.seconds = wall_seconds() - start_;
  report.cpu_seconds = cpu_seconds();
  report.stopped_by = reason_                         ? *reason_
                      : proven_tree() != nullptr      ? StoppedBy::kProven
                      : visits_left < budget.playouts ? StoppedBy::kVisits
                                                      : StoppedBy::kPlayouts;
  return report;
}

// The first reason counts.
void Searcher::end_run(StoppedBy reason) {
  const std::lock_guard lock(end_mutex_);
  if (!reason_) reason_ = reason;
  stop_.store(true, std::memory_order_relaxed);
}

// Playouts to make: what is wanted, but towards the end less and less, so that all workers end together.
std::uint64_t Searcher::claim(std::uint64_t wanted) {
  const std::uint64_t workers = team_.size();
  std::uint64_t left = left_.load(std::memory_order_relaxed);
  while (left > 0) {
    const std::uint64_t share = workers == 1 ? left : std::max(playouts_at_once(), left / (2 * workers));
    const std::uint64_t claimed = std::min({wanted, share, left});
    if (left_.compare_exchange_weak(left, left - claimed, std::memory_order_relaxed)) return claimed;
  }
  return 0;
}

double Searcher::cpu_seconds() const {
  double sum = 0;
  for (const WorkerClock& clock : clocks_) sum += clock.cpu_seconds.load(std::memory_order_relaxed);
  return sum;
}

// To be asked in the worker's own thread.
std::optional<StoppedBy> Searcher::time_spent(std::size_t worker) const {
  if (wall_seconds() - start_ >= budget_.seconds) return StoppedBy::kSeconds;
  // This clock is slow to read, and few runs want it.
  if (budget_.cpu_seconds < std::numeric_limits<double>::infinity()) {
    const WorkerClock& own = clocks_[worker];
    own.cpu_seconds.store(thread_cpu_seconds() - own.cpu_start, std::memory_order_relaxed);
    if (cpu_seconds() >= budget_.cpu_seconds) return StoppedBy::kCpuSeconds;
  }
  return std::nullopt;
}

// One worker's part of a run.
void Searcher::work(std::size_t worker, const std::function<bool()>& interrupted) {
  WorkerClock& clock = clocks_[worker];
  if (worker > 0) clock.cpu_start = thread_cpu_seconds();
  try {
    make_playouts(worker, worker == 0 ? interrupted : nullptr);
  } catch (const Interrupted&) {
    end_run(StoppedBy::kInterrupt);
  } catch (...) {
    end_run(StoppedBy::kStop);
    const std::lock_guard lock(end_mutex_);
    if (!error_) error_ = std::current_exception();
  }
  clock.cpu_seconds.store(thread_cpu_seconds() - clock.cpu_start, std::memory_order_relaxed);
}

void Searcher::make_playouts(std::size_t worker, const std::function<bool()>& interrupted) {
  double last_reading = start_;
  double last_interrupt_check = start_;
  // Adapts to the speed of the game, from playouts of a microsecond to playouts of a second.
  std::uint64_t burst = 1;
  const auto ended = [&]() -> std::optional<StoppedBy> {
    if (stop_.load(std::memory_order_relaxed)) return StoppedBy::kStop;
    if (const std::optional<StoppedBy> spent = time_spent(worker)) return spent;
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
  while (proven_tree() == nullptr) {
    const std::uint64_t claimed = claim(burst * playouts_at_once());
    if (claimed == 0) return;
    for (std::uint64_t made = 0; made < claimed && proven_tree() == nullptr;) {
      made += simulate(worker, claimed - made);
      if (const std::optional<StoppedBy> reason = ended()) return end_run(*reason);
    }
  }
}

void Searcher::advance(Move move) {
  const Busy busy(*this);
  play_at_root(move);
  keep_below(move);
  for (Searcher* companion : companions()) companion->keep_below(move);
}

void Searcher::keep_below(Move move) {
  ++plies_;
  if (tree_.root() != kNoNode) {
    const Node root = tree_.at(tree_.root());
    for (std::uint32_t child = 0; child < root.child_count(); ++child) {
      if (root.move(child) == move) return tree_.reroot(child);
    }
  }
  tree_.clear();
}

std::vector<const Searcher*> Searcher::trees() const {
  std::vector<const Searcher*> all = {this};
  for (const Searcher* companion : companions()) all.push_back(companion);
  return all;
}

std::uint64_t Searcher::root_visits() const {
  std::uint64_t visits = 0;
  for (const Searcher* one : trees()) visits += one->tree_.at(one->tree_.anchor()).visits(0);
  return visits;
}

const Searcher* Searcher::proven_tree() const {
  if (!rules_.layout.has_proofs) return nullptr;
  for (const Searcher* one : trees()) {
    if (one->is_proven()) return one;
  }
  return nullptr;
}

// A move at the root, over all trees. `tree` is the one that visited it most.
struct Searcher::RootEntry {
  Move move;
  std::uint32_t visits = 0;
  double sum = 0;  // of the values, by the visits
  Proof proof = Proof::kNone;
  const Searcher* tree;
  std::uint32_t child;

  double value() const {
    if (proof != Proof::kNone) return value_of(proof);
    return visits == 0 ? 0.0 : sum / static_cast<double>(visits);
  }
};

std::vector<Searcher::RootEntry> Searcher::root_entries() const {
  std::vector<RootEntry> entries;
  for (const Searcher* one : trees()) {
    if (one->tree_.root() == kNoNode) continue;
    if (entries.empty()) {
      entries = one->own_root_entries();
    } else {
      one->add_root_entries(entries);
    }
  }
  return entries;
}

std::vector<Searcher::RootEntry> Searcher::own_root_entries() const {
  std::vector<RootEntry> entries;
  const Node root = tree_.at(tree_.root());
  for (std::uint32_t child = 0; child < root.child_count(); ++child) {
    entries.push_back(
        {root.move(child), root.visits(child), root.sum(child, rules_.layout), proof(root, child), this, child});
  }
  return entries;
}

void Searcher::add_root_entries(std::vector<RootEntry>& entries) const {
  const Node root = tree_.at(tree_.root());
  std::unordered_map<Move, std::uint32_t> places;
  for (std::uint32_t child = 0; child < root.child_count(); ++child) places[root.move(child)] = child;
  for (RootEntry& entry : entries) {
    const std::uint32_t child = places.at(entry.move);
    const std::uint32_t visits = root.visits(child);
    const bool visited_more = visits > entry.tree->tree_.at(entry.tree->tree_.root()).visits(entry.child);
    entry.visits += visits;
    entry.sum += root.sum(child, rules_.layout);
    if (entry.proof == Proof::kNone) entry.proof = proof(root, child);
    if (!visited_more) continue;
    entry.tree = this;
    entry.child = child;
  }
}

Snapshot Searcher::snapshot() const {
  const Busy busy(*this);
  Snapshot result;
  result.visits = static_cast<std::uint32_t>(root_visits());
  for (const Searcher* one : trees()) {
    result.nodes += one->tree_.node_count();
    result.child_slots += one->tree_.child_count();
    result.memory += one->tree_.used_bytes();
    result.tree_full = result.tree_full || one->tree_.is_full();
  }
  const std::vector<RootEntry> entries = root_entries();
  for (const RootEntry& entry : entries) {
    const NodeLayout& layout = rules_.layout;
    const Node root = entry.tree->tree_.at(entry.tree->tree_.root());
    ChildStatistics statistics;
    statistics.move = entry.move;
    statistics.visits = entry.visits;
    statistics.value = entry.value();
    if (layout.has_prior) statistics.prior = supplied_prior(root, entry.child, rules_);
    if (layout.has_rave && root.rave_visits(layout)[entry.child] > 0) {
      statistics.rave = root.rave_rewards(layout)[entry.child] / (root.rave_visits(layout)[entry.child] * kRaveUnit);
    }
    if (entry.proof != Proof::kNone) statistics.proven = name_of(entry.proof);
    statistics.pv = entry.tree->principal_variation(root, entry.child);
    result.moves.push_back(std::move(statistics));
  }
  result.best = best_of(entries);
  if (const Searcher* proven = proven_tree()) result.proven = name_of(proven->root_proof());
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
  const std::vector<RootEntry> entries = root_entries();
  const std::optional<std::size_t> best = best_of(entries);
  if (!best) return std::nullopt;
  return entries[*best].move;
}

std::optional<std::size_t> Searcher::best_of(const std::vector<RootEntry>& entries) const {
  if (entries.empty()) return std::nullopt;
  std::vector<RootChild> candidates;
  for (const RootEntry& entry : entries) candidates.push_back({entry.visits, entry.value(), entry.proof});
  return choose(candidates);
}

std::size_t Searcher::choose(std::span<const RootChild> children) const {
  if (rules_.solver.final != nullptr) return rules_.solver.final(children, rules_);
  return rules_.final(children, rules_.parameters);
}

// For the player to move: the mean over the children, by their visits.
double Searcher::root_value() const {
  if (tree_.root() == kNoNode) return 0.0;
  if (is_proven()) return value_of(root_proof());
  const Node root = tree_.at(tree_.root());
  return mean_of_children(root, [&](std::uint32_t child) { return root.sum(child, rules_.layout); }).value_or(0.0);
}

// For whoever moved last. Of a plain mean the anchor has the rewards; a rule of backup that keeps more leaves it out.
double Searcher::root_value_before() const {
  const Node anchor = tree_.at(tree_.anchor());
  const NodeLayout& layout = rules_.layout;
  if (layout.backed_up == 0 || is_proven() || tree_.root() == kNoNode) return value(anchor, 0);
  const Node root = tree_.at(tree_.root());
  const auto player = static_cast<std::size_t>(std::max(anchor.chooser(), 0));
  const bool has_own_array = layout.backed_up > 1;
  const RelaxedArray<double> sums = root.backed_up(has_own_array ? player : 0, layout);
  const std::optional<double> mean = mean_of_children(root, [&](std::uint32_t child) -> double { return sums[child]; });
  if (!mean) return value(anchor, 0);
  if (has_own_array || player == static_cast<std::size_t>(std::max(root.chooser(), 0))) return *mean;
  return layout.adds_up ? 1 - *mean : 0.0;  // else nobody knows
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

void Searcher::check_single_tree() const {
  if (!companions().empty()) throw std::logic_error("with parallel=root there is a tree for each thread");
}

TreeColumns Searcher::columns() {
  const Busy busy(*this);
  check_single_tree();
  TreeColumns columns = columns_of(tree_, rules_.layout);
  columns.value.assign(columns.size(), 0.0);
  columns.value.front() = root_value_before();
  std::vector<NodeIndex> node_of = {tree_.root()};
  for_each_node(columns, [&](std::size_t row, const ChildRows& rows) {
    const Node node = tree_.at(node_of[row]);
    for (std::uint32_t child = 0; child < node.child_count(); ++child) {
      columns.value[rows.first + child] = value(node, child);
      node_of.push_back(node.child(child));
    }
  });
  for (const Rng* numbers : random_numbers()) columns.random.push_back(numbers->state());
  return columns;
}

void Searcher::restore(const TreeColumns& columns) {
  const Busy busy(*this);
  check_single_tree();
  check_tree(columns);
  if (!fill(tree_, columns, rules_.layout)) {
    tree_.clear();
    throw MemoryTooSmall("max_memory is too small for the tree that was kept: give more");
  }
  const std::vector<Rng*> numbers = random_numbers();
  for (std::size_t worker = 0; worker < std::min(numbers.size(), columns.random.size()); ++worker) {
    numbers[worker]->go_on_from(columns.random[worker]);
  }
}

}  // namespace tesuji
