"""Teams of Go moves: the same for a record as for its positions one by one, and for all that looks the same."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import tesuji
from tesuji import _core
from tesuji.knowledge.features import PARTS, SHAPE_SIZES, first_shape, groups, harvest, part_matrices, part_weights
from tesuji.knowledge.records import Record, native_records

SIZES = st.sampled_from([5, 9, 13])


def random_game(size: int, seed: int, moves: int = 60) -> list[int]:
    position, generator = tesuji.Go(size, superko=False), random.Random(seed)
    played: list[int] = []
    while len(played) < moves and not position.is_over:
        legal = position.legal_moves()
        # Mostly near the last move, so that stones are captured.
        near = [move for move in legal if played and abs(move - played[-1]) in (1, size - 1, size, size + 1)]
        played.append(generator.choice(near if near and generator.random() < 0.7 else legal))
        position = position.play(played[-1])
    return played


def record(size: int, moves: list[int]) -> Record:
    return Record(name="a game", size=size, date="", moves=np.array(moves, dtype=np.uint16))


def shape_hashes(size: int, moves: list[int]) -> NDArray[np.uint64]:
    return native_records([record(size, moves)]).shapes(0, 1).reshape(-1, SHAPE_SIZES)


def turned(move: int, size: int, symmetry: int) -> int:
    if move == size * size:
        return move
    row, column = divmod(move, size)
    row = size - 1 - row if symmetry & 1 else row
    column = size - 1 - column if symmetry & 2 else column
    return column * size + row if symmetry & 4 else row * size + column


def teams_of_record(size: int, moves: list[int], shapes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    competitions = _core.Competitions()
    native_records([record(size, moves)]).compete(0, 1, _core.GoShapes(shapes), competitions)
    return competitions.teams(0)


@given(size=SIZES, seed=st.integers(0, 10**6), symmetry=st.integers(1, 7))
@settings(max_examples=25, deadline=None)
def test_shapes_and_teams_do_not_care_how_the_board_lies(size: int, seed: int, symmetry: int) -> None:
    moves = random_game(size, seed)
    other = [turned(move, size, symmetry) for move in moves]
    hashes = shape_hashes(size, moves)
    assert (hashes == shape_hashes(size, other)).all()
    shapes = harvest(hashes, least=2).hashes
    found = [np.sort(teams_of_record(size, game, shapes)) for game in (moves, other)]
    assert (found[0] == found[1]).all()


@given(size=SIZES, seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_shapes_are_seen_by_the_player_to_move(size: int, seed: int) -> None:
    """After a pass the same moves are played with the colours changed."""
    moves = random_game(size, seed)
    assert (shape_hashes(size, moves) == shape_hashes(size, [size * size, *moves])[1:]).all()


def test_different_shapes_have_different_hashes() -> None:
    """One stone on each point of the fifth of an empty board that no symmetry changes into another."""
    size, centre = 19, 180
    seen = set()
    for row in range(10):
        for column in range(row, 10):
            stone = row * size + column
            if stone != centre:
                seen.add(tuple(shape_hashes(size, [stone, centre])[1].tolist()))
    # Points farther away than the largest shape reaches look alike.
    reach = [(9 - row, 9 - column) for row in range(10) for column in range(row, 10)]
    near = [x + y + max(x, y) for x, y in reach if 0 < x + y + max(x, y) <= 14]
    assert len(seen) == len(near) + 1


def test_a_larger_shape_differs_where_the_smaller_is_the_same() -> None:
    one, two = shape_hashes(9, [40, 42])[1], shape_hashes(9, [40, 43])[1]
    assert one[0] == shape_hashes(9, [0, 42])[1][0]
    assert one[1] == shape_hashes(9, [0, 42])[1][1]
    assert one[2] != two[2]
    assert len(set(one.tolist())) == SHAPE_SIZES


def last_shapes(moves: str, size: int = 9) -> list[int]:
    """The shapes around the last of these moves."""
    board = tesuji.Go(size)
    found: list[int] = shape_hashes(size, [board.parse_move(move) for move in moves.split()])[-1].tolist()
    return found


def test_shapes_tell_the_liberties_next_to_them() -> None:
    """White plays E5 over the black stones E4 and F4. What surrounds them from below is outside the square."""
    two = last_shapes("E4 D4 F4 E3 J9 F3 A1 G4 A9 E5")
    three = last_shapes("E4 D4 F4 E3 J9 F3 A1 H3 A9 E5")
    five = last_shapes("E4 D4 F4 H1 J9 H2 A1 H3 A9 E5")
    assert two[0] == three[0] == five[0]
    assert two[1] != three[1] == five[1]


def test_shapes_tell_the_last_stone_unless_it_must_not_be_known() -> None:
    board = tesuji.Go(9)
    first, second = ([board.parse_move(move) for move in text.split()] for text in ("E3 A1 J9 E5", "J9 A1 E3 E5"))
    assert shape_hashes(9, first)[-1][:2].tolist() == shape_hashes(9, second)[-1][:2].tolist()
    assert shape_hashes(9, first)[-1][2] != shape_hashes(9, second)[-1][2]
    unmarked = [native_records([record(9, moves)]).shapes(0, 1, False) for moves in (first, second)]
    assert (unmarked[0][-SHAPE_SIZES:] == unmarked[1][-SHAPE_SIZES:]).all()


@given(size=SIZES, seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_the_teams_of_a_record_are_those_of_its_positions(size: int, seed: int) -> None:
    """A record is replayed on one board that is kept up to date; here every position has a board of its own."""
    moves = random_game(size, seed, moves=40)
    shapes = harvest(shape_hashes(size, moves), least=1)
    widths = [matrix.shape[0] for matrix in part_matrices(shapes)]
    model = _core.GoMoveModel(shapes.hashes, [np.ones(width, np.float32) for width in widths])
    position = tesuji.Go(size, superko=False)
    expected: list[int] = []
    for move in moves:
        native: Any = position.native
        expected += [model.team(native, legal) for legal in position.legal_moves()]
        position = position.play(move)
    assert teams_of_record(size, moves, shapes.hashes).tolist() == expected


def test_harvested_shapes_lie_within_each_other() -> None:
    hashes = np.concatenate([shape_hashes(9, random_game(9, seed)) for seed in range(30)])
    shapes = harvest(hashes, least=3)
    assert len(shapes) > 50
    has_parent = shapes.parents >= 0
    assert (shapes.sizes[shapes.parents[has_parent]] == shapes.sizes[has_parent] - 1).all()
    row_of = {int(value): row for row in hashes for value in row}
    for shape in np.flatnonzero(has_parent):
        row = row_of[int(shapes.hashes[shape])].tolist()
        assert shapes.hashes[shapes.parents[shape]] == row[row.index(int(shapes.hashes[shape])) - 1]


def test_a_team_has_one_feature_of_a_group_at_most() -> None:
    shapes = harvest(np.concatenate([shape_hashes(9, random_game(9, seed)) for seed in range(5)]), least=2)
    parts = part_matrices(shapes)
    assert len(parts) == PARTS
    assert sum(len(group) for group in groups(shapes)) == first_shape() + len(shapes) == parts[0].shape[1]
    for group in groups(shapes):
        assert sum(part[:, group].sum(axis=1).max() for part in parts) == 1


def test_weights_are_summed_as_the_matrices_say() -> None:
    shapes = harvest(np.concatenate([shape_hashes(9, random_game(9, seed)) for seed in range(5)]), least=2)
    weights = np.random.default_rng(3).normal(size=first_shape() + len(shapes))
    for without in ((), ("distance", "line")):
        found = part_weights(weights, shapes, without=without)
        for part, sums in zip(part_matrices(shapes, without=without), found, strict=True):
            assert np.allclose(part @ weights, sums)
