"""Explicit trees: what the common tests of all games do not ask."""

from __future__ import annotations

import copy
import math
import pickle
import xml.etree.ElementTree as ET
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji import ArgumentError, GameStateError, IllegalMoveError, Search, TreeGame, match

DEEP = 10_000
WIDE = 10_000


def chain(depth: int, leaf: Any) -> list[Any]:
    for _ in range(depth):
        leaf = [leaf]
    return leaf  # type: ignore[no-any-return]


def cyclic() -> list[Any]:
    inner: list[Any] = [1, 0]
    outer: list[Any] = [0.5, [inner]]
    inner.append(outer)
    return outer


def doubling(levels: int) -> list[Any]:
    tree: list[Any] = [0, 1]
    for _ in range(levels):
        tree = [tree, tree]
    return tree


# ---- construction


def test_lists_are_positions_and_numbers_are_leaves() -> None:
    start = TreeGame([[1, 1, 0], [[1, 0]]])
    assert (start.num_players, start.to_move, start.legal_moves(), start.path()) == (2, 0, [0, 1], [])
    assert start.play(0).to_move == 1
    assert start.play(1).play(0).to_move == 0
    assert [start.play(0).play(move).outcome() for move in range(3)] == [(1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    end = start.play("1").play("0").play("1")
    assert (end.is_over, end.outcome(), end.path()) == (True, (0.0, 1.0), [1, 0, 1])
    with pytest.raises(GameStateError, match="not over"):
        start.outcome()


def test_a_player_may_move_twice_in_a_row() -> None:
    start = TreeGame([(0, [[1, 0], 1]), 0])
    twice = start.play(0)
    assert (start.to_move, twice.to_move, twice.play(0).to_move) == (0, 0, 1)
    assert TreeGame((1, [0, [1, 0]])).to_move == 1
    assert TreeGame((1, [0, [1, 0]])).play(1).to_move == 0
    assert TreeGame([(np.int64(1), [1])]) == TreeGame([[1]])


def test_one_player() -> None:
    start = TreeGame([[0.25, [0.75]], 0.5], one_player=True)
    assert (start.num_players, start.play(0).to_move, start.play(0).play(1).to_move) == (1, 0, 0)
    assert start.play(0).play(0).outcome() == (0.25,)
    result = Search(start, seed=1).run(playouts=2000)
    assert result.pv == (0, 1, 0)
    assert result.value == pytest.approx(0.75, abs=0.02)
    assert start != TreeGame([[0.25, [0.75]], 0.5])
    assert pickle.loads(pickle.dumps(start.play(0))) == start.play(0)
    assert str(start.play(1)) == "path: 1\nleaf of value 0.5"
    ET.fromstring(start.svg())
    with pytest.raises(ArgumentError, match="a match needs a game of two players"):
        match(start, "uct", "uct", playouts=10, games=2)


@pytest.mark.parametrize("value", [0.3, Fraction(3, 10), np.float32(0.3), np.float64(0.3)])
def test_values_are_kept_to_a_millionth(value: Any) -> None:
    first, second = TreeGame([value]).play(0).outcome()
    assert first == pytest.approx(0.3, abs=1e-6)
    assert first + second == 1
    assert str(TreeGame([value])).splitlines()[1] == "0: 0.3"


def test_whole_numbers_of_any_type() -> None:
    assert TreeGame([0, 1]) == TreeGame([0.0, 1.0]) == TreeGame([np.int8(0), np.uint64(1)])


class Verbose(list[Any]):
    """A list of another class is a list."""


def test_lists_may_be_shared() -> None:
    shared = Verbose([0, 1])
    assert TreeGame([shared, [shared]]) == TreeGame([[0, 1], [[0, 1]]])


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([], "the list at the root is empty"),
        ([1, [0.5, []]], "the list after the moves 1 1 is empty"),
        ([1, 1.01], "the leaf after the moves 1 must be a number from 0 to 1, not 1.01"),
        ([-0.1], "not -0.1"),
        ([10**400], "from 0 to 1"),
        ([math.nan], "not nan"),
        ([math.inf], "not inf"),
        ([np.float64("nan")], "from 0 to 1"),
        ([[True]], "after the moves 0 0 must be a number from 0 to 1, not True"),
        ([np.bool_(True)], "a value of type bool"),
        (["1"], "not '1'"),
        ([None], "not None"),
        ([1j], "of type complex"),
        ([{"player": 0}], "of type dict"),
        ([np.array([1, 0])], "of type ndarray"),
        (1, "the tree must be a list such as .*, not 1"),
        (None, "not None"),
        ("[1, 0]", "the tree must be a list"),
        (range(2), "of type range"),
        ([(0, 1)], r"the tuple after the moves 0 must be \(player, list of children\)"),
        ([(0, [1], 2)], r"must be \(player, list of children\)"),
        ((), "the tuple at the root"),
        ([(0, [])], "the list after the moves 0 is empty"),
        ([(2, [1])], "the player after the moves 0 must be 0 or 1, not 2"),
        ([(True, [1])], "must be 0 or 1, not True"),
        ([(0.0, [1])], "must be 0 or 1, not 0.0"),
        (cyclic(), "the list after the moves 1 0 2 is one of those that contain it"),
        (doubling(100), "more than 10,000,000 nodes"),
        ([chain(DEEP, []), 1], r"the list after the moves \.\.\. 0 0.* is empty"),
        ([{"deep": chain(DEEP * 10, 1)}], "of type dict"),
        ([(chain(DEEP * 10, 1), [1])], "0 or 1, not a value of type list"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_what_is_no_tree(tree: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message) as caught:
        TreeGame(tree)
    assert len(str(caught.value)) < 200


def test_bad_options() -> None:
    with pytest.raises(ArgumentError, match="must be 0, the only player, not 1"):
        TreeGame([(1, [1, 0])], one_player=True)
    with pytest.raises(ArgumentError, match="one_player must be True or False"):
        TreeGame([1], one_player=1)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="more than 10,000,000"):
        TreeGame.random(branching=2, depth=24)
    with pytest.raises(ArgumentError, match="depth must be"):
        TreeGame.random(depth=0)


def test_random_trees_repeat() -> None:
    assert TreeGame.random(seed=3) == TreeGame.random(seed=3) != TreeGame.random(seed=4)
    assert TreeGame.random(branching=1, depth=50).play(0).legal_moves() == [0]


# ---- deep and wide


def test_deep_trees() -> None:
    start = TreeGame(chain(DEEP, [0.25, 0.75]))
    position = start
    for _ in range(DEEP):
        position = position.play(0)
    assert position.legal_moves() == [0, 1]
    assert position.path() == [0] * DEEP
    for deep in (start, position):
        assert pickle.loads(pickle.dumps(deep)) == copy.deepcopy(deep) == deep
        assert max(len(str(deep)), len(repr(deep)), len(deep.svg())) < 5000
    assert str(position).startswith(f"path: ... ({DEEP - 12:,} moves) 0 0")
    result = Search(start, seed=1).run(playouts=DEEP + 1000)
    assert len(result.pv) == DEEP + 1
    assert result.value == pytest.approx(0.5, abs=0.3)
    assert result.to_json()


def test_wide_trees() -> None:
    start = TreeGame([[0] * WIDE, [0.5] * (WIDE - 1) + [1]])
    assert start.num_distinct_moves == WIDE
    position = start.play(1)
    assert position.is_legal(str(WIDE - 1))
    assert not start.is_legal(2)
    with pytest.raises(IllegalMoveError, match="the moves here are 0 to 1"):
        start.play(2)
    assert f"... and {WIDE - 16:,} more" in str(position)
    assert max(len(str(position)), len(position.svg())) < 5000
    assert pickle.loads(pickle.dumps(position)) == position
    result = Search(start, seed=1).run(playouts=5 * WIDE)
    assert result.best_move == 1


# ---- values


def test_equality_is_of_the_whole_tree_and_the_node() -> None:
    start = TreeGame([[1, 0], [1, 0]])
    assert start.play(0) == TreeGame([[1, 0], [1, 0]]).play(0)
    assert start.play(0) != start.play(1)
    assert start.play(0) != TreeGame([[1, 0], [1, 0.5]]).play(0)
    assert start != TreeGame([(0, [1, 0]), [1, 0]])
    assert len({start, start.play(0), start.play(1), TreeGame([[1, 0], [1, 0]])}) == 3


def test_pictures_show_the_upper_levels() -> None:
    root = ET.fromstring(TreeGame([[1, 0.3], (0, [[0, 1]]), 0.25]).svg())
    assert len(root.findall("{*}circle")) == 4
    assert [label.text for label in root.findall("{*}text")] == ["0.25", "1", "0.3", "0", "1"]
    assert len(root.findall("{*}line")) == 8
    wide = ET.fromstring(TreeGame([0.5] * 100).svg())
    assert [label.text for label in wide.findall("{*}text")] == ["0.5"] * 16 + ["..."]


def test_text_shows_where_each_move_leads() -> None:
    text = str(TreeGame([(0, [1]), [1, 0], 0.125]))
    lines = [
        "path: none, this is the root",
        "0: 1 move for First",
        "1: 2 moves for Second",
        "2: 0.125",
        "First to move",
    ]
    assert text.splitlines() == lines


def test_planes_show_the_legal_moves() -> None:
    planes = TreeGame([[1, 0], 1, 0.5]).play(0).planes()
    assert planes.shape == (4, 1, 3)
    assert planes[2].tolist() == [[1, 1, 0]]
    assert planes[3].tolist() == [[1, 1, 1]]


# ---- search

trees = st.recursive(
    st.integers(0, 4).map(lambda quarters: quarters / 4), lambda t: st.lists(t, min_size=1, max_size=3)
)


def minimax(tree: Any, player: int) -> float:
    if not isinstance(tree, list):
        return float(tree)
    values = [minimax(child, 1 - player) for child in tree]
    return max(values) if player == 0 else min(values)


def same(tree: Any, position: TreeGame, player: int) -> None:
    if not isinstance(tree, list):
        assert position.outcome() == (tree, 1 - tree)
        return
    assert position.to_move == player
    assert position.legal_moves() == list(range(len(tree)))
    for move, child in enumerate(tree):
        same(child, position.play(move), 1 - player)


@given(st.lists(trees, min_size=1, max_size=3))
def test_any_tree_is_the_game_that_it_looks_like(tree: Any) -> None:
    same(tree, TreeGame(tree), 0)


@pytest.mark.parametrize("seed", range(5))
def test_the_search_finds_the_minimax_move(seed: int) -> None:
    start = TreeGame.random(branching=3, depth=3, seed=seed)
    tree = [[[start.play(a).play(b).play(c).outcome()[0] for c in range(3)] for b in range(3)] for a in range(3)]
    result = Search(start, seed=1).run(playouts=50_000)
    values = [minimax(child, 1) for child in tree]
    assert values[result.best_move] >= max(values) - 0.03
    assert result.value == pytest.approx(max(values), abs=0.06)
