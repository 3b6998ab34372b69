"""`tesuji regress`: the answers of real engines, and how they are counted and compared."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.arena.programs import FAKE, needs
from tests.regress.runs import CERTAIN, DATA, FILES, GNUGO, GO_TEST, QUICK, fake, run, run_json, statuses, timeless
from tesuji import Go, parse_engine
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import Budget, EnginePlayer, PlayerSpec
from tesuji.regress.ask import Question, ask
from tesuji.regress.files import read_problems
from tesuji.regress.problem import Expectation, Problem, Setup


def test_our_best_engine() -> None:
    found = run_json(*FILES, *QUICK)
    assert statuses(found) == {**CERTAIN, "own/win1 line 7": "passed", "othello first reply": "passed"}
    total = found["total"]
    assert (total["passed"], total["failed"], total["skipped"]) == (7, 2, 8)
    assert (total["passed_unexpectedly"], total["failed_unexpectedly"]) == (0, 0)
    assert total["percentage"] == pytest.approx(100 * 7 / 9)
    assert (found["player"], found["interrupted"]) == ("best", False)
    assert set(found["players"]) == {"go 9x9", "go 7x7", "havannah 3", "othello"}
    assert all("[200 playouts]" in text and "best" not in text for text in found["players"].values())
    by_suite = {suite: (row["passed"], row["failed"], row["skipped"]) for suite, row in found["suites"].items()}
    assert by_suite == {
        "own/capture": (2, 1, 0),
        "own/strange": (0, 0, 3),
        "own/win1": (1, 0, 0),
        "othello": (1, 0, 0),
        "own": (3, 1, 5),
    }


@needs("gnugo", "apt install gnugo")
def test_gnu_go() -> None:
    found = run_json(*FILES, "--engine", "@gnugo", "--jobs", "1")
    assert statuses(found) == {**CERTAIN, "own/win1 line 7": "skipped", "othello first reply": "skipped"}
    assert "it plays go, not othello" in found["tests"][7]["reason"]
    answers = {test["id"]: test["answer"] for test in found["tests"] if test["suite"] == "own"}
    assert answers["10"] == "E8"


def test_answers_do_not_depend_on_the_number_of_processes_or_the_other_tests() -> None:
    together = run_json(*FILES, "--playouts", "50", "--jobs", "2", "--seed", "5")
    apart = [run_json(file, "--playouts", "50", "--jobs", "1", "--seed", "5") for file in FILES]
    assert timeless(together) == [test for found in apart for test in timeless(found)]


def test_the_table() -> None:
    output = run(*FILES, *QUICK, "--failures").output
    rows = [line.replace("│", " ").split() for line in output.splitlines() if line.startswith("│")]
    assert ["own/capture", "2", "1", "0", "66.7", "0", "0"] in rows
    assert ["own/strange", "0", "0", "3", "0", "0"] in rows
    assert ["all", "7", "2", "8", "77.8", "0", "0"] in rows
    assert "note: 1 skipped: it asks for attack, not for a move" in output
    assert any(row[:2] == ["own", "30"] and row[3:] == ["[A1]", "yes"] for row in rows)


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    """Square brackets are the markup of the library that draws the tables."""
    name = "x[/red]"
    file, old = tmp_path / "names.jsonl", tmp_path / "old.json"
    file.write_text(json.dumps({"suite": name, "id": name, "sz": 9, "moves": [], "to_play": "B", "ok": ["A1"]}))
    found = run_json(str(file), "--gtp", fake("sound", "A1", name))
    old.write_text(json.dumps({**found, "player": f"old {name}"}))
    output = run(str(file), "--gtp", fake("sound", "B2", name), "--failures", "--compare", str(old)).output
    rows = [line.replace("│", " ").split() for line in output.splitlines() if line.startswith("│")]
    assert [name, "0", "1", "0", "0.0", "0", "1"] in rows
    assert [name, name, "B2", "[A1]"] in rows
    assert [name, "1", "1", "0", "0", "1", "1.000"] in rows
    assert f"against the earlier run of old {name}" in " ".join(output.split())
    assert output.count(name) == 10  # with titles and captions, and twice in the last line


def test_passes_and_fails_that_the_suite_does_not_expect() -> None:
    """A player who always answers A1 passes what is known to fail, and fails the rest."""
    found = run_json(str(DATA / "own.tst"), "--gtp", fake("sound", "A1"))
    assert statuses(found)["own 30"] == "passed"
    assert (found["total"]["passed_unexpectedly"], found["total"]["failed_unexpectedly"]) == (1, 3)
    assert {test["answer"] for test in found["tests"] if test["status"] != "skipped"} == {"A1"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["crash"], "exited with code 3"),
        (["refuse"], "refused 'genmove black'"),
        (["no-gtp"], "which is no GTP"),
        (["sound", "Z99"], "'Z99' is no move here"),
    ],
)
def test_a_program_without_an_answer_fails(tmp_path: Path, arguments: list[str], reason: str) -> None:
    file = tmp_path / "one.tst"
    file.write_text("boardsize 9\n1 reg_genmove black\n#? [!A1]\n")
    found = run_json(str(file), "--gtp", fake(*arguments))
    (test,) = found["tests"]
    assert (test["status"], test["answer"]) == ("failed", None)
    assert reason in test["reason"]


#: Black has stones around A1, where White would kill itself, and may not take back at once at F5: there is a ko.
KO = """boardsize 9
play b A2
play b B1
play b F4
play b E5
play b F6
play w G4
play w G6
play w H5
play w F5
play b G5
"""


@pytest.mark.parametrize(("answer", "reason"), [("A2", "occupied"), ("A1", "suicide"), ("F5", "ko")])
def test_who_plays_against_the_rules_has_not_avoided_a_bad_move(tmp_path: Path, answer: str, reason: str) -> None:
    file = tmp_path / "one.tst"
    file.write_text(f"{KO}1 reg_genmove white\n#? [!C3]\n")
    (test,) = run_json(str(file), "--gtp", fake("sound", answer))["tests"]
    assert (test["status"], test["answer"]) == ("failed", None)
    assert test["reason"].startswith("illegal move: ")
    assert reason in test["reason"]


def test_an_answer_keeps_to_superko(tmp_path: Path) -> None:
    """White may not take back on B5: the board would be as it was before A5."""
    (tmp_path / "a.sgf").write_text("(;SZ[5]AB[ab][bb]AW[ba][da][cb];W[aa];B[ca])")
    (tmp_path / "one.tst").write_text("loadsgf a.sgf\n1 reg_genmove white\n#? [B5]\n")
    (test,) = run_json(str(tmp_path / "one.tst"), "--gtp", fake("sound", "B5"))["tests"]
    assert (test["status"], test["answer"]) == ("failed", None)
    assert "superko" in test["reason"]


def test_who_resigns_has_not_avoided_a_bad_move(tmp_path: Path) -> None:
    file = tmp_path / "one.tst"
    file.write_text("boardsize 9\n1 reg_genmove black\n#? [!A1]\n")
    (test,) = run_json(str(file), "--gtp", fake("sound", "resign"))["tests"]
    assert (test["status"], test["answer"]) == ("failed", "resign")


def test_a_program_that_never_answers_ends_the_run() -> None:
    result = run(str(DATA / "own.tst"), "--gtp", fake("crash"), "--jobs", "1", code=2)
    assert "in the first 4 positions there was no answer: crash" in result.output


def test_a_board_that_the_engine_does_not_know_is_skipped() -> None:
    found = run_json(str(DATA / "own.jsonl"), "--engine", "rave+prior", "--playouts", "20", "--jobs", "1")
    reasons = {test["suite"]: test["reason"] for test in found["tests"] if test["status"] == "skipped"}
    assert "cannot search" in reasons["own/win1"]
    assert "cannot search" in reasons["othello"]
    assert statuses(found)["own/capture 1"] in ("passed", "failed")


@pytest.mark.parametrize(
    "player",
    [
        EnginePlayer(engine=parse_engine("uct"), budget=Budget(playouts=10)),
        GtpProgram(command=(*FAKE, "sound", "A1")),
    ],
)
def test_a_board_that_cannot_be_had_is_skipped(player: PlayerSpec) -> None:
    setup = Setup(start=Go(9), moves=((0, 40), (1, 40)), player=0)
    expected = Expectation.of_moves(["A1"])
    problem = Problem(suite="own", id="1", file="own.tst", line=1, expected=expected, setup=setup)
    outcome = ask(Question(problem=problem, player=player, seed=1))
    assert outcome is not None
    assert outcome.status == "skipped"
    assert "the point is occupied" in outcome.reason


LIMITED = """
import resource, sys
from tesuji.cli import app
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv.pop(1)), resource.RLIM_INFINITY))
app()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is Linux's")
@pytest.mark.parametrize(
    ("room", "threads", "message"),
    [(2**29, "1", "the system does not give max_memory"), (2**31, "1024", "the system does not give threads = 1024")],
)
def test_what_the_system_does_not_give_ends_the_run(room: int, threads: str, message: str) -> None:
    arguments = ["regress", FILES[1], "--playouts", "10", "--threads", threads, "--jobs", "1"]
    command = [sys.executable, "-c", LIMITED, str(room), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 2, result.stdout
    assert result.stderr.strip().splitlines()[-1].startswith(f"error: {message}")


def test_a_program_without_a_budget_is_told_none(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(f"[fake]\ncommand = {json.dumps(fake('sound', 'A1'))}\noptions = ['for-{{playouts}}']\n")
    for name in ("@fake", "fake"):
        how = (FILES[1], "--engine", name, "--engines", str(file), "--jobs", "1")
        assert all(text.endswith(" A1") for text in run_json(*how)["players"].values())
        assert all(text.endswith(" A1 for-70") for text in run_json(*how, "--playouts", "70")["players"].values())


#: Answers everything but one command; a file tells that it has come so far.
DEAF = """
import pathlib, sys, time
for line in sys.stdin:
    number, command = line.split(maxsplit=1)
    if command.startswith(sys.argv[1]):
        pathlib.Path(sys.argv[2]).touch()
        time.sleep(1000)
    print(f"={number}\\n", flush=True)
"""


@pytest.mark.parametrize("command", ["hello", "boardsize", "known_command", "genmove"])
def test_whoever_waits_for_a_program_can_be_stopped(tmp_path: Path, command: str) -> None:
    marker = tmp_path / "marker"
    line = (sys.executable, "-S", "-E", "-c", DEAF, command, str(marker))
    program = GtpProgram(command=line, setup=("hello",), timeout=10)
    problem = read_problems([DATA / "own.tst"])[0]
    assert ask(Question(problem=problem, player=program, seed=1), marker.exists) is None


def test_a_board_that_the_program_refuses_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "one.tst"
    file.write_text("boardsize 9\n1 reg_genmove white\n#? [C3]\n")
    program = shlex.join([sys.executable, "-m", "tesuji", "gtp", "--game", "othello", "--playouts", "10"])
    (test,) = run_json(str(file), "--gtp", program)["tests"]
    assert test["status"] == "skipped"
    assert "refused 'boardsize 9'" in test["reason"]


def test_comparison_with_an_earlier_run(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text(run(*FILES[1:], "--gtp", fake("sound", "A1"), "--json").stdout)
    found = run_json(*FILES[1:], *QUICK, "--compare", str(old))["comparison"]
    assert found["total"]["newly_passed"] == ["own 10", "own 20", "own line 38"]
    assert found["total"]["newly_failed"] == ["own 30"]
    assert (found["total"]["both"], found["total"]["before"], found["total"]["now"]) == (4, 1, 3)
    assert found["total"]["p_value"] == pytest.approx(2 * (1 + 4) / 16)  # three of four heads, or worse, on either side
    assert found["suites"]["own"]["newly_failed"] == ["30"]
    assert found["apart"] == 0
    output = run(*FILES, *QUICK, "--compare", str(old)).output
    assert "newly passed: own 10, own 20, own line 38" in output
    assert "5 tests are in one of the runs only" in output
    assert f"tesuji {found['old_version']}" in " ".join(output.split())


def test_a_comparison_shows_the_budget_and_the_version_of_the_old_run(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    found = run_json(*FILES[1:], *QUICK)
    players = {"go 9x9": "uct [77 playouts]"}
    old.write_text(json.dumps({**found, "version": "0.0.7", "players": players}))
    comparison = run_json(*FILES[1:], *QUICK, "--compare", str(old))["comparison"]
    assert (comparison["old"], comparison["old_version"], comparison["old_players"]) == ("best", "0.0.7", players)
    assert "before: uct [77 playouts]; tesuji 0.0.7" in run(*FILES[1:], *QUICK, "--compare", str(old)).output


def test_a_comparison_without_a_test_in_common_is_refused(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text(run(FILES[1], "--gtp", fake("sound", "A1"), "--json").stdout)
    result = run(FILES[0], *QUICK, "--compare", str(old), code=2)
    assert "there is nothing to compare" in result.output


def test_a_comparison_leaves_out_what_has_another_position_now(tmp_path: Path) -> None:
    file, old = tmp_path / "two.jsonl", tmp_path / "old.json"

    def write(*tests: dict[str, Any]) -> None:
        file.write_text(
            "".join(json.dumps(GO_TEST | {"id": number} | test) + "\n" for number, test in enumerate(tests))
        )

    write({}, {})
    old.write_text(run(str(file), *QUICK, "--json").stdout)
    write({}, {"moves": ["B C3", "W D4"]})
    found = run_json(str(file), *QUICK, "--compare", str(old))["comparison"]
    assert (found["total"]["both"], found["apart"]) == (1, 2)
    write({"komi": 5.5}, {"moves": ["B C3", "W D4"]})
    assert "there is nothing to compare" in run(str(file), *QUICK, "--compare", str(old), code=2).output
    # A run from before positions were kept.
    whole = json.loads(old.read_text())
    old.write_text(json.dumps(whole | {"tests": [test | {"position": None} for test in whole["tests"]]}))
    assert run_json(str(file), *QUICK, "--compare", str(old))["comparison"]["total"]["both"] == 2


def test_a_comparison_of_what_was_skipped_now_says_so(tmp_path: Path) -> None:
    file, old = tmp_path / "one.jsonl", tmp_path / "old.json"
    file.write_text(json.dumps({"id": 1, "mv": "a1", "sz": 3, "to_play": 2, "ok": ["b1"]}))
    old.write_text(run(str(file), *QUICK, "--json").stdout)
    output = run(str(file), "--engine", "rave+prior", *QUICK, "--compare", str(old)).output
    assert "note: no test was asked in both runs" in output
    assert "McNemar" not in output


def test_a_file_without_tests_gets_a_note(tmp_path: Path) -> None:
    empty = tmp_path / "empty.tst"
    empty.write_text("")
    result = run(str(empty), FILES[1], *QUICK)
    assert f"note: {empty} holds no test" in result.stderr


def test_a_program_that_is_not_there_comes_with_a_hint_how_to_get_it(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text("[absent]\ncommand = 'no-such-program'\ninstall = 'build it'\n")
    result = run(FILES[1], "--engine", "@absent", "--engines", str(file), code=2)
    assert "the player absent: there is no program 'no-such-program'" in result.output
    assert "To get it: build it" in result.output


def test_the_help_promises_no_cluster() -> None:
    assert "cluster" not in run("--help").output


def test_a_comparison_needs_the_tests_and_the_player_only(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    found = run_json(*FILES[1:], *QUICK)
    old.write_text(json.dumps({key: found[key] for key in ("format", "player", "tests")}))
    assert run_json(*FILES[1:], *QUICK, "--compare", str(old))["comparison"]["total"]["both"] == 4


def test_one_answer_is_enough_to_go_on(tmp_path: Path) -> None:
    """The program answers the first test, and crashes in all others."""
    file = tmp_path / "many.tst"
    file.write_text("boardsize 9\n" + "".join(f"{number} reg_genmove black\n#? [A1]\n" for number in range(1, 8)))
    marker = tmp_path / "marker"
    script = f"if [ -e {marker} ]; then exec {fake('crash')}; fi; touch {marker}; exec {fake('sound', 'A1')}"
    found = run_json(str(file), "--gtp", shlex.join(["sh", "-c", script]), "--jobs", "1")
    assert [test["status"] for test in found["tests"]] == ["passed", *["failed"] * 6]


def test_the_same_run_again_has_no_difference(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text(run(*FILES, *QUICK, "--json").stdout)
    total = run_json(*FILES, *QUICK, "--compare", str(old))["comparison"]["total"]
    assert (total["newly_passed"], total["newly_failed"], total["p_value"]) == ([], [], 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.tst"], "nowhere.tst: it cannot be read"),
        ([FILES[0], "--engine", "uct", "--gtp", GNUGO], "--engine and --gtp both name who is asked"),
        ([FILES[0], "--engine", "uct(c="], "is never closed"),
        ([FILES[0], "--gtp", "no-such-program"], "there is no program 'no-such-program'"),
        ([FILES[0], "--playouts", "0"], "playouts must be"),
        ([FILES[0], "--compare", FILES[0]], "is no result of tesuji regress --json"),
        ([FILES[0], "--compare", "nowhere.json"], "nowhere.json cannot be read"),
        ([FILES[0], FILES[0]], "there is a test 1 of own/capture already"),
        ([FILES[0], "--engine", "cluster(n=2)+uct"], "cluster(n=2)+uct: a cluster plays matches only"),
        ([FILES[0], "--timeout", "5"], "--timeout is for another program"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], message: str) -> None:
    result = run(*arguments, code=2)
    assert message in result.output
    assert "Traceback" not in result.output
    assert "-:--" not in result.output, "the progress bar"
