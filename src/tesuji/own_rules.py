"""Rules of selection written in Python: slow, but tried out in minutes.

A rule scores the children of a node from the same terms, under the same names, as one in `cpp/rules` does. What is a
number there for one child is an array here for all of them, so that an equation reads the same in both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.checks import check_bool
from tesuji.errors import ArgumentError, RuleError, shown

Numbers = NDArray[np.float64]


class ParentTerms(NamedTuple):
    """What a selection rule knows of a node: s, ln s, the root of that, and the mean over the visited children."""

    visits: float
    log_visits: float
    root_log_visits: float
    value: float


class ChildTerms(NamedTuple):
    """What it knows of the children: r_j for the player who chooses, in [0, 1]; n_j; 1 / sqrt(n_j); P(j), or 0."""

    value: Numbers
    visits: Numbers
    inverse_root: Numbers
    prior: Numbers


class RootChildren(NamedTuple):
    """What a final rule knows of the moves at the root: their values in [0, 1], and their visits."""

    value: Numbers
    visits: Numbers


#: Gives one score a child; the highest is descended into, the first of equals.
Score = Callable[[ParentTerms, ChildTerms], Any]

#: Gives one score a move; the highest is played, of equals the one of more visits. -inf for a move not to be played.
FinalScore = Callable[[RootChildren], Any]


@dataclass(frozen=True, kw_only=True)
class Selection:
    """A selection rule. A plain function stands for one without options.

    Children without visits have the engine's first-play urgency, and come first where that is infinite; with
    `scores_unvisited` they are scored too, their value that of the parent, their visits 0. With `uses_prior` children
    have the priors of a model or an evaluator, equal ones where there is none, and come by falling priors.
    """

    score: Score
    scores_unvisited: bool = False
    uses_prior: bool = False


def selection_for_core(rule: Selection | Score) -> tuple[_core.PythonSelection, object]:
    """The rule as the core takes it, and what must live as long as it does."""
    chosen = rule if isinstance(rule, Selection) else Selection(score=rule)
    _check_callable("selection", chosen.score)
    check_bool("scores_unvisited", chosen.scores_unvisited)
    check_bool("uses_prior", chosen.uses_prior)

    def score(visits: float, log_visits: float, root_log_visits: float, value: float, *columns: Numbers) -> Numbers:
        terms = ChildTerms(*columns)
        parent = ParentTerms(visits, log_visits, root_log_visits, value)
        return _scores(chosen.score(parent, terms), len(terms.visits), "selection")

    return _core.PythonSelection(score, chosen.scores_unvisited, chosen.uses_prior), score


def final_for_core(rule: FinalScore) -> tuple[_core.PythonFinal, object]:
    _check_callable("final", rule)

    def score(value: Numbers, visits: Numbers) -> Numbers:
        return _scores(rule(RootChildren(value, visits)), len(visits), "final")

    return _core.PythonFinal(score), score


def _check_callable(name: str, rule: object) -> None:
    if not callable(rule):
        raise ArgumentError(f"{name} must be a function that gives scores, not {shown(rule)}; see tesuji.own_rules")


def _scores(answer: Any, count: int, name: str) -> Numbers:
    try:
        scores = np.ascontiguousarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise RuleError(f"the {name} rule must give an array of numbers, not {shown(answer)}") from None
    if scores.shape != (count,):
        raise RuleError(f"the {name} rule gave scores of the shape {scores.shape} for {count} children")
    if np.isnan(scores).any():
        raise RuleError(f"the {name} rule gave a score that is no number (nan)")
    return scores
