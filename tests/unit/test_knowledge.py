"""Evaluators and playout policies written in Python, for native games and the user's own."""

from __future__ import annotations

import ctypes
import gc
import random
import weakref
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.unit.own_games import Auction, Dice, Heap
from tesuji import ArgumentError, EvaluatorError, Othello, Search, TicTacToe


def evens(positions: list[Any]) -> tuple[None, list[float]]:
    """Knows nothing."""
    return None, [0.5] * len(positions)


def test_an_evaluator_judges_in_place_of_playouts() -> None:
    def judge(positions: list[TicTacToe]) -> tuple[None, list[float]]:
        assert all(not position.is_over for position in positions)
        # The centre is everything: its owner has won.
        owners = [int(position.cells()[1, 1]) for position in positions]
        return None, [
            0.5 if owner == 2 else float(owner == position.to_move)
            for owner, position in zip(owners, positions, strict=True)
        ]

    result = Search(TicTacToe(), "puct", seed=1, evaluator=judge, batch=8).run(playouts=400)
    assert result.moves[0].text == TicTacToe().format_move(4)
    assert result.value > 0.9
    assert result.visits == 400


@pytest.mark.parametrize("engine", ["puct", "uct"])
def test_a_batch_of_64_is_asked_at_most_a_32nd_as_often_as_there_are_leaves(engine: str) -> None:
    calls = leaves = 0

    def count(positions: list[Othello]) -> tuple[None, list[float]]:
        nonlocal calls, leaves
        calls += 1
        leaves += len(positions)
        assert len(positions) <= 64
        return None, [0.5] * len(positions)

    result = Search(Othello(), engine, seed=1, evaluator=count, batch=64).run(playouts=6400)
    assert result.visits == 6400
    assert leaves >= 6400
    assert calls <= leaves / 32


def test_priors_lead_the_search_and_are_shown() -> None:
    opening = Othello()
    favourite = opening.legal_moves()[2]

    def by_legal_move(positions: list[Othello]) -> tuple[list[list[float]], None]:
        return [[8.0 if move == favourite else 1.0 for move in p.legal_moves()] for p in positions], None

    def by_move_number(positions: list[Othello]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        priors = np.ones((len(positions), opening.num_distinct_moves), dtype=np.float32)
        priors[:, favourite] = 8
        return priors, np.full(len(positions), 0.5)

    for evaluator in (by_legal_move, by_move_number):
        result = Search(opening, "puct(c=5)", seed=1, evaluator=evaluator, batch=4).run(playouts=200)
        assert result.best_move == favourite
        priors = {entry.move: entry.prior for entry in result.moves}
        assert priors[favourite] == pytest.approx(8 / 11)
        assert sum(prior or 0 for prior in priors.values()) == pytest.approx(1)
        assert result.moves[0].visits > 0.5 * result.visits


def test_a_share_of_the_prior_may_be_spread_evenly() -> None:
    opening = Othello()
    favourite = opening.legal_moves()[2]

    def prefer(positions: list[Othello]) -> tuple[list[list[float]], None]:
        return [[8.0 if move == favourite else 1.0 for move in p.legal_moves()] for p in positions], None

    for share in (0.2, 1.0):
        result = Search(opening, f"puct(even={share})", seed=1, evaluator=prefer, batch=4).run(playouts=50)
        for entry in result.moves:
            known = (8 if entry.move == favourite else 1) / 11
            # It is shown as it was given, as long as anything is left of it.
            assert entry.prior == pytest.approx(known if share < 1 else 1 / 4, rel=1e-5)


def test_a_move_without_prior_is_found_only_if_some_of_it_is_spread_evenly() -> None:
    almost_won = TicTacToe().play(0).play(3).play(1).play(4)
    winning = 2

    def overlook(positions: list[TicTacToe]) -> tuple[list[list[float]], None]:
        return [[0.0 if move == winning else 1.0 for move in p.legal_moves()] for p in positions], None

    def visits(engine: str) -> int:
        result = Search(almost_won, engine, seed=1, evaluator=overlook).run(playouts=1000)
        return next(entry.visits for entry in result.moves if entry.move == winning)

    assert visits("puct") == 0
    assert visits("puct(even=0.1)") > 500


def test_very_large_priors_are_shares_as_well() -> None:
    def priors_of(prior: float) -> list[float | None]:
        search = Search(
            Othello(), "puct", seed=1, evaluator=lambda positions: (np.full((len(positions), 65), prior), None)
        )
        return [move.prior for move in search.run(playouts=50).moves]

    assert priors_of(1e308) == priors_of(1.0) == [0.25] * 4


def test_puct_without_an_evaluator_has_the_same_prior_for_all() -> None:
    result = Search(Othello(), "puct", seed=1).run(playouts=1000)
    assert [entry.prior for entry in result.moves] == [0.25] * 4


def test_values_for_one_two_and_many_players() -> None:
    seen: list[int] = []

    def for_the_mover(positions: list[Heap]) -> tuple[None, list[float]]:
        seen.extend(position.to_move for position in positions)
        return None, [0.9 if position.to_move == 1 else 0.2 for position in positions]

    result = Search(Heap(60), "puct", seed=1, evaluator=for_the_mover).run(playouts=3)
    assert set(seen) == {0, 1}
    assert result.value == pytest.approx(0.1, abs=1e-5)  # after a move of player 0 the other has 0.9

    def for_everybody(positions: list[Auction]) -> tuple[None, list[list[float]]]:
        return None, [[1.0, -2.0, 0.0] for _ in positions]

    auction = Search(Auction(), "puct", seed=1, evaluator=for_everybody).run(playouts=4)
    assert auction.value == pytest.approx(1.0, abs=1e-5)

    dice = Search(Dice(5), "puct", seed=1, evaluator=lambda positions: (None, [7.0] * len(positions)))
    assert dice.run(playouts=1).value == pytest.approx(7.0, abs=1e-4) or dice.result().value == pytest.approx(5.0)

    with pytest.raises(EvaluatorError, match="shape"):
        Search(Auction(), "puct", evaluator=lambda positions: (None, [1.0] * len(positions))).run(playouts=4)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "returns .priors, values."),
        (([], [0.5]), "rows of priors"),
        (([[1.0]], [0.5]), "1 priors for a position of 4"),
        (([[1.0, 1.0, 1.0, -1.0]], [0.5]), "at least 0"),
        (([[1.0, 1.0, 1.0, float("nan")]], [0.5]), "finite"),
        (([["a", "b", "c", "d"]], [0.5]), "must be numbers"),
        ((1.0, [0.5]), "priors are a list or an array"),
        (([None], [0.5]), "priors are a list or an array"),
        (([dict.fromkeys(Othello().legal_moves(), 0.25)], [0.5]), "priors are a list or an array"),
        ((None, np.array([0.5j])), "must be numbers"),
        ((np.ones((1, 3)), [0.5]), "has none for move"),
        ((None, [1.5]), "within the game's rewards"),
        ((None, [float("inf")]), "finite"),
        ((None, [0.5, 0.5, 0.5]), "shape"),
        ((None, "many"), "must be numbers"),
    ],
)
def test_wrong_answers_of_an_evaluator(answer: Any, message: str) -> None:
    search = Search(Othello(), "puct", seed=1, evaluator=lambda positions: answer)
    with pytest.raises(EvaluatorError, match=message):
        search.run(playouts=10)


