// Evaluators and playout policies written in Python, for every game. The functions called here are those that
// src/tesuji/knowledge/evaluators.py makes of the user's: they wrap positions, check answers and give plain arrays.
//
// The functions are borrowed. Their owner is the Python object that owns the search, so that a function which in turn
// holds that object is garbage that Python can collect.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <stdexcept>

#include "search/evaluator.hpp"
#include "search/searcher.hpp"

namespace tesuji::bindings {

namespace nb = nanobind;

// A position and a move as the functions get them.
template <Game G>
nb::object to_python(const G& position) {
  return nb::cast(position, nb::rv_policy::copy);
}
template <Game G>
nb::object move_to_python(const G&, Move move) {
  return nb::int_(move);
}

template <Game G>
Move move_from_python(const G&, nb::handle move) {
  return nb::cast<Move>(move);
}

// Ctrl-C while Python code runs raises there. A search ends with the result that it has, whatever was under way.
template <class Call>
auto with_python(Call&& call) {
  const nb::gil_scoped_acquire acquire;
  try {
    return call();
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) throw Interrupted();
    throw;
  }
}

template <Game G>
nb::list moves_to_python(const G& position, std::span<const Move> moves) {
  nb::list list;
  for (const Move move : moves) list.append(move_to_python(position, move));
  return list;
}

template <Game G>
class PythonEvaluator final : public Evaluator<G> {
 public:
  PythonEvaluator(nb::handle function, std::size_t batch_size) : function_(function), batch_size_(batch_size) {}

  std::size_t batch_size() const override { return batch_size_; }

  void evaluate(std::span<EvaluatedLeaf<G>> leaves) override {
    with_python([&] {
      nb::list positions;
      nb::list moves;
      for (const EvaluatedLeaf<G>& leaf : leaves) {
        positions.append(to_python(*leaf.position));
        moves.append(moves_to_python(*leaf.position, leaf.moves));
      }
      const nb::object answer = function_(positions, moves);
      take_priors(leaves, nb::cast<Array<float>>(answer[0]));
      if (!answer[1].is_none()) take_values(leaves, nb::cast<Array<double>>(answer[1]));
    });
  }

 private:
  template <class T>
  using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  // One after the other, the moves of all leaves.
  static void take_priors(std::span<EvaluatedLeaf<G>> leaves, const Array<float>& priors) {
    std::size_t next = 0;
    for (EvaluatedLeaf<G>& leaf : leaves) {
      if (next + leaf.priors.size() > priors.size()) throw std::logic_error("fewer priors than moves");
      for (float& prior : leaf.priors) prior = priors.data()[next++];
    }
  }

  // In [0, 1], for each leaf all players.
  static void take_values(std::span<EvaluatedLeaf<G>> leaves, const Array<double>& values) {
    std::size_t next = 0;
    for (EvaluatedLeaf<G>& leaf : leaves) {
      const auto players = static_cast<std::size_t>(leaf.position->num_players());
      if (next + players > values.size()) throw std::logic_error("fewer values than players");
      leaf.rewards.emplace();
      for (std::size_t player = 0; player < players; ++player) {
        (*leaf.rewards)[player] = to_reward(values.data()[next++]);
      }
    }
  }

  nb::handle function_;
  std::size_t batch_size_;
};

template <Game G>
class PythonPolicy final : public PlayoutPolicy<G> {
 public:
  explicit PythonPolicy(nb::handle function) : function_(function) {}

  Move choose(const G& position, const MoveList& moves, Rng&) override {
    return with_python([&] {
      return moves.at(nb::cast<std::size_t>(function_(to_python(position), moves_to_python(position, moves))));
    });
  }

 private:
  nb::handle function_;
};

// A user's own solver of local fights: it gives the necessary moves, and of points with stones whether these stay.
template <Game G>
class PythonLocalSolver final : public LocalSolver<G> {
 public:
  explicit PythonLocalSolver(nb::handle function) : function_(function) {}

  std::unique_ptr<LocalSolver<G>> copy() const override { return std::make_unique<PythonLocalSolver>(function_); }

  void judge(const G& position, LocalVerdict& verdict) override {
    with_python([&] {
      const nb::object answer = function_(to_python(position));
      for (const nb::handle move : nb::cast<nb::list>(answer[0])) {
        verdict.necessary.push_back(move_from_python(position, move));
      }
      if constexpr (HasCells<G>) {
        for (const nb::handle claim : nb::cast<nb::list>(answer[1])) {
          const auto point = nb::cast<Move>(claim[0]);
          verdict.claims.push_back({point, static_cast<int>(position.cell(point)), nb::cast<bool>(claim[1])});
        }
      }
    });
  }

 private:
  nb::handle function_;
};

template <Game G>
Knowledge<G> python_knowledge(nb::handle evaluator, std::size_t batch_size, nb::handle policy, nb::handle solver) {
  Knowledge<G> knowledge;
  if (!solver.is_none()) knowledge.local_solver = std::make_unique<PythonLocalSolver<G>>(solver);
  if (!evaluator.is_none()) knowledge.evaluator = std::make_unique<PythonEvaluator<G>>(evaluator, batch_size);
  if (!policy.is_none()) knowledge.policy = std::make_unique<PythonPolicy<G>>(policy);
  return knowledge;
}

}  // namespace tesuji::bindings
