"""Our bot against OpenSpiel's C++ MCTS bot: at equal playouts, and at equal CPU time.

    python benchmarks/bots_openspiel.py [--games 100] [--simulations 200] [--json] [GAME ...]

Both make one uniformly random playout a leaf, with the same exploration constant: C is 0.7 on our scale of 0 to 1, 1.4
on theirs of -1 to 1. Colours are exchanged from game to game, and each begins with four random moves. For equal CPU
time, each of our moves gets as much time of the thread as theirs took on the average in that game so far. Games that we
have too are searched natively; with "(theirs)" they, and all others, through OpenSpiel's states.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from typing import Any

import pyspiel

from tesuji import openspiel
from tesuji.arena.statistics import wilson_interval

GAMES = ("connect_four", "breakthrough", "hex(board_size=7)", "othello", "havannah(board_size=5)", "go(board_size=9)")
OPENING_MOVES = 4


class Timed:
    """A bot, and the CPU time that its moves take."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot
        self.moves = 0
        self.seconds = 0.0

    def step(self, state: Any) -> int:
        began = time.thread_time()
        action: int = self.bot.step(state)
        self.seconds += time.thread_time() - began
        self.moves += 1
        return action

    def mean(self) -> float:
        return self.seconds / max(self.moves, 1)


def play(game: Any, bots: list[Any], seed: int) -> list[float]:
    state = game.new_initial_state()
    rng = random.Random(seed // 2)  # the two games of a pair have one opening
    while not state.is_terminal():
        if state.move_number() < OPENING_MOVES:
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    returns: list[float] = state.returns()
    return returns


def their_bot(game: Any, simulations: int, seed: int) -> Any:
    return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 1.4, simulations, 1000, False, seed, False)


def measured_move(game: Any, simulations: int) -> float:
    """What a move of theirs costs at the start."""
    timed = Timed(their_bot(game, simulations, 1))
    for _ in range(3):
        timed.step(game.new_initial_state())
    return timed.mean()


def compare(name: str, *, games: int, simulations: int, budget: str, native: bool) -> dict[str, object]:
    game = pyspiel.load_game(name)
    points = 0.0
    their_time = measured_move(game, simulations)
    total_ours, total_theirs = 0.0, 0.0
    for seed in range(games):
        limit = {"playouts": simulations} if budget == "playouts" else {"cpu_seconds": their_time}
        ours = Timed(openspiel.Bot(game, "uct(c=0.7)", seed=seed, native=native, **limit))
        theirs = Timed(their_bot(game, simulations, seed))
        side = seed % 2
        points += (play(game, [ours, theirs] if side == 0 else [theirs, ours], seed)[side] + 1) / 2
        their_time = (their_time + theirs.mean()) / 2
        total_ours += ours.mean()
        total_theirs += theirs.mean()
    interval = wilson_interval(points, games)
    return {
        "game": name if native else f"{name} (theirs)",
        "equal": budget,
        "simulations": simulations,
        "games": games,
        "percentage": 100 * points / games,
        "interval": [100 * interval.low, 100 * interval.high],
        "our_cpu_seconds_a_move": total_ours / games,
        "their_cpu_seconds_a_move": total_theirs / games,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=200, help="of their bot, a move (default 200)")
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.names:
        kinds = [True, False] if openspiel.is_native(name) else [False]
        for native in kinds:
            for budget in ("playouts", "cpu_seconds"):
                row = compare(
                    name, games=arguments.games, simulations=arguments.simulations, budget=budget, native=native
                )
                rows.append(row)
                if not arguments.json:
                    low, high = row["interval"]  # type: ignore[misc]  # a pair of numbers
                    print(
                        f"{row['game']:<34} equal {budget:<12} {row['percentage']:5.1f}%  ({low:.1f} to {high:.1f}%)",
                        flush=True,
                    )
    if arguments.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
