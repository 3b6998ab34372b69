#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/bind_game.hpp"
#include "bindings/each_record.hpp"
#include "games/go_sizes.hpp"
#include "knowledge/go/fast_model.hpp"
#include "knowledge/go/fast_teams.hpp"
#include "knowledge/go/move_model.hpp"
#include "knowledge/go/teams.hpp"

namespace tesuji::bindings {
namespace {

// Records of one board size, one after the other: the moves of all, and where each ends.
class GoRecords {
 public:
  GoRecords(int size, const InputArray<std::uint16_t>& moves, const InputArray<std::uint64_t>& ends)
      : size_(size), moves_(as_vector(moves)), ends_(as_vector(ends)) {
    if (size < kMinGoSize || size > kMaxGoSize) throw std::invalid_argument("a Go board has 5 to 19 lines");
    for (std::size_t i = 0, begin = 0; i < ends_.size(); begin = ends_[i++]) {
      if (ends_[i] < begin || ends_[i] > moves_.size()) throw std::invalid_argument("a record ends before it begins");
    }
  }

  int size() const { return size_; }
  std::size_t count() const { return ends_.size(); }
  RecordedMoves moves(std::size_t record) const {
    const std::size_t begin = record == 0 ? 0 : ends_[record - 1];
    return RecordedMoves(moves_).subspan(begin, ends_[record] - begin);
  }

