"""What searches think of positions in games that A won and lost: a mean value for each engine, in each file of games.

python benchmarks/hopeful_values.py GAMES.csv ... [--engine SPEC ...] [--playouts 2000] [--size 19] [--komi 7.5]

GAMES.csv is one that a match exported: its columns moves, a_is_first, points and reason are read. The positions are
those in which A made its 31st, 51st, 71st, 91st and 111th move; games that ended by a failure are left out. A value in
lost games that is near that in won ones is hope that was wrong.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

from tesuji import Go, Search

MOVES_OF_A = (30, 50, 70, 90, 110)
TREE = "puct(c=2.0,even=0.25)+model=go19"
ENGINES = [
    f"{TREE}+playout=knowledge",
    f"{TREE}+playout=mixed+playout-temperature=0.6",
    f"{TREE}+playout=bradley-terry+playout-temperature=0.6",
    f"{TREE}+playout=bradley-terry",
]


def positions(file: Path, start: Go) -> Iterator[tuple[Go, float]]:
    """Positions with A to move, and the points that A had in the end."""
    with file.open(newline="") as lines:
        for game in csv.DictReader(lines):
            if game["reason"]:
                continue
            position, first = start, 1 - int(game["a_is_first"])
            for ply, move in enumerate(game["moves"].split()):
                if ply % 2 == first and ply // 2 in MOVES_OF_A:
                    yield position, float(game["points"])
                position = position.play(move)


def mean(values: list[float]) -> str:
    return f"{sum(values) / len(values):6.2f} ({len(values):3})" if values else f"{'-':>12}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--engine", action="append", help="an engine spec; may be given several times")
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--komi", type=float, default=7.5)
    arguments = parser.parse_args()
    start = Go(arguments.size, arguments.komi)
    for file in arguments.games:
        print(f"{file.name:<80} {'won':>12} {'lost':>12}")
        found = list(positions(file, start))
        for engine in arguments.engine or ENGINES:
            values: dict[bool, list[float]] = {True: [], False: []}
            for position, points in found:
                value = Search(position, engine, seed=1).run(playouts=arguments.playouts).value
                values[points > 0].append(value)
            print(f"{engine:<80} {mean(values[True])} {mean(values[False])}", flush=True)


if __name__ == "__main__":
    main()
