"""`tesuji tree`: the shape of a kept search tree, what two agree on, or the tree for another tool."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from tesuji.commands.common import JsonOption, console, ends_cleanly, print_json
from tesuji.errors import ArgumentError

if TYPE_CHECKING:
    from tesuji.tree import Tree
    from tesuji.tree_shape import TreeComparison

TOP = 10


class Format(StrEnum):
    """The tree itself, as text."""

    json = "json"
    dot = "dot"


@ends_cleanly
def tree(
    file: Annotated[Path, typer.Argument(help="A tree that `tesuji analyze --save-tree` or `Tree.save` wrote.")],
    other: Annotated[Path | None, typer.Argument(help="A second one of the same position, to compare.")] = None,
    *,
    write: Annotated[
        Format | None, typer.Option(help="Print the tree itself: `json`, or `dot` for Graphviz.", show_default=False)
    ] = None,
    max_depth: Annotated[int | None, typer.Option(help="With --write: only so many moves deep.", min=0)] = None,
    min_visits: Annotated[int | None, typer.Option(help="With --write: only what was visited so often.", min=0)] = None,
    json: JsonOption = False,
) -> None:
    """Show the shape of a search tree that was kept in a file, or compare two."""
    from tesuji.tree import load  # noqa: PLC0415  numpy is slow to load

    if write is None and (max_depth is not None or min_visits is not None):
        raise ArgumentError("--max-depth and --min-visits are for --write")
    if write is not None and (other is not None or json):
        raise ArgumentError("--write prints one tree: leave out the second, and --json")
    found = load(file)
    if write is not None:
        typer.echo(_written(found, write, max_depth, min_visits))
    elif other is not None:
        _show_comparison(found.compare(load(other)), (file, other), json=json)
    else:
        _show_shape(found, json=json)


def _written(tree: Tree, form: Format, max_depth: int | None, min_visits: int | None) -> str:
    if form is Format.dot:
        return tree.to_dot(max_depth=max_depth, min_visits=min_visits)
    return tree.to_json(max_depth=max_depth, min_visits=1 if min_visits is None else min_visits)


def _show_shape(tree: Tree, *, json: bool) -> None:
    shape = tree.shape().to_dict()
    if json:
        print_json({"game": tree.game, "engine": tree.engine, "seed": tree.seed, **shape})
        return
    console.print(tree.position, highlight=False)
    table = Table(title=f"{tree.engine}, seed {tree.seed}", show_header=False)
    line = " ".join(tree.text_at(row) for row in tree.principal_variation())
    by_depth = " ".join(f"{count:,}" for count in shape.pop("visited_by_depth"))
    for name, value in shape.items():
        table.add_row(name.replace("_", " "), f"{value:,}" if isinstance(value, int) else f"{value:.3f}")
    table.add_row("visited by depth", by_depth)
    table.add_row("principal variation", line)
    console.print(table)


def _show_comparison(comparison: TreeComparison, files: tuple[Path, Path], *, json: bool) -> None:
    if json:
        print_json(comparison.to_dict())
        return
    table = Table(
        title=f"{files[0]} and {files[1]}",
        caption=(
            f"{comparison.overlap:.1%} of the paths are in both; the visits at the root are "
            f"{comparison.visit_distance:.3f} apart; the principal variations begin with "
            f"{comparison.common_pv} equal moves"
        ),
    )
    table.add_column("move")
    for name in ("visits", "value", "visits", "value"):
        table.add_column(name, justify="right")
    for move in comparison.moves[:TOP]:
        cells = [(f"{visits:,}", f"{value:.3f}") for visits, value in zip(move.visits, move.value, strict=True)]
        table.add_row(move.text, *cells[0], *cells[1])
    console.print(table)
