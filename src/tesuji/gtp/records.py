"""Records of games at the table, as SGF."""

from __future__ import annotations

from typing import Any

from tesuji import __version__
from tesuji.errors import SgfError
from tesuji.games.go import Go
from tesuji.gtp.protocol import GtpError
from tesuji.gtp.table import Step, Table
from tesuji.sgf import SgfGame, turned


def load_record(table: Table, file: str, until: int | None) -> None:
    """Puts the game of a file on the table, up to so many moves. Where it cannot, the table stays as it is."""
    table.go()
    try:
        put_record(table, SgfGame.read(file), until)
    except SgfError as error:
        raise GtpError(f"cannot load file: {error}") from None


def put_record(table: Table, record: SgfGame, until: int | None) -> int:
    """The same with a record that has been read. Gives how many of its moves lead to the position.

    Where stones are set up in the middle, the game on the table begins there: it has nothing but moves.
    """
    line = record.line()[:until]
    end = record.position(len(line))
    anew = [n for n in range(1, len(line)) if line[n].before != turned(line[n - 1].after, line[n].player)]
    if line and end not in (line[-1].after, turned(line[-1].after, end.to_move)):
        anew.append(len(line))
    played = line[anew[-1] :] if anew else line
    start = played[0].before if played else end
    steps = [Step(player=step.player, move=step.move, before=step.before, after=step.after) for step in played]
    table.load(start, steps, handicap=record.handicap)
    return len(line)


def write_record(table: Table, file: str | None) -> str:
    """The record as text; with a file, written there, and nothing is left to say."""
    if file is None:
        return record_text(table)
    try:
        _record(table).write(file)
    except SgfError as error:
        raise GtpError(f"cannot write: {error}") from None
    return ""


def record_text(table: Table) -> str:
    return _record(table).to_bytes().decode("utf-8")


def _record(table: Table) -> SgfGame:
    table.go()
    properties: dict[str, Any] = {"RU": table.rules, "AP": ("tesuji", __version__)}
    if table.handicap:
        properties["HA"] = table.handicap
    assert isinstance(table.start, Go)  # noqa: S101  as its position is
    record = SgfGame.from_moves(table.start, [], properties=properties)
    for step in table.steps:
        assert isinstance(step.before, Go)  # noqa: S101  as above
        before = step.before.with_rules(superko=False)  # a game by other rules may have repeated a position
        record.add_line(record.game.get_last_node(), before, [step.move])
    return record
