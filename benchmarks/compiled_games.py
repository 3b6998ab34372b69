"""Connect four three ways: numba's functions, the same in C, and plain Python, all in our search.

    python benchmarks/compiled_games.py [--json] [--rounds 41]

Bare playouts from the start in turns, many short rounds, and searches of 20,000; medians of playouts a CPU-second. The
ratio is the median of the rounds' ratios, numba's against the C compiler's. Wants a C compiler.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import tesuji

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from examples.connect_four import ConnectFour  # noqa: E402  found only now
from examples.connect_four_numba import connect_four  # noqa: E402  likewise

PLAYOUTS = 40_000
SEARCH = 20_000
FLOOR = 0.8  # the ratio that the project promises


def native_connect_four(folder: Path) -> tesuji.CompiledGame:
    library = folder / "connect_four.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-o", library, HERE / "connect_four.c"], check=True)
    functions = ctypes.CDLL(str(library))
    return tesuji.CompiledGame(
        np.zeros(3, dtype=np.uint64),
        legal_moves=functions.legal_moves,
        play=functions.play,
        status=functions.status,
        num_moves=7,
    )


def bare(game: tesuji.CompiledGame, seed: int) -> float:
    seconds, _ = game.native.playouts(PLAYOUTS, seed)
    return PLAYOUTS / seconds


def searched(game: tesuji.CompiledGame | ConnectFour, seed: int, playouts: int = SEARCH) -> float:
    result = tesuji.Search(game, seed=seed).run(playouts=playouts)
    if result.stopped_by == "interrupt":
        raise KeyboardInterrupt
    return result.playouts / result.cpu_seconds


def row(name: str, ours: list[float], peers: list[float] | None = None) -> dict[str, object]:
    result: dict[str, object] = {
        "name": name,
        "game": "connect four",
        "size": 7,
        "playouts_per_cpu_second": statistics.median(ours),
    }
    if peers is not None:
        ratios = [our / peer for our, peer in zip(ours, peers, strict=True)]
        result |= {"peer": "C", "peer_playouts_per_cpu_second": statistics.median(peers)}
        quarter, _, three_quarters = statistics.quantiles(ratios)
        result |= {"ratio": statistics.median(ratios), "quartiles": [quarter, three_quarters], "floor": FLOOR}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=41)
    arguments = parser.parse_args()
    seeds = range(arguments.rounds)
    with tempfile.TemporaryDirectory() as folder:
        numba, native = connect_four(), native_connect_four(Path(folder))
        pairs = [(bare(numba, seed), bare(native, seed)) for seed in seeds]
        searches = [(searched(numba, seed), searched(native, seed)) for seed in seeds]
        plain = [searched(ConnectFour(), seed, 500) for seed in seeds]
    rows = [
        row("numba playouts", [pair[0] for pair in pairs], [pair[1] for pair in pairs]),
        row("numba search", [pair[0] for pair in searches], [pair[1] for pair in searches]),
        row("plain Python search", plain),
    ]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    for entry in rows:
        speed = f"{entry['playouts_per_cpu_second']:12,.0f} playouts a CPU-second"
        ratio = ""
        if isinstance(quartiles := entry.get("quartiles"), list):
            ratio = f", {entry['ratio']:.2f} of C (half of the rounds {quartiles[0]:.2f} to {quartiles[1]:.2f})"
        print(f"{entry['name']:20} {speed}{ratio}")


if __name__ == "__main__":
    main()
