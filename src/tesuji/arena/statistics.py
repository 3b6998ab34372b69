"""Small types for the results of matches: scores, intervals, Elo, SPRT. What to use when: docs/statistics.md."""

from __future__ import annotations

import abc
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tesuji.checks import check_number
from tesuji.errors import ArgumentError, shown

Z95 = 1.959963984540054  # the normal distribution has 95% within this many standard deviations


@dataclass(frozen=True, kw_only=True)
class Interval:
    """From `low` to `high`. An end is infinite where the results set no bound."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def to_list(self) -> list[float | None]:
        """For JSON, which has no infinity: None is an end without a bound."""
        return [end if math.isfinite(end) else None for end in (self.low, self.high)]


class _Result(abc.ABC):
    """What single games and pairs of games have in common: counts of results from the worst to the best."""

    counts: tuple[int, ...]

    @property
    @abc.abstractmethod
    def games(self) -> int: ...

    @property
    @abc.abstractmethod
    def points(self) -> float: ...

    @property
    def fraction(self) -> float:
        """Points a game; one half before the first game."""
        return self.points / self.games if self.games else 0.5

    @property
    def elo(self) -> float:
        """The Elo difference that `fraction` means; finite even when every game was won."""
        if self.points in (0, self.games):  # infinite otherwise: half a game is added to both sides
            return elo_of((self.points + 0.5) / (self.games + 1))
        return elo_of(self.fraction)

    def elo_interval(self) -> Interval:
        """The 95% interval of `elo`: one-sided when every game was won, or lost."""
        fractions = _structured_interval(self.counts, self.games)
        return Interval(low=elo_of(fractions.low), high=elo_of(fractions.high))


@dataclass(frozen=True, kw_only=True)
class Score(_Result):
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
    def counts(self) -> tuple[int, ...]:  # type: ignore[override]  # no field here, as it is in Pentanomial
        return self.losses, self.draws, self.wins

    def interval(self) -> Interval:
        """The 95% Wilson interval of `fraction`."""
        return wilson_interval(self.points, self.games)

    def paper_interval(self) -> Interval:
        """The interval of `fraction` as the papers print it."""
        margin = paper_margin(self.fraction, self.games)
        return Interval(low=self.fraction - margin, high=self.fraction + margin)


@dataclass(frozen=True)
class Pentanomial(_Result):
    """Results of pairs of games from one opening with colours exchanged: how often 0, 1/2, 1, 3/2 and 2 points came.

    Two games from one opening are not independent: one that favours a colour gives each side a point. Counted as pairs
    they give the interval that they deserve, mostly a narrower one than that of as many single games.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.counts) != 5 or min(self.counts) < 0:
            raise ArgumentError(f"a pentanomial result has five counts, none negative, not {shown(self.counts)}")

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[float, float]]) -> Pentanomial:
        """Counts pairs of games, each game as its points: anything strictly between 0 and 1 is a draw."""
        counts = [0] * 5
        for pair in pairs:
            counts[sum(_half_points(points) for points in pair)] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    def __add__(self, other: Pentanomial) -> Pentanomial:
        a, b, c, d, e = (mine + theirs for mine, theirs in zip(self.counts, other.counts, strict=True))
        return Pentanomial((a, b, c, d, e))

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def games(self) -> int:
        return 2 * self.pairs

    @property
    def points(self) -> float:
        return sum(count * half for half, count in enumerate(self.counts)) / 2

    def interval(self) -> Interval:
        """The 95% interval of `fraction`: Wilson's, for as many games as the pairs are worth."""
        return _structured_interval(self.counts, self.games)


def _half_points(points: float) -> int:
    if not 0 <= points <= 1:
        raise ArgumentError(f"a game gives from 0 to 1 point, not {points}")
    return 0 if points == 0 else 2 if points == 1 else 1


# ---- intervals of a fraction


def wilson_interval(points: float, games: float, z: float = Z95) -> Interval:
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
    """The half-width 2 sqrt(p (1 - p) / n), two standard deviations of the normal approximation.

    The accelerated UCT paper gives this formula; the 5% of the static-knowledge paper for 400 games and Table 4 of the
    scalability paper agree with it.
    """
    if games < 1 or not 0 <= fraction <= 1:
        raise ArgumentError(f"a fraction in [0, 1] of at least one game is needed, not {fraction} of {games}")
    return 2 * math.sqrt(fraction * (1 - fraction) / games)


