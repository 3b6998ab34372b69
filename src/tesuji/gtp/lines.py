"""Lines of input, read by a thread of their own: so a search can see that one has come. And the way back."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tesuji.gtp.protocol import MAX_LINE

_READ_BYTES = 2**16


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line without its end, and when it came by `time.monotonic()`."""

    text: str
    arrived: float


class LineReader:
    """Reads a file descriptor to its end. What is no UTF-8 is replaced, and a line without end is cut.

    The descriptor is read without Python's buffers: their locks would hold up the end of the program.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: queue.Queue[Line | None] = queue.Queue()
        self._listener: Callable[[str | None], None] | None = None
        threading.Thread(target=self._read, name="gtp-input", daemon=True).start()

    def next(self) -> Line | None:
        """Waits for a line; None at the end of the input, for ever after."""
        line = self._lines.get()
        if line is None:
            self._lines.put(None)
        return line

    def is_waiting(self) -> bool:
        """Whether `next` would answer at once."""
        return not self._lines.empty()

    @contextlib.contextmanager
    def announcing(self, listener: Callable[[str | None], None]) -> Iterator[None]:
        """Meanwhile the reading thread calls `listener` for every line, before anybody can take it; None is the end."""
        self._listener = listener
        try:
            yield
        finally:
            self._listener = None

    def _read(self) -> None:
        try:
            self._read_lines()
        finally:  # whatever has happened: nobody may wait for ever
            self._lines.put(None)

    def _read_lines(self) -> None:
        pending = b""
        while chunk := self._chunk():
            *lines, pending = (pending + chunk).split(b"\n")
            for line in lines:
                self._put(line)
            pending = pending[: MAX_LINE + 1]  # one more than allowed says that it was too long
        if pending:
            self._put(pending)
        self._announce(None)

    def _chunk(self) -> bytes:
        while True:
            try:
                return os.read(self._descriptor, _READ_BYTES)
            except BlockingIOError:  # some programs hand over pipes that do not wait
                select.select([self._descriptor], [], [])
            except OSError:  # closed
                return b""

    def _put(self, raw: bytes) -> None:
        text = raw[: MAX_LINE + 1].decode("utf-8", errors="replace")
        self._announce(text)
        self._lines.put(Line(text=text, arrived=time.monotonic()))

    def _announce(self, text: str | None) -> None:
        listener = self._listener
        if listener is not None:
            listener(text)


def write_all(descriptor: int, text: str) -> None:
    """Writes a text to its end, also into a pipe that is full and does not wait."""
    left = text.encode("utf-8", errors="backslashreplace")
    while left:
        try:
            left = left[os.write(descriptor, left) :]
        except BlockingIOError:
            select.select([], [descriptor], [])
