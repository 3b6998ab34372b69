"""The backup rules in the search: what they must agree on, and the papers' worked examples."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import tesuji
from tests.unit.own_games import Auction, Dice

GAMES: dict[str, Callable[[], Any]] = {
    "go": lambda: tesuji.Go(size=5, komi=0.5),
    "othello": tesuji.Othello,
    "havannah": lambda: tesuji.Havannah(size=4),
    "tic-tac-toe": tesuji.TicTacToe,
    "tree-game": tesuji.TreeGame.random,
    "sum-of-switches": tesuji.SumOfSwitches,
    "three players": Auction,
    "dice": Dice,
}


#: Rules that are plain UCT at this setting, to the last bit.
WITHOUT_EFFECT = ["accelerated(decay=1)", "discounted(decay=1)", "mix(q=0)"]


def tree_of(search: tesuji.Search) -> list[tuple[Any, ...]]:
    lines = search._searcher.tree(1000, 1)
    return [(line.parent, line.move, line.visits, line.value) for line in lines]


def tree_after(position: Any, engine: str, playouts: int, **options: Any) -> list[tuple[Any, ...]]:
    search = tesuji.Search(position, engine, seed=7, **options)
    search.run(playouts=playouts)
    return tree_of(search)


@pytest.mark.parametrize("rule", WITHOUT_EFFECT)
@pytest.mark.parametrize("game", GAMES)
def test_without_decay_the_tree_is_that_of_plain_uct(game: str, rule: str) -> None:
    position = GAMES[game]()
    for selection in ("uct", "uct(c=0.3,fpu=1.1)", "ucb-tuned1", "ucb-tuned2(outside)", "puct"):
        for expand in (1, 2, 5, 20):
            engine = f"{selection}+expand={expand}"
            assert tree_after(position, f"{engine}+{rule}", 1000) == tree_after(position, engine, 1000), engine


@pytest.mark.parametrize("rule", WITHOUT_EFFECT)
def test_without_decay_the_tree_is_that_of_plain_uct_also_after_moves(rule: str) -> None:
    plain = tesuji.Search(tesuji.Othello(), "uct+expand=3", seed=3)
    other = tesuji.Search(tesuji.Othello(), f"uct+expand=3+{rule}", seed=3)
    for playouts in (500, 20, 3, 200):
        best = plain.run(playouts=playouts).best_move
        assert other.run(playouts=playouts).best_move == best
        plain.advance(best)
        other.advance(best)
        assert tree_of(other) == tree_of(plain)
    # To a move that has had no visit, or few.
    rare = min(plain.run(playouts=30).moves, key=lambda entry: entry.visits).move
    other.run(playouts=30)
    for search in (plain, other):
        search.advance(rare)
        search.run(playouts=400)
    assert tree_of(other) == tree_of(plain)


def by_discs(positions: list[Any]) -> tuple[None, list[float]]:
    """An evaluator that likes discs."""
    return None, [position.discs()[position.to_move] / sum(position.discs()) for position in positions]


@pytest.mark.parametrize("rule", WITHOUT_EFFECT)
@pytest.mark.parametrize("batch", [1, 16])
def test_without_decay_the_tree_is_that_of_plain_uct_also_with_an_evaluator(rule: str, batch: int) -> None:
    for selection in ("uct", "puct", "uct(c=0.5,fpu=0.7)"):
        for evaluator in (by_discs, lambda positions: (None, None)):
            plain = tree_after(tesuji.Othello(), selection, 500, evaluator=evaluator, batch=batch)
            assert tree_after(tesuji.Othello(), f"{selection}+{rule}", 500, evaluator=evaluator, batch=batch) == plain


@pytest.mark.parametrize("rule", ["accelerated", "discounted"])
def test_with_decay_the_tree_is_another(rule: str) -> None:
    plain = tree_after(tesuji.Othello(), "uct", 1000)
    by_k, by_decay = (tree_after(tesuji.Othello(), f"{rule}({given})", 1000) for given in ("k=2", "decay=0.99"))
    assert by_k == by_decay != plain


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "rule", ["accelerated(decay=0.001)", "accelerated(k=1)", "discounted(decay=0.001)", "mix(q=1,m=0)"]
)
def test_values_stay_in_range_however_short_the_memory(game: str, rule: str) -> None:
    search = tesuji.Search(GAMES[game](), f"uct(c=0.1)+{rule}", seed=1)
    result = search.run(playouts=5000)
    low, high = getattr(search.position, "reward_range", (0, 1))
    assert all(low - 1e-9 <= move.value <= high + 1e-9 for move in result.moves)
    assert sum(move.visits for move in result.moves) == result.visits == 5000
    search.advance(result.best_move)


def test_the_value_of_the_result_is_what_the_backup_rule_says() -> None:
    """The trap: the second player's refutation, found late, counts in full only for the accelerated value."""
    trap = tesuji.TreeGame([[1, 1, 1, 1, 0], [[1, 0]]])
    rules = ("mean", "accelerated(k=1)")
    results = {rule: tesuji.Search(trap, f"uct+{rule}", seed=1).run(playouts=300) for rule in rules}
    value = {rule: {move.move: move.value for move in result.moves}[0] for rule, result in results.items()}
    assert value["accelerated(k=1)"] < value["mean"]
    best = results["accelerated(k=1)"]
    assert best.best_move == 1
    assert best.value == {move.move: move.value for move in best.moves}[1]


