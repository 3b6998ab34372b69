"""`tesuji reproduce`: the matches of an experiment file, and a report of them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tesuji.arena.csv_file import export_csv
from tesuji.arena.match import run_match
from tesuji.arena.report import write_report
from tesuji.arena.result import MatchResult
from tesuji.arena.store import Store
from tesuji.arena.venues import make_venue
from tesuji.checks import check_integer
from tesuji.commands.common import INTERRUPTED, JsonOption, console, ends_cleanly, error_console, print_json
from tesuji.commands.match_options import ClusterOption, JobsOption, check_jobs
from tesuji.commands.match_view import Watcher, match_table, print_notes, progress_bar

if TYPE_CHECKING:
    from tesuji.arena.experiment import PlannedMatch


@ends_cleanly
def reproduce(
    experiment: Annotated[Path, typer.Argument(help="An experiment file.", show_default=False)],
    *,
    games: Annotated[int | None, typer.Option(help="Games a match.", show_default="as in the file")] = None,
    jobs: JobsOption = None,
    store: Annotated[
        Path | None, typer.Option(help="File for the games; the same command goes on from it.", show_default="none")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Folder for the report.", show_default="no report")] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Write the games beside the report, a CSV file a match.")] = False,
    cluster: ClusterOption = None,
    json: JsonOption = False,
) -> None:
    """Play the matches of an experiment file and report them beside the published numbers."""
    # pydantic takes longer to load than most commands, which have no use for it.
    from tesuji.arena.experiment import load_experiment, make_report, plan_matches  # noqa: PLC0415

    loaded = load_experiment(experiment)
    count = None if games is None else check_integer("games", games, low=1)
    workers = check_jobs(jobs)
    matches = list(plan_matches(loaded, games=count))
    with Store(store) as opened:
        results = play_matches(matches, opened, jobs=workers, cluster=cluster)
        finished = [item for item in matches if item.plan.digest in results]
        if output is not None and finished:
            given = [] if count is None else ["--games", str(count)]
            command = shlex.join(["tesuji", "reproduce", str(experiment), *given])
            report = make_report(loaded, finished, lambda item: results[item.plan.digest], command=command)
            path = write_report(report, output, name=experiment.stem)
            error_console.print(f"report: {path}", markup=False, highlight=False, soft_wrap=True)
            if csv:
                for item in finished:
                    name = re.sub(r"[^a-z0-9.]+", "-", f"{item.series} {item.x:g}".lower())
                    export_csv(output / f"{name}.csv", item.plan, opened.records(item.plan))
    rows = [(f"{item.series}, {item.x:g}", results[item.plan.digest]) for item in finished]
    if json:
        print_json([{"match": name, **result.to_dict()} for name, result in rows])
    elif rows:
        console.print(match_table(rows, title=loaded.title, remark=""))
    print_notes(result for _, result in rows)
    if any(result.interrupted for _, result in rows):
        error_console.print("interrupted: the games that were finished are counted")
        raise typer.Exit(INTERRUPTED)


def play_matches(
    matches: list[PlannedMatch], store: Store, *, jobs: int, cluster: str | None
) -> dict[str, MatchResult]:
    """The matches one after another, until Ctrl-C; the results by the digest of the match."""
    results: dict[str, MatchResult] = {}
    with progress_bar() as progress, make_venue(jobs=jobs, cluster=cluster) as venue:
        watchers = [Watcher(progress, f"{item.series}, {item.x:g}", item.games) for item in matches]
        for watcher, item in zip(watchers, matches, strict=True):
            result = run_match(
                item.plan,
                games=item.games,
                store=store,
                venue=venue,
                progress=watcher,
                resumed=watcher.resume,
            )
            if result.games or not result.interrupted:
                results[item.plan.digest] = result
            if result.interrupted:
                break
    return results
