"""Tic-tac-toe: small enough to be solved, so it is the first thing a search is tried on."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from tesuji import _core
from tesuji.errors import ArgumentError
from tesuji.games import svg
from tesuji.games.board_text import check_square, format_board, parse_board
from tesuji.games.native import NativePosition
from tesuji.games.position import Position

SIZE = 3
COLUMNS, ROWS = "abc", "123"


class TicTacToe(Position):
    """A tic-tac-toe position. Moves are row * 3 + column with a1 = 0 in the upper left corner; as text "b2"."""

    __slots__ = ()

    game: ClassVar[str] = "tic-tac-toe"
    players: ClassVar[tuple[str, ...]] = ("X", "O")

    def __init__(self) -> None:
        object.__setattr__(self, "_native", _core.tic_tac_toe())

    @classmethod
    def from_ascii(cls, text: str) -> Self:
        """A position drawn as text; whose turn it is follows from the number of stones."""
        return cls._wrap(_reach(check_square(parse_board(text), SIZE)))

    def _state(self) -> dict[str, Any]:
        return {"cells": self._native.cells()}

    @classmethod
    def _from_state(cls, state: dict[str, Any]) -> Self:
        return cls._wrap(_reach(state["cells"]))

    @property
    def num_distinct_moves(self) -> int:
        return SIZE * SIZE

    def _parse(self, text: str) -> int | None:
        if len(text) != 2 or text[0] not in COLUMNS or text[1] not in ROWS:
            return None
        return ROWS.index(text[1]) * SIZE + COLUMNS.index(text[0])

    def _format(self, move: int) -> str:
        return COLUMNS[move % SIZE] + ROWS[move // SIZE]

    def _move_syntax(self) -> str:
        return "write a1 (upper left) to c3"

    def _why_illegal(self, move: int) -> str:
        return f"the cell is occupied by {self.players[self._native.cells()[move]]}"

    @property
    def shape(self) -> tuple[int, int]:
        return SIZE, SIZE

    def _board_text(self) -> str:
        return format_board(self.cells(), COLUMNS, ROWS)

    def svg(self) -> str:
        cells = self.cells()
        drawing = svg.rectangular_board(
            cells, columns=COLUMNS, rows=ROWS, background=svg.PAPER, title=repr(self), lines=False
        )
        svg.place_stones(drawing, cells)
        return drawing.document()


def _reach(cells: bytes) -> NativePosition:
    """Plays to this board. A game that is over ended with its last stone: each of the mover's is tried as that one."""
    stones = [[cell for cell, colour in enumerate(cells) if colour == player] for player in (0, 1)]
    if len(stones[0]) - len(stones[1]) not in (0, 1):
        raise ArgumentError(f"X has {len(stones[0])} stones and O {len(stones[1])}: X must have as many or one more")
    last_mover = 0 if len(stones[0]) > len(stones[1]) else 1
    candidates: list[int | None] = [*stones[last_mover]] or [None]
    for last in candidates:
        order = [[cell for cell in side if cell != last] for side in stones]
        moves = [order[ply % 2][ply // 2] for ply in range(sum(map(len, order)))]
        position: NativePosition = _core.tic_tac_toe()
        for move in moves if last is None else [*moves, last]:
            if not position.is_legal(move):
                break
            position = position.play(move)
        else:
            return position
    raise ArgumentError("no game leads to this board: the stones go on after a line of three")
