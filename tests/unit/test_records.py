"""Games that people and programs have played: no move of them is illegal, and they end as recorded.

A sample ships with the tests. `TESUJI_RECORDS` may name a folder with the whole collection, as `NAME.jsonl.xz` files of
one game a line (fields: sz, mv, and what tells the result); then `make test-slow` replays that too.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tesuji

SAMPLE = Path(__file__).parent.parent / "data" / "records.jsonl"
COLLECTION = os.environ.get("TESUJI_RECORDS")

WIN_KINDS = ("ring", "bridge", "fork")


def sample() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text().splitlines()]


def check_othello(moves: list[str], black_discs: int) -> None:
    position = tesuji.Othello()
    for move in moves:
        if position.legal_moves() == [position.parse_move("pass")]:
            position = position.play("pass")
        position = position.play(move)
    assert position.is_over
    cells = position.native.cells()
    black, white = cells.count(0), cells.count(1)
    # The winner gets the empty squares; after a draw each gets half.
    empty = 64 - black - white
    assert black + empty * ((black > white) + 0.5 * (black == white)) == black_discs
    assert position.outcome()[0] == (black_discs > 32) + 0.5 * (black_discs == 32)


def check_havannah(side: int, moves: list[str], winner: int | None, kind: str = "") -> None:
    position = tesuji.Havannah(size=side)
    for move in moves:
        assert not position.is_over
        position = position.play(move)
    assert position.is_over == (winner is not None)
    if winner is not None:
        assert position.outcome() == ((1.0, 0.0) if winner == 0 else (0.0, 1.0))
        # A move may win in several ways at once; a ring is named first.
        assert position.native.win_kind() in (kind, "ring")


def replay_go(size: int, komi: float, moves: list[int]) -> tesuji.Go:
    position = tesuji.Go(size=size, komi=komi, superko=False)
    for move in moves:
        position = position.play(move)
    return position


def check_counted(position: tesuji.Go, result: str) -> None:
    """A game between programs that played on until everything dead was taken off: the board can be counted."""
    assert position.is_over
    margin = position.native.area_score() - position.komi
    assert result == (f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "Draw")
    assert position.outcome()[0] == (margin > 0) + 0.5 * (margin == 0)


@pytest.mark.parametrize("record", sample(), ids=lambda record: f"{record['game']}-{record['result']}")
def test_sample(record: dict[str, Any]) -> None:
    moves, result = record["moves"].split(), record["result"]
    if record["game"] == "othello":
        check_othello(moves, int(result.split()[1]))
    elif record["game"] == "havannah":
        kind, winner = result.split() if result else ("", None)
        check_havannah(record["size"], moves, None if winner is None else int(winner), kind)
    else:
        numbers = [tesuji.Go(size=record["size"]).parse_move(move) for move in moves]
        position = replay_go(record["size"], record["komi"], numbers)
        if result is not None:
            check_counted(position, result)


def test_the_sample_has_every_game_and_every_kind_of_win() -> None:
    records = sample()
    assert {record["game"] for record in records} == {"go", "othello", "havannah"}
    assert {result.split()[0] for record in records if (result := record["result"])} > set(WIN_KINDS)


def collection(name: str) -> Iterator[dict[str, Any]]:
    if COLLECTION is None:
        pytest.skip("TESUJI_RECORDS names no folder with the whole collection of games")
    with lzma.open(Path(COLLECTION) / f"{name}.jsonl.xz", "rt") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def sgf_numbers(size: int, text: str) -> list[int]:
    pairs = (text[i : i + 2] for i in range(0, len(text), 2))
    return [
        size * size if pair == "--" else (ord(pair[1]) - ord("a")) * size + ord(pair[0]) - ord("a") for pair in pairs
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "repeats"), [("go9", 15), ("go13", None), ("go19", None)])
def test_all_go_records(name: str, repeats: int | None) -> None:
    repeated = 0
    for record in collection(name):
        numbers = sgf_numbers(record["sz"], record["mv"])
        komi = 7.5 if record["km"] is None else record["km"]
        position = replay_go(record["sz"], komi, numbers)
        repeated += not legal_under_superko(record["sz"], numbers)
        if record["src"] == "cgos" and position.is_over and (record["re"] == "Draw" or record["re"][2:3].isdigit()):
            check_counted(position, record["re"])
    if repeats is not None:
        assert repeated == repeats


def legal_under_superko(size: int, numbers: list[int]) -> bool:
    position = tesuji.Go(size=size)
    for move in numbers:
        if not position.is_legal(move):
            return False
        position = position.play(move)
    return True


@pytest.mark.slow
def test_all_othello_records() -> None:
    for record in collection("othello"):
        text = record["mv"]
        check_othello([text[i : i + 2] for i in range(0, len(text), 2)], record["b"])


@pytest.mark.slow
def test_all_havannah_records() -> None:
    for record in collection("havannah"):
        winner = record["win"] - 1 if record["end"] in WIN_KINDS else None
        check_havannah(record["sz"], record["mv"].split(), winner, record["end"])
