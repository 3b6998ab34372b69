"""Bare playouts a CPU-second of each kind in Go, and their ratio to uniform ones in the same round.

python benchmarks/playout_kinds.py [--rounds 9]
"""

from __future__ import annotations

import argparse
import statistics

import tesuji
from tesuji.engines import parse_engine
from tesuji.knowledge import load

KINDS = ("playout=uniform", "playout=knowledge", "playout=bradley-terry", "playout=mixed")
SECONDS = 0.1  # about, a kind and round


def measure(size: int, rounds: int) -> None:
    position = tesuji.Go(size)
    model = load("go9" if size <= 9 else "go19").native
    parameters = {kind: parse_engine(kind).to_parameters() for kind in KINDS}
    speeds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    counts = dict.fromkeys(KINDS, 200)
    for seed in range(rounds + 1):
        for kind in KINDS:
            seconds, _ = position.native.known_playouts(parameters[kind], model, counts[kind], seed)
            if seed == 0:
                counts[kind] = max(1, round(counts[kind] * SECONDS / seconds))
            else:
                speeds[kind].append(counts[kind] / seconds)
    for kind in KINDS:
        ratios = [mine / uniform for mine, uniform in zip(speeds[kind], speeds[KINDS[0]], strict=True)]
        print(f"{size:2}x{size:<2} {kind:22} {statistics.median(speeds[kind]):10,.0f} {statistics.median(ratios):6.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    for size in (9, 13, 19):
        measure(size, rounds)


if __name__ == "__main__":
    main()
