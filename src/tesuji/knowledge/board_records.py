"""Records of Othello and Havannah games to learn from: JSON lines, one game a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from tesuji import _core
from tesuji.errors import ArgumentError, TesujiError, shown
from tesuji.games.havannah import Havannah
from tesuji.games.othello import SIZE, Othello
from tesuji.knowledge.records import Found, Record, Records, games_in, plain_date, record_files, sound_games

_NATIVE: Final[dict[str, Any]] = {
    "othello": _core.OthelloRecords,
    "othello-fast": _core.OthelloFastRecords,
    "havannah": _core.HavannahRecords,
    "havannah-fast": _core.HavannahFastRecords,
}


def read_board_records(paths: Iterable[Path | str], *, game: str, size: int | None = None) -> Records:
    """All games in these files and folders, or those on boards of one size."""
    skipped: dict[str, str] = {}
    games: list[Record] = []
    for file in record_files(paths):
        for name, found in games_in(file, _PARSERS[game], _no_sgf):
            if isinstance(found, str):
                skipped[name] = found
            elif size is not None and found.size != size:
                skipped[name] = f"on a board of size {found.size}, not {size}"
            else:
                games.append(found)
    lengths = native_board_records(game, games).legal_lengths().tolist() if games else []
    sound = sound_games(games, lengths, skipped)
    sizes = {record.size for record in sound}
    return Records(size=sizes.pop() if len(sizes) == 1 else None, games=sound, skipped=skipped)


def native_board_records(layer: str, games: Sequence[Record]) -> Any:
    """At least one game. `layer`: of a model, whose features the records are asked for."""
    native = _NATIVE[layer]
    sizes = np.array([record.size for record in games], dtype=np.uint16)
    ends = np.cumsum([len(record.moves) for record in games], dtype=np.uint64)
    return native(sizes, np.concatenate([record.moves for record in games]), ends)


def _no_sgf(path: Path) -> Found:
    kind = path.suffix or "a file without suffix"
    yield str(path), f"{kind} is not read for this game: give JSON lines (.jsonl, .jsonl.xz)"


# ---- one line


def _othello_game(name: str, line: bytes) -> Record | str:
    """Moves run together; forced passes may be left out. The date may be a year alone."""
    try:
        fields = json.loads(line)
        text = fields["mv"]
        board = Othello()
        moves = [board.parse_move(text[i : i + 2]) for i in range(0, len(text), 2)]
        return _record(name, SIZE, plain_date(fields.get("dt") or fields.get("y") or ""), moves)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, TesujiError) as error:
        return f'no game: a line is {{"mv": "f5d6c3...", "dt": "2001-02-03"}} ({shown(error)})'


def _havannah_game(name: str, line: bytes) -> Record | str:
    """Cells with spaces between them. Little Golem numbers its games by time: so the number may stand for the date."""
    try:
        fields = json.loads(line)
        cells = _cells(fields["sz"])
        number = fields.get("id")
        date = plain_date(fields.get("dt") or "") or (f"game {int(number):09}" if str(number).isdecimal() else "")
        return _record(name, fields["sz"], date, [cells[move] for move in fields["mv"].split()])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, TesujiError) as error:
        return f'no game: a line is {{"sz": 8, "mv": "h3 g4 f3...", "dt": "2001-02-03"}} ({shown(error)})'


def _record(name: str, size: int, date: str, moves: list[int]) -> Record:
    if not moves:
        raise ArgumentError("it has no moves")
    return Record(name=name, size=size, date=date, moves=np.array(moves, dtype=np.uint16))


@cache
def _cells(side: Any) -> dict[str, int]:
    """The move of every cell of an empty board by its name."""
    board = Havannah(side)
    return {board.format_move(move): move for move in board.legal_moves()}


_PARSERS: Final[dict[str, Callable[[str, bytes], Record | str]]] = {
    "othello": _othello_game,
    "havannah": _havannah_game,
}
