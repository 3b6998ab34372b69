#include "games/othello.hpp"

#include "bindings/bind_game.hpp"
#include "bindings/bind_move_model.hpp"
#include "bindings/fast_layer.hpp"
#include "knowledge/othello/bradley_terry_playout.hpp"
#include "knowledge/othello/teams.hpp"

namespace tesuji::bindings {
namespace {

Othello othello_setup(std::uint64_t black, std::uint64_t white, int to_move, std::optional<Move> last_move) {
  if ((black & white) != 0) throw std::invalid_argument("Othello: a square holds a black and a white disc");
  if (to_move != 0 && to_move != 1) throw std::invalid_argument("Othello: the player to move must be 0 or 1");
  if (last_move && *last_move > Othello::kPass) throw std::invalid_argument("Othello: there is no such last move");
  return Othello::from_discs(black, white, to_move, last_move.value_or(kNoMove));
}

void add_othello_knowledge(Knowledge<Othello>& knowledge, nb::handle model, const Parameters& parameters) {
  add_move_model<OthelloKnowledge, Othello>(knowledge, model);
  if (parameters.playout == "bradley-terry") {
    knowledge.playout = std::make_unique<OthelloBradleyTerryPlayout>(
        fast_layer_of(model_or_none<OthelloKnowledge>(model), parameters.playout, "othello"),
        parameters.playout_temperature);
  }
}

}  // namespace

void bind_othello(nb::module_& module) {
  bind_game<Othello>(
      module, "Othello", [](const Othello&) { return Move{Othello::kSquares}; }, add_othello_knowledge)
      .def("last_move", [](const Othello& position) { return known_move(position.last_move()); });
  module.def("othello", [] { return Othello(); });
  module.def("othello_setup", &othello_setup, nb::arg("black"), nb::arg("white"), nb::arg("to_move"),
             nb::arg("last_move") = nb::none());
  bind_move_model<OthelloFastKnowledge, Othello>(module, "othello_fast", "OthelloFast");
  bind_move_model<OthelloKnowledge, Othello>(module, "othello", "Othello");
}

}  // namespace tesuji::bindings
