"""What a match makes of programs that fail: each is recorded as what it is, and the match goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arena.programs import PATIENCE, fake, needs
from tesuji import Go, Othello, match

FAILURES = {
    "crash": "crash",
    "exit-at-once": "crash",
    "close-output": "crash",
    "hang": "timeout",
    "late": "timeout",
    "flood-stderr": "timeout",
    "flood-stdout": "nonsense",
    "flood-answer": "nonsense",
    "no-gtp": "nonsense",
    "wrong-number": "nonsense",
}


@pytest.mark.parametrize(("mode", "reason"), FAILURES.items())
def test_a_failure_is_in_the_record(mode: str, reason: str) -> None:
    program = fake(mode, timeout=0.7 if reason == "timeout" else PATIENCE)
    result = match(Go(5), fake("sound", "C3"), program, games=1, playouts=1, seed=1)
    (record,) = result.records
    assert (record.ended_by, record.points) == (reason, 1.0)
    assert record.reason is not None
    assert record.reason.startswith(f"B: {reason}: ")


def test_an_illegal_move_is_in_the_record() -> None:
    result = match(Go(5), fake("sound", "C3"), fake("sound", "C3"), games=1, playouts=1, seed=1, failures="void")
    (record,) = result.records
    assert (record.ended_by, record.points) == ("illegal move", None)
    assert record.reason is not None
    assert "the point is occupied by Black" in record.reason


def test_a_program_that_crashed_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    program = fake("crash-once", str(tmp_path / "marker"))
    result = match(Go(5), program, fake("sound"), games=2, seed=1)
    assert [record.ended_by for record in result.records] == ["crash", "rules"]
    assert result.records[1].moves == (25, 25), "two passes"


@needs("gtp-rhino", "apt install grhino")
def test_a_match_against_rhino() -> None:
    result = match(Othello(), "uct", "@gtp-rhino", games=2, playouts=50, seed=1)
    assert [record.ended_by for record in result.records] == ["rules", "rules"]
    assert result.records[0].b == "gtp:gtp-rhino (dialect=othello)"
