"""Games on a real Dask scheduler with two workers, one of which is killed."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tesuji
from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.arena.record import GameRecord
from tesuji.arena.tune import TuningPlan, tune
from tesuji.arena.tune_space import Space, parse_range
from tesuji.arena.tune_store import Trial, TuneStore
from tesuji.arena.venues import Venue
from tesuji.arena.workers import Here

pytest.importorskip("distributed")
cluster_module = importlib.import_module("tesuji.arena.cluster")


@contextlib.contextmanager
def running(*arguments: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
    # Dask gives up on a game as soon as it has lost a worker, so that it is we who must send it again.
    environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with (
        log.open("wb") as output,
        subprocess.Popen(command, stdout=output, stderr=output, env=environment) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def wait_for(log: Path, pattern: str) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = re.search(pattern, log.read_text()) if log.exists() else None
        if found:
            return found[1]
        time.sleep(0.1)
    raise AssertionError(f"{pattern} never came: {log.read_text()}")


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    log = tmp_path / "scheduler.log"
    with running("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", log=log):
        yield wait_for(log, r"(tcp://127\.0\.0\.1:\d+)")


@contextlib.contextmanager
def worker(scheduler: str, name: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    log = folder / f"{name}.log"
    options = ["--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder / name)]
    with running("worker", scheduler, *options, log=log) as process:
        wait_for(log, r"(Registered to)")
        yield process


def tune_a_little(venue: Venue) -> tuple[Trial, ...]:
    """Games of several matches at once."""
    player = EnginePlayer(engine=tesuji.parse_engine("uct"), budget=Budget(playouts=20))
    base = MatchPlan(start=tesuji.TicTacToe(), players=(player, player), seed=4)
    plan = TuningPlan(base=base, space=Space((parse_range("c=0.05..100:log", player.engine),)))
    with TuneStore() as store:
        return tune(plan, games=24, check_games=0, store=store, play=venue.play).trials


def test_the_games_of_a_lost_worker_are_played_again(scheduler: str, tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    play = functools.partial(
        tesuji.match, "othello", "uct", "uct(c=0.5)", playouts=400, games=40, seed=3, openings="random:4"
    )
    with worker(scheduler, "one", tmp_path) as victim, worker(scheduler, "two", tmp_path):
        seen: list[GameRecord] = []

        def kill_a_worker(record: GameRecord) -> None:
            seen.append(record)
            if len(seen) == 5:
                os.kill(victim.pid, signal.SIGKILL)

        there = play(cluster=scheduler, store=store, progress=kill_a_worker)
        assert victim.wait(timeout=60) == -signal.SIGKILL
        with cluster_module.Cluster(scheduler) as venue:
            tuned_there = tune_a_little(venue)
    here = play()
    assert tuned_there == tune_a_little(Here())
    assert sorted(record.number for record in seen) == list(range(40))
    assert [(r.number, r.moves, r.points) for r in there.records] == [
        (r.number, r.moves, r.points) for r in here.records
    ]


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 1)
    with pytest.raises(tesuji.ArgumentError, match="no Dask scheduler answers at tcp://127"):
        tesuji.match("othello", "uct", "uct", playouts=10, games=2, cluster="tcp://127.0.0.1:9")
