"""A whole game searched move by move, in Python and on the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tesuji import Go
from tesuji.cli import app
from tesuji.errors import ArgumentError
from tesuji.review import review
from tesuji.sgf import SgfGame

# Whoever plays first in the corner beside the other takes everything.
RACE = """
    . X X O .
    X X X O O
    X X X O O
    X X X O O
    X X X O O
"""


@pytest.fixture
def race() -> SgfGame:
    start = Go.from_ascii(RACE, komi=0.5, superko=False)
    return SgfGame.from_moves(start, [start.pass_move, start.parse_move("A5")], properties={"C": "a race"})


@pytest.fixture
def race_file(race: SgfGame, tmp_path: Path) -> Path:
    path = tmp_path / "race.sgf"
    race.write(path)
    return path


def invoke(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "100"})


def test_a_mistake_is_found(race: SgfGame) -> None:
    found = review(race, playouts=500, seed=1)
    assert [move.text for move in found.moves] == ["pass", "A5"]
    mistake, capture = found.moves
    assert mistake.step.before.format_move(mistake.best_move) == "E5"
    assert mistake.loss is not None
    assert mistake.loss > 0.5
    assert capture.loss == 0
    assert [round(value) for value in found.course] == [1, 0, 0]
    assert not found.interrupted


def test_the_same_seed_finds_the_same(race: SgfGame) -> None:
    assert review(race, playouts=300, seed=1).to_dict() == review(race, playouts=300, seed=1).to_dict()
    assert review(race, playouts=300, seed=1).course != review(race, playouts=300, seed=2).course


def test_several_threads_find_it_too(race: SgfGame) -> None:
    found = review(race, playouts=500, threads=3, seed=1)
    assert found.threads == found.to_dict()["threads"] == 3
    assert found.moves[0].step.before.format_move(found.moves[0].best_move) == "E5"
    with pytest.raises(ArgumentError, match="threads must be an integer from 1 to 1024, not 0"):
        review(race, playouts=10, threads=0)


def test_annotation(race: SgfGame) -> None:
    review(race, playouts=500, seed=1).annotate()
    again = SgfGame.parse(race.to_bytes())
    assert again.variation_count == 2, "the mistake has a better line, the capture has none"
    assert [step.before.format_move(step.move) for step in again.line()] == ["pass", "A5"]
    better = again.line(2)[0]
    assert better.before.format_move(better.move) == "E5"
    assert "for Black" in better.node.get("C")
    first, second = (step.node.get("C") for step in again.line())
    assert "best E5, pass gives away" in first
    assert "best A5, A5 gives away 0.0%" in second
    assert again.info("C") == "a race"


def test_a_small_loss_gets_no_variation(race: SgfGame) -> None:
    found = review(race, playouts=500, seed=1)
    replace(found, moves=(replace(found.moves[0], loss=0.04),)).annotate()
    assert race.variation_count == 1
    assert "pass gives away 4.0%" in race.line()[0].node.get("C")


def test_a_game_that_ends_with_passes() -> None:
    start = Go(5, superko=False)
    moves = [start.parse_move("C3"), start.pass_move, start.pass_move]
    found = review(SgfGame.from_moves(start, moves), playouts=50, seed=1)
    assert len(found.course) == 3
    assert found.final is None
    assert found.moves[-1].loss is None


def test_progress_is_told(race: SgfGame) -> None:
    told: list[tuple[int, int]] = []
    review(race, playouts=10, seed=1, on_move=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


# ---- the command


def test_table_chart_and_annotated_file(race_file: Path, tmp_path: Path) -> None:
    chart, annotated = tmp_path / "race.svg", tmp_path / "annotated.sgf"
    result = invoke(
        "analyze", "--sgf", race_file, "--playouts", "500", "--seed", "1", "--plot", chart, "--annotate", annotated
    )
    assert result.exit_code == 0, result.output
    assert "1 B" in result.stdout
    assert "E5" in result.stdout
    assert "winning percentage" in chart.read_text()
    assert SgfGame.read(annotated).variation_count == 2
    assert SgfGame.read(race_file).variation_count == 1, "the file itself stays as it is"


def test_json(race_file: Path) -> None:
    result = invoke("analyze", "--sgf", race_file, "--playouts", "100", "--seed", "1", "--json")
    found = json.loads(result.stdout)
    assert [move["move"] for move in found["moves"]] == ["pass", "A5"]
    assert found["moves"][0]["best_move"] == "E5"
    assert found["annotated"] is None


def test_threads(race_file: Path) -> None:
    arguments = ("analyze", "--sgf", race_file, "--playouts", "100", "--seed", "1", "--threads", "2")
    assert json.loads(invoke(*arguments, "--json").stdout)["threads"] == 2
    assert "seed 1, 2 threads" in invoke(*arguments).stdout


def test_one_position(race_file: Path) -> None:
    result = invoke("analyze", "--sgf", race_file, "--move", "1", "--playouts", "200", "--seed", "1", "--json")
    found = json.loads(result.stdout)
    assert (found["to_move"], found["best_move_text"]) == (1, "A5")


def test_another_variation(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5];B[cc](;W[bb])(;W[dd];B[db]))")
    result = invoke("analyze", "--sgf", path, "--variation", "2", "--playouts", "20", "--json")
    assert [move["move"] for move in json.loads(result.stdout)["moves"]] == ["C3", "D2", "D4"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sgf", "none.sgf"], "none.sgf cannot be read: No such file"),
        (["--sgf", "FILE", "--move", "7"], "has 2 moves, not 7"),
        (["--sgf", "FILE", "--move", "-1"], "moves must be an integer of at least 0"),
        (["--sgf", "FILE", "--variation", "2"], "has one variation, so there is no variation 2"),
        (["--sgf", "FILE", "--variation", "0"], "variation must be an integer of at least 1"),
        (["--sgf", "FILE", "--komi", "7"], "--komi is not for --sgf"),
        (["--sgf", "FILE", "--moves", "e5"], "--moves is not for --sgf"),
        (["othello", "--sgf", "FILE"], "--sgf reads games of Go, not of othello"),
        (["--sgf", "FILE", "--trace"], "are for one position: add --move"),
        (["--sgf", "FILE", "--plot", "chart.doc"], "--plot must end in .png, .svg or .pdf"),
        (["--sgf", "FILE", "--annotate", "none/there.sgf"], "--annotate must be a file in a folder that exists"),
        (["--sgf", "FILE", "--move", "1", "--annotate", "new.sgf"], "--annotate is for a whole game"),
        (["go", "--move", "3"], "are for a recorded game: add --sgf"),
        ([], "give a game, one of go"),
    ],
)
def test_what_makes_no_sense(race_file: Path, arguments: list[str], message: str) -> None:
    result = invoke("analyze", *(race_file if word == "FILE" else word for word in arguments))
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_broken_file_is_one_line_with_the_place(tmp_path: Path) -> None:
    path = tmp_path / "broken.sgf"
    path.write_text("(;SZ[9]\n;B[ee]\n;W[ee])")
    result = invoke("analyze", "--sgf", path)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {path}, line 3, column 1 (node 2): move 2: illegal move E5 for White")
    assert result.stderr.count("\n") == 1


def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    start = Go(9)
    SgfGame.from_moves(start, range(80)).write(path)
    command = [sys.executable, "-m", "tesuji", "analyze", "--sgf", str(path), "--seconds", "0.5", "--json"]
    for delay in (3, 10, 20):  # a slow machine needs longer until the first search has ended
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=60)
        if stdout and json.loads(stdout)["moves"]:
            break
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert json.loads(stdout)["interrupted"]
    assert 0 < len(json.loads(stdout)["moves"]) < 80
