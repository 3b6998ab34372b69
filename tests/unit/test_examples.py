"""The examples: each runs, passes check_game, and finds what somebody else has found or what is exact."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

import tesuji
from examples import connect_four, connect_four_numba, pig, prior_from_numpy, sailing, samegame, three_player_nim

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

# A line that each prints.
PRINTS = {
    "connect_four": "nothing is wrong",
    "connect_four_numba": "playouts a second",
    "pig": "a single turn",
    "prior_from_numpy": "of the points in 60 games",
    "sailing": "leaves judged by random playouts",
    "samegame": "largest group first",
    "three_player_nim": "found by search",
}

STARTS: dict[str, Any] = {
    "connect four": connect_four.ConnectFour(),
    "connect four, compiled": connect_four_numba.connect_four(),
    "SameGame": samegame.SameGame.random(width=5, height=5, colours=3, seed=1),
    "Pig": pig.Pig(),
    "Pig, one turn": pig.Turn(),
    "sailing": sailing.Sailing(),
    "Nim for three": three_player_nim.ThreePlayerNim((3, 4, 5)),
}


def test_no_example_is_forgotten() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(PRINTS)


@pytest.mark.parametrize("name", PRINTS)
def test_it_runs(name: str) -> None:
    command = [sys.executable, str(EXAMPLES / f"{name}.py")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert PRINTS[name] in result.stdout
    assert not result.stderr


@pytest.mark.parametrize("name", STARTS)
def test_nothing_is_wrong_with_its_game(name: str) -> None:
    check = tesuji.check_game(STARTS[name], games=5)
    assert check.ok, str(check)


# ---- connect four


def test_connect_four_is_one_game_in_three_forms() -> None:
    """In plain Python, compiled, and as OpenSpiel has it."""
    theirs = pyspiel.load_game("connect_four")
    generator = random.Random(1)
    winners = set()
    for _ in range(200):
        plain: Any = connect_four.ConnectFour()
        compiled: Any = connect_four_numba.connect_four()
        state = theirs.new_initial_state()
        while not plain.is_over:
            assert not compiled.is_over
            assert not state.is_terminal()
            assert plain.to_move == compiled.to_move == state.current_player()
            moves = plain.legal_moves()
            assert moves == compiled.legal_moves() == state.legal_actions()
            move = generator.choice(moves)
            plain, compiled = plain.play(move), compiled.play(move)
            state.apply_action(move)
        assert compiled.is_over
        assert state.is_terminal()
        assert plain.outcome() == compiled.outcome()
        assert list(plain.outcome()) == [(reward + 1) / 2 for reward in state.returns()]
        winners.add(plain.winner)
    assert {0, 1} <= winners


def test_draws_of_connect_four() -> None:
    """A full board without four in a row, which random games hardly ever reach."""
    plain: Any = connect_four.ConnectFour()
    compiled: Any = connect_four_numba.connect_four()
    for column in map(int, "361313645534311043046626105524515600224220"):
        plain, compiled = plain.play(column), compiled.play(column)
    assert "." not in plain.cells
    assert plain.is_over
    assert compiled.is_over
    assert plain.outcome() == compiled.outcome() == (0.5, 0.5)


def test_the_search_finds_a_win_in_connect_four() -> None:
    position: Any = connect_four.ConnectFour()
    for column in (3, 0, 3, 0, 3, 1):
        position = position.play(column)
    result = tesuji.Search(position, seed=1).run(playouts=500)
    assert result.best_move == 3
    assert result.value > 0.95


# ---- SameGame


def test_points_of_samegame() -> None:
    """Worked out by hand: three b go first (1 point), then five a (9), and the empty board has its bonus."""
    position: Any = samegame.SameGame(("ab", "ab", "ab", "aa"), (0.0, 2000.0))
    assert sorted(position.legal_moves()) == [(0, 0), (0, 1)]
    position = position.play((0, 1))
    assert position.columns == ("a", "a", "a", "aa")
    position = position.play((0, 0))
    assert position.is_over
    assert position.outcome() == (1 + 9 + 1000,)


def test_columns_fall_and_close_up() -> None:
    position: Any = samegame.SameGame(("abb", "a", "cbc"), (0.0, 2000.0))
    assert position.play((0, 0)).columns == ("bb", "cbc")
    assert position.play((0, 0)).legal_moves() == [(0, 0)]


def test_the_search_plays_samegame_well() -> None:
    puzzles = [samegame.SameGame.random(width=6, height=6, colours=3, seed=seed) for seed in range(3)]
    at_random = np.mean([samegame.random_game(puzzle, seed) for puzzle in puzzles for seed in range(30)])
    greedy = np.mean([samegame.greedy_game(puzzle) for puzzle in puzzles])
    searched = np.mean([samegame.searched_game(puzzle, playouts=50) for puzzle in puzzles])
    assert searched > 2 * at_random
    assert searched > 1.5 * greedy


# ---- Pig


def test_exact_values_of_pig_are_those_that_were_published() -> None:
    """Neller and Presser: with a target of 100 a turn goes on below 20 to get most points, 8.14 a turn."""
    assert pig.exact_turn(0) == pytest.approx(8.14, abs=0.005)
    assert pig.exact_turn(19) > 19
    assert pig.exact_turn(20) == 20
    # To two points a player needs one roll that is no 1: who begins wins with 5/6 + (1/6)^2 5/6 + ... = 6/7.
    assert pig.exact_wins(2)[0, 0, 0] == pytest.approx(6 / 7)


@cache
def wins_of_pig() -> Any:
    return pig.exact_wins(10)


@pytest.mark.parametrize(("scores", "turn"), [((0, 0), 0), ((0, 0), 6), ((4, 6), 4), ((2, 8), 5), ((6, 2), 2)])
def test_the_search_agrees_with_the_exact_values_of_pig(scores: tuple[int, int], turn: int) -> None:
    exact = pig.choices(wins_of_pig(), *scores, turn)
    result = tesuji.Search(pig.Pig(10, scores, turn), seed=1).run(playouts=30_000)
    assert result.best_move == max(exact, key=lambda move: exact[move])
    assert result.value == pytest.approx(max(exact.values()), abs=0.015)


def test_a_turn_of_pig_converges() -> None:
    def error(playouts: int) -> float:
        result = tesuji.Search(pig.Turn(10), "uct(c=0.2)", seed=1).run(playouts=playouts)
        return float(abs(result.value - pig.exact_turn(10)))

    errors = [error(playouts) for playouts in (500, 5_000, 100_000)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.25  # of 45 points


@pytest.mark.parametrize("points", [12, 16, 18, 22, 26])
def test_when_to_hold(points: int) -> None:
    result = tesuji.Search(pig.Turn(points), "uct(c=0.2)", seed=1).run(playouts=20_000)
    assert result.best_move == ("roll" if points < 20 else "hold")


# ---- sailing


def test_winds_and_costs() -> None:
    assert all(sum(shares) == pytest.approx(1) for shares in sailing.WIND)
    north_wind = sailing.Sailing(5, 2, 2, wind=0)
    assert sailing.NAMES.index("N") not in north_wind.legal_moves()
    # Up, cross, down, away: 4, 3, 2, 1; the wind on the left when sailing east, on the right when sailing west.
    legs = {sailing.NAMES[heading]: north_wind.leg(heading) for heading in north_wind.legal_moves()}
    assert legs["NE"] == (4.0, -1)
    assert legs["E"] == (3.0, -1)
    assert legs["SE"] == (2.0, -1)
    assert legs["S"] == (1.0, 0)
    assert legs["NW"] == (4.0, 1)
    other_side = sailing.Sailing(5, 2, 2, wind=0, side=1)
    assert other_side.leg(sailing.NAMES.index("E")) == (3.0 + 3.0, -1)
    assert other_side.leg(sailing.NAMES.index("S")) == (1.0, 1)


def test_exact_costs_satisfy_the_equation_of_bellman() -> None:
    costs = sailing.exact_costs(4)
    for position, cost in costs.items():
        expected = 0.0 if position.is_over else min(sailing.costs_of_legs(position, costs).values())
        assert cost == pytest.approx(expected, abs=0.01)
    # One leg before the goal, sailing north-east with the wind from the south-west, is one minute away.
    assert costs[sailing.Sailing(4, 2, 2, wind=5)] == 1.0


@pytest.mark.parametrize("judged", [True, False])
def test_the_error_of_sailing_falls_with_playouts(judged: bool) -> None:
    errors = sailing.mean_errors(4, [4, 32, 256], judged=judged, positions=40)
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.5 * errors[0]


def test_the_picture_of_sailing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "errors.png"
    sailing.draw(path, [4, 16], {"one": [0.5, 0.2], "other": [1.0, 0.5]})
    assert path.read_bytes().startswith(b"\x89PNG")


# ---- Nim for three


def test_nim_for_three_agrees_with_the_theorem() -> None:
    for heaps in itertools.product(range(5), repeat=3):
        position = three_player_nim.ThreePlayerNim(heaps)
        if not position.is_over:
            assert (three_player_nim.exact(position)[0] == 0.0) == three_player_nim.is_lost_by_theorem(heaps)


@pytest.mark.parametrize(
    ("heaps", "first"), [((3,), 0), ((1, 1, 1), 1), ((1, 2), 2), ((1, 1, 3), 0), ((1, 2, 3), 1), ((2, 2, 2), 2)]
)
def test_the_search_agrees_with_exhaustive_analysis(heaps: tuple[int, ...], first: int) -> None:
    position = three_player_nim.ThreePlayerNim(heaps, first)
    exact = three_player_nim.exact(position)
    result = tesuji.Search(position, seed=1).run(playouts=20_000)
    assert result.value == pytest.approx(exact[first], abs=0.1)
    assert three_player_nim.exact(position.play(result.best_move))[first] == exact[first]


# ---- a prior


def test_the_prior_is_that_of_the_table_and_changes_the_search() -> None:
    results = {
        evaluator: tesuji.Search(tesuji.Othello().play("f5"), "puct", seed=1, evaluator=evaluator).run(playouts=300)
        for evaluator in (prior_from_numpy.with_prior, prior_from_numpy.without)
    }
    led = results[prior_from_numpy.with_prior]
    priors = {entry.move: entry.prior for entry in led.moves}
    total = sum(prior_from_numpy.PRIOR[move] for move in priors)
    assert priors == pytest.approx({move: prior_from_numpy.PRIOR[move] / total for move in priors})
    assert len({entry.prior for entry in results[prior_from_numpy.without].moves}) == 1


def test_the_search_with_the_prior_beats_the_one_without() -> None:
    assert prior_from_numpy.match(30, playouts=32) >= 0.6
