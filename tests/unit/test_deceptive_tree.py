"""The family of deceptive trees: what they are by brute force, and whom they deceive."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tesuji import ArgumentError, Search, TreeGame
from tesuji.games import make_game

SMALL = [(1, 2), (1, 5), (2, 2), (2, 3), (3, 4), (5, 2), (6, 6)]
TRAP, WAY_OUT = 0, 1


def minimax(position: TreeGame) -> float:
    """What First gets if both play their best."""
    if position.is_over:
        return position.outcome()[0]
    values = [minimax(position.play(move)) for move in position.legal_moves()]
    return max(values) if position.to_move == 0 else min(values)


def random_wins(position: TreeGame) -> Fraction:
    """How often First wins if both play at random."""
    if position.is_over:
        return Fraction(position.outcome()[0])
    moves = position.legal_moves()
    return sum((random_wins(position.play(move)) for move in moves), Fraction(0)) / len(moves)


@pytest.mark.parametrize(("depth", "width"), SMALL)
def test_the_trap_is_lost_and_looks_won(depth: int, width: int) -> None:
    start = TreeGame.deceptive(depth=depth, width=width)
    assert start.legal_moves() == [TRAP, WAY_OUT]
    assert [minimax(start.play(move)) for move in (TRAP, WAY_OUT)] == [0, 1]
    hidden = Fraction(1, width**depth)
    assert [random_wins(start.play(move)) for move in (TRAP, WAY_OUT)] == [1 - hidden, hidden]
    assert start.native.node_count == 2 * depth * (width + 1) + 2


@pytest.mark.parametrize(("depth", "width"), SMALL)
@pytest.mark.parametrize(("move", "climber"), [(TRAP, 1), (WAY_OUT, 0)])
def test_one_side_must_find_so_many_moves_and_the_other_is_forced(
    depth: int, width: int, move: int, climber: int
) -> None:
    position = TreeGame.deceptive(depth=depth, width=width).play(move)
    found = 0
    while not position.is_over:
        moves = position.legal_moves()
        assert len(moves) == (width if position.to_move == climber else 1)
        right = [move for move in moves if minimax(position.play(move)) == 1 - climber]
        assert len(right) == 1
        found += position.to_move == climber
        assert all(position.play(wrong).is_over for wrong in moves if wrong not in right)
        position = position.play(right[0])
    assert found == depth


def test_the_picture_in_the_docstring() -> None:
    trap = [[[0, 1, 1]], 1, 1]
    way_out = [[[[1, 0, 0]], 0, 0]]
    assert TreeGame.deceptive(depth=2, width=3) == TreeGame([trap, way_out])


def test_deep_and_wide_ones() -> None:
    assert TreeGame.deceptive(depth=10_000, width=2).native.node_count == 60_002
    assert TreeGame.deceptive(depth=1, width=10_000).num_distinct_moves == 10_000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth must be an integer from 1"),
        ({"width": 1}, "width must be an integer from 2"),
        ({"depth": 2.0}, "depth must be an integer"),
        ({"width": "4"}, "width must be an integer"),
        ({"depth": 10_000, "width": 10_000}, "has more than 10,000,000 nodes: take less"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        TreeGame.deceptive(**options)


def test_the_family_has_a_name() -> None:
    assert make_game("deceptive-tree", depth=3, width=5) == TreeGame.deceptive(depth=3, width=5)
    with pytest.raises(ArgumentError, match="deceptive-tree has no option 'size'; it has depth, width"):
        make_game("deceptive-tree", size=3)


# ---- who falls into it


def escapes(engine: str, start: TreeGame, playouts: int, seeds: int = 10) -> int:
    """In how many searches the choice is right."""
    return sum(Search(start, engine, seed=seed).run(playouts=playouts).best_move == WAY_OUT for seed in range(seeds))


@pytest.mark.parametrize(
    ("depth", "width", "playouts"),
    [(4, 4, 2000), (5, 4, 8000), (4, 6, 10_000), (6, 4, 32_000)],
)
def test_accelerated_uct_is_out_while_uct_is_in_the_trap(depth: int, width: int, playouts: int) -> None:
    """With these budgets none of 20 other seeds was an exception; one is allowed."""
    start = TreeGame.deceptive(depth=depth, width=width)
    assert escapes("accelerated(k=2)", start, playouts) >= 9
    assert escapes("uct", start, playouts) <= 1


def test_uct_gets_out_in_the_end() -> None:
    assert escapes("uct", TreeGame.deceptive(depth=4, width=4), 20_000) >= 9


def test_one_move_deep_there_is_no_trap() -> None:
    assert escapes("uct", TreeGame.deceptive(depth=1, width=4), 200) == 10


def test_too_short_a_memory_falls_into_the_trap_again() -> None:
    start = TreeGame.deceptive(depth=4, width=4)
    assert escapes("accelerated(k=1)", start, 2000) >= 8
    assert escapes("accelerated(k=1)", start, 20_000) <= 2
