#include "games/tree_game.hpp"

#include "bindings/bind_game.hpp"

namespace tesuji::bindings {
namespace {

TreeGame tree_game(int num_players, std::vector<std::uint32_t> child_counts, std::vector<int> players,
                   std::vector<double> values, TreeGame::NodeNumber node) {
  return TreeGame({num_players, std::move(child_counts), std::move(players), std::move(values)}, node);
}

nb::tuple nodes(const TreeGame& position) {
  const TreeGame::Nodes nodes = position.nodes();
  return nb::make_tuple(nodes.num_players, nodes.child_counts, nodes.players, nodes.values);
}

}  // namespace

void bind_tree_game(nb::module_& module) {
  bind_game<TreeGame>(module, "TreeGame", [](const TreeGame& position) { return position.widest(); })
      .def_prop_ro("widest", &TreeGame::widest)
      .def_prop_ro("node", &TreeGame::node)
      .def_prop_ro("node_count", &TreeGame::node_count)
      .def("child_count", &TreeGame::child_count)
      .def("path", &TreeGame::path)
      .def("nodes", &nodes, nb::sig("def nodes(self) -> tuple[int, list[int], list[int], list[float]]"));
  module.def("tree_game", &tree_game, nb::arg("num_players"), nb::arg("child_counts"), nb::arg("players"),
             nb::arg("values"), nb::arg("node") = 0);
}

}  // namespace tesuji::bindings
