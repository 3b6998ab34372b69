"""The search over games written in plain Python: right results, and every wrong answer of a game found out."""

from __future__ import annotations

import gc
import json
import signal
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.unit.own_games import Auction, Corridor, Dice, Heap
from tesuji import ArgumentError, GameError, GameStateError, IllegalMoveError, Search


def test_two_players_and_moves_that_are_words() -> None:
    result = Search(Heap(6), seed=1).run(playouts=2000)
    assert result.best_move == "two"  # four stones are lost for whoever is to move
    assert result.value > 0.9
    assert result.position == Heap(6)
    assert {entry.text for entry in result.moves} == {"one", "two", "three"}
    assert result.pv[0] == "two"
    assert json.loads(result.to_json())["best_move"] == "two"
    assert "two" in result.to_dot()


def test_equal_seeds_give_equal_searches() -> None:
    results = [Search(Heap(9), seed=7).run(playouts=500) for _ in range(2)]
    assert results[0].moves == results[1].moves
    assert results[0].tree == results[1].tree
    assert Search(Heap(9), seed=8).run(playouts=500).moves != results[0].moves


def test_advance_by_the_move_itself_keeps_the_subtree() -> None:
    search = Search(Heap(9), seed=1)
    visits = {entry.move: entry.visits for entry in search.run(playouts=1000).moves}
    search.advance("one")
    assert search.position == Heap(8, 1)
    assert search.run(playouts=10).visits == visits["one"] + 10
    with pytest.raises(IllegalMoveError, match="four"):
        search.advance("four")
    assert search.position == Heap(8, 1)
    for move in ("three", "three", "two"):
        search.advance(move)
    with pytest.raises(GameStateError, match="over"):
        search.run(playouts=1)


def test_one_player_chance_and_rewards_with_a_range() -> None:
    """With 12 on the table another throw gains 20/6 on average, and loses 12 with 1/6: it pays. With 20 it ends."""
    exact = {20: 20.0}

    def value(total: int) -> float:
        if total not in exact:
            throw = sum(value(min(total + spots, 20)) for spots in range(2, 7)) / 6
            exact[total] = max(total, throw)
        return exact[total]

    result = Search(Dice(12), "uct(c=0.5)", seed=1).run(playouts=20_000)
    assert result.best_move == ("throw" if value(12) > 12 else "stop")
    stop = next(entry for entry in result.moves if entry.move == "stop")
    assert stop.value == pytest.approx(12, abs=1e-3)
    throw = next(entry for entry in result.moves if entry.move == "throw")
    assert throw.value == pytest.approx(sum(value(min(12 + spots, 20)) for spots in range(2, 7)) / 6, abs=0.5)
    cold = Search(Dice(19), "uct(c=0.5)", seed=1).run(playouts=5000)
    assert cold.best_move == "stop"  # 5/6 of 20 is less than 19
    assert cold.value == pytest.approx(19, abs=1e-3)


def test_three_players_who_each_maximise_their_own() -> None:
    """By backward induction: the last names the greatest number left, so the first two fight for low ones."""

    def best(position: Auction) -> tuple[tuple[float, ...], Any]:
        if position.is_over:
            return tuple(position.outcome()), None
        options = [(best(position.play(move))[0], move) for move in position.legal_moves()]
        return max(options, key=lambda option: option[0][position.to_move])

    rewards, move = best(Auction())
    result = Search(Auction(), "uct(c=0.7)", seed=3).run(playouts=20_000)
    assert result.best_move == move
    assert result.value == pytest.approx(rewards[0], abs=0.15)


def test_very_many_moves() -> None:
    result = Search(Corridor(length=3, wide=10_000), seed=1).run(playouts=300)
    assert result.visits == 300
    assert len(result.moves) == 10_000


def test_very_deep_games() -> None:
    result = Search(Corridor(length=10_000), seed=1).run(playouts=30)
    assert result.value == 1.0
    search = Search(Corridor(length=2000), seed=1)
    search.run(playouts=2500)  # one move everywhere: the tree is as deep as the game
    assert len(search.result().pv) == 2000
    search.advance(0)
    assert search.position.steps == 1


def test_a_game_that_never_ends_meets_the_cap() -> None:
    endless = Corridor(length=-1)
    assert Search(endless, seed=1).run(playouts=2).value == 0.5
    assert Search(endless, "uct+playout-cap=10", seed=1).run(playouts=1000).value == 0.5


