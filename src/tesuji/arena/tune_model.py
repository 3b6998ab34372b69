"""How the score depends on the parameters: a Gaussian process seen through won and lost games.

The logit of the expected score is a smooth random surface over the unit cube, and each game is a coin with the chance
that the surface gives at its place. The posterior is Laplace's approximation (Rasmussen and Williams, Gaussian
Processes for Machine Learning, 2006, algorithms 3.1 and 3.2), with several games at a place counted together. How
high and how rugged the surface is, is not known: a few dozen settings are tried, each with the weight that the
results give it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, solve_triangular
from scipy.special import expit, log_expit, logsumexp
from scipy.stats import norm, qmc

Matrix = NDArray[np.float64]

SETTINGS = 32
# Medians of what is assumed before the first game, in logits and in widths of the range; a factor of two up and down
# is as likely as not.
HEIGHT, LENGTH, SPREAD = 0.7, 0.4, 1.0
# The level of the whole surface: a score from 5 to 95% is nothing unusual.
LEVEL = 1.5
# How much the best value of one parameter depends on the others, compared with what each does alone.
TOGETHER = 0.5
JITTER = 1e-6


@dataclass(frozen=True, kw_only=True)
class _Setting:
    height: float
    lengths: Matrix

    def kernel(self, a: Matrix, b: Matrix) -> Matrix:
        """Covariance between places: what each parameter does alone, what they do together, and a level."""
        alone, together = np.zeros((len(a), len(b))), np.ones((len(a), len(b)))
        for x, y, length in zip(a.T, b.T, self.lengths, strict=True):
            distance = np.sqrt(5) / length * np.abs(x[:, None] - y)
            matern = (1 + distance + distance**2 / 3) * np.exp(-distance)  # smoothness 5/2
            alone += matern
            together *= matern
        return self.height**2 * (alone + TOGETHER**2 * together) + LEVEL**2

    def variance(self) -> float:
        """The covariance of a place with itself."""
        return self.height**2 * (len(self.lengths) + TOGETHER**2) + LEVEL**2


def _settings(dimensions: int) -> list[_Setting]:
    """The settings that are tried: well spread draws from the prior."""
    uniform = qmc.Sobol(dimensions + 1, scramble=False).random(SETTINGS) + 0.5 / SETTINGS
    normal = SPREAD * norm.ppf(uniform)
    return [_Setting(height=HEIGHT * np.exp(row[0]), lengths=LENGTH * np.exp(row[1:])) for row in normal]


class _Posterior:
    """Laplace's approximation under one setting."""

    def __init__(self, setting: _Setting, places: Matrix, games: Matrix, points: Matrix) -> None:
        self._setting = setting
        self._places = places
        covariance = setting.kernel(places, places)
        weights = np.zeros(len(places))
        objective = self._climb(covariance, games, points, weights)
        chance = expit(covariance @ self._alpha)
        self._root = np.sqrt(games * chance * (1 - chance))
        self._factor = _cholesky(covariance, self._root)
        self.evidence = objective - float(np.log(np.diag(self._factor)).sum())

    def _climb(self, covariance: Matrix, games: Matrix, points: Matrix, alpha: Matrix) -> float:
        """Newton's method towards the mode, covariance @ alpha. Halves a step that would lead down."""

        def objective(alpha: Matrix) -> float:
            surface = covariance @ alpha
            likelihood = points @ log_expit(surface) + (games - points) @ log_expit(-surface)
            return float(likelihood - alpha @ surface / 2)

        best = objective(alpha)
        for _ in range(100):
            surface = covariance @ alpha
            chance = expit(surface)
            curvature = games * chance * (1 - chance)
            root = np.sqrt(curvature)
            target = curvature * surface + points - games * chance
            factor = _cholesky(covariance, root)
            step = target - root * cho_solve((factor, True), root * (covariance @ target)) - alpha
            value = objective(alpha + step)
            while value < best and np.abs(step).max() > 1e-12:
                step = step / 2
                value = objective(alpha + step)
            alpha = alpha + step
            if value - best < 1e-9:
                break
            best = value
        self._alpha = alpha
        return value

    def mean_and_covariance(self, places: Matrix) -> tuple[Matrix, Matrix]:
        cross = self._setting.kernel(places, self._places)
        explained = solve_triangular(self._factor, self._root[:, None] * cross.T, lower=True)
        covariance: Matrix = self._setting.kernel(places, places) - explained.T @ explained
        return cross @ self._alpha, covariance

    def mean_and_variance(self, places: Matrix) -> tuple[Matrix, Matrix]:
        """The same without the covariances, for many places."""
        cross = self._setting.kernel(places, self._places)
        explained = solve_triangular(self._factor, self._root[:, None] * cross.T, lower=True)
        return cross @ self._alpha, self._setting.variance() - (explained**2).sum(axis=0)


def _cholesky(covariance: Matrix, root: Matrix) -> Matrix:
    factor: Matrix = np.linalg.cholesky(np.eye(len(root)) + root[:, None] * covariance * root).astype(np.float64)
    return factor


class Surface:
    """What the games so far say of the logit of the expected score, over the unit cube.

    `places` has one row for each place that was tried, `games` and `points` what was played and won there.
    """

    def __init__(self, places: Matrix, games: Matrix, points: Matrix) -> None:
        self._posteriors = [_Posterior(setting, places, games, points) for setting in _settings(places.shape[1])]
        evidences = np.array([posterior.evidence for posterior in self._posteriors])
        weights = np.exp(evidences - logsumexp(evidences))
        self._weights: Matrix = weights / weights.sum()

    def predict(self, places: Matrix) -> tuple[Matrix, Matrix]:
        """Mean and standard deviation at each place."""
        total, squares = np.zeros(len(places)), np.zeros(len(places))
        for weight, posterior in zip(self._weights, self._posteriors, strict=True):
            if weight > 1e-6:
                mean, variance = posterior.mean_and_variance(places)
                total += weight * mean
                squares += weight * (np.maximum(variance, 0) + mean**2)
        return total, np.sqrt(np.maximum(squares - total**2, 0))

    def draw(self, places: Matrix, count: int, random: np.random.Generator) -> Matrix:
        """So many surfaces that may be the true one, a row each, at these places."""
        rows = []
        for posterior, number in zip(self._posteriors, random.multinomial(count, self._weights), strict=True):
            if number:
                mean, covariance = posterior.mean_and_covariance(places)
                factor = np.linalg.cholesky(covariance + JITTER * np.eye(len(places)))
                rows.append(mean + random.standard_normal((number, len(places))) @ factor.T)
        return random.permutation(np.concatenate(rows))
