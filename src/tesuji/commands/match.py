"""`tesuji match`: two engines against each other."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tesuji.arena.match import MAX_JOBS, GameRecord, MatchResult, check_playouts
from tesuji.arena.match import match as play_match
from tesuji.checks import check_integer, check_seed
from tesuji.commands.common import (
    INTERRUPTED,
    JsonOption,
    KomiOption,
    SeedOption,
    SizeOption,
    console,
    ends_cleanly,
    error_console,
    print_json,
)
from tesuji.engines import parse_engine
from tesuji.errors import ArgumentError
from tesuji.games.registry import GAMES, make_game

# Name of the row, game, its options, N, games: so many that the table takes about a minute on two cores.
DEMO: tuple[tuple[str, str, dict[str, Any], int, int], ...] = (
    ("Othello", "othello", {}, 500, 500),
    ("Havannah 5", "havannah", {"size": 5}, 500, 1000),
    ("Go 9x9", "go", {"size": 9}, 500, 100),
)
#: What the papers lead one to expect when the playouts are doubled, in percent.
EXPECTED = (60, 72)


class RateColumn(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:.1f} games/s", style="progress.data.speed")


@ends_cleanly
def match(
    game: Annotated[str | None, typer.Argument(help=f"One of {', '.join(GAMES)}.", show_default=False)] = None,
    a: Annotated[str | None, typer.Argument(help="Engine spec of A.", show_default=False)] = None,
    b: Annotated[str | None, typer.Argument(help="Engine spec of B.", show_default=False)] = None,
    *,
    playouts: Annotated[str, typer.Option(help="Playouts a move: one number, or two for A,B.")] = "1000",
    games: Annotated[int, typer.Option(help="Number of games.")] = 100,
    jobs: Annotated[int | None, typer.Option(help="Processes; by default one a core.", show_default=False)] = None,
    seed: SeedOption = None,
    size: SizeOption = None,
    komi: KomiOption = None,
    demo: Annotated[bool, typer.Option("--demo", help="Plain UCT with 2N playouts against N in three games.")] = False,
    json: JsonOption = False,
) -> None:
    """Play a match between two engines, colours alternating, and show the winning percentage."""
    workers = check_integer("jobs", os.cpu_count() or 1 if jobs is None else jobs, low=1, high=MAX_JOBS)
    if demo:
        if game is not None:
            raise ArgumentError("--demo plays its own games: leave out GAME, A and B")
        rows = run_demo(jobs=workers, seed=check_seed(1 if seed is None else seed))
    else:
        if game is None or a is None or b is None:
            raise ArgumentError("a match needs GAME, A and B, for example: tesuji match othello 'uct(c=0.7)' uct")
        position = make_game(game, size=size, komi=komi)
        # All is read before the progress bar appears: a mistake gets its one line.
        engines = parse_engine(a), parse_engine(b)
        budgets = parse_playouts(playouts)
        count = check_integer("games", games, low=1)
        chosen_seed = check_seed(seed)
        with progress_bar() as progress:
            result = play_match(
                position,
                *engines,
                playouts=budgets,
                games=count,
                jobs=workers,
                seed=chosen_seed,
                progress=Watcher(progress, game, count),
            )
        rows = [(game, result)]
    report(rows, demo=demo, json=json)


def run_demo(*, jobs: int, seed: int) -> list[tuple[str, MatchResult]]:
    """The matches of the demo one after another, until Ctrl-C."""
    rows = []
    with progress_bar() as progress:
        watchers = [Watcher(progress, name, games, start=False) for name, _, _, _, games in DEMO]
        for watcher, (name, game, options, n, games) in zip(watchers, DEMO, strict=True):
            watcher.start()
            position = make_game(game, **options)
            result = play_match(
                position, "uct", "uct", playouts=(2 * n, n), games=games, jobs=jobs, seed=seed, progress=watcher
            )
            rows.append((name, result))
            if result.interrupted:
                break
    return rows


def progress_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[standing]}"),
        RateColumn(),
        TimeRemainingColumn(),
        console=error_console,
    )


class Watcher:
    """Shows each game of a match as it ends: the count, and A's percentage so far."""

    def __init__(self, progress: Progress, name: str, games: int, *, start: bool = True) -> None:
        self._progress = progress
        self._task = progress.add_task(name, total=games, standing="", start=start)
        self._points = 0.0
        self._games = 0

    def start(self) -> None:
        self._progress.start_task(self._task)

    def __call__(self, record: GameRecord) -> None:
        self._points += record.points
        self._games += 1
        self._progress.update(self._task, advance=1, standing=f"{100 * self._points / self._games:.1f}%")


def parse_playouts(text: str) -> tuple[int, int]:
    """`1000`, or `2000,1000` for A and B."""
    words = text.replace("_", "").split(",")
    if len(words) > 2 or not all(word.strip().isascii() and word.strip().isdigit() for word in words):
        raise ArgumentError(f"--playouts must be one number, or two with a comma for A and B, not {text!r}")
    return check_playouts((int(words[0]), int(words[-1])))


def report(rows: list[tuple[str, MatchResult]], *, demo: bool, json: bool) -> None:
    if json:
        values = [{"game": name, **result.to_dict()} for name, result in rows]
        print_json(values if demo else values[0])
    else:
        console.print(match_table(rows, demo=demo))
    if any(result.interrupted for _, result in rows):
        error_console.print("interrupted: the games that were finished are counted")
        raise typer.Exit(INTERRUPTED)


def match_table(rows: list[tuple[str, MatchResult]], *, demo: bool) -> Table:
    first = rows[0][1]
    title = "Plain UCT with 2N playouts a move (A) against N (B)" if demo else f"A: {first.a}   B: {first.b}"
    table = Table(title=title, caption=f"seed {first.seed}; a draw is half a win{expectation(rows) if demo else ''}")
    table.add_column("game", no_wrap=True)
    for name in ("playouts", "games", "won/drawn/lost", "A wins", "95% interval"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, result in rows:
        budgets = ":".join(str(count) for count in result.playouts)
        score = f"{result.wins}/{result.draws}/{result.losses}"
        interval = f"{result.interval.low:.1f} to {result.interval.high:.1f}%"
        table.add_row(name, budgets, str(result.games), score, f"{result.percentage:.1f}%", interval)
    return table


def expectation(rows: list[tuple[str, MatchResult]]) -> str:
    """What was expected, and who is plainly outside of it."""
    low, high = EXPECTED
    outside = [name for name, result in rows if result.interval.low > high or result.interval.high < low]
    text = f"; expected: {low} to {high}%"
    return f"{text}, which {' and '.join(outside)} did not keep to" if outside else text
