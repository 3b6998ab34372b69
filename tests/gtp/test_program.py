"""`tesuji gtp` as a program: its ends, its options, and games under the arena's rules against other programs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from tests.arena.programs import needs
from tesuji import Go, Havannah, Othello, match
from tesuji.arena.gtp_program import GtpProgram
from tesuji.cli import app

TESUJI = (sys.executable, "-m", "tesuji", "gtp")
GNUGO = GtpProgram(
    command=("gnugo", "--mode", "gtp", "--quiet", "--chinese-rules", "--positional-superko", "--level", "0"),
    dialect="go",
)


def run(*options: str, said: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TESUJI, *options], input=said, capture_output=True, text=True, timeout=120, check=False)


def test_it_ends_with_quit_and_with_its_input() -> None:
    quits = run("--playouts", "10", said="1 name\n2 quit\n3 name\n")
    assert (quits.returncode, quits.stdout, quits.stderr) == (0, "=1 tesuji\n\n=2\n\n", "")
    ends = run("--game", "othello", said="genmove b")
    assert (ends.returncode, ends.stderr) == (0, "")
    assert ends.stdout.startswith("= ")


def test_input_that_does_not_wait() -> None:
    """A pipe may be handed over in a mode in which reading from an empty one is an error."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    with subprocess.Popen([*TESUJI, "--playouts", "10"], stdin=ours, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        os.close(ours)
        os.write(theirs, b"name\n")
        assert program.stdout.readline() == "= tesuji\n"
        time.sleep(0.2)  # so that it finds nothing to read
        os.write(theirs, b"2 quit\n")
        assert program.stdout.read() == "\n=2\n\n"
        os.close(theirs)


def test_output_that_does_not_wait() -> None:
    """A full pipe in such a mode is an error as well: nothing of the answers may be lost."""
    theirs, ours = os.pipe()
    os.set_blocking(ours, False)
    count = 3000
    with subprocess.Popen([*TESUJI, "--playouts", "10"], stdin=subprocess.PIPE, stdout=ours) as program:
        os.close(ours)
        assert program.stdin is not None
        program.stdin.write(b"showboard\n" * count + b"quit\n")
        program.stdin.close()
        time.sleep(0.5)  # so that the pipe is full
        with os.fdopen(theirs, "rb") as answers:
            assert answers.read().count(b"\n\n") == count + 1
    assert program.returncode == 0


@pytest.mark.parametrize(("redirection", "name"), [("<&-", "input"), (">&-", "output")])
def test_closed_streams_are_told_in_one_line(redirection: str, name: str) -> None:
    shell = ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *TESUJI]
    program = subprocess.run(shell, input="name\n", capture_output=True, text=True, timeout=120, check=False)
    assert program.returncode == 2
    assert program.stderr == f"error: the standard {name} is closed, and GTP is spoken there\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--game", "chess"), "there is no game 'chess'"),
        (("--game", "tic-tac-toe"), "GTP is spoken here for go, othello, havannah, not for tic-tac-toe"),
        (("--engine", "uct(c=x)"), "c of uct must be"),
        (("--rules", "ing"), "there are no rules 'ing'"),
        (("--size", "30"), "the size of a Go board must be"),
        (("--lag", "-1"), "lag must be a finite number from 0 to 60"),
        (("--game-seconds", "0"), "game-seconds must be"),
        (("--nboard",), "NBoard is for othello, not for go: add --game othello"),
    ],
)
def test_wrong_options_are_told_in_one_line(options: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(app, ["gtp", *options])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_ctrl_c_in_the_middle_of_a_thought() -> None:
    with subprocess.Popen(
        [*TESUJI, "--seconds", "1000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("name\ngenmove b\n")
        program.stdin.flush()
        assert program.stdout.readline() == "= tesuji\n"
        time.sleep(0.3)
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=60)
    assert program.returncode == 130
    assert errors == "interrupted\n"


def ours(game: str, *options: str, setup: tuple[str, ...] = (), dialect: str | None = None) -> GtpProgram:
    command = (*TESUJI, "--game", game, "--playouts", "30", "--seed", "{seed}", *options)
    return GtpProgram(command=command, setup=setup, dialect=dialect)


@needs("gnugo", "apt install gnugo")
def test_a_game_with_gnu_go() -> None:
    (record,) = match(Go(9), ours("go"), GNUGO, games=1, seed=1).records
    assert record.ended_by in ("rules", "resignation"), record.reason
    assert len(record.moves) > 20


@pytest.mark.slow
@needs("gnugo", "apt install gnugo")
def test_fifty_games_with_gnu_go() -> None:
    result = match(Go(9), ours("go"), GNUGO, games=50, seed=2)
    assert {record.ended_by for record in result.records} <= {"rules", "resignation"}


@needs("gtp-rhino", "apt install grhino")
def test_a_game_with_rhino() -> None:
    (record,) = match(Othello(), ours("othello", "--resign", "0"), "@gtp-rhino", games=1, seed=1).records
    assert record.ended_by == "rules", record.reason


def test_both_coordinate_systems_of_havannah_in_one_game() -> None:
    grid = ours("havannah")
    golem = ours("havannah", setup=("gridcoords",), dialect="havannah-little-golem")
    (record,) = match(Havannah(4), grid, golem, games=1, seed=1).records
    assert record.ended_by == "rules", record.reason
