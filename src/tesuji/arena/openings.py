"""How games begin: the two games of a pair share an opening, with the colours swapped."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tesuji.arena.seeds import derive_seed
from tesuji.checks import check_integer
from tesuji.errors import ArgumentError, TesujiError, shown
from tesuji.games.own import CHANCE, AnyPosition

MAX_PLIES = 1000
# Of so many random beginnings one that does not end the game can be expected.
_ATTEMPTS = 100
_RANDOM = re.compile(r"random:([0-9]{1,9})")


class Openings(Protocol):
    """A value; `str` tells it from all others."""

    def check(self, start: AnyPosition) -> None: ...

    def moves(self, start: AnyPosition, *, seed: int, pair: int) -> tuple[Any, ...]:
        """The first moves of both games of this pair."""


@dataclass(frozen=True)
class NoOpenings:
    """Every game begins at the start."""

    def __str__(self) -> str:
        return "none"

    def check(self, start: AnyPosition) -> None: ...

    def moves(self, start: AnyPosition, *, seed: int, pair: int) -> tuple[Any, ...]:  # noqa: ARG002  the same for all
        return ()


def chance_move(position: Any, dice: random.Random) -> Any:
    """What the dice give, where chance is to move."""
    return dice.choices(position.legal_moves(), weights=position.chance_probabilities())[0]


@dataclass(frozen=True)
class RandomOpenings:
    """Random legal moves, another draw for each pair. A draw that ends the game is drawn again."""

    plies: int

    def __post_init__(self) -> None:
        check_integer("the number of random moves", self.plies, low=1, high=MAX_PLIES)

    def __str__(self) -> str:
        return f"random:{self.plies}"

    def check(self, start: AnyPosition) -> None:
        self.moves(start, seed=0, pair=0)

    def moves(self, start: AnyPosition, *, seed: int, pair: int) -> tuple[Any, ...]:
        for attempt in range(_ATTEMPTS):
            moves = self._draw(start, derive_seed(seed, pair, "opening", attempt))
            if moves is not None:
                return moves
        raise ArgumentError(
            f"random openings of {self.plies} moves nearly always end the game ({start!r}): ask for fewer moves"
        )

    def _draw(self, start: AnyPosition, seed: int) -> tuple[Any, ...] | None:
        position, moves = start, []
        for ply in range(self.plies):
            if position.to_move == CHANCE:
                moves.append(chance_move(position, random.Random(derive_seed(seed, ply))))
            else:
                legal = position.legal_moves()
                moves.append(legal[derive_seed(seed, ply) % len(legal)])
            position = position.play(moves[-1])
            if position.is_over:
                return None
        return tuple(moves)


@dataclass(frozen=True)
class ListedOpenings:
    """Openings from a list: one for each pair, and from the beginning again when they are used up."""

    lines: tuple[tuple[Any, ...], ...]

    def __post_init__(self) -> None:
        if not self.lines:
            raise ArgumentError("a list of openings needs at least one")

    def __str__(self) -> str:
        return f"list of {len(self.lines)}, {hashlib.blake2b(repr(self.lines).encode(), digest_size=8).hexdigest()}"

    def check(self, start: AnyPosition) -> None:
        for number, line in enumerate(self.lines, start=1):
            try:
                _play(start, line)
            except TesujiError as error:
                raise ArgumentError(f"opening {number}: {error}") from None

    def moves(self, start: AnyPosition, *, seed: int, pair: int) -> tuple[Any, ...]:  # noqa: ARG002  as the list says
        return self.lines[pair % len(self.lines)]


def read_openings(path: Path, start: AnyPosition) -> ListedOpenings:
    """Reads a file with one opening a line, moves as text with spaces between them; `#` begins a comment."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # a file that is no text, or a name that no file can have
        raise ArgumentError(f"the openings in {path} cannot be read: {error}") from None
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            lines.append(_play(start, words))
        except TesujiError as error:
            raise ArgumentError(f"{path}, line {number}: {error}") from None
    if not lines:
        raise ArgumentError(f"{path} has no openings: write one a line, moves with spaces between them")
    return ListedOpenings(tuple(lines))


def _play(start: AnyPosition, moves: Iterable[int | str]) -> tuple[Any, ...]:
    """The numbers of these moves, which must be legal one after another and leave a game to play."""
    position, numbers = start, []
    for move in moves:
        position = position.play(move)
        numbers.append(start.parse_move(move) if isinstance(move, str) else move)
    if position.is_over:
        raise ArgumentError("the game is over after this opening")
    return tuple(numbers)


def as_openings(value: str | Path | Openings | None, start: AnyPosition) -> Openings:
    """`random:8`, a file, openings as they are, or None."""
    if value is None:
        return NoOpenings()
    if isinstance(value, str) and value.startswith("random:"):
        found = _RANDOM.fullmatch(value)
        if found is None:
            raise ArgumentError(f"openings {shown(value)}: write random:8 for eight random moves, or name a file")
        return RandomOpenings(int(found[1]))
    if isinstance(value, str | Path):
        return read_openings(Path(value), start)
    if not hasattr(value, "moves"):
        raise ArgumentError(f"openings must be 'random:8', a file, or a list of openings, not {shown(value)}")
    value.check(start)
    return value
