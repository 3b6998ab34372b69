"""How well the accelerated value of a short search foretells that of a long one, by the window 1 / (1 - decay).

python benchmarks/decay_prediction.py othello --playouts 5000

The positions come from games of quick searches after six random moves; those that are all but decided are left out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

import numpy as np

import tesuji

#: How to set up each game, and between which moves of it the positions lie.
GAMES: dict[str, tuple[Callable[[], Any], tuple[int, int]]] = {
    "othello": (tesuji.Othello, (6, 46)),
    "havannah": (lambda: tesuji.Havannah(size=5), (4, 30)),
    "go": (lambda: tesuji.Go(size=9), (4, 50)),
}
RANDOM_MOVES = 6
WINDOWS = (20, 50, 100, 200, 500, 1000, 3000, None)


def searched(position: Any, engine: str, *, playouts: int, seed: int) -> tesuji.SearchResult:
    result = tesuji.Search(position, engine, seed=seed).run(playouts=playouts)
    if result.stopped_by == "interrupt":
        raise KeyboardInterrupt
    return result


def draw_position(game: str, rng: random.Random) -> Any:
    setup, moves = GAMES[game]
    position = setup()
    for number in range(rng.randint(*moves)):
        if position.is_over:
            break
        if number < RANDOM_MOVES:
            move = rng.choice(position.legal_moves())
        else:
            move = searched(position, "uct", playouts=200, seed=rng.getrandbits(32)).best_move
        position = position.play(move)
    return position


def measure(position: Any, *, playouts: int, truth: int, seed: int) -> list[tuple[float, float]] | None:
    """For each window the error of the chosen move's value, and what is lost by choosing it; None: not worth it."""
    if position.is_over or len(position.legal_moves()) < 2:
        return None
    longer = searched(position, "uct(c=0.7)", playouts=truth, seed=seed)
    values = {entry.move: entry.value for entry in longer.moves}
    best = values[longer.best_move]
    if not 0.05 < best < 0.95:
        return None
    rows = []
    for window in WINDOWS:
        engine = "uct" if window is None else f"accelerated(decay={1 - 1 / window})"
        result = searched(position, engine, playouts=playouts, seed=seed + 1)
        chosen = next(entry for entry in result.moves if entry.move == result.best_move)
        rows.append((chosen.value - values[chosen.move], best - values[chosen.move]))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--playouts", type=int, default=5000)
    parser.add_argument("--truth", type=int, default=60_000, help="playouts of the long search, plain UCT")
    parser.add_argument("--positions", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows = []
    for number in range(arguments.positions):
        rng = random.Random(arguments.seed * 1_000_003 + number)
        position = draw_position(arguments.game, rng)
        row = measure(position, playouts=arguments.playouts, truth=arguments.truth, seed=rng.getrandbits(32))
        if row is not None:
            rows.append(row)
    errors, losses = np.moveaxis(np.array(rows), 2, 0)
    print(f"{arguments.game}, {arguments.playouts} playouts, {len(rows)} positions")
    for window, error, loss in zip(WINDOWS, errors.T, losses.T, strict=True):
        more = loss - losses[:, -1]
        spread = np.sqrt((error**2).mean())
        margin = 1.96 * more.std(ddof=1) / len(more) ** 0.5
        print(
            f"window {window or 'uct':>4}: bias {error.mean():+.4f}, root mean square {spread:.4f}; "
            f"loss against uct {more.mean():+.4f} ± {margin:.4f}"
        )


if __name__ == "__main__":
    main()
