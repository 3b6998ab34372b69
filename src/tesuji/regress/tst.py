"""Test positions as GTP commands with the answers that are wanted, as GoGui, GNU Go and Fuego keep them.

    loadsgf games/blunder.sgf 49
    10 reg_genmove black
    #? [F9|G1]*

The answer must match the expression in the brackets, after a `!` must not match it, and the star says that it is known
to fail. Files are looked for beside the file that names them.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tesuji.errors import TesujiError, shown
from tesuji.games.go import Go, handicap_points
from tesuji.gtp import protocol
from tesuji.gtp.protocol import Command, GtpError
from tesuji.gtp.records import load_record
from tesuji.gtp.table import Table
from tesuji.regress.problem import Expectation, Problem, ProblemFileError, Setup

SUFFIX: Final = ".tst"
MAX_BYTES: Final = 2**26
#: What a program plays before it is told a size.
_SIZE: Final = 19
_QUESTIONS: Final = ("reg_genmove", "gg_genmove")
#: What changes the board otherwise than the commands below: after these nobody here knows what is on it.
_NOT_FOLLOWED: Final = (
    *("genmove", "genmove_black", "genmove_white", "kgs-genmove_cleanup", "place_free_handicap"),
    *("gogui-setup", "gogui-setup_player", "gogui-play_sequence", "trymove", "tryko", "popgo"),
)
_MAX_MOVES: Final = 10_000
# No move has a `#`, so what begins with one after the bracket is a comment. Blanks inside are none of the answer.
_WANTED: Final = re.compile(r"#\?\s*\[\s*(!?)\s*([^#]*?)\s*\]\s*(\*?)\s*(?:#.*)?")


def read_tst(file: Path) -> list[Problem]:
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise ProblemFileError(file, None, f"it cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise ProblemFileError(file, None, f"it is larger than {MAX_BYTES:,} bytes: that is no file of tests")
    reader = _Reader(file)
    for number, line in enumerate(data.decode("utf-8-sig", "replace").split("\n"), start=1):
        reader.read(number, line.rstrip("\r"))
    return reader.problems


class _Reader:
    """The board as the commands so far have made it, and the tests so far.

    Where a command cannot be carried out here, no test can be asked until the board begins anew. `clear_board` is not
    enough for that where the board itself could not be had: the one on the table is another.
    """

    def __init__(self, file: Path) -> None:
        self.problems: list[Problem] = []
        self._file = file
        self._table = Table(Go(_SIZE))
        self._obstacle = ""
        self._has_no_board = False
        self._last: Command | None = None
        self._is_inside_answer = False

    def read(self, number: int, line: str) -> None:
        try:
            if line.lstrip().startswith("#?"):
                self._take_wanted(number, line.strip())
                return
            command = protocol.parse_command(line)
            if command is not None:
                self._last, self._is_inside_answer = command, False
                self._run(command)
        except GtpError as error:
            raise ProblemFileError(self._file, number, str(error)) from None

    def _run(self, command: Command) -> None:
        text = " ".join((command.name, *command.arguments))
        if command.name in _NOT_FOLLOWED:
            self._obstacle = self._obstacle or f"{text}: it changes the board, and is not carried out here"
        entry = _BOARD_COMMANDS.get(command.name)
        if entry is None:
            return  # a question, or a parameter of the engine that the file was written for
        low, high, begins_anew, run = entry
        if not low <= len(command.arguments) <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise GtpError(f"{command.name} takes {wanted} arguments, not {len(command.arguments)}")
        if self._obstacle and (not begins_anew or (self._has_no_board and command.name == "clear_board")):
            return
        self._obstacle, self._has_no_board = "", False
        try:
            run(self._table, command.arguments, self._file.parent)
        except GtpError:
            raise
        except TesujiError as error:
            self._obstacle, self._has_no_board = f"{text}: {error}", begins_anew

    def _take_wanted(self, number: int, line: str) -> None:
        if self._is_inside_answer:
            self._is_inside_answer = "]" not in line
            return
        asked, self._last = self._last, None
        if line == "#?":
            self._add(number, asked, Expectation(pattern=""), obstacle="it asks only that the command does not fail")
            return
        text = line.removeprefix("#?").partition("#")[0].strip()
        if text.startswith("[") and text.count("[") > text.count("]"):
            self._is_inside_answer = True
            expected = Expectation(pattern=text.removeprefix("["))
            self._add(number, asked, expected, obstacle="its answers go on in the next line, which is not read here")
            return
        match = _WANTED.fullmatch(line)
        if match is None:
            raise GtpError(f"the answers are written #? [A1|B2], #? [!A1] or #? [A1]*, not {line!r}")
        try:
            re.compile(match[2])
        except (re.error, RecursionError, OverflowError) as error:
            raise GtpError(f"{match[2]!r} is no regular expression: {error}") from None
        expected = Expectation(pattern=match[2], negated=bool(match[1]))
        self._add(number, asked, expected, known_fail=bool(match[3]))

    def _add(
        self,
        number: int,
        asked: Command | None,
        expected: Expectation,
        *,
        obstacle: str = "",
        known_fail: bool = False,
    ) -> None:
        setup = None
        if asked is None:
            obstacle = "there is no command before its answers that they could belong to"
        elif not obstacle:
            setup, obstacle = self._setup(asked)
        self.problems.append(
            Problem(
                suite=self._file.stem,
                id=(asked and asked.number) or f"line {number}",
                file=str(self._file),
                line=number,
                expected=expected,
                setup=setup,
                obstacle=obstacle,
                known_fail=known_fail,
            )
        )

    def _setup(self, asked: Command) -> tuple[Setup | None, str]:
        if asked.name not in _QUESTIONS:
            return None, self._obstacle or f"it asks for {asked.name}, not for a move"
        # GNU Go's own command may have a seed, which is for GNU Go alone.
        most = 2 if asked.name == "gg_genmove" else 1
        if not 1 <= len(asked.arguments) <= most:
            raise GtpError(f"{asked.name} takes the colour that is to move, and nothing else")
        player = protocol.colour(asked.arguments[0], self._table.position.players)
        if self._obstacle:
            return None, self._obstacle
        return Setup.from_table(self._table, player), ""


# ---- the commands that change the board


@contextlib.contextmanager
def _as_obstacle() -> Iterator[None]:
    """For what is no mistake of the file: another program may carry it out."""
    try:
        yield
    except GtpError as error:
        raise TesujiError(str(error)) from None


def _boardsize(table: Table, arguments: tuple[str, ...], _folder: Path) -> None:
    table.new_game(size=protocol.integer("the size", arguments[0], low=1, high=1000))


def _clear_board(table: Table, _arguments: tuple[str, ...], _folder: Path) -> None:
    table.new_game()


def _komi(table: Table, arguments: tuple[str, ...], _folder: Path) -> None:
    table.set_rules(komi=protocol.number("komi", arguments[0], low=-1000, high=1000))


def _loadsgf(table: Table, arguments: tuple[str, ...], folder: Path) -> None:
    path = folder / arguments[0]
    try:
        is_there = path.is_file()
    except OSError as error:
        raise TesujiError(f"{shown(str(path))} cannot be read: {error.strerror}") from None
    if not is_there:
        raise TesujiError(f"there is no file {path}")
    until = protocol.integer("the number of the move", arguments[1], low=1, high=_MAX_MOVES) if arguments[1:] else None
    with _as_obstacle():
        load_record(table, str(path), None if until is None else until - 1)


def _play(table: Table, arguments: tuple[str, ...], _folder: Path) -> None:
    player = protocol.colour(arguments[0], table.position.players)
    if arguments[1].lower() == "resign":
        raise TesujiError("who resigns makes no move")
    table.play(player, table.parse(arguments[1]))


def _black(table: Table, arguments: tuple[str, ...], folder: Path) -> None:
    _play(table, ("black", arguments[0]), folder)


def _white(table: Table, arguments: tuple[str, ...], folder: Path) -> None:
    _play(table, ("white", arguments[0]), folder)


def _undo(table: Table, arguments: tuple[str, ...], _folder: Path) -> None:
    count = protocol.integer("moves", arguments[0], low=0, high=_MAX_MOVES) if arguments else 1
    with _as_obstacle():  # a program may count the stones of a handicap as moves
        table.undo(count)


def _fixed_handicap(table: Table, arguments: tuple[str, ...], _folder: Path) -> None:
    count = protocol.integer("the handicap", arguments[0], low=-1000, high=1000)
    with _as_obstacle():
        table.place_handicap(handicap_points(table.size, count))


def _set_free_handicap(table: Table, arguments: tuple[str, ...], _folder: Path) -> None:
    points = [table.parse(text) for text in arguments]
    if len(points) < 2:
        raise TesujiError("a handicap has two stones at least")
    with _as_obstacle():
        table.place_handicap(points)


_Run = Callable[[Table, tuple[str, ...], Path], None]

#: Fewest and most arguments, whether the board begins anew, and what is done.
_BOARD_COMMANDS: Final[dict[str, tuple[int, int, bool, _Run]]] = {
    "boardsize": (1, 1, True, _boardsize),
    "clear_board": (0, 0, True, _clear_board),
    "loadsgf": (1, 2, True, _loadsgf),
    "komi": (1, 1, False, _komi),
    "play": (2, 2, False, _play),
    "black": (1, 1, False, _black),
    "white": (1, 1, False, _white),
    "undo": (0, 1, False, _undo),
    "gg-undo": (0, 1, False, _undo),
    "fixed_handicap": (1, 1, False, _fixed_handicap),
    "set_free_handicap": (0, 400, False, _set_free_handicap),
}
