"""Records of Go games to learn from: SGF files, folders of them, and JSON lines, one game a line.

A broken record is left out and named, and so is a game that is there twice; what is left is split by date, so that a
model is judged by games that were played after those it has learned from.
"""

from __future__ import annotations

import json
import lzma
import re
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
    """A game: its moves as the game numbers them, Black first. `date` is that of `plain_date`, or sorts like one."""

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
    for file in record_files(paths):
        for name, found in games_in(file, _json_game, _sgf_games):
            if isinstance(found, str):
                skipped[name] = found
                continue
            size = found.size if size is None else size
            if found.size == size:
                games.append(found)
            else:
                skipped[name] = f"on a board of {found.size} lines, not {size}"
    lengths = native_records(games).legal_lengths().tolist() if games else []
    return Records(size=size, games=sound_games(games, lengths, skipped), skipped=skipped)


def _why_none(skipped: dict[str, str]) -> str:
    if not skipped:
        return ": give SGF files, folders of them, or JSON lines (.jsonl, .jsonl.xz)"
    name, reason = next(iter(skipped.items()))
    return f": all {len(skipped)} records were left out, the first, {name}, because: {reason}"


def sound_games(games: Sequence[Record], lengths: Sequence[int], skipped: dict[str, str]) -> tuple[Record, ...]:
    """The legal ones, each once, the oldest first. `lengths`: how many moves of each game can be played."""
    sound: dict[tuple[int, bytes], Record] = {}
    for game, length in sorted(zip(games, lengths, strict=True), key=lambda pair: (pair[0].date, pair[0].name)):
        first = sound.setdefault((game.size, game.moves.tobytes()), game) if length == len(game.moves) else None
        if first is None:
            skipped[game.name] = f"move {length + 1} is illegal"
        elif first is not game:
            skipped[game.name] = f"it is the game of {first.name} again"
    if not sound:
        raise RecordError(f"there is no game to learn from{_why_none(skipped)}")
    return tuple(sound.values())


def plain_date(text: object) -> str:
    """A date as in SGF, which sorts by time; of another text the year, and nothing where there is none."""
    words = str(text)[:200]
    found = re.match("[0-9]{4}[-0-9, ]*", words) or re.search("[0-9]{4}", words)
    return found[0] if found else ""


def record_files(paths: Iterable[Path | str]) -> Iterator[Path]:
    """The files that are named, and those with records in the folders that are named."""
    for given in paths:
        if not isinstance(given, Path | str):
            raise ArgumentError(f"records are files and folders, not {shown(given)}")
        path = Path(given)
        if not path.exists():
            raise RecordError(f"there is no file or folder {path}")
        if not path.is_dir():
            yield path
            continue
        for file in sorted(path.rglob("*")):
            if file.name.lower().endswith((".sgf", *_JSON_SUFFIXES)) and file.is_file():
                yield file


#: The name of each game with the game, or with why it cannot be used.
Found = Iterator[tuple[str, Record | str]]


def games_in(file: Path, json_game: Callable[[str, bytes], Record | str], sgf_games: Callable[[Path], Found]) -> Found:
    return _json_games(file, json_game) if file.name.lower().endswith(_JSON_SUFFIXES) else sgf_games(file)


# ---- SGF


def _sgf_games(path: Path) -> Found:
    for name, game in SgfGame.read_all(path):
        yield name, str(game) if isinstance(game, SgfError) else _sgf_game(game)


def _sgf_game(game: SgfGame) -> Record | str:
    try:
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
    return Record(name=game.name, size=game.size, date=plain_date(game.info("DT") or ""), moves=moves)


# ---- JSON lines


def _json_games(path: Path, json_game: Callable[[str, bytes], Record | str]) -> Found:
    number = 0
    try:
        with lzma.open(path) if path.suffix.lower() == ".xz" else path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                name = f"{path}:{number}"
                yield name, json_game(name, line)
    except (OSError, EOFError, lzma.LZMAError) as error:
        yield f"{path}:{number + 1}", f"the file cannot be read from here on: {error}"


def _json_game(name: str, line: bytes) -> Record | str:
    try:
        fields = json.loads(line)
        size, text, date = fields["sz"], fields["mv"], plain_date(fields.get("dt") or "")
        if not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
            return f"a board of {shown(size)} lines; it must be {MIN_SIZE} to {MAX_SIZE}"
        return Record(name=name, size=size, date=date, moves=_pairs(text, size))
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
    """The newest games are held out, half of them for validation; games of one of three days or more stay together."""
    games = records.games
    if len(games) < 3:
        raise RecordError(f"{len(games)} games are too few to learn from some and be judged by others: give 3 or more")
    half = max(1, round(len(games) * held_out / 2))
    # Where a part may begin; undated games have no day.
    starts = [i for i in range(1, len(games)) if not games[i].date or games[i].date != games[i - 1].date]
    if len(starts) < 2:
        starts = list(range(1, len(games)))
    test = max((start for start in starts[1:] if start <= len(games) - half), default=starts[1])
    latest = min(test - 1, len(games) - 2 * half)
    validation = max((start for start in starts if start <= latest), default=starts[0])
    return Split(train=games[:validation], validation=games[validation:test], test=games[test:])