def test_mix_costs_8_bytes_a_child_slot() -> None:
    result = tesuji.Search(tesuji.Go(size=9), "mix", seed=1).run(playouts=2000)
    assert result.memory <= 28 * result.child_slots + 24 * result.nodes + 64


# ---- max


def test_max_is_minimax_once_everything_was_looked_at() -> None:
    """The root's moves have the minimax values of the leaves below, whatever the evaluator says in between."""
    game = tesuji.TreeGame([[0.5, [0.25, 0.75]], [0.625, 0.375], 0.125])
    search = tesuji.Search(game, "uct+max", seed=1, evaluator=lambda positions: (None, [0.9] * len(positions)))
    result = search.run(playouts=200)
    assert {entry.move: entry.value for entry in result.moves} == {0: 0.5, 1: 0.375, 2: 0.125}
    assert result.best_move == 0


def worth(position: Any) -> float:
    """The first player's reward with best play."""
    if position.is_over:
        return float(position.outcome()[0])
    values = [worth(position.play(move)) for move in position.legal_moves()]
    return max(values) if position.to_move == 0 else min(values)


@pytest.mark.parametrize("seed", range(3))
def test_every_judge_is_overruled_by_the_end_of_the_game(seed: int) -> None:
    rng = random.Random(seed)
    position = tesuji.Othello()
    while sum(position.discs()) < 59:
        position = position.play(rng.choice(position.legal_moves()))
    expected = {move: worth(position.play(move)) for move in position.legal_moves()}
    if position.to_move == 1:
        expected = {move: 1 - value for move, value in expected.items()}
    for judge in ("(discs)", "(mobility)", ""):
        evaluator = None if judge else by_discs
        result = tesuji.Search(position, f"uct+max{judge}", seed=1, evaluator=evaluator).run(playouts=30_000)
        assert {entry.move: entry.value for entry in result.moves} == expected


def test_two_judges_two_opinions() -> None:
    trees = [tree_after(tesuji.Othello(), f"max({judge})", 200) for judge in ("discs", "mobility")]
    assert trees[0] != trees[1]


@pytest.mark.parametrize(
    ("game", "engine", "words"),
    [
        ("othello", "max", ["nothing to judge", "discs, mobility", "evaluator"]),
        ("go", "max", ["nothing to judge", "no functions", "evaluator"]),
        ("go", "max(discs)", ["cannot judge by discs", "no functions"]),
        ("three players", "max(mobility)", ["cannot judge by mobility", "no functions"]),
    ],
)
def test_max_without_a_judge_says_what_is_missing(game: str, engine: str, words: list[str]) -> None:
    with pytest.raises(tesuji.ArgumentError) as caught:
        tesuji.Search(GAMES[game](), engine)
    for word in words:
        assert word in str(caught.value)


def test_max_wants_one_judge_and_its_values() -> None:
    with pytest.raises(tesuji.ArgumentError, match="only one"):
        tesuji.Search(tesuji.Othello(), "max(discs)", evaluator=by_discs)
    search = tesuji.Search(tesuji.Othello(), "max", evaluator=lambda positions: (None, None))
    with pytest.raises(tesuji.EvaluatorError, match="must give values"):
        search.run(playouts=10)


def test_a_child_slot_with_accelerated_values_costs_28_bytes_and_its_node_40() -> None:
    result = tesuji.Search(tesuji.Go(size=9), "accelerated", seed=1).run(playouts=2000)
    assert result.memory <= 28 * result.child_slots + 48 * result.nodes + 64
