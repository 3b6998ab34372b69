"""How experiments are shown: the list with their states, and the results beside the published numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE
from rich.table import Table

from tesuji.arena.report import Report
from tesuji.arena.result import MatchResult
from tesuji.commands.common import console, error_console, print_json
from tesuji.errors import TesujiError

if TYPE_CHECKING:
    from tesuji.arena.experiment_plan import PlannedMatch


def say(text: str) -> None:
    """One line beside the results."""
    error_console.print(text, highlight=False, soft_wrap=True)


def list_experiments(folder: Path, output: Path, *, json: bool) -> None:
    """All of a folder. A file with a mistake has the message for its state."""
    rows = [_listed(path, output) for path in sorted(folder.glob("*.toml"))]
    if json:
        print_json(rows)
        return
    table = Table(title=f"Experiments in {folder}", caption="tesuji reproduce NAME plays one")
    table.add_column("name", no_wrap=True)
    table.add_column("state")
    for paper in dict.fromkeys(row["paper"] for row in sorted(rows, key=lambda row: row["paper"] is None)):
        table.add_section()
        for row in rows:
            if row["paper"] == paper:
                table.add_row(row["name"], "; ".join([row["state"], *(f"here {text}" for text in row["here"])]))
    console.print(table)


def _listed(path: Path, output: Path) -> dict[str, Any]:
    from tesuji.arena.experiment_list import Standing, standing  # noqa: PLC0415  as in reproduce
    from tesuji.arena.summary import read_summary  # noqa: PLC0415  slow to load

    try:
        item = standing(path)
        folders = [output / path.stem, *(output / f"{path.stem}-{scale}" for scale in item.file.scale_names())]
        summaries = [read_summary(folder / f"{path.stem}.json") for folder in folders]
        here = [Standing(file=item.file, summary=summary, report=None) for summary in summaries if summary is not None]
    except TesujiError as error:
        return {"name": path.stem, "paper": None, "title": "", "scales": [], "state": f"error: {error}", "here": []}
    return {
        "name": path.stem,
        "paper": item.file.experiment.paper,
        "title": item.file.experiment.title,
        "scales": item.file.scale_names(),
        "state": str(item),
        "here": [str(local) for local in here],
    }


def result_table(report: Report) -> Table:
    """Narrow enough for eighty columns: only the names of the series are broken."""
    table = Table(title=report.title, caption="95% intervals; a draw is half a win", box=SIMPLE, pad_edge=False)
    table.add_column("", min_width=10)
    for name in (report.x_label, "games", "ours", "published"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for row in report.rows:
        result = row.result
        published = report.beside(row)
        table.add_row(
            row.series,
            f"{row.x:,g}",
            f"{result.games:,}",
            f"{result.percentage:.1f}% ({result.interval.low:.1f} to {result.interval.high:.1f})",
            "\n".join(map(str, published)),
            "\n".join(item.verdict(result.interval) for item in published),
        )
    return table


def result_values(
    name: str, report: Report, results: Mapping[str, MatchResult], matches: Sequence[PlannedMatch]
) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "experiment": name,
            "series": row.series,
            "x": row.x,
            **results[item.plan.digest].to_dict(),
            "published": [
                {
                    "percentage": published.percentage,
                    "margin": published.margin,
                    "source": published.source,
                    "ours": published.verdict(row.result.interval),
                }
                for published in report.beside(row)
            ],
        }
        for row, item in zip(report.rows, matches, strict=True)
    ]
