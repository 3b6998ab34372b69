"""`mercy=`: playouts that end when they are decided, where they can."""

import pytest

import tesuji
from tesuji.errors import SpecError, UnsuitedEngineError

PLAYOUTS = 2000


@pytest.mark.parametrize("playout", ["knowledge", "bradley-terry+model=go9", "mixed+model=go9", "both+model=go9"])
def test_it_ends_playouts_of_every_kind_that_knows_go(playout: str) -> None:
    engine = f"rave+playout={playout}"
    without, with_none, with_some = (
        tesuji.Search(tesuji.Go(9), engine=engine + mercy, seed=3).run(playouts=PLAYOUTS)
        for mercy in ("", "+mercy=0", "+mercy=0.25")
    )
    assert [move.visits for move in without.moves] == [move.visits for move in with_none.moves]
    assert [move.rave for move in without.moves] != [move.rave for move in with_some.moves]
    # Who wins is nearly always the same: six standard deviations of each mean.
    assert with_some.value == pytest.approx(without.value, abs=6 * 0.5 * (2 / PLAYOUTS) ** 0.5)


#: White has six rows, all of one chain without an eye; Black, who has two, takes them when the points between are full.
DEAD_LEAD = "\n".join(["O" * 9] * 6 + ["." * 9, "X" * 9, ".X.XXXXXX"])


@pytest.mark.parametrize("playout", ["knowledge", "bradley-terry+model=go9"])
def test_a_lead_from_the_start_decides_next_to_nothing(playout: str) -> None:
    position = tesuji.Go.from_ascii(DEAD_LEAD, to_move=0, komi=7.5)
    values = {
        mercy: [
            tesuji.Search(position, f"uct+playout={playout}{mercy}", seed=seed).run(playouts=1).value
            for seed in range(200)
        ]
        for mercy in ("", "+mercy=0.2")
    }
    # Nearly all are won by Black. Where mercy comes after the capture, White may have won yet.
    assert sum(one != other for one, other in zip(*values.values(), strict=True)) <= 10
    assert sum(values[""]) > 150


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


def test_playouts_whose_last_board_is_looked_at_know_none() -> None:
    with pytest.raises(SpecError, match="conditioning of semeai looks at the boards"):
        tesuji.parse_engine("rave+playout=knowledge+semeai(conditioning)+mercy=0.25")
    tesuji.parse_engine("rave+playout=knowledge+semeai(conditioning)+mercy=0")
