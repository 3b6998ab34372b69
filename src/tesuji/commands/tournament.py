"""`tesuji tournament`: several players and one rating."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from tesuji.arena.match import MAX_GAMES, choose_seed, run_match
from tesuji.arena.plan import DEFAULT_MOVE_LIMIT
from tesuji.arena.store import Store
from tesuji.arena.tournament import TournamentResult, plan_tournament
from tesuji.arena.venues import make_venue
from tesuji.checks import check_integer
from tesuji.commands.common import (
    INTERRUPTED,
    GameArgument,
    JsonOption,
    KomiOption,
    SeedOption,
    SizeOption,
    ThreadsOption,
    console,
    ends_cleanly,
    error_console,
    print_json,
)
from tesuji.commands.match_options import (
    PLAYER_HELP,
    ClusterOption,
    EnginesOption,
    FailuresOption,
    JobsOption,
    MoveLimitOption,
    OpeningsOption,
    RefereeOption,
    StoreOption,
    TimeoutOption,
    check_jobs,
    read_setting,
)
from tesuji.commands.match_view import Watcher, print_notes, progress_bar
from tesuji.games.registry import make_game


@ends_cleanly
def tournament(
    game: GameArgument,
    players: Annotated[list[str], typer.Argument(help=f"Two or more players, each {PLAYER_HELP}", show_default=False)],
    *,
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="Only the first plays against the others.")] = False,
    playouts: Annotated[int | None, typer.Option(help="Playouts a move.", show_default="1000")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds a move.")] = None,
    cpu_seconds: Annotated[float | None, typer.Option(help="CPU-seconds a move.")] = None,
    threads: ThreadsOption = 1,
    resign: Annotated[float, typer.Option(help="Our engines give up below this share of a win.")] = 0.0,
    games: Annotated[int, typer.Option(help="Number of games of each pairing.")] = 100,
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
    store: StoreOption = None,
    cluster: ClusterOption = None,
    json: JsonOption = False,
) -> None:
    """Play matches among several players, and rate them all together."""
    setting = read_setting(
        make_game(game, size=size, komi=komi),
        playouts=None if playouts is None else str(playouts),
        seconds=None if seconds is None else str(seconds),
        cpu_seconds=None if cpu_seconds is None else str(cpu_seconds),
        threads=str(threads),
        resign=str(resign),
        openings=openings,
        failures=failures,
        timeout=timeout,
        move_limit=move_limit,
        referee=referee,
        engines=engines,
    )
    plans = plan_tournament(
        [setting.player(text) for text in players],
        lambda pair, pair_seed: setting.plan_of(pair, seed=pair_seed),
        seed=choose_seed(seed, keeps=store is not None),
        gauntlet=gauntlet,
    )
    count, workers = check_integer("games", games, low=1, high=MAX_GAMES), check_jobs(jobs)
    results = []
    with Store(store) as opened, progress_bar() as progress, make_venue(jobs=workers, cluster=cluster) as venue:
        watchers = [Watcher(progress, f"{plan.players[0].name} - {plan.players[1].name}", count) for plan in plans]
        for plan, watcher in zip(plans, watchers, strict=True):
            results.append(
                run_match(
                    plan,
                    games=count,
                    store=opened,
                    venue=venue,
                    progress=watcher,
                    resumed=watcher.resume,
                )
            )
            if results[-1].interrupted:
                break
    report(TournamentResult(matches=tuple(results)), json=json)


def report(result: TournamentResult, *, json: bool) -> None:
    if json:
        print_json(result.to_dict())
    else:
        console.print(ratings_table(result))
    print_notes(result.matches)
    if result.interrupted:
        error_console.print("interrupted: the games that were finished are counted")
        raise typer.Exit(INTERRUPTED)


def ratings_table(result: TournamentResult) -> Table:
    table = Table(title="Joint rating (Bradley-Terry), relative to the average", caption="a draw is half a win")
    table.add_column("player")
    for name in ("Elo", "95% interval", "games", "points"):
        table.add_column(name, justify="right", no_wrap=True)
    for rating in result.ratings():
        interval = f"{rating.low:+.0f} to {rating.high:+.0f}"
        table.add_row(
            rating.name, f"{rating.elo:+.0f}", interval, str(rating.games), f"{100 * rating.points / rating.games:.1f}%"
        )
    return table
