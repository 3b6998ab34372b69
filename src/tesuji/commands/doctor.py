"""`tesuji doctor`: how the core was built, what it uses here, and which optional parts are there."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from dataclasses import dataclass

from rich.table import Table

from tesuji.arena.gtp_client import find_program
from tesuji.commands.common import JsonOption, console, ends_cleanly, print_json
from tesuji.errors import ArgumentError
from tesuji.provenance import facts


@dataclass(frozen=True, kw_only=True)
class OptionalPart:
    """Something that tesuji can use but does not need: a Python module or a program."""

    name: str
    purpose: str
    how_to_get: str
    module: str | None = None
    distribution: str | None = None

    def find(self) -> str | None:
        """The version of a module or the path of a program, None where it is missing."""
        if self.module is None:
            try:
                return find_program(self.name)
            except ArgumentError:
                return None
        if importlib.util.find_spec(self.module) is None:
            return None
        try:
            return importlib.metadata.version(self.distribution or self.name)
        except importlib.metadata.PackageNotFoundError:
            return "found"


OPTIONAL_PARTS = (
    OptionalPart(
        name="open_spiel",
        purpose="OpenSpiel's games in our search, our search as its bot",
        how_to_get="pip install 'tesuji[openspiel]'",
        module="pyspiel",
    ),
    OptionalPart(
        name="numba",
        purpose="games of your own as compiled functions",
        how_to_get="pip install 'tesuji[numba]'",
        module="numba",
    ),
    OptionalPart(
        name="distributed",
        purpose="games of a match on many machines (--cluster)",
        how_to_get="pip install 'tesuji[cluster]'",
        module="distributed",
    ),
    OptionalPart(
        name="mpi4py",
        purpose="one search on many machines (tesuji cluster)",
        how_to_get="pip install 'tesuji[mpi]'",
        module="mpi4py",
    ),
    OptionalPart(
        name="pettingzoo",
        purpose="our games as environments of PettingZoo and Gymnasium",
        how_to_get="pip install 'tesuji[pettingzoo]'",
        module="pettingzoo",
    ),
    OptionalPart(
        name="networkx",
        purpose="search trees as graphs, Tree.to_networkx()",
        how_to_get="pip install 'tesuji[networkx]'",
        module="networkx",
    ),
    OptionalPart(
        name="fastapi",
        purpose="the page of `tesuji web`",
        how_to_get="pip install 'tesuji[web]'",
        module="fastapi",
    ),
    OptionalPart(name="gnugo", purpose="an opponent in Go that is not of this family", how_to_get="apt install gnugo"),
    OptionalPart(name="dot", purpose="draws the trees of SearchResult.to_dot()", how_to_get="apt install graphviz"),
)


@ends_cleanly
def doctor(json: JsonOption = False) -> None:
    """Show how the core was built, which code it runs here, and which optional parts were found."""
    build = facts()
    parts = [
        {"name": part.name, "found": part.find(), "purpose": part.purpose, "how_to_get": part.how_to_get}
        for part in OPTIONAL_PARTS
    ]
    if json:
        print_json({"build": build, "optional": parts})
        return
    table = Table(title="tesuji", show_header=False)
    for name, value in build.items():
        table.add_row(name.replace("_", " "), value)
    console.print(table)
    optional = Table(title="optional parts")
    for column in ("part", "found", "what for", "how to get it"):
        optional.add_column(column, overflow="fold")
    for entry in parts:
        found = entry["found"]
        optional.add_row(
            entry["name"], found or "missing", entry["purpose"], "" if found else entry["how_to_get"],
            style=None if found else "dim",
        )  # fmt: skip
    console.print(optional)
