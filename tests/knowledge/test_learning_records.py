"""Records to learn from: read, left out where they are broken, and split by date."""

from __future__ import annotations

import json
import lzma
import os
import re
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tests.knowledge.records import sample_games
from tesuji import knowledge
from tesuji.errors import ArgumentError, RecordError
from tesuji.knowledge.records import Record, Records, plain_date, read_records, split
from tesuji.sgf import SgfGame


def write(folder: Path, *lines: object) -> Path:
    path = folder / "games.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_all_forms_give_the_same_moves(tmp_path: Path) -> None:
    line = json.loads(sample_games()[0])
    plain = write(tmp_path, line)
    packed = tmp_path / "games.jsonl.xz"
    packed.write_bytes(lzma.compress(plain.read_bytes()))
    [game] = read_records([plain]).games
    start = tesuji.Go(9, superko=False)
    sgf = SgfGame.from_moves(start, [int(move) for move in game.moves], properties={"DT": "2001-01-01"})
    sgf.write(tmp_path / "game.sgf")
    for path in (packed, tmp_path / "game.sgf"):
        [other] = read_records([path]).games
        assert other.date == "2001-01-01"
        assert (other.moves == game.moves).all()


def test_broken_records_are_left_out_by_name(tmp_path: Path) -> None:
    (tmp_path / "no.sgf").write_text("hello", encoding="utf-8")
    (tmp_path / "handicap.sgf").write_text("(;SZ[9]AB[cc]AB[gg];W[dd];B[ee])", encoding="utf-8")
    (tmp_path / "empty.sgf").write_text("(;SZ[9])", encoding="utf-8")
    write(
        tmp_path,
        {"sz": 9, "mv": "eegcce"},
        {"sz": 9, "mv": "eeee"},
        {"sz": 9, "mv": "eez"},
        {"sz": 9, "mv": "eezz"},
        {"sz": 99, "mv": "ee"},
        {"sz": 13, "mv": "ee"},
        {"mv": "ee"},
        "[]",
        "not json",
        "[" * 100_000,
    )
    records = read_records([tmp_path], size=9)
    assert [len(game.moves) for game in records.games] == [3]
    reasons = {name.rsplit("/", 1)[1]: reason for name, reason in records.skipped.items()}
    assert len(reasons) == 12
    assert reasons["games.jsonl:2"] == "move 2 is illegal"
    assert "on a board of 13 lines, not 9" in reasons["games.jsonl:6"]
    assert "no SGF" in reasons["no.sgf"]
    assert reasons["empty.sgf"] == "it has no moves"


def test_all_games_of_an_sgf_file_are_read(tmp_path: Path) -> None:
    """Until one is broken: what follows it may be one of its variations, and begin in the middle of a game."""
    file = tmp_path / "games.sgf"
    many = "(;SZ[9];B[ee];W[gc])\n(;GM[2]SZ[9];B[ee])\n\n(;SZ[9];B[cc](;W[gg];B[cg])(;W[cg]))"
    file.write_text(f"{many}\n(;SZ[9];B[gg]?(;W[cc])) (;SZ[9];B[aa])", encoding="utf-8")
    records = read_records([file])
    assert {game.name: len(game.moves) for game in records.games} == {str(file): 2, f"{file}, game 3": 3}
    assert list(records.skipped) == [f"{file}, game 2", f"{file}, game 4"]
    assert "game 2, line 1, column 2 (node 0): this is a game of another kind" in records.skipped[f"{file}, game 2"]
    assert "this is no SGF" in records.skipped[f"{file}, game 4"]


def test_nothing_to_learn_from_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no game to learn from: give SGF files"):
        read_records([tmp_path])
    for name in ("missing.sgf", "missing.jsonl"):
        with pytest.raises(RecordError, match=f"there is no file or folder .*{name}"):
            read_records([tmp_path / name])
    for nothing in (None, 5, [3]):
        with pytest.raises(ArgumentError, match="records are files and folders, not"):
            knowledge.learn(nothing)  # type: ignore[arg-type]  # what is refused
    (tmp_path / "bad.jsonl.xz").write_bytes(b"no xz")
    with pytest.raises(RecordError, match=r"all 1 records were left out, the first, .*bad.jsonl.xz:1, because: .*read"):
        read_records([tmp_path / "bad.jsonl.xz"])


