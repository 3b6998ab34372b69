#include "knowledge/bradley_terry.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bind_game.hpp"

namespace tesuji::bindings {
namespace {

using Tables = std::array<InputArray<double>, kTeamParts>;

PartTables<double> from_arrays(const Tables& arrays) {
  PartTables<double> tables;
  for (int part = 0; part < kTeamParts; ++part) tables[part] = as_vector(arrays[part]);
  return tables;
}

nb::list to_arrays(PartTables<double> tables) {
  nb::list arrays;
  for (auto& table : tables) arrays.append(to_array(std::move(table)));
  return arrays;
}

// A team from its parts.
std::uint64_t pack(const std::array<std::uint32_t, kTeamParts>& parts) {
  FeatureTeam team;
  for (int part = 0; part < kTeamParts; ++part) {
    if (parts[part] >> FeatureTeam::kBits[part] != 0)
      throw std::invalid_argument("a part of a team is out of its range");
    team.set_part(part, parts[part]);
  }
  return team.word();
}

std::array<std::uint32_t, kTeamParts> unpack(std::uint64_t word) {
  std::array<std::uint32_t, kTeamParts> parts{};
  for (int part = 0; part < kTeamParts; ++part) parts[part] = FeatureTeam(word).part(part);
  return parts;
}

void add(Competitions& competitions, const InputArray<std::uint64_t>& teams, const InputArray<std::uint32_t>& ends,
         const InputArray<std::uint32_t>& winners) {
  Competitions::Chunk chunk{as_vector(teams), as_vector(ends), as_vector(winners)};
  bool fits = chunk.ends.size() == chunk.winners.size();
  std::uint32_t begin = 0;
  for (std::size_t i = 0; fits && i < chunk.ends.size(); ++i) {
    fits = begin <= chunk.winners[i] && chunk.winners[i] < chunk.ends[i];
    begin = chunk.ends[i];
  }
  if (!fits || begin != chunk.teams.size())
    throw std::invalid_argument("each position has its teams, and one of them won");
  competitions.add(std::move(chunk));
}

nb::tuple expected(const Competitions& competitions, const Tables& strengths, int threads) {
  const PartTables<double> tables = from_arrays(strengths);
  Expectation result;
  {
    const nb::gil_scoped_release release;
    result = expect(competitions, tables, threads);
  }
  return nb::make_tuple(result.log_likelihood, to_arrays(std::move(result.wins)));
}

}  // namespace

void bind_bradley_terry(nb::module_& module) {
  nb::class_<Competitions>(module, "Competitions")
      .def(nb::init<>())
      .def("add", &add, nb::arg("teams"), nb::arg("ends"), nb::arg("winners"))
      .def_prop_ro("position_count", &Competitions::position_count)
      .def_prop_ro("team_count", &Competitions::team_count)
      .def(
          "teams",
          [](const Competitions& competitions, std::size_t chunk) {
            return to_array(competitions.chunks().at(chunk).teams);
          },
          nb::arg("chunk"))
      .def(
          "wins",
          [](const Competitions& competitions, const std::array<std::size_t, kTeamParts>& widths) {
            return to_arrays(count_wins(competitions, widths));
          },
          nb::arg("widths"), nb::sig("def wins(self, widths: Sequence[int]) -> list[NDArray[numpy.float64]]"))
      .def("expect", &expected, nb::arg("strengths"), nb::arg("threads") = 1,
           nb::sig("def expect(self, strengths: Sequence[NDArray[numpy.float64]], threads: int = 1) -> "
                   "tuple[float, list[NDArray[numpy.float64]]]"))
      .def(
          "count_better",
          [](const Competitions& competitions, const Tables& strengths) {
            return to_array(count_better(competitions, from_arrays(strengths)));
          },
          nb::arg("strengths"),
          nb::sig("def count_better(self, strengths: Sequence[NDArray[numpy.float64]]) -> NDArray[numpy.uint32]"));
  module.attr("MAX_SHAPES") = (1u << FeatureTeam::kBits[0]) - 1;  // the value 0 is no known shape
  module.def("pack_team", &pack, nb::arg("parts"));
  module.def("unpack_team", &unpack, nb::arg("team"));
}

}  // namespace tesuji::bindings
