// Capturing races in Go, for src/tesuji/semeai.py, which checks what it is given.
#include "bindings/bind_game.hpp"
#include "games/go.hpp"
#include "knowledge/go/find_races.hpp"
#include "knowledge/go/semeai.hpp"

namespace tesuji::bindings {
namespace {

// Ctrl-C ends a long answer.
void let_signals_in() {
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

template <int kSize>
RaceVerdict solve_race(const Go<kSize>& position, const MoveList& black, const MoveList& white,
                       std::uint64_t most_positions) {
  const nb::gil_scoped_release release;
  RaceStones<kSize> race;
  for (const Move stone : black) race[0].push_back(position.board().point_of(stone));
  for (const Move stone : white) race[1].push_back(position.board().point_of(stone));
  SemeaiSolver<kSize> solver(race, most_positions, let_signals_in);
  return solver.solve(TacticalBoard<kSize>(position.board()), position.to_move());
}

template <int kSize>
nb::list list_races(const Go<kSize>& position, int least_stones, bool life) {
  nb::list races;
  for (const FoundRace<kSize>& race : find_races(TacticalBoard<kSize>(position.board()), least_stones, life)) {
    std::array<MoveList, 2> stones;
    for (const std::size_t colour : {0u, 1u}) {
      for (const auto stone : race.stones[colour]) stones[colour].push_back(position.board().move_of(stone));
    }
    races.append(nb::make_tuple(stones[0], stones[1]));
  }
  return races;
}

template <int kSize>
void bind_races_of_size(nb::module_& module, const std::string& name) {
  module.def("go_races", &list_races<kSize>, nb::arg("position"), nb::arg("least_stones"), nb::arg("life"),
             nb::sig(("def go_races(position: " + name +
                      ", least_stones: int, life: bool) -> list[tuple[list[int], list[int]]]")
                         .c_str()));
  module.def("go_solve_race", &solve_race<kSize>, nb::arg("position"), nb::arg("black"), nb::arg("white"),
             nb::arg("most_positions"));
}

}  // namespace

void bind_go_races(nb::module_& module) {
  nb::class_<RaceVerdict>(module, "RaceVerdict")
      .def_prop_ro(
          "outcome",
          [](const RaceVerdict& verdict) {
            return nb::make_tuple(static_cast<int>(verdict.outcome[0]), static_cast<int>(verdict.outcome[1]));
          },
          nb::sig("def outcome(self) -> tuple[int, int]"))
      .def_prop_ro(
          "necessary",
          [](const RaceVerdict& verdict) { return nb::make_tuple(verdict.necessary[0], verdict.necessary[1]); },
          nb::sig("def necessary(self) -> tuple[list[int], list[int]]"))
      .def_ro("positions", &RaceVerdict::positions);
  bind_races_of_size<9>(module, "Go9");
  bind_races_of_size<13>(module, "Go13");
  bind_races_of_size<19>(module, "Go19");
  bind_races_of_size<0>(module, "GoAny");
}

}  // namespace tesuji::bindings
