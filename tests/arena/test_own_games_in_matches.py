"""Matches in games of the user's own: any moves, dice, rewards of any range, other processes, stores."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import tesuji
from examples.connect_four_numba import connect_four
from examples.pig import Pig
from tests.unit.own_games import Dice, Heap
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.games.own import OwnPosition


@dataclass(frozen=True)
class Wordy(Heap):
    """A heap whose moves are written with spaces and signs that quote."""

    def format_move(self, move: str) -> str:
        return f"take {move} % of {self.stones}"

    def play(self, move: str) -> Wordy:
        following = Heap.play(self, move)
        return Wordy(following.stones, following.to_move)


class Wide(Heap):
    """A root of more than a megabyte."""

    def legal_moves(self) -> list[int]:  # type: ignore[override]
        return list(range(60_000))

    def play(self, move: int) -> Heap:  # type: ignore[override]
        return Heap(0, move % 2)


@dataclass(frozen=True)
class Sharing:
    """Two players share ten coins: the first says how, and so the outcome is no win and no draw."""

    given: int | None = None
    to_move: int = 0

    reward_range = (0, 10)

    @property
    def is_over(self) -> bool:
        return self.given is not None

    def legal_moves(self) -> list[int]:
        return [3, 7]

    def play(self, move: int) -> Sharing:
        return replace(self, given=move)

    def outcome(self) -> tuple[int, int]:
        assert self.given is not None
        return 10 - self.given, self.given


def test_an_engine_beats_a_random_player_and_its_games_are_kept(tmp_path: Path) -> None:
    def play() -> Any:
        return tesuji.match(Wordy(21), "uct", "uct", playouts=(300, 1), games=20, seed=1, store=tmp_path / "heap.db")

    first = play()
    assert first.wins >= 18
    again = play()
    assert again.records == first.records  # read from the store, not played
    assert again.records[0].moves[0] in Heap.WORDS


def test_the_result_does_not_depend_on_jobs() -> None:
    results = [
        tesuji.match(connect_four(), "uct", "uct", playouts=(100, 50), games=8, seed=1, jobs=jobs) for jobs in (1, 2)
    ]
    assert [record.moves for record in results[0].records] == [record.moves for record in results[1].records]


def test_dice_are_the_same_for_both_games_of_a_pair() -> None:
    result = tesuji.match(Pig(), "uct", "uct", playouts=1, games=40, seed=1, count_duplicates=True)

    def dice(record: tesuji.GameRecord) -> list[Any]:
        position, thrown = Pig(), []
        for move in record.moves:
            if position.to_move == tesuji.CHANCE:
                thrown.append(move)
            position = position.play(move)
        return thrown

    throws = [dice(record) for record in result.records]
    for one, other in zip(throws[::2], throws[1::2], strict=True):
        shared = min(len(one), len(other))
        assert one[:shared] == other[:shared]
    assert len({tuple(throw[:3]) for throw in throws}) > 5


def test_rewards_between_are_points_and_no_draws() -> None:
    result = tesuji.match(Sharing(), "uct", "uct", playouts=50, games=10, seed=1, count_duplicates=True)
    # Who moves first keeps seven of ten coins: each side has as many as the other in the end.
    assert {record.points for record in result.records} == {0.7, 0.3}
    assert result.draws == 0
    assert result.percentage == pytest.approx(50)


def test_one_player_is_no_match() -> None:
    with pytest.raises(tesuji.ArgumentError, match="two players"):
        tesuji.match(Dice(), "uct", "uct", playouts=10, games=2)


def test_what_a_game_raises_ends_the_match_with_its_traceback() -> None:
    class Broken(Heap):
        def play(self, move: str) -> Heap:
            raise LookupError("no such stone")

    with pytest.raises(LookupError, match="no such stone"):
        tesuji.match(Broken(), "uct", "uct", playouts=10, games=2)


@dataclass(frozen=True)
class Deadly(Heap):
    """A game that ends the process of a worker."""

    def play(self, move: str) -> Deadly:
        if multiprocessing.parent_process() is not None:
            os._exit(3)
        following = Heap.play(self, move)
        return Deadly(following.stones, following.to_move)


KILLED_LATER = """
import multiprocessing, tesuji

def kill_all(record):
    for process in multiprocessing.active_children():
        process.kill()

tesuji.match("tic-tac-toe", "uct", "uct", playouts=100, games=100_000, seed=1, jobs=2, progress=kill_all)
"""
KILLED_AT_ONCE = """
import tesuji
from tests.arena.test_own_games_in_matches import Deadly

tesuji.match(Deadly(21), "uct", "uct", playouts=10, games=20, seed=1, jobs=2)
"""


@pytest.mark.parametrize(
    ("script", "message"),
    [(KILLED_AT_ONCE, "died in its first game"), (KILLED_LATER, "it was killed, the memory was full")],
)
def test_a_match_does_not_wait_for_workers_that_died(script: str, message: str) -> None:
    # In a process of its own: one that waits for ever can be ended.
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert "WorkerError" in done.stderr
    assert message in done.stderr


def test_a_game_that_cannot_be_sent_to_other_processes() -> None:
    class Local(Heap):
        pass

    with pytest.raises(tesuji.ArgumentError, match="cannot be sent to other processes"):
        tesuji.match(Local(5), "uct", "uct", playouts=10, games=4, seed=1, jobs=2)


def test_what_many_threads_cannot_play_is_said_before_the_first_game() -> None:
    """Each has a tree of its own, and the part of the memory that is left for one cannot hold the moves."""
    start, engine = OwnPosition(Wide()), tesuji.parse_engine("uct+parallel=root")
    EnginePlayer(engine=engine, budget=Budget(playouts=2, threads=2)).check(start)
    with pytest.raises(tesuji.ArgumentError, match="too small for the moves"):
        EnginePlayer(engine=engine, budget=Budget(playouts=2, threads=1024)).check(start)
