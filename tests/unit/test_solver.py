"""The solver: its proofs against brute force, and what a proven position does to a search."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import tesuji
from tests.unit.own_games import Auction, Corridor, Heap

WORDS = {1.0: "win", 0.5: "draw", 0.0: "loss"}
BACKUPS = ("mean", "discounted(k=2)", "accelerated(k=2)", "mix(q=0.8,m=10)")


def random_tree(seed: int) -> tesuji.TreeGame:
    """Wins, draws and losses; now and then a player moves twice in a row."""
    rng = random.Random(seed)

    def subtree(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.1:
            return rng.choice((0, 0.5, 0.5, 1))
        children = [subtree(depth - 1) for _ in range(rng.randint(1, 4))]
        return (rng.randrange(2), children) if rng.random() < 0.3 else children

    return tesuji.TreeGame([subtree(5) for _ in range(4)], one_player=False)


@cache
def minimax(position: Any) -> float:
    """The first player's reward with best play."""
    if position.is_over:
        return float(position.outcome()[0])
    values = [minimax(position.play(move)) for move in position.legal_moves()]
    return max(values) if position.to_move == 0 else min(values)


def worth(position: Any, player: int) -> str:
    return WORDS[minimax(position) if player == 0 else 1 - minimax(position)]


def assert_true(result: tesuji.SearchResult) -> None:
    """Everything that the result claims to be proven is so, and the move that it plays is a best one."""
    position = result.position
    for entry in result.moves:
        if entry.proven is not None:
            assert entry.proven == worth(position.play(entry.move), position.to_move)
            assert entry.value == {"win": 1.0, "draw": 0.5, "loss": 0.0}[entry.proven]
    if result.proven is not None:
        assert (
            result.proven
            == worth(position, position.to_move)
            == worth(position.play(result.best_move), position.to_move)
        )


@pytest.mark.parametrize("backup", BACKUPS)
def test_proofs_in_random_trees_are_those_of_brute_force(backup: str) -> None:
    for seed in range(40):
        search = tesuji.Search(random_tree(seed), f"uct+{backup}+solver+expand={1 + seed % 3}", seed=seed)
        for _ in range(10):
            assert_true(search.run(playouts=7))
        result = search.run(playouts=100_000)
        assert result.stopped_by == "proven"
        assert_true(result)
        assert result.playouts < 100_000


@pytest.mark.parametrize("selection", ["uct(fpu=0.6)", "ucb-tuned1", "ucb-tuned2", "puct", "bast"])
def test_every_selection_rule_can_be_solved_with(selection: str) -> None:
    for seed in range(10):
        result = tesuji.Search(random_tree(seed), f"{selection}+solver", seed=seed).run(playouts=100_000)
        assert result.stopped_by == "proven"
        assert_true(result)


def test_widening_does_not_hold_a_proof_back() -> None:
    """One move at a time, for ever: what is proven must make room for the next."""
    for seed in range(10):
        result = tesuji.Search(random_tree(seed), "uct+widening(mu=1e6)+solver", seed=seed).run(playouts=20_000)
        assert result.stopped_by == "proven"
        assert_true(result)


def test_tic_tac_toe_is_a_draw_and_stays_one() -> None:
    search = tesuji.Search(tesuji.TicTacToe(), "uct+solver", seed=1)
    result = search.run(playouts=1_000_000)
    assert (result.stopped_by, result.proven, result.value) == ("proven", "draw", 0.5)
    while True:
        assert_true(result)
        search.advance(result.best_move)
        if search.position.is_over:
            break
        result = search.run(playouts=1_000_000)
        assert result.proven == "draw"
    assert search.position.outcome() == (0.5, 0.5)


