"""A player that is another program: its command line, what to say to it first, and how long to wait for it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tesuji.arena.gtp_client import GtpClient, GtpRefusal, GtpStopped, find_program
from tesuji.arena.gtp_dialects import DIALECTS, Dialect
from tesuji.arena.players import Budget, PlayerFailure, never
from tesuji.checks import check_positive
from tesuji.errors import ArgumentError, GameStateError, IllegalMoveError, MissingProgramError, shown, suggestion
from tesuji.games.own import AnyPosition

DEFAULT_TIMEOUT = 60.0
# Programs keep seeds in a signed int, and for some of them 0 means the time of day.
SEED_RANGE = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class GtpProgram:
    """A program that speaks GTP, as a player.

    `setup` is sent at the start of every game, before the board. In it and in `command`, `{seed}` becomes the game's
    seed. `timeout` is the longest wait for an answer, in seconds. `dialect` is a name in `DIALECTS`; without one it
    follows from the game. Without `ids` commands are not numbered, for a program that does not repeat the numbers.
    """

    command: tuple[str, ...]
    setup: tuple[str, ...] = ()
    timeout: float = DEFAULT_TIMEOUT
    dialect: str | None = None
    ids: bool = True
    name: str = field(default="", compare=False)
    #: How to get the program, for the message that it is not there.
    install: str = field(default="", compare=False)
    #: What `command` and `setup` tell it to spend on a move, for tables; None where they tell it nothing.
    budget: Budget | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.command or not self.command[0]:
            raise ArgumentError("a program needs a command line, and this one is empty")
        check_positive("timeout", self.timeout)
        if self.dialect is not None and self.dialect not in DIALECTS:
            raise ArgumentError(
                f"there is no dialect {shown(self.dialect)}; known are {', '.join(DIALECTS)}"
                + suggestion(self.dialect, DIALECTS)
            )
        for text in self.setup:
            if "\n" in text or not text.strip():
                raise ArgumentError(f"a set-up command must be one line of text, not {shown(text)}")
        if not self.name:
            object.__setattr__(self, "name", Path(self.command[0]).name)

    def __str__(self) -> str:
        options = [
            *([f"timeout={self.timeout:g}"] if self.timeout != DEFAULT_TIMEOUT else []),
            *([f"dialect={self.dialect}"] if self.dialect is not None else []),
            *(["no ids"] if not self.ids else []),
        ]
        setup = "".join(f" | {text}" for text in self.setup)
        return f"gtp:{shlex.join(self.command)}{setup}" + (f" ({', '.join(options)})" if options else "")

    def check(self, start: AnyPosition) -> None:
        """Raises `ArgumentError` where the program is not there, or does not play this game."""
        try:
            find_program(self.command[0])
            self.dialect_for(start).check(start)
        except MissingProgramError as error:
            hint = f". To get it: {self.install}" if self.install else ""
            raise MissingProgramError(f"the player {self.name}: {error}{hint}") from None
        except ArgumentError as error:
            raise ArgumentError(f"the player {self.name}: {error}") from None

    def dialect_for(self, start: AnyPosition) -> Dialect:
        dialect = DIALECTS.get(self.dialect or start.game)
        if dialect is None:
            raise ArgumentError(f"no program can be told of {start.game}: GTP is spoken here for {_games()}")
        return dialect

    def open(self) -> GtpPlayer:
        return GtpPlayer(self)

    def start(self, *, seed: int, stopped: Callable[[], bool] = never) -> GtpClient:
        """The program in a process of its own, with the set-up commands behind it."""
        seed_text = str(1 + seed % SEED_RANGE)
        client = GtpClient([argument.replace("{seed}", seed_text) for argument in self.command], ids=self.ids)
        try:
            for text in self.setup:
                self.ask(client, text.replace("{seed}", seed_text), stopped)
        except BaseException:
            client.kill()
            raise
        return client

    def ask(self, client: GtpClient, command: str, stopped: Callable[[], bool] = never) -> str:
        """The answer to a command that a sound program does not refuse."""
        try:
            return client.send(command, timeout=self.timeout, stopped=stopped)
        except GtpRefusal as refusal:
            client.kill()
            raise PlayerFailure("nonsense", f"{self.name} refused {command!r}: {shown(str(refusal))}") from None


def _games() -> str:
    return ", ".join(dict.fromkeys(dialect.game for dialect in DIALECTS.values()))


class GtpPlayer:
    """The program at play. Every game has a process of its own, so that it does not depend on the games before it."""

    def __init__(self, program: GtpProgram) -> None:
        self._program = program
        self._client: GtpClient | None = None
        self._position: AnyPosition | None = None
        self._dialect: Dialect | None = None
        self._own_move: int | None = None
        self._stopped: Callable[[], bool] = never

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the program and its children since `begin`, as the system counts it."""
        return self._client.cpu_seconds if self._client is not None else 0.0

    def begin(self, start: AnyPosition, *, seed: int, stopped: Callable[[], bool] = never) -> None:
        self.close()
        self._position, self._own_move, self._stopped = start, None, stopped
        self._dialect = self._program.dialect_for(start)
        self._client = self._program.start(seed=seed, stopped=stopped)
        for command in self._dialect.opening(start):
            self._program.ask(self._client, command, stopped)

    def observe(self, move: int) -> None:
        client, dialect, position = self._begun()
        own_move, self._own_move = self._own_move, None
        self._position = position.play(move)
        command = dialect.tell(position, move)
        # genmove has put the program's own move on its board. And of the end it need not hear: it could only fail.
        if move != own_move and command is not None and not self._position.is_over:
            self._program.ask(client, command, self._stopped)

    def choose(self, position: AnyPosition, stopped: Callable[[], bool]) -> int | None:
        """The program's move. None when it resigns, and when `stopped()` became true while it thought."""
        client, dialect, _ = self._begun()
        question = f"genmove {dialect.colour(position)}"
        try:
            answer = self._program.ask(client, question, stopped)
        except GtpStopped:
            return None
        if answer.lower() == "resign":
            return None
        try:
            move = dialect.parse(position, answer)
        except IllegalMoveError as error:
            raise PlayerFailure("nonsense", f"{self._program.name} answered {question!r} so: {error}") from None
        try:
            position.play(move)
        except IllegalMoveError as error:
            raise PlayerFailure("illegal move", f"{self._program.name}: {error}") from None
        self._own_move = move
        return move

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def _begun(self) -> tuple[GtpClient, Dialect, AnyPosition]:
        if self._client is None or self._dialect is None or self._position is None:
            raise GameStateError("no game has begun: call begin() first")
        return self._client, self._dialect, self._position
