"""The options that matches and tournaments share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tesuji.arena.catalog import Catalog, load_engines
from tesuji.arena.match import as_player, make_budgets
from tesuji.arena.openings import Openings, as_openings
from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import Budget, PlayerSpec
from tesuji.arena.pool import MAX_JOBS
from tesuji.arena.result import cores
from tesuji.checks import check_integer
from tesuji.errors import ArgumentError
from tesuji.games.position import Position

PLAYER_HELP = "an engine spec (also behind 'cluster(n=8)+'), a name in engines.toml, or 'gtp:COMMAND LINE'."
DEFAULT_PLAYOUTS = "1000"

PlayoutsPairOption = Annotated[
    str | None,
    typer.Option(help="Playouts a move: one number, or two for A,B.", show_default=DEFAULT_PLAYOUTS),
]
SecondsPairOption = Annotated[str | None, typer.Option(help="Seconds a move: one number, or two for A,B.")]
CpuSecondsPairOption = Annotated[str | None, typer.Option(help="CPU-seconds a move: one number, or two for A,B.")]
ThreadsPairOption = Annotated[str, typer.Option(help="Threads of a search: one number, or two for A,B.")]
ResignOption = Annotated[
    str, typer.Option(help="Our engines give up below this share of a win: one number, or two for A,B.")
]
JobsOption = Annotated[int | None, typer.Option(help="Processes; by default one a core.", show_default=False)]
OpeningsOption = Annotated[
    str | None, typer.Option(help="random:N for N random moves, or a file with one opening a line.")
]
FailuresOption = Annotated[str, typer.Option(help="What a player that fails gets: loss, or void for the game.")]
TimeoutOption = Annotated[float | None, typer.Option(help="Seconds to wait for an answer of another program.")]
MoveLimitOption = Annotated[int, typer.Option(help="After so many moves a game is a draw.")]
RefereeOption = Annotated[str | None, typer.Option(help="A program that settles finished games of Go.")]
EnginesOption = Annotated[Path | None, typer.Option(help="A file of programs; ./engines.toml by default.")]
StoreOption = Annotated[Path | None, typer.Option(help="File for the games; the same command goes on from it.")]
ClusterOption = Annotated[str | None, typer.Option(help="Address of a Dask scheduler that plays the games.")]


def check_jobs(jobs: int | None) -> int:
    return check_integer("jobs", cores() if jobs is None else jobs, low=1, high=MAX_JOBS)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What all matches of a command have in common."""

    start: Position
    budgets: tuple[Budget | None, Budget | None]
    openings: Openings
    failures: str
    timeout: float | None
    move_limit: int
    referee: PlayerSpec | None
    catalog: Catalog

    def player(self, text: str, side: int = 0) -> PlayerSpec:
        budget = self.budgets[side]
        return as_player(text, budget, timeout=self.timeout, catalog=self.catalog, start=self.start)

    def plan(self, a: str, b: str, *, seed: int) -> MatchPlan:
        return self.plan_of((self.player(a, 0), self.player(b, 1)), seed=seed)

    def plan_of(self, players: tuple[PlayerSpec, PlayerSpec], *, seed: int) -> MatchPlan:
        return MatchPlan(
            start=self.start,
            players=players,
            seed=seed,
            openings=self.openings,
            failures=self.failures,
            move_limit=self.move_limit,
            referee=self.referee,
        )


def read_setting(
    start: Position,
    *,
    playouts: str | None,
    seconds: str | None,
    cpu_seconds: str | None,
    threads: str,
    resign: str,
    openings: str | None,
    failures: str,
    timeout: float | None,
    move_limit: int,
    referee: str | None,
    engines: Path | None,
) -> Setting:
    if playouts is None and seconds is None and cpu_seconds is None:
        playouts = DEFAULT_PLAYOUTS
    budgets = make_budgets(
        playouts=parse_pair("--playouts", playouts, int),
        seconds=parse_pair("--seconds", seconds, float),
        cpu_seconds=parse_pair("--cpu-seconds", cpu_seconds, float),
        threads=parse_pair("--threads", threads, int),
        resign=parse_pair("--resign", resign, float),
    )
    catalog = load_engines(engines)
    return Setting(
        start=start,
        budgets=budgets,
        openings=as_openings(openings, start),
        failures=failures,
        timeout=timeout,
        move_limit=move_limit,
        referee=None if referee is None else as_player(referee, budgets[0], timeout=timeout, catalog=catalog),
        catalog=catalog,
    )


def parse_pair(option: str, text: str | None, kind: type[int | float]) -> tuple[float, float] | None:
    """`1000`, or `2000,1000` for A and B."""
    if text is None:
        return None
    try:
        numbers = [kind(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2):
        raise ArgumentError(f"{option} must be one number, or two with a comma for A and B, not {text!r}")
    return numbers[0], numbers[-1]
