"""Playouts and priors that know Go, seen from Python. What they know has native tests, with boards."""

from __future__ import annotations

import pytest

import tesuji
from tesuji.errors import ArgumentError

ENGINE = "uct+rave+prior+playout=knowledge"


@pytest.mark.parametrize("size", [7, 9, 13, 19])
@pytest.mark.parametrize("engine", ["playout=knowledge", "prior(weight=2)", ENGINE])
def test_one_seed_repeats_exactly(size: int, engine: str) -> None:
    results = [tesuji.Search(tesuji.Go(size), engine, seed=3).run(playouts=200) for _ in range(2)]
    first, second = ([(entry.move, entry.visits, entry.value) for entry in result.moves] for result in results)
    assert first == second
    assert results[0].playouts == 200


def test_other_games_say_that_they_know_nothing() -> None:
    with pytest.raises(ArgumentError, match="playout=knowledge: this game has no such playouts; playout=uniform suits"):
        tesuji.Search(tesuji.Othello(), "playout=knowledge")
    with pytest.raises(ArgumentError, match="prior: nothing is known of the moves of this game"):
        tesuji.Search(tesuji.Havannah(size=4), "rave+prior")


def test_a_policy_and_knowledge_cannot_both_choose() -> None:
    with pytest.raises(ArgumentError, match="playout=knowledge and a policy"):
        tesuji.Search(tesuji.Go(9), "playout=knowledge", policy=lambda position, moves, rng: moves[0])


def test_first_play_urgency_has_no_part_beside_rave_and_the_prior() -> None:
    """The prior gives every move RAVE visits; without it there are moves that nobody knows anything of."""

    def searched(engine: str, urgency: float) -> list[tuple[int, int, float]]:
        search = tesuji.Search(tesuji.Go(7), f"uct(c=0,fpu={urgency})+{engine}", seed=2)
        return [(entry.move, entry.visits, entry.value) for entry in search.run(playouts=1000).moves]

    assert searched("rave+prior+playout=knowledge", 0.1) == searched("rave+prior+playout=knowledge", 2)
    assert searched("rave+playout=knowledge", 0.1) != searched("rave+playout=knowledge", 2)


def test_the_prior_decides_which_move_is_tried_first() -> None:
    """The first move to be tried is the capture of the stone in atari."""
    position = tesuji.Go(9)
    for move in ["E5", "G7", "E6", "E4", "D4", "C7", "F4", "H2"]:
        position = position.play(position.parse_move(move))
    result = tesuji.Search(position, "uct+rave+prior", seed=1).run(playouts=1)
    assert position.format_move(result.best_move) == "E3"
