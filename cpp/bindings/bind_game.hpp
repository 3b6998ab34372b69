// One template gives every native game the same face in Python. The public classes in src/tesuji/games wrap these:
// they add text, pictures and messages, so nothing here needs to be friendly, only right.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python_knowledge.hpp"
#include "core/clock.hpp"
#include "core/game.hpp"
#include "core/playout.hpp"
#include "rules/registry.hpp"
#include "search/remote.hpp"

namespace tesuji::bindings {

namespace nb = nanobind;

void bind_bradley_terry(nb::module_& module);
void bind_compiled_game(nb::module_& module);
void bind_go(nb::module_& module);
void bind_go_moves(nb::module_& module);
void bind_go_races(nb::module_& module);
void bind_havannah(nb::module_& module);
void bind_othello(nb::module_& module);
void bind_python_game(nb::module_& module);
void bind_python_rules(nb::module_& module, nb::class_<Parameters>& parameters);
void bind_sharing(nb::module_& module, nb::class_<Searcher>& searcher);
void bind_sources(nb::module_& module);
void bind_sum_of_switches(nb::module_& module);
void bind_tic_tac_toe(nb::module_& module);
void bind_tree_columns(nb::module_& module, nb::class_<Searcher>& searcher);
void bind_tree_game(nb::module_& module);

template <Game G>
nb::tuple rewards_tuple(const G& position) {
  if (!position.is_over()) throw std::invalid_argument("the game is not over");
  const Rewards rewards = position.rewards();
  nb::list values;
  for (int player = 0; player < position.num_players(); ++player) {
    values.append(to_double(rewards[static_cast<std::size_t>(player)]));
  }
  return nb::tuple(values);
}

// Bare playouts, for the benchmark: each copies the position and plays it out. CPU seconds and the first player's sum.
template <Game G>
std::pair<double, double> time_playouts(const G& position, std::uint64_t count, std::uint64_t seed) {
  const nb::gil_scoped_release release;
  Rng rng(seed);
  NoRecord record;
  const G start = in_canonical_order(position);
  G playing = start;
  Scratch lists;
  Reward sum = 0;
  const double begin = thread_cpu_seconds();
  for (std::uint64_t i = 0; i < count; ++i) {
    playing = start;
    if (playing.is_over()) {
      sum += playing.rewards()[0];
    } else if constexpr (HasPlayout<G>) {
      sum += playing.playout(rng, record)[0];
    } else {
      const auto never = [] { return false; };
      sum += uniform_playout(playing, rng, record, lists, Parameters{}.playout_cap, never).value()[0];
    }
  }
  return {thread_cpu_seconds() - begin, to_double(sum)};
}

// For a game without knowledge of its own.
template <Game G>
void knows_nothing(Knowledge<G>& /*knowledge*/, nb::handle model, const Parameters& /*parameters*/) {
  if (!model.is_none()) throw std::invalid_argument("there are no models of the moves of this game");
}

// The same for playouts that know the game.
template <Game G>
std::pair<double, double> time_playouts(const G& position, const KnowledgePlayout<G>& playout, std::uint64_t count,
                                        std::uint64_t seed) {
  const nb::gil_scoped_release release;
  Rng rng(seed);
  Reward sum = 0;
  const double begin = thread_cpu_seconds();
  for (std::uint64_t i = 0; i < count; ++i) sum += playout.play(position, rng, nullptr)[0];
  return {thread_cpu_seconds() - begin, to_double(sum)};
}

template <Game G>
using AddKnowledge = void (*)(Knowledge<G>&, nb::handle, const Parameters&);

// Bare playouts of an engine.
template <Game G>
std::pair<double, double> time_known_playouts(const G& position, AddKnowledge<G> add_knowledge,
                                              const Parameters& parameters, nb::handle model, std::uint64_t count,
                                              std::uint64_t seed) {
  Knowledge<G> knowledge;
  add_knowledge(knowledge, model, parameters);
  const auto* playout = checked_playout<G>(knowledge.playout.get(), make_rules(parameters), false);
  if (playout == nullptr || position.is_over()) return time_playouts(position, count, seed);
  return time_playouts(in_canonical_order(position), *playout, count, seed);
}

// `cell_count`: how many cells the board has, in the order of the move numbers. `add_knowledge(knowledge, model,
// parameters)`: gives a search what is known of the game, and of a model of its moves, where there is one (it is
// borrowed).
template <Game G, class CellCount>
nb::class_<G> bind_game(nb::module_& module, const char* name, CellCount cell_count,
                        AddKnowledge<G> add_knowledge = knows_nothing<G>) {
  return nb::class_<G>(module, name)
      .def("num_players", &G::num_players)
      .def("to_move", &G::to_move)
      .def("is_over", &G::is_over)
      .def("legal_moves",
           [](const G& position) {
             MoveList moves;
             position.legal_moves(moves);
             return moves;
           })
      .def("is_legal", &G::is_legal, nb::arg("move"))
      .def(
          "play",
          [](const G& position, Move move) {
            if (!position.is_legal(move)) throw std::invalid_argument("illegal move");
            G next = position;
            next.play(move);
            return next;
          },
          nb::arg("move"))
      .def("rewards", &rewards_tuple<G>, nb::sig("def rewards(self) -> tuple[float, ...]"))
      .def("cells",
           [cell_count](const G& position) {
             std::string cells;
             for (Move cell = 0; cell < cell_count(position); ++cell) {
               cells.push_back(static_cast<char>(position.cell(cell)));
             }
             return nb::bytes(cells.data(), cells.size());
           })
      .def("hash", &G::hash)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", &G::hash)
      .def(
          "playouts",
          [](const G& position, std::uint64_t count, std::uint64_t seed) {
            const auto [seconds, wins] = time_playouts(position, count, seed);
            return nb::make_tuple(seconds, wins);
          },
          nb::arg("count"), nb::arg("seed"),
          nb::sig("def playouts(self, count: int, seed: int) -> tuple[float, float]"))
      .def(
          "known_playouts",
          [add_knowledge](const G& position, const Parameters& parameters, nb::handle model, std::uint64_t count,
                          std::uint64_t seed) {
            const auto [seconds, wins] = time_known_playouts(position, add_knowledge, parameters, model, count, seed);
            return nb::make_tuple(seconds, wins);
          },
          nb::arg("parameters"), nb::arg("model").none(), nb::arg("count"), nb::arg("seed"),
          nb::sig("def known_playouts(self, parameters: Parameters, model: object | None, count: int, seed: int) -> "
                  "tuple[float, float]"))
      .def(
          "searcher",
          [add_knowledge](const G& position, const Parameters& parameters, std::uint64_t seed, std::size_t max_memory,
                          nb::handle evaluator, std::size_t batch_size, nb::handle policy, nb::handle model,
                          nb::handle solver) {
            Knowledge<G> knowledge = python_knowledge<G>(evaluator, batch_size, policy, solver);
            add_knowledge(knowledge, model, parameters);
            return std::unique_ptr<Searcher>(std::make_unique<RemoteSearch<G>>(position, make_rules(parameters), seed,
                                                                               max_memory, std::move(knowledge)));
          },
          nb::arg("parameters"), nb::arg("seed"), nb::arg("max_memory"), nb::arg("evaluator") = nb::none(),
          nb::arg("batch_size") = 1, nb::arg("policy") = nb::none(), nb::arg("model") = nb::none(),
          nb::arg("solver") = nb::none());
}

}  // namespace tesuji::bindings
