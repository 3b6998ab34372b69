"""How much of a match's CPU time goes into the search itself: Othello, 1,000 playouts a move.

python benchmarks/arena_overhead.py [--jobs 2]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path

import tesuji


def cpu_seconds() -> float:
    """Of this process and of all its children that have ended."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        before = cpu_seconds()
        result = tesuji.match(
            "othello",
            "uct",
            "uct(c=0.5)",
            playouts=arguments.playouts,
            games=arguments.games,
            jobs=arguments.jobs,
            store=Path(folder) / "results.db",
        )
        spent = cpu_seconds() - before
    searching = sum(sum(record.cpu_seconds) for record in result.records)
    moves = sum(len(record.moves) for record in result.records)
    print(
        f"{len(result.records)} games of {arguments.playouts} playouts a move, {arguments.jobs} jobs: "
        f"{spent:.2f} CPU-seconds, of them {searching:.2f} in searches: {searching / spent:.3f}; "
        f"{1e6 * (spent - searching) / moves:.0f} microseconds a move for the rest"
    )


if __name__ == "__main__":
    main()
