"""The cluster on real processes of MPI, all well."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.cluster.machines import ENVIRONMENT, job, mpiexec, tesuji_command
from tesuji.cluster.schemes import SCHEMES


def run(command: list[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=120, env=ENVIRONMENT, check=False
    )


@pytest.mark.parametrize("engine", ["uct(c=0.4)", "rave"])
def test_every_scheme_counts_every_playout(engine: str) -> None:
    options = ["--playouts", "3000", "--searches", "2", "--advance", "--patience", "20"]
    with job(3, ",".join(SCHEMES), "--engine", engine, *options) as machines:
        for scheme in SCHEMES:
            first, second = machines.next(60), machines.next(60)
            assert first["scheme"] == second["scheme"] == scheme
            assert (first["lost"], first["silent"]) == ([], [])
            assert first["sum"] == first["visits"]
            if scheme == "fast-tree":
                assert first["visits"] >= 6000
            else:
                assert first["visits"] == 9000
            assert second["visits"] > 3000
        assert machines.wait(20) == 0


def test_threads_on_every_machine() -> None:
    with job(2, "slow-tree,broadcast", "--threads", "2", "--seconds", "0.5") as machines:
        for _ in range(2):
            line = machines.next(30)
            assert line["visits"] > line["playouts"] > 0
        assert machines.wait(20) == 0


def test_a_search_in_short_slices_exchanges_too() -> None:
    """As GTP searches: a slice may be shorter than the period."""
    with job(2, "slow-tree", "--seconds", "0.03", "--slices", "30", "--period", "0.1") as machines:
        assert machines.next(30)["exchanges"] >= 3
        assert machines.wait(20) == 0


def test_ctrl_c_ends_the_search_with_what_it_has() -> None:
    """At the first machine, or at all, as srun does it."""
    for ranks in ([0], [2, 1, 0]):
        with job(3, "slow-tree", "--seconds", "50") as machines:
            time.sleep(1.0)
            for rank in ranks:
                machines.signal(rank, signal.SIGINT)
            line = machines.next(20)
            assert line["ended_by"] == "interrupt"
            assert line["visits"] > line["playouts"] > 0
            assert machines.wait(20) == 0
            assert "MPI" not in machines.errors()


def test_an_error_of_the_first_machine_sends_the_others_home_in_the_middle_of_a_search() -> None:
    with job(3, "slow-tree", "--seconds", "0.5", "--slices", "1", "--fail") as machines:
        assert machines.wait(20) == 1
        assert "MPI_" not in machines.errors()


def test_a_game_that_is_over_is_said_before_the_others_are_told() -> None:
    command = tesuji_command("cluster", "analyze", "go", "--size", "5", "--moves", "pass pass")
    done = run(mpiexec(2, *command))
    assert done.returncode == 2
    assert "the game is over" in done.stderr


def test_analyze() -> None:
    command = tesuji_command(
        "cluster", "analyze", "go", "--size", "5", "--seconds", "0.5", "--json", "--scheme", "slow-root"
    )
    done = run(mpiexec(3, *command))
    result = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert result["machines"] == 3
    assert result["visits"] > result["playouts"] > 0
    assert result["bytes_sent"] > 0
    assert "3 machines, slow-root, an exchange every 0.1 s" in done.stderr
    assert "does not survive" not in done.stderr


def test_without_fault_tolerance_it_says_so_and_works() -> None:
    command = tesuji_command("cluster", "analyze", "tic-tac-toe", "--playouts", "500", "--json", "--patience", "20")
    done = run(mpiexec(2, *command, ulfm=False))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["visits"] == 1000
    assert "does not survive the loss of a machine" in done.stderr
    assert "mpiexec --with-ft ulfm" in done.stderr


def test_one_machine_needs_no_mpiexec() -> None:
    done = run(tesuji_command("cluster", "analyze", "tic-tac-toe", "--playouts", "500", "--json", "--seed", "1"))
    assert json.loads(done.stdout)["visits"] == 500
    assert "start it with mpiexec" in done.stderr


def test_gtp() -> None:
    conversation = "boardsize 5\nclear_board\ngenmove black\ngenmove white\nundo\nplay white a1\ngenmove black\nquit\n"
    command = tesuji_command("cluster", "gtp", "--size", "5", "--playouts", "300", "--engine", "uct", "--seed", "1")
    done = run(mpiexec(3, *command), conversation)
    assert done.returncode == 0, done.stderr
    answers = [answer for answer in done.stdout.split("\n\n") if answer.strip()]
    assert len(answers) == 8
    assert all(answer.startswith("=") for answer in answers), done.stdout


def test_match() -> None:
    command = tesuji_command(
        "cluster", "match", "havannah", "uct", "uct", "--size", "3", "--playouts", "100", "--games", "2", "--json"
    )
    done = run(mpiexec(2, *command))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    assert "slow-tree on 2 machines" in done.stdout


def test_without_mpi_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['mpi4py'] = None; sys.argv = ['tesuji', 'cluster', 'analyze', 'go']\n"
        "from tesuji.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 2
    assert "pip install 'tesuji[mpi]'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_mistakes_end_all_machines() -> None:
    done = run(mpiexec(2, *tesuji_command("cluster", "analyze", "go", "--scheme", "slow-tre")))
    assert done.returncode != 0
    assert "did you mean 'slow-tree'" in done.stderr
    done = run(mpiexec(2, *tesuji_command("cluster", "analyze", "go", "--engine", "no-such")))
    assert done.returncode != 0
    assert "error:" in done.stderr
