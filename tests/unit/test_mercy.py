"""`mercy=`: playouts that end when they are decided, where they can."""

import pytest

import tesuji
from tesuji.errors import UnsuitedEngineError

KNOWING = ("knowledge", "bradley-terry+model=go9", "mixed+model=go9", "both+model=go9")


@pytest.mark.parametrize("playout", KNOWING)
def test_it_ends_playouts_of_every_kind_that_knows_go(playout: str) -> None:
    engine = f"uct(c=0.4)+playout={playout}"
    results = [
        tesuji.Search(tesuji.Go(9), engine=f"{engine}{mercy}", seed=3).run(playouts=300)
        for mercy in ("", "+mercy=1", "+mercy=0.05")
    ]
    visits = [[move.visits for move in result.moves] for result in results]
    # To the last stone nobody leads by the whole board; by a twentieth of it somebody soon does.
    assert visits[0] == visits[1] != visits[2]


@pytest.mark.parametrize(
    ("position", "engine"),
    [
        (tesuji.Go(9), "uct+mercy=0.25"),
        (tesuji.Havannah(4), "uct+playout=knowledge+mercy=0.25"),
        (tesuji.Othello(), "uct+mercy=0.25"),
    ],
)
def test_where_no_playout_knows_it_that_is_said(position: tesuji.Position, engine: str) -> None:
    with pytest.raises(UnsuitedEngineError, match="mercy is for the playouts that know Go"):
        tesuji.Search(position, engine)
