"""Small types for the results of matches: scores and intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tesuji.errors import ArgumentError

Z95 = 1.959963984540054  # the normal distribution has 95% within this many standard deviations


@dataclass(frozen=True, kw_only=True)
class Interval:
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, kw_only=True)
class Score:
    """Wins, draws and losses of one side. A draw is half a point."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses) < 0:
            raise ArgumentError(f"a score has no negative numbers: {self!r}")

    def __add__(self, other: Score) -> Score:
        return Score(wins=self.wins + other.wins, draws=self.draws + other.draws, losses=self.losses + other.losses)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def fraction(self) -> float:
        """Points a game; one half before the first game."""
        return self.points / self.games if self.games else 0.5

    def interval(self) -> Interval:
        """The 95% Wilson interval of `fraction`."""
        return wilson_interval(self.points, self.games)


def wilson_interval(points: float, games: int, z: float = Z95) -> Interval:
    """The Wilson score interval of points / games.

    Unlike the normal approximation it stays within [0, 1] and makes sense after few games. With draws as half points
    it is a little too wide, since a draw varies less than a win or a loss: on the safe side.
    """
    if games < 0 or not 0 <= points <= games:
        raise ArgumentError(f"points must lie between 0 and the number of games, not {points} of {games}")
    if games == 0:
        return Interval(low=0.0, high=1.0)
    p = points / games
    scale = 1 + z * z / games
    middle = (p + z * z / (2 * games)) / scale
    margin = z / scale * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    # Rounding may put an end that is exactly 0 or 1 just beyond p.
    return Interval(low=max(0.0, min(p, middle - margin)), high=min(1.0, max(p, middle + margin)))


def paper_margin(fraction: float, games: int) -> float:
    """The half-width 2 sqrt(p (1 - p) / n) that the accelerated UCT paper prints."""
    if games < 1 or not 0 <= fraction <= 1:
        raise ArgumentError(f"a fraction in [0, 1] of at least one game is needed, not {fraction} of {games}")
    return 2 * math.sqrt(fraction * (1 - fraction) / games)
