#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

#include "bindings/arrays.hpp"
#include "bindings/bind_game.hpp"
#include "games/go_sizes.hpp"
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

// Calls work(record) for the records from `first` to `last`, on several threads.
template <class Work>
void for_each_record(std::size_t first, std::size_t last, int threads, Work&& work) {
  std::atomic<std::size_t> next = first;
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
  const auto run = [&] {
    try {
      for (std::size_t record = next++; record < last && !failed; record = next++) work(record);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int i = 1; i < threads; ++i) helpers.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

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

nb::object shapes(const GoRecords& records, std::size_t first, std::size_t last, bool marks_last) {
  check_range(records, first, last);
  std::vector<std::uint64_t> hashes;
  {
    const nb::gil_scoped_release release;
    with_go_size(records.size(), [&]<int kSize>() {
      for (std::size_t i = first; i < last; ++i)
        add_shapes<kSize>(records.size(), records.moves(i), marks_last, hashes);
    });
  }
  return nb::cast(to_array(std::move(hashes)));
}

// Adds a chunk for each record, in their order.
void compete(const GoRecords& records, std::size_t first, std::size_t last, const ShapeTable& table,
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

// Name, part and names of the levels of each feature.
nb::list feature_list() {
  nb::list features;
  go_features::for_each_feature([&](auto feature) {
    nb::list levels;
    for (const auto level : feature.kLevels) levels.append(nb::str(level.data(), level.size()));
    const nb::str name(feature.kName.data(), feature.kName.size());
    features.append(nb::make_tuple(name, static_cast<int>(feature.kPart), nb::tuple(levels)));
  });
  return features;
}

void init_model(GoMoveModel* model, const InputArray<std::uint64_t>& hashes,
                const std::array<InputArray<float>, kTeamParts>& strengths, bool marks_last) {
  PartTables<float> tables;
  for (int part = 0; part < kTeamParts; ++part) tables[part] = as_vector(strengths[part]);
  new (model) GoMoveModel(ShapeTable(as_span(hashes), marks_last), std::move(tables));
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
  module.def("go_features", &feature_list, nb::sig("def go_features() -> list[tuple[str, int, tuple[str, ...]]]"));
  nb::class_<ShapeTable>(module, "GoShapes")
      .def(
          "__init__",
          [](ShapeTable* table, const InputArray<std::uint64_t>& hashes, bool marks_last) {
            new (table) ShapeTable(as_span(hashes), marks_last);
          },
          nb::arg("hashes"), nb::arg("marks_last") = true)
      .def("find", &ShapeTable::find, nb::arg("hash"));
  nb::class_<GoRecords>(module, "GoRecords")
      .def(nb::init<int, const InputArray<std::uint16_t>&, const InputArray<std::uint64_t>&>(), nb::arg("size"),
           nb::arg("moves"), nb::arg("ends"))
      .def("legal_lengths", &legal_lengths, nb::sig("def legal_lengths(self) -> NDArray[numpy.uint32]"))
      .def("shapes", &shapes, nb::arg("first"), nb::arg("last"), nb::arg("marks_last") = true,
           nb::sig("def shapes(self, first: int, last: int, marks_last: bool = True) -> NDArray[numpy.uint64]"))
      .def("compete", &compete, nb::arg("first"), nb::arg("last"), nb::arg("shapes"), nb::arg("competitions"),
           nb::arg("threads") = 1);
  nb::class_<GoMoveModel> model(module, "GoMoveModel");
  model.def("__init__", &init_model, nb::arg("shapes"), nb::arg("strengths"), nb::arg("marks_last") = true);
  bind_model_of_size<9>(model);
  bind_model_of_size<13>(model);
  bind_model_of_size<19>(model);
  bind_model_of_size<0>(model);
}

}  // namespace tesuji::bindings
