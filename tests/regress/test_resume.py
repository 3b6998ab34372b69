"""`tesuji regress --import`: what an earlier run has asked is not asked again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.regress.runs import FILES, GO_TEST, QUICK, fake, run, run_json, timeless


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
        test |= {"answer": "resign", "status": "failed", "cpu_seconds": 1000.0}
    found = run_json(*FILES, *QUICK, "--import", str(changed(first_file, tests=tests)))
    taken = [test for test in found["tests"] if test["cpu_seconds"] == 1000.0]
    assert [test["id"] for test in taken] == [test["id"] for test in asked]
    assert {(test["answer"], test["status"]) for test in taken} == {("resign", "failed")}
    again = run(*FILES, *QUICK, "--import", str(first_file))
    assert f"{len(asked)} of {len(found['tests'])} positions were asked before" in again.stderr


def test_a_position_that_has_changed_is_asked_again(tmp_path: Path) -> None:
    positions: list[dict[str, Any]] = [
        {"moves": []},
        {"moves": ["B C3"]},
        {"moves": [], "to_play": "W"},
        {"moves": [], "B": ["A1"]},
        {"moves": [], "komi": 5.5},
    ]
    part = tmp_path / "part.json"
    for position in positions:
        files = {name: tmp_path / f"{name}.jsonl" for name in ("before", "now")}
        files["before"].write_text(json.dumps(GO_TEST | {"suite": "s"}))
        files["now"].write_text(json.dumps(GO_TEST | {"suite": "s"} | position))
        part.write_text(run(str(files["before"]), *QUICK, "--json").stdout)
        if position == positions[0]:
            assert "1 of 1 positions were asked before" in run(str(files["now"]), *QUICK, "--import", str(part)).stderr
            continue
        assert run_json(str(files["now"]), *QUICK)["total"]["skipped"] == 0
        result = run(str(files["now"]), *QUICK, "--import", str(part), code=2)
        assert "there is nothing to go on from" in " ".join(result.output.split())


def test_an_answer_is_judged_by_what_is_wanted_now(tmp_path: Path) -> None:
    file, part = tmp_path / "tests.jsonl", tmp_path / "part.json"
    file.write_text(json.dumps(GO_TEST))
    whole = run_json(str(file), *QUICK)
    part.write_text(json.dumps(whole))
    answer = whole["tests"][0]["answer"]
    for wanted, status in (({"ok": [answer]}, "passed"), ({"ok": None, "bad": [answer]}, "failed")):
        file.write_text(json.dumps({key: value for key, value in (GO_TEST | wanted).items() if value is not None}))
        found = run(str(file), *QUICK, "--json", "--import", str(part))
        assert "1 of 1 positions were asked before" in found.stderr
        assert json.loads(found.stdout)["tests"][0]["status"] == status


def test_a_run_that_does_not_say_its_positions_is_refused(first_file: Path) -> None:
    tests = [test | {"position": None} for test in json.loads(first_file.read_text())["tests"]]
    result = run(*FILES, *QUICK, "--import", str(changed(first_file, tests=tests)), code=2)
    assert "does not say which positions it asked" in " ".join(result.output.split())


def test_an_earlier_answer_shows_that_a_program_works(tmp_path: Path) -> None:
    """One that fails in the first four tests does not; here the first was answered before."""
    tests = [GO_TEST | {"id": number} for number in range(5)]
    one, five, part = (tmp_path / name for name in ("a.jsonl", "all.jsonl", "part.json"))
    one.write_text(json.dumps(tests[0] | {"suite": "s"}))
    five.write_text("".join(json.dumps(test | {"suite": "s"}) + "\n" for test in tests))
    part.write_text(run(str(one), "--gtp", fake("sound", "A1"), "--json").stdout.replace("sound A1", "crash"))
    assert "there was no answer" in run(str(five), "--gtp", fake("crash"), "--jobs", "1", code=2).output
    found = run_json(str(five), "--gtp", fake("crash"), "--jobs", "1", "--import", str(part))
    assert [test["answer"] for test in found["tests"]] == ["A1", None, None, None, None]


def test_a_run_without_an_answer_yet_is_gone_on_from(first_file: Path) -> None:
    assert run_json(FILES[0], *QUICK, "--import", str(changed(first_file, tests=[])))["total"]["passed"] > 0


def test_a_run_in_which_nobody_answered_is_gone_on_from(first_file: Path) -> None:
    tests = json.loads(first_file.read_text())["tests"]
    silent = [test | {"status": "failed", "answer": None} for test in tests if test["status"] != "skipped"]
    assert run_json(FILES[0], *QUICK, "--import", str(changed(first_file, tests=silent)))["total"]["passed"] > 0


def test_each_part_of_a_run_keeps_who_made_it(first_file: Path) -> None:
    first = json.loads(first_file.read_text())["made_by"]
    assert [set(facts) >= {"commit", "processor", "compiler"} for facts in first] == [True]
    result = run(*FILES, *QUICK, "--json", "--import", str(first_file))
    assert json.loads(result.stdout)["made_by"] == first
    assert "another commit" not in result.stderr
    other = [{"commit": "c0ffee (clean)", "processor": "another"}]
    result = run(*FILES, *QUICK, "--json", "--import", str(changed(first_file, made_by=other)))
    assert json.loads(result.stdout)["made_by"] == other + first
    assert "note: they were asked by another commit of tesuji" in result.stderr


def test_an_empty_file_is_said_to_be_one(first_file: Path) -> None:
    first_file.write_text("")
    result = run(*FILES, *QUICK, "--import", str(first_file), code=2)
    assert "part.json is empty: was it named as the output as well?" in " ".join(result.output.split())


def test_a_run_of_other_tests_is_refused(first_file: Path) -> None:
    result = run(FILES[1], *QUICK, "--import", str(first_file), code=2)
    assert "there is nothing to go on from" in " ".join(result.output.split())


def test_a_whole_run_leaves_nothing_to_ask(first_file: Path) -> None:
    found = run_json(FILES[0], *QUICK, "--import", str(first_file))
    assert found["tests"] == json.loads(first_file.read_text())["tests"]


@pytest.mark.parametrize(
    ("fields", "arguments", "message"),
    [
        ({}, ["--seed", "2"], "has another seed, 1, not 2: give --seed 1"),
        ({"seed": None}, [], "has another seed, unknown, not 1: ask anew"),
        ({}, ["--engine", "uct"], "asked another player on"),
        ({}, ["--playouts", "201"], "or with another budget"),
        ({"version": "0.0"}, [], "is of another version of tesuji, 0.0, not"),
        ({"version": ""}, [], "is of another version of tesuji, unknown, not"),
        ({"players": {}}, [], "with another budget: unknown, not"),
        ({"seed": "one"}, [], "is no result of tesuji regress --json: seed"),
    ],
)
def test_a_run_that_could_have_other_answers_is_refused(
    first_file: Path, fields: dict[str, Any], arguments: list[str], message: str
) -> None:
    result = run(*FILES, *QUICK, *arguments, "--import", str(changed(first_file, **fields)), code=2)
    assert message in " ".join(result.output.split())


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0, 1e308])
def test_no_number_of_seconds_is_refused_before_the_work(first_file: Path, seconds: float) -> None:
    tests = json.loads(first_file.read_text())["tests"]
    tests[0]["cpu_seconds"] = seconds
    result = run(*FILES, *QUICK, "--json", "--import", str(changed(first_file, tests=tests)), code=2)
    assert "is no result of tesuji regress --json: tests.0.cpu_seconds" in " ".join(result.output.split())


def test_what_got_no_answer_is_asked_again_and_an_answer_says_itself_whether_it_is_right(first_file: Path) -> None:
    whole = json.loads(first_file.read_text())
    tests = [test | {} for test in whole["tests"]]
    answered = [test for test in tests if test["status"] != "skipped"]
    answered[0] |= {"status": "failed", "answer": None, "reason": "crash: out of memory"}
    answered[1] |= {"status": "failed" if answered[1]["status"] == "passed" else "passed"}
    found = run_json(FILES[0], *QUICK, "--import", str(changed(first_file, tests=tests)))
    assert timeless(found) == timeless(whole)
