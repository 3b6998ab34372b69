"""Which line of a TOML file a value stands on: for messages, since Python's reader does not say."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADER = re.compile(r"\s*\[(\[)?\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_.-]+))\s*=""")


def line_of(text: str, place: Sequence[str | int]) -> int:
    """The line of the value at a place such as ("match", 2, "playouts"), counted from 1; the nearest one around it.

    What is written within one line, or continues on the next ones, has the line of its key.
    """
    found, depth = 1, 0
    for number, path in _paths(text):
        shared = _shared(path, place)
        if shared > depth:
            found, depth = number, shared
    return found


def _paths(text: str) -> list[tuple[int, tuple[str | int, ...]]]:
    """The places that the lines of a file begin: of tables and of keys."""
    paths: list[tuple[int, tuple[str | int, ...]]] = []
    table: tuple[str | int, ...] = ()
    counts: dict[tuple[str | int, ...], int] = {}
    closing: str | None = None  # within a text of several lines, what ends it
    for number, line in enumerate(text.splitlines(), start=1):
        if closing is not None:
            closing = None if closing in line else closing
            continue
        closing = next((mark for mark in ('"""', "'''") if line.count(mark) == 1), None)
        if (header := _HEADER.match(line)) is not None:
            table = _table(header[2], is_array=header[1] is not None, counts=counts)
            paths.append((number, table))
        elif (key := _KEY.match(line)) is not None:
            name = key[1] or key[2]
            paths.append((number, (*table, *([name] if name else key[3].split(".")))))
    return paths


def _table(name: str, *, is_array: bool, counts: dict[tuple[str | int, ...], int]) -> tuple[str | int, ...]:
    """The place of a table: `[match.scale.quick]` belongs to the last `[[match]]`."""
    path: tuple[str | int, ...] = ()
    words = [word.strip().strip("\"'") for word in name.split(".")]
    for word in words[:-1]:
        path = (*path, word)
        if path in counts:
            path = (*path, counts[path] - 1)
    path = (*path, words[-1])
    if is_array:
        counts[path] = counts.get(path, 0) + 1
        path = (*path, counts[path] - 1)
    return path


def _shared(path: Sequence[str | int], place: Sequence[str | int]) -> int:
    """How many steps of a place a path goes along with; none where it leaves it."""
    return len(path) if tuple(place[: len(path)]) == tuple(path) else 0
