"""`tesuji cluster`: a search on many machines, by MPI. The first machine speaks to the world, the others serve it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.best_engines import BEST
from tesuji.checks import check_integer, check_number, check_positive, check_seed
from tesuji.commands.analyze import DEFAULT_PLAYOUTS, end_command, show_result
from tesuji.commands.common import (
    EngineOption,
    GameArgument,
    JsonOption,
    KomiOption,
    PlayoutsOption,
    SecondsOption,
    SizeOption,
    ThreadsOption,
    budget,
    ends_cleanly,
    error_console,
    example,
    play_moves,
)
from tesuji.commands.gtp import speak
from tesuji.games.registry import make_game
from tesuji.gtp.session import DEFAULT_LAG, DEFAULT_RESIGN
from tesuji.gtp.table import Table
from tesuji.gtp.thinker import Settings

if TYPE_CHECKING:
    from tesuji.cluster.machine import Machine
    from tesuji.cluster.mpi_cluster import MpiCluster
    from tesuji.cluster.scheme import Scheme
    from tesuji.engines import EngineSpec
    from tesuji.games.position import Position

cluster = typer.Typer(
    help="Search on many machines at once, by MPI: `mpiexec -n 8 tesuji cluster ...`.", no_args_is_help=True
)

SeedOption = Annotated[int | None, typer.Option(help="Seed; on real machines nothing repeats exactly with it.")]
SchemeOption = Annotated[str, typer.Option(help="slow-tree, slow-root, voting, broadcast or fast-tree.")]
PeriodOption = Annotated[float, typer.Option(help="Seconds between exchanges.")]
DepthOfTreeOption = Annotated[int | None, typer.Option("--depth", help="slow-tree: moves from the root (1).")]
ThresholdOption = Annotated[float | None, typer.Option(help="slow-tree: least share of the root's visits (0.05).")]
LeastOption = Annotated[int | None, typer.Option(help="slow-tree: least visits of a node (0).")]
PatienceOption = Annotated[
    float, typer.Option(help="Seconds to wait for the last word of a machine that is silent, once.")
]
ShareOption = Annotated[str | None, typer.Option(help="slow-tree, slow-root: average (as the papers) or sum.")]


def log(text: str) -> None:
    error_console.print(f"tesuji cluster: {text}", highlight=False, soft_wrap=True)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How the machines work together."""

    scheme: str
    period: float
    patience: float
    options: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Machines:
    """The first machine, and how it works with the others."""

    machine: Machine
    scheme: Scheme
    period: float

    def search(self, position: Position, engine: str | EngineSpec = "uct", **options: Any) -> MpiCluster:
        from tesuji.cluster.mpi_cluster import MpiCluster  # noqa: PLC0415  it needs numpy

        return MpiCluster(position, engine, machine=self.machine, scheme=self.scheme, period=self.period, **options)


@contextlib.contextmanager
def machines(plan: Plan) -> Iterator[Machines]:
    """The first machine; the others are served here, and never come back."""
    from tesuji.cluster.machine import Machine, check_period  # noqa: PLC0415  it needs numpy
    from tesuji.cluster.mpi import MpiCommunicator  # noqa: PLC0415  MPI is started by it
    from tesuji.cluster.schemes import describe, make_scheme  # noqa: PLC0415  the same
    from tesuji.cluster.server import Server  # noqa: PLC0415  the same

    scheme = make_scheme(plan.scheme, **plan.options)
    period = check_period(plan.period)
    patience = check_number("patience", plan.patience, low=0.01, high=3600)
    communicator = MpiCommunicator(patience=max(patience, 5 * period))
    if communicator.rank != 0:
        Server(communicator, log=log).serve()
        raise typer.Exit
    count = communicator.size
    log(f"{count} machine{'s' if count > 1 else ''}, {describe(scheme)}, an exchange every {period:g} s")
    if count == 1:
        log("start it with mpiexec -n NUMBER, or srun -n NUMBER, to have more")
    elif not communicator.has_ulfm:
        log("this MPI does not survive the loss of a machine; with Open MPI 5: mpiexec --with-ft ulfm")
    first = Machine(communicator, log=log)
    try:
        yield Machines(machine=first, scheme=scheme, period=period)
    finally:
        first.send_home()


def plan_of(scheme: str, period: float, patience: float, **options: Any) -> Plan:
    return Plan(scheme=scheme, period=period, patience=patience, options=options)


