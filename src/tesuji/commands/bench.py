"""`tesuji bench`: playouts a CPU-second, bare and inside a search."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from rich.progress import Progress
from rich.table import Table

from tesuji.commands.common import JsonOption, console, ends_cleanly, error_console, print_json
from tesuji.games.position import Position
from tesuji.games.registry import make_game
from tesuji.search import Search

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
    """One board with what was measured on it, a figure a round."""

    game: str
    size: int | None
    position: Position
    playouts: int
    bare: list[float] = field(default_factory=list)
    search: list[float] = field(default_factory=list)
    bytes_per_child_slot: float = 0.0

    @property
    def name(self) -> str:
        return self.game if self.size is None else f"{self.game}-{self.size}"

    def measure(self, seed: int, search_playouts: int) -> None:
        # Bare playouts before and after: a machine that gets faster or slower meanwhile leaves the ratio alone.
        before, _ = self.position.native.playouts(self.playouts, 2 * seed)
        result = Search(self.position, "uct", seed=seed).run(playouts=search_playouts)
        if result.stopped_by == "interrupt":
            raise KeyboardInterrupt
        after, _ = self.position.native.playouts(self.playouts, 2 * seed + 1)
        self.bare.append(2 * self.playouts / (before + after))
        self.search.append(result.playouts / result.cpu_seconds)
        self.bytes_per_child_slot = result.memory / result.child_slots

    def rows(self) -> list[dict[str, Any]]:
        size = self.position.shape[0] if self.size is None else self.size
        common = {"game": self.game, "size": size}
        ratio = statistics.median(search / bare for search, bare in zip(self.search, self.bare, strict=True))
        return [
            {"name": f"{self.name}-playouts", **common, "playouts_per_cpu_second": statistics.median(self.bare)},
            {
                "name": f"{self.name}-search",
                **common,
                "playouts_per_cpu_second": statistics.median(self.search),
                "peer": f"{self.name}-playouts",
                "ratio": ratio,
                "bytes_per_child_slot": self.bytes_per_child_slot,
            },
        ]


@ends_cleanly
def bench(
    rounds: Annotated[int, typer.Option(help="Interleaved rounds; the median is shown.", min=1)] = 9,
    playouts: Annotated[int, typer.Option(help="Playouts of each search.", min=1)] = SEARCH_PLAYOUTS,
    json: JsonOption = False,
) -> None:
    """Measure playouts a CPU-second on one core: bare uniform ones, and inside a search.

    Boards take turns in every round, so that a busy moment of the machine hits all of them alike.
    """
    with Progress(console=error_console, transient=True) as progress:
        task = progress.add_task("measuring", total=rounds * len(BOARDS))
        boards = [prepare(game, size) for game, size in BOARDS]
        for number in range(rounds):
            for board in boards:
                board.measure(number, playouts)
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
    for name in ("a CPU-second", "of bare", "bytes a child slot"):
        table.add_column(name, justify="right")
    for row in rows:
        ratio = f"{row['ratio']:.2f}" if "ratio" in row else ""
        slot = f"{row['bytes_per_child_slot']:.1f}" if "ratio" in row else ""
        table.add_row(row["name"], f"{row['playouts_per_cpu_second']:,.0f}", ratio, slot)
    return table
