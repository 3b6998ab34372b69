"""Teams of moves in Othello and Havannah: in positions set up by hand, and the same for all that looks the same."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import tesuji
from tesuji import _core, knowledge
from tesuji.knowledge.board_records import native_board_records
from tesuji.knowledge.features import features_of, groups, harvest, level_names, named_count, part_matrices
from tesuji.knowledge.records import Record

GAMES = st.sampled_from([("othello", 8), ("havannah", 4), ("havannah", 6), ("havannah", 9)])
NATIVE: dict[str, tuple[Any, Any]] = {
    "othello": (_core.OthelloShapes, _core.OthelloMoveModel),
    "havannah": (_core.HavannahShapes, _core.HavannahMoveModel),
}


def start(game: str, size: int) -> Any:
    return tesuji.Othello() if game == "othello" else tesuji.Havannah(size)


def random_game(game: str, size: int, seed: int, length: int = 50) -> list[int]:
    position, generator = start(game, size), random.Random(seed)
    played: list[int] = []
    while len(played) < length and not position.is_over:
        played.append(generator.choice(position.legal_moves()))
        position = position.play(played[-1])
    return played


def records(game: str, size: int, moves: list[int]) -> Any:
    record = Record(name="a game", size=size, date="", moves=np.array(moves, dtype=np.uint16))
    return native_board_records(game, [record])


def shape_hashes(game: str, size: int, moves: list[int]) -> NDArray[np.uint64]:
    found: NDArray[np.uint64] = records(game, size, moves).shapes(0, 1).reshape(-1, 2)
    return found


def teams_of_record(game: str, size: int, moves: list[int], hashes: NDArray[np.uint64]) -> list[int]:
    competitions = _core.Competitions()
    records(game, size, moves).compete(0, 1, NATIVE[game][0](hashes), competitions)
    return [int(team) for team in competitions.teams(0)]


def on_square(move: int, symmetry: int) -> int:
    if move == 64:
        return move
    row, column = divmod(move, 8)
    row = 7 - row if symmetry & 1 else row
    column = 7 - column if symmetry & 2 else column
    return column * 8 + row if symmetry & 4 else row * 8 + column


def on_hexagon(move: int, size: int, symmetry: int) -> int:
    """Turned about the middle by sixths, and mirrored."""
    y, x = divmod(move, 2 * size - 1)
    x, y = x - size + 1, y - size + 1
    for _ in range(symmetry % 6):
        x, y = x - y, x
    x, y = (y, x) if symmetry >= 6 else (x, y)
    return (y + size - 1) * (2 * size - 1) + x + size - 1


def turned(game: str, size: int, symmetry: int) -> Callable[[int], int]:
    if game == "othello":
        return lambda move: on_square(move, symmetry % 8)
    return lambda move: on_hexagon(move, size, symmetry)


@given(board=GAMES, seed=st.integers(0, 10**6), symmetry=st.integers(1, 11))
@settings(max_examples=40, deadline=None)
def test_shapes_and_teams_do_not_care_how_the_board_lies(board: tuple[str, int], seed: int, symmetry: int) -> None:
    """Othello begins with discs that a quarter turn changes: its second half is looked at by the positions instead."""
    game, size = board
    moves = random_game(game, size, seed)
    turn = turned(game, size, symmetry)
    if game == "othello" and [turn(28), turn(35)] not in ([28, 35], [35, 28]):
        turn = turned(game, size, 7 if symmetry % 2 else 3)
    other = [turn(move) for move in moves]
    hashes = shape_hashes(game, size, moves)
    assert (hashes == shape_hashes(game, size, other)).all()
    known = harvest(hashes, least=1, first_size=1).hashes
    assert sorted(teams_of_record(game, size, moves, known)) == sorted(teams_of_record(game, size, other, known))


@given(seed=st.integers(0, 10**6), symmetry=st.integers(1, 7), swap=st.booleans())
@settings(max_examples=25, deadline=None)
def test_othello_priors_are_the_same_turned_and_with_colours_changed(seed: int, symmetry: int, swap: bool) -> None:
    position = tesuji.Othello()
    for move in random_game("othello", 8, seed, length=10 + seed % 40):
        position = position.play(move)
    if position.is_over:
        return
    cells = position.cells().reshape(-1)
    discs: list[list[str]] = [[], []]
    for square in np.flatnonzero(cells < 2).tolist():
        discs[int(cells[square]) ^ swap].append(position.format_move(on_square(square, symmetry)))
    # Set-up positions have no last move: both are.
    plain = [[position.format_move(int(s)) for s in np.flatnonzero(cells == colour)] for colour in (0, 1)]
    one = tesuji.Othello.from_discs(black=plain[0], white=plain[1], to_move=position.to_move)
    two = tesuji.Othello.from_discs(black=discs[0], white=discs[1], to_move=position.to_move ^ swap)
    model = knowledge.load("othello")
    found = {on_square(move, symmetry): prior for move, prior in model.priors(one).items()}
    assert model.priors(two) == pytest.approx(found, rel=1e-5)


@given(board=GAMES, seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_the_teams_of_a_record_are_those_of_its_positions(board: tuple[str, int], seed: int) -> None:
    """The positions come out of a pickle: what they know of the last moves survives it."""
    game, size = board
    moves = random_game(game, size, seed)
    shapes = harvest(shape_hashes(game, size, moves), least=1, first_size=1)
    widths = [matrix.shape[0] for matrix in part_matrices(shapes, game)]
    model = NATIVE[game][1](shapes.hashes, [np.ones(width, np.float32) for width in widths])
    position, expected = start(game, size), []
    for move in moves:
        legal = position.legal_moves()
        native = pickle.loads(pickle.dumps(position))._native
        if len(legal) > 1:
            expected += [model.team(native, other) for other in legal]
        position = position.play(move)
    # A record has the empty cells in the order of the game, a position in that of its own.
    assert sorted(teams_of_record(game, size, moves, shapes.hashes)) == sorted(expected)


def test_forced_passes_may_be_left_out() -> None:
    games = (random_game("othello", 8, seed, length=60) for seed in range(200))
    moves = next(game for game in games if 64 in game)
    without = [move for move in moves if move != 64]
    assert records("othello", 8, without).legal_lengths().tolist() == [len(without)]
    none = np.zeros(0, np.uint64)
    assert teams_of_record("othello", 8, without, none) == teams_of_record("othello", 8, moves, none)


@pytest.mark.parametrize("game", ["othello", "havannah"])
def test_a_team_has_one_feature_of_a_group_at_most(game: str) -> None:
    hashes = np.concatenate([shape_hashes(game, 8, random_game(game, 8, seed)) for seed in range(5)])
    shapes = harvest(hashes[hashes[:, 0] != 0], least=2, first_size=1)
    parts = part_matrices(shapes, game)
    assert sum(len(group) for group in groups(shapes, game)) == named_count(game) + len(shapes) == parts[0].shape[1]
    for group in groups(shapes, game):
        assert sum(part[:, group].sum(axis=1).max() for part in parts) == 1
    assert len(set(level_names(game))) == named_count(game)


# ---- by hand


def features(position: Any, move: str) -> set[str]:
    found = knowledge.load(position.game).explain(position, move)
    return {entry.feature for entry in found if not entry.feature.startswith("shape")}


def test_the_first_moves_of_othello() -> None:
    """After f5 f6 Black has c4, d3, e6 and f7; White would have c5, d6, e3, f4 and g5; f4, d6 and e6 are beside e5."""
    position = tesuji.Othello().play("f5")
    assert features(position, "f6") == {
        "square: c3, opening",
        "distance to the last move: 1",
        "moves of the opponent after it: 4, opening",
        "own moves after it: 4 or 5",
        "empty squares beside the discs turned: 3",
        "discs turned: 1, opening",
    }
    assert "turns the disc that was just placed: yes" in features(tesuji.Othello().play("f5").play("f6"), "f7")


def test_corners_of_othello() -> None:
    """White at b2 gives Black the corner a1; a corner that can be taken is no gift any more once it is taken."""
    giving = tesuji.Othello.from_discs(black=["c3", "d4", "f6"], white=["e5", "d3"], to_move=1)
    assert "the opponent and the corners: can take one more" in features(giving, "b2")
    taking = tesuji.Othello.from_discs(black=["d4", "e5"], white=["b2", "c3", "f5"], to_move=0)
    found = features(taking, "a1")
    assert "square: a1, opening" in found
    assert "discs turned: 2, opening" in found
    assert "own corners: one is left for later" in features(taking, "g5")


def test_bridges_of_havannah() -> None:
    """f6 and g8 have f7 and g7 between them, both next to both."""
    between = tesuji.Havannah.from_stones(white=["f6"], black=["c3"], size=6)
    assert "makes bridges: one" in features(between, "g8")
    bridge = tesuji.Havannah.from_stones(white=["f6", "g8"], black=["c3"], to_move=1, size=6)
    assert "breaks into a bridge of the opponent: one" in features(bridge, "f7")
    broken = features(bridge.play("f7"), "g7")
    assert "answers in a bridge that the last move broke into: between two stones" in broken
    assert "own chains that it touches: two" in broken
    assert "distance to the last move: 1" in broken
    assert not any("answers" in name for name in features(bridge.play("f7"), "f8"))
    quiet = tesuji.Havannah.from_stones(white=["f6", "g8"], black=["c3"], to_move=0, size=6)
    assert "fills an own bridge: one" in features(quiet, "f7")


def test_a_bridge_to_the_edge_of_havannah() -> None:
    position = tesuji.Havannah.from_stones(white=["d2"], black=[], to_move=1, size=6).play("c1")
    assert "answers in a bridge that the last move broke into: between a stone and the edge" in features(position, "d1")


def test_edges_corners_and_wins_of_havannah() -> None:
    chain = tesuji.Havannah.from_stones(white=["a1", "b1", "c1"], black=["f6"], size=4)
    assert {"line: corner", "wins: at once"} <= features(chain, "d1")
    defender = tesuji.Havannah.from_stones(white=["a1", "b1", "c1"], black=["f6"], to_move=1, size=4)
    assert "stops a win: that the opponent has there" in features(defender, "d1")
    along = features(chain, "c2")
    assert "its chain has: a corner and an edge, as before" in along
    assert "line: 2" in along
    reach = tesuji.Havannah.from_stones(white=["b2", "b3"], black=["f6"], size=4)
    assert "its chain has: an edge, new" in features(reach, "a2")
    assert "its chain has: a corner, new" in features(reach, "a1")


def test_a_ring_of_havannah_wins() -> None:
    ring = ["e4", "f5", "f6", "e6", "d5"]
    position = tesuji.Havannah.from_stones(white=ring, black=["b2"], size=5)
    assert "wins: at once" in features(position, "d4")
    assert "wins: at once" not in features(position, "e5")
    filled = tesuji.Havannah.from_stones(white=[*ring[1:], "d4", "e5"], black=["b2"], size=5)
    assert "wins: at once" in features(filled, "e4")


@given(size=st.sampled_from([3, 4, 5, 9]), seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_wins_of_havannah_are_those_of_the_game(size: int, seed: int) -> None:
    """What a stone would win is read off the chains without playing it: the same as when it is played."""
    position: Any = tesuji.Havannah(size)
    for move in random_game("havannah", size, seed, length=200)[:-1]:
        position = position.play(move)
    cells = position.native.cells()
    other = tesuji.Havannah._wrap(_core.havannah_setup(size, False, cells, 1 - position.to_move))
    for move in position.legal_moves():
        found = features(position, position.format_move(move))
        assert ("wins: at once" in found) == (position.play(move).winner is not None)
        assert ("stops a win: that the opponent has there" in found) == (other.play(move).winner is not None)


@given(seed=st.integers(0, 10**6), length=st.integers(1, 58))
@settings(max_examples=25, deadline=None)
def test_mobility_and_discs_of_othello_are_those_of_the_game(seed: int, length: int) -> None:
    position: Any = tesuji.Othello()
    for move in random_game("othello", 8, seed, length):
        position = position.play(move)
    for move in [move for move in position.legal_moves() if move != 64]:
        after = position.play(move)
        moves = len([reply for reply in after.legal_moves() if reply != 64])
        turned_discs = position.discs()[1 - position.to_move] - after.discs()[1 - position.to_move]
        found = features(position, position.format_move(move))
        mobility = next(name for name in found if name.startswith("moves of the opponent"))
        discs = next(name for name in found if name.startswith("discs turned"))
        assert mobility.split(": ")[1].split(",")[0] == ("13+" if moves > 12 else str(moves))
        least = discs.split(": ")[1].split(",")[0].split(" ")[0].rstrip("+")
        assert int(least) <= turned_discs <= int(least) + (20 if least == "10" else 1 if int(least) > 5 else 0)


def test_the_swap_is_as_likely_as_the_average() -> None:
    position = tesuji.Havannah(5, swap=True).play("e5")
    priors = knowledge.load("havannah").priors(position)
    assert sum(priors.values()) == pytest.approx(1, abs=1e-5)
    assert priors[position.swap_move] == pytest.approx(1 / len(priors), rel=1e-4)


def test_features_are_declared_with_names() -> None:
    for game in ("othello", "havannah"):
        assert {feature.part for feature in features_of(game)} == {1, 2, 3}
