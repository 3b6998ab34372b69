"""Live analysis, in the three dialects that boards speak."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from tesuji.games.position import Position
from tesuji.gtp.analysis import Request, Style, analysis_line, parse_request
from tesuji.gtp.protocol import Command
from tesuji.gtp.registry import command
from tesuji.gtp.session import Session
from tesuji.gtp.thinker import FINAL, run_slice
from tesuji.search import Search

_SHORTEST_INTERVAL = 0.01
_SLICE_SECONDS = 0.1
_ARGUMENTS = "[COLOUR] [CENTISECONDS] ..."


class _Reporter:
    """Writes a line whenever the interval has passed."""

    def __init__(self, session: Session, position: Position, request: Request, style: Style) -> None:
        self._session = session
        self._request = request
        self._style = style
        self._format: Callable[[int], str] = lambda move: session.table.dialect.format(position, move)
        self._last = time.monotonic()

    def __call__(self, search: Search) -> None:
        if time.monotonic() - self._last >= max(_SHORTEST_INTERVAL, self._request.interval):
            self.report(search)

    def report(self, search: Search) -> None:
        self._last = time.monotonic()
        line = analysis_line(search.result(), self._request, self._style, self._format)
        if line:
            self._session.write(f"{line}\n")


@contextlib.contextmanager
def _streamed(session: Session, command: Command) -> Iterator[None]:
    """An answer that comes line by line. What goes wrong after its beginning can only be a line of it."""
    session.write(f"={command.number}\n")
    try:
        yield
    except Exception as error:
        session.write(f"internal error: {type(error).__name__}: {error}\n")
    finally:
        session.write("\n")


def _analyze(session: Session, command: Command, style: Style) -> None:
    """Searches the position and reports, until a line comes: it may be empty, and is not lost."""
    request = parse_request(command.arguments, session.table)
    position = session.table.turn_of(request.player)
    search = session.thinker.search_of(position)
    reporter = _Reporter(session, position, request, style)
    seconds = min(_SLICE_SECONDS, max(_SHORTEST_INTERVAL, request.interval))
    with _streamed(session, command), session.reader.announcing(lambda _: session.thinker.stop()):
        while not session.reader.is_waiting():
            report = run_slice(search, seconds=seconds)
            reporter(search)
            if report.stopped_by in FINAL:
                reporter.report(search)
                break


def _genmove_analyze(session: Session, command: Command, style: Style) -> None:
    """A genmove that reports while it thinks. No line ends it."""
    request = parse_request(command.arguments, session.table)
    position = session.table.turn_of(request.player)
    reporter = _Reporter(session, position, request, style)
    with _streamed(session, command):
        move = session.genmove(request.player, seen=reporter)
        text = "resign" if move is None else session.table.dialect.format(position, move)
        session.write(f"play {text}\n")


@command(f"lz-analyze {_ARGUMENTS}")
def lz_analyze(session: Session, command: Command) -> None:
    """Analysis as Leela Zero gives it, until the next line of input."""
    _analyze(session, command, "lz")


@command(f"kata-analyze {_ARGUMENTS}")
def kata_analyze(session: Session, command: Command) -> None:
    """Analysis as KataGo gives it, until the next line of input; with `ownership true` that of every point."""
    _analyze(session, command, "kata")


@command(f"analyze {_ARGUMENTS}")
def analyze(session: Session, command: Command) -> None:
    """Analysis as Sabaki expects it: KataGo's."""
    _analyze(session, command, "kata")


@command(f"lz-genmove_analyze {_ARGUMENTS}")
def lz_genmove_analyze(session: Session, command: Command) -> None:
    """A genmove with Leela Zero's analysis on the way; then `play MOVE`."""
    _genmove_analyze(session, command, "lz")


@command(f"kata-genmove_analyze {_ARGUMENTS}")
def kata_genmove_analyze(session: Session, command: Command) -> None:
    """A genmove with KataGo's analysis on the way; then `play MOVE`."""
    _genmove_analyze(session, command, "kata")


@command(f"genmove_analyze {_ARGUMENTS}")
def genmove_analyze(session: Session, command: Command) -> None:
    """The same as Sabaki calls it."""
    _genmove_analyze(session, command, "kata")
