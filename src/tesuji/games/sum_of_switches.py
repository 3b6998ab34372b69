"""Sum of Switches, the artificial game of Tom and Müller (2009), made to study RAVE: its best play is known."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from tesuji import _core
from tesuji.checks import check_integer
from tesuji.games import svg
from tesuji.games.board_text import SYMBOLS
from tesuji.games.native import NativeSumOfSwitches
from tesuji.games.numbered_moves import NumberedMoves

MAX_SIZE = 256
NUMBERS_A_LINE = 20


class SumOfSwitches(NumberedMoves):
    """A position of Sum of Switches: the players pick numbers from 0 to `size` - 1 in turn, each number once.

    A player's score is the sum of the own picks. The first player wins with a lead of at least `komi`, which is
    `size // 2`: the lead that best play gives, where both always pick the largest number left. So every other pick is
    a mistake. Moves are the numbers; as text "7".
    """

    __slots__ = ()

    _native: NativeSumOfSwitches

    game: ClassVar[str] = "sum-of-switches"
    players: ClassVar[tuple[str, ...]] = ("First", "Second")
    plane_names: ClassVar[tuple[str, ...]] = ("own picks", "opponent's picks", "numbers left", "player to move")

    def __init__(self, size: int = 10) -> None:
        number = check_integer("size", size, low=1, high=MAX_SIZE)
        object.__setattr__(self, "_native", _core.sum_of_switches(number))

    @property
    def size(self) -> int:
        return self._native.size

    @property
    def komi(self) -> int:
        """The lead with which the first player wins."""
        return self._native.komi

    def scores(self) -> tuple[int, int]:
        """The sum of each player's picks."""
        return self._native.scores()

    def _state(self) -> dict[str, Any]:
        return {"cells": self._native.cells()}

    @classmethod
    def _from_state(cls, state: dict[str, Any]) -> Self:
        """Who picked what decides everything, so any order of the picks gives the same position."""
        cells: bytes = state["cells"]
        picks = [[number for number, owner in enumerate(cells) if owner == player] for player in (0, 1)]
        position = cls(len(cells))
        for ply in range(len(picks[0]) + len(picks[1])):
            position = position.play(picks[ply % 2][ply // 2])
        return position

    # ---- moves

    @property
    def num_distinct_moves(self) -> int:
        return self.size

    def _why_illegal(self, move: int) -> str:
        return f"the number is already picked by {self.players[self._native.cells()[move]]}"

    # ---- views

    @property
    def shape(self) -> tuple[int, int]:
        return 1, self.size

    def _board_text(self) -> str:
        """The numbers, and below each whose it is: X for the first player, O for the second, a dot for nobody."""
        cells = self._native.cells()
        width = len(str(self.size - 1))
        lines = []
        for start in range(0, self.size, NUMBERS_A_LINE):
            numbers = range(start, min(start + NUMBERS_A_LINE, self.size))
            lines.append(" ".join(f"{number:>{width}}" for number in numbers))
            lines.append(" ".join(f"{SYMBOLS[cells[number]]:>{width}}" for number in numbers))
        return "\n".join(lines)

    def _status(self) -> str:
        first, second = self.scores()
        return f"{super()._status()}, {first} : {second}, komi {self.komi}"

    def _options_text(self) -> str:
        return f"size={self.size}"

    def svg(self) -> str:
        cells = self._native.cells()
        columns = min(self.size, NUMBERS_A_LINE)
        rows = -(-self.size // columns)
        drawing = svg.Drawing(
            width=2 * svg.MARGIN + svg.CELL * columns,
            height=2 * svg.MARGIN + 2 * svg.CELL * rows,
            background=svg.PAPER,
            title=repr(self),
        )
        for number, owner in enumerate(cells):
            row, column = divmod(number, columns)
            drawing.label(svg.centre(2 * row, column), str(number))
            if owner < 2:
                drawing.stone(svg.centre(2 * row + 1, column), owner)
        return drawing.document()
