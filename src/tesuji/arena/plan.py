"""A match as a value: all that its games depend on."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tesuji.arena.openings import NoOpenings, Openings
from tesuji.arena.players import PlayerSpec
from tesuji.arena.seeds import derive_seed
from tesuji.arena.settle import check_referee
from tesuji.checks import check_integer, check_seed
from tesuji.errors import ArgumentError, GameStateError, shown
from tesuji.games.own import AnyPosition

# Without superko a game of Go may go round in circles; no other game comes near this.
DEFAULT_MOVE_LIMIT = 2000
MAX_MOVE_LIMIT = 10_000_000
FAILURE_RULES = ("loss", "void")
_SHARD = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")


@dataclass(frozen=True, kw_only=True)
class MatchPlan:
    """A game follows from the plan and its number alone.

    How many games are played, where and by how many processes is no part of it: a match can grow, and be played in
    pieces. A player that fails loses the game or makes it void, as `failures` says. After `move_limit` moves a game is
    a draw.
    """

    start: AnyPosition
    players: tuple[PlayerSpec, PlayerSpec]
    seed: int
    openings: Openings = field(default_factory=NoOpenings)
    failures: str = "loss"
    move_limit: int = DEFAULT_MOVE_LIMIT
    referee: PlayerSpec | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.start, AnyPosition):
            raise ArgumentError(f"game must be a position or the name of a game, not {shown(self.start)}")
        if self.start.is_over:
            raise GameStateError(f"a match cannot begin where the game is over ({self.start!r})")
        if self.start.num_players != 2:
            raise ArgumentError(f"a match needs a game of two players, and {self.start!r} has {self.start.num_players}")
        if self.failures not in FAILURE_RULES:
            raise ArgumentError(f"failures must be 'loss' or 'void', not {shown(self.failures)}")
        check_integer("move_limit", self.move_limit, low=1, high=MAX_MOVE_LIMIT)
        check_seed(self.seed)

    def check(self) -> None:
        """Raises an error before the first game where a player or an opening cannot be used."""
        self.openings.check(self.start)
        for player in (*self.players, *([check_referee(self.referee)] if self.referee else [])):
            player.check(self.start)

    def a_is_first(self, number: int) -> bool:
        return number % 2 == 0

    def opening(self, number: int) -> tuple[Any, ...]:
        """The first moves of this game; games 2i and 2i+1 share them."""
        return self.openings.moves(self.start, seed=self.seed, pair=number // 2)

    def chance_seed(self, number: int) -> int:
        """Of the dice in this game; games 2i and 2i+1 share their luck."""
        return derive_seed(self.seed, number // 2, "chance")

    def seeds(self, number: int) -> tuple[int, int]:
        """The seeds of A and B in this game."""
        return derive_seed(self.seed, number, "a"), derive_seed(self.seed, number, "b")

    @functools.cached_property
    def names(self) -> tuple[str, str]:
        """What tells A and B from all other players."""
        return str(self.players[0]), str(self.players[1])

    def describe(self) -> dict[str, Any]:
        """The plan in plain values, the same on every machine."""
        return {
            "game": self.start.game,
            "start": self.start.fingerprint(),
            "a": self.names[0],
            "b": self.names[1],
            "seed": str(self.seed),
            "openings": str(self.openings),
            "failures": self.failures,
            "move_limit": self.move_limit,
            "referee": None if self.referee is None else str(self.referee),
        }

    @functools.cached_property
    def digest(self) -> str:
        """The name of this match in stores and files: another plan has another."""
        text = json.dumps(self.describe(), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Shard:
    """One of several equal parts of a match: the pairs whose number leaves `index - 1` when divided by `count`."""

    index: int = 1
    count: int = 1

    def __post_init__(self) -> None:
        check_integer("the number of shards", self.count, low=1)
        check_integer("the shard", self.index, low=1, high=self.count)

    def numbers(self, games: int) -> Iterator[int]:
        return (number for number in range(games) if number // 2 % self.count == self.index - 1)


def parse_shard(text: str) -> Shard:
    """`2/5`: the second of five."""
    found = _SHARD.fullmatch(text)
    if found is None:
        raise ArgumentError(f"a shard is written i/n, such as 2/5 for the second of five, not {shown(text)}")
    return Shard(index=int(found[1]), count=int(found[2]))
