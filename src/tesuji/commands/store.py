"""`tesuji store`: looks into files of results, and merges them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from tesuji.arena.store import Store
from tesuji.commands.common import JsonOption, console, ends_cleanly, example, print_json

store = typer.Typer(help="Look into files of results, and merge them.", no_args_is_help=True)


@store.command("list", epilog=example("tesuji store list results.db"))
@ends_cleanly
def list_matches(
    file: Annotated[Path, typer.Argument(help="A store.", show_default=False)], json: JsonOption = False
) -> None:
    """List the matches of a store."""
    with Store(file, must_exist=True) as opened:
        matches = opened.matches()
    if json:
        print_json([vars(match) for match in matches])
        return
    table = Table("match", "game", "A", "B", "openings", "seed", "games")
    for match in matches:
        table.add_row(match.digest, match.game, match.a, match.b, match.openings, str(match.seed), str(match.games))
    console.print(table)


@store.command(epilog=example("tesuji store merge one.db two.db --into all.db"))
@ends_cleanly
def merge(
    files: Annotated[list[Path], typer.Argument(help="Stores.", show_default=False)],
    *,
    into: Annotated[Path, typer.Option(help="The store that takes their games; made where there is none.")],
) -> None:
    """Put the games of several stores, such as those of the shards of a match, into one.

    A game that two stores have must be the same in both, but for its timing; it is there once.
    """
    for file in files:
        Store(file, must_exist=True).close()  # a wrong name shows before anything is written
    with Store(into) as target:
        for file in files:
            with Store(file, must_exist=True) as source:
                added = target.merge(source)
            console.print(f"{file}: {added} games added", highlight=False, soft_wrap=True)