def _structured_interval(counts: tuple[int, ...], games: int) -> Interval:
    """Wilson's interval for results that vary otherwise than single decisive games do: draws, or pairs of games.

    Such results are worth as many decisive games as would have the variance that was seen. One more result of the
    plain kind is added to that variance, so that a few results all alike do not make the interval vanish.
    """
    results = sum(counts)
    if not results:
        return wilson_interval(0, 0)
    step = 1 / (len(counts) - 1)
    p = sum(count * index for index, count in enumerate(counts)) * step / results
    if p in (0, 1):
        return wilson_interval(p * games, games)
    variance = sum(count * (index * step - p) ** 2 for index, count in enumerate(counts)) / results
    plain = p * (1 - p) * results / games
    ratio = (results * variance / plain + 1) / (results + 1)
    return wilson_interval(p * games / ratio, games / ratio)


# ---- Elo


def elo_of(fraction: float) -> float:
    """The logistic Elo difference at which this fraction of the points is expected."""
    if not 0 <= fraction <= 1:
        raise ArgumentError(f"a fraction lies in [0, 1], which {fraction} does not")
    if fraction in (0, 1):
        return math.copysign(math.inf, fraction - 0.5)
    return 400 * math.log10(fraction / (1 - fraction))


def fraction_of(elo: float) -> float:
    """The fraction of the points that is expected at this Elo difference."""
    return (1 + math.tanh(elo * math.log(10) / 800)) / 2


# ---- the sequential probability ratio test

Decision = Literal["H0", "H1"]

# A result that never came counts this often, so that no hypothesis is impossible.
UNSEEN = 1e-3


@dataclass(frozen=True)
class Sprt:
    """H0: the difference is `elo0`; H1: it is `elo1`. `alpha` and `beta` bound the errors of the two kinds.

    This is the generalised test (Van den Bergh, after Li, Liu and Ying): all that is tested is the expected score, and
    how often each result comes is fitted under both hypotheses. It takes single games and pairs of games alike.
    Ask it after each game, or after each pair, from the first on.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            check_number(name, getattr(self, name), low=-1000, high=1000)
        if self.elo0 >= self.elo1:
            raise ArgumentError(f"elo0 must be less than elo1, unlike {self.elo0} and {self.elo1}")
        for name in ("alpha", "beta"):
            check_number(name, getattr(self, name), low=1e-9, high=0.499)

    @property
    def lower(self) -> float:
        """H0 is accepted when the log-likelihood ratio gets down to this."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted when the log-likelihood ratio gets up to this."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, result: Score | Pentanomial) -> float:
        """The log-likelihood ratio of H1 to H0, zero before the first game."""
        if not result.games:
            return 0.0
        counts = [count or UNSEEN for count in result.counts]
        return _log_likelihood(counts, fraction_of(self.elo1)) - _log_likelihood(counts, fraction_of(self.elo0))

    def decide(self, result: Score | Pentanomial) -> Decision | None:
        """The hypothesis that is accepted, or None while the match has to go on."""
        ratio = self.llr(result)
        if ratio >= self.upper:
            return "H1"
        return "H0" if ratio <= self.lower else None


def _log_likelihood(counts: Sequence[float], mean: float) -> float:
    """Of the likeliest distribution with this mean, up to a constant that depends on the counts alone.

    It is p_i / (1 + x (a_i - mean)) for results a_i seen with frequency p_i, where x makes its mean right.
    """
    # Loading scipy takes longer than most commands, which have no use for it.
    from scipy.optimize import brentq  # noqa: PLC0415  slow to load

    offsets = [index / (len(counts) - 1) - mean for index in range(len(counts))]

    def error(x: float) -> float:
        return math.fsum(count * offset / (1 + x * offset) for count, offset in zip(counts, offsets, strict=True))

    # The error goes from plus to minus infinity between the poles. The margin keeps off them, and is far less than
    # what separates them from the root while every count is at least UNSEEN.
    low, high = -1 / offsets[-1], -1 / offsets[0]
    margin = 1e-13 * (high - low)
    x = brentq(error, low + margin, high - margin, xtol=1e-14 * (high - low))
    return -math.fsum(count * math.log1p(x * offset) for count, offset in zip(counts, offsets, strict=True))
