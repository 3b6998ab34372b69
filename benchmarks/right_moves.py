"""How often engines find the right moves of test positions, with more and more playouts: rising, flat or falling.

python benchmarks/right_moves.py experiments/positions/table3.jsonl --engine "uct=uct(c=0.4)" --playouts 1000,30000 \
    --runs 500 --output experiments/reports/scalability-table3

The runs of a cell have the seeds 0, 1, 2, ...; what the CSV file in the folder has of a cell already is not run again.
"""

from __future__ import annotations

import argparse
import csv
import math
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

import tesuji
from tesuji.arena.experiment import load_experiment
from tesuji.arena.report import markdown_table, provenance_table
from tesuji.arena.statistics import wilson_interval
from tesuji.plot import COLOURS, MARKS
from tesuji.provenance import provenance
from tesuji.regress.files import read_problems
from tesuji.regress.problem import Problem
from tesuji.replacing import replacing

EXPLANATION = (
    "Percentage of runs that end with a right move, with its 95% interval; the runs differ in their seed. Those of "
    "earlier calls, in the CSV file, count too: the command is that of the last."
)


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A position, an engine and a number of playouts, and what was found."""

    position: str
    engine: str
    playouts: int
    runs: int = 0
    right: int = 0
    cpu_seconds: float = 0.0

    @property
    def key(self) -> tuple[str, str, int]:
        return self.position, self.engine, self.playouts

    @property
    def percentage(self) -> float:
        return 100 * self.right / self.runs

    @property
    def interval(self) -> tuple[float, float]:
        found = wilson_interval(self.right, self.runs)
        return 100 * found.low, 100 * found.high


def run(cell: Cell, problem: Problem, spec: str, runs: int) -> Cell:
    """The same cell with as many runs as are wanted."""
    assert problem.setup is not None
    position = problem.setup.table().turn_of(problem.setup.player)
    right, seconds = cell.right, cell.cpu_seconds
    for seed in range(cell.runs, runs):
        result = tesuji.Search(position, spec, seed=seed).run(playouts=cell.playouts)
        if result.stopped_by == "interrupt":  # a move after fewer playouts must not be counted among the others
            raise KeyboardInterrupt
        right += problem.expected.is_met(position.format_move(result.best_move))
        seconds += result.cpu_seconds
    return replace(cell, runs=max(cell.runs, runs), right=right, cpu_seconds=round(seconds, 3))


def read_cells(path: Path) -> dict[tuple[str, str, int], Cell]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        cells = [
            Cell(
                position=row["position"],
                engine=row["engine"],
                playouts=int(row["playouts"]),
                runs=int(row["runs"]),
                right=int(row["right"]),
                cpu_seconds=float(row["cpu_seconds"]),
            )
            for row in csv.DictReader(file)
        ]
    return {cell.key: cell for cell in cells}


def write_cells(path: Path, cells: dict[tuple[str, str, int], Cell]) -> None:
    with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(asdict(next(iter(cells.values())))), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(cell) for cell in cells.values())


def trend(cells: Sequence[Cell]) -> str:
    """Of the cells of one line, by rising playouts: a change counts where the 95% intervals do not meet."""
    if len(cells) < 2:
        return ""
    first, last = cells[0].interval, cells[-1].interval
    return "rising" if last[0] > first[1] else "falling" if last[1] < first[0] else "flat"


def plot(path: Path, cells: Sequence[Cell], title: str) -> None:
    positions = list(dict.fromkeys(cell.position for cell in cells))
    engines = list(dict.fromkeys(cell.engine for cell in cells))
    columns = min(3, len(positions))
    rows = math.ceil(len(positions) / columns)
    figure = Figure(figsize=(4.6 * columns, 3.2 * rows + 0.6), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for axes in grid.flat[len(positions) :]:
        axes.set_axis_off()
    for position, axes in zip(positions, grid.flat, strict=False):
        for number, engine in enumerate(engines):
            line = [cell for cell in cells if (cell.position, cell.engine) == (position, engine)]
            spread = [[c.percentage - c.interval[0] for c in line], [c.interval[1] - c.percentage for c in line]]
            axes.errorbar(
                [cell.playouts for cell in line],
                [cell.percentage for cell in line],
                yerr=spread,
                color=COLOURS[number % len(COLOURS)],
                marker=MARKS[number % len(MARKS)],
                capsize=2,
                label=engine,
            )
        axes.set(xscale="log", xlabel="playouts", title=position, ylim=(-3, 103))
        axes.grid(alpha=0.25)
    grid[0, 0].set_ylabel("% right moves")
    grid[0, 0].legend(frameon=False, fontsize="small")
    figure.suptitle(title)
    figure.savefig(path, format="png", dpi=110, metadata={"Software": None})


def table(cells: Sequence[Cell], published: dict[tuple[str, float], float]) -> str:
    playouts = sorted({cell.playouts for cell in cells})
    lines = []
    for position, engine in dict.fromkeys((cell.position, cell.engine) for cell in cells):
        line = [cell for cell in cells if (cell.position, cell.engine) == (position, engine)]
        by_playouts = {cell.playouts: cell for cell in line}
        shown = [_shown(by_playouts.get(n), published.get((f"{position}, {engine}", n))) for n in playouts]
        cost = line[-1].cpu_seconds / line[-1].runs
        lines.append([position, engine, *shown, trend(line), f"{cost:.3f}"])
    header = ["position", "engine", *(f"{n:,} playouts" for n in playouts), "trend", "CPU seconds a run, last column"]
    return markdown_table(header, lines)


def _shown(cell: Cell | None, paper: float | None) -> str:
    ours = ""
    if cell is not None:
        low, high = cell.interval
        ours = f"{cell.percentage:.1f} ({low:.1f} to {high:.1f}, {cell.runs} runs)"
    return ours if paper is None else f"{ours}; paper {paper:g}"


def report(arguments: Any, cells: Sequence[Cell], engines: dict[str, str], name: str) -> str:
    published: dict[tuple[str, float], float] = {}
    text = ""
    if arguments.experiment is not None:
        experiment = load_experiment(arguments.experiment).experiment
        published = {(item.series, item.x): item.percentage for item in experiment.numbers()}
        text = experiment.text.strip()
    facts = provenance_table(provenance())
    specs = markdown_table(["engine", "spec"], [[label, f"`{spec}`"] for label, spec in engines.items()])
    notes = (
        (arguments.output / "notes.md").read_text(encoding="utf-8") if (arguments.output / "notes.md").exists() else ""
    )
    command = shlex.join(["python", "benchmarks/right_moves.py", *sys.argv[1:]])
    parts = [
        f"# {arguments.title}",
        text,
        f"![right moves]({name}.png)",
        table(cells, published),
        EXPLANATION,
        notes.strip(),
        specs,
        f"```\n{command}\n```",
        facts,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=Path, help="a file of test positions, as for tesuji regress")
    parser.add_argument("--engine", action="append", required=True, help="LABEL=SPEC; may be given several times")
    parser.add_argument("--playouts", default="1000,3000,10000,30000,100000")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--only", action="append", help="the id of a position to run; may be given several times")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--title", default="Right moves")
    parser.add_argument(
        "--experiment", type=Path, help="a TOML file with the published numbers, series 'POSITION, LABEL'"
    )
    arguments = parser.parse_args()
    engines = dict(text.split("=", 1) for text in arguments.engine)
    problems = [problem for problem in read_problems([arguments.positions]) if problem.setup is not None]
    unknown = set(arguments.only or ()) - {problem.id for problem in problems}
    if unknown:
        parser.error(f"{arguments.positions} has no position {', '.join(sorted(unknown))}")
    name = arguments.output.name
    arguments.output.mkdir(parents=True, exist_ok=True)
    store = arguments.output / f"{name}.csv"
    cells = read_cells(store)
    for playouts in sorted(int(word) for word in arguments.playouts.split(",")):
        for problem in problems:
            if arguments.only and problem.id not in arguments.only:
                continue
            for label, spec in engines.items():
                cell = Cell(position=problem.id, engine=label, playouts=playouts)
                cells[cell.key] = run(cells.get(cell.key, cell), problem, spec, arguments.runs)
                write_cells(store, cells)
                print(*cell.key, f"{cells[cell.key].percentage:.1f}%", flush=True)
    done = sorted(cells.values(), key=lambda cell: cell.playouts)
    ordered = [
        cell for problem in problems for label in engines for cell in done if cell.key[:2] == (problem.id, label)
    ]
    text = report(arguments, ordered, engines, name)  # before anything is written: it says whether all was committed
    with replacing(arguments.output / f"{name}.png") as new:
        plot(new, ordered, arguments.title)
    with replacing(arguments.output / f"{name}.md") as new:
        new.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
