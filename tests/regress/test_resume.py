"""`tesuji regress --import`: what an earlier run has asked is not asked again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.regress.test_regress import FILES, QUICK, run, run_json, timeless


@pytest.fixture
def first_file(tmp_path: Path) -> Path:
    """A run of the first of two files, as one that was broken off."""
    part = tmp_path / "part.json"
    part.write_text(run(FILES[0], *QUICK, "--json").stdout)
    return part


def changed(part: Path, **fields: Any) -> Path:
    part.write_text(json.dumps(json.loads(part.read_text()) | fields))
    return part


def test_a_run_that_goes_on_is_the_same_as_one_that_was_not_broken_off(first_file: Path) -> None:
    assert timeless(run_json(*FILES, *QUICK, "--import", str(first_file))) == timeless(run_json(*FILES, *QUICK))


def test_what_was_asked_is_not_asked_again(first_file: Path) -> None:
    tests = json.loads(first_file.read_text())["tests"]
    asked = [test for test in tests if test["status"] != "skipped"]
    for test in asked:
        test |= {"answer": "A1", "status": "failed", "cpu_seconds": 1000.0}
    found = run_json(*FILES, *QUICK, "--import", str(changed(first_file, tests=tests)))
    taken = [test for test in found["tests"] if test["cpu_seconds"] == 1000.0]
    assert [test["id"] for test in taken] == [test["id"] for test in asked]
    assert {(test["answer"], test["status"]) for test in taken} == {("A1", "failed")}
    again = run(*FILES, *QUICK, "--import", str(first_file))
    assert f"{len(asked)} of {len(found['tests'])} positions were asked before" in again.stderr


def test_a_whole_run_leaves_nothing_to_ask(first_file: Path) -> None:
    found = run_json(FILES[0], *QUICK, "--import", str(first_file))
    assert found["tests"] == json.loads(first_file.read_text())["tests"]


@pytest.mark.parametrize(
    ("fields", "arguments", "message"),
    [
        ({}, ["--seed", "2"], "has another seed, 1, not 2"),
        ({}, ["--engine", "uct"], "has another player, best, not uct"),
        ({}, ["--playouts", "201"], "asked another player on"),
        ({"version": "0.0"}, [], "has another version of tesuji, 0.0, not"),
        ({"tests": []}, [], "there is nothing to go on from"),
        ({"seed": "one"}, [], "is no result of tesuji regress --json: seed"),
    ],
)
def test_a_run_that_could_have_other_answers_is_refused(
    first_file: Path, fields: dict[str, Any], arguments: list[str], message: str
) -> None:
    result = run(*FILES, *QUICK, *arguments, "--import", str(changed(first_file, **fields)), code=2)
    assert message in " ".join(result.output.split())
