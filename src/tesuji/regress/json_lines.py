"""Test positions as JSON lines, one a line, perhaps compressed by xz. docs/regress.md has the fields."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from tesuji.errors import IllegalMoveError, TesujiError, shown
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import PASS, Othello
from tesuji.games.registry import make_game
from tesuji.gtp import protocol
from tesuji.gtp.protocol import GtpError
from tesuji.gtp.table import Table
from tesuji.regress.problem import Expectation, Problem, ProblemFileError, Setup

SUFFIXES: Final = (".jsonl", ".jsonl.xz")
MAX_BYTES: Final = 2**30
_GAMES: Final = (Go.game, Othello.game, Havannah.game)

_Text = Annotated[str, Field(min_length=1), BeforeValidator(lambda value: str(value) if type(value) is int else value)]


class _Record(BaseModel):
    """A line of the file; fields that are not here are for people."""

    model_config = ConfigDict(extra="ignore", strict=True)

    game: _Text | None = None
    src: _Text | None = None
    suite: _Text | None = None
    kind: _Text | None = None
    id: _Text | None = None
    sz: int | None = None
    komi: float | None = Field(default=None, strict=False)
    B: list[str] = []
    W: list[str] = []
    moves: list[str] = []
    mv: str | None = None
    to_play: Literal["B", "W", 1, 2]
    ok: list[_Text] = []
    bad: list[_Text] = []
    known_fail: bool = False
    generic: Literal[0, 1] = 1

    @model_validator(mode="after")
    def _one_answer(self) -> _Record:
        if bool(self.ok) == bool(self.bad):
            raise ValueError("a test has either ok, the right moves, or bad, the wrong ones")
        return self

    @model_validator(mode="after")
    def _a_game_that_is_known(self) -> _Record:
        # Collections have the number of the game there.
        if self.game is not None and self.game.isalpha() and self.game.lower() not in _GAMES:
            raise ValueError(f"game is {shown(self.game)}, not {', '.join(_GAMES[:-1])} or {_GAMES[-1]}")
        return self

    @model_validator(mode="after")
    def _fields_of_the_game(self) -> _Record:
        is_go = self.name_of_game == Go.game
        strange = [name for name in (("mv",) if is_go else ("B", "W", "moves")) if getattr(self, name)]
        if strange:
            wanted = "B, W and moves" if is_go else "mv"
            raise ValueError(f"{strange[0]} is no field of {self.name_of_game}: its board is given by {wanted}")
        return self

    @property
    def name_of_game(self) -> str:
        """Havannah's tests have the number of a game there; only they have their moves in one text."""
        if self.game is not None and self.game.lower() in _GAMES:
            return self.game.lower()
        return Go.game if self.mv is None else Havannah.game


def read_json_lines(file: Path) -> list[Problem]:
    return [_problem(file, number, line) for number, line in _lines(file) if line.strip()]


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    left = MAX_BYTES
    try:
        with lzma.open(file) if file.suffix == ".xz" else file.open("rb") as opened:
            while line := opened.readline(left + 1):
                number += 1
                left -= len(line)
                if left < 0:
                    raise ProblemFileError(file, number, f"the file is larger than {MAX_BYTES:,} bytes")
                yield number, line
    except (lzma.LZMAError, EOFError) as error:
        raise ProblemFileError(file, number + 1, f"this is no xz file, or only a part of one: {error}") from None
    except OSError as error:
        raise ProblemFileError(file, None, f"it cannot be read: {error.strerror}") from None


def _problem(file: Path, number: int, line: bytes) -> Problem:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProblemFileError(file, number, f"this is no JSON: {shown(str(error))}") from None
    if not isinstance(value, dict):
        raise ProblemFileError(file, number, f"a test is an object, not {shown(value)}")
    try:
        record = _Record.model_validate(value)
        setup, obstacle = _set_up(record)
        moves = _checked(setup, record.ok or record.bad)
        if setup is not None and record.ok:
            obstacle = _why_nobody_passes(setup, moves)
            setup = None if obstacle else setup
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ProblemFileError(file, number, f"{where}: {first['msg']}" if where else first["msg"]) from None
    except _Malformed as error:
        raise ProblemFileError(file, number, str(error)) from None
    return Problem(
        suite=_suite(file, record),
        id=record.id or f"line {number}",
        file=str(file),
        line=number,
        expected=Expectation.of_moves(moves, negated=not record.ok),
        setup=setup,
        obstacle=obstacle,
        known_fail=record.known_fail,
    )


def _suite(file: Path, record: _Record) -> str:
    """Of two collections that both have a suite `blunder`, each has its own."""
    if record.suite is not None:
        return f"{record.src}/{record.suite}" if record.src is not None else record.suite
    stem = file.name.partition(".")[0]
    return stem if record.kind is None else f"{stem}/{record.kind}"


class _Malformed(Exception):  # noqa: N818  it never leaves this file
    """What no engine could play, since it means nothing."""


def _set_up(record: _Record) -> tuple[Setup | None, str]:
    """The board, or why there is none: a size or a move that our rules do not have is no mistake of the file."""
    if not record.generic:
        return None, "it needs a special mode of the engine that it was made for"
    try:
        table = _go_table(record) if record.name_of_game == Go.game else _other_table(record)
        player = _player(table, record)
        if not isinstance(table.start, Go):
            table.turn_of(player)
    except GtpError as error:
        raise _Malformed(str(error)) from None
    except TesujiError as error:
        return None, str(error)
    return Setup.from_table(table, player), ""


def _player(table: Table, record: _Record) -> int:
    if isinstance(record.to_play, int):
        return record.to_play - 1
    return protocol.colour(record.to_play, table.position.players)


def _checked(setup: Setup | None, moves: list[str]) -> list[str]:
    """The answers as an engine would write them; where there is no board to look at, as they are."""
    if setup is None:
        return moves
    table = Table(setup.start)
    try:
        return [table.format(table.parse(move)) for move in moves]
    except GtpError as error:
        raise _Malformed(str(error)) from None


def _why_nobody_passes(setup: Setup, moves: list[str]) -> str:
    """Where every right answer is against the rules, why the last one is."""
    table = setup.table()
    position = table.turn_of(setup.player)
    reason = ""
    for move in moves:
        try:
            position.play(table.parse(move))
        except IllegalMoveError as error:
            reason = f"no right answer can be played: {error}"
        else:
            return ""
    return reason


def _go_table(record: _Record) -> Table:
    if record.sz is None:
        raise _Malformed("the size of the board, sz, is missing")
    options: dict[str, Any] = {"size": record.sz, "superko": False}  # records of games may repeat a position
    if record.komi is not None:
        options["komi"] = record.komi
    empty = Table(Go(**options))
    black, white = ([empty.format(empty.parse(text)) for text in texts] for texts in (record.B, record.W))
    start = Go.from_stones(black=black, white=white, **options)
    table = Table(start)
    for text in record.moves:
        words = text.split()
        if len(words) != 2:
            raise _Malformed(f"a move is written as 'B D4', not {shown(text)}")
        table.play(protocol.colour(words[0], start.players), table.parse(words[1]))
    return table


def _other_table(record: _Record) -> Table:
    """Both players move in turn; in Othello passes need not be written."""
    size = record.sz if record.name_of_game == Havannah.game else None
    table = Table(make_game(record.name_of_game, size=size))
    for text in (record.mv or "").split():
        move = table.parse(text)
        position = table.position
        if isinstance(position, Othello) and move != PASS and position.legal_moves() == [PASS]:
            table.play(position.to_move, PASS)
        table.play(table.position.to_move, move)
    return table
