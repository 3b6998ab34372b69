"""Records to learn from: read, left out where they are broken, and split by date."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tests.knowledge.records import sample_games
from tesuji.errors import RecordError
from tesuji.knowledge.records import Record, Records, read_records, split
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
    games = read_records([tmp_path]).games
    assert len(games) == 3
    for other in games:
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


def test_nothing_to_learn_from_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no game to learn from: give SGF files"):
        read_records([tmp_path])
    with pytest.raises(RecordError, match=r"all 1 records were left out, the first, .*missing.sgf, because: .*No such"):
        read_records([tmp_path / "missing.sgf"])
    with pytest.raises(RecordError, match=r"missing.jsonl cannot be read"):
        read_records([tmp_path / "missing.jsonl"])
    (tmp_path / "bad.jsonl.xz").write_bytes(b"no xz")
    with pytest.raises(RecordError, match=r"bad.jsonl.xz cannot be read"):
        read_records([tmp_path / "bad.jsonl.xz"])


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


def test_undated_games_are_split_all_the_same() -> None:
    parts = split(dated(*[""] * 20))
    assert [len(parts.train), len(parts.validation), len(parts.test)] == [18, 1, 1]
    parts = split(dated(*["2000"] * 20))
    assert [len(parts.train), len(parts.validation), len(parts.test)] == [18, 1, 1]
    with pytest.raises(RecordError, match="2 games are too few"):
        split(dated("2000", "2001"))
