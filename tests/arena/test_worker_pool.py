"""Processes for any kind of work, and how they end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arena.programs import PATIENCE, in_a_group
from tesuji.arena.pool import Pool
from tesuji.errors import WorkerError

STUBBORN = Path(__file__).with_name("stubborn_work.py")


def test_a_second_ctrl_c_does_not_wait_for_the_work(tmp_path: Path) -> None:
    with in_a_group([sys.executable, str(STUBBORN), str(tmp_path)]) as process:
        end = time.monotonic() + PATIENCE
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < end:
            time.sleep(0.05)
        for _ in range(2):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.3)
        # The workers have the other end of the pipe too: it is closed when the last of them has gone.
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "")


def double(number: int, _stopped: Callable[[], bool]) -> int:
    return 2 * number


def test_ctrl_c_interrupts_nothing_in_the_middle() -> None:
    """In the middle of Python's own pool it would leave a lock behind, and the end would wait for it."""
    taken = []

    def take(result: int) -> None:
        signal.raise_signal(signal.SIGINT)
        taken.append(result)

    with Pool(2, double) as pool:
        with pytest.raises(KeyboardInterrupt):
            pool.run([1], take)
        assert taken == [2]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        pool.run([2], taken.append)  # it can go on
    assert taken == [2, 4]


def test_what_was_finished_is_taken_though_the_first_result_ends_the_work() -> None:
    taken = []

    def take(result: int) -> None:
        taken.append(result)
        if len(taken) == 1:
            raise LookupError

    with Pool(1, double) as pool, pytest.raises(LookupError):
        pool.run(range(64), take)
    assert sorted(taken) == list(range(0, 2 * len(taken), 2))
    assert len(taken) > 1


def test_a_pool_whose_workers_were_killed_meanwhile_says_so_and_goes_on() -> None:
    taken: list[int] = []
    with Pool(1, double) as pool:
        pool.run([1], taken.append)
        for process in multiprocessing.active_children():
            process.kill()
            process.join()
        time.sleep(0.5)  # until the pool knows
        with pytest.raises(WorkerError, match="died"):
            pool.run([2], taken.append)
        pool.run([3], taken.append)
    assert taken == [2, 6]
