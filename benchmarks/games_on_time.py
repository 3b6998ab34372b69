"""Games of `tesuji gtp` by the clock, timed from outside: whether it loses on time, and what a habit is worth.

Against itself, with a load on the machine:
    python benchmarks/games_on_time.py --games 100 --seconds 10 --load 4 --jobs 3 --csv games-on-time.csv
Two ways to play, with the same time for the whole game (experiments/reports/time-control has more of them):
    python benchmarks/games_on_time.py --games 400 --seconds 1 --a "tesuji gtp --lag 0.01" \
        --b "tesuji gtp --lag 0.01 --no-early-stop"
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import shlex
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tesuji import Go
from tesuji.arena.gtp_client import GtpClient
from tesuji.arena.gtp_dialects import DIALECTS
from tesuji.arena.settle import settle_go
from tesuji.arena.statistics import wilson_interval
from tesuji.games.own import AnyPosition
from tesuji.games.registry import make_game

TIMEOUT = 600.0
MOVE_LIMIT = 400


@dataclass(frozen=True, kw_only=True)
class Timed:
    """A game: A's points, the seconds that each side took for its moves, and those of the slowest move of all.

    `ended_by` is "rules", "resignation", "time", or "length" for a draw after too many moves.
    """

    number: int
    a_is_first: bool
    points: float
    ended_by: str
    seconds_a: float
    seconds_b: float
    moves: int
    slowest_move: float


def burn() -> None:
    while True:
        pass


def play(programs: list[GtpClient], game: str, seconds: float, number: int) -> Timed:
    """One game. `programs` are A and B; A begins where the number is even."""
    position, dialect = make_game(game), DIALECTS[game]
    sides = programs if number % 2 == 0 else programs[::-1]
    spent, moves, slowest = [0.0, 0.0], 0, 0.0
    points, ended_by = 0.5, "length"
    for side, program in enumerate(sides):
        commands = (f"tesuji-param seed {2 * number + side}", f"time_settings {seconds:g} 0 0")
        for line in (*commands, *dialect.opening(position)):
            program.send(line, timeout=TIMEOUT)
    while moves < MOVE_LIMIT:
        side, colour = position.to_move, dialect.colour(position)
        sides[side].send(f"time_left {colour} {seconds - spent[side]:.3f} 0", timeout=TIMEOUT)
        began = time.monotonic()
        answer = sides[side].send(f"genmove {colour}", timeout=TIMEOUT)
        took = time.monotonic() - began
        spent[side] += took
        slowest = max(slowest, took)
        if answer == "resign" or spent[side] > seconds:
            points, ended_by = float(side), "resignation" if spent[side] <= seconds else "time"
            break
        move = dialect.parse(position, answer)
        told, position, moves = dialect.tell(position, move), position.play(move), moves + 1
        if position.is_over:
            points, ended_by = outcome(position, number), "rules"
            break
        if told is not None:
            sides[1 - side].send(told, timeout=TIMEOUT)
    first, second = (round(taken, 3) for taken in spent)
    a_is_first = number % 2 == 0
    return Timed(
        number=number,
        a_is_first=a_is_first,
        points=points if a_is_first else 1 - points,
        ended_by=ended_by,
        seconds_a=first if a_is_first else second,
        seconds_b=second if a_is_first else first,
        moves=moves,
        slowest_move=round(slowest, 3),
    )


def outcome(position: AnyPosition, seed: int) -> float:
    """The first player's points."""
    return settle_go(position, seed=seed).points if isinstance(position, Go) else position.outcome()[0]


def play_some(arguments: argparse.Namespace, job: int) -> Iterator[Timed]:
    """Every so-manieth game, between the same two processes."""
    commands = (arguments.a, arguments.b or arguments.a)
    programs = [GtpClient([*shlex.split(command), "--game", arguments.game]) for command in commands]
    try:
        for number in range(job, arguments.games, arguments.jobs):
            game = play(programs, arguments.game, arguments.seconds, number)
            sys.stdout.write(
                f"game {number + 1}: A {game.points:g} by {game.ended_by}, {game.seconds_a:.2f} s and "
                f"{game.seconds_b:.2f} s, {game.moves} moves, one of {game.slowest_move:.2f} s\n"
            )
            sys.stdout.flush()
            yield game
    finally:
        for program in programs:
            program.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", default="tesuji gtp", help="the command of player A")
    parser.add_argument("--b", help="the command of player B; A's without it")
    parser.add_argument("--game", default="go")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0, help="for all moves of a player")
    parser.add_argument("--load", type=int, default=0, help="processes that do nothing but keep the machine busy")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--csv", type=Path, help="a file for the games, a line each")
    arguments = parser.parse_args()
    load = [multiprocessing.Process(target=burn, daemon=True) for _ in range(arguments.load)]
    for process in load:
        process.start()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        shares = pool.map(lambda job: list(play_some(arguments, job)), range(arguments.jobs))
        games = sorted((game for share in shares for game in share), key=lambda game: game.number)
    for process in load:
        process.terminate()
    if arguments.csv:
        write(arguments.csv, games)
    sys.stdout.write(summary(games, arguments.game, arguments.seconds))


def summary(games: list[Timed], name: str, seconds: float) -> str:
    count, points = len(games), sum(game.points for game in games)
    interval = wilson_interval(points, count)
    means = [sum(times) / count for times in zip(*((game.seconds_a, game.seconds_b) for game in games), strict=True)]
    slowest = max(max(game.seconds_a, game.seconds_b) for game in games)
    return (
        f"{count} games of {name} at {seconds:g} s, {sum(game.ended_by == 'time' for game in games)} lost on time\n"
        f"A has {points:g} points, {points / count:.1%} ({interval.low:.1%} to {interval.high:.1%})\n"
        f"A took {means[0]:.2f} s a game and B {means[1]:.2f} s; the slowest player {slowest:.2f} s, "
        f"the slowest move {max(game.slowest_move for game in games):.2f} s\n"
        f"{sum(game.moves for game in games) / count:.0f} moves a game\n"
    )


def write(path: Path, games: list[Timed]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Timed)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, games))


if __name__ == "__main__":
    main()