def test_a_win_is_seen_and_played_and_a_loss_avoided() -> None:
    start = tesuji.TicTacToe()
    corner, edge, middle, right, other_corner = 0, 1, 4, 2, 8
    # The first player has two in the upper row and is to move.
    winning = start.play(corner).play(middle).play(edge).play(other_corner)
    result = tesuji.Search(winning, "uct+solver", seed=1).run(playouts=1000)
    assert (result.stopped_by, result.proven, result.best_move) == ("proven", "win", right)
    assert result.playouts < 50
    # The same with the second player to move, who must stop the row.
    result = tesuji.Search(start.play(corner).play(middle).play(edge), "uct+solver", seed=1).run(playouts=400)
    assert result.best_move == right
    assert {entry.proven for entry in result.moves if entry.move != right} == {"loss"}


def othello_endgame(empty: int, seed: int) -> tesuji.Othello:
    """A position of random play with so many squares empty, or fewer."""
    rng = random.Random(seed)
    position = tesuji.Othello()
    while sum(position.discs()) < 64 - empty and not position.is_over:
        position = position.play(rng.choice(position.legal_moves()))
    return position


@pytest.mark.parametrize("backup", [*BACKUPS, "max(discs)"])
def test_othello_endgames(backup: str) -> None:
    for seed in range(8):
        position = othello_endgame(7, seed)
        if position.is_over:
            continue
        result = tesuji.Search(position, f"uct+{backup}+solver", seed=seed).run(playouts=200_000)
        assert result.stopped_by == "proven"
        assert_true(result)


def test_an_own_game_of_two_is_solved_and_one_of_three_refused() -> None:
    for stones in (5, 8, 9):
        result = tesuji.Search(Heap(stones), "uct+solver", seed=1).run(playouts=50_000)
        assert (result.stopped_by, result.proven) == ("proven", "loss" if stones % 4 == 0 else "win")
        assert stones % 4 == 0 or Heap.WORDS.index(result.best_move) + 1 == stones % 4
    with pytest.raises(tesuji.ArgumentError, match="one or two players"):
        tesuji.Search(Auction(), "uct+solver")


def test_one_player_is_content_with_the_highest_reward() -> None:
    result = tesuji.Search(Corridor(length=5, wide=3), "uct+solver", seed=1).run(playouts=10_000)
    assert (result.stopped_by, result.proven) == ("proven", "win")


@pytest.mark.parametrize("batch", [1, 8])
def test_an_evaluator_and_a_solver(batch: int) -> None:
    def evaluator(positions: list[Any]) -> tuple[None, list[float]]:
        return None, [0.5] * len(positions)

    for seed in range(10):
        engine = f"uct+{BACKUPS[seed % 4]}+solver"
        search = tesuji.Search(random_tree(seed), engine, seed=seed, evaluator=evaluator, batch=batch)
        assert_true(search.run(playouts=30))
        result = search.run(playouts=100_000)
        assert result.stopped_by == "proven"
        assert_true(result)


def test_after_a_move_the_proof_is_that_of_the_new_position() -> None:
    """Also after a bad move from a won position, and after one of which nothing is known yet."""
    for seed in range(12):
        game = random_tree(seed)
        for move in game.legal_moves():
            search = tesuji.Search(game, "uct+solver", seed=seed)
            search.run(playouts=100_000)
            search.advance(move)
            if search.position.is_over:
                continue
            result = search.run(playouts=100_000)
            assert result.stopped_by == "proven"
            assert_true(result)


def test_a_run_on_a_proven_root_ends_at_once() -> None:
    search = tesuji.Search(random_tree(3), "uct+solver", seed=3)
    first = search.run(playouts=100_000)
    again = search.run(playouts=100_000)
    assert (again.playouts, again.stopped_by, again.best_move) == (0, "proven", first.best_move)
    assert again.to_dict()["proven"] == first.proven
    assert {entry["proven"] for entry in again.to_dict()["moves"]} <= {"win", "draw", "loss", None}


def test_a_proof_takes_one_byte_a_child() -> None:
    plain, solved = (tesuji.Search(tesuji.Go(9), engine, seed=1).run(playouts=2000) for engine in ("uct", "uct+solver"))
    assert [entry.visits for entry in plain.moves] == [entry.visits for entry in solved.moves]
    assert plain.memory < solved.memory <= plain.memory + plain.child_slots + 8 * plain.nodes
