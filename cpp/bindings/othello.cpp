#include "games/othello.hpp"

#include "bindings/bind_game.hpp"

namespace tesuji::bindings {
namespace {

Othello othello_setup(std::uint64_t black, std::uint64_t white, int to_move) {
  if ((black & white) != 0) throw std::invalid_argument("Othello: a square holds a black and a white disc");
  if (to_move != 0 && to_move != 1) throw std::invalid_argument("Othello: the player to move must be 0 or 1");
  return Othello::from_discs(black, white, to_move);
}

}  // namespace

void bind_othello(nb::module_& module) {
  bind_game<Othello>(module, "Othello", [](const Othello&) { return Move{Othello::kSquares}; });
  module.def("othello", [] { return Othello(); });
  module.def("othello_setup", &othello_setup, nb::arg("black"), nb::arg("white"), nb::arg("to_move"));
}

}  // namespace tesuji::bindings