def test_stop_and_deadline_hold_within_a_playout_that_never_ends() -> None:
    search = Search(Corridor(length=-1), "uct+playout-cap=2000000000", seed=1)
    timer = threading.Timer(0.2, search.stop)
    timer.start()
    assert search.run(seconds=60).stopped_by == "stop"
    assert search.run(seconds=0.1).stopped_by == "seconds"
    assert search.run(cpu_seconds=0.1).stopped_by == "cpu_seconds"
    assert search.result().visits == 0


def test_ctrl_c_within_python_code_ends_the_run_with_its_result() -> None:
    search = Search(Corridor(length=3000), seed=1)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    result = search.run(seconds=60)
    assert result.stopped_by == "interrupt"
    assert result.playouts == result.visits
    assert search.run(playouts=3).visits == result.visits + 3


# ---- what goes wrong


class RaisedError(Exception):
    pass


def broken(**members: Any) -> Any:
    """A heap some of whose members are others; so are those of the positions after it."""

    def play(self: Any, move: str) -> Any:
        following = Heap.play(self, move)
        return made(following.stones, following.to_move)

    made = type("Broken", (Heap,), {"play": play, **members})
    return made()


def raises(self: Any) -> Any:
    raise RaisedError("of the user's own")


@pytest.mark.parametrize("member", ["legal_moves", "outcome", "play", "is_over", "to_move"])
def test_what_a_game_raises_reaches_the_caller_with_its_traceback(member: str) -> None:
    calls = 0

    def raises_later(self: Any, *arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls >= 40:
            raise RaisedError("of the user's own")
        if member in ("is_over", "to_move"):
            return self.stones == 0 if member == "is_over" else (6 - self.stones) % 2
        return base(self, *arguments)

    base: Any = broken().__class__.play if member == "play" else getattr(Heap, member, None)
    value: Any = property(raises_later) if member in ("is_over", "to_move") else raises_later
    namespace = {member: value}
    if member == "to_move":
        namespace["__init__"] = lambda self, stones=6, to_move=0: object.__setattr__(self, "stones", stones)
    search = Search(broken(**namespace), seed=1)
    with pytest.raises(RaisedError, match="user's own") as caught:
        search.run(playouts=10_000)
    assert "raises_later" in "".join(traceback.format_exception(caught.value))
    # The search is still of use: the game behaves again.
    calls = -(10**9)
    before = search.result().visits
    assert search.run(playouts=100).visits == before + 100


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"legal_moves": lambda self: []}, "legal_moves.. is empty"),
        ({"legal_moves": lambda self: None}, "legal_moves.. must give a list"),
        ({"play": lambda self, move: None}, "play.. gave None"),
        ({"outcome": lambda self: [1.0]}, "1 rewards, and there are 2 players"),
        ({"outcome": lambda self: [2.0, -1.0]}, "outside the game's range"),
        ({"outcome": lambda self: [float("nan"), 0.0]}, "outside the game's range"),
        ({"outcome": lambda self: ["win", "loss"]}, "must give numbers"),
        ({"outcome": lambda self: 1.0}, "must give a list or a tuple"),
        ({"outcome": lambda self: {0: 1.0, 1: 0.0}}, "must give a list or a tuple, not dict"),
        ({"outcome": lambda self: {1.0, 0.0}}, "must give a list or a tuple, not set"),
        ({"outcome": lambda self: [10**400, 0]}, "too large"),
        ({"outcome": lambda self: [1.0000001, 0.0]}, "the reward 1.0000001, outside the game's range of 0.0 to 1.0"),
        ({"is_over": lambda self: False}, "is a method"),
        ({"num_players": 9}, "num_players must be"),
        ({"num_players": 0}, "num_players must be"),
        ({"reward_range": (1, 1)}, "low below high"),
        ({"reward_range": (-1e308, 1e308)}, "wider"),
        ({"reward_range": 7}, r"must be \(low, high\)"),
    ],
)
def test_wrong_answers_are_found_out(members: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Search(broken(**members), seed=1).run(playouts=200)


@pytest.mark.parametrize(
    ("to_move", "message"),
    [(2, "to_move is 2"), (-2, "to_move is -2"), (2**70, "to_move is 1180591620717411303424"), ("me", "not str")],
)
def test_a_player_who_does_not_exist(to_move: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        Search(Heap(6, to_move), seed=1).run(playouts=10)


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        ([1.0], "1 numbers, and there are 6 legal moves"),
        ([0.5] * 6, "add up to 3"),
        ([1.5, -0.5, 0, 0, 0, 0], "must be from 0 to 1"),
        ([float("nan")] * 6, "must be from 0 to 1"),
    ],
)
def test_wrong_probabilities(probabilities: list[float], message: str) -> None:
    class Loaded(Dice):
        def chance_probabilities(self) -> list[float]:
            return probabilities

    with pytest.raises(GameError, match=message):
        Search(Loaded(0, tesuji.CHANCE), seed=1).run(playouts=10)


