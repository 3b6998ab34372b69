"""Othello, with passes as moves of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from tesuji import _core
from tesuji.checks import check_integer
from tesuji.errors import ArgumentError
from tesuji.games import svg
from tesuji.games.board_text import check_square, format_board, parse_board
from tesuji.games.native import NativeOthello
from tesuji.games.position import EMPTY, Position

SIZE = 8
PASS = SIZE * SIZE
COLUMNS, ROWS = "abcdefgh", "12345678"


class Othello(Position):
    """An Othello position. Moves are row * 8 + column with a1 = 0 in the upper left corner; 64 is the pass.

    As text a move is "f5" or "pass". A pass is the only legal move of a player who cannot turn a disc while the other
    can; when neither can, the game is over and the most discs win.
    """

    __slots__ = ()
    _native: NativeOthello

    game: ClassVar[str] = "othello"

    def __init__(self) -> None:
        object.__setattr__(self, "_native", _core.othello())

    # ---- set-up

    @classmethod
    def from_discs(cls, *, black: Iterable[str], white: Iterable[str], to_move: int = 0) -> Self:
        """A position with these discs on the board, given as squares such as "e4"."""
        start = cls()
        cells = bytearray(bytes([EMPTY]) * PASS)
        for colour, squares in enumerate((black, white)):
            for text in squares:
                square = start.parse_move(text)
                if square == PASS:
                    raise ArgumentError("'pass' is no square for a disc")
                if cells[square] != EMPTY:
                    raise ArgumentError(f"two discs on {start.format_move(square)}: give every square at most once")
                cells[square] = colour
        return cls._wrap(_set_up(bytes(cells), to_move))

    @classmethod
    def from_ascii(cls, text: str, *, to_move: int = 0) -> Self:
        """A position drawn as text, row 1 first: X is Black, O is White, a dot an empty square."""
        return cls._wrap(_set_up(check_square(parse_board(text), SIZE), to_move))

    def _state(self) -> dict[str, Any]:
        return {"cells": self._native.cells(), "to_move": self.to_move, "last_move": self._native.last_move()}

    @classmethod
    def _from_state(cls, state: dict[str, Any]) -> Self:
        return cls._wrap(_set_up(**state))

    # ---- moves as text

    def discs(self) -> tuple[int, int]:
        """How many discs Black and White have."""
        cells = self._native.cells()
        return cells.count(0), cells.count(1)

    @property
    def num_distinct_moves(self) -> int:
        return PASS + 1

    def _parse(self, text: str) -> int | None:
        if text == "pass":
            return PASS
        if len(text) != 2 or text[0] not in COLUMNS or text[1] not in ROWS:
            return None
        return ROWS.index(text[1]) * SIZE + COLUMNS.index(text[0])

    def _format(self, move: int) -> str:
        return "pass" if move == PASS else COLUMNS[move % SIZE] + ROWS[move // SIZE]

    def _move_syntax(self) -> str:
        return "write a1 (upper left) to h8, or pass"

    def _why_illegal(self, move: int) -> str:
        if move == PASS:
            return "there is a legal move, so passing is not allowed"
        cells = self._native.cells()
        if cells[move] != EMPTY:
            return f"the square is occupied by {self.players[cells[move]]}"
        return "it turns no disc" + ("; the only move is to pass" if self.legal_moves() == [PASS] else "")

    # ---- views

    @property
    def shape(self) -> tuple[int, int]:
        return SIZE, SIZE

    def _board_text(self) -> str:
        return format_board(self.cells(), COLUMNS, ROWS)

    def _status(self) -> str:
        black, white = self.discs()
        return f"{super()._status()}, {black} : {white}"

    def svg(self) -> str:
        cells = self.cells()
        drawing = svg.rectangular_board(
            cells, columns=COLUMNS, rows=ROWS, background=svg.GREEN, title=repr(self), lines=False
        )
        svg.place_stones(drawing, cells)
        return drawing.document()


def _set_up(cells: bytes, to_move: object, last_move: int | None = None) -> NativeOthello:
    mover = check_integer("to_move", to_move, low=0, high=1)
    bits = [sum(1 << square for square, cell in enumerate(cells) if cell == colour) for colour in (0, 1)]
    return _core.othello_setup(bits[0], bits[1], mover, last_move)
