// Which of a game's knowledge an engine uses; std::invalid_argument where it asks for what the game does not have.
#pragma once

#include <stdexcept>
#include <string>

#include "core/game.hpp"
#include "search/evaluator.hpp"
#include "search/rules.hpp"

namespace tesuji {

template <Game G>
using Judge = Rewards (*)(const G& position);

// The game's function for a backup rule that wants leaves judged; none where an evaluator does that.
template <Game G>
Judge<G> find_evaluation(const Rules& rules, bool has_evaluator) {
  const std::string& name = rules.parameters.evaluation;
  if (name.empty() && (has_evaluator || !rules.needs.evaluation)) return nullptr;
  if (has_evaluator) throw std::invalid_argument("max(" + name + ") and an evaluator: only one can judge the leaves");
  std::string known;
  if constexpr (HasEvaluations<G>) {
    for (const Evaluation<G>& evaluation : G::evaluations()) {
      if (name == evaluation.name) return evaluation.judge;
      known += std::string(known.empty() ? "" : ", ") + evaluation.name;
    }
  }
  const std::string missing = name.empty() ? "max has nothing to judge leaves with" : "max cannot judge by " + name;
  throw std::invalid_argument(missing + ": this game has " + (known.empty() ? "no functions for that" : known) +
                              "; or write max alone and give the search an evaluator");
}

template <Game G>
const KnowledgePlayout<G>* checked_playout(const KnowledgePlayout<G>* known, const Rules& rules, bool has_policy) {
  const std::string& name = rules.parameters.playout;
  const bool shows_mercy = rules.parameters.playout_mercy > 0;
  if (shows_mercy && (name == "uniform" || known == nullptr || !known->knows_mercy())) {
    throw std::invalid_argument(
        "mercy is for the playouts that know Go: playout=knowledge, bradley-terry, mixed or both, on a board of Go");
  }
  if (name == "uniform") return nullptr;
  if (known == nullptr) {
    throw std::invalid_argument("playout=" + name +
                                ": this game has no such playouts; playout=uniform suits every game");
  }
  if (has_policy) {
    throw std::invalid_argument("playout=" + name + " and a policy: only one can choose the moves of playouts");
  }
  return known;
}

template <Game G>
const PriorKnowledge<G>* checked_prior(const PriorKnowledge<G>* known, const Rules& rules) {
  if (rules.parameters.prior_weight == 0) return nullptr;
  if (known == nullptr) throw std::invalid_argument("prior: nothing is known of the moves of this game");
  return known;
}

template <Game G>
const LocalSolver<G>* checked_local_solver(const LocalSolver<G>* known, const Rules& rules) {
  if (!rules.parameters.has_semeai()) return nullptr;
  if (known == nullptr) {
    throw std::invalid_argument("semeai: there is no solver for this game; give the search one of your own");
  }
  return known;
}

}  // namespace tesuji
