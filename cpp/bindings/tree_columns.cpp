// A tree as a dictionary of numpy arrays, and back. Friendly words are for src/tesuji/tree.py, which calls this.
#include "search/tree_columns.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bind_game.hpp"
#include "search/searcher.hpp"

namespace tesuji::bindings {
namespace {

nb::dict columns(Searcher& searcher) {
  TreeColumns columns = [&] {
    const nb::gil_scoped_release release;
    return searcher.columns();
  }();
  nb::dict kept;
  for (auto& [name, column] : columns.kept) kept[name.c_str()] = to_array(std::move(column));
  std::vector<std::uint64_t> random;
  for (const Rng::State& state : columns.random) random.insert(random.end(), state.begin(), state.end());
  nb::dict all;
  all["parent"] = to_array(std::move(columns.parent));
  all["chooser"] = to_array(std::move(columns.chooser));
  all["move"] = to_array(std::move(columns.move));
  all["visits"] = to_array(std::move(columns.visits));
  all["value"] = to_array(std::move(columns.value));
  all["random"] = to_array(std::move(random));
  all["kept"] = kept;
  return all;
}

void restore(Searcher& searcher, InputArray<std::uint32_t> parent, InputArray<std::int8_t> chooser,
             InputArray<std::uint32_t> move, InputArray<std::uint32_t> visits,
             const std::map<std::string, InputArray<double>>& kept, const std::vector<std::uint64_t>& random) {
  TreeColumns columns;
  columns.parent = as_vector(parent);
  columns.chooser = as_vector(chooser);
  columns.move = as_vector(move);
  columns.visits = as_vector(visits);
  for (const auto& [name, column] : kept) columns.kept[name] = as_vector(column);
  for (std::size_t k = 0; k + 1 < random.size(); k += 2) columns.random.push_back({random[k], random[k + 1]});
  searcher.restore(columns);
}

}  // namespace

void bind_tree_columns(nb::module_& module, nb::class_<Searcher>& searcher) {
  nb::exception<BadTree>(module, "BadTree", PyExc_RuntimeError);
  searcher.def("columns", &columns, nb::sig("def columns(self) -> dict[str, typing.Any]"))
      .def("restore", &restore, nb::arg("parent"), nb::arg("chooser"), nb::arg("move"), nb::arg("visits"),
           nb::arg("kept"), nb::arg("random"));
}

}  // namespace tesuji::bindings
