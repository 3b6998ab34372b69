"""The strongest engine that is known for each game and board: what `best` means in a spec."""

from __future__ import annotations

from typing import Final

from tesuji.errors import SpecError

BEST: Final = "best"

#: By game and board size. A size without a line has the engine of the nearest one, the larger of two.
BEST_ENGINES: Final[dict[str, dict[int, str]]] = {
    "go": {
        # docs/go-playouts.md, with the learned model: 89.5% of 200 games at equal time against the best with RAVE.
        9: "puct(c=2.0)+model=go9+playout=knowledge",
        # docs/go-playouts.md, 13x13 against GNU Go: what spreading a part of the prior evenly is for.
        # The same page, two kinds of playouts: they are wrong about different positions.
        13: "puct(c=2.0,even=0.25)+model=go19+playout=both+playout-temperature=0.6",
        19: "puct(c=2.0,even=0.25)+model=go19+playout=both+playout-temperature=0.6",
    },
    "havannah": {
        # experiments/reports/bias-boards, at 1,000 playouts on side 8: all of 100 games against uct without a model.
        # experiments/reports/havannah-playouts: playouts that keep connections win at equal CPU time as well.
        8: "puct(c=1.0)+model=havannah+playout=knowledge",
    },
    "othello": {
        # experiments/reports/bias-boards, at 1,000 playouts: 96.0% of 400 games against uct without a model.
        8: "puct(c=1.0)+model=othello",
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
