#include "search/shared_board.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>

#include "search/searcher.hpp"

namespace tesuji {
namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

// The same for each kind of number; proofs are facts, and only gather.
template <class Function, class... Statistics>
void for_each_column(const Function& function, Statistics&&... statistics) {
  function(statistics.visits...);
  function(statistics.rewards...);
  function(statistics.rave_visits...);
  function(statistics.rave_rewards...);
}

void gather_proofs(std::vector<std::uint8_t>& into, const std::vector<std::uint8_t>& more) {
  for (std::size_t place = 0; place < std::min(into.size(), more.size()); ++place) {
    into[place] = std::max(into[place], more[place]);
  }
}

// What is not there, at the end of a shorter one, is 0.
void subtract(SharedTotals& from, const SharedTotals& what) {
  for_each_column(
      [](auto& column, const auto& other) {
        for (std::size_t place = 0; place < std::min(column.size(), other.size()); ++place) {
          column[place] -= other[place];
        }
      },
      from, what);
  gather_proofs(from.proofs, what.proofs);
}

void add(SharedTotals& total, const std::vector<Stretch>& stretches, const SharedStatistics& told) {
  for_each_column(
      [&](auto& column, const auto& other) {
        if (other.empty()) return;
        auto from = other.begin();
        for (const auto [first, count] : stretches) {
          for (std::uint32_t child = 0; child < count; ++child) column[first + child] += from[child];
          from += count;
        }
      },
      total, told);
  if (told.proofs.empty()) return;
  std::size_t number = 0;
  for (const auto [first, count] : stretches) {
    for (std::uint32_t child = 0; child < count; ++child) {
      total.proofs[first + child] = std::max(total.proofs[first + child], told.proofs[number++]);
    }
  }
}

SharedTotals shown_by(const Searcher& searcher, const NodeList& nodes) {
  SharedStatistics statistics = searcher.statistics_of(nodes);
  return {.visits = {statistics.visits.begin(), statistics.visits.end()},
          .rewards = std::move(statistics.rewards),
          .rave_visits = {statistics.rave_visits.begin(), statistics.rave_visits.end()},
          .rave_rewards = std::move(statistics.rave_rewards),
          .proofs = std::move(statistics.proofs)};
}

// The numbers that stay when the root moves on, each at its new place. There may be fewer than the stretches hold.
template <class Statistics>
Statistics moved(const Statistics& old, const std::vector<Stretch>& stretches,
                 const std::vector<std::uint32_t>& new_place_of, std::size_t size) {
  Statistics kept;
  const auto move_column = [&](const auto& column, auto& into) {
    if (column.empty()) return;
    into.resize(size);
    auto from = column.begin();
    for (const auto [first, count] : stretches) {
      for (std::uint32_t child = 0; child < count && from != column.end(); ++child, ++from) {
        const std::uint32_t place = new_place_of[first + child];
        if (place != kNowhere) into[place] = *from;
      }
    }
  };
  for_each_column(move_column, old, kept);
  move_column(old.proofs, kept.proofs);
  if (!kept.rave_visits.empty()) {  // the anchor's one move has no RAVE statistics: nobody chooses there
    kept.rave_visits[0] = 0;
    kept.rave_rewards[0] = 0;
  }
  return kept;
}

}  // namespace

SharedTotals averaged(SharedTotals total, std::uint32_t machines) {
  const auto share = [machines](std::int64_t number) { return (number + machines / 2) / machines; };
  const auto part = [](std::int64_t kept, std::int64_t of) {
    return static_cast<double>(kept) / static_cast<double>(std::max<std::int64_t>(of, 1));
  };
  for (std::size_t place = 0; place < total.visits.size(); ++place) {
    const std::int64_t all = total.visits[place];
    total.visits[place] = std::max<std::int64_t>(share(all), all > 0);
    total.rewards[place] =
        static_cast<Reward>(std::nearbyint(static_cast<double>(total.rewards[place]) * part(total.visits[place], all)));
  }
  for (std::size_t place = 0; place < total.rave_visits.size(); ++place) {
    const std::int64_t all = total.rave_visits[place];
    total.rave_visits[place] = share(all);
    total.rave_rewards[place] *= part(total.rave_visits[place], all);
  }
  return total;
}

