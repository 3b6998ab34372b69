"""Players that do as they are told, in a few lines each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tesuji.arena.players import PlayerFailure
from tesuji.errors import ArgumentError
from tesuji.games.own import AnyPosition


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """Plays the first or the last legal move, so that its games repeat, until it does something else at a move.

    `trouble` is "resign", "illegal", "crash" (while choosing), "crash at begin", "crash while watching" or "missing".
    It crashes also where there is no file `needs`.
    """

    trouble: str = ""
    needs: Path | None = None
    at_move: int = 0
    last: bool = False

    @property
    def name(self) -> str:
        return self.trouble or "scripted"

    def check(self, start: AnyPosition) -> None:
        if self.trouble == "missing":
            raise ArgumentError("there is no such program")

    def open(self) -> ScriptedPlayer:
        return ScriptedPlayer(self)


class ScriptedPlayer:
    def __init__(self, spec: Scripted) -> None:
        self._spec = spec
        self._seen: list[int] = []
        self.cpu_seconds = 0.0

    def begin(self, start: AnyPosition, *, seed: int, stopped: Callable[[], bool]) -> None:
        lacks_file = self._spec.needs is not None and not self._spec.needs.exists()
        if lacks_file or self._spec.trouble == "crash at begin":
            raise PlayerFailure("crash", "exit code 3")
        self._seen = []

    def observe(self, move: int) -> None:
        self._seen.append(move)
        if self._spec.trouble == "crash while watching" and len(self._seen) > self._spec.at_move:
            raise PlayerFailure("timeout", "no answer for 1 s")

    def choose(self, position: AnyPosition, stopped: Callable[[], bool]) -> int | None:
        if len(self._seen) >= self._spec.at_move:
            if self._spec.trouble == "resign":
                return None
            if self._spec.trouble == "illegal":
                return self._seen[0]
            if self._spec.trouble == "crash":
                raise PlayerFailure("crash", "exit code 3")
        moves = position.legal_moves()
        return moves[-1 if self._spec.last else 0]

    def close(self) -> None: ...
