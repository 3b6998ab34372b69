"""Counts the games of a match, as A sees them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tesuji.arena.record import GameRecord
from tesuji.arena.statistics import Interval, Pentanomial, Score, elo_of, wilson_interval


class Tally:
    """The count so far.

    Void games do not count. Games that repeat another one, moves and seats, count once unless `count_duplicates`. A
    draw is exactly half a point; what a game with real-valued rewards gives beside 0, 0.5 and 1 is `fractional`.
    """

    def __init__(self, *, paired: bool = False, count_duplicates: bool = False) -> None:
        self.score = Score()
        self.fractional = 0
        self.void = 0
        self.duplicates = 0
        self._fractional_points = 0.0
        self._paired = paired
        self._count_duplicates = count_duplicates
        self._courses: set[tuple[bool, tuple[Any, ...]]] = set()
        self._halves: dict[int, float] = {}
        self._pentanomial = Pentanomial()

    def add(self, record: GameRecord) -> None:
        if record.points is None:
            self.void += 1
        elif self._is_new(record):
            self._add_points(record.points)
            self._add_to_pair(record.pair, record.points)
        else:
            self.duplicates += 1

    def add_all(self, records: Iterable[GameRecord]) -> None:
        for record in records:
            self.add(record)

    def _is_new(self, record: GameRecord) -> bool:
        if self._count_duplicates or record.course is None:
            return True
        # The courses and not their hashes: a game of one's own may have the moves -1 and -2, whose hashes are equal.
        seen = record.course in self._courses
        self._courses.add(record.course)
        return not seen

    def _add_points(self, points: float) -> None:
        if points in (0, 0.5, 1):
            self.score += Score(wins=int(points == 1), draws=int(points == 0.5), losses=int(points == 0))
        else:
            self.fractional += 1
            self._fractional_points += points

    def _add_to_pair(self, pair: int, points: float) -> None:
        if not self._paired:
            return
        if pair in self._halves:
            self._pentanomial += Pentanomial.from_pairs([(self._halves.pop(pair), points)])
        else:
            self._halves[pair] = points

    @property
    def games(self) -> int:
        """The games that count."""
        return self.score.games + self.fractional

    @property
    def points(self) -> float:
        return self.score.points + self._fractional_points

    @property
    def fraction(self) -> float:
        """Points a game; one half before the first game."""
        return self.points / self.games if self.games else 0.5

    @property
    def pentanomial(self) -> Pentanomial | None:
        """The pairs of which both games count; None where the openings are not paired, or results are fractional."""
        return self._pentanomial if self._paired and not self.fractional else None

    def interval(self) -> Interval:
        """The 95% Wilson interval of `fraction`."""
        return wilson_interval(self.points, self.games)

    @property
    def elo(self) -> float:
        """The Elo difference; finite even when every game was won."""
        return elo_of(self.fraction) if self.fractional else self.score.elo

    def elo_interval(self) -> Interval:
        """The 95% interval of `elo`: from pairs of games where the openings are paired and every game has its other."""
        if self.fractional:
            fractions = self.interval()
            return Interval(low=elo_of(fractions.low), high=elo_of(fractions.high))
        pairs = self.pentanomial
        return (pairs if pairs is not None and pairs.games == self.games else self.score).elo_interval()
