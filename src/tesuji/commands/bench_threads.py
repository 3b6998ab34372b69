"""`tesuji bench --threads T`: one search on 1 to T threads, beside as many searches of one thread run together."""

from __future__ import annotations

import statistics
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from rich.progress import Progress
from rich.table import Table

from tesuji.arena.result import cores
from tesuji.commands.common import console, error_console, print_json
from tesuji.engines import EngineSpec, parse_engine
from tesuji.games.position import Position
from tesuji.games.registry import make_game
from tesuji.search import MAX_THREADS, RunReport, Search

ROUNDS = 10
_STOP_AGAIN_SECONDS = 0.05


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One line of the table, with playouts a wall second, a figure a round."""

    game: str
    size: int | None
    position: Position
    engine: EngineSpec
    threads: int
    together: list[float] = field(default_factory=list)  # all threads in one search
    apart: list[float] = field(default_factory=list)  # a search for each thread

    def measure(self, number: int, playouts: int) -> None:
        """One round. Which of the two comes first changes, so that a machine that gets slower is fair to both."""
        seeds = [number * MAX_THREADS + thread for thread in range(self.threads)]

        def together() -> None:
            searches = [Search(self.position, self.engine, threads=self.threads, seed=seeds[0])]
            self.together.append(playouts_a_second(searches, playouts))

        def apart() -> None:
            searches = [Search(self.position, self.engine, seed=seed) for seed in seeds]
            self.apart.append(playouts_a_second(searches, playouts))

        for step in (together, apart) if number % 2 == 0 else (apart, together):
            step()

    def row(self, of_one_thread: Cell) -> dict[str, Any]:
        """With the speed of one thread in the same rounds, for the speedup."""
        low, ratio, high = _quartiles(self.together, self.apart)
        board = self.game if self.size is None else f"{self.game}-{self.size}"
        return {
            "name": f"{board}-threads-{self.threads} {self.engine}",
            "board": board,
            "game": self.game,
            "size": self.position.shape[0] if self.size is None else self.size,
            "engine": str(self.engine),
            "threads": self.threads,
            "playouts_per_second": statistics.median(self.together),
            "independent_playouts_per_second": statistics.median(self.apart),
            "ratio": ratio,
            "ratio_quartiles": [low, high],
            "speedup": _quartiles(self.together, of_one_thread.together)[1],
        }


def _quartiles(speeds: list[float], others: list[float]) -> list[float]:
    """Lower quartile, median and upper quartile of the ratios, each within one round."""
    ratios = [mine / other for mine, other in zip(speeds, others, strict=True)]
    # The function wants two numbers at least.
    return statistics.quantiles(ratios if len(ratios) > 1 else 2 * ratios, n=4, method="inclusive")


def playouts_a_second(searches: list[Search], playouts: int) -> float:
    """Of all searches together, each of so many playouts, until the last one ends; Ctrl-C stops them all."""
    barrier = threading.Barrier(len(searches))

    def run(search: Search) -> tuple[float, float, RunReport]:
        barrier.wait()
        began = time.perf_counter()
        report = search.think(playouts=playouts)
        return began, time.perf_counter(), report

    futures: list[Future[tuple[float, float, RunReport]]] = []
    with ThreadPoolExecutor(max_workers=len(searches)) as pool:
        try:
            futures += [pool.submit(run, search) for search in searches]
            runs = [future.result() for future in futures]
        except BaseException:
            barrier.abort()  # a thread that did not start would keep the others waiting
            while wait(futures, timeout=_STOP_AGAIN_SECONDS).not_done:
                for search in searches:
                    search.stop()
            raise
    seconds = max(ended for _, ended, _ in runs) - min(began for began, _, _ in runs)
    return sum(report.playouts for _, _, report in runs) / seconds


def engines_for(position: Position, texts: list[str]) -> list[EngineSpec]:
    """The engines that these specs mean on a board, each once."""
    return list(dict.fromkeys(parse_engine(text, position=position) for text in texts))


def bench_threads(
    boards: list[tuple[str, int | None]],
    engines: list[str],
    *,
    threads: int,
    rounds: int,
    playouts: int,
    json: bool,
) -> None:
    """All numbers of threads, boards and engines take turns in every round."""
    cells = [
        Cell(game=game, size=size, position=position, engine=engine, threads=count)
        for game, size in boards
        for position in [make_game(game, size=size)]
        for engine in engines_for(position, engines)
        for count in range(1, threads + 1)
    ]
    if threads > cores():
        line = f"note: {threads} threads are more than the {cores()} processors here: from there on nothing is gained"
        error_console.print(line, highlight=False, soft_wrap=True)
    with Progress(console=error_console, transient=True) as progress:
        task = progress.add_task("measuring", total=rounds * len(cells))
        for number in range(rounds):
            for cell in cells:
                cell.measure(number, playouts)
                progress.advance(task)
    rows = [cell.row(cells[index - cell.threads + 1]) for index, cell in enumerate(cells)]
    if json:
        print_json(rows)
    else:
        for engine in dict.fromkeys(row["engine"] for row in rows):
            of_engine = [row for row in rows if row["engine"] == engine]
            console.print(
                threads_table(of_engine, title=f"{engine}: playouts a second, {playouts:,} playouts a search")
            )
        console.print(f"medians of {rounds} rounds; apart: as many searches of one thread each, run together")


def threads_table(rows: list[dict[str, Any]], *, title: str) -> Table:
    table = Table(title=title)
    table.add_column("board", no_wrap=True)
    for name in ("threads", "one search", "apart", "ratio", "quartiles", "speedup"):
        table.add_column(name, justify="right", no_wrap=True)
    most = max(row["threads"] for row in rows)
    for row in rows:
        low, high = row["ratio_quartiles"]
        table.add_row(
            row["board"],
            str(row["threads"]),
            f"{row['playouts_per_second']:,.0f}",
            f"{row['independent_playouts_per_second']:,.0f}",
            f"{row['ratio']:.3f}",
            f"{low:.3f} to {high:.3f}",
            f"{row['speedup']:.2f}",
            end_section=row["threads"] == most,
        )
    return table
