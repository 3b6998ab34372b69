"""`tesuji tune`: good values of an engine's parameters, by games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress
from rich.table import Table

from tesuji.arena.match import choose_seed
from tesuji.arena.plan import DEFAULT_MOVE_LIMIT
from tesuji.arena.players import EnginePlayer
from tesuji.arena.statistics import Interval, wilson_interval
from tesuji.arena.tune_store import SEARCH, Trial, TuneStore
from tesuji.arena.venues import make_venue
from tesuji.checks import check_integer
from tesuji.commands.common import (
    INTERRUPTED,
    GameArgument,
    JsonOption,
    KomiOption,
    SeedOption,
    SizeOption,
    check_plot,
    console,
    ends_cleanly,
    error_console,
    print_json,
)
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
from tesuji.commands.match_view import progress_bar
from tesuji.engines import parse_engine
from tesuji.errors import ArgumentError
from tesuji.games.registry import make_game
from tesuji.plot import FitPanel, Point, plot_fit

if TYPE_CHECKING:
    from tesuji.arena.tune import TuneResult
    from tesuji.arena.tune_space import Range

# The games of a plot are shown together in so many bunches.
BUNCHES = 12


@ends_cleanly
def tune(
    game: GameArgument,
    spec: Annotated[str, typer.Argument(help="Engine spec with the values as they are now.", show_default=False)],
    *,
    parameter: Annotated[
        list[str], typer.Option(help="NAME=LOW..HIGH, with :log for a logarithmic scale; may come several times.")
    ],
    against: Annotated[str | None, typer.Option(help=f"The opponent: {PLAYER_HELP}", show_default="SPEC")] = None,
    playouts: PlayoutsPairOption = None,
    seconds: SecondsPairOption = None,
    cpu_seconds: CpuSecondsPairOption = None,
    threads: ThreadsPairOption = "1",
    resign: ResignOption = "0",
    games: Annotated[int, typer.Option(help="Games of the search.")] = 500,
    check: Annotated[
        int | None,
        typer.Option(help="Games of the best values against SPEC, afterwards.", show_default="a fifth of --games"),
    ] = None,
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
    plot: Annotated[Path | None, typer.Option(help="File for a plot of the fitted score, such as tune.png.")] = None,
    json: JsonOption = False,
) -> None:
    """Find good values of an engine's parameters by games against an opponent."""
    # numpy takes longer to load than most commands, which have no use for it.
    from tesuji.arena.tune import TuningPlan  # noqa: PLC0415  slow to load
    from tesuji.arena.tune import tune as run_tuning  # noqa: PLC0415  slow to load
    from tesuji.arena.tune_space import Space, parse_range  # noqa: PLC0415  slow to load

    count = check_integer("games", games, low=2)
    check_count = count // 5 if check is None else check_integer("check", check, low=0)
    workers = check_jobs(jobs)
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
    engine = parse_engine(spec, position=setting.start)
    space = Space(tuple(parse_range(text, engine) for text in parameter))
    budget = setting.budgets[0]
    if budget is None:
        raise ArgumentError("a tuning needs a budget: give --playouts, --seconds or --cpu-seconds")
    players = EnginePlayer(engine=engine, budget=budget), setting.player(spec if against is None else against, 1)
    plan = TuningPlan(base=setting.plan_of(players, seed=choose_seed(seed, keeps=store is not None)), space=space)
    check_plot(plot)
    plan.base.check()
    with TuneStore(store) as opened, progress_bar() as progress, make_venue(jobs=workers, cluster=cluster) as venue:
        watcher = Watcher(progress, {SEARCH: count + count % 2, "check": check_count})
        result = run_tuning(plan, games=count, check_games=check_count, store=opened, play=venue.play, progress=watcher)
    if plot is not None:
        plot_result(plot, result, game=game)
    if json:
        print_json({"game": game, **result.to_dict(), "plot": None if plot is None else str(plot)})
    else:
        print_result(result, plot)
    if result.interrupted:
        error_console.print("interrupted: the games that were finished are counted")
        raise typer.Exit(INTERRUPTED)


