// One template gives every game's model of moves, its shapes and its records the same face in Python.
#pragma once

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bind_game.hpp"
#include "bindings/each_record.hpp"
#include "knowledge/move_model.hpp"

namespace tesuji::bindings {

// As Python has it: None where it is not known.
inline std::optional<Move> known_move(Move move) { return move == kNoMove ? std::nullopt : std::optional(move); }

// Games one after the other: the size of each board, the moves of all, and where each game ends.
class MoveRecords {
 public:
  MoveRecords(const InputArray<std::uint16_t>& sizes, const InputArray<std::uint16_t>& moves,
              const InputArray<std::uint64_t>& ends)
      : sizes_(as_vector(sizes)), moves_(as_vector(moves)), ends_(as_vector(ends)) {
    if (sizes_.size() != ends_.size()) throw std::invalid_argument("each record has a size and an end");
    for (std::size_t i = 0, begin = 0; i < ends_.size(); begin = ends_[i++]) {
      if (ends_[i] < begin || ends_[i] > moves_.size()) throw std::invalid_argument("a record ends before it begins");
    }
  }

  std::size_t count() const { return ends_.size(); }
  int size(std::size_t record) const { return sizes_[record]; }
  std::span<const std::uint16_t> moves(std::size_t record) const {
    const std::size_t begin = record == 0 ? 0 : ends_[record - 1];
    return std::span(moves_).subspan(begin, ends_[record] - begin);
  }
  void check_range(std::size_t first, std::size_t last) const {
    if (first > last || last > count()) throw std::invalid_argument("there are no such records");
  }

 private:
  std::vector<std::uint16_t> sizes_;
  std::vector<std::uint16_t> moves_;
  std::vector<std::uint64_t> ends_;
};

// The records of a game: only its own rules can replay them.
template <class K>
class GameRecords : public MoveRecords {
 public:
  using MoveRecords::MoveRecords;

  // How many moves of each record can be played.
  nb::object legal_lengths() const {
    std::vector<std::uint32_t> lengths(count());
    for (std::size_t i = 0; i < count(); ++i) {
      lengths[i] = static_cast<std::uint32_t>(replay_record<K>(size(i), moves(i), [](const auto&, Move) {}));
    }
    return nb::cast(to_array(std::move(lengths)));
  }

  nb::object shapes(std::size_t first, std::size_t last) const {
    check_range(first, last);
    std::vector<std::uint64_t> hashes;
    {
      const nb::gil_scoped_release release;
      for (std::size_t i = first; i < last; ++i) add_shape_hashes<K>(size(i), moves(i), hashes);
    }
    return nb::cast(to_array(std::move(hashes)));
  }

  // Adds a chunk for each record, in their order.
  void compete(std::size_t first, std::size_t last, const typename K::Shapes& shapes, Competitions& competitions,
               int threads) const {
    check_range(first, last);
    std::vector<Competitions::Chunk> chunks(last - first);
    {
      const nb::gil_scoped_release release;
      for_each_record(first, last, threads, [&](std::size_t record) {
        add_competitions<K>(size(record), moves(record), shapes, chunks[record - first]);
        chunks[record - first].teams.shrink_to_fit();
      });
    }
    for (auto& chunk : chunks) competitions.add(std::move(chunk));
  }
};

// Name, part and names of the levels of each feature.
template <class K>
nb::list list_features() {
  nb::list features;
  K::Features::for_each([&](auto feature) {
    nb::list levels;
    for (const auto level : feature.kLevels) levels.append(nb::str(level.data(), level.size()));
    const nb::str name(feature.kName.data(), feature.kName.size());
    features.append(nb::make_tuple(name, static_cast<int>(feature.kPart), nb::tuple(levels)));
  });
  return features;
}

// For bind_game: the priors of a search come from a model of this game's moves.
template <class K, Game G>
void add_move_model(Knowledge<G>& knowledge, nb::handle model) {
  if (!model.is_none()) {
    knowledge.move_priors = std::make_unique<ModelPriors<K, G>>(nb::cast<const MoveModel<K>&>(model));
  }
}

// The model that Python gave, or none.
template <class K>
const MoveModel<K>* model_or_none(nb::handle model) {
  return model.is_none() ? nullptr : &nb::cast<const MoveModel<K>&>(model);
}

template <class K, Game G>
void bind_priors_of(nb::class_<MoveModel<K>>& model) {
  model
      .def(
          "probabilities",
          [](const MoveModel<K>& self, const G& position, const std::vector<Move>& moves) {
            std::vector<float> result(moves.size());
            self.probabilities(position, moves, result);
            return result;
          },
          nb::arg("position"), nb::arg("moves"))
      .def(
          "team",
          [](const MoveModel<K>& self, const G& position, Move move) { return self.team(position, move).word(); },
          nb::arg("position"), nb::arg("move"));
}

// `lower` and `upper` are the game's name for functions and for classes. The types G are its positions, bound already.
template <class K, Game... G>
void bind_move_model(nb::module_& module, const std::string& lower, const std::string& upper) {
  const auto features_sig = "def " + lower + "_features() -> list[tuple[str, int, tuple[str, ...]]]";
  module.def((lower + "_features").c_str(), &list_features<K>, nb::sig(features_sig.c_str()));
  nb::class_<typename K::Shapes>(module, (upper + "Shapes").c_str())
      .def(
          "__init__",
          [](typename K::Shapes* shapes, const InputArray<std::uint64_t>& hashes) {
            new (shapes) typename K::Shapes(as_span(hashes));
          },
          nb::arg("hashes"));
  using Records = GameRecords<K>;
  nb::class_<Records>(module, (upper + "Records").c_str())
      .def(nb::init<const InputArray<std::uint16_t>&, const InputArray<std::uint16_t>&,
                    const InputArray<std::uint64_t>&>(),
           nb::arg("sizes"), nb::arg("moves"), nb::arg("ends"))
      .def("legal_lengths", &Records::legal_lengths, nb::sig("def legal_lengths(self) -> NDArray[numpy.uint32]"))
      .def("shapes", &Records::shapes, nb::arg("first"), nb::arg("last"),
           nb::sig("def shapes(self, first: int, last: int) -> NDArray[numpy.uint64]"))
      .def("compete", &Records::compete, nb::arg("first"), nb::arg("last"), nb::arg("shapes"), nb::arg("competitions"),
           nb::arg("threads") = 1);
  nb::class_<MoveModel<K>> model(module, (upper + "MoveModel").c_str());
  model.def(
      "__init__",
      [](MoveModel<K>* self, const InputArray<std::uint64_t>& shapes,
         const std::array<InputArray<float>, kTeamParts>& strengths,
         std::shared_ptr<const typename MoveModel<K>::Fast> fast) {
        PartTables<float> tables;
        for (std::size_t part = 0; part < kTeamParts; ++part) tables[part] = as_vector(strengths[part]);
        new (self) MoveModel<K>(as_span(shapes), std::move(tables), std::move(fast));
      },
      nb::arg("shapes"), nb::arg("strengths"), nb::arg("fast") = nb::none());
  (bind_priors_of<K, G>(model), ...);
}

}  // namespace tesuji::bindings
