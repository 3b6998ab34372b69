"""What the habits of `tesuji gtp` with its clock are worth: each against the same player without it.

Both have the same time for the whole game. It is counted in playouts, so many for a second: then the load of the
machine does not matter, and the same seeds give the same games. Who ponders has as many playouts of the opponent's
time as the opponent takes.

python benchmarks/clock_habits.py early-stop --games 400 --jobs 2 --csv early-stop.csv
"""

from __future__ import annotations

import argparse
import csv
import functools
import multiprocessing
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from tesuji import Go, Search, parse_engine
from tesuji.arena.seeds import derive_seed
from tesuji.arena.settle import settle_go
from tesuji.arena.statistics import wilson_interval
from tesuji.games.position import Position
from tesuji.gtp.clock import TimeSettings
from tesuji.gtp.player import Player
from tesuji.gtp.session import DEFAULT_RESIGN
from tesuji.gtp.table import Table
from tesuji.gtp.thinker import Settings, Thinker, run_slice
from tesuji.search import RunReport

#: Uniform playouts: fast, so that many games can be played.
ENGINE = "uct+rave"
PLAYOUTS_A_SECOND = 10_000
MOVE_LIMIT = 400
#: The setting that B has otherwise than A.
HABITS = {"early-stop": "early_stop", "more-time": "more_time", "tree-reuse": "reuse", "pondering": "ponder"}


class CountedClock:
    """Time that goes on only with playouts."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds


class CountedSearch(Search):
    """A search whose seconds are playouts."""

    clock: CountedClock

    def think(
        self, playouts: int | None = None, seconds: float | None = None, cpu_seconds: float | None = None
    ) -> RunReport:
        if seconds is not None:
            count = max(1, round(seconds * PLAYOUTS_A_SECOND))
            playouts = count if playouts is None else min(playouts, count)
        report = super().think(playouts=playouts, cpu_seconds=cpu_seconds)
        counted = report.playouts / PLAYOUTS_A_SECOND
        self.clock.seconds += counted
        return report._replace(seconds=counted)


class CountedThinker(Thinker):
    def __init__(self, settings: Settings, clock: CountedClock) -> None:
        super().__init__(settings, now=clock.now)
        self.clock = clock

    def new_search(self, position: Position, seed: int) -> Search:
        search = CountedSearch(position, self.settings.engine, seed=seed, max_memory=self.settings.max_memory)
        search.clock = self.clock
        return search


class Side:
    """One player, with a board and a clock of his own."""

    def __init__(self, start: Go, settings: Settings, seconds: float) -> None:
        self.clock = CountedClock()
        self.table = Table(start)
        self.thinker = CountedThinker(settings, self.clock)
        self.player = Player(self.table, self.thinker, lag=0.0, resign=DEFAULT_RESIGN)
        self.player.set_time(TimeSettings(kind="absolute", main=seconds))
        self.spent = 0.0

    def choose(self, colour: int) -> int | None:
        began = self.clock.now()
        choice = self.player.choose(colour, began=began)
        taken = self.clock.now() - began
        self.player.spend(colour, taken, planned=choice.planned_seconds)
        self.spent += taken
        return choice.move

    def play(self, colour: int, move: int) -> None:
        self.thinker.follow(self.table.play(colour, move))

    def ponder(self, seconds: float) -> None:
        if self.thinker.settings.ponder and seconds > 0 and not self.table.position.is_over:
            run_slice(self.thinker.search_of(self.table.position), seconds=seconds)


@dataclass(frozen=True, kw_only=True)
class Played:
    """A game: A's points, how it ended, what each side spent, and the moves."""

    number: int
    a_is_first: bool
    points: float
    ended_by: str
    seconds_a: float
    seconds_b: float
    moves: str


def settings_of(habit: str, seed: int) -> tuple[Settings, Settings]:
    """A has the habit and B has not; all others are as usual."""
    usual = Settings(engine=parse_engine(ENGINE), seed=seed, max_memory="128MB")
    field = HABITS[habit]
    changed: dict[str, Any] = {field: not getattr(usual, field)}
    other = replace(usual, **changed)
    return (usual, other) if getattr(usual, field) else (other, usual)


def play(habit: str, size: int, seconds: float, seed: int, number: int) -> Played:
    start = Go(size)
    first_is_a = number % 2 == 0
    pair = [
        replace(settings, seed=derive_seed(seed, habit, number, name))
        for settings, name in zip(settings_of(habit, seed), "ab", strict=True)
    ]
    a, b = (Side(start, settings, seconds) for settings in pair)
    sides = [a, b] if first_is_a else [b, a]
    first_points, ended_by = 0.5, "length"
    for ply in range(MOVE_LIMIT):
        mover, other = sides[ply % 2], sides[1 - ply % 2]
        before = mover.spent
        move = mover.choose(ply % 2)
        other.ponder(mover.spent - before)
        if move is None or mover.spent > seconds:
            first_points, ended_by = float(ply % 2), "resignation" if move is None else "time"
            break
        for side in sides:
            side.play(ply % 2, move)
        position = mover.table.position
        if isinstance(position, Go) and position.is_over:
            first_points, ended_by = settle_go(position, seed=number).points, "rules"
            break
    return Played(
        number=number,
        a_is_first=first_is_a,
        points=first_points if first_is_a else 1 - first_points,
        ended_by=ended_by,
        seconds_a=round(a.spent, 3),
        seconds_b=round(b.spent, 3),
        moves=" ".join(start.format_move(step.move) for step in a.table.steps),
    )


def play_all(arguments: argparse.Namespace) -> Iterator[Played]:
    one = functools.partial(play, arguments.habit, arguments.size, arguments.seconds, arguments.seed)
    with multiprocessing.Pool(arguments.jobs) as pool:
        yield from pool.imap(one, range(arguments.games))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("habit", choices=HABITS)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0, help=f"of {PLAYOUTS_A_SECOND:,} playouts each")
    parser.add_argument("--seed", type=int, default=91)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="a file for the games, a line each")
    arguments = parser.parse_args()
    games = []
    for game in play_all(arguments):
        games.append(game)
        points = sum(played.points for played in games)
        sys.stdout.write(f"\r{arguments.habit}: {points:g} of {len(games)}")
        sys.stdout.flush()
    if arguments.csv:
        with arguments.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Played)], lineterminator="\n")
            writer.writeheader()
            writer.writerows(map(asdict, games))
    interval = wilson_interval(points, len(games))
    means = [sum(game.seconds_a for game in games) / len(games), sum(game.seconds_b for game in games) / len(games)]
    lost = sum(game.ended_by == "time" for game in games)
    sys.stdout.write(
        f" points, {points / len(games):.1%} ({interval.low:.1%} to {interval.high:.1%}); "
        f"A took {means[0]:.2f} s a game and B {means[1]:.2f} s; {lost} lost on time\n"
    )


if __name__ == "__main__":
    main()
