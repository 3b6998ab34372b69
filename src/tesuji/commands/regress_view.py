"""How a run of test positions is shown: progress while it goes on, and the tables in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from tesuji.commands.common import console, error_console
from tesuji.regress.ask import Outcome
from tesuji.regress.run import Run
from tesuji.regress.summary import Comparison, Count, Difference, count, count_by_suite


def progress_bar() -> Progress:
    return Progress(
        TextColumn("positions"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[standing]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=error_console,
    )


def watch(progress: Progress, positions: int) -> Callable[[Outcome], None]:
    """Takes each outcome as it comes."""
    task = progress.add_task("", total=positions, standing="")
    seen: Counter[str] = Counter()

    def take(outcome: Outcome) -> None:
        seen[outcome.status] += 1
        progress.update(task, advance=1, standing=f"{seen['passed']} passed, {seen['failed']} failed")

    return take


def print_run(run: Run, *, failures: bool) -> None:
    outcomes = run.outcomes
    console.print(_suites_table(run))
    without_answer = [outcome for outcome in outcomes if outcome.status == "failed" and outcome.answer is None]
    for what, some in (
        ("skipped", [outcome for outcome in outcomes if outcome.status == "skipped"]),
        ("without an answer, counted as failed", without_answer),
    ):
        for reason, number in Counter(outcome.reason for outcome in some).most_common():
            error_console.print(f"note: {number} {what}: {reason}", highlight=False, soft_wrap=True)
    if failures:
        console.print(_failures_table([outcome for outcome in outcomes if outcome.status == "failed"]))


def _suites_table(run: Run) -> Table:
    total = count(run.outcomes)
    meanings = "; ".join(dict.fromkeys(run.players.values()))
    caption = f"{meanings}; seed {run.seed}; {total.cpu_seconds:,.0f} CPU-seconds"
    caption += "\nbetter, worse: than the suite says of its own engine"
    table = Table(title=run.player, caption=caption)
    _add_columns(table, ("passed", "failed", "skipped", "%", "better", "worse"))
    suites = count_by_suite(run.outcomes)
    for number, (suite, found) in enumerate(suites.items(), start=1):
        table.add_row(suite, *_cells(found), end_section=number == len(suites))
    table.add_row("all", *_cells(total))
    return table


def _add_columns(table: Table, names: tuple[str, ...]) -> None:
    """Where the terminal is narrow, the names of the suites are folded, and the numbers stay."""
    table.add_column("suite", overflow="fold")
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)


def _cells(found: Count) -> list[str]:
    percentage = "" if found.percentage is None else f"{found.percentage:.1f}"
    numbers = (found.passed, found.failed, found.skipped)
    return [*map(str, numbers), percentage, str(found.passed_unexpectedly), str(found.failed_unexpectedly)]


def _failures_table(failed: list[Outcome]) -> Table:
    table = Table(title="failed")
    for name in ("suite", "test", "answer", "expected", "known to fail"):
        table.add_column(name, no_wrap=name in ("suite", "test"))
    for outcome in failed:
        problem = outcome.problem
        texts = (problem.suite, problem.id, outcome.answer or "none", str(problem.expected))
        table.add_row(*texts, "yes" if problem.known_fail else "")
    return table


def print_comparison(comparison: Comparison) -> None:
    if not comparison.total.both:
        error_console.print("note: no test was asked in both runs: there is nothing to compare", soft_wrap=True)
        return
    meanings = list(dict.fromkeys(comparison.old_players.values()))
    version = [f"tesuji {comparison.old_version}"] if comparison.old_version else []
    before = f"before: {'; '.join([*meanings, *version])}\n" if meanings or version else ""
    table = Table(title=f"against the earlier run of {comparison.old}", caption=f"{before}p: McNemar's exact test")
    _add_columns(table, ("tests", "before", "now", "newly passed", "newly failed", "p"))
    suites = {suite: found for suite, found in comparison.suites.items() if found.newly_passed or found.newly_failed}
    for number, (suite, found) in enumerate(suites.items(), start=1):
        table.add_row(suite, *_difference_cells(found), end_section=number == len(suites))
    table.add_row("all", *_difference_cells(comparison.total))
    console.print(table)
    for what, names in (("passed", comparison.total.newly_passed), ("failed", comparison.total.newly_failed)):
        if names:
            console.print(f"newly {what}: {', '.join(names)}", highlight=False, soft_wrap=True)
    if comparison.apart:
        console.print(f"{comparison.apart} tests are in one of the runs only, or expect something else now")


def _difference_cells(found: Difference) -> list[str]:
    numbers = (found.both, found.before, found.now, len(found.newly_passed), len(found.newly_failed))
    return [*map(str, numbers), f"{found.p_value:.3f}"]
