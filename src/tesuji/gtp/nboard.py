"""NBoard's protocol for Othello, version 2. A GUI tells the whole game anew; unknown lines are ignored, as it wants."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import Final

from tesuji.errors import ArgumentError, GameStateError, TesujiError, shown
from tesuji.games.othello import Othello
from tesuji.games.position import Position
from tesuji.gtp.protocol import GtpError, clean, integer
from tesuji.gtp.session import Session
from tesuji.gtp.table import Table
from tesuji.gtp.thinker import DEFAULT_PLAYOUTS, FINAL, run_slice
from tesuji.search import SearchResult

_NAME: Final = "tesuji"
_SLICE_SECONDS: Final = 0.1
_MAX_DEPTH: Final = 60
_MAX_HINTS: Final = 60
# A depth of 0 would be so many playouts, and each ply doubles them. The user's own budget is never exceeded.
_DEPTH_PLAYOUTS: Final = 64
_MAX_DOUBLINGS: Final = 16

# A property of GGF, such as B[F5//1.3]; in its values nothing is escaped that matters here.
_PROPERTY: Final = re.compile(r"([A-Za-z]+)\[([^\]]*)\]")
_BOARD: Final = re.compile(r"8\s+([-*O\s]+?)\s*([*O])")
_CELLS: Final = {"*": "X", "O": "O", "-": "."}


def check_game(table: Table) -> None:
    if table.game != Othello.game:
        raise ArgumentError(f"NBoard is for othello, not for {table.game}: add --game othello")


def serve_nboard(session: Session) -> None:
    """Answers until `quit`, or the end of the input."""
    check_game(session.table)
    server = _NBoard(session)
    while not session.is_over:
        line = session.next_line()
        if line is None:
            return
        server.answer(line.text)


class _NBoard:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._depth: int | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "nboard": self._nboard,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._ping,
            "learn": self._learn,
            "analyze": self._analyze,
            "quit": self._quit,
        }

    def answer(self, text: str) -> None:
        name, _, rest = clean(text.replace("#", "")).partition(" ")
        command = self._commands.get(name.lower())
        if command is None:
            return
        try:
            command(rest.strip())
        except TesujiError as error:
            self._say(f"status error: {error}")

    def _say(self, text: str) -> None:
        self._session.write(f"{text}\n")

    @property
    def _position(self) -> Position:
        return self._session.table.position

    # ---- set-up

    def _nboard(self, _version: str) -> None:
        self._say(f"set myname {_NAME}")

    def _quit(self, _rest: str) -> None:
        self._session.is_over = True

    def _ping(self, number: str) -> None:
        self._say(f"pong {number}".rstrip())

    def _learn(self, _rest: str) -> None:
        self._say("learned")

    def _set(self, rest: str) -> None:
        what, _, value = rest.partition(" ")
        if what.lower() == "depth":
            self._depth = integer("depth", value.strip(), low=1, high=_MAX_DEPTH)
        elif what.lower() == "game":
            start, moves = parse_ggf(value)
            game = Table(start)  # another one: an illegal move leaves ours as it is
            for move in moves:
                game.play(game.position.to_move, _parse_move(game, move))
            self._session.table.load(start, game.steps, handicap=0)
            self._session.new_game()

    def _move(self, rest: str) -> None:
        move = _parse_move(self._session.table, rest.partition("/")[0])
        self._session.play(self._position.to_move, move)

    # ---- thinking

    def _searched(self) -> SearchResult:
        """A search of the position, by the depth that was asked for; any line ends it."""
        session, position = self._session, self._position
        if position.is_over:
            raise GameStateError(f"the game is over: {position!r}")
        self._say(f"status {_NAME} is thinking")
        began = time.monotonic()
        search = session.thinker.search_of(position)
        playouts, seconds = self._playouts(), session.thinker.settings.seconds or math.inf
        done = 0
        with session.reader.announcing(lambda _: session.thinker.stop()):
            while done < playouts and time.monotonic() - began < seconds:
                report = run_slice(search, playouts=playouts - done, seconds=_SLICE_SECONDS)
                done += report.playouts
                if report.stopped_by in FINAL or session.reader.is_waiting():
                    break
        result = search.result()
        self._say(f"nodestats {result.visits} {time.monotonic() - began:.2f}")
        return result

    def _playouts(self) -> int:
        settings = self._session.thinker.settings
        most = settings.playouts or (2**31 if settings.seconds else DEFAULT_PLAYOUTS)
        if self._depth is None:
            return most
        return min(most, _DEPTH_PLAYOUTS << min(self._depth, _MAX_DOUBLINGS))

    def _go(self, _rest: str) -> None:
        began = time.monotonic()
        result = self._searched()
        text = _square(self._position, result.best_move)
        self._say(f"=== {text}/{_evaluation(result.value):.2f}/{time.monotonic() - began:.2f}")
        self._say(f"status {_NAME} is waiting")

    def _hint(self, count: str) -> None:
        wanted = integer("the number of hints", count or "1", low=1, high=_MAX_HINTS)
        result = self._searched()
        for entry in result.moves[:wanted]:
            line = "".join(_squares(result.position, entry.pv))
            self._say(f"search {line} {_evaluation(entry.value):.2f} 0 {len(entry.pv)}")
        self._say(f"status {_NAME} is waiting")

    def _analyze(self, _rest: str) -> None:
        """The value of every position of the game, from its end to its beginning."""
        session = self._session
        positions = [session.table.start, *(step.after for step in session.table.steps)]
        for made in reversed(range(len(positions))):
            if session.reader.is_waiting():
                return
            self._say(f"analysis {made} {self._value_for_black(positions[made]):.2f}")

    def _value_for_black(self, position: Position) -> float:
        if isinstance(position, Othello) and position.is_over:
            black, white = position.discs()
            return float(black - white)
        search = self._session.thinker.new_search(position, self._session.thinker.settings.seed)
        run_slice(search, playouts=max(1, self._playouts() // 10))
        value = _evaluation(search.result().value)
        return value if position.to_move == 0 else -value


def _parse_move(table: Table, text: str) -> int:
    return table.parse("pass" if text.strip().lower() in ("pa", "pass", "--") else text)


def _evaluation(value: float) -> float:
    """A value in discs: NBoard knows no other, so a certain win is all 64."""
    return 64 * (2 * value - 1)


def _square(position: Position, move: int) -> str:
    text = position.format_move(move)
    return "PA" if text == "pass" else text.upper()


def _squares(position: Position, moves: tuple[int, ...]) -> list[str]:
    texts = []
    for move in moves:
        texts.append(_square(position, move))
        position = position.play(move)
    return texts


def parse_ggf(text: str) -> tuple[Othello, list[str]]:
    """The start and the moves of a game in GGF, as NBoard sends it: `(;GM[Othello]...BO[8 ... *]B[F5]W[D6];)`."""
    start, moves = Othello(), []
    properties = _PROPERTY.findall(text)
    if not properties:
        raise GtpError(f"syntax error: {shown(text)} is no game in GGF")
    for name, value in properties:
        if name.upper() == "BO":
            start = _parse_board(value)
        elif name.upper() in ("B", "W"):
            moves.append(value.partition("/")[0].strip())
    return start, moves


def _parse_board(text: str) -> Othello:
    match = _BOARD.fullmatch(text.strip())
    cells = "" if match is None else "".join(match[1].split())
    if match is None or len(cells) != 64:
        raise GtpError(f"syntax error: {shown(text)} is no board of GGF: it has 64 of -, * and O, and whose turn it is")
    rows = [" ".join(_CELLS[cell] for cell in cells[start : start + 8]) for start in range(0, 64, 8)]
    return Othello.from_ascii("\n".join(rows), to_move="*O".index(match[2]))
