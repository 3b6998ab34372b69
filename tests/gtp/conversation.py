"""Conversations with the server, in this process: all lines at once, or one after another while it works."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, Self

from tesuji.games.registry import make_game
from tesuji.gtp.lines import LineReader
from tesuji.gtp.server import serve
from tesuji.gtp.session import Session
from tesuji.gtp.table import Table
from tesuji.gtp.thinker import Settings

PATIENCE = 60.0  # where nothing is to be late, however loaded the machine is


def make_session(
    reader: LineReader,
    write: Callable[[str], None],
    *,
    game: str = "go",
    size: int | None = None,
    lag: float = 0.1,
    resign: float = 0.0,
    **settings: Any,
) -> Session:
    table = Table(make_game(game, size=size))
    limits = {"playouts": 50, "max_memory": "64MB", "engine": "best", **settings}
    return Session(table, Settings(**limits), reader=reader, write=write, lag=lag, resign=resign)


def say(lines: Sequence[str | bytes], run: Callable[[Session], None] = serve, **options: Any) -> str:
    """All that the server writes when it is told these lines, and nothing after them."""
    text = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    receiving, sending = os.pipe()
    written: list[str] = []
    feeder = threading.Thread(target=_feed, args=(sending, text))
    feeder.start()
    try:
        run(make_session(LineReader(receiving), written.append, **options))
    finally:
        os.close(receiving)  # what the server does not read any more must not hold the feeder up
        feeder.join()
    return "".join(written)


def _feed(descriptor: int, text: bytes) -> None:
    try:
        while text:
            text = text[os.write(descriptor, text) :]
    except BrokenPipeError:
        pass
    finally:
        os.close(descriptor)


def answers(lines: Sequence[str], **options: Any) -> list[str]:
    """The answers, one for each line, without the empty line behind them."""
    found = say(lines, **options).split("\n\n")
    assert found.pop() == ""
    return found


class Live:
    """A server at work in a thread, to be talked to line by line."""

    def __init__(self, run: Callable[[Session], None] = serve, **options: Any) -> None:
        self._receiving, self._sending = os.pipe()
        self._lines: queue.Queue[str] = queue.Queue()
        self._rest = ""
        self.session = make_session(LineReader(self._receiving), self._write, **options)
        self._thread = threading.Thread(target=run, args=(self.session,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._sending)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def _write(self, text: str) -> None:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._lines.put(line)

    def send(self, line: str) -> None:
        os.write(self._sending, f"{line}\n".encode())

    def line(self) -> str:
        return self._lines.get(timeout=PATIENCE)

    def lines_until_empty(self) -> list[str]:
        """The lines of one answer."""
        lines = []
        while line := self.line():
            lines.append(line)
        return lines

    def ask(self, line: str) -> list[str]:
        self.send(line)
        return self.lines_until_empty()