def test_what_an_evaluator_raises_leaves_the_search_usable() -> None:
    fails = False

    def moody(positions: list[Othello]) -> tuple[None, list[float]]:
        if fails:
            raise ConnectionError("the network is down")
        return evens(positions)

    search = Search(Othello(), "puct", seed=1, evaluator=moody, batch=16)
    before = search.run(playouts=160).visits
    fails = True
    with pytest.raises(ConnectionError, match="down"):
        search.run(playouts=160)
    result = search.result()
    assert result.visits == before == sum(entry.visits for entry in result.moves)
    fails = False
    assert search.run(playouts=40).visits == before + 40


def test_an_evaluator_that_holds_its_search_is_collected() -> None:
    class Network:
        def __init__(self) -> None:
            self.search = Search(Othello(), "puct", seed=1, evaluator=self.judge)

        def judge(self, positions: list[Othello]) -> tuple[None, list[float]]:
            return evens(positions)

    network = Network()
    network.search.run(playouts=10)
    reference = weakref.ref(network)
    del network
    gc.collect()
    assert reference() is None


def test_a_policy_plays_the_playouts() -> None:
    """Against a perfect player "two" is the one move that wins, and it always does."""

    def perfect(position: Heap, moves: list[str], rng: random.Random) -> str:
        wanted = position.stones % 4
        return Heap.WORDS[wanted - 1] if wanted else rng.choice(moves)

    result = Search(Heap(6), "uct+expand=1000", seed=1, policy=perfect).run(playouts=30)
    values = {entry.move: entry.value for entry in result.moves}
    assert values == {"one": 0.0, "two": 1.0, "three": 0.0}


def test_a_policy_for_a_native_game_is_seeded_and_gets_its_positions() -> None:
    def greedy(position: Othello, moves: list[int], rng: random.Random) -> int:
        assert isinstance(position, Othello)
        assert moves == position.legal_moves() or set(moves) == set(position.legal_moves())
        return rng.choice(moves)

    results = [Search(Othello(), seed=5, policy=greedy).run(playouts=20) for _ in range(2)]
    assert results[0].moves == results[1].moves


def test_wrong_policies() -> None:
    with pytest.raises(EvaluatorError, match="none of the legal moves"):
        Search(Othello(), seed=1, policy=lambda position, moves, rng: 99).run(playouts=1)
    with pytest.raises(ArgumentError, match="policy must be a function"):
        Search(Othello(), policy=7)
    with pytest.raises(ArgumentError, match="needs a compiled game"):
        Search(Othello(), policy=ctypes.CFUNCTYPE(None)(lambda: None))
    with pytest.raises(ZeroDivisionError):
        Search(Othello(), seed=1, policy=lambda position, moves, rng: moves[1 // 0]).run(playouts=1)
    with pytest.raises(ArgumentError, match=r"^batch must be"):  # the engine is not to blame
        Search(Othello(), evaluator=evens, batch=0)
    with pytest.raises(ArgumentError, match="evaluator must be"):
        Search(Othello(), evaluator=7)  # type: ignore[arg-type]
    assert tesuji.Search(Othello(), evaluator=evens, batch=1).run(playouts=5).visits == 5