class Watcher:
    """One bar for the search, one for the check."""

    def __init__(self, progress: Progress, totals: dict[str, int]) -> None:
        self._progress = progress
        self._tasks = {
            phase: progress.add_task(phase, total=total, standing="", start=False, visible=total > 0)
            for phase, total in totals.items()
        }
        self._counts: dict[str, tuple[int, float]] = {}

    def __call__(self, phase: str, games: int, points: float) -> None:
        task = self._tasks[phase]
        resumed = phase not in self._counts
        done, won = self._counts.get(phase, (0, 0.0))
        done, won = self._counts[phase] = done + games, won + points
        standing = f"{100 * won / done:.1f}%" if done else ""
        if resumed:  # games of the store say nothing about the speed
            self._progress.reset(task, completed=done, standing=standing)
        else:
            self._progress.update(task, advance=games, standing=standing)


def print_result(result: TuneResult, plot: Path | None) -> None:
    table = Table(
        title=f"best found: {result.engine}", caption=f"{len(result.trials)} games, seed {result.plan.base.seed}"
    )
    table.add_column("parameter")
    for name in ("best", "95% interval", "range"):
        table.add_column(name, justify="right")
    for item in result.plan.space.ranges:
        interval = result.intervals[item.name]
        table.add_row(item.name, f"{result.best[item.name]:g}", f"{interval.low:g} to {interval.high:g}", str(item))
    console.print(table)
    opponent = result.plan.base.players[1].name
    line = f"expected against {opponent}: {_percent(result.expected)} ({_percents(result.expected_interval)})"
    console.print(line, highlight=False, soft_wrap=True)
    if result.check is not None:
        line = (
            f"checked against {result.plan.player.engine}: {_percent(result.check.fraction)} "
            f"({_percents(result.check.interval())}) of {result.check.games} other games"
        )
        console.print(line, highlight=False, soft_wrap=True)
    if plot is not None:
        console.print(f"plot: {plot}", highlight=False, soft_wrap=True)


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.1f}%"


def _percents(interval: Interval) -> str:
    return f"{_percent(interval.low)} to {_percent(interval.high)}"


# ---- the plot


def plot_result(path: Path, result: TuneResult, *, game: str) -> None:
    panels = []
    for item in result.plan.space.ranges:
        curve, interval = result.curves[item.name], result.intervals[item.name]
        panels.append(
            FitPanel(
                x_label=item.name,
                log_x=item.log,
                x=curve.values,
                middle=[100 * value for value in curve.middle],
                low=[100 * value for value in curve.low],
                high=[100 * value for value in curve.high],
                samples=bunches(result.trials, item),
                best=result.best[item.name],
                best_low=interval.low,
                best_high=interval.high,
            )
        )
    title = f"{game}: {result.engine}, {len(result.trials)} games"
    plot_fit(path, panels, title=title, y_label=f"% against {result.plan.base.players[1].name}")


def bunches(trials: Sequence[Trial], item: Range) -> list[Point]:
    """The games in order of the parameter, some together, each bunch with its Wilson interval."""
    games = [(trial.values[item.name], trial.points) for trial in trials if trial.points is not None]
    games.sort(key=lambda game: game[0])  # not by points: a bunch may end within the games of one value
    points = []
    for number in range(BUNCHES):
        bunch = games[number * len(games) // BUNCHES : (number + 1) * len(games) // BUNCHES]
        if bunch:
            won = sum(value for _, value in bunch)
            interval = wilson_interval(won, len(bunch))
            middle = item.value(sum(item.place(x) for x, _ in bunch) / len(bunch))
            fraction = won / len(bunch)
            points.append(Point(x=middle, percentage=100 * fraction, low=100 * interval.low, high=100 * interval.high))
    return points
