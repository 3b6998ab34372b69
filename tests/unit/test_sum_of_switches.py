"""Sum of Switches: what the common tests of all games do not ask."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tesuji import ArgumentError, IllegalMoveError, Search, SumOfSwitches, match


def first_wins(position: SumOfSwitches) -> bool:
    """By trying everything."""
    if position.is_over:
        return position.outcome() == (1.0, 0.0)
    results = [first_wins(position.play(move)) for move in position.legal_moves()]
    return any(results) if position.to_move == 0 else all(results)


@pytest.mark.parametrize("size", range(2, 7))
def test_the_largest_number_wins_and_any_other_loses(size: int) -> None:
    start = SumOfSwitches(size)
    assert [first_wins(start.play(number)) for number in range(size)] == [False] * (size - 1) + [True]


@pytest.mark.parametrize("size", [1, 2, 3, 10, 11, 256])
def test_best_play_ends_with_a_lead_of_komi(size: int) -> None:
    position = SumOfSwitches(size)
    while not position.is_over:
        position = position.play(max(position.legal_moves()))
    first, second = position.scores()
    assert first - second == position.komi == size // 2
    assert position.outcome() == (1.0, 0.0)


def test_a_game() -> None:
    position = SumOfSwitches(size=4).play("3").play(1)
    assert position.scores() == (3, 1)
    assert position.cells().tolist() == [[2, 1, 2, 0]]
    assert str(position) == "0 1 2 3\n. O . X\nFirst (X) to move, 3 : 1, komi 2"
    assert repr(position) == "<SumOfSwitches size=4: First (X) to move, 3 : 1, komi 2>"
    with pytest.raises(IllegalMoveError, match="3 for First: the number is already picked by First"):
        position.play(3)
    with pytest.raises(IllegalMoveError, match="write a number from 0 to 3"):
        position.play("4")
    assert SumOfSwitches(4).play(1).play(3).play(2).play(0).outcome() == (0.0, 1.0)


def test_long_rows_are_broken() -> None:
    assert [len(line.split()) for line in str(SumOfSwitches(45)).splitlines()[:-1]] == [20, 20, 20, 20, 5, 5]


@pytest.mark.parametrize("size", [0, -1, 257, 10.0, "10", None, True, 10**40])
def test_sizes_out_of_range(size: Any) -> None:
    with pytest.raises(ArgumentError, match="from 1 to 256"):
        SumOfSwitches(size)


def test_sizes_of_numpy() -> None:
    assert SumOfSwitches(np.int64(12)).size == 12  # type: ignore[arg-type]


def test_the_search_picks_the_largest() -> None:
    position = SumOfSwitches(8)
    while not position.is_over:
        best = Search(position, "uct(c=0.5)", seed=1).run(playouts=30_000).best_move
        if position.to_move == 0:
            assert best == max(position.legal_moves())
        position = position.play(max(position.legal_moves()))


def test_a_match() -> None:
    result = match("sum-of-switches", "uct", "uct", playouts=(400, 20), games=20, seed=1)
    assert result.wins + result.losses == 20
    assert result.percentage > 50
