// The books of one machine of a cluster: what it has found itself, what others have told, what its tree shows of both.
//
// For each statistic of a move (visits, rewards, RAVE visits and rewards) there are
//
//   L    what this machine has found, never overwritten
//   L_i  what machine i has told last: its L, a total and no difference, so that a lost message does no harm
//   G    = L + sum_i L_i, the group's total, in which every playout counts once
//   S    what the tree shows, and selection reads. Between exchanges S grows by the machine's own playouts
//
// and at an exchange S becomes G / M for M machines (an average, as the papers have it) or G (a sum, as one big tree).
// L is not stored: with F = S - L right after an exchange, L = S - F at any time.
//
// Native because machines are many: in an exchange each of n machines takes in n - 1 messages.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/game.hpp"
#include "core/mix_bits.hpp"
#include "search/sharing.hpp"

namespace tesuji {

class Searcher;

// Like SharedStatistics, but wide enough for sums and differences.
struct SharedTotals {
  std::vector<std::int64_t> visits;
  std::vector<Reward> rewards;
  std::vector<std::int64_t> rave_visits;
  std::vector<double> rave_rewards;
  std::vector<std::uint8_t> proofs;
};

// Rounded to whole visits, but a move that anybody has visited keeps at least one: it is not unknown. Its rewards are
// rounded so that the value stays that of the total.
SharedTotals averaged(SharedTotals total, std::uint32_t machines);

// Where on a board the moves of one node are.
struct Stretch {
  std::uint32_t first;
  std::uint32_t count;
};

// Of one machine and one position. The first node is the anchor, whose one move is the root itself.
class SharedBoard {
 public:
  explicit SharedBoard(Searcher& searcher);

  const NodeList& nodes() const { return nodes_; }
  std::size_t node_count() const { return stretches_.size(); }
  std::size_t moves() const { return size_; }

  // Adds the nodes that are worth telling of. Those that once were stay: totals that stop to grow mislead.
  void find_nodes(const SharingLimits& limits);
  // Brings L up to date.
  void look();
  // What has changed since the last look came from others.
  void leave_out_changes();
  // All that the tree shows now counts as found here, or else as others'; what they have told is void.
  void begin_again(bool owns);
  // L as of the last look, of all nodes.
  const SharedTotals& own();
  // L_i of another machine; BadMessage, and nothing changed, where it cannot be of this position and engine.
  void hear(std::uint32_t source, std::span<const std::uint32_t> list, SharedStatistics told);
  // G, with L as of the last look; of all nodes, or of one, empty where that is not on the board.
  SharedTotals total();
  SharedTotals total_of(std::span<const std::uint32_t> path);
  // Makes S an average of G over so many machines, or G itself for 1. The last look must be of now.
  void show(std::uint32_t machines);
  // The root has moved on: this move was played, one of the old root's, which are given by their numbers.
  void advance(Move move, std::span<const Move> moves);

 private:
  using Path = std::vector<std::uint32_t>;
  struct PathHash {
    std::size_t operator()(const Path& path) const {
      std::uint64_t hash = path.size();
      for (const std::uint32_t move : path) hash = mix_bits(hash ^ move);
      return static_cast<std::size_t>(hash);
    }
  };
  // What a machine has told last, and where on the board its nodes are, in their order.
  struct Told {
    NodeList list;
    std::vector<Stretch> stretches;
    SharedStatistics statistics;
  };

  void clear();
  void check_nodes(std::span<const std::uint32_t> list) const;
  void add_nodes(std::span<const std::uint32_t> list, std::vector<Stretch>& stretches);
  void look_at_new_nodes();

  Searcher& searcher_;
  NodeList nodes_;
  std::unordered_map<Path, Stretch, PathHash> stretches_;
  std::uint32_t size_ = 0;
  SharedTotals own_;
  SharedTotals foreign_;  // F; shorter than the board where nodes are new
  std::map<std::uint32_t, Told> told_;
};

}  // namespace tesuji
