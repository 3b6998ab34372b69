#include "search/tree_columns.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace tesuji {
namespace {

// Every array of a node's children that the layout has, with its name: `visit(name, array)`. Visits, moves and nodes
// are not among them.
template <class Visit>
void for_each_array(const Node& node, const NodeLayout& layout, const Visit& visit) {
  if (!layout.replaces_rewards()) visit("rewards", node.reward_sums());
  for (std::size_t array = 0; array < layout.backed_up; ++array) {
    visit("backed up " + std::to_string(array), node.backed_up(array, layout));
    if (layout.has_means) visit("mean " + std::to_string(array), node.means(array, layout));
  }
  if (layout.has_weights) visit("weight", node.weights(layout));
  if (layout.has_bounds) {
    visit("lower bound", node.lower_bounds(layout));
    visit("upper bound", node.upper_bounds(layout));
  }
  if (layout.has_rave) {
    visit("RAVE rewards", node.rave_rewards(layout));
    visit("RAVE visits", node.rave_visits(layout));
  }
  if (layout.has_counted) visit("counted", node.counted(layout));
  if (layout.has_prior) visit("prior", node.priors(layout));
  if (layout.has_proofs) visit("proof", node.proofs(layout));
}

// The same for the numbers of a node's ledger.
template <class Visit>
void for_each_entry(const Ledger& ledger, const NodeLayout& layout, const Visit& visit) {
  if (!layout.has_ledger) return;
  visit("ledger scale", ledger.scale());
  visit("ledger weight", ledger.weight());
  for (std::size_t array = 0; array < layout.backed_up; ++array) {
    visit("ledger sum " + std::to_string(array), ledger.sum(array));
  }
}

// A number of a column as the tree keeps it.
template <class T>
T as_kept(double number, const std::string& name) {
  if constexpr (std::is_same_v<T, Proof>) {
    if (number == 0 || number == 1 || number == 2 || number == 3) return static_cast<Proof>(static_cast<int>(number));
  } else if constexpr (std::is_integral_v<T>) {
    const bool fits = number >= 0 && number <= std::min(0x1p52, static_cast<double>(std::numeric_limits<T>::max()));
    if (fits && number == std::floor(number)) return static_cast<T>(number);
  } else {
    // Scales stay near 2^400 (backed_up.hpp), and sums are over 2^32 of them. Of a NaN no comparison is true.
    const double largest = std::min(0x1p450, static_cast<double>(std::numeric_limits<T>::max()));
    if (std::abs(number) <= largest) return static_cast<T>(number);
  }
  throw BadTree("the column '" + name + "' has the number " + std::to_string(number) + ", which cannot be there");
}

// Visits that a tree of one thread has not counted apart: without playouts under way all were.
std::span<const double> find_column(const TreeColumns& columns, const std::string& name,
                                    const std::vector<double>& visits) {
  const auto found = columns.kept.find(name);
  if (found != columns.kept.end()) return found->second;
  if (name == "counted") return visits;
  throw BadTree("the tree has no column '" + name + "', which this search needs");
}

class Filler {
 public:
  Filler(Tree& tree, const TreeColumns& columns, const NodeLayout& layout)
      : tree_(tree), columns_(columns), layout_(layout), visits_(columns.visits.begin(), columns.visits.end()) {}

  // Asks for every number before the tree is touched.
  void check() const {
    const Node anchor = tree_.at(tree_.anchor());
    for_each_array(anchor, layout_, [&]<class T>(const std::string& name, RelaxedArray<T>) {
      for (const double number : find_column(columns_, name, visits_)) as_kept<T>(number, name);
    });
    for_each_entry(anchor.ledger(), layout_, [&](const std::string& name, Relaxed<double>) {
      for (const double number : find_column(columns_, name, visits_)) as_kept<double>(number, name);
    });
  }

  bool fill() {
    tree_.clear();
    const Node anchor = tree_.at(tree_.anchor());
    anchor.header().chooser = columns_.chooser.front();
    fill_children(anchor, {0, 1});
    // Where each row is a child: its parent's node, and its place there.
    std::vector<NodeIndex> node_of(columns_.size(), kNoNode);
    std::vector<std::size_t> first_of(columns_.size(), 0);
    bool fits = true;
    for_each_node(columns_, [&](std::size_t row, const ChildRows& rows) {
      const std::span moves(columns_.move.data() + rows.first, rows.end - rows.first);
      const NodeIndex index = fits ? tree_.allocate(moves, columns_.chooser[rows.first]) : kNoNode;
      if (index == kNoNode) {
        fits = false;
        return;
      }
      node_of[row] = index;
      first_of[row] = rows.first;
      const Node node = tree_.at(index);
      fill_children(node, rows);
      for_each_entry(node.ledger(), layout_, [&](const std::string& name, Relaxed<double> number) {
        number = find_column(columns_, name, visits_)[row];
      });
      const std::size_t above = columns_.parent[row];
      if (row == 0) {
        anchor.publish_child(0, index);
      } else {
        tree_.at(node_of[above]).publish_child(static_cast<std::uint32_t>(row - first_of[above]), index);
      }
    });
    return fits;
  }

