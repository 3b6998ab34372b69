"""The pool of searchers: turns are taken in order, and nobody meets the work of one who has left."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tesuji.web.pool import Pool

PATIENCE = 30


@contextmanager
def pool_of(searchers: int) -> Iterator[Pool]:
    pool = Pool(searchers)
    yield pool
    pool.close()


def run(work: Callable[[Pool], Coroutine[Any, Any, None]], searchers: int = 1) -> None:
    with pool_of(searchers) as pool:
        asyncio.run(asyncio.wait_for(work(pool), PATIENCE))


def test_sessions_take_turns() -> None:
    """Each asks for its next turn when it has had one: so none is twice in a row while another waits."""
    done: list[str] = []

    async def session(pool: Pool, name: str, turns: int) -> None:
        for _ in range(turns):
            await pool.turn(lambda: done.append(name))

    async def all_of_them(pool: Pool) -> None:
        gate = threading.Event()
        blocker = asyncio.create_task(pool.turn(lambda: gate.wait(PATIENCE)))
        await asyncio.sleep(0)
        sessions = [asyncio.create_task(session(pool, name, turns)) for name, turns in (("a", 50), ("b", 3), ("c", 3))]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(blocker, *sessions)

    run(all_of_them)
    assert max(place for place, name in enumerate(done) if name != "a") < 15
    assert len(done) == 56


def test_no_more_at_once_than_there_are_searchers() -> None:
    at_work = threading.Semaphore(2)

    def work() -> None:
        assert at_work.acquire(blocking=False), "a third one is at work"
        threading.Event().wait(0.01)
        at_work.release()

    async def many(pool: Pool) -> None:
        await asyncio.gather(*(pool.turn(work) for _ in range(20)))

    run(many, searchers=2)


def test_work_that_waits_is_never_begun_after_a_cancel() -> None:
    begun: list[str] = []

    async def cancelled(pool: Pool) -> None:
        gate = threading.Event()
        blocker = asyncio.create_task(pool.turn(lambda: gate.wait(PATIENCE)))
        waiting = asyncio.create_task(pool.turn(lambda: begun.append("the cancelled one")))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        gate.set()
        await blocker

    run(cancelled)
    assert begun == []


def test_a_cancel_waits_for_work_that_has_begun() -> None:
    ended = threading.Event()

    async def cancelled(pool: Pool) -> None:
        begun, gate = threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            gate.wait(PATIENCE)
            ended.set()

        turn = asyncio.create_task(pool.turn(work))
        while not begun.is_set():
            await asyncio.sleep(0.01)
        turn.cancel()
        await asyncio.sleep(0.05)
        assert not turn.done(), "it is still at work"
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await turn
        assert ended.is_set()

    run(cancelled)


def test_errors_reach_who_asked() -> None:
    async def failing(pool: Pool) -> None:
        with pytest.raises(ZeroDivisionError):
            await pool.turn(lambda: 1 / 0)
        turn = await pool.turn(lambda: 17)
        assert turn.value == 17
        assert turn.queued >= 0

    run(failing)
