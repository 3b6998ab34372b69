"""Havannah on boards of side 3 to 10: a ring, a bridge or a fork wins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex

from tesuji import _core
from tesuji.checks import check_bool, check_integer
from tesuji.errors import ArgumentError, IllegalMoveError, shown
from tesuji.games import svg
from tesuji.games.board_text import SYMBOLS
from tesuji.games.native import NativeHavannah
from tesuji.games.position import EMPTY, OFF_BOARD, Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_SIDE, MAX_SIDE = 3, 10


class Havannah(Position):
    """A Havannah position. Moves are y * width + x on a grid of width 2 * size - 1; width * width is the swap.

    As text a move is the column's letter and the row's number on that grid: "a1" is x = 0, y = 0, and a cell is on the
    board when |x - y| < size. Little Golem, which numbers every column from its own first cell, has methods of its
    own. With `swap=True` the second player may answer the first stone with "swap" and take it over.
    """

    __slots__ = ()
    _native: NativeHavannah

    game: ClassVar[str] = "havannah"
    players: ClassVar[tuple[str, ...]] = ("White", "Black")
    plane_names: ClassVar[tuple[str, ...]] = (*Position.plane_names, "swap is legal")

    def __init__(self, size: int = 5, swap: bool = False) -> None:
        side = check_integer("the side of a Havannah board", size, low=MIN_SIDE, high=MAX_SIDE)
        object.__setattr__(self, "_native", _core.havannah(side, check_bool("swap", swap)))

    # ---- set-up

    @classmethod
    def from_stones(
        cls, *, white: Iterable[str] = (), black: Iterable[str] = (), to_move: int = 0, size: int = 5
    ) -> Self:
        """A position with these stones on the board, given as cells such as "h3"; the swap is no longer possible."""
        board = cls(size)
        cells = bytearray(board.native.cells())
        for colour, texts in enumerate((white, black)):
            for text in texts:
                cell = board.parse_move(text)
                if cell == board.swap_move:
                    raise ArgumentError("'swap' is no cell for a stone")
                if cells[cell] != EMPTY:
                    raise ArgumentError(f"two stones on {board.format_move(cell)}: give every cell at most once")
                cells[cell] = colour
        mover = check_integer("to_move", to_move, low=0, high=1)
        try:
            return cls._wrap(_core.havannah_setup(board.size, False, bytes(cells), mover))
        except ValueError as error:  # both players have won
            raise ArgumentError(str(error)) from None

    def _state(self) -> dict[str, Any]:
        return {
            "side": self.size,
            "swap": self._native.swap_pending,
            "cells": self._native.cells(),
            "to_move": self.to_move,
            "last_move": self._native.last_move(),
            "move_before_last": self._native.move_before_last(),
        }

    @classmethod
    def _from_state(cls, state: dict[str, Any]) -> Self:
        return cls._wrap(_core.havannah_setup(**state))

    # ---- what Havannah adds

    @property
    def native(self) -> NativeHavannah:
        return self._native

    @property
    def size(self) -> int:
        """Cells on each of the six sides."""
        return self._native.side

    @property
    def width(self) -> int:
        return 2 * self.size - 1

    @property
    def swap_move(self) -> int:
        return self.width * self.width

    @property
    def winner(self) -> int | None:
        return self._native.winner()

    @property
    def win_kind(self) -> str:
        """'ring', 'bridge' or 'fork' when somebody has won, else 'none'."""
        return self._native.win_kind()

    def parse_little_golem_move(self, text: str) -> int:
        """The move of a Little Golem coordinate: the column's letter, and the number counted within the column."""
        cell = _letter_and_number(text.strip().lower()) if isinstance(text, str) else None
        if cell is not None and 0 <= cell[0] < self.width:
            x, y = cell[0], cell[1] + self._first_row(cell[0])
            if cell[1] >= 0 and self._is_on_board(x, y):
                return y * self.width + x
        if isinstance(text, str) and text.strip().lower() == "swap":
            return self.swap_move
        raise IllegalMoveError(f"{shown(text)} is no Little Golem coordinate on a board of side {self.size}")

    def format_little_golem_move(self, move: SupportsIndex) -> str:
        number = self._move_number(move)
        if number == self.swap_move:
            return "swap"
        y, x = divmod(number, self.width)
        return f"{chr(ord('a') + x)}{y - self._first_row(x) + 1}"

    def _first_row(self, x: int) -> int:
        return max(0, x - self.size + 1)

    def _is_on_board(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.width and abs(x - y) < self.size

    # ---- moves as text

    @property
    def num_distinct_moves(self) -> int:
        return self.swap_move + 1

    def _parse(self, text: str) -> int | None:
        if text == "swap":
            return self.swap_move
        cell = _letter_and_number(text)
        if cell is None or not self._is_on_board(*cell):
            return None
        return cell[1] * self.width + cell[0]

    def _format(self, move: int) -> str:
        if move == self.swap_move:
            return "swap"
        y, x = divmod(move, self.width)
        return f"{chr(ord('a') + x)}{y + 1}"

    def _move_number(self, move: object) -> int:
        number = super()._move_number(move)
        y, x = divmod(number, self.width)
        if number != self.swap_move and not self._is_on_board(x, y):
            raise IllegalMoveError(f"move number {number} (column {x}, row {y}) lies off the board of side {self.size}")
        return number

    def _move_syntax(self) -> str:
        last = chr(ord("a") + self.width - 1)
        return f"write a1 to {last}{self.width} where column and row differ by less than {self.size}, or swap"

    def _why_illegal(self, move: int) -> str:
        if move == self.swap_move:
            return "only the answer to the first stone may be a swap, in a game that was begun with swap=True"
        return f"the cell is occupied by {self.players[self._native.cells()[move]]}"

    # ---- views

    @property
    def shape(self) -> tuple[int, int]:
        return self.width, self.width

    def _extra_planes(self) -> list[NDArray[Any]]:
        import numpy as np  # noqa: PLC0415  slow to load, and most games are played without it

        return [np.full(self.shape, self._native.is_legal(self.swap_move))]

    def _board_text(self) -> str:
        """Each row is half a cell further to the left than the one above it on the grid, so that columns slant."""
        side, cells = self.size, self.cells()
        letters = [chr(ord("a") + x) for x in range(self.width)]
        lines = [" " * (side + 3) + " ".join(letters[:side])]
        for y in range(self.width):
            row = " ".join(SYMBOLS[cell] for cell in cells[y] if cell != OFF_BOARD)
            end = f" {letters[y + side]}" if y + side < self.width else ""
            lines.append(f"{y + 1:>2} " + " " * abs(side - 1 - y) + row + end)
        return "\n".join(lines)

    def _status(self) -> str:
        status = super()._status()
        return f"{status} by a {self.win_kind}" if self.winner is not None else status

    def _options_text(self) -> str:
        return f"size={self.size}"

    def svg(self) -> str:
        cells, side, step = self.cells(), self.size, svg.CELL
        row_height = step * 0.866
        drawing = svg.Drawing(
            width=2 * svg.MARGIN + step * self.width,
            height=2 * svg.MARGIN + row_height * self.width,
            background=svg.PAPER,
            title=repr(self),
        )
        for y, x in zip(*(axis.tolist() for axis in (cells != OFF_BOARD).nonzero()), strict=True):
            middle = (svg.MARGIN + step * (x - y / 2 + side / 2), svg.MARGIN + row_height * (y + 0.5))
            drawing.polygon(svg.hexagon(middle, step * 0.577), "#dfd3b0")
            if cells[y, x] == EMPTY:
                drawing.label(middle, self._format(y * self.width + x), size=8)
            else:  # the first player is White here
                drawing.stone(middle, 1 - int(cells[y, x]), radius=step * 0.38)
        return drawing.document()


def _letter_and_number(text: str) -> tuple[int, int] | None:
    """Column and row, both from 0, of text such as "h3"."""
    letter, digits = text[:1], text[1:]
    if not ("a" <= letter <= "z") or not digits.isascii() or not digits.isdigit() or len(digits) > 2:
        return None
    return ord(letter) - ord("a"), int(digits) - 1
