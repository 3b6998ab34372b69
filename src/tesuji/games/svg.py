"""Boards as SVG pictures: a few shapes, and the three kinds of board that the games share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CELL = 28.0
MARGIN = 26.0
STONES = (("#1b1b1b", "#000000"), ("#fbfbfb", "#555555"))
WOOD, GREEN, PAPER = "#e3b667", "#2f7d4f", "#f4f1e8"


class Drawing:
    """Collects shapes, and gives the document at the end."""

    def __init__(self, *, width: float, height: float, background: str, title: str) -> None:
        self._size = (width, height)
        self._shapes: list[str] = [f"<title>{escape(title)}</title>"]
        self._add("rect", x=0, y=0, width=width, height=height, rx=4, fill=background)

    def _add(self, tag: str, **attributes: float | str) -> None:
        text = "".join(f" {name.replace('_', '-')}={_attribute(value)}" for name, value in attributes.items())
        self._shapes.append(f"<{tag}{text}/>")

    def line(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self._add("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke="#3a2d12", stroke_width=1)

    def dot(self, centre: tuple[float, float], radius: float, fill: str) -> None:
        self._add("circle", cx=centre[0], cy=centre[1], r=radius, fill=fill)

    def stone(self, centre: tuple[float, float], player: int, *, radius: float = CELL * 0.44) -> None:
        fill, stroke = STONES[player]
        self._add("circle", cx=centre[0], cy=centre[1], r=radius, fill=fill, stroke=stroke, stroke_width=1)

    def mark(self, centre: tuple[float, float]) -> None:
        self._add("circle", cx=centre[0], cy=centre[1], r=CELL * 0.16, fill="none", stroke="#d33", stroke_width=2)

    def polygon(self, points: Iterable[tuple[float, float]], fill: str) -> None:
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._add("polygon", points=text, fill=fill, stroke="#8a8470", stroke_width=1)

    def label(self, centre: tuple[float, float], text: str, *, size: float = 11) -> None:
        x, y = centre
        self._shapes.append(
            f'<text x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:g}" font-family="sans-serif" '
            f'text-anchor="middle" fill="#3a2d12">{escape(text)}</text>'
        )

    def document(self) -> str:
        width, height = self._size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}">'
        )
        return "\n".join([head, *self._shapes, "</svg>"])


def _attribute(value: float | str) -> str:
    return f'"{escape(value if isinstance(value, str) else f"{value:.1f}".rstrip("0").rstrip("."))}"'


def centre(row: int, column: int) -> tuple[float, float]:
    """Where a cell of a rectangular board lies."""
    return MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5)


def rectangular_board(
    cells: NDArray[np.uint8], *, columns: Sequence[str], rows: Sequence[str], background: str, title: str, lines: bool
) -> Drawing:
    """A board with its coordinates and stones; stones stand on the crossings of the lines or in squares."""
    height, width = cells.shape
    drawing = Drawing(
        width=2 * MARGIN + CELL * width, height=2 * MARGIN + CELL * height, background=background, title=title
    )
    _grid(drawing, width, height, 0.5 if lines else 0.0)
    for column, name in enumerate(columns):
        x = centre(0, column)[0]
        drawing.label((x, MARGIN * 0.5), name)
        drawing.label((x, MARGIN * 1.5 + CELL * height), name)
    for row, name in enumerate(rows):
        y = centre(row, 0)[1]
        drawing.label((MARGIN * 0.5, y), name)
        drawing.label((MARGIN * 1.5 + CELL * width, y), name)
    return drawing


def _grid(drawing: Drawing, width: int, height: int, inset: float) -> None:
    left, top = MARGIN + CELL * inset, MARGIN + CELL * inset
    right, bottom = MARGIN + CELL * (width - inset), MARGIN + CELL * (height - inset)
    for column in range(width + (inset == 0)):
        x = left + CELL * column
        drawing.line((x, top), (x, bottom))
    for row in range(height + (inset == 0)):
        y = top + CELL * row
        drawing.line((left, y), (right, y))


def place_stones(drawing: Drawing, cells: NDArray[np.uint8]) -> None:
    for row, column in zip(*(axis.tolist() for axis in (cells < 2).nonzero()), strict=True):
        drawing.stone(centre(row, column), int(cells[row, column]))


def text_picture(text: str, *, title: str) -> str:
    """Lines of text as a picture, for games that know no other."""
    lines = text.splitlines()
    width = 2 * MARGIN + 8 * max(len(line) for line in lines)
    drawing = Drawing(width=width, height=2 * MARGIN + 18 * len(lines), background=PAPER, title=title)
    for number, line in enumerate(lines):
        drawing.label((width / 2, MARGIN + 18 * (number + 0.5)), line)
    return drawing.document()


def hexagon(middle: tuple[float, float], radius: float) -> list[tuple[float, float]]:
    """The corners of a hexagon that stands on one of them."""
    angles = [math.radians(60 * corner - 30) for corner in range(6)]
    return [(middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)) for angle in angles]
