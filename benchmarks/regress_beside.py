"""Several players at the same test positions, side by side: a report, and its tests as a CSV file.

tesuji regress TESTS --engine best --playouts 10000 --json > best.json
tesuji regress TESTS --engine gnugo --playouts 10000 --json > gnugo.json
python benchmarks/regress_beside.py best=best.json "GNU Go=gnugo.json" --output experiments/reports/regress

A test counts where all of them were asked in the same position. The CSV file has a row for each test of each player,
without the answer that was wanted: that belongs to the suite. A file notes.md in the folder becomes a part of the
report.
"""

from __future__ import annotations

import argparse
import csv
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from tesuji.arena.report import markdown_table
from tesuji.arena.statistics import wilson_interval
from tesuji.errors import ArgumentError
from tesuji.regress.summary import OldRun, in_one_position, read_run
from tesuji.replacing import replacing

TITLE = "Test positions: several players side by side"
EXPLANATION = (
    "How many tests each player passes, with the 95% Wilson interval of the percentage. The tests of a suite are much "
    "alike, so that the real uncertainty is larger. Suites are named by where they come from."
)

# A row of the CSV file, as text.
Row = dict[str, str]


def rows_of(runs: Mapping[str, OldRun]) -> list[Row]:
    """Of the tests that every run has asked, in the order of the first run."""
    asked = {label: run.asked() for label, run in runs.items()}
    everywhere = {
        key
        for key in set.intersection(*map(set, asked.values()))
        if in_one_position(*(tests[key].position for tests in asked.values()))
    }
    if not everywhere:
        raise ArgumentError("there is nothing to compare: no test was asked in every run")
    return [
        {
            "player": label,
            "suite": test.suite,
            "id": test.id,
            "status": test.status,
            "answer": test.answer or "",
            "cpu_seconds": f"{test.cpu_seconds:.2f}",
        }
        for label, tests in asked.items()
        for key, test in tests.items()
        if key in everywhere
    ]


def _origin(suite: str) -> str:
    """Such as `gnugo` of `gnugo/trevora`."""
    return suite.split("/", 1)[0]


def _in_order(rows: Iterable[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in rows))


def totals_table(rows: list[Row]) -> str:
    """A line a player: passed of each origin, of all, and what it took."""
    passed = Counter((row["player"], _origin(row["suite"])) for row in rows if row["status"] == "passed")
    asked = Counter((row["player"], _origin(row["suite"])) for row in rows)
    players = _in_order(rows, "player")
    origins = list(dict.fromkeys(_origin(row["suite"]) for row in rows))
    lines = []
    for player in players:
        right, tests = (sum(counts[player, origin] for origin in origins) for counts in (passed, asked))
        interval = wilson_interval(right, tests)
        seconds = sum(float(row["cpu_seconds"]) for row in rows if row["player"] == player)
        lines.append(
            [
                player,
                *(str(passed[player, origin]) for origin in origins),
                f"**{right}**",
                f"{right / tests:.1%}",
                f"{100 * interval.low:.1f} to {100 * interval.high:.1f}%",
                f"{seconds / tests:.2f}",
            ]
        )
    header = [f"of {origin}'s {asked[players[0], origin]}" for origin in origins]
    return markdown_table(["player", *header, "all", "%", "95% interval", "CPU-seconds a test"], lines)


def coverage(rows: list[Row], runs: Mapping[str, OldRun]) -> str:
    """How many tests count, what each run has besides, and which was broken off."""
    counted = Counter(row["player"] for row in rows)
    tests = next(iter(counted.values()))
    besides = [f"{left} of {label}" for label, run in runs.items() if (left := len(run.asked()) - counted[label])]
    left_out = f"; left out, since not all were asked there: {', '.join(besides)}" if besides else ""
    broken_off = "".join(f" The run of {label} was broken off." for label, run in runs.items() if run.interrupted)
    return f"{tests:,} tests count{left_out}.{broken_off}"


def suites_table(rows: list[Row]) -> str:
    passed = Counter((row["suite"], row["player"]) for row in rows if row["status"] == "passed")
    players = _in_order(rows, "player")
    tests = Counter(row["suite"] for row in rows if row["player"] == players[0])
    lines = [
        [suite, str(number), *(str(passed[suite, player]) for player in players)] for suite, number in tests.items()
    ]
    return markdown_table(["suite", "tests", *players], lines)


def players_table(runs: Mapping[str, OldRun]) -> str:
    lines = []
    for label, run in runs.items():
        for player in dict.fromkeys(run.players.values()) or [run.player]:
            boards = ", ".join(board for board, other in run.players.items() if other == player) or "unknown"
            made_by = (
                "; ".join(
                    f"{part.get('commit', 'unknown')}, {part.get('processor', 'unknown')}" for part in run.made_by
                )
                or "unknown"
            )
            lines.append([label, boards, f"`{player}`", str(run.seed), made_by])
    return markdown_table(["player", "boards", "asked as", "seed", "commit of tesuji and processor"], lines)


def report(rows: list[Row], runs: Mapping[str, OldRun], command: str, notes: str) -> str:
    parts = [
        f"# {TITLE}",
        EXPLANATION,
        totals_table(rows),
        coverage(rows, runs),
        notes.strip(),
        "## Suite by suite, tests passed",
        suites_table(rows),
        "## Who was asked, and how it was made",
        players_table(runs),
        f"```\n{command}\n```",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def write(folder: Path, rows: list[Row], runs: Mapping[str, OldRun]) -> None:
    notes = folder / "notes.md"
    command = shlex.join(["python", "benchmarks/regress_beside.py", *sys.argv[1:]])
    text = report(rows, runs, command, notes.read_text(encoding="utf-8") if notes.exists() else "")
    folder.mkdir(parents=True, exist_ok=True)
    with (
        replacing(folder / "regress.csv") as new_csv,
        replacing(folder / "regress.md") as new_report,
        new_csv.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        new_report.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="LABEL=RUN.json", help="what tesuji regress --json printed")
    parser.add_argument("--output", type=Path, required=True, help="the folder for regress.md and regress.csv")
    arguments = parser.parse_args()
    named = [text.partition("=") for text in arguments.runs]
    if any(not label or not path for label, _, path in named):
        parser.error("each run is given as LABEL=RUN.json")
    if len({label for label, _, _ in named}) < len(named):
        parser.error("two runs have the same label")
    try:
        runs = {label: read_run(Path(path)) for label, _, path in named}
        rows = rows_of(runs)
    except ArgumentError as error:
        parser.error(str(error))
    for label, run in runs.items():
        if run.interrupted:
            print(f"note: the run of {label} was broken off: what it did not come to is left out", file=sys.stderr)
    try:
        write(arguments.output, rows, runs)
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"{arguments.output}: {error}")


if __name__ == "__main__":
    main()
