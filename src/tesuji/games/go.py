"""Go on boards of 5 to 19: area scoring, no suicide, positional superko unless switched off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex

from tesuji import _core
from tesuji.checks import check_bool, check_integer, check_number, check_seed
from tesuji.errors import ArgumentError, IllegalMoveError, shown
from tesuji.games import svg
from tesuji.games.board_text import check_square, format_board, parse_board
from tesuji.games.native import NativeGo
from tesuji.games.position import EMPTY, Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LETTERS = "ABCDEFGHJKLMNOPQRST"  # no I, as in GTP and on every printed diagram
MIN_SIZE, MAX_SIZE = 5, 19
MAX_KOMI = 1000.0
MAX_OWNERSHIP_PLAYOUTS = 100_000  # some seconds, which nothing interrupts


class Go(Position):
    """A Go position. Moves are row * size + column from the upper left corner; size * size is the pass.

    As text a move is a GTP vertex ("D4": letters without I, 1 at the bottom) or "pass". Two passes end the game, and
    the area that each side holds decides it: all stones on the board count as alive.

    Positions are equal when stones, player to move, ko, passes, size, komi and the superko rule are. What was on the
    board before is not compared, although under superko it may forbid a move in one of them and not in the other.

    `handicap` places 2 to 9 fixed handicap stones, as GTP's `fixed_handicap` does, and lets White begin.
    """

    __slots__ = ()
    _native: NativeGo

    game: ClassVar[str] = "go"
    plane_names: ClassVar[tuple[str, ...]] = (*Position.plane_names, "point forbidden by ko", "last move was a pass")

    def __init__(self, size: int = 9, komi: float = 7.5, superko: bool = True, *, handicap: int = 0) -> None:
        size, komi = _check_size(size), _check_komi(komi)
        check_bool("superko", superko)
        native: NativeGo = _core.go(size, komi, superko)
        if check_integer("handicap", handicap, low=0):
            cells = bytearray(bytes([EMPTY]) * (size * size))
            for point in handicap_points(size, handicap):
                cells[point] = 0
            native = _set_up(size, komi, superko, bytes(cells), 1)
        object.__setattr__(self, "_native", native)

    # ---- set-up

    @classmethod
    def from_stones(
        cls,
        *,
        black: Iterable[str] = (),
        white: Iterable[str] = (),
        to_move: int = 0,
        size: int = 9,
        komi: float = 7.5,
        superko: bool = True,
    ) -> Self:
        """A position with these stones on the board, given as GTP vertices."""
        board = cls(size, komi, superko)
        cells = bytearray(bytes([EMPTY]) * (board.size * board.size))
        for colour, points in enumerate((black, white)):
            for text in points:
                point = board._parse_point(text)
                if cells[point] != EMPTY:
                    raise ArgumentError(f"two stones on {board.format_move(point)}: give every point at most once")
                cells[point] = colour
        return cls._wrap(_set_up(board.size, board.komi, superko, bytes(cells), to_move))

    @classmethod
    def from_ascii(cls, text: str, *, to_move: int = 0, komi: float = 7.5, superko: bool = True) -> Self:
        """A position drawn as text, the first line at the top: X is Black, O is White, a dot an empty point."""
        rows = parse_board(text)
        size = _check_size(len(rows))
        cells = check_square(rows, size)
        return cls._wrap(_set_up(size, _check_komi(komi), check_bool("superko", superko), cells, to_move))

    def _state(self) -> dict[str, Any]:
        native = self._native
        return {
            "size": native.size,
            "komi": native.komi,
            "superko": native.superko,
            "cells": native.cells(),
            "to_move": native.to_move(),
            "ko": native.ko_point(),
            "passes": native.passes(),
            "last_move": native.last_move(),
            "move_before_last": native.move_before_last(),
            "history": list(native.history()),
        }

    @classmethod
    def _from_state(cls, state: dict[str, Any]) -> Self:
        return cls._wrap(_core.go_setup(**state))

    # ---- what Go adds

    @property
    def native(self) -> NativeGo:
        return self._native

    @property
    def size(self) -> int:
        return self._native.size

    @property
    def komi(self) -> float:
        return self._native.komi

    @property
    def superko(self) -> bool:
        return self._native.superko

    @property
    def pass_move(self) -> int:
        return self.size * self.size

    @property
    def ko_point(self) -> int | None:
        """The point that may not be retaken at once, or None."""
        return self._native.ko_point()

    @property
    def last_move(self) -> int | None:
        return self._native.last_move()

    @property
    def score(self) -> float:
        """Black's area minus White's and komi, counting the board as it stands: positive when Black is ahead."""
        return self._native.area_score() - self.komi

    def with_rules(self, *, komi: float | None = None, superko: bool | None = None, earlier: Go | None = None) -> Self:
        """The same position with another komi, or with or without superko.

        What was on the board before is only known under superko. `earlier` is a position that this one came from, and
        that knows it: then neither that one nor what came before it may come again.
        """
        state = self._state()
        if earlier is not None:
            state["history"] = list(earlier.native.history())
        state["komi"] = state["komi"] if komi is None else _check_komi(komi)
        state["superko"] = state["superko"] if superko is None else check_bool("superko", superko)
        return self._from_state(state)

    def ownership(self, playouts: int = 1000, seed: int | None = None) -> NDArray[np.float64]:
        """How often each player owned each point at the end of playouts: (players, rows, columns), in [0, 1].

        A point is owned by whose stone it holds, or whose stones alone enclose it; one that both touch is nobody's.
        Passes before do not count, and the players begin by turns. These playouts answer an atari and do not put their
        own chains into one: so they judge life and death well where no reading is needed, and leave a seki as it is.
        """
        import numpy as np  # noqa: PLC0415  slow to load, and most games are played without it

        count = check_integer("playouts", playouts, low=1, high=MAX_OWNERSHIP_PLAYOUTS)
        owned = np.array(self._native.ownership(count, check_seed(seed)), dtype=np.float64)
        return owned.reshape(2, *self.shape) / count

    def with_to_move(self, player: int) -> Self:
        """The same stones with this player to move, as records and servers want it where a player moves twice.

        Nobody has just passed then, and no ko is forbidden: so also a game that was over goes on.
        """
        mover = check_integer("player", player, low=0, high=1)
        forgotten = {"ko": None, "passes": 0, "last_move": None, "move_before_last": None}
        return self._from_state({**self._state(), "to_move": mover, **forgotten})

    def parse_sgf_move(self, text: str) -> int:
        """The move of an SGF pair such as "dd": column, then row from the top. Both "" and "tt" are a pass."""
        if text in ("", "tt"):
            return self.pass_move
        if isinstance(text, str) and len(text) == 2:
            column, row = (ord(letter) - ord("a") for letter in text)
            if 0 <= column < self.size and 0 <= row < self.size:
                return row * self.size + column
        last = chr(ord("a") + self.size - 1)
        raise IllegalMoveError(
            f"{shown(text)} is no SGF move here: write two letters from a to {last}, or '' for a pass"
        )

    def format_sgf_move(self, move: SupportsIndex) -> str:
        number = self._move_number(move)
        if number == self.pass_move:
            return ""
        row, column = divmod(number, self.size)
        return chr(ord("a") + column) + chr(ord("a") + row)

    # ---- moves as text

    @property
    def num_distinct_moves(self) -> int:
        return self.size * self.size + 1

    def _parse(self, text: str) -> int | None:
        if text == "pass":
            return self.pass_move
        column = LETTERS.find(text[:1].upper()) if text else -1
        if not 0 <= column < self.size or not text[1:].isascii() or not text[1:].isdigit() or len(text) > 3:
            return None
        row = self.size - int(text[1:])
        return row * self.size + column if 0 <= row < self.size else None

    def _format(self, move: int) -> str:
        if move == self.pass_move:
            return "pass"
        row, column = divmod(move, self.size)
        return f"{LETTERS[column]}{self.size - row}"

    def _move_syntax(self) -> str:
        return f"write A1 to {LETTERS[self.size - 1]}{self.size} (the letters leave out I), or pass"

    def _parse_point(self, text: str) -> int:
        point = self.parse_move(text)
        if point == self.pass_move:
            raise ArgumentError("'pass' is no point for a stone")
        return point

    def _why_illegal(self, move: int) -> str:
        cells = self._native.cells()
        if cells[move] != EMPTY:
            return f"the point is occupied by {self.players[cells[move]]}"
        if move == self.ko_point:
            return "it retakes a ko at once; play elsewhere first"
        if _is_suicide(cells, self.size, move, self.to_move):
            return "it is suicide: the stone would have no liberty"
        return "superko: it repeats an earlier position of the board"

    # ---- views

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, self.size

    def _extra_planes(self) -> list[NDArray[Any]]:
        import numpy as np  # noqa: PLC0415  slow to load, and most games are played without it

        ko = np.zeros(self.shape)
        if self.ko_point is not None:
            ko.flat[self.ko_point] = 1
        return [ko, np.full(self.shape, self._native.passes() > 0)]

    def _coordinates(self) -> tuple[str, list[str]]:
        return LETTERS[: self.size], [str(number) for number in range(self.size, 0, -1)]

    def _board_text(self) -> str:
        return format_board(self.cells(), *self._coordinates())

    def _status(self) -> str:
        status = super()._status()
        if self.is_over:
            return f"{status} by {abs(self.score):g}" if self.score else status
        return status + (" after a pass" if self._native.passes() else "")

    def _options_text(self) -> str:
        return f"size={self.size}, komi={self.komi:g}, superko={self.superko}"

    def svg(self) -> str:
        columns, rows = self._coordinates()
        cells = self.cells()
        drawing = svg.rectangular_board(
            cells, columns=columns, rows=rows, background=svg.WOOD, title=repr(self), lines=True
        )
        for point in star_points(self.size):
            drawing.dot(svg.centre(*divmod(point, self.size)), 3, "#3a2d12")
        svg.place_stones(drawing, cells)
        if self.last_move is not None and self.last_move != self.pass_move:
            drawing.mark(svg.centre(*divmod(self.last_move, self.size)))
        return drawing.document()


def star_points(size: int) -> list[int]:
    """Where the board is marked: the handicap points, most of which bigger and odd boards have."""
    most = _max_handicap(size)
    return handicap_points(size, most) if most else []


def handicap_points(size: int, count: int) -> list[int]:
    """The points of GTP's `fixed_handicap`: opposite corners, the other corners, sides, and the centre for 5, 7, 9."""
    most = _max_handicap(size)
    if not 2 <= count <= most:
        allowed = f"0 or 2 to {most}" if most else "0"
        raise ArgumentError(f"handicap on {size}x{size} must be {allowed}, not {count}")
    low = 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    corners = [(low, low), (high, high), (low, high), (high, low)]  # column, row from the bottom
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    odd_one = count in (5, 7, 9)
    points = [*corners, *sides][: count - odd_one] + [(middle, middle)] * odd_one
    return [(size - 1 - row) * size + column for column, row in points]


