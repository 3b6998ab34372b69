"""Our search against OpenSpiel's C++ MCTS, one random playout a leaf, in one run.

    python benchmarks/compare_openspiel.py [--json] [--rounds 5]

Both search from the start position, in turns, several rounds; figures are medians of playouts per second of CPU time of
the one thread that searches, and the ratio is the median of the rounds' ratios. OpenSpiel's bot gets fewer simulations,
because it is slower; it stores the whole tree all the same, so that fewer flatter it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import pyspiel

import tesuji


@dataclass(frozen=True, kw_only=True)
class Case:
    game: str
    size: int
    position: Callable[[], tesuji.Position]
    openspiel: str
    our_playouts: int
    peer_playouts: int
    floor: float  # the ratio that the project promises


CASES = (
    Case(
        game="go",
        size=9,
        position=lambda: tesuji.Go(size=9),
        openspiel="go(board_size=9,komi=7.5)",
        our_playouts=50_000,
        peer_playouts=5_000,
        floor=18,
    ),
    Case(
        game="go",
        size=19,
        position=lambda: tesuji.Go(size=19),
        openspiel="go(board_size=19,komi=7.5)",
        our_playouts=20_000,
        peer_playouts=300,
        floor=55,
    ),
    Case(
        game="othello",
        size=8,
        position=tesuji.Othello,
        openspiel="othello",
        our_playouts=100_000,
        peer_playouts=1_500,
        floor=150,
    ),
    Case(
        game="havannah",
        size=8,
        position=lambda: tesuji.Havannah(size=8),
        openspiel="havannah(board_size=8)",
        our_playouts=100_000,
        peer_playouts=10_000,
        floor=13,
    ),
)


def our_rate(case: Case, seed: int) -> float:
    result = tesuji.Search(case.position(), seed=seed).run(playouts=case.our_playouts)
    if result.stopped_by == "interrupt":
        raise KeyboardInterrupt
    return result.playouts / result.cpu_seconds


def peer_rate(case: Case, seed: int) -> float:
    game = pyspiel.load_game(case.openspiel)
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        2.0,  # uct_c
        case.peer_playouts,
        1000,  # max_memory_mb
        False,  # solve
        seed,
        False,  # verbose
    )
    state = game.new_initial_state()
    start = time.thread_time()
    bot.mcts_search(state)
    return case.peer_playouts / (time.thread_time() - start)


def compare(case: Case, rounds: int) -> dict[str, object]:
    ours, peers = [], []
    for seed in range(1, rounds + 1):
        ours.append(our_rate(case, seed))
        peers.append(peer_rate(case, seed))
    return {
        "name": f"search {case.game} {case.size} against OpenSpiel",
        "game": case.game,
        "size": case.size,
        "playouts_per_cpu_second": round(statistics.median(ours)),
        "peer": "OpenSpiel C++ MCTS",
        "peer_playouts_per_cpu_second": round(statistics.median(peers)),
        "ratio": round(statistics.median(a / b for a, b in zip(ours, peers, strict=True)), 1),
        "floor": case.floor,
        "rounds": rounds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (default 5)")
    arguments = parser.parse_args()
    rows = [compare(case, arguments.rounds) for case in CASES]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'game':<12}{'ours/s':>12}{'OpenSpiel/s':>14}{'ratio':>9}{'floor':>8}")
    for row in rows:
        print(
            f"{row['game']} {row['size']!s:<4}".ljust(12)
            + f"{row['playouts_per_cpu_second']:>12,}{row['peer_playouts_per_cpu_second']:>14,}"
            + f"{row['ratio']:>9}{row['floor']:>8}"
        )


if __name__ == "__main__":
    main()
