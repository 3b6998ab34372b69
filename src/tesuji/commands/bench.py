"""`tesuji bench`: playouts a CPU-second, bare and inside a search."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from rich.progress import Progress
from rich.table import Table

from tesuji.commands.bench_threads import ROUNDS as THREADS_ROUNDS
from tesuji.commands.bench_threads import bench_threads, engines_for
from tesuji.commands.common import JsonOption, console, ends_cleanly, error_console, print_json
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError
from tesuji.games.position import Position
from tesuji.games.registry import make_game
from tesuji.search import MAX_THREADS, Search

ROUNDS = 9
SEARCH_PLAYOUTS = 50_000
BARE_SECONDS = 0.15

#: Game and size of every row.
BOARDS: tuple[tuple[str, int | None], ...] = (
    ("go", 9),
    ("go", 13),
    ("go", 19),
    ("othello", None),
    ("havannah", 5),
    ("havannah", 8),
)


@dataclass
class Board:
    """One board with what was measured on it, a figure a round; of the searches, for each engine."""

    game: str
    size: int | None
    position: Position
    playouts: int
    bare: list[float] = field(default_factory=list)
    search: dict[EngineSpec, list[float]] = field(default_factory=dict)
    bytes_per_child_slot: dict[EngineSpec, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.game if self.size is None else f"{self.game}-{self.size}"

    def measure(self, engines: list[str], seed: int, search_playouts: int) -> None:
        # Bare playouts before and after: a machine that gets faster or slower meanwhile leaves the ratio alone.
        before, _ = self.position.native.playouts(self.playouts, 2 * seed)
        for engine in engines_for(self.position, engines):
            result = Search(self.position, engine, seed=seed).run(playouts=search_playouts)
            if result.stopped_by == "interrupt":
                raise KeyboardInterrupt
            self.search.setdefault(engine, []).append(result.playouts / result.cpu_seconds)
            self.bytes_per_child_slot[engine] = result.memory / result.child_slots
        after, _ = self.position.native.playouts(self.playouts, 2 * seed + 1)
        self.bare.append(2 * self.playouts / (before + after))

    def rows(self) -> list[dict[str, Any]]:
        size = self.position.shape[0] if self.size is None else self.size
        common = {"game": self.game, "size": size}
        bare = f"{self.name}-playouts"
        rows = [{"name": bare, **common, "playouts_per_cpu_second": statistics.median(self.bare)}]
        first = next(iter(self.search.values()))
        for engine, speeds in self.search.items():
            rows.append(
                {
                    "name": f"{self.name}-search" if len(self.search) == 1 else f"{self.name}-search {engine}",
                    **common,
                    "engine": str(engine),
                    "playouts_per_cpu_second": statistics.median(speeds),
                    "peer": bare,
                    "ratio": _median_ratio(speeds, self.bare),
                    "ratio_to_first_engine": _median_ratio(speeds, first),
                    "bytes_per_child_slot": self.bytes_per_child_slot[engine],
                }
            )
        return rows


def _median_ratio(speeds: list[float], others: list[float]) -> float:
    return statistics.median(mine / other for mine, other in zip(speeds, others, strict=True))


@ends_cleanly
def bench(
    *,
    rounds: Annotated[
        int | None,
        typer.Option(
            help="Interleaved rounds; the median is shown.",
            min=1,
            show_default=f"{ROUNDS}, or {THREADS_ROUNDS} of threads",
        ),
    ] = None,
    playouts: Annotated[int, typer.Option(help="Playouts of each search.", min=1)] = SEARCH_PLAYOUTS,
    engine: Annotated[
        list[str] | None, typer.Option(help="Engine of the searches, uct if not given; several are compared.")
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Only the boards of this game; may be given again.")] = None,
    threads: Annotated[
        int | None,
        typer.Option(help="Measure searches on 1 to so many threads instead.", min=1, max=MAX_THREADS),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure playouts a CPU-second on one core: bare uniform ones, and inside a search.

    With --threads T: playouts a wall second of one search on 1 to T threads, beside as many searches of one thread each
    that run together.

    Boards and engines take turns in every round, so that a busy moment of the machine hits all of them alike. What a
    rule costs: tesuji bench --game othello --engine uct --engine 'accelerated(k=4)'
    """
    engines = engine or ["uct"]
    chosen = [board for board in BOARDS if game is None or board[0] in [make_game(name).game for name in game]]
    if not chosen:
        known = ", ".join(dict.fromkeys(name for name, _ in BOARDS))
        raise ArgumentError(f"there is no benchmark of {' or '.join(game or [])}; there are {known}")
    if threads is not None:
        count = THREADS_ROUNDS if rounds is None else rounds
        bench_threads(chosen, engines, threads=threads, rounds=count, playouts=playouts, json=json)
        return
    count = ROUNDS if rounds is None else rounds
    for name, size in chosen:
        engines_for(make_game(name, size=size), engines)  # a mistake is said before anything is measured
    with Progress(console=error_console, transient=True) as progress:
        task = progress.add_task("measuring", total=count * len(chosen))
        boards = [prepare(name, size) for name, size in chosen]
        for number in range(count):
            for board in boards:
                board.measure(engines, number, playouts)
                progress.advance(task)
    rows = [row for board in boards for row in board.rows()]
    if json:
        print_json(rows)
    else:
        console.print(bench_table(rows, playouts))


def prepare(game: str, size: int | None) -> Board:
    """Finds how many playouts take long enough to be measured."""
    position = make_game(game, size=size)
    count = 1000
    seconds, _ = position.native.playouts(count, 0)
    return Board(game=game, size=size, position=position, playouts=max(count, int(count * BARE_SECONDS / seconds)))


def bench_table(rows: list[dict[str, Any]], playouts: int) -> Table:
    table = Table(title=f"Playouts a CPU-second; searches of {playouts:,} playouts from the start")
    table.add_column("what", no_wrap=True)
    for name in ("a CPU-second", "of bare", "of the first engine", "bytes a child slot"):
        table.add_column(name, justify="right")
    for row in rows:
        ratio = f"{row['ratio']:.2f}" if "ratio" in row else ""
        of_first = f"{row['ratio_to_first_engine']:.2f}" if "ratio" in row else ""
        slot = f"{row['bytes_per_child_slot']:.1f}" if "ratio" in row else ""
        table.add_row(row["name"], f"{row['playouts_per_cpu_second']:,.0f}", ratio, of_first, slot)
    return table
