"""Machines that die, stop and come back, with real processes and real signals."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from typing import Any

import pytest

from tests.cluster.machines import Job, job

SECONDS = 1.0
# An answer may come this much later than asked for, on a machine that has other work.
LATE = 3.0
# How tests/cluster/mpi_program.py ends then.
FIRST_IS_LOST = 3


# How often each fault is tried by `make test-slow`.
RUNS = int(os.environ.get("TESUJI_FAULT_RUNS", "20"))


def times(quick: int) -> list[object]:
    """So often in every run of the tests, and more often where there is time."""
    return [
        *range(quick),
        *(pytest.param(number, marks=pytest.mark.slow) for number in range(quick, RUNS)),
    ]


def answer(machines: Job) -> dict[str, Any]:
    line = machines.next(SECONDS + LATE + 2)
    assert line["seconds"] < SECONDS + LATE
    assert line["sum"] == line["visits"] > 0
    return line


def wait_for_the_end(machines: Job, ranks: Iterable[int]) -> None:
    until = time.monotonic() + SECONDS + 2 * LATE
    while alive := [rank for rank in ranks if machines.is_alive(rank)]:
        assert time.monotonic() < until, alive
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("number", "scheme"),
    [
        pytest.param(
            number, scheme, marks=[] if number == 0 and scheme in ("slow-tree", "fast-tree") else pytest.mark.slow
        )
        for number in range(RUNS)
        for scheme in ("slow-tree", "voting", "broadcast", "fast-tree")
    ],
)
def test_machines_die_one_after_another(scheme: str, number: int) -> None:
    """At another moment of the search in each run."""
    with job(4, scheme, "--seconds", str(SECONDS), "--searches", "4") as machines:
        assert machines.has_ulfm
        before = answer(machines)
        time.sleep(number * 0.05)
        machines.signal(2, signal.SIGKILL)
        one_less = answer(machines)
        machines.signal(3, signal.SIGKILL)
        answer(machines)
        last = answer(machines)
        assert one_less["lost"] in ([2], [2, 3])
        assert last["lost"] == [2, 3]
        # The tree is kept, and with it what was shared: visits only grow.
        assert last["visits"] > one_less["visits"] > before["visits"]
        assert machines.wait(20) == 0
        errors = machines.errors()
        assert "machine 2 is lost; 3 of 4 go on" in errors
        assert "machine 3 is lost; 2 of 4 go on" in errors


@pytest.mark.parametrize("number", times(1))
def test_a_stopped_machine_holds_nobody_up_and_comes_back(number: int) -> None:
    with job(3, "slow-tree", "--seconds", str(SECONDS), "--searches", "6") as machines:
        answer(machines)
        time.sleep(number * 0.05)
        machines.signal(1, signal.SIGSTOP)
        answer(machines)
        stopped = answer(machines)
        assert (stopped["silent"], stopped["lost"]) == ([1], [])
        assert stopped["seconds"] < SECONDS + LATE
        machines.signal(1, signal.SIGCONT)
        answer(machines)
        answer(machines)
        back = answer(machines)
        assert (back["silent"], back["lost"]) == ([], [])
        assert machines.wait(20) == 0


@pytest.mark.parametrize("is_noticed", [True, False])
def test_nobody_waits_at_the_end_for_a_machine_that_stays_stopped(*, is_noticed: bool) -> None:
    """Also for one that was stopped after the last search, which nobody has noticed."""
    with job(3, "slow-tree", "--seconds", str(SECONDS), "--wait", "2") as machines:
        if not is_noticed:
            answer(machines)
        machines.signal(1, signal.SIGSTOP)
        if is_noticed:
            assert answer(machines)["silent"] == [1]
        wait_for_the_end(machines, [0, 2])
        machines.signal(1, signal.SIGCONT)
        wait_for_the_end(machines, [1])
        # It ends as it was told, or because the first one is gone: what was sent to it while it slept may be lost.
        assert machines.wait(20) in (0, FIRST_IS_LOST)
        assert "machine 1 does not answer" in machines.errors()


def test_machines_that_were_all_silent_find_each_other_again() -> None:
    """As after a laptop was closed."""
    with job(3, "slow-tree", "--seconds", "3", "--slices", "1", "--patience", "1") as machines:
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for rank in range(3):
                machines.signal(rank, number)
            time.sleep(1.5)
        line = machines.next(20)
        assert line["live"] == [0, 1, 2]
        assert (line["silent"], line["lost"]) == ([], [])
        assert machines.wait(20) == 0


@pytest.mark.parametrize("number", times(1))
def test_the_loss_of_the_first_machine_ends_all(number: int) -> None:
    with job(3, "slow-tree", "--seconds", str(SECONDS), "--searches", "50") as machines:
        answer(machines)
        time.sleep(number * 0.05)
        machines.signal(0, signal.SIGKILL)
        wait_for_the_end(machines, range(3))
        assert machines.wait(10) != 0
