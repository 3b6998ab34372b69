"""The experiments that there are: by name, each with its state."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tesuji.arena.experiment import ExperimentFile, load_experiment
from tesuji.arena.report import Published, Verdict
from tesuji.arena.summary import Summary, SummaryRow, read_summary
from tesuji.errors import ArgumentError, suggestion

FOLDER = "experiments"


def experiments_folder() -> Path:
    """./experiments, else that of the checkout which this package is imported from, else what was installed with it."""
    package = Path(__file__).resolve().parents[1]
    for folder in (Path(FOLDER), package.parents[1] / FOLDER, package / FOLDER):
        if next(folder.glob("*.toml"), None) is not None:
            return folder
    raise ArgumentError("the experiments of tesuji are missing from this installation: install it anew")


def find_experiments(name: str) -> list[Path]:
    """The file of this path, or the experiment of this name, or all whose names begin so."""
    if name.endswith(".toml"):
        return [Path(name)]
    folder = experiments_folder()
    paths = sorted(folder.glob("*.toml"))
    exact = [path for path in paths if path.stem == name]
    found = exact or [path for path in paths if name and path.stem.startswith(name)]
    if not found:
        names = [path.stem for path in paths]
        raise ArgumentError(
            f"there is no experiment {name!r} in {folder}{suggestion(name, names)}; 'tesuji reproduce' lists them"
        )
    return found


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A match that was played beside what was published of it."""

    row: SummaryRow
    published: tuple[Published, ...]

    @property
    def verdicts(self) -> list[Verdict]:
        return [item.verdict(self.row.interval) for item in self.published]


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How far an experiment has come: its report, where there is one."""

    file: ExperimentFile
    summary: Summary | None
    report: Path | None

    def comparisons(self) -> list[Comparison]:
        numbers = self.file.experiment.numbers()
        return [
            Comparison(
                row=row,
                published=tuple(item for item in numbers if (item.series, item.x) == (row.series, row.x)),
            )
            for row in (() if self.summary is None else self.summary.rows)
        ]

    def count(self, verdict: Verdict) -> int:
        return sum(item.verdicts.count(verdict) for item in self.comparisons())

    @property
    def matches(self) -> int:
        """How many matches its scale has."""
        scale = None if self.summary is None else self.summary.scale
        return sum(1 for _ in self.file.places(scale))

    def __str__(self) -> str:
        experiment = self.file.experiment
        waits = [] if experiment.waits_for is None else [f"waits for {experiment.waits_for}"]
        if experiment.made_by is not None:
            return "has a report" if self.report is not None else "has no report yet"
        return "; ".join([*([self._played()] if experiment.match else []), *waits])

    def _played(self) -> str:
        if self.summary is None:
            return "not played yet" if self.report is None else "has a report"
        played = len(self.summary.rows)
        parts = [
            f"{played} of {self.matches} matches" if played < self.matches else "",
            f"{self.count('agrees')} agree" if self.count("agrees") else "",
            f"{self.count('differs')} differ" if self.count("differs") else "",
        ]
        text = ", ".join(part for part in parts if part) or "played"
        return f"{self.summary.scale}: {text}" if self.summary.scale is not None else text


def standing(path: Path) -> Standing:
    """The state of an experiment by the report that is kept beside it."""
    file = load_experiment(path)
    reports = path.parent / "reports"
    report = reports / (file.experiment.report or f"{file.name}/{file.name}.md")
    return Standing(
        file=file,
        summary=read_summary(reports / file.name / f"{file.name}.json"),
        report=report if report.exists() else None,
    )
