"""Records of games at the table, as SGF."""

from __future__ import annotations

from typing import Any

from tesuji import __version__
from tesuji.errors import SgfError
from tesuji.games.go import Go
from tesuji.gtp.protocol import GtpError
from tesuji.gtp.table import Step, Table
from tesuji.sgf import SgfGame


def load_record(table: Table, file: str, until: int | None) -> None:
    """Puts the game of a file on the table, up to so many moves. Where it cannot, the table stays as it is."""
    table.go()
    try:
        put_record(table, SgfGame.read(file), until)
    except SgfError as error:
        raise GtpError(f"cannot load file: {error}") from None


def put_record(table: Table, record: SgfGame, until: int | None) -> None:
    """The same with a record that has been read."""
    line = record.line()
    steps = [Step(player=step.player, move=step.move, before=step.before, after=step.after) for step in line]
    start = steps[0].before if steps else record.position()
    table.load(start, steps[:until], handicap=record.handicap)


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
        record.add_line(record.game.get_last_node(), step.before, [step.move])
    return record
