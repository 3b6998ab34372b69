"""`tesuji reproduce`: the experiments and their state; the matches of one, and a report of them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.arena.csv_file import export_csv, import_csv
from tesuji.arena.match import MAX_GAMES, run_match
from tesuji.arena.report import Report, Row, write_report
from tesuji.arena.result import MatchResult, cores
from tesuji.arena.store import Store
from tesuji.arena.summary import write_summary
from tesuji.arena.venues import Venue, make_venue
from tesuji.checks import check_integer
from tesuji.commands.common import (
    INTERRUPTED,
    JsonOption,
    check_output,
    console,
    ends_cleanly,
    error_console,
    print_json,
)
from tesuji.commands.match_options import ClusterOption, JobsOption, check_jobs
from tesuji.commands.match_view import Watcher, print_notes, progress_bar
from tesuji.commands.reproduce_view import list_experiments, result_table, result_values, say
from tesuji.errors import ArgumentError
from tesuji.provenance import provenance

if TYPE_CHECKING:
    from tesuji.arena.experiment import ExperimentFile, ScaleName
    from tesuji.arena.experiment_plan import PlannedMatch

# Beside where the command is given, for what nobody has named another place for.
OUTPUT = Path("reproduced")


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is asked for on the command line."""

    scale: str | None
    only: str | None
    games: int | None
    store: Path | None
    output: Path | None
    csv: bool
    import_: Path | None

    def words(self) -> list[str]:
        """Those that change what is played, for the command in the report."""
        values = {"--scale": self.scale, "--only": self.only, "--games": self.games}
        return [word for name, value in values.items() if value is not None for word in (name, str(value))]


