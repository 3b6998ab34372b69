"""Records of Go games to learn from: SGF files, folders of them, and JSON lines, one game a line.

A broken record is left out and named; what is left is split by date, so that a model is judged by games that were
played after those it has learned from.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.errors import ArgumentError, RecordError, SgfError, TesujiError, shown
from tesuji.games.go import MAX_SIZE, MIN_SIZE
from tesuji.sgf import SgfGame

_JSON_SUFFIXES: Final = (".jsonl", ".jsonl.xz")


@dataclass(frozen=True, kw_only=True)
class Record:
    """A game: its moves as the game numbers them, Black first. `date` is as in SGF, or empty."""

    name: str
    size: int
    date: str
    moves: NDArray[np.uint16]


@dataclass(frozen=True, kw_only=True)
class Records:
    """The games, the oldest first, and why others were left out."""

    size: int | None  # of the boards, None where there are several
    games: tuple[Record, ...]
    skipped: dict[str, str]  # by name


def native_records(games: Sequence[Record]) -> _core.GoRecords:
    """Games of one board size, at least one."""
    moves = np.concatenate([game.moves for game in games])
    ends = np.cumsum([len(game.moves) for game in games], dtype=np.uint64)
    return _core.GoRecords(games[0].size, moves, ends)


def read_records(paths: Iterable[Path | str], *, size: int | None = None) -> Records:
    """All games in these files and folders; of one board size, by default that of the first."""
    skipped: dict[str, str] = {}
    games: list[Record] = []
    for path in map(Path, paths):
        for name, found in games_in(path, _json_game, _sgf_game):
            if isinstance(found, str):
                skipped[name] = found
                continue
            size = found.size if size is None else size
            if found.size == size:
                games.append(found)
            else:
                skipped[name] = f"on a board of {found.size} lines, not {size}"
    if size is not None and games:
        games = without_illegal(games, native_records(games).legal_lengths().tolist(), skipped)
    if size is None or not games:
        raise RecordError(f"there is no game to learn from{why_none(skipped)}")
    return Records(size=size, games=tuple(sorted(games, key=lambda game: (game.date, game.name))), skipped=skipped)


def why_none(skipped: dict[str, str]) -> str:
    if not skipped:
        return ": give SGF files, folders of them, or JSON lines (.jsonl, .jsonl.xz)"
    name, reason = next(iter(skipped.items()))
    return f": all {len(skipped)} records were left out, the first, {name}, because: {reason}"


def without_illegal(games: list[Record], lengths: Sequence[int], skipped: dict[str, str]) -> list[Record]:
    """`lengths`: how many moves of each game can be played."""
    sound = []
    for game, length in zip(games, lengths, strict=True):
        if length == len(game.moves):
            sound.append(game)
        else:
            skipped[game.name] = f"move {length + 1} is illegal"
    return sound


def games_in(
    path: Path, json_game: Callable[[str, str], Record | str], sgf_game: Callable[[Path], Record | str]
) -> Iterator[tuple[str, Record | str]]:
    """The name of each game with the game, or with why it cannot be used."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.name.lower().endswith((".sgf", *_JSON_SUFFIXES)):
                yield from games_in(file, json_game, sgf_game)
    elif path.name.lower().endswith(_JSON_SUFFIXES):
        yield from _json_games(path, json_game)
    else:
        yield str(path), sgf_game(path)


# ---- SGF


def _sgf_game(path: Path) -> Record | str:
    try:
        game = SgfGame.read(path)
        steps = game.line()
    except SgfError as error:
        return str(error)
    if not steps:
        return "it has no moves"
    if any(step.player != number % 2 for number, step in enumerate(steps)):
        return "the colours do not alternate from Black on (a handicap game?)"
    if steps[0].before.native.cells().count(2) != game.size**2:
        return "it begins with stones on the board"
    moves = np.array([step.move for step in steps], dtype=np.uint16)
    return Record(name=str(path), size=game.size, date=game.info("DT") or "", moves=moves)


# ---- JSON lines


def _json_games(path: Path, json_game: Callable[[str, str], Record | str]) -> Iterator[tuple[str, Record | str]]:
    try:
        with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                name = f"{path}:{number}"
                yield name, json_game(name, line)
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read: {error}") from None


def _json_game(name: str, line: str) -> Record | str:
    try:
        fields = json.loads(line)
        size, text, date = fields["sz"], fields["mv"], fields.get("dt") or ""
        if not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
            return f"a board of {shown(size)} lines; it must be {MIN_SIZE} to {MAX_SIZE}"
        return Record(name=name, size=size, date=str(date), moves=_pairs(text, size))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, TesujiError) as error:
        return f'no game: a line is {{"sz": 9, "mv": "eegc...", "dt": "2001-02-03"}} ({shown(error)})'


def _pairs(text: Any, size: int) -> NDArray[np.uint16]:
    """SGF pairs run together: column, row from the top; "--" is a pass."""
    letters = np.frombuffer(text.encode("ascii"), dtype=np.uint8).astype(np.int32)
    if len(letters) == 0 or len(letters) % 2:
        raise ArgumentError("the moves are pairs of letters")
    column, row = letters[::2] - ord("a"), letters[1::2] - ord("a")
    is_pass = (letters[::2] == ord("-")) & (letters[1::2] == ord("-"))
    inside = (column >= 0) & (column < size) & (row >= 0) & (row < size)
    if not (inside | is_pass).all():
        raise ArgumentError(f"move {int(np.argmin(inside | is_pass)) + 1} is outside the board")
    return np.where(is_pass, size * size, row * size + column).astype(np.uint16)


# ---- which games are for what


@dataclass(frozen=True, kw_only=True)
class Split:
    """A collection's games: to learn from, to choose settings by, and to be judged by."""

    train: tuple[Record, ...]
    validation: tuple[Record, ...]
    test: tuple[Record, ...]


def split(records: Records, *, held_out: float = 0.1) -> Split:
    """The newest games are held out, half of them for validation; games of one day stay together."""
    games = records.games
    if len(games) < 3:
        raise RecordError(f"{len(games)} games are too few to learn from some and be judged by others: give 3 or more")
    half = max(1, round(len(games) * held_out / 2))
    test = _first_of_day(games, len(games) - half)
    validation = _first_of_day(games, min(test - 1, len(games) - 2 * half))
    if validation < 1:
        test, validation = len(games) - half, len(games) - 2 * half
    return Split(train=games[:validation], validation=games[validation:test], test=games[test:])


def _first_of_day(games: tuple[Record, ...], index: int) -> int:
    """The first game of the day of this one; undated games have no day."""
    while index > 0 and games[index].date and games[index - 1].date == games[index].date:
        index -= 1
    return index
