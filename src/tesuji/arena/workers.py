"""Plays games in this process or in several."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Self

from tesuji.arena.game import play_game
from tesuji.arena.plan import MatchPlan
from tesuji.arena.record import GameRecord
from tesuji.errors import ArgumentError, WorkerError

MAX_JOBS = 1024
# Several games a task, so that handing them out costs nothing; but not so many that their results come late.
_GAMES_A_TASK = 16
_SECONDS_A_TASK = 0.5

Take = Callable[[GameRecord], None]
#: A game of a match, by its number.
Game = tuple[MatchPlan, int]


class Here:
    """Plays in this process."""

    jobs = 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def play(self, games: Sequence[Game], take: Take) -> None:
        for plan, number in games:
            record = play_game(plan, number)
            if record is not None:
                take(record)


def _check_travels(plan: MatchPlan) -> None:
    """A user's game goes to other processes by pickle, whose own words are of little help."""
    try:
        pickle.dumps(plan)
    except Exception as error:
        raise ArgumentError(
            f"{plan.start!r} cannot be sent to other processes ({error}): its class must be at the top level of a "
            "module, and all that it holds must survive pickle; use jobs=1 otherwise"
        ) from error


class Workers:
    """Processes of this machine. They are started when there is something to play."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        # Spawned, not forked: threads do not survive a fork.
        self._context = multiprocessing.get_context("spawn")
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the processes, and the games in them; others are started when there is more to play."""
        if self._pool is not None:
            self._stop_writer.close()
            self._pool.shutdown(cancel_futures=True)
            self._stop_reader.close()
            self._pool = None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Closing one end tells all workers to stop. An event of multiprocessing would wait for each of them to wake
            # up: for ever, where one was killed.
            self._stop_reader, self._stop_writer = self._context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                self.jobs, self._context, initializer=_start_worker, initargs=(self._stop_reader,)
            )
        return self._pool

    def play(self, games: Sequence[Game], take: Take) -> None:
        """Any exception of `take` ends the work; the games that were finished until then are still taken."""
        for plan in {id(plan): plan for plan, _ in games}.values():
            _check_travels(plan)
        tasks = _Tasks(self._started(), games, self.jobs)
        with _sigint_held_back():
            tasks.submit()
        try:
            while tasks.pending:
                done, _ = wait(tasks.pending, return_when=FIRST_COMPLETED)
                for future in done:
                    records = tasks.finish(future)
                    tasks.submit()
                    for record in records:
                        take(record)
        except BrokenProcessPool:
            self.close()
            raise WorkerError(_why_broken(tasks)) from None
        except BaseException:
            self._stop_writer.close()
            with contextlib.suppress(BrokenProcessPool):
                for record in tasks.finish_all():
                    with contextlib.suppress(Exception):
                        take(record)
            self.close()
            raise


class _Tasks:
    """The tasks that are under way, and the games that are left."""

    def __init__(self, pool: ProcessPoolExecutor, games: Sequence[Game], jobs: int) -> None:
        self._pool = pool
        self._left = deque(games)
        self._jobs = jobs
        self.pending: dict[Future[list[GameRecord]], Sequence[Game]] = {}
        self.finished_any = False

    def submit(self) -> None:
        # Only a few tasks wait at a time: a million of them would take longer to manage than to play.
        while self._left and len(self.pending) < 3 * self._jobs:
            # Small ones towards the end, so that no worker plays on alone.
            size = max(1, min(_GAMES_A_TASK, len(self._left) // (4 * self._jobs)))
            chunk = [self._left.popleft() for _ in range(size)]
            self.pending[self._pool.submit(_play_chunk, chunk)] = chunk

    def finish(self, future: Future[list[GameRecord]]) -> list[GameRecord]:
        """The games of a task. Those that it did not come to are put in front again."""
        chunk = self.pending.pop(future)
        records = future.result()
        self.finished_any = True
        self._left.extendleft(reversed(chunk[len(records) :]))
        return records

    def finish_all(self) -> Iterator[GameRecord]:
        for future in list(self.pending):
            if not future.cancel():
                with contextlib.suppress(CancelledError):
                    yield from self.finish(future)


def _why_broken(tasks: _Tasks) -> str:
    """Workers that have played were killed later; those that never came to it could not be started."""
    if tasks.finished_any:
        return (
            "a worker process of the match died: it was killed, the memory was full, or the game ended it. The games "
            "that were finished are kept where the match has a store: the same command goes on from there"
        )
    return (
        "a worker process of the match died in its first game. A script that uses jobs must keep its own work under "
        "'if __name__ == \"__main__\":', since spawned processes import it. If it does, jobs=1 shows what ends the game"
    )


# ---- in a worker

# Set when the parent closes its end of the pipe; a game looks at every move.
_stop = threading.Event()


def _start_worker(stop_reader: Connection) -> None:
    """Ctrl-C reaches every process of the terminal; only the parent answers it, and tells the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # what was imported stays: the collector need not look at it again and again
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threading.Thread(target=_pass_stop_on, args=(stop_reader,), daemon=True).start()


def _pass_stop_on(stop_reader: Connection) -> None:
    stop_reader.poll(None)  # nothing is ever sent: it returns when the other end is closed
    _stop.set()


def _end_with_parent() -> None:
    """A parent that was killed tells nobody: nothing must go on without it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_chunk(games: Sequence[Game]) -> list[GameRecord]:
    """The first of these games, as many as fit into half a second, but at least one."""
    records: list[GameRecord] = []
    end = time.monotonic() + _SECONDS_A_TASK
    for plan, number in games:
        record = play_game(plan, number, _stop.is_set)
        if record is None:
            break
        records.append(record)
        if time.monotonic() > end:
            break
    return records


@contextlib.contextmanager
def _sigint_held_back() -> Iterator[None]:
    """Workers started in here inherit that SIGINT is blocked, so Ctrl-C cannot end them before they can ignore it.

    In this process it is only late.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
