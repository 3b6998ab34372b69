#include "games/tic_tac_toe.hpp"

#include "bindings/bind_game.hpp"

namespace tesuji::bindings {

void bind_tic_tac_toe(nb::module_& module) {
  bind_game<TicTacToe>(module, "TicTacToe", [](const TicTacToe&) { return Move{TicTacToe::kCells}; });
  module.def("tic_tac_toe", [] { return TicTacToe(); });
}

}  // namespace tesuji::bindings