 private:
  void fill_children(const Node& node, const ChildRows& rows) const {
    for (std::size_t row = rows.first; row < rows.end; ++row) {
      node.set(static_cast<std::uint32_t>(row - rows.first), columns_.visits[row], 0);
    }
    for_each_array(node, layout_, [&]<class T>(const std::string& name, RelaxedArray<T> array) {
      const std::span<const double> column = find_column(columns_, name, visits_);
      for (std::size_t row = rows.first; row < rows.end; ++row) {
        array[row - rows.first] = as_kept<T>(column[row], name);
      }
    });
  }

  Tree& tree_;
  const TreeColumns& columns_;
  NodeLayout layout_;
  std::vector<double> visits_;
};

}  // namespace

TreeColumns columns_of(const Tree& tree, const NodeLayout& layout) {
  TreeColumns columns;
  const auto add_children = [&](const Node& node, std::uint32_t parent) {
    for (std::uint32_t child = 0; child < node.child_count(); ++child) {
      columns.parent.push_back(parent);
      columns.chooser.push_back(static_cast<std::int8_t>(node.chooser()));
      columns.move.push_back(node.move(child));
      columns.visits.push_back(node.visits(child));
    }
    for_each_array(node, layout, [&]<class T>(const std::string& name, RelaxedArray<T> array) {
      std::vector<double>& column = columns.kept[name];
      for (std::uint32_t child = 0; child < node.child_count(); ++child) {
        column.push_back(static_cast<double>(static_cast<T>(array[child])));
      }
    });
  };
  add_children(tree.at(tree.anchor()), 0);
  std::vector<NodeIndex> node_of = {tree.root()};
  for (std::size_t row = 0; row < node_of.size(); ++row) {
    if (node_of[row] == kNoNode) continue;
    const Node node = tree.at(node_of[row]);
    for (std::uint32_t child = 0; child < node.child_count(); ++child) node_of.push_back(node.child(child));
    add_children(node, static_cast<std::uint32_t>(row));
    for_each_entry(node.ledger(), layout, [&](const std::string& name, Relaxed<double> number) {
      std::vector<double>& column = columns.kept[name];
      column.resize(row, 0.0);
      column.push_back(number);
    });
  }
  for (auto& [name, column] : columns.kept) column.resize(columns.size(), 0.0);
  return columns;
}

void check_columns(const TreeColumns& columns, int players) {
  const std::size_t size = columns.size();
  bool same_size = size > 0 && columns.chooser.size() == size && columns.move.size() == size;
  same_size = same_size && columns.visits.size() == size;
  for (const auto& [name, column] : columns.kept) same_size = same_size && column.size() == size;
  if (!same_size) throw BadTree("the columns of a tree must have a row each for every child, and one at least");
  if (size > std::numeric_limits<std::uint32_t>::max()) throw BadTree("a tree has fewer than 2^32 rows");
  if (columns.parent.front() != 0) throw BadTree("the first row of a tree is its root, which has itself as parent");
  for (std::size_t row = 0; row < size; ++row) {
    if (columns.chooser[row] < kChance || columns.chooser[row] >= players) {
      throw BadTree("row " + std::to_string(row) + " is chosen by player " + std::to_string(columns.chooser[row]) +
                    ", whom this game does not have");
    }
    if (row == 0) continue;
    const bool is_in_order = row == 1 || columns.parent[row] >= columns.parent[row - 1];
    if (columns.parent[row] >= row || !is_in_order) {
      throw BadTree("row " + std::to_string(row) + " has the parent " + std::to_string(columns.parent[row]) +
                    ": parents come before their children, and never fall");
    }
    const bool is_sibling = row > 1 && columns.parent[row] == columns.parent[row - 1];
    if (is_sibling && columns.chooser[row] != columns.chooser[row - 1]) {
      throw BadTree("row " + std::to_string(row) + " is chosen by another player than its siblings");
    }
  }
}

bool fill(Tree& tree, const TreeColumns& columns, const NodeLayout& layout) {
  Filler filler(tree, columns, layout);
  filler.check();
  return filler.fill();
}

}  // namespace tesuji
