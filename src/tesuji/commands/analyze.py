"""`tesuji analyze`: the best moves of a position, with `--trace` how a search comes to them; or a whole game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from tesuji.commands.common import (
    INTERRUPTED,
    DepthOption,
    JsonOption,
    KomiOption,
    OptionalGameArgument,
    PlayoutsOption,
    SecondsOption,
    SeedOption,
    SizeOption,
    ThreadsOption,
    WidthOption,
    budget,
    check_output,
    check_plot,
    console,
    ends_cleanly,
    error_console,
    play_moves,
    print_json,
)
from tesuji.commands.review_view import review_record
from tesuji.commands.trace_view import LEGEND, trace_tables
from tesuji.errors import ArgumentError
from tesuji.games.go import Go
from tesuji.games.position import Position
from tesuji.games.registry import STARTS, make_game
from tesuji.review import ENGINE
from tesuji.search import MoveStatistics, Search, SearchResult
from tesuji.sgf import SgfGame
from tesuji.tracing import DEFAULT_POINTS, Trace
from tesuji.tracing import trace as trace_searches

if TYPE_CHECKING:
    from tesuji.tree import Tree

DEFAULT_PLAYOUTS = 50_000
PV_MOVES = 8
# How many moves are shown of a search, and of a trace.
TOP, TRACED_TOP = 10, 2

EnginesOption = Annotated[
    list[str] | None,
    typer.Option(help="Engine spec; `tesuji engines` lists the parts. Repeatable with --trace.", metavar="SPEC"),
]


@ends_cleanly
def analyze(
    game: OptionalGameArgument = None,
    *,
    moves: Annotated[str, typer.Option(help='Moves from the start, for example "e5 d4".')] = "",
    sgf: Annotated[Path | None, typer.Option(help="A game of Go to look at; every move of it without --move.")] = None,
    move: Annotated[int | None, typer.Option(help="The position after so many moves of the --sgf game.")] = None,
    variation: Annotated[int | None, typer.Option(help="Which variation of the --sgf game; 1 is the game.")] = None,
    annotate: Annotated[Path | None, typer.Option(help="File for the --sgf game with comments and variations.")] = None,
    engine: EnginesOption = None,
    playouts: PlayoutsOption = None,
    seconds: SecondsOption = None,
    threads: ThreadsOption = 1,
    size: SizeOption = None,
    komi: KomiOption = None,
    depth: DepthOption = None,
    width: WidthOption = None,
    seed: SeedOption = None,
    top: Annotated[
        int | None, typer.Option(help=f"How many moves to show ({TOP}, or {TRACED_TOP} of a trace).", min=1)
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show how the values at the root change over time.")] = False,
    points: Annotated[int | None, typer.Option(help=f"Points of the trace ({DEFAULT_POINTS}).")] = None,
    even: Annotated[bool, typer.Option("--even", help="Equal steps between the points, not equal factors.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="File for a plot of the trace, or of a game's chances, such as chances.png.")
    ] = None,
    save_tree: Annotated[
        Path | None, typer.Option(help="File for the whole tree; `tesuji tree` looks into it.")
    ] = None,
    from_tree: Annotated[
        Path | None, typer.Option(help="Go on with the tree of this file, of the same position and engine.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Search a position and show the best moves; with --trace, how one engine or several come to them.

    With --sgf the position is one of a recorded game; without --move all of them are searched, one after another.
    """
    start = {"size": size, "komi": komi, "depth": depth, "width": width}
    engines = engine or ["uct"]
    if sgf is not None:
        check_game_options(game, moves, **start)
    elif move is not None or variation is not None or annotate is not None:
        raise ArgumentError("--move, --variation and --annotate are for a recorded game: add --sgf")
    check_tree_files(save_tree, from_tree, is_one_search=not trace and (sgf is None or move is not None))
    if sgf is not None and move is None:
        if trace or points is not None or even or top is not None or len(engines) > 1:
            raise ArgumentError("--trace, --points, --even, --top and several engines are for one position: add --move")
        is_interrupted = review_record(
            sgf, variation=1 if variation is None else variation, engine=engines[0] if engine else ENGINE,
            playouts=playouts, seconds=seconds, threads=threads, seed=seed, plot=plot, annotate=annotate, json=json,
        )  # fmt: skip
        end_command(is_interrupted)
        return
    if annotate is not None:
        raise ArgumentError("--annotate is for a whole game: leave out --move")
    if sgf is not None:
        position: Position = SgfGame.read(sgf).position(move, variation=1 if variation is None else variation)
    else:
        position = play_moves(make_game(game_name(game), **start), moves)
    if trace:
        if seconds is not None:
            raise ArgumentError("a trace counts playouts: give --playouts in place of --seconds")
        check_plot(plot)
        count = DEFAULT_PLAYOUTS if playouts is None else playouts
        number = DEFAULT_POINTS if points is None else points
        found = trace_searches(position, engines, playouts=count, points=number, even=even, threads=threads, seed=seed)
        show_trace(found, top=top, plot=plot, title=position.game, json=json)
        end_command(found.interrupted)
        return
    if len(engines) > 1 or points is not None or even or plot is not None:
        raise ArgumentError("several engines, --points, --even and --plot are for a trace: add --trace")
    search = Search(position, engines[0], threads=threads, seed=seed, tree=_kept_tree(from_tree))
    result = search.run(**budget(playouts, seconds, default=DEFAULT_PLAYOUTS))
    show_result(result, top=top, json=json)
    _keep_tree(search, save_tree)
    end_command(result.stopped_by == "interrupt")


