"""Selection rules written in Python: the same equation gives the same search, to the last bit, as in C++."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.unit.own_games import Auction, Dice, Heap
from tesuji import knowledge
from tesuji.errors import ArgumentError, RuleError, UnsuitedEngineError
from tesuji.own_rules import ChildTerms, ParentTerms, RootChildren, Selection


def ucb1(parent: ParentTerms, child: ChildTerms) -> Any:
    return child.value + 0.7 * parent.root_log_visits * child.inverse_root


def ucb_tuned1(parent: ParentTerms, child: ChildTerms) -> Any:
    variance = np.maximum(0.001, child.value * (1 - child.value))
    return child.value + np.sqrt(variance * parent.log_visits / child.visits)


def puct(parent: ParentTerms, child: ChildTerms) -> Any:
    return child.value + 1.25 * np.sqrt(max(parent.visits, 1.0)) * child.prior / (1 + child.visits)


# The engine, and the rule with the engine whose selection it replaces.
RULES: dict[str, tuple[Any, str]] = {
    "uct(c=0.7)": (ucb1, "uct"),
    "uct(c=0.7,fpu=0.8)": (ucb1, "uct(fpu=0.8)"),
    "ucb-tuned1": (ucb_tuned1, "uct"),
    "puct": (Selection(score=puct, scores_unvisited=True, uses_prior=True), "uct"),
}
BACKUPS = ["mean", "discounted(k=3)", "accelerated(k=3)", "mix(q=0.5,m=10)", "solver"]


def found(result: tesuji.SearchResult) -> list[Any]:
    return [(entry.move, entry.visits, entry.value) for entry in result.moves]


@pytest.mark.parametrize("backup", BACKUPS)
@pytest.mark.parametrize("engine", RULES)
def test_python_and_cpp_are_one_rule(engine: str, backup: str) -> None:
    rule, base = RULES[engine]
    positions = [tesuji.Othello(), tesuji.Go(5), tesuji.TicTacToe()]
    if backup != "solver":
        positions += [Auction(), Dice()]  # type: ignore[list-item]  # games of one's own
    for position in positions:
        native = tesuji.Search(position, f"{engine}+{backup}", seed=3).run(playouts=300)
        own = tesuji.Search(position, f"{base}+{backup}", seed=3, selection=rule).run(playouts=300)
        assert found(own) == found(native), position


def test_priors_of_a_model() -> None:
    rule, _ = RULES["puct"]
    model = knowledge.load("go9")
    native = tesuji.Search(tesuji.Go(9), "puct", seed=3, model=model).run(playouts=200)
    own = tesuji.Search(tesuji.Go(9), seed=3, model=model, selection=rule).run(playouts=200)
    assert found(own) == found(native)
    assert len({entry.prior for entry in own.moves}) > 10


FINALS: dict[str, Any] = {
    "balanced": lambda children: np.where(
        children.visits > 0, children.value + children.visits / children.visits.max(), -np.inf
    ),
    "balanced+final-weight=0.3": lambda children: np.where(
        children.visits > 0, children.value + 0.3 * children.visits / children.visits.max(), -np.inf
    ),
    "value": lambda children: np.where(children.visits > 0, children.value, -np.inf),
    "lcb": lambda children: np.where(
        children.visits > 0,
        children.value - np.sqrt(np.log(children.visits.sum()) / np.maximum(children.visits, 1)),
        -np.inf,
    ),
}


@pytest.mark.parametrize("name", FINALS)
def test_final_rules(name: str) -> None:
    for seed in range(20):
        native = tesuji.Search(tesuji.Othello(), f"uct+final={name}", seed=seed).run(playouts=60)
        own = tesuji.Search(tesuji.Othello(), seed=seed, final=FINALS[name])
        assert own.run(playouts=60).best_move == native.best_move
        assert own.best_move() == native.best_move


def test_threads_may_ask_at_once() -> None:
    for engine in ("uct", "uct+parallel=root", "uct+parallel=mutex"):
        result = tesuji.Search(tesuji.Othello(), engine, threads=3, selection=ucb1, final=FINALS["value"]).run(400)
        assert result.visits == 400


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda _parent, child: child.value[1:], r"scores of the shape \(3,\) for 4 children"),
        (lambda _parent, _child: 1.0, r"scores of the shape \(1,\) for 4 children"),
        (lambda _parent, _child: "high", "must give an array of numbers, not 'high'"),
        (lambda _parent, child: child.value * np.nan, "no number"),
    ],
)
def test_wrong_answers(rule: Any, message: str) -> None:
    search = tesuji.Search(tesuji.Othello(), seed=1, selection=rule)
    with pytest.raises(RuleError, match=message):
        search.run(playouts=50)
    # What was searched until then is still right: no visit is left over from the playout that failed.
    tree = search.tree()
    assert tree.visits[0] == tree.visits[tree.children()].sum() == 4


def test_an_exception_reaches_the_caller() -> None:
    def broken(_children: RootChildren) -> Any:
        raise ZeroDivisionError("of the rule")

    search = tesuji.Search(tesuji.Othello(), seed=1, final=broken)
    with pytest.raises(ZeroDivisionError, match="of the rule"):
        search.run(playouts=50)


@pytest.mark.parametrize(
    ("engine", "rules", "error", "message"),
    [
        ("uct", {"selection": 3}, ArgumentError, "selection must be a function"),
        ("uct", {"final": "visits"}, ArgumentError, "final must be a function"),
        ("uct", {"selection": Selection(score=ucb1, uses_prior=1)}, ArgumentError, "uses_prior must be True or"),  # type: ignore[arg-type]
        ("puct", {"selection": ucb1}, ArgumentError, "takes the place of puct"),
        ("uct+rave", {"selection": ucb1}, UnsuitedEngineError, "takes no RAVE"),
        ("uct+bias", {"selection": ucb1}, UnsuitedEngineError, "no bias"),
    ],
)
def test_what_does_not_go_together(engine: str, rules: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tesuji.Search(tesuji.Othello(), engine, **rules)


def test_a_rule_that_holds_its_search_is_collected() -> None:
    class Holder:
        search: tesuji.Search

        def rule(self, parent: ParentTerms, child: ChildTerms) -> Any:
            return ucb1(parent, child)

    holder = Holder()
    holder.search = tesuji.Search(Heap(), seed=1, selection=holder.rule)
    holder.search.run(playouts=20)
    watched = weakref.ref(holder)
    del holder
    gc.collect()
    assert watched() is None
