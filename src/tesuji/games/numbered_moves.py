"""Games whose moves have no other name than their number."""

from __future__ import annotations

from tesuji.games.position import Position

_MAX_DIGITS = 9  # more than any move has; what is longer need not be made a number


class NumberedMoves(Position):
    """A position whose moves are written as "0", "1", ..."""

    __slots__ = ()

    def _parse(self, text: str) -> int | None:
        number = int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None
        return number if number is not None and number < self.num_distinct_moves else None

    def _format(self, move: int) -> str:
        return str(move)

    def _move_syntax(self) -> str:
        return f"write a number from 0 to {self.num_distinct_moves - 1}"
