"""The fixed pool of searchers with its fair queue.

Work is done in turns that last some hundredths of a second. A session waits for at most two turns, one for its long
work and one for a message, and the queue is first come, first served: so all that are at work take turns, whoever came
first and however much they want.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")

#: How long a search may go on in one turn.
SLICE_SECONDS: Final = 0.05


@dataclass(frozen=True, kw_only=True)
class Turn(Generic[T]):
    """What came of a turn, and how long it had to wait for a searcher."""

    value: T
    queued: float


class Pool:
    """So many searchers. Close it in the end."""

    def __init__(self, searchers: int) -> None:
        self._threads = ThreadPoolExecutor(searchers, thread_name_prefix="searcher")

    async def turn(self, work: Callable[[], T]) -> Turn[T]:
        """Does a piece of work when its turn comes. Cancelled, it is not begun; or its end is waited for.

        So nobody meets a search that is still at work for somebody who has left.
        """
        asked = time.perf_counter()
        began = asked

        def timed() -> T:
            nonlocal began
            began = time.perf_counter()
            return work()

        job = self._threads.submit(timed)
        done = asyncio.wrap_future(job)
        try:
            value = await asyncio.shield(done)
        except asyncio.CancelledError:
            if not job.cancel():
                await asyncio.wait([done])
                done.exception()  # nobody is left to hear of it
            raise
        return Turn(value=value, queued=began - asked)

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