def check_tree_files(save_tree: Path | None, from_tree: Path | None, *, is_one_search: bool) -> None:
    if not is_one_search and (save_tree or from_tree):
        raise ArgumentError("--save-tree and --from-tree are for one search: leave out --trace, or add --move")
    check_output("--save-tree", save_tree)


def _keep_tree(search: Search, path: Path | None) -> None:
    if path is not None:
        search.tree().save(path)


def _kept_tree(path: Path | None) -> Tree | None:
    if path is None:
        return None
    from tesuji.tree import load  # noqa: PLC0415  numpy is slow to load

    return load(path)


def end_command(is_interrupted: bool) -> None:
    if is_interrupted:
        error_console.print("interrupted: this is what was found until then")
        raise typer.Exit(INTERRUPTED)


def game_name(game: str | None) -> str:
    if game is None:
        raise ArgumentError(f"give a game, one of {', '.join(STARTS)}, or a recorded one with --sgf")
    return game


def check_game_options(game: str | None, moves: str, **options: float | None) -> None:
    """With a record none of these has a meaning: it says itself which game it is."""
    given = [f"--{name}" for name, value in options.items() if value is not None] + ["--moves"] * bool(moves)
    if given:
        raise ArgumentError(f"{given[0]} is not for --sgf: the file says how the game was")
    if game is not None and game.lower() != Go.game:
        raise ArgumentError(f"--sgf reads games of Go, not of {game}")


def show_result(result: SearchResult, *, top: int | None, json: bool) -> None:
    if json:
        print_json(result.to_dict())
    else:
        console.print(str(result.position), highlight=False)
        console.print(result_table(result, top or TOP))


def show_trace(trace: Trace, *, top: int | None, plot: Path | None, title: str, json: bool) -> None:
    if plot is not None:
        trace.plot(plot, title=f"{title}, seed {trace.seed}", **({} if top is None else {"moves": top}))
    if json:
        print_json({**trace.to_dict(), "plot": None if plot is None else str(plot)})
        return
    console.print(str(trace.position), highlight=False)
    for table in trace_tables(trace, top or TRACED_TOP, width=console.width):
        console.print(table)
    console.print(LEGEND)
    if plot is not None:
        console.print(f"plot: {plot}", highlight=False, soft_wrap=True)


def _value(entry: MoveStatistics) -> str:
    proven = f" {entry.proven}" if entry.proven else ""
    return f"{100 * entry.value:.1f}%{proven}"


def result_table(result: SearchResult, top: int) -> Table:
    rate = result.playouts / result.cpu_seconds if result.cpu_seconds else 0.0
    remarks = "; the tree is full" if result.tree_full else ""
    remarks += f"; proven: {result.proven}" if result.proven else ""
    threads = f", {result.threads} threads" if result.threads > 1 else ""
    table = Table(
        title=f"{result.engine}, seed {result.seed}{threads}",
        caption=f"{result.playouts:,} playouts in {result.seconds:.2f} s, {rate:,.0f} a CPU-second{remarks}",
    )
    has_priors = any(entry.prior is not None for entry in result.moves)
    table.add_column("move")
    for name in ("visits", *(["P(m)"] if has_priors else []), "value"):
        table.add_column(name, justify="right")
    table.add_column("principal variation", overflow="fold")
    text = result.position.format_move
    for entry in result.moves[:top]:
        mark = "bold" if entry.move == result.best_move else None
        pv = " ".join(text(move) for move in entry.pv[:PV_MOVES])
        prior = [f"{100 * (entry.prior or 0):.1f}%"] if has_priors else []
        table.add_row(entry.text, f"{entry.visits:,}", *prior, _value(entry), pv, style=mark)
    return table