def free_handicap_points(size: int, count: int) -> list[int]:
    """Points for any number of handicap stones, as GTP's `place_free_handicap` wants them.

    They are the fixed ones where there are as many. Each further stone is as far from all others as it can be, on the
    third line or above while there is room there.
    """
    _check_size(size)
    check_integer("free handicap", count, low=2, high=size * size - 1)
    most = _max_handicap(size)
    if count <= most:
        return handicap_points(size, count)
    points = handicap_points(size, most) if most else [size // 2 * size + size // 2]
    # Of each free point the distance to the nearest stone.
    nearest = {point: min(_distance(point, stone, size) for stone in points) for point in range(size * size)}

    def merit(point: int) -> tuple[bool, int, int]:
        row, column = divmod(point, size)
        return min(row, column, size - 1 - row, size - 1 - column) >= 2, nearest[point], -point

    for stone in points:
        del nearest[stone]
    while len(points) < count:
        points.append(max(nearest, key=merit))
        del nearest[points[-1]]
        for point, distance in nearest.items():
            nearest[point] = min(distance, _distance(point, points[-1], size))
    return points


def _distance(a: int, b: int, size: int) -> int:
    return abs(a // size - b // size) + abs(a % size - b % size)


def _max_handicap(size: int) -> int:
    if size < 7:
        return 0
    return 4 if size == 7 or size % 2 == 0 else 9


def _check_size(size: object) -> int:
    return check_integer("the size of a Go board", size, low=MIN_SIZE, high=MAX_SIZE)


def _check_komi(komi: object) -> float:
    return check_number("komi", komi, low=-MAX_KOMI, high=MAX_KOMI)


def _set_up(size: int, komi: float, superko: bool, cells: bytes, to_move: object) -> NativeGo:
    mover = check_integer("to_move", to_move, low=0, high=1)
    for point, colour in enumerate(cells):
        if colour != EMPTY and not _has_liberty(cells, size, point):
            name = f"{LETTERS[point % size]}{size - point // size}"
            raise ArgumentError(f"the stone on {name} has no liberty: such a position cannot be set up")
    return _core.go_setup(size, komi, superko, cells, mover, None, 0, None, None, [])


def neighbours(point: int, size: int) -> list[int]:
    """The points next to one."""
    row, column = divmod(point, size)
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size]


def _has_liberty(cells: bytes, size: int, point: int) -> bool:
    """Whether the chain of the stone on this point has an empty neighbour."""
    seen, todo = {point}, [point]
    while todo:
        for other in neighbours(todo.pop(), size):
            if cells[other] == EMPTY:
                return True
            if cells[other] == cells[point] and other not in seen:
                seen.add(other)
                todo.append(other)
    return False


def _is_suicide(cells: bytes, size: int, point: int, player: int) -> bool:
    after = bytearray(cells)
    after[point] = player
    board = bytes(after)
    captures = any(board[n] == 1 - player and not _has_liberty(board, size, n) for n in neighbours(point, size))
    return not captures and not _has_liberty(board, size, point)
