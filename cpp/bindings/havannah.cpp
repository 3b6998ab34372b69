#include "games/havannah.hpp"

#include "bindings/bind_game.hpp"
#include "bindings/bind_move_model.hpp"
#include "bindings/fast_layer.hpp"
#include "knowledge/either_playout.hpp"
#include "knowledge/havannah/bradley_terry_playout.hpp"
#include "knowledge/havannah/playout.hpp"
#include "knowledge/havannah/teams.hpp"

namespace tesuji::bindings {
namespace {

const char* name_of(HavannahWin kind) {
  switch (kind) {
    case HavannahWin::kRing:
      return "ring";
    case HavannahWin::kBridge:
      return "bridge";
    case HavannahWin::kFork:
      return "fork";
    case HavannahWin::kNone:
      break;
  }
  return "none";
}

template <int kMaxSide>
void add_havannah_knowledge(Knowledge<Havannah<kMaxSide>>& knowledge, nb::handle model, const Parameters& parameters) {
  add_move_model<HavannahKnowledge, Havannah<kMaxSide>>(knowledge, model);
  const std::string& playout = parameters.playout;
  auto known = std::make_unique<HavannahKnowledgePlayout<kMaxSide>>();
  if (playout == "knowledge") knowledge.playout = std::move(known);
  if (playout != "bradley-terry" && playout != "mixed" && playout != "both") return;
  auto drawn = std::make_unique<HavannahBradleyTerryPlayout<kMaxSide>>(
      fast_layer_of(model_or_none<HavannahKnowledge>(model), playout, "havannah"), parameters.playout_temperature,
      playout == "mixed");
  if (playout != "both") {
    knowledge.playout = std::move(drawn);
  } else {
    knowledge.playout = std::make_unique<EitherPlayout<Havannah<kMaxSide>>>(std::move(known), std::move(drawn));
  }
}

template <int kMaxSide>
void bind_havannah_up_to(nb::module_& module, const char* name) {
  using G = Havannah<kMaxSide>;
  bind_game<G>(
      module, name, [](const G& position) { return position.swap_move(); }, add_havannah_knowledge<kMaxSide>)
      .def("last_move", [](const G& position) { return known_move(position.last_move()); })
      .def("move_before_last", [](const G& position) { return known_move(position.move_before_last()); })
      .def_prop_ro("side", &G::side)
      .def_prop_ro("swap_pending", &G::swap_pending)
      .def("winner",
           [](const G& position) -> std::optional<int> {
             if (position.winner() == kDraw) return std::nullopt;
             return position.winner();
           })
      .def("win_kind", [](const G& position) { return name_of(position.win_kind()); });
}

// Calls `make` with the smallest board that holds the side, so that small boards are small objects in the search.
template <class Make>
nb::object with_capacity(int side, Make make) {
  if (side <= 5) return nb::cast(make.template operator()<5>());
  if (side <= 8) return nb::cast(make.template operator()<8>());
  return nb::cast(make.template operator()<10>());
}

nb::object havannah(int side, bool swap) {
  return with_capacity(side, [=]<int kMaxSide>() { return Havannah<kMaxSide>(side, swap); });
}

nb::object havannah_setup(int side, bool swap, const nb::bytes& cells, int to_move, std::optional<Move> last_move,
                          std::optional<Move> move_before_last) {
  const std::span<const std::uint8_t> contents(static_cast<const std::uint8_t*>(cells.data()), cells.size());
  return with_capacity(side, [=]<int kMaxSide>() {
    auto position = Havannah<kMaxSide>::from_cells(side, contents, to_move, swap);
    for (const auto& move : {last_move, move_before_last}) {
      if (move && !HavannahGeometry::of(side).on_board(*move)) {
        throw std::invalid_argument("Havannah: there is no such last move");
      }
    }
    position.set_last_moves(last_move.value_or(kNoMove), move_before_last.value_or(kNoMove));
    return position;
  });
}

}  // namespace

void bind_havannah(nb::module_& module) {
  bind_havannah_up_to<5>(module, "Havannah5");
  bind_havannah_up_to<8>(module, "Havannah8");
  bind_havannah_up_to<10>(module, "Havannah10");
  module.def("havannah", &havannah, nb::arg("side"), nb::arg("swap"),
             nb::sig("def havannah(side: int, swap: bool) -> Havannah5 | Havannah8 | Havannah10"));
  module.def("havannah_setup", &havannah_setup, nb::arg("side"), nb::arg("swap"), nb::arg("cells"), nb::arg("to_move"),
             nb::arg("last_move") = nb::none(), nb::arg("move_before_last") = nb::none(),
             nb::sig("def havannah_setup(side: int, swap: bool, cells: bytes, to_move: int, "
                     "last_move: int | None = None, move_before_last: int | None = None) -> "
                     "Havannah5 | Havannah8 | Havannah10"));
  bind_move_model<HavannahFastKnowledge, Havannah<5>, Havannah<8>, Havannah<10>>(module, "havannah_fast",
                                                                                 "HavannahFast");
  bind_move_model<HavannahKnowledge, Havannah<5>, Havannah<8>, Havannah<10>>(module, "havannah", "Havannah");
}

}  // namespace tesuji::bindings
