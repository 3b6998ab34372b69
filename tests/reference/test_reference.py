"""The native search against the plain one: equal trees, visit for visit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import tesuji
from tests.reference.search import Bias, Rave, ReferenceSearch, Rules
from tests.unit.own_games import Auction, Dice, Heap

DECAYS = (1.0, 0.999, 0.9, 0.5)


def spec_of(rules: Rules, evaluation: str = "") -> str:
    """The engine that searches by the same rules."""
    arguments = {
        "discounted": f"(decay={rules.decay})",
        "accelerated": "(auto)" if rules.decay is None else f"(decay={rules.decay})",
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
    assert_equal_runs(reference, tesuji.Search(position, spec_of(rules, evaluation), seed=seed), playouts)


def assert_equal_runs(reference: ReferenceSearch, search: tesuji.Search, playouts: int) -> None:
    reference.run(playouts)
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


# ---- RAVE, biases, widening, automatic decay

RAVES = {
    "rave": Rave(),
    "rave(initial=0.5,final=20)": Rave(initial=0.5, final=20),
    "rave(initial=0)": Rave(initial=0),
    "rave(distance)": Rave(distance=True),
    "rave(check,skip=5)": Rave(check=True, skip=5),
    "amaf(k=50)": Rave(k=50),
    "amaf(b=0.2)": Rave(b=0.2),
}
BACKUPS = {
    "mean": ("mean", 1.0),
    "discounted(decay=0.9)": ("discounted", 0.9),
    "accelerated(k=1)": ("accelerated", 0.9),
}
RAVE_GAMES: tuple[Any, ...] = (tesuji.Othello(), tesuji.TicTacToe(), random_tree(3), Auction(), Dice())


@pytest.mark.parametrize("game", RAVE_GAMES, ids=lambda game: type(game).__name__)
@pytest.mark.parametrize("rave", RAVES)
def test_rave(rave: str, game: Any) -> None:
    for seed, (text, (backup, decay)) in enumerate(BACKUPS.items()):
        # Without exploration equal values are common, and rounding decides between those that are not plain means.
        for c, expand in ((0.0 if backup == "mean" else 0.01, 1), (0.3, 2)):
            rules = Rules(backup=backup, decay=decay, c=c, expand=expand, rave=RAVES[rave])
            reference = ReferenceSearch(game, rules, seed=seed)
            search = tesuji.Search(game, f"uct(c={c})+{rave}+{text}+expand={expand}", seed=seed)
            assert_equal_runs(reference, search, 150)


def uneven(position: Any, moves: list[Any]) -> list[float]:
    """A prior that means nothing, with ties in it."""
    weights = [1 + (index_of(position, move) * 7) % 5 for move in moves]
    return [weight / sum(weights) for weight in weights]


def index_of(position: Any, move: Any) -> int:
    return list(position.legal_moves()).index(move)


def as_evaluator(positions: list[Any]) -> tuple[list[list[float]], None]:
    return [uneven(position, position.legal_moves()) for position in positions], None


INFORMED: dict[str, dict[str, Any]] = {
    "uct(c=0.5)+bias(c=0.6,k=50)": {"c": 0.5, "bias": Bias(form="bias", c=0.6, k=50)},
    "uct(c=0.5)+bias(c=0.2,k=inf)+widening(mu=1.3)": {"c": 0.5, "bias": Bias(form="bias", c=0.2), "mu": 1.3},
    "uct(c=0.5)+widening(mu=1.8)": {"c": 0.5, "mu": 1.8},
    "uct(c=0.4)+bias-chaslot(c=0.4,gamma=0.1)": {"c": 0.4, "bias": Bias(form="chaslot", c=0.4, gamma=0.1)},
    "rave+bias-chaslot(c=0.4)": {"c": 0.0, "rave": Rave(), "bias": Bias(form="chaslot", c=0.4)},
    "amaf(k=50)+bias-chaslot(c=0.4,alpha=0.7,beta=0.2)": {
        "c": 0.0,
        "rave": Rave(k=50),
        "bias": Bias(form="chaslot", c=0.4, alpha=0.7, beta=0.2),
    },
    "uct(c=0.3)+rave+bias-huang(c=5)": {"c": 0.3, "rave": Rave(), "bias": Bias(form="huang", c=5)},
    "uct(c=0.3)+rave+bias-huang(c=5,alpha=0.6)": {"c": 0.3, "rave": Rave(), "bias": Bias(form="huang", c=5, alpha=0.6)},
    "puct(c=1.5)": {"c": 1.5, "puct": True},
    "puct(c=1.5,even=0.25)": {"c": 1.5, "puct": True, "even": 0.25},
    "puct(c=1.5)+rave+bias(c=0.3)+widening": {
        "c": 1.5,
        "puct": True,
        "rave": Rave(),
        "bias": Bias(form="bias", c=0.3, k=600),
        "mu": 1.8,
    },
}


@pytest.mark.parametrize("game", RAVE_GAMES[:3], ids=lambda game: type(game).__name__)
@pytest.mark.parametrize("engine", INFORMED)
def test_biases_and_widening_by_a_prior(engine: str, game: Any) -> None:
    for seed in range(3):
        reference = ReferenceSearch(game, Rules(prior=uneven, **INFORMED[engine]), seed=seed)
        search = tesuji.Search(game, engine, seed=seed, evaluator=as_evaluator, batch=1)
        assert_equal_runs(reference, search, 200)


WITHOUT_PRIOR: dict[str, dict[str, Any]] = {
    "uct(c=0.5)+widening(mu=1.5)": {"c": 0.5, "mu": 1.5},
    "uct(c=0.5)+widening(mu=3)": {"c": 0.5, "mu": 3.0},  # 243 visits are a power of it
    "rave+widening": {"c": 0.0, "rave": Rave(), "mu": 1.8},
    "uct(c=0.5)+bias": {"c": 0.5, "bias": Bias(form="bias", c=0.6, k=600)},
    # What has no visits is worth the mean of what has, each child with the weight and the value of the backup rule.
    "puct(c=1.5)+discounted(decay=0.9)": {"c": 1.5, "puct": True, "backup": "discounted", "decay": 0.9},
    "puct(c=1.5)+accelerated(decay=0.9)": {"c": 1.5, "puct": True, "backup": "accelerated", "decay": 0.9},
}


@pytest.mark.parametrize("engine", WITHOUT_PRIOR)
def test_without_a_prior_all_moves_have_the_same(engine: str) -> None:
    reference = ReferenceSearch(tesuji.Othello(), Rules(expand=2, **WITHOUT_PRIOR[engine]), seed=5)
    assert_equal_runs(reference, tesuji.Search(tesuji.Othello(), f"{engine}+expand=2", seed=5), 300)


@pytest.mark.parametrize("expand", [1, 5])
def test_automatic_decay(expand: int) -> None:
    """With seeds at which no tie is broken by rounding, as Dice, with its equal throws, has them."""
    games = [random_tree(1), random_tree(2), Auction(), Dice(), tesuji.Othello()]
    for seed, game in enumerate(games, start=10):
        assert_equal_trees(game, Rules(backup="accelerated", decay=None, c=0.5, expand=expand), seed=seed, playouts=600)


def test_automatic_decay_of_a_long_search() -> None:
    """From 5,000 visits of the root on the window grows."""
    rules = Rules(backup="accelerated", decay=None, c=0.5, expand=3)
    assert_equal_trees(random_tree(3), rules, seed=1, playouts=8000)


@pytest.mark.parametrize("engine", ["rave+solver", "puct(c=1.5)+solver", "widening(mu=3)+solver"])
def test_the_solver_beside_them(engine: str) -> None:
    by_engine: dict[str, dict[str, Any]] = {
        "rave+solver": {"c": 0.0, "rave": Rave()},
        "puct(c=1.5)+solver": {"c": 1.5, "puct": True},
        "widening(mu=3)+solver": {"mu": 3.0},
    }
    for seed in range(6):
        game = random_tree(seed, RESULTS)
        reference = ReferenceSearch(game, Rules(solver=True, **by_engine[engine]), seed=seed)
        assert_equal_runs(reference, tesuji.Search(game, engine, seed=seed), 30 * (seed + 1))
