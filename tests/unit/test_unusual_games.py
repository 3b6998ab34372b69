"""Games whose answers are unusual, and right: numpy's numbers, None for a move, generators, moves of several kinds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tesuji


class Cells:
    """Everything is numpy's. Who fills the last cell wins."""

    def __init__(self, cells: Any = None, player: int = 0) -> None:
        self.cells = np.zeros(5, dtype=np.int8) if cells is None else cells
        self.player = player

    @property
    def to_move(self) -> Any:
        return np.int64(self.player)

    @property
    def is_over(self) -> Any:
        return (self.cells != 0).all()

    def legal_moves(self) -> Any:
        return np.flatnonzero(self.cells == 0)

    def play(self, move: Any) -> Cells:
        cells = self.cells.copy()
        cells[move] = 1
        return Cells(cells, 1 - self.player)

    def outcome(self) -> Any:
        return np.eye(2)[1 - self.player]


@dataclass(frozen=True)
class Steps:
    """Four steps of any kind."""

    moves: Any
    left: int = 4

    to_move = 0
    num_players = 1

    @property
    def is_over(self) -> bool:
        return self.left == 0

    def legal_moves(self) -> Any:
        return self.moves()

    def play(self, move: Any) -> Steps:
        return Steps(self.moves, self.left - 1)

    def outcome(self) -> tuple[float]:
        return (0.5,)


def test_numbers_of_numpy() -> None:
    assert tesuji.check_game(Cells()).ok
    search = tesuji.Search(Cells(), seed=1)
    result = search.run(playouts=200)
    assert result.value == 1.0
    assert json.loads(result.to_json())["to_move"] == 0
    search.advance(2)
    search.advance("3")
    assert search.position.cells.tolist() == [0, 0, 1, 1, 0]


def test_an_array_of_priors_for_moves_of_numpy() -> None:
    def evaluate(positions: list[Any]) -> tuple[Any, None]:
        return np.tile([1.0, 1.0, 1.0, 1.0, 4.0], (len(positions), 1)), None

    result = tesuji.Search(Cells(), "puct", evaluator=evaluate, batch=4, seed=1).run(playouts=50)
    assert {entry.move: entry.prior for entry in result.moves} == pytest.approx(
        {0: 0.125, 1: 0.125, 2: 0.125, 3: 0.125, 4: 0.5}
    )


def test_none_is_a_move_like_others() -> None:
    game = Steps(lambda: ("go", None))
    assert tesuji.check_game(game).ok
    search = tesuji.Search(game, seed=1)
    search.think(playouts=50)
    search.advance(None)
    assert search.position.left == 3
    assert {entry.move for entry in search.run(playouts=50).moves} == {"go", None}


@pytest.mark.parametrize("moves", [lambda: iter("abc"), lambda: {"a", "b", "c"}, lambda: range(3), lambda: "abc"])
def test_moves_in_anything_that_can_be_gone_through(moves: Any) -> None:
    game = Steps(moves)
    assert tesuji.check_game(game).ok
    result = tesuji.Search(game, evaluator=lambda positions: ([[1, 2, 3]] * len(positions), None), seed=1).run(
        playouts=20
    )
    assert len(result.moves) == 3


@pytest.mark.parametrize("moves", [("a", 1), ((0, 1), (2, 3)), ((0,), (1, 2)), (None,), (0.5, 1)])
def test_an_array_of_priors_needs_moves_that_are_numbers(moves: tuple[Any, ...]) -> None:
    search = tesuji.Search(Steps(lambda: moves), evaluator=lambda positions: (np.ones((len(positions), 4)), None))
    with pytest.raises(tesuji.EvaluatorError, match="are no numbers"):
        search.run(playouts=1)


@pytest.mark.parametrize("move", [-1, 4])
def test_an_array_of_priors_needs_a_column_for_each_move(move: int) -> None:
    search = tesuji.Search(Steps(lambda: (0, move)), evaluator=lambda positions: (np.ones((len(positions), 4)), None))
    with pytest.raises(tesuji.EvaluatorError, match=f"4 columns has none for move {move}"):
        search.run(playouts=1)


def test_a_class_is_no_position() -> None:
    with pytest.raises(tesuji.ArgumentError, match=r"Cells is a class: give a position, Cells\(\)"):
        tesuji.Search(Cells)  # type: ignore[arg-type]


def test_a_property_that_raises_is_not_called_missing() -> None:
    class Typo(Cells):
        @property
        def to_move(self) -> Any:
            return self.mover  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="mover"):
        tesuji.Search(Typo()).run(playouts=1)
