"""The page that shows all experiments: which agree with the papers, which differ, which wait. Made from the reports."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tesuji.arena.experiment_list import Standing, standing
from tesuji.arena.report import EXPLANATION, markdown_table

#: The papers by the names that experiments give them.
PAPERS = {
    "accelerated": "Accelerated UCT and its application to two-player games",
    "parallelization": "On the parallelization of Monte-Carlo planning",
    "scalability": "Scalability and parallelization of Monte-Carlo tree search",
    "bias": "Efficiency of static knowledge bias in Monte-Carlo tree search",
}
_INTRODUCTION = """\
Every table and figure of four papers is an experiment file, and `tesuji reproduce NAME` plays it. This page is made by

<!-- not run: a test compares this page with what it writes -->
```sh
tesuji reproduce --overview docs/reproduction.md
```

from the reports in `experiments/reports`, and a test holds it to them."""
_CONDITIONS = """\
Where a report has other playouts, or another opponent, than the paper, a verdict is about the shape of the curve at \
most: to agree proves little then, and to differ refutes nothing. Its conditions are in the report; where a smaller \
scale was played, what that changes stands above the numbers."""


def overview(folder: Path, page: Path) -> str:
    """The text of the page, for the experiments of a folder. Its links are relative to where the page lies."""
    standings = [standing(path) for path in sorted(folder.glob("*.toml"))]
    parts = ["# The papers' tables and figures, and ours", _INTRODUCTION, EXPLANATION, _CONDITIONS]
    for name, title in PAPERS.items():
        parts += [f"## {title}", _list([item for item in standings if item.file.experiment.paper == name], page)]
    own = [item for item in standings if item.file.experiment.paper not in PAPERS]
    if own:
        parts += ["## Experiments of our own", _list(own, page)]
    parts.append("## In numbers")
    for item in standings:
        if item.summary is not None and item.file.experiment.published:
            parts += [f"### {item.file.experiment.title}", *_scale(item), _numbers(item)]
    return "\n\n".join(parts) + "\n"


def _list(standings: Sequence[Standing], page: Path) -> str:
    lines = []
    for item in standings:
        name = f"[{item.file.name}]({_link(item.file.path, page)})"
        report = f"[report]({_link(item.report, page)})" if item.report is not None else ""
        lines.append((name, item.file.experiment.title, str(item), report))
    return markdown_table(("experiment", "what", "state", ""), lines)


def _link(path: Path, page: Path) -> str:
    return Path(os.path.relpath(path, page.parent)).as_posix()


def _scale(item: Standing) -> list[str]:
    if item.summary is None or item.summary.scale is None:
        return []
    name = item.file.choose_scale(item.summary.scale)
    if name is None or name == "full":
        return []
    return [f"Played at the scale `{name}`: {item.file.experiment.scale[name]}."]


def _numbers(item: Standing) -> str:
    lines = [
        (
            comparison.row.series,
            f"{comparison.row.x:,g}",
            f"{comparison.row.percentage:.1f}%",
            f"{comparison.row.low:.1f} to {comparison.row.high:.1f}%",
            f"{comparison.row.games:,}",
            f"{published} ({published.source})",
            published.verdict(comparison.row.interval),
        )
        for comparison in item.comparisons()
        for published in comparison.published
    ]
    header = ("", item.file.experiment.x_label, "ours", "95% interval", "games", "published", "verdict")
    return markdown_table(header, lines) if lines else "Nothing was published at the places that were played."
