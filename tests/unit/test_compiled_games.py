"""Games as compiled functions: the same as their plain form, without Python, with every answer checked."""

from __future__ import annotations

import ctypes
import pickle
import random
import threading
from typing import Any

import numpy as np
import pytest
from numba import cfunc

from examples import connect_four_numba
from examples.connect_four_numba import connect_four
from tesuji import ArgumentError, CompiledGame, GameError, IllegalMoveError, Search

STATE = np.zeros(3, dtype=np.uint64)


def game_with(**functions: Any) -> CompiledGame:
    given = {
        "legal_moves": connect_four_numba.legal_moves,
        "play": connect_four_numba.play,
        "status": connect_four_numba.status,
        "num_moves": 7,
    }
    return CompiledGame(STATE, **{**given, **functions})


def test_a_position_is_a_value() -> None:
    start = connect_four()
    after = start.play(3).play("3")
    assert start == connect_four()
    assert after != start
    assert hash(start) == hash(connect_four())
    assert after.to_move == 0
    assert list(start.state) == [0, 0, 0]
    assert list(after.state) == [1 << 21, 1 << 22, 2]
    assert after.legal_moves() == list(range(7))
    for move in (3, 3, 3, 3):
        after = after.play(move)
    assert 3 not in after.legal_moves()
    with pytest.raises(IllegalMoveError, match="illegal move 3"):
        after.play(3)
    assert "player" in repr(after)
    assert after.svg().startswith("<svg")


def test_the_end_of_a_game() -> None:
    position = connect_four()
    for move in (0, 1, 0, 1, 0, 1, 0):
        position = position.play(move)
    assert position.is_over
    assert position.outcome() == (1.0, 0.0)
    assert position.legal_moves() == []


def test_the_search_wins_and_repeats() -> None:
    position = connect_four()
    for move in (0, 1, 0, 1, 0):
        position = position.play(move)
    results = [Search(position, seed=3).run(playouts=5000) for _ in range(2)]
    assert results[0].best_move == 0  # black threatens to complete the column: it must be stopped
    assert results[0].moves == results[1].moves


def test_pickles_find_the_functions_by_name() -> None:
    position = connect_four().play(2)
    assert pickle.loads(pickle.dumps(position)) == position

    @cfunc("void(CPointer(uint64), int32)")
    def hidden(state: Any, move: int) -> None:
        state[2] += np.uint64(1)

    with pytest.raises(TypeError, match="top level of a module"):
        pickle.dumps(game_with(play=hidden))


def test_other_threads_run_meanwhile() -> None:
    search = Search(connect_four(), seed=1)
    threading.Timer(0.2, search.stop).start()
    assert search.run(seconds=60).stopped_by == "stop"


@cfunc("int32(CPointer(uint64), CPointer(int32), int32, uint64)")
def leftmost(state: Any, moves: Any, count: int, random: int) -> int:
    return 0


@cfunc("int32(CPointer(uint64), CPointer(int32), int32, uint64)")
def nowhere(state: Any, moves: Any, count: int, random: int) -> int:
    return count


def test_a_compiled_policy() -> None:
    """Always the leftmost column: the players fill it in turn, and after three columns the first one has a row."""
    result = Search(connect_four(), seed=1, policy=leftmost).run(playouts=1)
    assert result.playouts == 1
    position = connect_four().play(result.best_move)
    while not position.is_over:
        position = position.play(position.legal_moves()[0])
    assert result.value == position.outcome()[0]
    with pytest.raises(GameError, match="policy answered"):
        Search(connect_four(), seed=1, policy=nowhere).run(playouts=1)


def test_a_python_policy_and_an_evaluator_see_positions() -> None:
    def centre(position: CompiledGame, moves: list[int], rng: random.Random) -> int:
        assert position.legal_moves() == moves
        return min(moves, key=lambda move: abs(move - 3))

    assert Search(connect_four(), seed=1, policy=centre).run(playouts=10).playouts == 10

    def judge(positions: list[CompiledGame]) -> tuple[None, list[float]]:
        return None, [float(position.state[2] % 2) for position in positions]

    assert Search(connect_four(), "puct", seed=1, evaluator=judge, batch=4).run(playouts=20).playouts == 20


@cfunc("int32(CPointer(uint64), CPointer(int32))")
def too_many(state: Any, moves: Any) -> int:
    return 8


@cfunc("int32(CPointer(uint64), CPointer(float64))")
def nobody(state: Any, rewards: Any) -> int:
    return 5


@cfunc("int32(CPointer(uint64), CPointer(float64))")
def chance(state: Any, rewards: Any) -> int:
    return -1


@cfunc("int32(CPointer(uint64))")
def too_few(state: Any) -> int:
    return 0


@pytest.mark.parametrize(
    ("functions", "error", "message"),
    [
        ({"legal_moves": too_many}, GameError, "legal_moves answered 8"),
        ({"status": nobody}, GameError, "status answered 5"),
        ({"status": chance}, GameError, "no probabilities"),
        ({"status": too_few}, ArgumentError, "must be int32.CPointer.uint64., CPointer.float64"),
        ({"play": connect_four_numba.legal_moves}, ArgumentError, "play has the signature"),
        ({"play": lambda state, move: None}, ArgumentError, "numba.cfunc"),
        ({"play": 0}, ArgumentError, "numba.cfunc"),
        ({"play": 2**64}, ArgumentError, "numba.cfunc"),
        ({"num_moves": 0}, ArgumentError, "num_moves"),
        ({"num_players": 9}, ArgumentError, "num_players"),
        ({"reward_range": (1, 0)}, GameError, "low below high"),
        ({"reward_range": (0.0, 0.4)}, GameError, "outside the game's range"),
    ],
)
def test_wrong_functions_and_wrong_answers(functions: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Search(game_with(**functions), seed=1).run(playouts=100)


def test_functions_of_ctypes_and_plain_addresses() -> None:
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32)
    played = []
    function = prototype(lambda state, move: played.append(move))
    assert game_with(play=function).play(4) is not None
    assert played == [4]
    assert game_with(play=connect_four_numba.play.address).play(4) == connect_four().play(4)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (np.zeros(0), "state must be"),
        (np.array([object()]), "state must be"),
        (np.zeros(2**20), "state must be"),
        (np.array(["text"]), "state must be"),
        (np.zeros(2, dtype=">u8"), "state must be"),
        # These functions would read and write beyond the end of so small a state, and misread the other.
        (np.zeros(3, dtype=np.uint32), "for a state of uint32 numbers it must be int32.CPointer.uint32., "),
        (np.zeros(3, dtype=np.float64), "for a state of float64 numbers"),
    ],
)
def test_states_that_are_none(state: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        CompiledGame(
            state,
            legal_moves=connect_four_numba.legal_moves,
            play=connect_four_numba.play,
            status=connect_four_numba.status,
            num_moves=7,
        )
