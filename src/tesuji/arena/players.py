"""Who plays: what a match asks of a player, and our own engines as players."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tesuji.checks import check_integer, check_number, check_positive
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, TesujiError
from tesuji.games.own import AnyPosition
from tesuji.search import MAX_PLAYOUTS, MAX_THREADS, Search

FailureReason = Literal["crash", "timeout", "illegal move", "nonsense"]


def never() -> bool:
    """For who has nothing to be stopped by."""
    return False


# So long may a search go on after the match was stopped.
STOP_CHECK_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What a player may spend on a move: whichever of the given limits is reached first ends the search.

    A search whose best move is worth less than the share `resign` of a win gives the game up.
    """

    playouts: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    threads: int = 1
    resign: float = 0.0

    def __post_init__(self) -> None:
        if self.playouts is None and self.seconds is None and self.cpu_seconds is None:
            raise ArgumentError("a player needs a budget: give playouts, seconds or cpu_seconds")
        if self.playouts is not None:
            check_integer("playouts", self.playouts, low=1, high=MAX_PLAYOUTS)
        for name in ("seconds", "cpu_seconds"):
            if getattr(self, name) is not None:
                check_positive(name, getattr(self, name))
        check_integer("threads", self.threads, low=1, high=MAX_THREADS)
        check_resign(self.resign)

    def __str__(self) -> str:
        parts = [
            f"{self.playouts} playouts" if self.playouts is not None else "",
            f"{self.seconds:g} s" if self.seconds is not None else "",
            f"{self.cpu_seconds:g} CPU-s" if self.cpu_seconds is not None else "",
            f"{self.threads} threads" if self.threads > 1 else "",
            f"resigns below {self.resign:g}" if self.resign > 0 else "",
        ]
        return ", ".join(part for part in parts if part)


def check_resign(share: object) -> float:
    return check_number("resign", share, low=0, high=0.5)


def needed(budget: Budget | None) -> Budget:
    """The budget of an engine, which cannot do without; one without limits says itself what is missing."""
    return Budget() if budget is None else budget


class PlayerFailure(TesujiError):  # noqa: N818  a crash of somebody else's program is an event of the match
    """A player that cannot go on with a game: it is void or lost, as the rules of the match say."""

    def __init__(self, reason: FailureReason, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"


class PlayerStopped(TesujiError):  # noqa: N818  no error, but the caller's own wish
    """The wait for a player was ended from outside."""


class Player(Protocol):
    """One that plays games, one after another. Each method may raise `PlayerFailure`."""

    @property
    def cpu_seconds(self) -> float:
        """Spent since `begin`."""

    def begin(self, start: AnyPosition, *, seed: int, stopped: Callable[[], bool]) -> None:
        """A new game, from the start of the match.

        One that has to be waited for, here or in `observe`, raises `PlayerStopped` once `stopped()` is true.
        """

    def observe(self, move: Any) -> None:
        """Every move that is made: those of the opening, the opponent's, and the player's own after `choose`."""

    def choose(self, position: AnyPosition, stopped: Callable[[], bool]) -> Any:
        """A move, or None to resign. Once `stopped()` is true the answer is not used any more."""

    def close(self) -> None: ...


class PlayerSpec(Protocol):
    """A player as a value: it can be pickled, equal ones are equal players, and `str` tells it from all others."""

    @property
    def name(self) -> str:
        """A short text for tables."""

    def check(self, start: AnyPosition) -> None:
        """Raises an error that says what is wrong, where this player cannot play from this position here."""

    def open(self) -> Player: ...


@dataclass(frozen=True, kw_only=True)
class EnginePlayer:
    """One of our own engines with its budget; the tree is kept from move to move."""

    engine: EngineSpec
    budget: Budget

    @property
    def name(self) -> str:
        return str(self.engine)

    def __str__(self) -> str:
        return f"{self.engine} [{self.budget}]"

    def check(self, start: AnyPosition) -> None:
        # With a playout: before it the threads are not there, nor is it known whether their trees can hold the moves.
        run = Search(start, self.engine, threads=self.budget.threads).think(playouts=1)
        if run.stopped_by == "interrupt":
            raise KeyboardInterrupt

    def open(self) -> Player:
        return _SearchingPlayer(self)


class _SearchingPlayer:
    def __init__(self, spec: EnginePlayer) -> None:
        self._spec = spec
        self._search: Search  # from begin() on
        self.cpu_seconds = 0.0

    def begin(
        self,
        start: AnyPosition,
        *,
        seed: int,
        stopped: Callable[[], bool] = never,  # noqa: ARG002  it begins at once
    ) -> None:
        self._search = Search(start, self._spec.engine, threads=self._spec.budget.threads, seed=seed)
        self.cpu_seconds = 0.0

    def observe(self, move: Any) -> None:
        began = time.thread_time()
        self._search.advance(move)
        self.cpu_seconds += time.thread_time() - began  # a large tree takes its time to follow the game

    def choose(self, position: AnyPosition, stopped: Callable[[], bool]) -> Any:  # noqa: ARG002  the search knows it
        search = self._search
        budget = self._spec.budget
        playouts, seconds, cpu_seconds = budget.playouts, budget.seconds, budget.cpu_seconds
        # In pieces, so that a stop does not wait for the end; with playouts as budget it is still the same run.
        while True:
            run = search.think(playouts, min(seconds or STOP_CHECK_SECONDS, STOP_CHECK_SECONDS), cpu_seconds)
            self.cpu_seconds += run.cpu_seconds
            if run.stopped_by == "interrupt":
                raise KeyboardInterrupt
            playouts = None if playouts is None else playouts - run.playouts
            seconds = None if seconds is None else seconds - run.seconds
            cpu_seconds = None if cpu_seconds is None else cpu_seconds - run.cpu_seconds
            spent = any(left is not None and left <= 0 for left in (playouts, seconds, cpu_seconds))
            if spent or run.stopped_by != "seconds" or stopped():
                return None if self._is_hopeless() else search.best_move()

    def _is_hopeless(self) -> bool:
        """Whether the best move of the last search is worth too little to go on."""
        share = self._spec.budget.resign
        if share == 0:
            return False
        low, high = self._search.position.reward_range
        best = self._search.best_move()
        child = next(child for child in self._search.glance() if child.move == best)
        return bool(child.visits > 0 and child.value < low + share * (high - low))

    def close(self) -> None: ...
