"""Scores, intervals, Elo and SPRT against published values."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tesuji.arena.statistics import (
    Interval,
    Pentanomial,
    Score,
    Sprt,
    elo_of,
    fraction_of,
    paper_margin,
    wilson_interval,
)
from tesuji.errors import ArgumentError

# Newcombe, Statistics in Medicine 17 (1998), Table I: the score method without continuity correction.
NEWCOMBE = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("points", "games", "low", "high"), NEWCOMBE)
def test_wilson_interval_is_newcombes(points: int, games: int, low: float, high: float) -> None:
    interval = wilson_interval(points, games)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize(("points", "games"), [(0, 1), (1, 1), (3, 10), (630, 1000), (999_999, 1_000_000)])
def test_wilson_interval_is_scipys(points: int, games: int) -> None:
    theirs = stats.binomtest(points, games).proportion_ci(method="wilson")
    ours = wilson_interval(points, games)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


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
    assert Score().interval() == Pentanomial().interval() == Interval(low=0.0, high=1.0)
    assert math.isclose(Score().fraction, 0.5)
    assert Score().elo == Pentanomial().elo == 0
    assert Score().elo_interval() == Pentanomial().elo_interval() == Interval(low=-math.inf, high=math.inf)
    assert Score().elo_interval().to_list() == [None, None]
    assert Sprt(0, 5).llr(Score()) == 0


def test_draws_are_half_points() -> None:
    score = Score(wins=3, draws=2, losses=5) + Score(wins=1)
    assert (score.games, score.points) == (11, 5.0)
    assert score.interval() == wilson_interval(5, 11)


def test_pairs_are_counted_by_their_points() -> None:
    pairs = [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (0.5, 0.5), (0.3, 1.0), (1.0, 1.0), (1.0, 1.0)]
    result = Pentanomial.from_pairs(pairs)
    assert result.counts == (1, 1, 2, 1, 2)
    assert (result.pairs, result.games, result.points) == (7, 14, 8.0)
    assert (result + result).counts == (2, 2, 4, 2, 4)


# ---- the papers' interval

# Accelerated UCT, Table 1a (1,000 games), and the scalability paper, Table 4, where 48.00 +- 9.99 can only be
# 100 games.
PAPERS = [(56.3, 1000, 3.1, 0.051), (0.8, 1000, 0.6, 0.051), (39.2, 1000, 3.1, 0.051), (48.0, 100, 9.99, 0.005)]


@pytest.mark.parametrize(("percentage", "games", "printed", "tolerance"), PAPERS)
def test_the_papers_margin(percentage: float, games: int, printed: float, tolerance: float) -> None:
    assert 100 * paper_margin(percentage / 100, games) == pytest.approx(printed, abs=tolerance)


def test_the_papers_interval_lies_around_the_fraction() -> None:
    interval = Score(wins=48, losses=52).paper_interval()
    assert (interval.low, interval.high) == pytest.approx((0.48 - 0.09992, 0.48 + 0.09992), abs=1e-5)


# ---- Elo: the numbers in the tests of fastchess (github.com/Disservin/fastchess, app/tests/elo_test.cpp), given there
# within 1%. A pair of a win and a loss and one of two draws are one count here.

FASTCHESS_ELO = [
    (Score(wins=136, losses=96, draws=111), 40.70, 30.43),
    (Pentanomial((34, 54, 31 + 32, 64, 75)), 55.58, 27.65),
    (Pentanomial((332, 433, 457 + 41, 333, 334)), -8.64, 10.33),
    (Pentanomial((7895, 8757, 5485 + 200, 568, 9999)), -21.04, 2.95),
]


@pytest.mark.parametrize(("result", "elo", "error"), FASTCHESS_ELO)
def test_elo_and_its_interval_are_those_of_fastchess(result: Score | Pentanomial, elo: float, error: float) -> None:
    assert result.elo == pytest.approx(elo, rel=0.01)
    interval = result.elo_interval()
    assert (interval.high - interval.low) / 2 == pytest.approx(error, rel=0.01)
    assert result.elo in interval


@given(st.floats(-2000, 2000))
def test_elo_and_fraction_are_inverse(elo: float) -> None:
    assert elo_of(fraction_of(elo)) == pytest.approx(elo, rel=1e-6, abs=1e-9)


def test_known_elo_differences() -> None:
    assert elo_of(0.75) == pytest.approx(190.8485, abs=1e-4)
    assert elo_of(10 / 11) == pytest.approx(400)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_decisive_games_get_wilsons_interval_in_elo() -> None:
    score = Score(wins=630, losses=370)
    assert score.elo_interval().low == pytest.approx(elo_of(score.interval().low))
    assert score.elo_interval().high == pytest.approx(elo_of(score.interval().high))


def test_draws_and_pairs_make_the_elo_interval_narrower_and_correlated_pairs_wider() -> None:
    def width(result: Score | Pentanomial) -> float:
        return result.elo_interval().high - result.elo_interval().low

    decisive = Score(wins=100, losses=100)
    assert width(Score(wins=50, draws=100, losses=50)) == pytest.approx(width(decisive) / math.sqrt(2), rel=0.02)
    # A hundred pairs, won by one side or shared as a coin would have it; then always shared; then never.
    assert width(Pentanomial((25, 0, 50, 0, 25))) == pytest.approx(width(decisive), rel=1e-9)
    assert width(Pentanomial((5, 0, 90, 0, 5))) < 0.6 * width(decisive)
    assert width(Pentanomial((50, 0, 0, 0, 50))) == pytest.approx(width(decisive) * math.sqrt(2), rel=0.05)


@pytest.mark.parametrize("games", [1, 2, 20, 1000])
def test_all_won_has_a_finite_elo_and_a_bound_on_one_side(games: int) -> None:
    won, lost = Score(wins=games), Score(losses=games)
    assert won.elo == pytest.approx(400 * math.log10(2 * games + 1))
    assert won.elo_interval().low == pytest.approx(elo_of(games / (games + stats.norm.ppf(0.975) ** 2)))
    assert won.elo_interval().high == math.inf
    assert won.elo in won.elo_interval()
    assert (lost.elo, lost.elo_interval().high) == pytest.approx((-won.elo, -won.elo_interval().low))
    assert lost.elo_interval().to_list() == [None, lost.elo_interval().high]
    assert Pentanomial((0, 0, 0, 0, games)).elo_interval() == Score(wins=2 * games).elo_interval()


def test_a_few_draws_do_not_pin_the_strength_down() -> None:
    interval = Score(draws=2).elo_interval()
    assert interval.low < -100
    assert interval.high > 100


@pytest.mark.parametrize(
    ("distribution", "results"),
    [((0.3, 0, 0.7), 100), ((0.45, 0.1, 0.45), 40), ((0.02, 0.08, 0.9), 200), ((0.1, 0.2, 0.3, 0.2, 0.2), 60)],
)
def test_the_intervals_cover_the_truth_nineteen_times_in_twenty(distribution: tuple[float, ...], results: int) -> None:
    trials = 2000
    truth = elo_of(float(np.dot(distribution, np.linspace(0, 1, len(distribution)))))
    drawn = np.random.default_rng(7).multinomial(results, distribution, size=trials).tolist()
    covered = sum(truth in as_result(counts).elo_interval() for counts in drawn)
    # So wide that an interval that covers in 93% to 97% fails less than once in a million times.
    assert stats.binom.ppf(1e-6, trials, 0.93) <= covered <= stats.binom.isf(1e-6, trials, 0.97)


def as_result(counts: list[int]) -> Score | Pentanomial:
    if len(counts) == 3:
        return Score(losses=counts[0], draws=counts[1], wins=counts[2])
    return Pentanomial((counts[0], counts[1], counts[2], counts[3], counts[4]))


# ---- SPRT: the logistic cases in the tests of fastchess (app/tests/sprt_test.cpp), given there within 1%.

FASTCHESS_LLR = [
    (Score(wins=21404, losses=21184, draws=40708), 0.5, 2.5, -1.57),
    (Score(wins=57433, losses=57030, draws=106593), 0, 2, -2.59),
    (Pentanomial((223, 9863, 20279 + 1000, 10037, 246)), 0.5, 2.5, -3.07),
    (Pentanomial((871, 26175, 55003 + 980, 26678, 821)), 0, 2, -4.98),
]


@pytest.mark.parametrize(("result", "elo0", "elo1", "llr"), FASTCHESS_LLR)
def test_the_likelihood_ratio_is_that_of_fastchess(
    result: Score | Pentanomial, elo0: float, elo1: float, llr: float
) -> None:
    assert Sprt(elo0, elo1).llr(result) == pytest.approx(llr, rel=0.01)


# Tests of Stockfish on fishtest, in logistic Elo and with all digits, as its pull requests 2493, 2971, 3098, 3103 and
# 3209 report them.
FISHTEST_LLR = [
    ((424, 2948, 5832, 3045, 460), -1, 3, 2.94),
    ((1284, 17437, 55536, 18085, 1292), 0, 2, 2.94),
    ((17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),
    ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
    ((491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),
    ((293, 5085, 20082, 5070, 326), -1.25, 0.25, 2.95),
    ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), FISHTEST_LLR)
def test_the_likelihood_ratio_is_that_of_fishtest(
    counts: tuple[int, int, int, int, int], elo0: float, elo1: float, llr: float
) -> None:
    assert Sprt(elo0, elo1).llr(Pentanomial(counts)) == pytest.approx(llr, abs=0.0051)


def test_the_bounds_are_walds() -> None:
    test = Sprt(0, 5, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((-2.2513, 2.8904), abs=1e-4)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_without_draws_it_is_walds_own_test(wins: int, losses: int) -> None:
    test = Sprt(-20, 30)
    p0, p1 = fraction_of(-20), fraction_of(30)
    expected = wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))
    assert test.llr(Score(wins=wins, losses=losses)) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("counts", [(0, 0, 10**6), (0, 10**6, 0), (1, 0, 0), (0, 0, 0, 0, 10**6), (0, 0, 1, 0, 0)])
def test_one_sided_results_have_a_finite_ratio(counts: tuple[int, ...]) -> None:
    result = as_result(list(counts))
    assert math.isfinite(Sprt(-400, 400).llr(result))
    if result.fraction == 0.5:  # in the middle between the hypotheses
        assert Sprt(-400, 400).llr(result) == pytest.approx(0, abs=1e-6)


def test_decisions() -> None:
    test = Sprt(0, 50)
    assert test.decide(Score(wins=600, losses=400)) == "H1"
    assert test.decide(Score(wins=500, losses=500)) == "H0"
    assert test.decide(Score(wins=5, losses=4)) is None


@pytest.mark.parametrize("unit", [3, 5])
@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (100, "H0")])
def test_sprt_errs_as_seldom_as_it_promises(unit: int, elo: float, wrong: str) -> None:
    trials, test = 1000, Sprt(0, 100)
    p = fraction_of(elo)
    # A quarter of the games drawn, the rest decided so that the mean is p; pairs are two such games.
    single = np.array([1 - p - 0.125, 0.25, p - 0.125])
    distribution = single if unit == 3 else np.convolve(single, single)
    decide = functools.cache(lambda counts: test.decide(as_result(list(counts))))
    random, errors = np.random.default_rng(11), 0
    for _ in range(trials):
        counts, decision = [0] * unit, None
        while decision is None:
            counts[random.choice(unit, p=distribution)] += 1
            decision = decide(tuple(counts))
        errors += decision == wrong
    assert errors <= stats.binom.isf(1e-6, trials, 0.05)


# ---- nonsense


@pytest.mark.parametrize(("points", "games"), [(-1, 10), (11, 10), (1, -1)])
def test_nonsense_is_refused(points: int, games: int) -> None:
    with pytest.raises(ArgumentError):
        wilson_interval(points, games)
    with pytest.raises(ArgumentError):
        Score(wins=-1)
    with pytest.raises(ArgumentError):
        paper_margin(0.5, 0)


def test_nonsense_in_pairs_elo_and_sprt_is_refused() -> None:
    with pytest.raises(ArgumentError, match="five counts"):
        Pentanomial((1, 2, 3, 4, -5))
    with pytest.raises(ArgumentError, match="from 0 to 1 point"):
        Pentanomial.from_pairs([(1.0, 1.5)])
    with pytest.raises(ArgumentError, match=r"1\.01"):
        elo_of(1.01)
    for elo0, elo1, alpha in [
        (5, 0, 0.05),
        (5, 5, 0.05),
        (0, math.inf, 0.05),
        (math.nan, 5, 0.05),
        (0, 5, 0),
        (0, 5, 0.5),
    ]:
        with pytest.raises(ArgumentError):
            Sprt(elo0, elo1, alpha=alpha)