SharedBoard::SharedBoard(Searcher& searcher) : searcher_(searcher) { clear(); }

void SharedBoard::clear() {
  nodes_.clear();
  stretches_.clear();
  size_ = 0;
  foreign_ = {};
  told_.clear();
  std::vector<Stretch> stretches;
  add_nodes(NodeList{0, 1}, stretches);
  look();
}

void SharedBoard::find_nodes(const SharingLimits& limits) {
  std::vector<Stretch> stretches;
  add_nodes(searcher_.shared_nodes(limits), stretches);
}

void SharedBoard::check_nodes(std::span<const std::uint32_t> list) const {
  searcher_.statistics_of(list);  // throws where a node cannot be
  std::unordered_set<Path, PathHash> seen;
  for (NodeListReader nodes(list); nodes.next();) {
    const Path path(nodes.path().begin(), nodes.path().end());
    if (!seen.insert(path).second) throw BadMessage("a node is told of twice");
    const auto found = stretches_.find(path);
    if (found == stretches_.end() || found->second.count == nodes.children()) continue;
    throw BadMessage("a node has " + std::to_string(found->second.count) + " moves here and " +
                     std::to_string(nodes.children()) + " elsewhere");
  }
}

void SharedBoard::add_nodes(std::span<const std::uint32_t> list, std::vector<Stretch>& stretches) {
  for (NodeListReader nodes(list); nodes.next();) {
    const auto [found, is_new] = stretches_.try_emplace(Path(nodes.path().begin(), nodes.path().end()),
                                                        Stretch{.first = size_, .count = nodes.children()});
    if (is_new) {
      size_ += nodes.children();
      nodes_.push_back(static_cast<std::uint32_t>(nodes.path().size()));
      nodes_.insert(nodes_.end(), nodes.path().begin(), nodes.path().end());
      nodes_.push_back(nodes.children());
    }
    stretches.push_back(found->second);
  }
}

void SharedBoard::look() {
  own_ = shown_by(searcher_, nodes_);
  subtract(own_, foreign_);
  // A counter of RAVE visits that was full has been halved: then less is left than others have given.
  for (std::int64_t& visits : own_.rave_visits) visits = std::max<std::int64_t>(visits, 0);
}

// Those that came by messages: many come at once, and the tree is read once for all.
void SharedBoard::look_at_new_nodes() {
  if (own_.visits.size() < size_) look();
}

void SharedBoard::leave_out_changes() {
  look_at_new_nodes();
  foreign_ = shown_by(searcher_, nodes_);
  subtract(foreign_, own_);
}

void SharedBoard::begin_again(bool owns) {
  told_.clear();
  foreign_ = owns ? SharedTotals{} : shown_by(searcher_, nodes_);
  look();
}

const SharedTotals& SharedBoard::own() {
  look_at_new_nodes();
  return own_;
}

