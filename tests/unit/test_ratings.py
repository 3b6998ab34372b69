"""Joint ratings against published fits, a slow reference and simulation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tesuji.arena.ratings import ELO_PER_LOGIT, PairResult, rate
from tesuji.arena.statistics import Score, elo_of, fraction_of
from tesuji.errors import ArgumentError

# Turner and Firth, Bradley-Terry models in R: the BradleyTerry2 package, Journal of Statistical Software 48 (2012),
# section 2.1: citations among four journals (Agresti, Categorical Data Analysis, after Stigler).
CITATIONS = [
    PairResult(a="Biometrika", b="Comm Statist", wins=730, losses=33),
    PairResult(a="Biometrika", b="JASA", wins=498, losses=320),
    PairResult(a="Biometrika", b="JRSS-B", wins=221, losses=284),
    PairResult(a="Comm Statist", b="JASA", wins=68, losses=813),
    PairResult(a="Comm Statist", b="JRSS-B", wins=17, losses=276),
    PairResult(a="JASA", b="JRSS-B", wins=142, losses=325),
]
# Estimate and standard error in logits, relative to Biometrika.
PUBLISHED = {"Comm Statist": (-2.94907, 0.10255), "JASA": (-0.47957, 0.06059), "JRSS-B": (0.26895, 0.07083)}


def test_journals_are_rated_as_published() -> None:
    ratings = {rating.name: rating for rating in rate(CITATIONS, anchor="Biometrika")}
    for name, (estimate, error) in PUBLISHED.items():
        assert ratings[name].elo / ELO_PER_LOGIT == pytest.approx(estimate, abs=6e-6)
        half = (ratings[name].high - ratings[name].low) / 2
        assert half / stats.norm.ppf(0.975) / ELO_PER_LOGIT == pytest.approx(error, abs=6e-6)
    anchor = ratings["Biometrika"]
    assert (anchor.elo, anchor.low, anchor.high) == pytest.approx((0, 0, 0), abs=1e-4)
    assert (anchor.games, anchor.points) == (730 + 33 + 498 + 320 + 221 + 284, 730 + 498 + 221)


def test_the_order_is_best_first_and_the_average_zero() -> None:
    ratings = rate(CITATIONS)
    assert [rating.name for rating in ratings] == ["JRSS-B", "Biometrika", "JASA", "Comm Statist"]
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    assert all(rating.low < rating.elo < rating.high for rating in ratings)


def zermelo(results: Sequence[PairResult]) -> dict[str, float]:
    """The oldest way to the same ratings (Zermelo 1929): strengths go round and round until nothing changes."""
    names = sorted({name for result in results for name in (result.a, result.b)})
    strengths = dict.fromkeys(names, 1.0)
    for _ in range(20_000):
        new = {}
        for name in names:
            points, weight = 0.0, 0.0
            for r in results:
                if name in (r.a, r.b):
                    points += (r.wins if name == r.a else r.losses) + r.draws / 2
                    weight += (r.wins + r.draws + r.losses) / (strengths[r.a] + strengths[r.b])
            new[name] = points / weight
        mean = math.exp(sum(math.log(value) for value in new.values()) / len(new))
        new = {name: value / mean for name, value in new.items()}
        change = max(abs(new[name] / strengths[name] - 1) for name in names)
        strengths = new
        if change < 1e-12:
            break
    return {name: 400 * math.log10(value) for name, value in strengths.items()}


@given(st.lists(st.tuples(*[st.integers(1, 30)] * 3), min_size=6, max_size=6))
def test_ratings_are_zermelos(counts: list[tuple[int, int, int]]) -> None:
    pairs = itertools.combinations("abcd", 2)
    results = [
        PairResult(a=a, b=b, wins=wins, draws=draws, losses=losses)
        for (a, b), (wins, draws, losses) in zip(pairs, counts, strict=True)
    ]
    expected = zermelo(results)
    assert {rating.name: rating.elo for rating in rate(results)} == pytest.approx(expected, abs=1e-3)


def test_two_players_differ_by_the_elo_of_their_score() -> None:
    first, second = rate([PairResult(a="x", b="y", wins=60, draws=10, losses=30)])
    assert first.elo - second.elo == pytest.approx(Score(wins=60, draws=10, losses=30).elo)
    # The same split in two.
    parts = [PairResult(a="x", b="y", wins=40, losses=30), PairResult(a="y", b="x", draws=10, losses=20)]
    assert [rating.elo for rating in rate(parts)] == pytest.approx([first.elo, second.elo])


def test_rewards_in_between_count() -> None:
    halves = rate([PairResult(a="x", b="y", wins=60, losses=30, fractional=10, fractional_points=5)])
    assert halves == rate([PairResult(a="x", b="y", wins=60, draws=10, losses=30)])
    first, second = rate([PairResult(a="x", b="y", fractional=10, fractional_points=7.0)])
    assert first.elo - second.elo == pytest.approx(elo_of(0.7))
    assert first.games == 10
    assert first.points == pytest.approx(7)


def test_a_player_who_won_everything_gets_a_finite_rating() -> None:
    first, second = rate([PairResult(a="x", b="y", wins=100)])
    assert first.name == "x"
    assert first.elo - second.elo == pytest.approx(Score(wins=100).elo)
    ratings = rate(
        [PairResult(a="a", b="b", wins=9), PairResult(a="b", b="c", wins=9), PairResult(a="a", b="c", wins=9)]
    )
    assert [rating.name for rating in ratings] == ["a", "b", "c"]
    assert all(math.isfinite(end) and end < 3000 for rating in ratings for end in (-rating.low, rating.high))


def test_a_gauntlet_rates_players_that_have_not_met() -> None:
    results = [PairResult(a="hub", b="x", wins=50, losses=50), PairResult(a="hub", b="y", wins=25, losses=75)]
    ratings = {rating.name: rating.elo for rating in rate(results, anchor="hub")}
    assert ratings == pytest.approx({"hub": 0, "x": 0, "y": 190.8485}, abs=1e-3)


def test_groups_that_have_not_met_are_named() -> None:
    results = [PairResult(a="a", b="b", wins=1), PairResult(a="c", b="d", draws=1), PairResult(a="a", b="c")]
    with pytest.raises(ArgumentError, match=r"a, b \| c, d"):
        rate(results)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rate([]), "nothing to rate"),
        (lambda: rate([PairResult(a="a", b="b")]), "nothing to rate"),
        (lambda: rate([PairResult(a="alpha", b="b", wins=1)], anchor="alpa"), "did you mean 'alpha'"),
        (lambda: PairResult(a="a", b="a"), "itself"),
        (lambda: PairResult(a="a", b="b", draws=-1), "negative"),
        (lambda: PairResult(a="a", b="b", fractional=1, fractional_points=1.5), "from 0 to 1"),
    ],
)
def test_nonsense_is_refused(make: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()  # type: ignore[operator]


def test_the_intervals_cover_the_truth_nineteen_times_in_twenty() -> None:
    truth = {"a": 150.0, "b": 20.0, "c": -40.0, "d": -130.0}
    random, trials, covered = np.random.default_rng(3), 300, 0
    for _ in range(trials):
        results = []
        for a, b in itertools.combinations(truth, 2):
            wins = int(random.binomial(40, fraction_of(truth[a] - truth[b])))
            results.append(PairResult(a=a, b=b, wins=wins, losses=40 - wins))
        covered += sum(rating.low <= truth[rating.name] <= rating.high for rating in rate(results))
    # The four of one trial depend on each other: counted as if only one were there.
    assert stats.binom.ppf(1e-6, trials, 0.94) <= covered / 4 <= stats.binom.isf(1e-6, trials, 0.96)
