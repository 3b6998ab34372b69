#include "games/sum_of_switches.hpp"

#include "bindings/bind_game.hpp"

namespace tesuji::bindings {

void bind_sum_of_switches(nb::module_& module) {
  using G = SumOfSwitches;
  bind_game<G>(module, "SumOfSwitches", [](const G& position) { return static_cast<Move>(position.size()); })
      .def_prop_ro("size", &G::size)
      .def_prop_ro("komi", &G::komi)
      .def(
          "scores", [](const G& position) { return nb::make_tuple(position.score(0), position.score(1)); },
          nb::sig("def scores(self) -> tuple[int, int]"));
  module.def("sum_of_switches", [](int size) { return G(size); }, nb::arg("size"));
}

}  // namespace tesuji::bindings
