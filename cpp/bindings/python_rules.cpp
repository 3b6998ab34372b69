// Rules of selection that are Python functions. What is called here is what src/tesuji/own_rules.py makes of the
// user's: it checks answers and gives plain arrays. The functions are borrowed, as those of python_knowledge.hpp are.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings/arrays.hpp"
#include "bindings/bind_game.hpp"
#include "rules/given.hpp"

namespace tesuji::bindings {
namespace {

template <class Row, class Get>
nb::object column(std::span<const Row> rows, const Get& get) {
  std::vector<double> numbers;
  numbers.reserve(rows.size());
  for (const Row& row : rows) numbers.push_back(static_cast<double>(get(row)));
  return nb::cast(to_array(std::move(numbers)));
}

void take_scores(nb::handle answer, std::span<double> scores) {
  const auto given = nb::cast<InputArray<double>>(answer);
  if (given.size() != scores.size()) throw std::logic_error("as many scores as children");
  std::ranges::copy(as_span(given), scores.begin());
}

class PythonSelection final : public GivenSelection {
 public:
  PythonSelection(nb::handle function, bool scores_unvisited, bool uses_prior)
      : function_(function), scores_unvisited_(scores_unvisited), uses_prior_(uses_prior) {}

  bool scores_unvisited() const override { return scores_unvisited_; }
  bool uses_prior() const override { return uses_prior_; }

  void score(const ParentTerms& parent, std::span<const ChildTerms> children, std::span<double> scores) override {
    with_python([&] {
      take_scores(function_(parent.visits, parent.log_visits, parent.root_log_visits, parent.value,
                            column(children, [](const ChildTerms& child) { return child.value; }),
                            column(children, [](const ChildTerms& child) { return child.visits; }),
                            column(children, [](const ChildTerms& child) { return child.inverse_root; }),
                            column(children, [](const ChildTerms& child) { return child.prior; })),
                  scores);
    });
  }

 private:
  nb::handle function_;
  bool scores_unvisited_;
  bool uses_prior_;
};

class PythonFinal final : public GivenFinal {
 public:
  explicit PythonFinal(nb::handle function) : function_(function) {}

  void score(std::span<const RootChild> children, std::span<double> scores) override {
    const nb::gil_scoped_acquire acquire;
    take_scores(function_(column(children, [](const RootChild& child) { return child.value; }),
                          column(children, [](const RootChild& child) { return child.visits; })),
                scores);
  }

 private:
  nb::handle function_;
};

}  // namespace

void bind_python_rules(nb::module_& module, nb::class_<Parameters>& parameters) {
  nb::class_<GivenSelection>(module, "GivenSelection");
  nb::class_<GivenFinal>(module, "GivenFinal");
  nb::class_<PythonSelection, GivenSelection>(module, "PythonSelection")
      .def(nb::init<nb::handle, bool, bool>(), nb::arg("function"), nb::arg("scores_unvisited"), nb::arg("uses_prior"));
  nb::class_<PythonFinal, GivenFinal>(module, "PythonFinal").def(nb::init<nb::handle>(), nb::arg("function"));
  parameters.def_rw("given_selection", &Parameters::given_selection).def_rw("given_final", &Parameters::given_final);
}

}  // namespace tesuji::bindings
