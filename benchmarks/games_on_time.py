"""Does `tesuji gtp` lose on time? Games against itself, timed from outside, with a load on the machine if wanted.

python benchmarks/games_on_time.py --games 100 --seconds 10 --load 4
"""

from __future__ import annotations

import argparse
import multiprocessing
import shlex
import sys
import time

from tesuji import Go
from tesuji.arena.gtp_client import GtpClient
from tesuji.arena.gtp_dialects import DIALECTS
from tesuji.games.registry import make_game

TIMEOUT = 600.0
MOVE_LIMIT = 400


def burn() -> None:
    while True:
        pass


def play(command: str, game: str, seconds: float, seed: int) -> tuple[list[float], int, float]:
    """Seconds that each side took for its moves, the number of moves, and the seconds of the slowest one."""
    position, dialect = make_game(game), DIALECTS[game]
    spent, moves, slowest = [0.0, 0.0], 0, 0.0
    programs = [GtpClient([*shlex.split(command), "--game", game, "--seed", str(2 * seed + side)]) for side in (0, 1)]
    try:
        for program in programs:
            for line in (f"time_settings {seconds:g} 0 0", *dialect.opening(position)):
                program.send(line, timeout=TIMEOUT)
        while not position.is_over and moves < MOVE_LIMIT:
            side, colour = position.to_move, dialect.colour(position)
            left = max(0.0, seconds - spent[side])
            programs[side].send(f"time_left {colour} {left:.2f} 0", timeout=TIMEOUT)
            began = time.monotonic()
            answer = programs[side].send(f"genmove {colour}", timeout=TIMEOUT)
            took = time.monotonic() - began
            spent[side] += took
            slowest = max(slowest, took)
            if answer == "resign":
                break
            move = dialect.parse(position, answer)
            position, told, moves = position.play(move), dialect.tell(position, move), moves + 1
            if told is not None and (isinstance(position, Go) or not position.is_over):
                programs[1 - side].send(told, timeout=TIMEOUT)
    finally:
        for program in programs:
            program.close()
    return spent, moves, slowest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", default="tesuji gtp")
    parser.add_argument("--game", default="go")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--load", type=int, default=0, help="processes that do nothing but keep the machine busy")
    arguments = parser.parse_args()
    load = [multiprocessing.Process(target=burn, daemon=True) for _ in range(arguments.load)]
    for process in load:
        process.start()
    losses, longest, moves = 0, 0.0, 0
    for seed in range(arguments.games):
        spent, length, slowest = play(arguments.command, arguments.game, arguments.seconds, seed)
        losses += max(spent) > arguments.seconds
        longest, moves = max(longest, *spent), moves + length
        sys.stdout.write(
            f"game {seed + 1}: {spent[0]:.2f} s and {spent[1]:.2f} s, {length} moves, one of {slowest:.2f} s\n"
        )
        sys.stdout.flush()
    for process in load:
        process.terminate()
    sys.stdout.write(
        f"{arguments.games} games of {arguments.game} at {arguments.seconds:g} s, {losses} lost on time; "
        f"the slowest player took {longest:.2f} s; {moves / max(1, arguments.games):.0f} moves a game\n"
    )


if __name__ == "__main__":
    main()
