"""Work in several processes: they are stopped without waiting for it to end, and outlive nobody."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any, Generic, Self, TypeVar

from tesuji.errors import WorkerError

MAX_JOBS = 1024
# Several pieces a task, so that handing them out costs nothing; but not so many that their results come late.
_PIECES_A_TASK = 16
_SECONDS_A_TASK = 0.5
_POLL_SECONDS = 0.1
_DEATH_SECONDS = 2.0

Piece = TypeVar("Piece")
Result = TypeVar("Result")

#: What is done with a piece of the work; None when it was stopped before its end. A function of a module.
Work = Callable[[Piece, Callable[[], bool]], Result | None]


class Pool(Generic[Piece, Result]):
    """Processes of this machine, for one kind of work. They are started when there is something to do."""

    def __init__(self, jobs: int, work: Work[Piece, Result]) -> None:
        self.jobs = jobs
        self._work = work
        # Spawned, not forked: threads do not survive a fork.
        self._context = multiprocessing.get_context("spawn")
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the processes, and what they are at; others are started when there is more to do.

        They look at the stop in their own time. Ctrl-C while that is waited for kills them.
        """
        with _interrupts_counted() as interrupts:
            self._close(interrupts)

    def _close(self, interrupts: _Interrupts, *, at_once: bool = False) -> None:
        if self._pool is None:
            return
        self._stop_writer.close()
        workers = list((self._pool._processes or {}).values())  # noqa: SLF001  kill_workers() is new in 3.14
        results: Any = self._pool._result_queue  # noqa: SLF001  nobody else closes its end
        # In a thread of its own, since it cannot be told to come back for Ctrl-C.
        ending = threading.Thread(target=self._pool.shutdown, kwargs={"cancel_futures": True})
        ending.start()
        try:
            while ending.is_alive() and not at_once:
                ending.join(_POLL_SECONDS)
                interrupts.check()
        except BaseException:
            at_once = True
            raise
        finally:
            # Else Python would wait for the workers at its own end, where Ctrl-C leads to a traceback.
            for worker in workers if at_once else ():
                worker.kill()
            if at_once:
                ending.join(_DEATH_SECONDS)
            if ending.is_alive() and at_once:
                # It waits for the rest of what a worker sent. Not before: the pool closes this itself at its end.
                results._writer.close()  # noqa: SLF001  it has no method for one end
            try:
                ending.join()
            finally:
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

    def run(self, pieces: Sequence[Piece], take: Callable[[Result], None]) -> None:
        """Any exception of `take` ends the work; the results that were there until then are still taken."""
        with _interrupts_counted() as interrupts:
            tasks = _Tasks(self._started(), self._work, pieces, self.jobs)
            try:
                with _sigint_held_back():
                    tasks.submit()
                while tasks.pending:
                    for future in _first_done(tasks.pending, interrupts):
                        tasks.finish(future)
                    tasks.hand_over(take)
                    tasks.submit()
            except BrokenProcessPool:
                self._close(interrupts)
                tasks.hand_over(take)
                raise WorkerError(self._why_broken(finished_any=tasks.finished_any)) from None
            except BaseException:
                self._take_last(tasks, take, interrupts)
                self._close(interrupts)
                raise

    def _take_last(self, tasks: _Tasks[Piece, Result], take: Callable[[Result], None], interrupts: _Interrupts) -> None:
        """What the workers have finished when they are told to stop. Ctrl-C again is not to wait for it."""
        self._stop_writer.close()
        try:
            with contextlib.suppress(BrokenProcessPool):
                tasks.finish_all(interrupts)
        except BaseException:
            self._close(interrupts, at_once=True)
            raise
        finally:
            tasks.hand_over(take, Exception)

    def _why_broken(self, *, finished_any: bool) -> str:  # noqa: ARG002  it says more of games
        return "a worker process died: it was killed, or the memory was full"


class _Tasks(Generic[Piece, Result]):
    """The tasks that are under way, and the pieces that are left."""

    def __init__(
        self, pool: ProcessPoolExecutor, work: Work[Piece, Result], pieces: Sequence[Piece], jobs: int
    ) -> None:
        self.pool = pool
        self._work = work
        self._left = deque(pieces)
        self._jobs = jobs
        self.pending: dict[Future[list[Result]], Sequence[Piece]] = {}
        self._results: deque[Result] = deque()
        self.finished_any = False

    def submit(self) -> None:
        # Only a few tasks wait at a time: a million of them would take longer to manage than to do.
        while self._left and len(self.pending) < 3 * self._jobs:
            # Small ones towards the end, so that no worker goes on alone.
            size = max(1, min(_PIECES_A_TASK, len(self._left) // (4 * self._jobs)))
            chunk = [self._left.popleft() for _ in range(size)]
            self.pending[self.pool.submit(_do_chunk, self._work, chunk)] = chunk

    def finish(self, future: Future[list[Result]]) -> None:
        """Keeps the results of a task. The pieces that it did not come to are put in front again."""
        chunk = self.pending.pop(future)
        results = future.result()
        self.finished_any = True
        self._results.extend(results)
        self._left.extendleft(reversed(chunk[len(results) :]))

    def finish_all(self, interrupts: _Interrupts) -> None:
        for future in list(self.pending):
            if not future.cancel():
                _first_done([future], interrupts)
                with contextlib.suppress(CancelledError):
                    self.finish(future)

    def hand_over(self, take: Callable[[Result], None], *suppressed: type[Exception]) -> None:
        """One that raises an exception has been taken; those behind it can still be."""
        while self._results:
            with contextlib.suppress(*suppressed):
                take(self._results.popleft())


# ---- Ctrl-C


class _Interrupts:
    """How often Ctrl-C was pressed, and how often that was heard of."""

    def __init__(self) -> None:
        self._came = 0
        self._seen = 0

    def count(self, *_: object) -> None:
        self._came += 1

    def check(self) -> None:
        if self._came > self._seen:
            self._seen += 1
            raise KeyboardInterrupt


@contextlib.contextmanager
def _interrupts_counted() -> Iterator[_Interrupts]:
    """Ctrl-C is heard of where it is asked for.

    As an exception in the middle of concurrent.futures it can leave a lock behind that nobody opens again: the thread
    that looks after the workers waits for it, and the end for that thread.
    """
    interrupts = _Interrupts()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupts
        return
    signal.signal(signal.SIGINT, interrupts.count)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupts.check()


def _first_done(futures: Iterable[Future[Result]], interrupts: _Interrupts) -> set[Future[Result]]:
    while True:
        done, _ = wait(futures, _POLL_SECONDS, FIRST_COMPLETED)
        interrupts.check()
        if done:
            return done


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


# ---- in a worker

# Set when the parent closes its end of the pipe; the work looks at it often.
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


def _do_chunk(work: Work[Piece, Result], pieces: Sequence[Piece]) -> list[Result]:
    """The first of these pieces, as many as fit into half a second, but at least one; after a stop none."""
    results: list[Result] = []
    end = time.monotonic() + _SECONDS_A_TASK
    for piece in pieces:
        # A task that waits in the queue of a worker cannot be taken back, and its work may look at the stop late.
        if _stop.is_set():
            break
        result = work(piece, _stop.is_set)
        if result is None:
            break
        results.append(result)
        if time.monotonic() > end:
            break
    return results
