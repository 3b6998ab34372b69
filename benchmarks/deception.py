"""How many playouts each rule needs to leave the trap of a deceptive tree, by the trap's depth and width.

python benchmarks/deception.py [--depths 2 3 4] [--widths 2 3 4] [--seeds 9] [--json]

A search has left the trap at the first budget of a grid (each is the one before times the fourth root of two) from
which on its choice is right up to eight times that budget; where the largest budget tried, the cap, is nearer, twice is
enough. The figure is the median over the seeds, and in brackets how often it goes into that of the first engine.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import statistics
from collections.abc import Iterator

import tesuji
from tesuji.arena.seeds import derive_seed

ENGINES = ["uct", "discounted(k=3)", "discounted(k=4)", *(f"accelerated(k={k})" for k in (1, 2, 3, 4))]
RIGHT_MOVE = 1
STEPS_A_DOUBLING = 4
LASTING, LASTING_TO_THE_CAP = 8, 2


def grid(cap: int) -> Iterator[int]:
    budgets = (round(2 ** (step / STEPS_A_DOUBLING)) for step in itertools.count())
    yield from (budget for budget, _ in itertools.groupby(itertools.takewhile(lambda budget: budget <= cap, budgets)))


def playouts_to_leave(position: tesuji.TreeGame, engine: str, *, seed: int, cap: int) -> float:
    """The budget from which on the choice is right, infinite where it is not up to the cap."""
    search = tesuji.Search(position, engine, seed=seed)
    done, right_since = 0, math.inf
    for budget in grid(cap):
        if search.think(playouts=budget - done).stopped_by == "interrupt":
            raise KeyboardInterrupt
        done = budget
        right_since = min(right_since, budget) if search.best_move() == RIGHT_MOVE else math.inf
        if right_since * LASTING <= budget:
            break
    return right_since if right_since * LASTING_TO_THE_CAP <= done else math.inf


def median(depth: int, width: int, engine: str, *, seeds: int, cap: int) -> float:
    position = tesuji.TreeGame.deceptive(depth=depth, width=width)
    return statistics.median_low(
        playouts_to_leave(position, engine, seed=derive_seed(1, number), cap=cap) for number in range(seeds)
    )


def table(rows: list[dict[str, int | None]], engines: list[str], cap: int) -> Iterator[str]:
    """In Markdown."""
    yield "| width | depth | " + " | ".join(f"`{engine}`" for engine in engines) + " |"
    yield "|---:" * (len(engines) + 2) + "|"
    for row in rows:
        cells = [cell(row[engine], row[engines[0]], cap) for engine in engines]
        yield f"| {row['width']} | {row['depth']} | " + " | ".join(cells) + " |"


def cell(playouts: int | None, first: int | None, cap: int) -> str:
    if playouts is None:
        return f"> {cap:,}"
    return f"{playouts:,} ({'> ' if first is None else ''}{(first or cap) / playouts:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depths", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--widths", type=int, nargs="+", default=[2, 4, 6])
    parser.add_argument("--engines", nargs="+", default=ENGINES)
    parser.add_argument("--seeds", type=int, default=9)
    parser.add_argument("--cap", type=int, default=2**20)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows: list[dict[str, int | None]] = []
    for width, depth in itertools.product(arguments.widths, arguments.depths):
        row: dict[str, int | None] = {"width": width, "depth": depth}
        for engine in arguments.engines:
            found = median(depth, width, engine, seeds=arguments.seeds, cap=arguments.cap)
            row[engine] = None if math.isinf(found) else int(found)
        rows.append(row)
    if arguments.json:
        print(json.dumps({"cap": arguments.cap, "seeds": arguments.seeds, "rows": rows}, indent=2))
    else:
        print("\n".join(table(rows, arguments.engines, arguments.cap)))


if __name__ == "__main__":
    main()
