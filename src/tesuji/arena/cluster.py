"""Plays games on a Dask cluster. A task is a function of the plan and a number; only this process writes results."""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Sequence
from typing import Self

from tesuji.arena.game import play_game, tesuji_version
from tesuji.arena.plan import MatchPlan
from tesuji.arena.record import GameRecord
from tesuji.arena.workers import Game, Take
from tesuji.errors import ArgumentError, TesujiError, WorkerError

try:
    from distributed import Client, Future, KilledWorker, wait
except ImportError:
    raise ArgumentError("--cluster needs Dask: pip install 'tesuji[cluster]'") from None

_CONNECT_SECONDS = 20
_LOOK_SECONDS = 5
# So long a cluster may be without any worker before the match gives up.
_PATIENCE_SECONDS = 120
# Enough to keep every thread of the cluster busy while results travel.
_TASKS_A_THREAD = 3
# A game that has lost so many workers is perhaps what kills them. Each loss stands for several attempts of Dask.
_MAX_LOSSES = 3


class Cluster:
    """The workers of a scheduler. The games of a worker that is lost are played again."""

    jobs = None

    def __init__(self, address: str) -> None:
        self._address = address
        self._client: Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._client is not None:
            self._client.close()

    def _connected(self) -> Client:
        if self._client is None:
            logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is raised
            try:
                self._client = Client(self._address, timeout=_CONNECT_SECONDS)
            except (OSError, ValueError) as error:
                raise ArgumentError(f"no Dask scheduler answers at {self._address}: {error}") from None
        return self._client

    def play(self, games: Sequence[Game], take: Take) -> None:
        client = self._connected()
        tasks = _Tasks(client, games)
        try:
            while tasks.submit():
                for record in tasks.finished():
                    take(record)
        finally:
            client.cancel(list(tasks.pending))


class _Tasks:
    """The games that are under way on the cluster, and those that are left, by their places in the list."""

    def __init__(self, client: Client, games: Sequence[Game]) -> None:
        self._client = client
        self._games = games
        self._left = deque(range(len(games)))
        self._losses: Counter[int] = Counter()
        self._last_seen = time.monotonic()
        self.pending: dict[Future[GameRecord], int] = {}

    def submit(self) -> bool:
        """Keeps the cluster busy; False when nothing is left to do."""
        room = _TASKS_A_THREAD * max(1, self._threads())
        while self._left and len(self.pending) < room:
            place = self._left.popleft()
            # Not pure: Dask would look for an old result of the same task.
            self.pending[self._client.submit(_play, *self._games[place], pure=False)] = place
        return bool(self.pending)

    def finished(self) -> list[GameRecord]:
        """The games that have ended, after some seconds perhaps none."""
        try:
            done = wait(list(self.pending), timeout=_LOOK_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            self._check_cluster()
            return []
        records = (self._result(future, self.pending.pop(future)) for future in done)
        return [record for record in records if record is not None]

    def _result(self, future: Future[GameRecord], place: int) -> GameRecord | None:
        if future.status == "finished":
            record: GameRecord = future.result()
            return record
        error = future.exception() if future.status == "error" else None
        if error is None or isinstance(error, KilledWorker):
            self._losses[place] += 1
            if self._losses[place] > _MAX_LOSSES:
                number = self._games[place][1]
                raise WorkerError(f"game {number} has lost its worker again and again; perhaps it is what kills them")
            self._check_cluster()
            self._left.append(place)
            return None
        if isinstance(error, TesujiError):
            raise error
        raise WorkerError(
            f"a worker of the cluster cannot play ({error!r}): tesuji must be installed there, in the version "
            f"{tesuji_version()} as here"
        )

    def _threads(self) -> int:
        return sum(self._client.nthreads().values()) if self._client.status == "running" else 0

    def _check_cluster(self) -> None:
        if self._client.status != "running":
            raise WorkerError("the scheduler of the cluster is gone: start it, then the same command goes on")
        if self._threads():
            self._last_seen = time.monotonic()
        elif time.monotonic() - self._last_seen > _PATIENCE_SECONDS:
            raise WorkerError(
                "the cluster has had no workers for two minutes: start some, then the same command goes on"
            )


def _play(plan: MatchPlan, number: int) -> GameRecord:
    record = play_game(plan, number)
    if record is None:
        raise WorkerError(f"game {number} was stopped, which nobody asked for")
    return record
