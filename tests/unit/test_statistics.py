"""Scores and intervals against published values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.arena.statistics import Interval, Score, paper_margin, wilson_interval
from tesuji.errors import ArgumentError

# Newcombe, Statistics in Medicine 17 (1998), Table I: the score method without continuity correction.
NEWCOMBE = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("points", "games", "low", "high"), NEWCOMBE)
def test_wilson_interval_is_newcombes(points: int, games: int, low: float, high: float) -> None:
    interval = wilson_interval(points, games)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, 2 * n), st.just(n))))
def test_wilson_interval_holds_the_fraction_and_solves_its_equation(half_points_and_games: tuple[int, int]) -> None:
    half_points, games = half_points_and_games
    p = half_points / 2 / games
    interval = wilson_interval(half_points / 2, games, z=2.0)
    assert 0 <= interval.low <= p <= interval.high <= 1
    assert p in interval
    for end in (interval.low, interval.high):  # each end is the q from which p lies z standard deviations away
        assert (p - end) ** 2 == pytest.approx(4 * end * (1 - end) / games, abs=1e-9)


def test_before_the_first_game_anything_is_possible() -> None:
    assert Score().interval() == Interval(low=0.0, high=1.0)
    assert math.isclose(Score().fraction, 0.5)


def test_draws_are_half_points() -> None:
    score = Score(wins=3, draws=2, losses=5) + Score(wins=1)
    assert (score.games, score.points) == (11, 5.0)
    assert score.interval() == wilson_interval(5, 11)


def test_the_papers_margin() -> None:
    # Accelerated UCT, 1,000 games: 56.3% is printed with 3.1 to 3.2.
    assert 100 * paper_margin(0.563, 1000) == pytest.approx(3.137, abs=1e-3)


@pytest.mark.parametrize(("points", "games"), [(-1, 10), (11, 10), (1, -1)])
def test_nonsense_is_refused(points: int, games: int) -> None:
    with pytest.raises(ArgumentError):
        wilson_interval(points, games)
    with pytest.raises(ArgumentError):
        Score(wins=-1)
    with pytest.raises(ArgumentError):
        paper_margin(0.5, 0)
