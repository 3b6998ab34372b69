"""The table of GTP commands. Each is a function with a line about it; the modules `*_commands` fill the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tesuji.gtp.protocol import Command, GtpError
from tesuji.gtp.session import Session
from tesuji.gtp.table import GAMES

#: Takes the session and the command, and returns the answer; None where it has answered itself, line by line.
Handler = Callable[[Session, Command], str | None]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A command: its name, its arguments as a manual writes them, how many these are, and the games that have it."""

    name: str
    usage: str
    low: int
    high: int | None
    games: tuple[str, ...]
    summary: str
    run: Handler

    def check(self, command: Command) -> None:
        count = len(command.arguments)
        if count < self.low or (self.high is not None and count > self.high):
            raise GtpError(f"syntax error: write {self.usage}, with {_number(self.low, self.high)}, not {count}")


COMMANDS: Final[dict[str, Entry]] = {}


def command(usage: str, *, games: tuple[str, ...] = GAMES) -> Callable[[Handler], Handler]:
    """Puts a function into the table. `usage` is the name and the arguments: `[x]` may be left out, `...` repeats."""
    name, *arguments = usage.split()
    required = [word for word in arguments if not word.startswith("[") and word != "..."]
    high = None if arguments and arguments[-1].endswith("...") else len(arguments)

    def register(run: Handler) -> Handler:
        summary = " ".join((run.__doc__ or "").split("\n\n")[0].split())
        COMMANDS[name] = Entry(
            name=name, usage=usage, low=len(required), high=high, games=games, summary=summary, run=run
        )
        return run

    return register


def commands_of(game: str) -> list[Entry]:
    """Those that a game has, by name."""
    return sorted((entry for entry in COMMANDS.values() if game in entry.games), key=lambda entry: entry.name)


def _number(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or more arguments"
    if high == 0:
        return "no argument"
    return f"{high} argument{'s' * (high > 1)}" if low == high else f"{low} to {high} arguments"