@ends_cleanly
def reproduce(
    experiment: Annotated[
        str | None,
        typer.Argument(
            help="Name of an experiment, or how the names of several begin, or a TOML file of your own. Without one "
            "all experiments are listed.",
            show_default=False,
        ),
    ] = None,
    *,
    scale: Annotated[
        str | None,
        typer.Option(help="quick (minutes), medium (a night) or full (as in the paper).", show_default="the smallest"),
    ] = None,
    only: Annotated[
        str | None, typer.Option(help="Some of the matches: games, words of a series, values, as in othello,k=3.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games a match.", show_default="as in the file")] = None,
    jobs: JobsOption = None,
    store: Annotated[
        Path | None,
        typer.Option(
            help="File for the games; the same command goes on from it.", show_default=f"{OUTPUT}/EXPERIMENT.db"
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Folder for the report.", show_default=f"{OUTPUT}/EXPERIMENT-SCALE")
    ] = None,
    csv: Annotated[bool, typer.Option(help="Write the games beside the report, a CSV file a match.")] = True,
    import_: Annotated[
        Path | None,
        typer.Option("--import", help="Go on from the CSV files of a report, perhaps of another machine."),
    ] = None,
    cluster: ClusterOption = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Only say what each scale would cost here.")] = False,
    overview: Annotated[
        Path | None, typer.Option(help="Write the page that shows all experiments, from their reports, to this file.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play the matches of an experiment and report them beside the published numbers, or list the experiments."""
    # pydantic takes longer to load than most commands, which have no use for it.
    from tesuji.arena.experiment import load_experiment  # noqa: PLC0415  slow to load
    from tesuji.arena.experiment_list import experiments_folder, find_experiments  # noqa: PLC0415  slow to load

    if overview is not None:
        _write_overview(experiments_folder(), overview, experiment)
        return
    if experiment is None:
        list_experiments(experiments_folder(), OUTPUT, json=json)
        return
    count = None if games is None else check_integer("games", games, low=1, high=MAX_GAMES)
    options = Options(scale=scale, only=only, games=count, store=store, output=output, csv=csv, import_=import_)
    workers = check_jobs(jobs)
    files = [load_experiment(path) for path in find_experiments(experiment)]
    if estimate:
        for file in files:
            _print_estimates(file, options, json=json)
        return
    playable = [file for file in files if _can_be_played(file)]
    if not playable:
        raise ArgumentError(f"{experiment} has no matches to play")
    plans = [(file, _plan(file, options)) for file in playable]  # a mistake is said before anything is played
    shown: list[dict[str, Any]] = []
    with make_venue(jobs=workers, cluster=cluster) as venue:
        interrupted = False
        for file, matches in plans:
            several = len(plans) > 1
            interrupted = _reproduce(file, matches, options, venue, several=several, shown=shown if json else None)
            if interrupted:
                break
    if json:
        print_json(shown)
    if interrupted:
        error_console.print("interrupted: the games that were finished are counted, and the same command goes on")
        raise typer.Exit(INTERRUPTED)


def _write_overview(folder: Path, page: Path, experiment: str | None) -> None:
    from tesuji.arena.overview import overview  # noqa: PLC0415  as above

    if experiment is not None:
        raise ArgumentError("--overview is about all experiments: leave out the name")
    check_output("--overview", page)
    page.write_text(overview(folder, page), encoding="utf-8")
    say(f"overview: {page}")


def _can_be_played(file: ExperimentFile) -> bool:
    """Says why not."""
    experiment = file.experiment
    if experiment.waits_for is not None:
        say(f"{'a part of ' if experiment.match else ''}{file.name} waits for {experiment.waits_for}")
    if experiment.made_by is not None:
        say(f"{file.name} is made by another command: {experiment.made_by}")
    return bool(experiment.match)


def _plan(file: ExperimentFile, options: Options, scale: str | None = None) -> list[PlannedMatch]:
    """The matches that can be played here."""
    from tesuji.arena.experiment_plan import parse_only, plan_matches  # noqa: PLC0415  slow to load

    experiment = file.experiment
    series = [table.series for table in experiment.match]
    only = None if options.only is None else parse_only(options.only, x_label=experiment.x_label, series=series)
    matches = plan_matches(file, scale=scale or options.scale, games=options.games, only=only)
    for missing in dict.fromkeys(item.missing for item in matches if item.missing is not None):
        names = ", ".join(dict.fromkeys(item.series for item in matches if item.missing == missing))
        say(f"left out: {names}: {missing}")
    playable = [item for item in matches if item.missing is None]
    if not playable:
        raise ArgumentError(f"{file.name}: no match can be played here, since programs are missing")
    return playable


def _print_estimates(file: ExperimentFile, options: Options, *, json: bool) -> None:
    from tesuji.arena.cost import estimate  # noqa: PLC0415  slow to load

    if not _can_be_played(file):
        return
    names: list[str | None] = [options.scale] if options.scale is not None else [*file.scale_names()] or [None]
    values = []
    for name in names:
        cost = estimate(_plan(file, options, name), lambda _: [])
        values.append({"experiment": file.name, "scale": name, "cpu_seconds": cost.cpu_seconds})
        if not json:
            console.print(
                f"{file.name}, {name or 'as in the file'}: {cost.describe(cores())}", highlight=False, soft_wrap=True
            )
    if json:
        print_json(values)


def _reproduce(
    file: ExperimentFile,
    matches: list[PlannedMatch],
    options: Options,
    venue: Venue,
    *,
    several: bool,
    shown: list[dict[str, Any]] | None,
) -> bool:
    """Plays one experiment and writes its report; True when it was interrupted. Results go to `shown`, else a table."""
    from tesuji.arena.cost import estimate  # noqa: PLC0415  slow to load

    scale = file.choose_scale(options.scale)
    label = scale or "as in the file"
    place = options.store or OUTPUT / f"{file.name}.db"
    if options.store is None:
        OUTPUT.mkdir(exist_ok=True)
    with Store(place) as opened:
        if options.import_ is not None:
            _import_games(options.import_ / file.name if several else options.import_, matches, opened)
        say(f"{file.name}, {label}: {estimate(matches, opened.records).describe(venue.jobs or cores())}")
        results = play_matches(matches, opened, venue)
        finished = [item for item in matches if item.plan.digest in results]
        report = make_report(file, finished, results, scale=scale, options=options)
        if finished:
            folder = options.output or OUTPUT / (file.name if scale is None else f"{file.name}-{scale}")
            folder = folder / file.name if options.output is not None and several else folder
            path = write_report(report, folder, name=file.name)
            write_summary(folder / f"{file.name}.json", report.rows, scale=scale, commit=report.provenance["commit"])
            if options.csv:
                for item in finished:
                    records = [record for record in opened.records(item.plan) if record.number < item.games]
                    export_csv(folder / f"{_file_name(item)}.csv", item.plan, records)
    if shown is not None:
        shown += result_values(file.name, report, results, finished)
    elif finished:
        console.print(result_table(report))
    if finished:
        say(f"report: {path}, plot: {path.with_suffix('.png')}")
    print_notes(results.values())
    return any(result.interrupted for result in results.values()) or len(finished) < len(matches)


def _import_games(folder: Path, matches: list[PlannedMatch], store: Store) -> None:
    files = [(item, folder / f"{_file_name(item)}.csv") for item in matches]
    found = [(item, path) for item, path in files if path.is_file()]
    if not found:
        raise ArgumentError(f"--import: {folder} has no games of these matches, such as {files[0][1].name}")
    games = [(item.plan, import_csv(path, item.plan)) for item, path in found]  # a bad file is said before any is kept
    for plan, records in games:
        store.save_all(plan, records)
    say(f"{sum(len(records) for _, records in games)} games imported from {folder}")


def _file_name(item: PlannedMatch) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", f"{item.series} {item.x:.15g}".lower())


def play_matches(matches: list[PlannedMatch], store: Store, venue: Venue) -> dict[str, MatchResult]:
    """The matches one after another, until Ctrl-C; the results by the digest of the match."""
    results: dict[str, MatchResult] = {}
    with progress_bar() as progress:
        watchers = [Watcher(progress, item.name, item.games) for item in matches]
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


def make_report(
    file: ExperimentFile,
    matches: list[PlannedMatch],
    results: dict[str, MatchResult],
    *,
    scale: ScaleName | None,
    options: Options,
) -> Report:
    experiment = file.experiment
    played = {item.series for item in matches}
    remarks = []
    if scale is not None:
        remarks.append(f"Played at the scale `{scale}`: {experiment.scale[scale]}.")
    if options.only is not None:
        remarks.append(f"Only `{options.only}` of the experiment was played; the text above is that of the whole.")
    pictures = [table.source for table in experiment.published if not table.values]
    if pictures:
        remarks.append(f"Published as a picture only, so without numbers here: {'; '.join(dict.fromkeys(pictures))}.")
    command = shlex.join(["tesuji", "reproduce", str(file.path), *options.words()])
    return Report(
        title=experiment.title,
        text=experiment.text,
        x_label=experiment.x_label,
        y_label=experiment.y_label,
        log_x=experiment.log_x,
        rows=tuple(
            Row(series=item.series, x=item.x, result=results[item.plan.digest], command=item.command)
            for item in matches
        ),
        published=tuple(item for item in experiment.numbers() if options.only is None or item.series in played),
        remarks=tuple(remarks),
        provenance={"command": command, **_said_of_imports(options), **provenance()},
    )


def _said_of_imports(options: Options) -> dict[str, str]:
    """CSV files do not say who played their games: a report must not seem to know it."""
    return {} if options.import_ is None else {"imported games": "may be of other commits and machines than these:"}
