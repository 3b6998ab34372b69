// A game written in Python, as the search sees it: a position holds the user's object and asks it. Everything here
// wants the interpreter's lock. What the object answers is checked; what it raises goes on to the caller of the search.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "core/game.hpp"

namespace tesuji::bindings {

namespace nb = nanobind;

// What all positions of a game share. Moves may be any hashable values; the tree stores the numbers that they get here
// in the order of their appearance.
struct PythonRules {
  PythonRules(int players, double least, double most) : num_players(players), low(least), high(most) {}

  Move number(nb::handle move);
  nb::object move(Move number) const { return moves.at(number); }
  int traverse(visitproc visit, void* arg) const;
  void clear();

  int num_players;
  double low;  // of the rewards
  double high;
  nb::dict numbers;
  std::vector<nb::object> moves;
};

class PythonGame {
 public:
  // Rewards are within [low, high].
  PythonGame(nb::object state, int num_players, double low, double high);

  int num_players() const { return rules().num_players; }
  int to_move() const;
  bool is_over() const;
  void legal_moves(MoveList& moves) const;
  bool is_legal(Move move) const;
  void play(Move move);
  Rewards rewards() const;
  void chance_probabilities(Probabilities& probabilities) const;

  nb::object state() const { return state_; }
  nb::object move_object(Move move) const { return rules().move(move); }
  Move move_number(nb::handle move) const { return rules().number(move); }

  // For the garbage collector. A search holds a position, its class, the module where it is defined, and often that
  // module the search: a circle through here, which Python sees only if every reference is shown to it.
  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(state_.ptr());
    Py_VISIT(rules_.ptr());
    return 0;
  }
  void clear() { state_ = nb::none(); }

 private:
  PythonRules& rules() const { return *nb::inst_ptr<PythonRules>(rules_); }

  nb::object rules_;  // a Python object too, so that references to it are counted by Python
  nb::object state_;
  // What the object has answered already: calls of Python are what takes the time.
  mutable std::optional<int> to_move_;
  mutable std::optional<bool> is_over_;
};

inline nb::object to_python(const PythonGame& position) { return position.state(); }
inline nb::object move_to_python(const PythonGame& position, Move move) { return position.move_object(move); }
inline Move move_from_python(const PythonGame& position, nb::handle move) { return position.move_number(move); }

static_assert(Game<PythonGame> && HasChance<PythonGame>);

}  // namespace tesuji::bindings