def test_the_same_game_is_learned_from_once(tmp_path: Path) -> None:
    """Or it could be among the games that the model is judged by, too."""
    write(tmp_path, {"sz": 9, "mv": "eegc", "dt": "2001"}, {"sz": 9, "mv": "eegc", "dt": "2002"}, {"sz": 9, "mv": "ee"})
    records = read_records([tmp_path])
    assert [game.date for game in records.games] == ["", "2001"]
    [(name, reason)] = records.skipped.items()
    assert name.endswith("games.jsonl:2")
    assert re.fullmatch(r"it is the game of .*games.jsonl:1 again", reason)


def test_what_breaks_in_a_file_leaves_the_rest(tmp_path: Path) -> None:
    """A byte that is no text, a packed file that ends too soon, and one that nobody would ever finish reading."""
    line = json.dumps({"sz": 9, "mv": "eegc"}).encode()
    (tmp_path / "bytes.jsonl").write_bytes(b'{"sz": 9, "pb": "\xff", "mv": "ee"}\n' + line + b"\n")
    many = b"\n".join(json.dumps({"sz": 9, "mv": f"{a}{b}"}).encode() for a in "abcdefghi" for b in "abcdefghi")
    (tmp_path / "cut.jsonl.xz").write_bytes(lzma.compress(many)[:-30])
    os.mkfifo(tmp_path / "pipe.sgf")
    records = read_records([tmp_path])
    assert any(len(game.moves) == 2 for game in records.games)
    reasons = {name.rsplit("/", 1)[1]: reason for name, reason in records.skipped.items()}
    assert "no game" in reasons.pop("bytes.jsonl:1")
    [(name, reason)] = reasons.items()
    assert name.startswith("cut.jsonl.xz:")
    assert "the file cannot be read from here on" in reason


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2001-02-03", "2001-02-03"),
        ("2001-02-03,04", "2001-02-03,04"),
        ("2001-02-03 \x1b[31m", "2001-02-03 "),
        ("Broadcast 1985", "1985"),
        ("1/2/2003", "2003"),
        ("\ud800", ""),
        (1999, "1999"),
    ],
)
def test_dates_sort_by_time_and_are_plain(text: object, date: str) -> None:
    assert plain_date(text) == date


def dated(*dates: str) -> Records:
    moves = np.array([40], dtype=np.uint16)
    games = [Record(name=str(number), size=9, date=date, moves=moves) for number, date in enumerate(dates)]
    return Records(size=9, games=tuple(games), skipped={})


def test_the_newest_games_are_held_out() -> None:
    parts = split(dated(*(f"20{year:02}" for year in range(40))))
    assert [len(parts.train), len(parts.validation), len(parts.test)] == [36, 2, 2]
    assert max(game.date for game in parts.train) < min(game.date for game in parts.validation)
    assert max(game.date for game in parts.validation) < min(game.date for game in parts.test)


def test_games_of_one_day_stay_together() -> None:
    parts = split(dated(*["2000"] * 30, *["2001"] * 5, *["2002"] * 5))
    assert {game.date for game in parts.test} == {"2002"}
    assert {game.date for game in parts.validation} == {"2001"}
    parts = split(dated("2000", *["2001"] * 98, "2002"))
    assert [len(parts.train), len(parts.validation), len(parts.test)] == [1, 98, 1]


def test_undated_games_are_split_all_the_same() -> None:
    parts = split(dated(*[""] * 20))
    assert [len(parts.train), len(parts.validation), len(parts.test)] == [18, 1, 1]
    parts = split(dated(*["2000"] * 20))
    assert [len(parts.train), len(parts.validation), len(parts.test)] == [18, 1, 1]
    with pytest.raises(RecordError, match="2 games are too few"):
        split(dated("2000", "2001"))
