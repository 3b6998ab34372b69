"""Rectangular boards as text, with coordinates: written by `str(position)`, read by `from_ascii`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tesuji.errors import ArgumentError, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SYMBOLS = "XO."
_CODES = {"X": 0, "#": 0, "O": 1, "0": 1, ".": 2, "+": 2, "-": 2, "_": 2}


def format_board(cells: NDArray[np.uint8], columns: Sequence[str], rows: Sequence[str]) -> str:
    """X for player 0, O for player 1, a dot for an empty cell, with the coordinates around them."""
    width = max(len(name) for name in rows)
    header = " " * (width + 1) + " ".join(columns)
    lines = [
        f"{name:>{width}} " + " ".join(SYMBOLS[cell] for cell in row) + f" {name}"
        for name, row in zip(rows, cells, strict=True)
    ]
    return "\n".join([header, *lines, header])


def parse_board(text: str) -> list[list[int]]:
    """The rows of a board drawn as text: X or # for player 0, O for player 1, and . + - _ for empty cells.

    Spaces are ignored. So are the coordinates and the last line that `str(position)` prints: what it shows can be
    pasted back.
    """
    if not isinstance(text, str):
        raise ArgumentError(f"a board must be given as text, not {shown(text)}")
    rows: list[list[int]] = []
    for line in text.splitlines():
        tokens = line.split()
        if not tokens or _is_header(tokens) or (rows and _is_status(line)):
            continue
        rows.append(_parse_row(line, tokens))
    if not rows:
        raise ArgumentError("the board's text has no rows: write one line a row, with X, O and . for the cells")
    return rows


def _parse_row(line: str, tokens: list[str]) -> list[int]:
    if len(tokens) > 1 and tokens[0].isdigit() and tokens[0] != "0":
        tokens = tokens[1:]
        if len(tokens) > 1 and tokens[-1].isdigit() and tokens[-1] != "0":
            tokens = tokens[:-1]
    symbols = "".join(tokens).upper()
    for symbol in symbols:
        if symbol not in _CODES:
            raise ArgumentError(f"{symbol!r} in the row {shown(line)} is no cell: use X, O and . for the cells")
    return [_CODES[symbol] for symbol in symbols]


def _is_header(tokens: list[str]) -> bool:
    return len(tokens) > 1 and [token.lower() for token in tokens[:2]] == ["a", "b"]


def _is_status(line: str) -> bool:
    return any(word in line.lower() for word in ("to move", "wins", "draw"))


def check_square(rows: list[list[int]], size: int) -> bytes:
    """The cells of a size by size board in reading order."""
    widths = {len(row) for row in rows}
    if len(rows) != size or widths != {size}:
        found = f"{len(rows)} rows of {' or '.join(str(width) for width in sorted(widths))} cells"
        raise ArgumentError(f"the board must have {size} rows of {size} cells, but the text has {found}")
    return bytes(cell for row in rows for cell in row)
