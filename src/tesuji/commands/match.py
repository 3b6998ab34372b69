"""`tesuji match`: two players against each other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji.arena.csv_file import check_export, export_csv, import_csv
from tesuji.arena.match import MAX_GAMES, as_player, choose_seed, make_budgets, run_match
from tesuji.arena.plan import DEFAULT_MOVE_LIMIT, MatchPlan, Shard, parse_shard
from tesuji.arena.result import MatchResult
from tesuji.arena.save_games import save_games
from tesuji.arena.statistics import Sprt
from tesuji.arena.store import Store
from tesuji.arena.venues import Venue, make_venue
from tesuji.checks import check_integer
from tesuji.commands.common import JsonOption, KomiOption, SeedOption, SizeOption, ends_cleanly
from tesuji.commands.match_options import (
    PLAYER_HELP,
    ClusterOption,
    CpuSecondsPairOption,
    EnginesOption,
    FailuresOption,
    JobsOption,
    MoveLimitOption,
    OpeningsOption,
    PlayoutsPairOption,
    RefereeOption,
    ResignOption,
    SecondsPairOption,
    StoreOption,
    ThreadsPairOption,
    TimeoutOption,
    check_jobs,
    read_setting,
)
from tesuji.commands.match_view import Rows, Watcher, progress_bar, report
from tesuji.errors import ArgumentError
from tesuji.games.registry import STARTS, make_game

# Name of the row, game, its options, N, games: so many that the table takes about a minute on two cores.
DEMO: tuple[tuple[str, str, dict[str, Any], int, int], ...] = (
    ("Othello", "othello", {}, 500, 500),
    ("Havannah 5", "havannah", {"size": 5}, 500, 1000),
    ("Go 9x9", "go", {"size": 9}, 500, 100),
)
#: What the papers lead one to expect when the playouts are doubled, in percent.
EXPECTED = (60, 72)


@ends_cleanly
def match(
    game: Annotated[str | None, typer.Argument(help=f"One of {', '.join(STARTS)}.", show_default=False)] = None,
    a: Annotated[str | None, typer.Argument(help=f"A: {PLAYER_HELP}", show_default=False)] = None,
    b: Annotated[str | None, typer.Argument(help=f"B: {PLAYER_HELP}", show_default=False)] = None,
    *,
    playouts: PlayoutsPairOption = None,
    seconds: SecondsPairOption = None,
    cpu_seconds: CpuSecondsPairOption = None,
    threads: ThreadsPairOption = "1",
    resign: ResignOption = "0",
    games: Annotated[int, typer.Option(help="Number of games.")] = 100,
    jobs: JobsOption = None,
    seed: SeedOption = None,
    size: SizeOption = None,
    komi: KomiOption = None,
    openings: OpeningsOption = None,
    failures: FailuresOption = "loss",
    timeout: TimeoutOption = None,
    move_limit: MoveLimitOption = DEFAULT_MOVE_LIMIT,
    referee: RefereeOption = None,
    engines: EnginesOption = None,
    sprt: Annotated[str | None, typer.Option(help="elo0,elo1: stop when a sequential test has decided.")] = None,
    store: StoreOption = None,
    shard: Annotated[str | None, typer.Option(help="i/n: play only the i-th of n parts.")] = None,
    cluster: ClusterOption = None,
    export: Annotated[Path | None, typer.Option(help="Write the games to a CSV file.")] = None,
    import_: Annotated[
        Path | None, typer.Option("--import", help="Go on from the CSV file of another machine.")
    ] = None,
    games_dir: Annotated[
        Path | None, typer.Option("--save-games", help="Folder for the games as SGF files or transcripts.")
    ] = None,
    count_duplicates: Annotated[
        bool, typer.Option("--count-duplicates", help="Count games that repeat another one, too.")
    ] = False,
    demo: Annotated[bool, typer.Option("--demo", help="Plain UCT with 2N playouts against N in three games.")] = False,
    json: JsonOption = False,
) -> None:
    """Play a match between two players, colours alternating, and show the winning percentage."""
    options = RunOptions(
        games=check_integer("games", games, low=1, high=MAX_GAMES),
        shard=None if shard is None else parse_shard(shard),
        sprt=None if sprt is None else parse_sprt(sprt),
        count_duplicates=count_duplicates,
    )
    workers = check_jobs(jobs)
    if demo:
        if game is not None:
            raise ArgumentError("--demo plays its own games: leave out GAME, A and B")
        with Store(store) as opened, make_venue(jobs=workers, cluster=cluster) as venue:
            rows = run_demo(opened, venue, options, seed=choose_seed(seed, keeps=True))
        report(rows, json=json, title="Plain UCT with 2N playouts a move (A) against N (B)", remark=expectation(rows))
        return
    if game is None or a is None or b is None:
        raise ArgumentError("a match needs GAME, A and B, for example: tesuji match othello 'uct(c=0.7)' uct")
    # All is read before the progress bar appears: a mistake gets its one line.
    start = make_game(game, size=size, komi=komi)
    setting = read_setting(
        start,
        playouts=playouts,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        threads=threads,
        resign=resign,
        openings=openings,
        failures=failures,
        timeout=timeout,
        move_limit=move_limit,
        referee=referee,
        engines=engines,
    )
    keeps = any(value is not None for value in (store, shard, import_, export))
    plan = setting.plan(a, b, seed=choose_seed(seed, keeps=keeps))
    plan.check()
    if export is not None:
        check_export(export)
    imported = [] if import_ is None else import_csv(import_, plan)
    if games_dir is not None:
        games_dir.mkdir(parents=True, exist_ok=True)
    with Store(store) as opened, make_venue(jobs=workers, cluster=cluster, games=games) as venue:
        opened.save_all(plan, imported)
        result = run_shown(game, plan, opened, venue, options)
        if export is not None:
            export_csv(export, plan, opened.records(plan))
    if games_dir is not None:
        save_games(games_dir, result)
    report([(game, result)], json=json)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a match is run, which changes none of its games."""

    games: int
    shard: Shard | None = None
    sprt: Sprt | None = None
    count_duplicates: bool = False


