"""A test position: a board, whose turn it is, and which answers are right."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tesuji.errors import ArgumentError
from tesuji.games.go import Go
from tesuji.games.position import Position
from tesuji.gtp.table import Table


class ProblemFileError(ArgumentError):
    """A file of test positions that cannot be read; the message has the file and the line."""

    def __init__(self, file: Path, line: int | None, what: str) -> None:
        super().__init__(f"{file}, line {line}: {what}" if line is not None else f"{file}: {what}")


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """The answers that are right: those that a regular expression matches as a whole or, negated, all others."""

    pattern: str
    negated: bool = False

    @classmethod
    def of_moves(cls, moves: Iterable[str], *, negated: bool = False) -> Expectation:
        return cls(pattern="|".join(map(re.escape, moves)), negated=negated)

    def is_met(self, answer: str) -> bool:
        return (re.fullmatch(self.pattern, answer, re.IGNORECASE) is None) == self.negated

    def __str__(self) -> str:
        return f"[{'!' if self.negated else ''}{self.pattern}]"


@dataclass(frozen=True, kw_only=True)
class Setup:
    """How the board came to be: where it began, and each move with the player who made it. GTP wants it so.

    Games of Go are replayed without superko, since not all rules have it; an answer must keep to it.
    """

    start: Position
    moves: tuple[tuple[int, int], ...]
    player: int

    @classmethod
    def from_table(cls, table: Table, player: int) -> Setup:
        start = table.start.with_rules(superko=False) if isinstance(table.start, Go) else table.start
        return cls(start=start, moves=tuple((step.player, step.move) for step in table.steps), player=player)

    def table(self) -> Table:
        table = Table(self.start)
        table.play_all(self.moves)
        table.set_rules(rules=table.rules)
        return table

    @property
    def digest(self) -> str:
        """A short text for the board, the moves and the player: another one where any of them is another."""
        text = f"{self.start!r}\n{self.start}\n{self.moves}\n{self.player}"
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    @property
    def board(self) -> str:
        """The game and its size, for tables."""
        size = getattr(self.start, "size", None)
        if size is None:
            return self.start.game
        return f"{self.start.game} {size}x{size}" if isinstance(self.start, Go) else f"{self.start.game} {size}"


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One test. `suite` and `id` name it; without a `setup` it cannot be asked, and `obstacle` says why.

    With `known_fail` the suite itself expects its engine to fail.
    """

    suite: str
    id: str
    file: str
    line: int
    expected: Expectation
    setup: Setup | None = None
    obstacle: str = ""
    known_fail: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.suite, self.id


def with_own_ids(problems: Iterable[Problem]) -> list[Problem]:
    """Of tests of one file with the same name all but the first are named with their lines."""
    seen: set[tuple[str, str]] = set()
    named = []
    for problem in problems:
        is_new = problem.key not in seen
        seen.add(problem.key)
        named.append(problem if is_new else replace(problem, id=f"{problem.id} (line {problem.line})"))
    return named


def check_unique(problems: Sequence[Problem]) -> None:
    """Two tests of one name could not be told apart in a comparison, and would have the same seed."""
    seen: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        first = seen.setdefault(problem.key, problem)
        if first is not problem:
            raise ProblemFileError(
                Path(problem.file),
                problem.line,
                f"there is a test {problem.id} of {problem.suite} already, in {first.file}, line {first.line}",
            )
