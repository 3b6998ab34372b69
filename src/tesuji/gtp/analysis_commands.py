"""Live analysis, in the three ways that boards read."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from tesuji.errors import TesujiError
from tesuji.games.go import Go
from tesuji.games.position import Position
from tesuji.gtp.analysis import KATA, LZ, SABAKI, Request, Style, analysis_line, parse_request
from tesuji.gtp.lead import ScoreLeads
from tesuji.gtp.protocol import Command, GtpError
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
        self.position = position
        self._leads = ScoreLeads(position, session.thinker.settings.seed) if isinstance(position, Go) else None
        self._last = time.monotonic()

    def format(self, move: int) -> str:
        return self._session.table.dialect.format(self.position, move)

    def __call__(self, search: Search) -> None:
        if time.monotonic() - self._last >= max(_SHORTEST_INTERVAL, self._request.interval):
            self.report(search)

    def report(self, search: Search) -> None:
        self._last = time.monotonic()
        line = analysis_line(search.result(), self._request, self._style, self.format, self._leads)
        if line:
            self._session.write(f"{line}\n")


@contextlib.contextmanager
def _streamed(session: Session, command: Command) -> Iterator[None]:
    """An answer that comes line by line. What goes wrong after its beginning can only be a line of it."""
    session.write(f"={command.number}\n")
    try:
        yield
    except TesujiError as error:
        session.write(f"error: {error}\n")
    except Exception as error:
        session.write(f"internal error: {type(error).__name__}: {error}\n")
    finally:
        session.write("\n")


def _asked(session: Session, command: Command, style: Style) -> tuple[Request, _Reporter]:
    """What is to be analysed, and who reports on it."""
    request = parse_request(command.arguments, session.table)
    position = session.table.turn_of(request.player)
    if not any(map(request.permits, position.legal_moves())):
        raise GtpError("avoid and allow leave no legal move")
    return request, _Reporter(session, position, request, style)


def _analyze(session: Session, command: Command, style: Style) -> None:
    """Searches the position and reports, until a line comes: it may be empty, and is not lost."""
    request, reporter = _asked(session, command, style)
    search = session.thinker.search_of(reporter.position)
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
    request, reporter = _asked(session, command, style)
    with _streamed(session, command):
        move = session.genmove(request.player, seen=reporter, permits=request.permits)
        session.write(f"play {'resign' if move is None else reporter.format(move)}\n")


def _register(prefix: str, style: Style, how: str) -> None:
    """The two commands of a way to write."""

    def analyze(session: Session, command: Command) -> None:
        _analyze(session, command, style)

    def genmove_analyze(session: Session, command: Command) -> None:
        _genmove_analyze(session, command, style)

    analyze.__doc__ = f"Analysis {how}, until the next line of input."
    genmove_analyze.__doc__ = f"A genmove with analysis {how} on the way; then `play MOVE`."
    command(f"{prefix}analyze {_ARGUMENTS}")(analyze)
    command(f"{prefix}genmove_analyze {_ARGUMENTS}")(genmove_analyze)


_register("lz-", LZ, "as Leela Zero gives it")
_register("kata-", KATA, "as KataGo gives it")
_register("", SABAKI, "as Sabaki reads it")
