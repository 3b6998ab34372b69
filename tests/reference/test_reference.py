"""The native search against the plain one: equal trees, visit for visit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import tesuji
from tests.reference.search import ReferenceSearch, Rules
from tests.unit.own_games import Auction, Dice, Heap

DECAYS = (1.0, 0.999, 0.9, 0.5)


def spec_of(rules: Rules, evaluation: str = "") -> str:
    """The engine that searches by the same rules."""
    arguments = {
        "discounted": f"(decay={rules.decay})",
        "accelerated": f"(decay={rules.decay})",
        "mix": f"(q={rules.q},m={rules.m})",
        "max": f"({evaluation})",
    }.get(rules.backup, "")
    selection = f"uct(c={rules.c})"
    if rules.bast is not None:
        selection = "bast(delta={},gamma={},b={})".format(*rules.bast)
    solver = "+solver" if rules.solver else ""
    return f"{selection}+{rules.backup}{arguments}{solver}+expand={rules.expand}"


def assert_equal_trees(position: Any, rules: Rules, *, seed: int, playouts: int, evaluation: str = "") -> None:
    reference = ReferenceSearch(position, rules, seed=seed)
    reference.run(playouts)
    search = tesuji.Search(position, spec_of(rules, evaluation), seed=seed)
    result = search.run(playouts=playouts)
    native = search._searcher.tree(1000, 1)[1:]
    expected = list(reference.lines())
    move_of = search._subject.move_of
    assert [(line.parent, move_of(line.move), line.visits) for line in native] == [line[:3] for line in expected]
    for line, reference_line in zip(native, expected, strict=True):
        assert line.value == pytest.approx(reference_line.value, abs=1e-9)
    assert (result.stopped_by == "proven") == (reference.root.proof is not None)


def random_tree(seed: int, rewards: Sequence[float] = ()) -> tesuji.TreeGame:
    """Of any shape, and now and then a player moves twice in a row. With any rewards, or some of the given ones."""
    rng = random.Random(seed)

    def subtree(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.1:
            return rng.choice(rewards) if rewards else rng.random()
        children = [subtree(depth - 1) for _ in range(rng.randint(1, 5))]
        return (rng.randrange(2), children) if rng.random() < 0.3 else children

    return tesuji.TreeGame([subtree(5) for _ in range(4)], one_player=False)


@pytest.mark.parametrize("expand", [1, 2, 5, 20])
@pytest.mark.parametrize("backup", ["mean", "discounted", "accelerated"])
def test_random_tree_games(backup: str, expand: int) -> None:
    for seed in range(12):
        for decay in DECAYS if backup != "mean" else (1.0,):
            c = (0.2, 1.0)[seed % 2]
            rules = Rules(backup=backup, decay=decay, c=c, expand=expand)
            assert_equal_trees(random_tree(seed), rules, seed=seed, playouts=400)


@pytest.mark.parametrize("backup", ["mean", "discounted", "accelerated"])
def test_othello(backup: str) -> None:
    for seed, (decay, expand) in enumerate([(1.0, 1), (0.999, 1), (0.99, 2), (0.9, 5), (0.5, 1)]):
        rules = Rules(backup=backup, decay=decay, c=0.5, expand=expand)
        assert_equal_trees(tesuji.Othello(), rules, seed=seed, playouts=250)


@pytest.mark.parametrize("game", [Auction(), Dice()])
@pytest.mark.parametrize("backup", ["mean", "discounted", "accelerated"])
def test_three_players_and_dice(game: Any, backup: str) -> None:
    for seed, (decay, expand) in enumerate([(1.0, 1), (0.99, 3), (0.8, 1)]):
        rules = Rules(backup=backup, decay=decay, c=0.5, expand=expand)
        assert_equal_trees(game, rules, seed=seed, playouts=400)


# ---- mix, max, solver, bast, and all of them together

MIXES = ((0.0, 10.0), (0.5, 20.0), (1.0, 0.0))


def by_discs(position: tesuji.Othello) -> list[float]:
    black, white = position.discs()
    return [black / (black + white), 1 - black / (black + white)]


@pytest.mark.parametrize("expand", [1, 5])
@pytest.mark.parametrize(("q", "m"), MIXES)
def test_mix(q: float, m: float, expand: int) -> None:
    rules = Rules(backup="mix", q=q, m=m, c=0.3, expand=expand)
    for seed in range(10):
        assert_equal_trees(random_tree(seed), rules, seed=seed, playouts=400)
    assert_equal_trees(tesuji.Othello(), rules, seed=1, playouts=250)
    for game in (Auction(), Dice()):
        assert_equal_trees(game, rules, seed=2, playouts=400)


@pytest.mark.parametrize("expand", [1, 3])
def test_max(expand: int) -> None:
    rules = Rules(backup="max", evaluate=by_discs, c=0.3, expand=expand)
    for seed in range(3):
        assert_equal_trees(tesuji.Othello(), rules, seed=seed, playouts=300, evaluation="discs")


RESULTS = (0.0, 0.0, 0.5, 1.0, 1.0)


@pytest.mark.parametrize("backup", ["mean", "discounted", "accelerated", "mix"])
@pytest.mark.parametrize("rewards", [RESULTS, (*RESULTS, 0.3)])
def test_solver(backup: str, rewards: tuple[float, ...]) -> None:
    for seed in range(12):
        rules = Rules(backup=backup, decay=0.99, q=0.5, m=5, solver=True, c=0.4, expand=1 + seed % 3)
        assert_equal_trees(random_tree(seed, rewards), rules, seed=seed, playouts=40 * (seed + 1))
    assert_equal_trees(tesuji.TicTacToe(), rules, seed=1, playouts=300)
    for game in (Heap(9), Dice(15)):
        assert_equal_trees(game, rules, seed=2, playouts=300)


@pytest.mark.parametrize("bast", [(0.0, 1.0, 1.0), (0.5, 0.5, 0.05), (2.0, 0.9, 0.5)])
@pytest.mark.parametrize("backup", ["mean", "mix"])
def test_bast(backup: str, bast: tuple[float, float, float]) -> None:
    rules = Rules(backup=backup, q=0.5, m=5, bast=bast)
    for seed in range(6):
        assert_equal_trees(random_tree(seed), rules, seed=seed, playouts=400)
        assert_equal_trees(random_tree(seed, RESULTS), replace(rules, solver=True), seed=seed, playouts=60 * (seed + 1))
    assert_equal_trees(tesuji.Othello(), rules, seed=1, playouts=200)
    for game in (Auction(), Dice(), Heap(8)):
        assert_equal_trees(game, rules, seed=2, playouts=300)
