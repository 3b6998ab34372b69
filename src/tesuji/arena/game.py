"""Plays one game of a match."""

from __future__ import annotations

import contextlib
import functools
import random
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from tesuji.arena.openings import chance_move
from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import Player, PlayerFailure, PlayerStopped, never
from tesuji.arena.record import GameRecord
from tesuji.arena.seeds import derive_seed
from tesuji.arena.settle import settle_go
from tesuji.errors import IllegalMoveError
from tesuji.games.go import Go
from tesuji.games.own import CHANCE


def play_game(plan: MatchPlan, number: int, stopped: Callable[[], bool] = never) -> GameRecord | None:
    """Plays one game of a match; None when it was stopped before its end.

    The players are opened anew for each game: so no game depends on those before it, and one that failed is restarted.
    """
    game = _Game(plan, number)
    try:
        try:
            is_finished = game.play(stopped)
        finally:
            game.close()
        return game.record(stopped) if is_finished else None
    except _Failed as failed:
        return game.record_of_failure(failed)
    except PlayerStopped:
        return None


class _Failed(Exception):  # noqa: N818  it never leaves this file
    def __init__(self, side: int, failure: PlayerFailure) -> None:
        self.side = side
        self.failure = failure


class _Game:
    """The state of a game while it is played. Sides are 0 for A and 1 for B."""

    def __init__(self, plan: MatchPlan, number: int) -> None:
        self.plan = plan
        self.number = number
        self.a_is_first = plan.a_is_first(number)
        self.seats = (0, 1) if self.a_is_first else (1, 0)  # which side sits where
        self.seeds = plan.seeds(number)
        self.opening = plan.opening(number)
        self.position = plan.start
        self.moves: list[Any] = []
        self.dice = random.Random(plan.chance_seed(number))
        self.players: list[Player] = []
        self.wall_seconds = [0.0, 0.0]
        self.resigned: int | None = None

    def play(self, stopped: Callable[[], bool]) -> bool:
        """False when it was stopped before its end."""
        for side in (0, 1):
            self._begin(side, stopped)
            if stopped():  # a program may have taken its time
                return False
        for opening_move in self.opening:
            self._make(opening_move)
        while not self.position.is_over and len(self.moves) < self.plan.move_limit:
            if self.position.to_move == CHANCE:
                self._make(chance_move(self.position, self.dice))
                continue
            side = self.seats[self.position.to_move]
            move = self._ask(side, stopped)
            if stopped():
                return False
            if move is None:
                self.resigned = side
                return True
            try:
                self._make(move)
            except IllegalMoveError as error:
                raise _Failed(side, PlayerFailure("illegal move", str(error))) from None
        return True

    def _begin(self, side: int, stopped: Callable[[], bool]) -> None:
        try:
            self.players.append(self.plan.players[side].open())
            self.players[side].begin(self.plan.start, seed=self.seeds[side], stopped=stopped)
        except PlayerFailure as failure:
            raise _Failed(side, failure) from None

    def _ask(self, side: int, stopped: Callable[[], bool]) -> Any:
        """A move, or None where the player resigns."""
        began = time.perf_counter()
        try:
            return self.players[side].choose(self.position, stopped)
        except PlayerFailure as failure:
            raise _Failed(side, failure) from None
        finally:
            self.wall_seconds[side] += time.perf_counter() - began

    def _make(self, move: Any) -> None:
        self.position = self.position.play(move)
        self.moves.append(move)
        for side in (0, 1):
            try:
                self.players[side].observe(move)
            except PlayerFailure as failure:
                raise _Failed(side, failure) from None

    def close(self) -> None:
        for player in self.players:
            with contextlib.suppress(PlayerFailure):
                player.close()

    # ---- the record

    def record(self, stopped: Callable[[], bool]) -> GameRecord:
        if self.resigned is not None:
            return self._record(points=float(self.resigned), ended_by="resignation")
        if not self.position.is_over:
            return self._record(points=0.5, ended_by="move limit")
        if isinstance(self.position, Go):
            seed = derive_seed(self.plan.seed, self.number, "settle")
            settlement = settle_go(self.position, seed=seed, referee=self.plan.referee, stopped=stopped)
            points = settlement.points if self.a_is_first else 1 - settlement.points
            return self._record(points=points, ended_by="rules", disagreement=settlement.disagreement)
        return self._record(points=self.position.rewards()[self.seats.index(0)], ended_by="rules")

    def record_of_failure(self, failed: _Failed) -> GameRecord:
        points = None if self.plan.failures == "void" else float(failed.side)
        reason = f"{'AB'[failed.side]}: {failed.failure}"
        return self._record(points=points, ended_by=failed.failure.reason, reason=reason)

    def _record(
        self, *, points: float | None, ended_by: str, reason: str | None = None, disagreement: str | None = None
    ) -> GameRecord:
        cpu_seconds = [player.cpu_seconds for player in self.players] + [0.0, 0.0]
        return GameRecord(
            number=self.number,
            a_is_first=self.a_is_first,
            a=self.plan.names[0],
            b=self.plan.names[1],
            version=tesuji_version(),
            opening=self.opening[: len(self.moves)],  # a player may fail before its end
            seeds=self.seeds,
            moves=tuple(self.moves),
            points=points,
            ended_by=ended_by,
            reason=reason,
            disagreement=disagreement,
            cpu_seconds=(cpu_seconds[0], cpu_seconds[1]),
            wall_seconds=(self.wall_seconds[0], self.wall_seconds[1]),
        )


@functools.cache
def tesuji_version() -> str:
    return version("tesuji")
