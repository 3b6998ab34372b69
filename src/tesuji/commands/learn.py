"""`tesuji learn`: a model of moves from game records, or what a model has learned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from tesuji.commands.common import (
    JsonOption,
    check_output,
    check_plot,
    console,
    ends_cleanly,
    error_console,
    print_json,
)
from tesuji.errors import ArgumentError, shown

if TYPE_CHECKING:
    from tesuji.knowledge import Model
    from tesuji.knowledge.learn import Settings, Watcher


_SHOWN_COMBINATIONS = 20
_SHOWN_SKIPPED = 10


@ends_cleanly
def learn(
    game: Annotated[str, typer.Argument(help="The game: go, othello or havannah.", show_default=False)],
    *,
    records: Annotated[
        list[Path] | None, typer.Option(help="SGF files, folders of them, JSON lines; may be given several times.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="MODEL", help="The file for the model.")] = None,
    show: Annotated[
        list[Path] | None, typer.Option(metavar="MODEL", help="Print what a model has learned, instead.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="File for a plot of how well the model, or all that are shown, foresee moves; and a .csv."),
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="Board size of the games to learn from.", show_default="the first game's")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Learn from so many games only.", show_default="all")] = None,
    method: Annotated[str, typer.Option(help="lbfgs, or mm: minorization-maximization (slower).")] = "lbfgs",
    least: Annotated[int, typer.Option(help="How often a shape must have been played to be learned.")] = 10,
    prior: Annotated[float, typer.Option(help="Games that each feature has won and lost beforehand.")] = 1.0,
    iterations: Annotated[int, typer.Option(help="At most so many iterations.")] = 100,
    without: Annotated[
        list[str] | None, typer.Option(help="Leave out the features whose names begin so; may be given several times.")
    ] = None,
    fast_only: Annotated[
        bool, typer.Option("--fast-only", help="Learn only the layer for playouts, for the model that --out has.")
    ] = False,
    threads: Annotated[int, typer.Option(help="Threads; the model is the same with any number.")] = 1,
    json: JsonOption = False,
) -> None:
    """Learn from game records how likely each move is: a Bradley-Terry model.

    The newest tenth of the games is not learned from; how well the model foresees their moves is in its report. An
    interrupted run goes on when it is started again: what it has found is in MODEL.partial.
    """
    from tesuji import knowledge  # noqa: PLC0415  scipy is slow to load
    from tesuji.knowledge.learn import Settings  # noqa: PLC0415  as above
    from tesuji.knowledge.model import GAMES  # noqa: PLC0415  as above

    if game not in GAMES:
        raise ArgumentError(f"there are models of {', '.join(GAMES)} only, not of {game!r}")
    check_plot(plot)
    if show:
        if records or out is not None or size is not None or games is not None or without or fast_only:
            raise ArgumentError("--show prints a model that there is: it goes with --plot and --json alone")
        return _show_all(game, show, plot, json=json)
    if not records or out is None:
        raise ArgumentError("give --records and --out to learn, or --show to see what was learned")
    check_output("--out", out)
    _check_replaced(out)
    settings = Settings(
        method=method, least=least, prior=prior, iterations=iterations, games=games, without=tuple(without or ())
    )
    if fast_only:
        if without:
            raise ArgumentError("--fast-only goes without --without: playouts have all features")
        if plot is not None or size is not None:
            raise ArgumentError("--fast-only goes without --plot and --size: the model itself stays as it is")
        return _learn_fast(game, out, records, settings, threads, json=json)
    partial = out.with_name(out.name + ".partial")
    with _progress_bar() as progress:
        model = knowledge.learn(
            records,
            game=game,
            size=size,
            settings=settings,
            threads=threads,
            checkpoint=partial,
            watch=_watcher(progress),
        )
    model.save(out)
    partial.unlink(missing_ok=True)
    _plot(plot, [model])
    if json:
        print_json(model.report)
    else:
        _print_report(model)
    return None


def _progress_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=10),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
        TextColumn("{task.fields[note]}"),  # the last: what a narrow terminal cuts off
        console=error_console,
    )


def _watcher(progress: Progress) -> Watcher:
    """A bar for each stage."""
    tasks: dict[str, TaskID] = {}

    def watch(stage: str, done: int, total: int, note: str = "") -> None:
        if stage not in tasks:
            tasks[stage] = progress.add_task(stage, total=total, note="")
        progress.update(tasks[stage], completed=done, total=total, note=note)

    return watch


def _plot(path: Path | None, models: list[Model]) -> None:
    if path is not None:
        from tesuji.knowledge.figures import plot_foresight  # noqa: PLC0415  matplotlib is slow to load

        numbers = plot_foresight(path, models)
        error_console.print(f"plot: {path}, numbers: {numbers}", highlight=False, soft_wrap=True)


def _check_replaced(out: Path) -> None:
    from tesuji.knowledge.model import is_model_file  # noqa: PLC0415  as above

    if out.exists() and not is_model_file(out):
        raise ArgumentError(f"--out: {out} is there, and is no model: give another name, or remove it")


def _learn_fast(game: str, out: Path, records: list[Path], settings: Settings, threads: int, *, json: bool) -> None:
    from tesuji import knowledge  # noqa: PLC0415  as above
    from tesuji.knowledge.learn import learn_fast  # noqa: PLC0415  as above

    before = knowledge.load(out)
    if before.game != game:
        raise ArgumentError(f"{out} is a model of {before.game}, not of {game}")
    with _progress_bar() as progress:
        model = learn_fast(records, before, settings=settings, threads=threads, watch=_watcher(progress))
    model.save(out)
    if json and model.fast is not None:
        print_json(model.fast.report)
    else:
        _print_fast(model)


def _show_all(game: str, names: list[Path], plot: Path | None, *, json: bool) -> None:
    from tesuji import knowledge  # noqa: PLC0415  as above

    if len(names) > 1 and plot is None:
        raise ArgumentError("several models are compared in a plot: add --plot, or give one --show")
    models = [knowledge.load(str(name)) for name in names]
    for name, model in zip(names, models, strict=True):
        if model.game != game:
            raise ArgumentError(f"{name} is a model of {model.game}, not of {game}")
    try:
        _plot(plot, models)
        if plot is None:
            _show(models[0], json=json)
    except (KeyError, TypeError, IndexError, AttributeError):
        raise ArgumentError("the report in the model is not one that `tesuji learn` writes") from None


def _show(model: Model, *, json: bool) -> None:
    gammas = model.table()
    if json:
        found = {
            "game": model.game,
            "report": model.report,
            "gammas": {g.feature: g.gamma for g in gammas},
            "combinations": {g.feature: g.gamma for g in model.combinations()},
        }
        fast = {} if model.fast is None else {"fast": {"report": model.fast.report, "gammas": model.fast.gammas()}}
        return print_json({**found, **fast})
    table = Table("feature", "gamma")
    for entry in gammas:
        table.add_row(entry.feature, _shown_gamma(entry.gamma))
    console.print(table)
    _print_combinations(model)
    _print_report(model)
    _print_fast(model)
    return None


def _shown_gamma(gamma: float) -> str:
    return f"{gamma:.3f}" if gamma >= 0.01 else f"{gamma:.1e}"


def _print_combinations(model: Model) -> None:
    """Where they say most beside the gammas above."""
    learned = model.combinations()
    if not learned:
        return
    table = Table("features of one move, and what they have beside their gammas", "gamma")
    for entry in learned[:_SHOWN_COMBINATIONS]:
        table.add_row(entry.feature.removeprefix("together: "), _shown_gamma(entry.gamma))
    console.print(table)
    console.print(f"the {min(len(learned), _SHOWN_COMBINATIONS)} strongest of {len(learned):,}; --json has all")


def _print_fast(model: Model) -> None:
    """The layer for playouts."""
    if model.fast is None:
        return
    table = Table("feature of playouts", "gamma")
    for feature, gamma in model.fast.gammas().items():
        table.add_row(feature, _shown_gamma(gamma))
    console.print(table)
    report = model.fast.report
    test = report["test"]
    console.print(
        f"for playouts: {report['games']:,} games, {report['moves']:,} moves, {report['shapes']:,} shapes; "
        f"test: first {100 * test['top'][0]:.2f}%, top 5 {100 * test['top'][4]:.2f}%, "
        f"log-likelihood {test['log_likelihood']:.4f}"
    )


def _print_report(model: Model) -> None:
    report = model.report
    if not report:
        console.print("it has no report of how it was learned")
        return
    games = report["games"]
    console.print(
        f"{model.boards}, learned from {games['train']:,} games, {report['moves']:,} moves, "
        f"{report['shapes']:,} shapes; {report['skipped_count']:,} records left out"
    )
    for name, reason in list(report["skipped"].items())[:_SHOWN_SKIPPED]:
        console.print(f"left out: {shown(name, 200)}: {reason}", markup=False, highlight=False, soft_wrap=True)
    if report["skipped_count"] > _SHOWN_SKIPPED:
        console.print(f"... and {report['skipped_count'] - _SHOWN_SKIPPED:,} more; --json has up to 100")
    table = Table(
        "games", "from", "moves", "first", "top 5", "top 10", "top 20", "log-lik.", pad_edge=False, show_edge=False
    )
    for name in ("validation", "test"):
        judged = report[name]
        shares = [f"{100 * judged['top'][top - 1]:.2f}%" for top in (1, 5, 10, 20)]
        table.add_row(
            name, report[f"{name}_from"] or "?", f"{judged['positions']:,}", *shares, f"{judged['log_likelihood']:.4f}"
        )
    console.print(table)