 private:
  int size_;
  std::vector<std::uint16_t> moves_;
  std::vector<std::uint64_t> ends_;
};

void check_range(const GoRecords& records, std::size_t first, std::size_t last) {
  if (first > last || last > records.count()) throw std::invalid_argument("there are no such records");
}

// How many moves of each record can be played.
nb::object legal_lengths(const GoRecords& records) {
  std::vector<std::uint32_t> lengths(records.count());
  with_go_size(records.size(), [&]<int kSize>() {
    for (std::size_t i = 0; i < records.count(); ++i) {
      const auto ignore = [](const auto&, auto) {};
      lengths[i] = static_cast<std::uint32_t>(replay<kSize>(records.size(), records.moves(i), ignore));
    }
  });
  return nb::cast(to_array(std::move(lengths)));
}

// What `add(moves, hashes)` finds in the moves of some records.
template <class Add>
nb::object list_shapes(const GoRecords& records, std::size_t first, std::size_t last, Add&& add) {
  check_range(records, first, last);
  std::vector<std::uint64_t> hashes;
  {
    const nb::gil_scoped_release release;
    for (std::size_t i = first; i < last; ++i) add(records.moves(i), hashes);
  }
  return nb::cast(to_array(std::move(hashes)));
}

nb::object shapes(const GoRecords& records, std::size_t first, std::size_t last, bool marks_last) {
  return list_shapes(records, first, last, [&](auto moves, auto& hashes) {
    with_go_size(records.size(), [&]<int kSize>() { add_shapes<kSize>(records.size(), moves, marks_last, hashes); });
  });
}

nb::object fast_shapes(const GoRecords& records, std::size_t first, std::size_t last) {
  return list_shapes(records, first, last, [&](auto moves, auto& hashes) {
    with_go_size(records.size(), [&]<int kSize>() { add_fast_shapes<kSize>(records.size(), moves, hashes); });
  });
}

// Adds a chunk for each record, in their order. The table of shapes decides which layer's features compete.
template <class Table>
void compete(const GoRecords& records, std::size_t first, std::size_t last, const Table& table,
             Competitions& competitions, int threads) {
  check_range(records, first, last);
  std::vector<Competitions::Chunk> chunks(last - first);
  {
    const nb::gil_scoped_release release;
    for_each_record(first, last, threads, [&](std::size_t record) {
      Competitions::Chunk& chunk = chunks[record - first];
      with_go_size(records.size(),
                   [&]<int kSize>() { add_record<kSize>(records.size(), records.moves(record), table, chunk); });
      chunk.teams.shrink_to_fit();
    });
  }
  for (auto& chunk : chunks) competitions.add(std::move(chunk));
}

// Name, part and names of the levels of a feature.
template <class Feature>
nb::tuple describe(Feature feature) {
  nb::list levels;
  for (const auto level : feature.kLevels) levels.append(nb::str(level.data(), level.size()));
  const nb::str name(feature.kName.data(), feature.kName.size());
  return nb::make_tuple(name, static_cast<int>(feature.kPart), nb::tuple(levels));
}

nb::list feature_list(bool fast) {
  nb::list features;
  const auto add = [&](auto feature) { features.append(describe(feature)); };
  if (fast) {
    fast_features::for_each_feature(add);
  } else {
    go_features::for_each_feature(add);
  }
  return features;
}

using Strengths = std::array<InputArray<float>, kTeamParts>;

PartTables<float> part_tables(const Strengths& strengths) {
  PartTables<float> tables;
  for (int part = 0; part < kTeamParts; ++part) tables[part] = as_vector(strengths[part]);
  return tables;
}

void init_model(GoMoveModel* model, const InputArray<std::uint64_t>& hashes, const Strengths& strengths,
                bool marks_last, std::shared_ptr<GoFastModel> fast) {
  new (model) GoMoveModel(ShapeTable(as_span(hashes), marks_last), part_tables(strengths), std::move(fast));
}

std::shared_ptr<GoFastModel> make_fast_model(const InputArray<std::uint64_t>& hashes, const Strengths& strengths) {
  return std::make_shared<GoFastModel>(as_span(hashes), part_tables(strengths));
}

template <int kSize>
std::vector<float> probabilities(const GoMoveModel& model, const Go<kSize>& position, const std::vector<Move>& moves) {
  std::vector<float> result(moves.size());
  model.probabilities(position, moves, result);
  return result;
}

template <int kSize>
std::uint64_t team(const GoMoveModel& model, const Go<kSize>& position, Move move) {
  return model.team(position, move).word();
}

template <int kSize>
void bind_model_of_size(nb::class_<GoMoveModel>& model) {
  model.def("probabilities", &probabilities<kSize>, nb::arg("position"), nb::arg("moves"))
      .def("team", &team<kSize>, nb::arg("position"), nb::arg("move"));
}

}  // namespace

void bind_go_moves(nb::module_& module) {
  module.def(
      "go_shape_sizes", [] { return nb::make_tuple(kFirstShapeSize, kLastShapeSize); },
      nb::sig("def go_shape_sizes() -> tuple[int, int]"));
  module.def("go_features", &feature_list, nb::arg("fast") = false,
             nb::sig("def go_features(fast: bool = False) -> list[tuple[str, int, tuple[str, ...]]]"));
  nb::class_<ShapeTable>(module, "GoShapes")
      .def(
          "__init__",
          [](ShapeTable* table, const InputArray<std::uint64_t>& hashes, bool marks_last) {
            new (table) ShapeTable(as_span(hashes), marks_last);
          },
          nb::arg("hashes"), nb::arg("marks_last") = true)
      .def("find", &ShapeTable::find, nb::arg("hash"));
  nb::class_<FastShapeTable>(module, "GoFastShapes")
      .def(
          "__init__",
          [](FastShapeTable* table, const InputArray<std::uint64_t>& hashes) {
            new (table) FastShapeTable(as_span(hashes));
          },
          nb::arg("hashes"));
  nb::class_<GoFastModel>(module, "GoFastModel")
      .def(nb::new_(&make_fast_model), nb::arg("shapes"), nb::arg("strengths"));
  nb::class_<GoRecords>(module, "GoRecords")
      .def(nb::init<int, const InputArray<std::uint16_t>&, const InputArray<std::uint64_t>&>(), nb::arg("size"),
           nb::arg("moves"), nb::arg("ends"))
      .def("legal_lengths", &legal_lengths, nb::sig("def legal_lengths(self) -> NDArray[numpy.uint32]"))
      .def("shapes", &shapes, nb::arg("first"), nb::arg("last"), nb::arg("marks_last") = true,
           nb::sig("def shapes(self, first: int, last: int, marks_last: bool = True) -> NDArray[numpy.uint64]"))
      .def("fast_shapes", &fast_shapes, nb::arg("first"), nb::arg("last"),
           nb::sig("def fast_shapes(self, first: int, last: int) -> NDArray[numpy.uint64]"))
      .def("compete", &compete<FastShapeTable>, nb::arg("first"), nb::arg("last"), nb::arg("shapes"),
           nb::arg("competitions"), nb::arg("threads") = 1)
      .def("compete", &compete<ShapeTable>, nb::arg("first"), nb::arg("last"), nb::arg("shapes"),
           nb::arg("competitions"), nb::arg("threads") = 1);
  nb::class_<GoMoveModel> model(module, "GoMoveModel");
  model.def("__init__", &init_model, nb::arg("shapes"), nb::arg("strengths"), nb::arg("marks_last") = true,
            nb::arg("fast").none() = nb::none());
  bind_model_of_size<9>(model);
  bind_model_of_size<13>(model);
  bind_model_of_size<19>(model);
  bind_model_of_size<0>(model);
}

}  // namespace tesuji::bindings
