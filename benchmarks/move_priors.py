"""CPU microseconds for P(m) of all moves of a Go position, and how many uniform playouts of the same round that is.

A busy machine slows both down. What Python adds, about a microsecond for every thirty moves, is in it.

python benchmarks/move_priors.py [--rounds 9]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import tesuji
from tesuji.engines import parse_engine
from tesuji.knowledge import Model, load

UNIFORM = parse_engine("playout=uniform").to_parameters()
PLAYOUTS = 1000


def positions_of_games(model: Model, size: int, games: int) -> list[tesuji.Go]:
    """Of games whose moves are drawn by P(m), in no order: the next one has little to do with the last."""
    rng = random.Random(1)
    positions = []
    for _ in range(games):
        position = tesuji.Go(size)
        for _ in range(4 * size * size // 5):
            if position.is_over:
                break
            positions.append(position)
            priors = model.priors(position)
            position = position.play(rng.choices(list(priors), list(priors.values()))[0])
    rng.shuffle(positions)
    return positions


def measure(size: int, rounds: int) -> None:
    model = load("go9" if size <= 9 else "go19")
    positions = positions_of_games(model, size, 180 // size)
    asked = [(position.native, position.legal_moves()) for position in positions]
    times, ratios = [], []
    for seed in range(rounds):
        begin = time.thread_time()
        for native, moves in asked:
            model.native.probabilities(native, moves)
        times.append((time.thread_time() - begin) / len(asked))
        seconds, _ = tesuji.Go(size).native.known_playouts(UNIFORM, None, PLAYOUTS, seed)
        ratios.append(times[-1] / (seconds / PLAYOUTS))
    microseconds = 1e6 * statistics.median(times)
    print(f"{size:2}x{size:<2} {microseconds:8.1f} microseconds, {statistics.median(ratios):5.2f} uniform playouts")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    for size in (9, 13, 19):
        measure(size, rounds)


if __name__ == "__main__":
    main()
