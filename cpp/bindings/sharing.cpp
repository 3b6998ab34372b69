// What machines of a cluster tell each other: statistics, simulations, and the books of both.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bind_game.hpp"
#include "search/searcher.hpp"
#include "search/shared_board.hpp"

namespace tesuji::bindings {
namespace {

using Words = InputArray<std::uint32_t>;

auto words_array(Simulations words) { return to_array(std::move(words)); }

template <class Number>
using OutputArray = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;

template <class Count>
using Columns = std::tuple<OutputArray<Count>, OutputArray<Reward>, OutputArray<Count>, OutputArray<double>,
                           OutputArray<std::uint8_t>>;

Columns<std::uint32_t> columns(SharedStatistics statistics) {
  return {to_array(std::move(statistics.visits)), to_array(std::move(statistics.rewards)),
          to_array(std::move(statistics.rave_visits)), to_array(std::move(statistics.rave_rewards)),
          to_array(std::move(statistics.proofs))};
}

Columns<std::int64_t> columns(SharedTotals totals) {
  return {to_array(std::move(totals.visits)), to_array(std::move(totals.rewards)),
          to_array(std::move(totals.rave_visits)), to_array(std::move(totals.rave_rewards)),
          to_array(std::move(totals.proofs))};
}

// As it is sent: visits fit into 4 bytes.
Columns<std::uint32_t> columns_to_send(const SharedTotals& own) {
  return columns(SharedStatistics{.visits = {own.visits.begin(), own.visits.end()},
                                  .rewards = own.rewards,
                                  .rave_visits = {own.rave_visits.begin(), own.rave_visits.end()},
                                  .rave_rewards = own.rave_rewards,
                                  .proofs = own.proofs});
}

void add_changes_of(Searcher& searcher, const Words& list, const InputArray<std::int64_t>& visits,
                    const InputArray<std::int64_t>& rewards, const InputArray<std::int64_t>& rave_visits,
                    const InputArray<double>& rave_rewards, const InputArray<std::uint8_t>& proofs) {
  searcher.add_changes_of(as_span(list), {.visits = as_span(visits),
                                          .rewards = as_span(rewards),
                                          .rave_visits = as_span(rave_visits),
                                          .rave_rewards = as_span(rave_rewards),
                                          .proofs = as_span(proofs)});
}

void hear(SharedBoard& board, std::uint32_t source, const Words& nodes, const InputArray<std::uint32_t>& visits,
          const InputArray<Reward>& rewards, const InputArray<std::uint32_t>& rave_visits,
          const InputArray<double>& rave_rewards, const InputArray<std::uint8_t>& proofs) {
  board.hear(source, as_span(nodes),
             {.visits = as_vector(visits),
              .rewards = as_vector(rewards),
              .rave_visits = as_vector(rave_visits),
              .rave_rewards = as_vector(rave_rewards),
              .proofs = as_vector(proofs)});
}

std::size_t choose(const Searcher& searcher, const InputArray<std::uint32_t>& visits, const InputArray<double>& values,
                   const InputArray<std::uint8_t>& proofs) {
  const std::size_t count = visits.size();
  if (count == 0 || values.size() != count || (proofs.size() != 0 && proofs.size() != count)) {
    throw std::invalid_argument(
        "a choice needs a move at least, as many values as visits, and as many proofs or none: " +
        std::to_string(count) + " visits, " + std::to_string(values.size()) + " values, " +
        std::to_string(proofs.size()) + " proofs");
  }
  check_proofs(as_span(proofs));
  std::vector<RootChild> children;
  for (std::size_t child = 0; child < count; ++child) {
    const Proof proof = proofs.size() == 0 ? Proof::kNone : static_cast<Proof>(proofs.data()[child]);
    children.push_back({visits.data()[child], values.data()[child], proof});
  }
  return searcher.choose(children);
}

}  // namespace

void bind_sharing(nb::module_& module, nb::class_<Searcher>& searcher) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  searcher.def("takes_changes", &Searcher::takes_changes)
      .def(
          "shared_nodes",
          [](const Searcher& self, std::uint32_t depth, double share, std::uint32_t least) {
            return words_array(self.shared_nodes({.depth = depth, .share = share, .least = least}));
          },
          nb::arg("depth"), nb::arg("share"), nb::arg("least"))
      .def(
          "statistics_of",
          [](const Searcher& self, const Words& nodes) { return columns(self.statistics_of(as_span(nodes))); },
          nb::arg("nodes"))
      .def("add_changes_of", &add_changes_of, nb::arg("nodes"), nb::arg("visits"), nb::arg("rewards"),
           nb::arg("rave_visits"), nb::arg("rave_rewards"), nb::arg("proofs"))
      .def("choose", &choose, nb::arg("visits"), nb::arg("values"), nb::arg("proofs"))
      .def("keep_simulations", &Searcher::keep_simulations, nb::arg("keep"))
      .def("take_simulations", [](Searcher& self) { return words_array(self.take_simulations()); })
      .def(
          "back_up_simulations", [](Searcher& self, const Words& words) { self.back_up_simulations(as_span(words)); },
          nb::arg("words"), Release())
      .def(
          "begin_simulations",
          [](Searcher& self, std::uint32_t count) { return words_array(self.begin_simulations(count)); },
          nb::arg("count"))
      .def(
          "end_simulations", [](Searcher& self, const Words& words) { self.end_simulations(as_span(words)); },
          nb::arg("words"), Release())
      .def(
          "give_up_simulations", [](Searcher& self, const Words& words) { self.give_up_simulations(as_span(words)); },
          nb::arg("words"))
      .def(
          "play_out_simulations",
          [](Searcher& self, const Words& words) { return words_array(self.play_out_simulations(as_span(words))); },
          nb::arg("words"));

  nb::class_<SharedBoard>(module, "SharedBoard")
      .def(nb::init<Searcher&>(), nb::arg("searcher"), nb::keep_alive<1, 2>())
      .def_prop_ro(
          "nodes", [](const SharedBoard& self) { return words_array(self.nodes()); }, nb::rv_policy::automatic)
      .def_prop_ro("node_count", &SharedBoard::node_count)
      .def_prop_ro("moves", &SharedBoard::moves)
      .def(
          "find_nodes",
          [](SharedBoard& self, std::uint32_t depth, double share, std::uint32_t least) {
            self.find_nodes({.depth = depth, .share = share, .least = least});
          },
          nb::arg("depth"), nb::arg("share"), nb::arg("least"))
      .def("look", &SharedBoard::look)
      .def("leave_out_changes", &SharedBoard::leave_out_changes)
      .def("begin_again", &SharedBoard::begin_again, nb::arg("owns"))
      .def("own", [](SharedBoard& self) { return columns_to_send(self.own()); })
      .def("hear", &hear, nb::arg("source"), nb::arg("nodes").noconvert(), nb::arg("visits").noconvert(),
           nb::arg("rewards").noconvert(), nb::arg("rave_visits").noconvert(), nb::arg("rave_rewards").noconvert(),
           nb::arg("proofs").noconvert())
      .def("total", [](SharedBoard& self) { return columns(self.total()); })
      .def(
          "total_of",
          [](SharedBoard& self, const std::vector<std::uint32_t>& path) { return columns(self.total_of(path)); },
          nb::arg("path"))
      .def("show", &SharedBoard::show, nb::arg("machines"))
      .def(
          "advance", [](SharedBoard& self, Move move, const std::vector<Move>& moves) { self.advance(move, moves); },
          nb::arg("move"), nb::arg("moves"));
}

}  // namespace tesuji::bindings