def run_shown(name: str, plan: MatchPlan, store: Store, venue: Venue, options: RunOptions) -> MatchResult:
    """A match with a progress bar."""
    with progress_bar() as progress:
        games = len(list((options.shard or Shard()).numbers(options.games)))
        watcher = Watcher(progress, name, games, count_duplicates=options.count_duplicates)
        return run_match(plan, store=store, venue=venue, progress=watcher, resumed=watcher.resume, **vars(options))


def run_demo(store: Store, venue: Venue, options: RunOptions, *, seed: int) -> Rows:
    """The matches of the demo one after another, until Ctrl-C."""
    rows = []
    duplicates = options.count_duplicates
    with progress_bar() as progress:
        watchers = [Watcher(progress, name, games, count_duplicates=duplicates) for name, _, _, _, games in DEMO]
        for watcher, (name, game, settings, n, games) in zip(watchers, DEMO, strict=True):
            budgets = make_budgets(playouts=(2 * n, n))
            players = as_player("uct", budgets[0]), as_player("uct", budgets[1])
            plan = MatchPlan(start=make_game(game, **settings), players=players, seed=seed)
            run_options = {**vars(options), "games": games}
            result = run_match(plan, store=store, venue=venue, progress=watcher, resumed=watcher.resume, **run_options)
            rows.append((name, result))
            if result.interrupted:
                break
    return rows


def expectation(rows: Rows) -> str:
    """What was expected, and who is plainly outside of it."""
    low, high = EXPECTED
    outside = [name for name, result in rows if result.interval.low > high or result.interval.high < low]
    text = f"; expected: {low} to {high}%"
    return f"{text}, which {' and '.join(outside)} did not keep to" if outside else text


def parse_sprt(text: str) -> Sprt:
    try:
        elo0, elo1 = (float(word) for word in text.split(","))
    except ValueError:
        raise ArgumentError(f"--sprt must be two Elo differences with a comma, such as 0,10, not {text!r}") from None
    return Sprt(elo0, elo1)
