"""The native search against the plain one: equal trees, visit for visit."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tesuji
from tests.reference.search import ReferenceSearch
from tests.unit.own_games import Auction, Dice

DECAYS = (1.0, 0.999, 0.9, 0.5)


def assert_equal_trees(
    position: Any, *, backup: str, decay: float | None, c: float, expand: int, seed: int, playouts: int
) -> None:
    reference = ReferenceSearch(position, backup=backup, decay=decay, c=c, expand=expand, seed=seed)
    reference.run(playouts)
    arguments = "" if backup == "mean" else "(auto)" if decay is None else f"(decay={decay})"
    search = tesuji.Search(position, f"uct(c={c})+{backup}{arguments}+expand={expand}", seed=seed)
    search.run(playouts=playouts)
    native = search._searcher.tree(1000, 1)[1:]
    expected = list(reference.lines())
    move_of = search._subject.move_of
    assert [(line.parent, move_of(line.move), line.visits) for line in native] == [line[:3] for line in expected]
    for line, reference_line in zip(native, expected, strict=True):
        assert line.value == pytest.approx(reference_line.value, abs=1e-9)


def random_tree(seed: int) -> tesuji.TreeGame:
    """Of any shape, and now and then a player moves twice in a row."""
    rng = random.Random(seed)

    def subtree(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.1:
            return rng.random()
        children = [subtree(depth - 1) for _ in range(rng.randint(1, 5))]
        return (rng.randrange(2), children) if rng.random() < 0.3 else children

    return tesuji.TreeGame([subtree(5) for _ in range(4)], one_player=False)


@pytest.mark.parametrize("expand", [1, 2, 5, 20])
@pytest.mark.parametrize("backup", ["mean", "discounted", "accelerated"])
def test_random_tree_games(backup: str, expand: int) -> None:
    for seed in range(12):
        for decay in DECAYS if backup != "mean" else (1.0,):
            c = (0.2, 1.0)[seed % 2]
            assert_equal_trees(
                random_tree(seed), backup=backup, decay=decay, c=c, expand=expand, seed=seed, playouts=400
            )


@pytest.mark.parametrize("backup", ["mean", "discounted", "accelerated"])
def test_othello(backup: str) -> None:
    for seed, (decay, expand) in enumerate([(1.0, 1), (0.999, 1), (0.99, 2), (0.9, 5), (0.5, 1)]):
        assert_equal_trees(tesuji.Othello(), backup=backup, decay=decay, c=0.5, expand=expand, seed=seed, playouts=250)


@pytest.mark.parametrize("game", [Auction(), Dice()])
@pytest.mark.parametrize("backup", ["mean", "discounted", "accelerated"])
def test_three_players_and_dice(game: Any, backup: str) -> None:
    for seed, (decay, expand) in enumerate([(1.0, 1), (0.99, 3), (0.8, 1)]):
        assert_equal_trees(game, backup=backup, decay=decay, c=0.5, expand=expand, seed=seed, playouts=400)


@pytest.mark.parametrize("expand", [1, 5])
def test_automatic_decay(expand: int) -> None:
    """With seeds at which no tie is broken by rounding, as Dice, with its equal throws, has them."""
    games = [random_tree(1), random_tree(2), Auction(), Dice(), tesuji.Othello()]
    for seed, game in enumerate(games, start=10):
        assert_equal_trees(game, backup="accelerated", decay=None, c=0.5, expand=expand, seed=seed, playouts=600)


def test_automatic_decay_of_a_long_search() -> None:
    """From 5,000 visits of the root on the window grows."""
    assert_equal_trees(random_tree(3), backup="accelerated", decay=None, c=0.5, expand=3, seed=1, playouts=8000)
