"""What is kept of a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

#: How games end that nobody's failure ended.
REGULAR_ENDS = ("rules", "resignation", "move limit")


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One game.

    `points` is what A got: 1, 0.5 or 0, or what a game with real-valued rewards gave it; None where the game is void.
    `opening` are the first of the `moves`. `ended_by` is "rules", "resignation", "move limit", or why a player failed:
    "crash", "timeout", "illegal move" or "nonsense", and `reason` then says who and how. `disagreement` is set where
    two ways to settle a finished game of Go differed. Pairs are for A and B.
    """

    number: int
    a_is_first: bool
    a: str
    b: str
    version: str
    opening: tuple[Any, ...]
    seeds: tuple[int, int]
    moves: tuple[Any, ...]
    points: float | None
    ended_by: str
    reason: str | None
    disagreement: str | None
    cpu_seconds: tuple[float, float]
    wall_seconds: tuple[float, float]
    duplicate_of: int | None = None

    @property
    def pair(self) -> int:
        """The number of the pair: its two games share the opening."""
        return self.number // 2

    @property
    def is_void(self) -> bool:
        return self.points is None

    @property
    def course(self) -> tuple[bool, tuple[Any, ...]] | None:
        """What two duplicate games have in common. A game that ended by a failure has no duplicates."""
        return (self.a_is_first, self.moves) if self.ended_by in REGULAR_ENDS else None


def mark_duplicates(records: Iterable[GameRecord]) -> list[GameRecord]:
    """The games in order; each that repeats an earlier one, moves and seats, says which."""
    first: dict[tuple[bool, tuple[Any, ...]], int] = {}
    marked = []
    for record in sorted(records, key=lambda record: record.number):
        course = record.course
        earlier = None if course is None else first.setdefault(course, record.number)
        duplicate_of = None if earlier == record.number else earlier
        marked.append(record if duplicate_of == record.duplicate_of else replace(record, duplicate_of=duplicate_of))
    return marked
