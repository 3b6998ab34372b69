"""A trace in the terminal: one row a point, one column an engine, and in each cell one line a move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.table import Table

from tesuji.tracing import Trace, TraceRow

LEGEND = "move, value, share of the visits; * is the move that would be played"

# What a table needs beside the cells: for the first column, and for the lines between columns.
_FIRST_COLUMN, _LINES = 14, 3
# An engine's name makes a column so wide at most; the rest goes to the next line.
_NAME_WIDTH = 20


def trace_tables(trace: Trace, top: int, *, width: int) -> Iterator[Table]:
    """As many engines in a table as the width has room for, then another table."""
    moves = trace.leading_moves(top)
    names = [str(engine).replace("+", "\n+") for engine in trace.engines]
    cells = [{row.playouts: _cell(row, moves) for row in trace.of(engine)} for engine in trace.engines]
    budgets = sorted({budget for column in cells for budget in column})
    name_width = _widest(names)
    cell_width = _widest(text for column in cells for text in column.values())
    column_width = max(cell_width, min(name_width, _NAME_WIDTH))
    room = max(1, (width - _FIRST_COLUMN) // (column_width + _LINES))
    for start in range(0, len(names), room):
        table = Table(title=f"seed {trace.seed}", show_lines=len(moves) > 1)
        table.add_column("playouts", justify="right", no_wrap=True)
        for name in names[start : start + room]:
            table.add_column(name, width=column_width, overflow="fold")
        for budget in budgets:
            table.add_row(f"{budget:,}", *(column.get(budget, "") for column in cells[start : start + room]))
        yield table


def _widest(texts: Iterable[str]) -> int:
    return max(len(line) for text in texts for line in text.splitlines())


def _cell(row: TraceRow, moves: Sequence[Any]) -> str:
    """Lines that line up: the moves have the same order in all cells."""
    entries = [row.entry(move) for move in moves]
    text_width = max(len(entry.text) for entry in entries)
    lines = []
    for entry in entries:
        mark = "*" if entry.move == row.best_move else " "
        # A value of a backup rule may be below 0 by a rounding: no minus sign for that.
        value = f"{round(100 * entry.value, 1) + 0.0:.1f}%" if entry.visits else "-"
        lines.append(f"{mark}{entry.text:<{text_width}} {value:>6} {row.share(entry):>4.0%}")
    return "\n".join(lines)
