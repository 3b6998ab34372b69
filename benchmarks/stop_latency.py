"""How long a 19x19 Go search goes on after stop() from another thread, and after Ctrl-C.

python benchmarks/stop_latency.py
"""

from __future__ import annotations

import os
import signal
import statistics
import threading
import time
from collections.abc import Callable

import tesuji

ROUNDS = 15
SECONDS_BEFORE = 0.2


def milliseconds(end_it: Callable[[tesuji.Search], None], seed: int) -> float:
    """From the call of `end_it`, in another thread, until run() has returned its result."""
    search = tesuji.Search(tesuji.Go(size=19), seed=seed)
    called: list[float] = []

    def later() -> None:
        time.sleep(SECONDS_BEFORE)
        called.append(time.perf_counter())
        end_it(search)

    thread = threading.Thread(target=later)
    thread.start()
    result = search.run(seconds=60)
    taken = 1000 * (time.perf_counter() - called[0])
    thread.join()
    if result.stopped_by not in ("stop", "interrupt") or not search.position.is_legal(result.best_move):
        raise RuntimeError(f"not a valid result: {result}")
    return taken


def main() -> None:
    ways: dict[str, Callable[[tesuji.Search], None]] = {
        "stop()": lambda search: search.stop(),
        "Ctrl-C": lambda _: os.kill(os.getpid(), signal.SIGINT),
    }
    for name, end_it in ways.items():
        times = [milliseconds(end_it, seed) for seed in range(ROUNDS)]
        print(f"{name}: median {statistics.median(times):.1f} ms, at most {max(times):.1f} ms")


if __name__ == "__main__":
    main()
