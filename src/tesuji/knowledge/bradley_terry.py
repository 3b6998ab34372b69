"""The gammas of a Bradley-Terry model: those of the greatest likelihood, under a prior.

The prior is Coulom's: each feature has also won and lost against an opponent whose gamma is 1. Then the logarithm of
the likelihood is strictly concave in the logarithms of the gammas, so that there is one best answer, and both methods
find it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.errors import ArgumentError

METHODS: Final = ("lbfgs", "mm")
Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Where an optimisation is: `weights` are the logarithms of the gammas."""

    iteration: int
    log_likelihood: float  # a position, without the prior
    gradient: float  # the largest component, a position
    weights: Numbers


@dataclass(kw_only=True)
class Problem:
    """Competitions between teams, and which features each value of each part stands for.

    `parts` has one matrix a part: a row for each value, a column for each feature, 1 where the value has the feature.
    `prior` is the number of wins, and of losses, against the opponent of gamma 1.
    """

    competitions: _core.Competitions
    parts: Sequence[Any]
    prior: float = 1.0
    threads: int = 1
    wins: Numbers = field(init=False)

    def __post_init__(self) -> None:
        import scipy.sparse  # noqa: PLC0415  slow to load, and a model that is only used does without

        self.parts = [scipy.sparse.csr_array(part, dtype=np.float64) for part in self.parts]
        self.wins = self._to_features(self.competitions.wins([part.shape[0] for part in self.parts]))

    @property
    def feature_count(self) -> int:
        return int(self.parts[0].shape[1])

    def strengths(self, weights: Numbers) -> list[Numbers]:
        return [np.exp(part @ weights) for part in self.parts]

    def expect(self, weights: Numbers) -> tuple[float, Numbers]:
        """The logarithm of the likelihood, and how often each feature should win."""
        log_likelihood, wins = self.competitions.expect(self.strengths(weights), self.threads)
        return log_likelihood, self._to_features(wins)

    def posterior(self, weights: Numbers, log_likelihood: float, expected: Numbers) -> tuple[float, Numbers]:
        """The logarithm of the posterior and its gradient, from what `expect` says of these weights."""
        log_prior = self.prior * np.sum(weights - 2 * np.logaddexp(0, weights))
        gradient = self.wins - expected + self.prior * (1 - 2 / (1 + np.exp(-weights)))
        return log_likelihood + float(log_prior), gradient

    def _to_features(self, by_part: Sequence[Numbers]) -> Numbers:
        total: Numbers = sum(part.T @ values for part, values in zip(self.parts, by_part, strict=True))
        return total


#: Is told of every iteration.
Watcher = Callable[[Progress], None]
#: Gives the answer to a question, by asking or from memory: see journal.py.
Answer = Callable[[Numbers, Callable[[], Numbers]], Numbers]


def ask(_question: Numbers, find: Callable[[], Numbers]) -> Numbers:
    """Without memory."""
    return find()


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When to stop: after so many iterations, or when no feature is off by more wins a position than this."""

    iterations: int = 200
    tolerance: float = 1e-6


def maximise(
    problem: Problem,
    *,
    method: str = "lbfgs",
    groups: Sequence[NDArray[np.intp]] = (),
    start: Numbers | None = None,
    limits: Limits | None = None,
    watch: Watcher | None = None,
    answer: Answer = ask,
) -> Numbers:
    """The logarithms of the best gammas.

    All that takes long goes through `answer`: one that remembers lets an interrupted run go on exactly.
    `groups` are features of which a team has at most one each: minorization-maximization changes one group at a time.
    """
    if method not in METHODS:
        raise ArgumentError(f"the method of learning must be one of {', '.join(METHODS)}, not {method!r}")
    weights = np.zeros(problem.feature_count) if start is None else start.copy()
    if method == "lbfgs":
        return _lbfgs(problem, weights, limits or Limits(), watch=watch, answer=answer)
    return _minorization_maximization(problem, weights, groups, limits or Limits(), watch=watch, answer=answer)


def _lbfgs(problem: Problem, start: Numbers, limits: Limits, *, watch: Watcher | None, answer: Answer) -> Numbers:
    import scipy.optimize  # noqa: PLC0415  slow to load, and only learning needs it

    def expect(weights: Numbers) -> tuple[float, Numbers]:
        found = answer(weights, lambda: np.concatenate(problem.expect(weights), axis=None))
        return float(found[0]), found[1:]

    positions = problem.competitions.position_count
    # Features that no team has stay where they are: of all combinations that there could be, most.
    used = np.flatnonzero(expect(start)[1] > 0)
    # Frequent features have steep slopes. In units of their standard error all are alike, and the way is much shorter.
    scale = np.sqrt(problem.wins[used] + 2 * problem.prior + 1)
    seen: dict[bytes, tuple[float, float]] = {}  # what the last answers were, for the watcher
    iteration = 0

    def weights_of(scaled: Numbers) -> Numbers:
        weights = start.copy()
        weights[used] = scaled / scale
        return weights

    def negative(scaled: Numbers) -> tuple[float, Numbers]:
        weights = weights_of(scaled)
        log_likelihood, expected = expect(weights)
        value, gradient = problem.posterior(weights, log_likelihood, expected)
        seen[scaled.tobytes()] = (log_likelihood, float(np.abs(gradient).max()))
        return -value, -gradient[used] / scale

    def tell(scaled: Numbers) -> None:
        nonlocal iteration
        iteration += 1
        log_likelihood, gradient = seen[scaled.tobytes()]
        seen.clear()
        if watch is not None:
            watch(_progress(problem, iteration, weights_of(scaled), log_likelihood, gradient))
        if gradient <= limits.tolerance * positions:
            raise StopIteration

    options = {"maxiter": limits.iterations, "gtol": 0.0, "ftol": 0.0, "maxcor": 20, "maxfun": 4 * limits.iterations}
    result = scipy.optimize.minimize(
        negative, start[used] * scale, jac=True, method="L-BFGS-B", callback=tell, options=options
    )
    return weights_of(result.x)


def _minorization_maximization(
    problem: Problem,
    weights: Numbers,
    groups: Sequence[NDArray[np.intp]],
    limits: Limits,
    *,
    watch: Watcher | None,
    answer: Answer,
) -> Numbers:
    """Coulom 2007, eq. 3: gamma = (wins + prior) / sum over competitions of (team mates' strength / all strength)."""

    def iterate(before: Numbers) -> Numbers:
        """The next weights, after their log-likelihood and the largest component of the gradient."""
        after = before.copy()
        for group in groups:
            _, expected = problem.expect(after)
            gammas = np.exp(after[group])
            losses = expected[group] / gammas + 2 * problem.prior / (1 + gammas)
            after[group] = np.log((problem.wins[group] + problem.prior) / losses)
        log_likelihood, expected = problem.expect(after)
        _, gradient = problem.posterior(after, log_likelihood, expected)
        return np.concatenate([[log_likelihood, np.abs(gradient).max()], after])

    for iteration in range(1, limits.iterations + 1):
        found = answer(weights, partial(iterate, weights))
        log_likelihood, largest, weights = float(found[0]), float(found[1]), found[2:]
        if watch is not None:
            watch(_progress(problem, iteration, weights, log_likelihood, largest))
        if largest <= limits.tolerance * problem.competitions.position_count:
            break
    return weights


def _progress(problem: Problem, iteration: int, weights: Numbers, log_likelihood: float, gradient: float) -> Progress:
    return Progress(
        iteration=iteration,
        log_likelihood=log_likelihood / problem.competitions.position_count,
        gradient=gradient / problem.competitions.position_count,
        weights=weights.copy(),
    )
