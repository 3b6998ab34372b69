"""How a match is shown: progress while it runs, and the table in the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tesuji.arena.players import Budget
from tesuji.arena.record import GameRecord
from tesuji.arena.result import MatchResult, budget_of
from tesuji.arena.tally import Tally
from tesuji.commands.common import INTERRUPTED, console, error_console, print_json

Rows = list[tuple[str, MatchResult]]


class RateColumn(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:.1f} games/s", style="progress.data.speed")


def progress_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[standing]}"),
        RateColumn(),
        TimeRemainingColumn(),
        console=error_console,
    )


class Watcher:
    """Shows each game of a match as it ends: the count, A's percentage so far and its interval."""

    def __init__(self, progress: Progress, name: str, games: int, *, count_duplicates: bool = False) -> None:
        self._progress = progress
        self._task = progress.add_task(name, total=games, standing="", start=False)
        self._tally = Tally(count_duplicates=count_duplicates)

    def resume(self, records: Sequence[GameRecord]) -> None:
        """Begins with the games that the store has; they say nothing about the speed."""
        self._tally.add_all(records)
        self._progress.reset(self._task, completed=len(records), standing=self._standing())

    def __call__(self, record: GameRecord) -> None:
        self._tally.add(record)
        self._progress.update(self._task, advance=1, standing=self._standing())

    def _standing(self) -> str:
        if not self._tally.games:
            return ""
        interval = self._tally.interval()
        return f"{100 * self._tally.fraction:.1f}% ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def report(rows: Rows, *, json: bool, title: str | None = None, remark: str = "") -> None:
    """The results as a table or, with `json`, as one object, or a list where a title stands over several matches."""
    if json:
        values = [{"game": name, **result.to_dict()} for name, result in rows]
        print_json(values if title is not None else values[0])
    else:
        console.print(match_table(rows, title=title, remark=remark))
    print_notes(result for _, result in rows)
    if any(result.interrupted for _, result in rows):
        error_console.print("interrupted: the games that were finished are counted")
        raise typer.Exit(INTERRUPTED)


def print_notes(results: Iterable[MatchResult]) -> None:
    """What the reader should know, each once."""
    for note in dict.fromkeys(note for result in results for note in result.notes):
        error_console.print(f"note: {note}", highlight=False, soft_wrap=True)


def match_table(rows: Rows, *, title: str | None, remark: str) -> Table:
    first = rows[0][1]
    caption = f"seed {first.seed}; a draw is half a win{remark}"
    if title is None:
        caption += f"\n{_details(first)}"
    table = Table(title=title or f"A: {first.a.name}   B: {first.b.name}", caption=caption)
    table.add_column("game", no_wrap=True)
    for name in ("playouts", "games", "won/drawn/lost", "A wins", "95% interval"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, result in rows:
        score = f"{result.wins}/{result.draws}/{result.losses}"
        interval = f"{result.interval.low:.1f} to {result.interval.high:.1f}%"
        table.add_row(name, _budgets(result), str(result.games), score, f"{result.percentage:.1f}%", interval)
    return table


_USUAL: Final = Budget(playouts=1)


def _budgets(result: MatchResult) -> str:
    """The playouts of both, or whatever else they may spend."""
    texts = []
    for budget in map(budget_of, result.plan.players):
        only_playouts = budget is not None and budget.seconds is None and budget.cpu_seconds is None
        # The rest stands below the table, which has no room for it.
        limits = "own" if budget is None else str(replace(budget, threads=1, resign=0.0))
        texts.append(limits.removesuffix(" playouts") if only_playouts else limits)
    return ":".join(texts)


def _of_both(result: MatchResult, name: str) -> str | None:
    """An item of both budgets, or None where nobody departs from what is usual."""
    budgets = [budget_of(player) for player in result.plan.players]
    usual = getattr(_USUAL, name)
    if all(budget is None or getattr(budget, name) == usual for budget in budgets):
        return None
    return ":".join("own" if budget is None else f"{getattr(budget, name):g}" for budget in budgets)


def _details(result: MatchResult) -> str:
    low, high = ("" if end is None else f"{end:+.0f}" for end in result.elo_interval.to_list())
    interval = (
        f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}" if high else "any"
    )
    parts = [f"Elo {result.elo:+.0f} ({interval})"]
    for name, words in (("threads", "threads"), ("resign", "resigns below")):
        if (values := _of_both(result, name)) is not None:
            parts.append(f"{words} {values}")
    if str(result.plan.openings) != "none":
        parts.append(f"openings {result.plan.openings}")
    if result.sprt is not None:
        parts.append(f"the sequential test accepted {result.sprt}")
    counts = {
        "with a fractional score": result.tally.fractional,
        "void": result.tally.void,
        "that repeat another, not counted": result.tally.duplicates,
    }
    return "; ".join(parts + [f"games {what}: {count}" for what, count in counts.items() if count])
