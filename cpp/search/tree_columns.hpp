// A tree written out as columns of numbers, and made again from them: what a file of a tree holds.
//
// A row is a child, the root the first. The children of a node stand together and in their order, and nodes in the
// order of the rows that have become them, breadth first: the rows' parents never fall. So `parent` alone says which
// rows are nodes and how many children each has.
//
// Whatever else the tree keeps is in columns by name, those that the NodeLayout has. All are numbers that a double
// holds exactly. A node's ledger stands in the row of the child that the node is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "search/tree.hpp"

namespace tesuji {

struct TreeColumns {
  std::vector<std::uint32_t> parent;  // its row; the root has itself
  std::vector<std::int8_t> chooser;   // who chose this child: a player or kChance
  std::vector<Move> move;
  std::vector<std::uint32_t> visits;
  std::vector<double> value;                        // to the chooser, as the search has it; not read back
  std::map<std::string, std::vector<double>> kept;  // all that the tree keeps beside these
  std::vector<Rng::State> random;                   // where each worker's random numbers are

  std::size_t size() const { return parent.size(); }
};

// Columns that are no tree, or none of this position or of these rules.
class BadTree : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The rows [first, end) are the children of a row.
struct ChildRows {
  std::size_t first;
  std::size_t end;
};

// Goes over the nodes among the rows, from the root on: `visit(row, ChildRows)`.
template <class Visit>
void for_each_node(const TreeColumns& columns, const Visit& visit) {
  for (std::size_t first = 1; first < columns.size();) {
    std::size_t end = first + 1;
    while (end < columns.size() && columns.parent[end] == columns.parent[first]) ++end;
    visit(columns.parent[first], ChildRows{first, end});
    first = end;
  }
}

// All but the values and the random numbers.
TreeColumns columns_of(const Tree& tree, const NodeLayout& layout);

// Whether they can be a tree at all.
void check_columns(const TreeColumns& columns, int players);

// Of columns that have passed check_moves. BadTree where they lack what the layout needs, or have a number there
// that cannot be; the tree is then as it was. False where the tree's memory does not hold it.
bool fill(Tree& tree, const TreeColumns& columns, const NodeLayout& layout);

// Whether they are a tree in which every node has moves that are legal there, each once, and the right player to
// choose. A game may not be asked to play any others.
template <Game G>
void check_moves(const TreeColumns& columns, const G& root) {
  check_columns(columns, root.num_players());
  std::vector<ChildRows> children(columns.size(), ChildRows{0, 0});
  for_each_node(columns, [&](std::size_t row, const ChildRows& rows) { children[row] = rows; });
  struct Pending {
    std::size_t row;
    G position;
  };
  std::vector<Pending> pending;
  pending.push_back({0, root});
  MoveList legal;
  MoveList moves;
  while (!pending.empty()) {
    const Pending here = std::move(pending.back());
    pending.pop_back();
    const auto [first, end] = children[here.row];
    if (first == end) continue;
    if (here.position.is_over())
      throw BadTree("the tree goes on after the end of the game: it is not of this position");
    here.position.legal_moves(legal);
    moves.assign(columns.move.begin() + static_cast<std::ptrdiff_t>(first),
                 columns.move.begin() + static_cast<std::ptrdiff_t>(end));
    std::ranges::sort(legal);
    std::ranges::sort(moves);
    const bool repeats = std::ranges::adjacent_find(moves) != moves.end();
    if (repeats || !std::ranges::includes(legal, moves) || columns.chooser[first] != here.position.to_move()) {
      throw BadTree("the tree has a move that is not legal where it stands: it is not of this position");
    }
    for (std::size_t row = first; row < end; ++row) {
      if (children[row].first == children[row].end) continue;
      pending.push_back({row, here.position});
      pending.back().position.play(columns.move[row]);
    }
  }
}

}  // namespace tesuji