@cluster.command(
    epilog=example("mpiexec -n 8 tesuji cluster analyze go --size 9 --engine 'uct(c=0.4)' --seconds 5 --json")
)
@ends_cleanly
def analyze(
    game: GameArgument,
    *,
    moves: Annotated[str, typer.Option(help='Moves from the start, for example "e5 d4".')] = "",
    engine: EngineOption = "uct",
    playouts: PlayoutsOption = None,
    seconds: SecondsOption = None,
    threads: ThreadsOption = 1,
    size: SizeOption = None,
    komi: KomiOption = None,
    seed: SeedOption = None,
    top: Annotated[int, typer.Option(help="How many moves to show.", min=1)] = 10,
    scheme: SchemeOption = "slow-tree",
    period: PeriodOption = 0.1,
    patience: PatienceOption = 1.0,
    depth: DepthOfTreeOption = None,
    threshold: ThresholdOption = None,
    least: LeastOption = None,
    share: ShareOption = None,
    json: JsonOption = False,
) -> None:
    """Search a position on all machines and show the best moves. Budgets are those of each machine."""
    position = play_moves(make_game(game, size=size, komi=komi), moves)
    with machines(
        plan_of(scheme, period, patience, depth=depth, threshold=threshold, least=least, share=share)
    ) as together:
        search = together.search(position, engine, threads=threads, seed=seed)
        result = search.run(**budget(playouts, seconds, default=DEFAULT_PLAYOUTS))
        show_result(result, top=top, json=json)
    end_command(result.stopped_by == "interrupt")


@cluster.command(epilog=example("mpiexec -n 8 tesuji cluster gtp --game go --size 9 --seconds 5 --scheme slow-tree"))
@ends_cleanly
def gtp(
    *,
    game: Annotated[str, typer.Option(help="go, othello or havannah.")] = "go",
    engine: EngineOption = BEST,
    playouts: PlayoutsOption = None,
    seconds: SecondsOption = None,
    threads: ThreadsOption = 1,
    size: SizeOption = None,
    komi: KomiOption = None,
    seed: SeedOption = None,
    resign: Annotated[float, typer.Option(help="Resign below this value; 0 never does.")] = DEFAULT_RESIGN,
    scheme: SchemeOption = "slow-tree",
    period: PeriodOption = 0.1,
    patience: PatienceOption = 1.0,
    depth: DepthOfTreeOption = None,
    threshold: ThresholdOption = None,
    least: LeastOption = None,
    share: ShareOption = None,
) -> None:
    """Speak GTP on the first machine's standard input and output, and think on all."""
    table = Table(make_game(game, size=size, komi=komi))
    with machines(
        plan_of(scheme, period, patience, depth=depth, threshold=threshold, least=least, share=share)
    ) as together:
        settings = Settings(
            engine=engine,
            playouts=None if playouts is None else check_integer("playouts", playouts, low=1),
            seconds=None if seconds is None else check_positive("seconds", seconds),
            threads=check_integer("threads", threads, low=1),
            seed=check_seed(seed),
            early_stop=False,  # the visits of all machines are seen, and the playouts of one counted
            search=together.search,
        )
        speak(table, settings, lag=DEFAULT_LAG, resign=check_number("resign", resign, low=0, high=1))


@cluster.command(epilog=example("mpiexec -n 4 tesuji cluster match havannah uct uct --size 5 --seconds 0.5 --games 20"))
@ends_cleanly
def match(
    game: GameArgument,
    a: Annotated[str, typer.Argument(help="A: an engine spec; it plays on all machines.", show_default=False)],
    b: Annotated[str, typer.Argument(help="B: any player; it plays on the first alone.", show_default=False)],
    *,
    playouts: Annotated[str | None, typer.Option(help="Playouts a move and machine: one number, or A,B.")] = None,
    seconds: Annotated[str | None, typer.Option(help="Seconds a move: one number, or A,B.")] = None,
    threads: ThreadsOption = 1,
    games: Annotated[int, typer.Option(help="Number of games.")] = 20,
    openings: Annotated[str | None, typer.Option(help="random:N, or a file with one opening a line.")] = None,
    store: Annotated[Path | None, typer.Option(help="File for the games; the same command goes on from it.")] = None,
    size: SizeOption = None,
    komi: KomiOption = None,
    seed: SeedOption = None,
    scheme: SchemeOption = "slow-tree",
    period: PeriodOption = 0.1,
    patience: PatienceOption = 1.0,
    depth: DepthOfTreeOption = None,
    threshold: ThresholdOption = None,
    least: LeastOption = None,
    share: ShareOption = None,
    json: JsonOption = False,
) -> None:
    """Play a match of the cluster (A) against a player on its first machine (B), colours alternating."""
    from tesuji.commands.cluster_match import play_match  # noqa: PLC0415  seldom wanted

    start = make_game(game, size=size, komi=komi)
    with machines(
        plan_of(scheme, period, patience, depth=depth, threshold=threshold, least=least, share=share)
    ) as together:
        play_match(
            start, a, b, together=together, playouts=playouts, seconds=seconds, threads=threads, games=games,
            openings=openings, store=store, seed=seed, json=json,
        )  # fmt: skip
