"""A recorded game, searched move by move: progress, table, chart and the annotated record."""

from __future__ import annotations

from pathlib import Path

from rich.progress import Progress
from rich.table import Table

from tesuji.commands.common import budget, check_output, check_plot, console, error_console, print_json
from tesuji.review import MISTAKE, Review, review
from tesuji.sgf import SgfGame

REVIEW_PLAYOUTS = 10_000
PV_MOVES = 6


def review_record(
    path: Path,
    *,
    variation: int,
    engine: str,
    playouts: int | None,
    seconds: float | None,
    threads: int,
    seed: int | None,
    plot: Path | None,
    annotate: Path | None,
    json: bool,
) -> bool:
    """Searches every move and shows what was found. Tells whether it was interrupted."""
    check_plot(plot)
    check_output("--annotate", annotate)
    record = SgfGame.read(path)
    record.line(variation)  # a broken record is said so before anything is drawn
    with Progress(console=error_console, transient=True, disable=not error_console.is_terminal) as progress:
        task = progress.add_task("searching", total=None)
        found = review(
            record, variation=variation, engine=engine, threads=threads, seed=seed,
            **budget(playouts, seconds, default=REVIEW_PLAYOUTS),
            on_move=lambda done, total: progress.update(task, completed=done, total=total),
        )  # fmt: skip
    show(found, json=json, plot=plot, annotate=annotate)
    return found.interrupted


def show(found: Review, *, json: bool, plot: Path | None, annotate: Path | None) -> None:
    if plot is not None and found.course:
        found.plot(plot)
    if annotate is not None:
        found.annotate()
        found.record.write(annotate)
    if json:
        files = {"plot": plot, "annotated": annotate}
        print_json({**found.to_dict(), **{name: file and str(file) for name, file in files.items()}})
        return
    console.print(review_table(found))
    if found.final is not None:
        console.print(f"at the end of the record: Black {100 * found.final:.1f}%", highlight=False)
    for name, file in (("plot", plot), ("annotated", annotate)):
        if file is not None:
            console.print(f"{name}: {file}", highlight=False, soft_wrap=True)


def review_table(found: Review) -> Table:
    threads = f", {found.threads} threads" if found.threads > 1 else ""
    table = Table(
        title=f"{found.engine}, seed {found.seed}{threads}",
        caption="Black's chances before each move; loss: of the mover",
    )
    for name in ("move", "", "Black", "loss", "best"):
        table.add_column(name, justify="right" if name in ("move", "Black", "loss") else "left", no_wrap=True)
    table.add_column("principal variation", overflow="fold")
    for move in found.moves:
        player = move.step.before.players[move.step.player][0]
        loss = "" if move.loss is None else f"{100 * move.loss:.1f}%"
        table.add_row(
            f"{move.step.number} {player}", move.text, f"{100 * move.black:.1f}%", loss,
            move.step.before.format_move(move.best_move), " ".join(move.pv_text[:PV_MOVES]),
            style="bold" if (move.loss or 0) >= MISTAKE else None,
        )  # fmt: skip
    return table