def test_outcomes_that_differ_each_time_they_are_asked_for() -> None:
    class Fickle(Dice):
        outcomes = 6

        def legal_moves(self) -> list[Any]:
            Fickle.outcomes = 9 - Fickle.outcomes  # 3, 6, 3, ...
            return list(range(1, Fickle.outcomes + 1))

        def chance_probabilities(self) -> list[float]:
            count = 9 - Fickle.outcomes  # as many as legal_moves() gives next
            return [1 / count] * count

    for outcomes in (3, 6):
        Fickle.outcomes = outcomes
        with pytest.raises(GameError, match="the same moves whenever it is asked"):
            Search(Fickle(0, tesuji.CHANCE), seed=1).run(playouts=10)


def test_a_move_that_is_not_hashable() -> None:
    with pytest.raises(TypeError, match="hashable"):
        Search(broken(legal_moves=lambda self: [["one"]]), seed=1).run(playouts=1)


def test_what_the_equality_of_moves_raises_reaches_the_caller() -> None:
    class Incomparable(int):
        __hash__ = int.__hash__

        def __eq__(self, other: object) -> bool:
            raise RaisedError("of the user's own")

    with pytest.raises(RaisedError, match="user's own"):
        Search(broken(legal_moves=lambda self: [Incomparable(1)]), seed=1).run(playouts=9)


def test_ctrl_c_before_anything_is_known_goes_on_to_the_caller() -> None:
    def interrupted(self: Any) -> Any:
        raise KeyboardInterrupt

    search = Search(broken(legal_moves=interrupted), seed=1)
    with pytest.raises(KeyboardInterrupt):
        search.run(playouts=10)


def test_what_is_no_game_at_all() -> None:
    for thing in ("go", 5, None, object()):
        with pytest.raises(ArgumentError, match="no position"):
            Search(thing)  # type: ignore[arg-type]


# ---- nothing is left behind


def collected(make: Callable[[], Any]) -> bool:
    thing = weakref.ref(make())
    gc.collect()
    return thing() is None


def test_a_search_and_its_positions_are_collected_even_in_a_circle() -> None:
    """A class holds the search, which holds positions of the class: so it is in every script with a global search."""

    def make() -> tuple[Any, Any]:
        watched: Any = type("Watched", (Heap,), {})
        position = watched(6)
        watched.search = Search(position, seed=1)
        watched.search.run(playouts=50)
        return weakref.ref(watched), weakref.ref(position)

    references = make()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_positions_of_a_search_that_failed_are_collected() -> None:
    def make() -> Any:
        position = broken(outcome=raises)
        search = Search(position, seed=1)
        with pytest.raises(RaisedError):
            search.run(playouts=100)
        return position

    assert collected(make)


def test_a_script_ends_without_a_word_of_leaks() -> None:
    script = (
        "import tesuji\nfrom tests.unit.own_games import Heap\n"
        "class Mine(Heap): pass\n"
        "search = tesuji.Search(Mine(6), seed=1, evaluator=lambda positions: (None, [0.5] * len(positions)))\n"
        "print(search.run(playouts=100).visits)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False, cwd=root
    )
    assert done.stdout == "100\n"
    assert done.stderr == ""


def test_memory_does_not_grow_with_playouts() -> None:
    alive = 0

    class Counted(Heap):
        def __init__(self, stones: int = 6, to_move: int = 0) -> None:
            nonlocal alive
            alive += 1
            super().__init__(stones, to_move)

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

        def play(self, move: str) -> Counted:
            following = Heap.play(Heap(self.stones, self.to_move), move)
            return Counted(following.stones, following.to_move)

    search = Search(Counted(), seed=1)
    search.run(playouts=1000)
    assert alive < 10
    del search
    gc.collect()
    assert alive == 0


def test_other_threads_run_while_a_python_game_is_searched() -> None:
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.005)

    done = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    search = Search(Corridor(length=50), seed=1)
    for _ in range(40):  # a busy machine may let the other thread wait
        search.run(seconds=0.5)
        if ticks > 5:
            break
    done.set()
    thread.join()
    assert ticks > 5
