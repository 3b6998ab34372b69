"""One rating for many players: the Bradley-Terry model, fitted to all their results at once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tesuji.arena.statistics import Z95
from tesuji.errors import ArgumentError, shown, suggestion

Matrix = NDArray[np.float64]

ELO_PER_LOGIT = 400 / math.log(10)


@dataclass(frozen=True, kw_only=True)
class PairResult:
    """How two players did against each other, as `a` sees it. A pair may come several times: the numbers add.

    `fractional` games gave `a` anything between 0 and 1, `fractional_points` together.
    """

    a: str
    b: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    fractional: int = 0
    fractional_points: float = 0.0

    def __post_init__(self) -> None:
        if self.a == self.b:
            raise ArgumentError(f"a player does not play against itself: {shown(self.a)}")
        if min(self.wins, self.draws, self.losses, self.fractional) < 0:
            raise ArgumentError(f"a result has no negative numbers: {self!r}")
        if not 0 <= self.fractional_points <= self.fractional:
            raise ArgumentError(f"a game gives from 0 to 1 point: {self!r}")

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses + self.fractional

    @property
    def points(self) -> float:
        """Of `a`; `b` has the rest."""
        return self.wins + self.draws / 2 + self.fractional_points


@dataclass(frozen=True, kw_only=True)
class Rating:
    """Elo of one player with its 95% interval, relative to the average of all (or to the anchor)."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    points: float


def rate(results: Iterable[PairResult], *, anchor: str | None = None) -> list[Rating]:
    """The ratings of all players, best first.

    They maximise the likelihood of the results, a draw being half a win and half a loss. The average is 0, or the
    `anchor` is. Where some players won or lost all their games against the rest no finite ratings are the likeliest;
    then one drawn game is added to every pair that met. The intervals come from the Fisher information. As with
    `Score.interval`, draws make them a little too wide.
    """
    results = [result for result in results if result.games]
    names = list(dict.fromkeys(name for result in results for name in (result.a, result.b)))
    if not names:
        raise ArgumentError("there is nothing to rate: no games were given")
    if anchor is not None and anchor not in names:
        raise ArgumentError(f"the anchor {shown(anchor)} has played no game{suggestion(anchor, names)}")
    points, games = _tables(results, names)
    _check_connected(games, names)
    if not _has_finite_ratings(points):
        met = games > 0
        logits, covariance = _fit(points + met / 2, games + met)
    else:
        logits, covariance = _fit(points, games)
    if anchor is None:
        variances = covariance.diagonal()
    else:
        index = names.index(anchor)
        logits = logits - logits[index]
        # Of a difference. The anchor's own is zero, but for rounding.
        variances = covariance.diagonal() + covariance[index, index] - 2 * covariance[index]
    margins = Z95 * np.sqrt(np.maximum(variances, 0)) * ELO_PER_LOGIT
    ratings = [
        Rating(
            name=name,
            elo=elo,
            low=elo - margin,
            high=elo + margin,
            games=round(float(games[index].sum())),
            points=float(points[index].sum()),
        )
        for index, (name, elo, margin) in enumerate(
            zip(names, (ELO_PER_LOGIT * logits).tolist(), margins.tolist(), strict=True)
        )
    ]
    return sorted(ratings, key=lambda rating: (-rating.elo, rating.name))


def _tables(results: list[PairResult], names: list[str]) -> tuple[Matrix, Matrix]:
    """Points and games of each player (row) against each other."""
    index = {name: number for number, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for result in results:
        a, b = index[result.a], index[result.b]
        points[a, b] += result.points
        points[b, a] += result.games - result.points
    return points, points + points.T


def _components(links: Matrix, *, connection: str) -> tuple[int, NDArray[np.int32]]:
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  slow to load, as in statistics

    count, labels = connected_components(links > 0, directed=True, connection=connection)
    return int(count), labels


def _check_connected(games: Matrix, names: list[str]) -> None:
    count, labels = _components(games, connection="weak")
    if count > 1:
        groups = (
            ", ".join(name for name, label in zip(names, labels, strict=True) if label == group)
            for group in range(count)
        )
        text = " | ".join(groups)
        raise ArgumentError(f"these groups of players have not met, so no common rating exists: {text}. Let them play")


def _has_finite_ratings(points: Matrix) -> bool:
    """Whether nobody, alone or as a group, won all or lost all against the rest (Ford's condition)."""
    return _components(points, connection="strong")[0] == 1


def _fit(points: Matrix, games: Matrix) -> tuple[Matrix, Matrix]:
    """The likeliest strengths in logits, of mean 0, and their covariance."""
    from scipy.optimize import minimize  # noqa: PLC0415  slow to load
    from scipy.special import expit, log_expit  # noqa: PLC0415  slow to load

    def loss(strengths: Matrix) -> float:
        return float(-(points * log_expit(strengths[:, None] - strengths)).sum())

    def gradient(strengths: Matrix) -> Matrix:
        expected = games * expit(strengths[:, None] - strengths)
        difference: Matrix = (expected - points).sum(axis=1)
        return difference

    def information(strengths: Matrix) -> Matrix:
        expected = expit(strengths[:, None] - strengths)
        weights: Matrix = games * expected * (1 - expected)
        matrix: Matrix = np.diag(weights.sum(axis=1)) - weights
        return matrix

    # All strengths may move together without effect; a spring to 0 that the solution does not feel holds them.
    count = len(points)
    spring = np.full((count, count), games.sum() / count**2)
    found = minimize(
        lambda x: loss(x) + x @ spring @ x / 2,
        np.zeros(count),
        jac=lambda x: gradient(x) + spring @ x,
        hess=lambda x: information(x) + spring,
        method="trust-exact",
        options={"gtol": 1e-9 * games.sum(), "maxiter": 1000},
    )
    # The pseudo-inverse is the covariance under the condition that the strengths sum to 0.
    covariance: Matrix = np.linalg.pinv(information(found.x), hermitian=True).astype(np.float64)
    return found.x - found.x.mean(), covariance
