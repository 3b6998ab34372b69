"""`tesuji regress` as its tests run it, and files that they share."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tests.arena.programs import FAKE
from tesuji.cli import app

DATA = Path(__file__).parent / "data"
FILES = [str(DATA / "own.jsonl"), str(DATA / "own.tst")]
GNUGO = "gnugo --mode gtp --level 1"
QUICK = ("--playouts", "200", "--jobs", "1")
GO_TEST: dict[str, Any] = {"id": 1, "sz": 9, "moves": [], "to_play": "B", "ok": ["E5"]}


def run(*arguments: str, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["regress", *arguments])
    assert result.exit_code == code, result.output
    return result


def run_json(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    return found


def statuses(found: dict[str, Any]) -> dict[str, str]:
    return {f"{test['suite']} {test['id']}": test["status"] for test in found["tests"]}


def timeless(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [{key: value for key, value in test.items() if "seconds" not in key} for test in found["tests"]]


def fake(*arguments: str) -> str:
    return shlex.join([*FAKE, *arguments])


#: What any player of some strength makes of the files, and what nobody can be asked.
CERTAIN = {
    "own/capture 1": "passed",
    "own/capture 2": "passed",
    "own/capture 3": "failed",
    "own/strange 1": "skipped",
    "own/strange 2": "skipped",
    "own/strange 3": "skipped",
    "own 10": "passed",
    "own 20": "passed",
    "own 30": "failed",
    "own 40": "skipped",
    "own 50": "skipped",
    "own 60": "skipped",
    "own line 38": "passed",
    "own 70": "skipped",
    "own 80": "skipped",
}
