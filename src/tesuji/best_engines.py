"""The strongest engine that is known for each game and board: what `best` means in a spec."""

from __future__ import annotations

from typing import Final

from tesuji.errors import SpecError

BEST: Final = "best"

#: By game and board size. A size without a line has the engine of the nearest one, the larger of two.
BEST_ENGINES: Final[dict[str, dict[int, str]]] = {
    "go": {
        # docs/go-playouts.md, 9x9: knowledge playouts 82% against uniform ones, the prior 75% against none; distance is
        # not proven beside the prior (55.0% +- 8.9). 13x13 and 19x19 have not been measured apart yet.
        9: "rave(distance)+prior+playout=knowledge",
        13: "rave(distance)+prior+playout=knowledge",
        19: "rave(distance)+prior+playout=knowledge",
    },
    "havannah": {
        # experiments/reports/rave, at 1,000 playouts on side 5: 94.9% against uct with its best C.
        5: "rave",
    },
    "othello": {
        # experiments/reports/exploration, at 5,000 playouts: 66.5% against C = 1. Accelerated values added nothing that
        # could be told from chance (acceleration-tuned).
        8: "uct(c=0.4)",
    },
}


def best_engine(game: str, size: int | None) -> str:
    """The spec for a board; a game that has one size only needs none."""
    sizes = BEST_ENGINES.get(game)
    if sizes is None:
        known = ", ".join(BEST_ENGINES)
        raise SpecError(f"no engine is known to be the best in {game}: name its parts; there is a best one in {known}")
    nearest = min(sizes, key=lambda known: (0 if size is None else abs(known - size), -known))
    return sizes[nearest]
