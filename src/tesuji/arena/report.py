"""Reports: tables of measured percentages beside published ones, as Markdown with a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol

from tesuji.arena.statistics import Interval
from tesuji.plot import Point, Series, plot_percentages
from tesuji.replacing import replacing

Verdict = Literal["agrees", "differs", "not comparable"]
EXPLANATION: Final = (
    "The interval is the 95% Wilson interval; a draw is half a win. Published margins are as printed. Ours agrees "
    "where its interval and the published number with its margin have a point in common."
)


class Measured(Protocol):
    """What a report needs of a match; `MatchResult` has it. Percentages, and the points are those of A."""

    @property
    def games(self) -> int: ...
    @property
    def wins(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def losses(self) -> int: ...
    @property
    def percentage(self) -> float: ...
    @property
    def interval(self) -> Interval: ...
    @property
    def seed(self) -> int: ...
    @property
    def notes(self) -> Sequence[str]: ...


@dataclass(frozen=True, kw_only=True)
class Row:
    """One match: the series that it belongs to, its place on the axis, and the command that plays it again."""

    series: str
    x: float
    result: Measured
    command: str


@dataclass(frozen=True, kw_only=True)
class Published:
    """A percentage that somebody printed; `margin` as printed, whatever it meant, None where there was none.

    One that answers another question than ours, against another opponent say, is not `comparable`.
    """

    series: str
    x: float
    percentage: float
    margin: float | None
    source: str
    comparable: bool = True

    def verdict(self, interval: Interval) -> Verdict:
        """Ours differs where its interval and what was printed, with its margin, have no point in common."""
        if not self.comparable:
            return "not comparable"
        margin = self.margin or 0
        apart = interval.low > self.percentage + margin or interval.high < self.percentage - margin
        return "differs" if apart else "agrees"

    def __str__(self) -> str:
        margin = "" if self.margin is None else f" ± {self.margin:g}"
        return f"{self.percentage:g}{margin}%"


@dataclass(frozen=True, kw_only=True)
class Report:
    """`remarks` are paragraphs behind the text: what was played of the experiment, and what could not be."""

    title: str
    text: str
    x_label: str
    y_label: str
    rows: tuple[Row, ...]
    published: tuple[Published, ...] = ()
    remarks: tuple[str, ...] = ()
    log_x: bool = False
    provenance: Mapping[str, str] = field(default_factory=dict)

    def beside(self, row: Row) -> list[Published]:
        """What was published of a match: of the same series, at the same place of the axis."""
        return [item for item in self.published if (item.series, item.x) == (row.series, row.x)]


def write_report(report: Report, folder: Path, *, name: str = "report") -> Path:
    """Writes `name`.md and `name`.png into a folder, which is made where there is none; the Markdown file."""
    folder.mkdir(parents=True, exist_ok=True)
    plot_percentages(
        folder / f"{name}.png",
        series_of(report),
        title=report.title,
        x_label=report.x_label,
        y_label=report.y_label,
        log_x=report.log_x,
    )
    path = folder / f"{name}.md"
    with replacing(path) as beside:
        beside.write_text(markdown(report, plot=f"{name}.png"), encoding="utf-8")
    return path


def series_of(report: Report) -> list[Series]:
    """Ours first, then the published ones, so that both of a name have the same colour."""
    ours = [
        Series(
            label=label,
            points=tuple(
                Point(
                    x=row.x,
                    percentage=row.result.percentage,
                    low=row.result.interval.low,
                    high=row.result.interval.high,
                )
                for row in report.rows
                if row.series == label
            ),
        )
        for label in dict.fromkeys(row.series for row in report.rows)
    ]
    keys = dict.fromkeys((item.series, item.source) for item in report.published)
    theirs = [
        Series(
            label=label,
            source=source,
            published=True,
            points=tuple(
                Point(
                    x=item.x,
                    percentage=item.percentage,
                    low=item.percentage - (item.margin or 0),
                    high=item.percentage + (item.margin or 0),
                )
                for item in report.published
                if (item.series, item.source) == (label, source)
            ),
        )
        for label, source in keys
    ]
    return ours + theirs


def markdown(report: Report, *, plot: str) -> str:
    parts = [f"# {report.title}", report.text.strip(), *report.remarks, f"![{report.title}]({plot})", "## Results"]
    parts += [_table(report), EXPLANATION, *_differences(report)]
    extra = _published_elsewhere(report)
    if extra:
        parts += ["Published at other places of the axis:", extra]
    notes = list(
        dict.fromkeys(f"- {row.series}, {row.x:,g}: {note}" for row in report.rows for note in row.result.notes)
    )
    if notes:
        parts += ["## Notes", "\n".join(notes)]
    commands = "\n".join(row.command for row in report.rows)
    parts += ["## How it was made", f"```\n{commands}\n```"]
    if report.provenance:
        parts.append(provenance_table(report.provenance))
    return "\n\n".join(parts) + "\n"


def provenance_table(facts: Mapping[str, str]) -> str:
    return markdown_table(("", ""), [(key.replace("_", " "), text) for key, text in facts.items()])


def _table(report: Report) -> str:
    """One line a match; the published numbers of the same series at the same place in the last column."""
    lines = []
    for row in report.rows:
        result = row.result
        beside = report.beside(row)
        lines.append(
            (
                row.series,
                f"{row.x:,g}",
                f"**{result.percentage:.1f}%**",
                f"{result.interval.low:.1f} to {result.interval.high:.1f}%",
                f"{result.games:,}",
                f"{result.wins}/{result.draws}/{result.losses}",
                str(result.seed),
                "; ".join(_printed(item) for item in beside),
                "; ".join(item.verdict(result.interval) for item in beside),
            )
        )
    header = (
        "",
        report.x_label,
        report.y_label,
        "95% interval",
        "games",
        "won/drawn/lost",
        "seed",
        "published",
        "verdict",
    )
    return markdown_table(header, lines)


def _differences(report: Report) -> list[str]:
    """Says plainly where ours are not the published numbers."""
    compared = [(row, item) for row in report.rows for item in report.beside(row) if item.comparable]
    if not compared:
        return []
    apart = [(row, item) for row, item in compared if item.verdict(row.result.interval) == "differs"]
    if not apart:
        return [f"Of {len(compared)} published numbers beside ours none differs beyond both intervals."]
    verb = "differs" if len(apart) == 1 else "differ"
    lines = [
        f"- {row.series}, {report.x_label} = {row.x:,g}: {row.result.percentage:.1f}% here, {_printed(item)}"
        for row, item in apart
    ]
    return [
        f"Of {len(compared)} published numbers {len(apart)} {verb} from ours beyond both intervals:",
        "\n".join(lines),
    ]


def _published_elsewhere(report: Report) -> str:
    ours = {(row.series, row.x) for row in report.rows}
    rest = [item for item in report.published if (item.series, item.x) not in ours]
    lines = [(item.series, f"{item.x:,g}", _printed(item)) for item in rest]
    return markdown_table(("", report.x_label, "published"), lines) if lines else ""


def _printed(item: Published) -> str:
    return f"{item} ({item.source})"


def markdown_table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    def text(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([text(header), "|" + "---|" * len(header), *(text(line) for line in lines)])
