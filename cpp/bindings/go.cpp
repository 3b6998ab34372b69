#include "games/go.hpp"

#include "bindings/bind_game.hpp"
#include "bindings/fast_layer.hpp"
#include "games/go_ownership.hpp"
#include "games/go_sizes.hpp"
#include "knowledge/either_playout.hpp"
#include "knowledge/go/bradley_terry_playout.hpp"
#include "knowledge/go/move_model.hpp"
#include "knowledge/go/playout.hpp"
#include "knowledge/go/priors.hpp"
#include "knowledge/go/race_knowledge.hpp"

namespace tesuji::bindings {
namespace {

constexpr const char* kAnyGo = "Go9 | Go13 | Go19 | GoAny";

std::optional<Move> none_if_no_move(Move move) {
  if (move == kNoMove) return std::nullopt;
  return move;
}

template <int kSize>
nb::tuple ownership(const Go<kSize>& position, std::uint32_t playouts, std::uint64_t seed) {
  std::array<std::vector<std::uint32_t>, 2> counts;
  {
    const nb::gil_scoped_release release;
    counts = count_ownership(position, playouts, seed);
  }
  return nb::make_tuple(counts[0], counts[1]);
}

template <int kSize>
std::unique_ptr<const KnowledgePlayout<Go<kSize>>> make_playout(const GoMoveModel* model,
                                                                const Parameters& parameters) {
  const std::string& name = parameters.playout;
  auto known = std::make_unique<GoKnowledgePlayout<kSize>>(parameters.playout_mercy);
  if (name != "bradley-terry" && name != "mixed" && name != "both") return known;
  auto drawn = std::make_unique<GoBradleyTerryPlayout<kSize>>(
      fast_layer_of(model, name, "go9"), parameters.playout_temperature, name == "mixed", parameters.playout_mercy);
  if (name != "both") return drawn;
  return std::make_unique<EitherPlayout<Go<kSize>>>(std::move(known), std::move(drawn));
}

template <int kSize>
void add_go_knowledge(Knowledge<Go<kSize>>& knowledge, nb::handle model, const Parameters& parameters) {
  const auto* move_model = model.is_none() ? nullptr : &nb::cast<const GoMoveModel&>(model);
  knowledge.playout = make_playout<kSize>(move_model, parameters);
  knowledge.prior = std::make_unique<GoPriors<kSize>>();
  if (parameters.has_semeai() && knowledge.local_solver == nullptr) {
    knowledge.local_solver =
        std::make_unique<RaceKnowledge<kSize>>(parameters.semeai_positions, parameters.semeai_effort,
                                               static_cast<int>(parameters.semeai_stones), parameters.semeai_life);
  }
  if (move_model != nullptr) knowledge.move_priors = std::make_unique<GoMovePriors<kSize>>(*move_model);
}

template <int kSize>
void bind_go_of_size(nb::module_& module, const char* name) {
  using G = Go<kSize>;
  bind_game<G>(
      module, name, [](const G& position) { return position.pass(); }, add_go_knowledge<kSize>)
      .def_prop_ro("size", &G::size)
      .def_prop_ro("komi", &G::komi)
      .def_prop_ro("superko", &G::superko)
      .def("ko_point", [](const G& position) { return none_if_no_move(position.ko_point()); })
      .def("passes", &G::passes)
      .def("last_move", [](const G& position) { return none_if_no_move(position.last_move()); })
      .def("move_before_last", [](const G& position) { return none_if_no_move(position.move_before_last()); })
      .def("area_score", &G::area_score)
      .def("history", &G::history)
      .def("ownership", &ownership<kSize>, nb::arg("playouts"), nb::arg("seed"),
           nb::sig("def ownership(self, playouts: int, seed: int) -> tuple[list[int], list[int]]"));
}

nb::object go(int size, double komi, bool superko) {
  return with_go_size(size, [=]<int kSize>() { return nb::cast(Go<kSize>(size, komi, superko)); });
}

nb::object go_setup(int size, double komi, bool superko, const nb::bytes& cells, int to_move, std::optional<Move> ko,
                    int passes, std::optional<Move> last_move, std::optional<Move> move_before_last,
                    const std::vector<std::uint64_t>& history) {
  if (cells.size() != static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {
    throw std::invalid_argument("Go: " + std::to_string(cells.size()) + " points given for a board of size " +
                                std::to_string(size));
  }
  GoSetup setup;
  for (Move point = 0; point < cells.size(); ++point) {
    if (cells.c_str()[point] == 0) setup.black.push_back(point);
    if (cells.c_str()[point] == 1) setup.white.push_back(point);
  }
  setup.to_move = to_move;
  setup.ko_point = ko.value_or(kNoMove);
  setup.passes = passes;
  setup.last_move = last_move.value_or(kNoMove);
  setup.move_before_last = move_before_last.value_or(kNoMove);
  setup.history = history;
  return with_go_size(size, [&]<int kSize>() { return nb::cast(Go<kSize>::from_setup(size, komi, superko, setup)); });
}

}  // namespace

void bind_go(nb::module_& module) {
  bind_go_of_size<9>(module, "Go9");
  bind_go_of_size<13>(module, "Go13");
  bind_go_of_size<19>(module, "Go19");
  bind_go_of_size<0>(module, "GoAny");
  static const std::string go_signature = std::string("def go(size: int, komi: float, superko: bool) -> ") + kAnyGo;
  static const std::string setup_signature =
      std::string(
          "def go_setup(size: int, komi: float, superko: bool, cells: bytes, to_move: int, ko: int | None, "
          "passes: int, last_move: int | None, move_before_last: int | None, history: list[int]) -> ") +
      kAnyGo;
  module.def("go", &go, nb::arg("size"), nb::arg("komi"), nb::arg("superko"), nb::sig(go_signature.c_str()));
  module.def("go_setup", &go_setup, nb::arg("size"), nb::arg("komi"), nb::arg("superko"), nb::arg("cells"),
             nb::arg("to_move"), nb::arg("ko").none(), nb::arg("passes"), nb::arg("last_move").none(),
             nb::arg("move_before_last").none(), nb::arg("history"), nb::sig(setup_signature.c_str()));
}

}  // namespace tesuji::bindings
