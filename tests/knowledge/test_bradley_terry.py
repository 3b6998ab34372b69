"""The gammas of greatest likelihood: by hand, by two methods, and against scipy's own word on a smooth function."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.knowledge.records import write_sample
from tesuji import _core
from tesuji.errors import ArgumentError
from tesuji.knowledge.bradley_terry import Limits, Numbers, Problem, maximise
from tesuji.knowledge.features import SHAPE_SIZES, groups, harvest, part_matrices
from tesuji.knowledge.records import native_records, read_records

GROUPS = [np.arange(3), np.arange(3, 5)]


def competitions(positions: list[tuple[list[tuple[int, int]], int]]) -> _core.Competitions:
    """Of each position the teams, as their first two parts, and the place of the winner."""
    teams: list[int] = []
    ends: list[int] = []
    winners: list[int] = []
    for members, winner in positions:
        winners.append(len(teams) + winner)
        teams += [_core.pack_team([first, second, 0, 0]) for first, second in members]
        ends.append(len(teams))
    result = _core.Competitions()
    result.add(np.array(teams, np.uint64), np.array(ends, np.uint32), np.array(winners, np.uint32))
    return result


def two_kinds(found: _core.Competitions, *, prior: float) -> Problem:
    """Three features of one kind and two of another; value 0 of a part has none."""
    first, second = np.zeros((4, 5)), np.zeros((3, 5))
    first[[1, 2, 3], [0, 1, 2]] = 1
    second[[1, 2], [3, 4]] = 1
    return Problem(competitions=found, parts=[first, second, np.zeros((1, 5)), np.zeros((1, 5))], prior=prior)


def test_a_duel_is_won_in_proportion_to_the_gammas() -> None:
    """Three wins in four against gamma 1 make a gamma of 3, and with the prior's games (3 + 1) / (1 + 1)."""
    duels = competitions([([(1, 0), (0, 0)], 0)] * 3 + [([(1, 0), (0, 0)], 1)])
    limits = Limits(iterations=500, tolerance=1e-12)
    for method in ("lbfgs", "mm"):
        weights = maximise(two_kinds(duels, prior=1e-9), method=method, groups=GROUPS, limits=limits)
        assert np.exp(weights[0]) == pytest.approx(3.0, rel=1e-4)
        weights = maximise(two_kinds(duels, prior=1.0), method=method, groups=GROUPS, limits=limits)
        assert np.exp(weights[0]) == pytest.approx(2.0, rel=1e-6)


def test_a_feature_that_never_competes_stays_at_one() -> None:
    duels = competitions([([(1, 0), (0, 0)], 0)] * 3)
    weights = maximise(two_kinds(duels, prior=1.0), groups=GROUPS)
    assert np.exp(weights[1:]) == pytest.approx(np.ones(4))
    assert np.exp(weights[0]) == pytest.approx(4.0, rel=1e-3)  # three wins, and one win and one loss of the prior


def test_coulom_s_example_of_teams() -> None:
    """Of (1, 2, 3), (1, 2) and (2, 4) with gammas 2, 3, 1.5, 5 the middle team wins with 6 / 30."""
    first, second = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0]]), np.array([[0.0, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    members = competitions([([(0, 0), (0, 1), (1, 2)], 1)])
    problem = Problem(competitions=members, parts=[first, second, np.zeros((1, 4)), np.zeros((1, 4))])
    log_likelihood, _ = problem.expect(np.log([2.0, 3.0, 1.5, 5.0]))
    assert np.exp(log_likelihood) == pytest.approx(6 / 30)


teams = st.tuples(st.integers(0, 3), st.integers(0, 2))
positions = st.lists(
    st.lists(teams, min_size=2, max_size=6).flatmap(
        lambda members: st.tuples(st.just(members), st.integers(0, len(members) - 1))
    ),
    min_size=1,
    max_size=20,
)


@given(found=positions)
@settings(max_examples=25, deadline=None)
def test_both_methods_find_the_same(found: list[tuple[list[tuple[int, int]], int]]) -> None:
    problem = two_kinds(competitions(found), prior=1.0)
    limits = Limits(iterations=3000, tolerance=1e-9)
    by_lbfgs = maximise(problem, method="lbfgs", limits=limits)
    by_mm = maximise(problem, method="mm", groups=GROUPS, limits=limits)
    assert by_lbfgs == pytest.approx(by_mm, abs=1e-4)


def test_both_methods_agree_on_the_features_of_go(tmp_path: Path) -> None:
    """Where L-BFGS ends minorization-maximization stays, and from nothing it comes nearer to it with every step."""
    games = read_records([write_sample(tmp_path)]).games[:6]
    native = native_records(games)
    shapes = harvest(native.shapes(0, len(games)).reshape(-1, SHAPE_SIZES), least=3)
    found = _core.Competitions()
    native.compete(0, len(games), _core.GoShapes(shapes.hashes), found)
    problem = Problem(competitions=found, parts=part_matrices(shapes))
    best = maximise(problem, limits=Limits(iterations=300, tolerance=1e-7))
    assert np.abs(best).max() > 1
    one = Limits(iterations=1)
    assert maximise(problem, method="mm", groups=groups(shapes), start=best, limits=one) == pytest.approx(
        best, abs=1e-3
    )
    near: list[float] = []
    maximise(
        problem,
        method="mm",
        groups=groups(shapes),
        limits=Limits(iterations=10),
        watch=lambda progress: near.append(float(np.corrcoef(progress.weights, best)[0, 1])),
    )
    assert near == sorted(near)
    assert near[-1] > 0.95


@given(found=positions, weights=st.lists(st.floats(-3, 3), min_size=5, max_size=5))
@settings(max_examples=25, deadline=None)
def test_the_gradient_is_that_of_the_objective(
    found: list[tuple[list[tuple[int, int]], int]], weights: list[float]
) -> None:
    problem = two_kinds(competitions(found), prior=0.5)
    error = scipy.optimize.check_grad(
        lambda at: problem.posterior(at, *problem.expect(at))[0],
        lambda at: problem.posterior(at, *problem.expect(at))[1],
        np.array(weights),
    )
    assert error < 1e-3


def test_progress_is_told_and_a_start_is_used() -> None:
    problem = two_kinds(competitions([([(1, 0), (2, 1), (0, 2)], 1)] * 5 + [([(1, 0), (3, 1)], 0)] * 3), prior=1.0)
    seen: list[Numbers] = []
    limits = Limits(iterations=200, tolerance=1e-10)
    weights = maximise(problem, limits=limits, watch=lambda progress: seen.append(progress.weights))
    assert seen[-1] == pytest.approx(weights)
    again: list[Numbers] = []
    resumed = maximise(problem, limits=limits, start=weights, watch=lambda progress: again.append(progress.weights))
    assert len(again) <= 1
    assert resumed == pytest.approx(weights, abs=1e-6)


def test_bad_input_is_refused() -> None:
    problem = two_kinds(competitions([([(1, 0), (2, 1)], 1)]), prior=1.0)
    with pytest.raises(ArgumentError, match="one of lbfgs, mm, not 'newton'"):
        maximise(problem, method="newton")
    with pytest.raises(ValueError, match="one of them won"):
        _core.Competitions().add(np.zeros(2, np.uint64), np.array([2], np.uint32), np.array([2], np.uint32))
    with pytest.raises(ValueError, match="out of its range"):
        _core.pack_team([0, 1 << 14, 0, 0])