void SharedBoard::hear(std::uint32_t source, std::span<const std::uint32_t> list, SharedStatistics told) {
  Told& one = told_[source];
  // From one message to the next a list only grows at its end; after a move it is another one.
  const bool goes_on =
      !one.list.empty() && list.size() >= one.list.size() && std::equal(one.list.begin(), one.list.end(), list.begin());
  const std::span<const std::uint32_t> more = goes_on ? list.subspan(one.list.size()) : list;
  const std::size_t count = (goes_on ? one.statistics.visits.size() : 0) + children_in(more);
  const auto is_right = [count](std::size_t size, bool is_there) { return size == (is_there ? count : 0); };
  if (!is_right(told.visits.size(), true) || !is_right(told.rewards.size(), true) ||
      !is_right(told.rave_visits.size(), !own_.rave_visits.empty()) ||
      !is_right(told.rave_rewards.size(), !own_.rave_rewards.empty()) ||
      !is_right(told.proofs.size(), !own_.proofs.empty())) {
    throw BadMessage("machine " + std::to_string(source) +
                     " searches with another engine, or another version of tesuji");
  }
  // Now that there is a number for every move that is told of: a list alone may claim any number of them.
  check_nodes(more);
  check_proofs(told.proofs);
  if (!goes_on) one.stretches.clear();
  add_nodes(more, one.stretches);
  one.list.assign(list.begin(), list.end());
  one.statistics = std::move(told);
}

SharedTotals SharedBoard::total() {
  SharedTotals total = own();
  for (const auto& [source, one] : told_) add(total, one.stretches, one.statistics);
  return total;
}

SharedTotals SharedBoard::total_of(std::span<const std::uint32_t> path) {
  const auto found = stretches_.find(Path(path.begin(), path.end()));
  if (found == stretches_.end()) return {};
  const SharedTotals all = total();
  SharedTotals one;
  const auto cut = [stretch = found->second](const auto& column, auto& into) {
    if (column.empty()) return;
    into.assign(column.begin() + stretch.first, column.begin() + stretch.first + stretch.count);
  };
  for_each_column(cut, all, one);
  cut(all.proofs, one.proofs);
  return one;
}

void SharedBoard::show(std::uint32_t machines) {
  if (machines == 0) throw std::invalid_argument("a tree shows the average over one machine at least, not over 0");
  SharedTotals changes = machines == 1 ? total() : averaged(total(), machines);
  const std::vector<std::uint8_t> proofs = changes.proofs;
  subtract(changes, own_);
  subtract(changes, foreign_);
  searcher_.add_changes_of(nodes_, {.visits = changes.visits,
                                    .rewards = changes.rewards,
                                    .rave_visits = changes.rave_visits,
                                    .rave_rewards = changes.rave_rewards,
                                    .proofs = proofs});
  leave_out_changes();
}

void SharedBoard::advance(Move move, std::span<const Move> moves) {
  const auto root = stretches_.find(Path{kNoMove});
  const auto played = std::find(moves.begin(), moves.end(), move);
  if (root == stretches_.end() || played == moves.end() || moves.size() != root->second.count) {
    clear();  // nothing was known of what comes
    return;
  }
  // The move becomes the anchor's one, what was behind it the board.
  std::vector<std::uint32_t> new_place_of(size_, kNowhere);
  new_place_of[root->second.first + static_cast<std::size_t>(played - moves.begin())] = 0;
  NodeList kept = {0, 1};
  std::uint32_t size = 1;
  for (NodeListReader nodes(nodes_); nodes.next();) {
    const std::span<const std::uint32_t> path = nodes.path();
    if (path.size() < 2 || path[1] != move) continue;
    kept.push_back(static_cast<std::uint32_t>(path.size() - 1));
    kept.push_back(kNoMove);
    kept.insert(kept.end(), path.begin() + 2, path.end());
    kept.push_back(nodes.children());
    const Stretch stretch = stretches_.at(Path(path.begin(), path.end()));
    for (std::uint32_t child = 0; child < stretch.count; ++child) new_place_of[stretch.first + child] = size++;
  }
  foreign_ = moved(foreign_, {Stretch{.first = 0, .count = size_}}, new_place_of, size);
  nodes_.clear();
  stretches_.clear();
  size_ = 0;
  std::vector<Stretch> stretches;
  add_nodes(kept, stretches);
  for (auto& [source, one] : told_) {
    one = {.list = {}, .stretches = stretches, .statistics = moved(one.statistics, one.stretches, new_place_of, size)};
  }
  look();
}

}  // namespace tesuji
