"""What a report says, in a file for programs: JSON beside the Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tesuji.arena.report import Row
from tesuji.arena.statistics import Interval
from tesuji.errors import StoreError
from tesuji.replacing import replacing


@dataclass(frozen=True, kw_only=True)
class SummaryRow:
    """One match, in percent of A's points."""

    series: str
    x: float
    games: int
    wins: int
    draws: int
    losses: int
    percentage: float
    low: float
    high: float
    seed: int

    @property
    def interval(self) -> Interval:
        return Interval(low=self.low, high=self.high)


@dataclass(frozen=True, kw_only=True)
class Summary:
    """An experiment as it was played; `scale` is None where its file has none."""

    scale: str | None
    commit: str
    rows: tuple[SummaryRow, ...]


def summary_row(row: Row) -> SummaryRow:
    result = row.result
    return SummaryRow(
        series=row.series,
        x=row.x,
        games=result.games,
        wins=result.wins,
        draws=result.draws,
        losses=result.losses,
        percentage=result.percentage,
        low=result.interval.low,
        high=result.interval.high,
        seed=result.seed,
    )


def write_summary(path: Path, rows: Sequence[Row], *, scale: str | None, commit: str) -> None:
    summary = Summary(scale=scale, commit=commit, rows=tuple(map(summary_row, rows)))
    with replacing(path) as beside:
        beside.write_text(json.dumps(asdict(summary), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_summary(path: Path) -> Summary | None:
    """None where there is no such file."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return Summary(**{**values, "rows": tuple(SummaryRow(**row) for row in values["rows"])})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{path} is no summary of a report ({error}): play the experiment again") from None
