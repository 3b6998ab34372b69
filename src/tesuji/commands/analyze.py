"""`tesuji analyze`: the best moves of a position."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from tesuji.commands.common import (
    INTERRUPTED,
    EngineOption,
    GameArgument,
    JsonOption,
    KomiOption,
    PlayoutsOption,
    SecondsOption,
    SeedOption,
    SizeOption,
    budget,
    console,
    ends_cleanly,
    error_console,
    play_moves,
    print_json,
)
from tesuji.games.registry import make_game
from tesuji.search import MoveStatistics, Search, SearchResult

PV_MOVES = 8


@ends_cleanly
def analyze(
    game: GameArgument,
    *,
    moves: Annotated[str, typer.Option(help='Moves from the start, for example "e5 d4".')] = "",
    engine: EngineOption = "uct",
    playouts: PlayoutsOption = None,
    seconds: SecondsOption = None,
    size: SizeOption = None,
    komi: KomiOption = None,
    seed: SeedOption = None,
    top: Annotated[int, typer.Option(help="How many moves to show.", min=1)] = 10,
    json: JsonOption = False,
) -> None:
    """Search a position and show the best moves."""
    position = play_moves(make_game(game, size=size, komi=komi), moves)
    result = Search(position, engine, seed=seed).run(**budget(playouts, seconds, default=50_000))
    if json:
        print_json(result.to_dict())
    else:
        console.print(str(position), markup=False, highlight=False)
        console.print(result_table(result, top))
    if result.stopped_by == "interrupt":
        error_console.print("interrupted: this is what was found until then")
        raise typer.Exit(INTERRUPTED)


def _value(entry: MoveStatistics) -> str:
    proven = f" {entry.proven}" if entry.proven else ""
    return f"{100 * entry.value:.1f}%{proven}"


def result_table(result: SearchResult, top: int) -> Table:
    rate = result.playouts / result.cpu_seconds if result.cpu_seconds else 0.0
    remarks = "; the tree is full" if result.tree_full else ""
    remarks += f"; proven: {result.proven}" if result.proven else ""
    table = Table(
        title=f"{result.engine}, seed {result.seed}",
        caption=f"{result.playouts:,} playouts in {result.seconds:.2f} s, {rate:,.0f} a CPU-second{remarks}",
    )
    for name, align in (("move", "left"), ("visits", "right"), ("value", "right")):
        table.add_column(name, justify=align)  # type: ignore[arg-type]  # a str here, a literal there
    table.add_column("principal variation", overflow="fold")
    text = result.position.format_move
    for entry in result.moves[:top]:
        mark = "bold" if entry.move == result.best_move else None
        pv = " ".join(text(move) for move in entry.pv[:PV_MOVES])
        table.add_row(entry.text, f"{entry.visits:,}", _value(entry), pv, style=mark)
    return table
