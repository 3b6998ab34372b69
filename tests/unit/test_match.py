"""Matches: the same games whatever the number of processes, and honest counting."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tesuji import ArgumentError, GameStateError, Go, Havannah, Othello, SpecError, TicTacToe, match
from tesuji.arena.record import GameRecord
from tesuji.arena.result import MatchResult
from tesuji.arena.seeds import derive_seed


def games_of(result: MatchResult) -> list[tuple[object, ...]]:
    """The games without their timing."""
    return [(r.number, r.a_is_first, r.seeds, r.moves, r.points, r.ended_by) for r in result.records]


def test_games_depend_on_the_seed_alone() -> None:
    start = Havannah(4)
    here = match(start, "uct", "uct(c=0.5)", playouts=(60, 30), games=12, seed=9)
    there = match(start, "uct", "uct(c=0.5)", playouts=(60, 30), games=12, seed=9, jobs=2)
    other = match(start, "uct", "uct(c=0.5)", playouts=(60, 30), games=12, seed=10)
    assert games_of(here) == games_of(there)
    assert here.score == there.score
    assert games_of(here) != games_of(other)
    assert [record.number for record in there.records] == list(range(12))
    assert len({record.moves for record in here.records}) > 6


def test_jobs_do_not_matter_from_the_middle_of_a_game() -> None:
    for start in (tesuji.Havannah(size=4).play("d4").play("c3").play("a1"), tesuji.Go(size=5).play("c3").play("b2")):
        here = match(start, "uct", "uct", playouts=30, games=4, seed=9, jobs=1)
        there = match(start, "uct", "uct", playouts=30, games=4, seed=9, jobs=2)
        assert [game.moves for game in here.records] == [game.moves for game in there.records]


def test_records_replay_to_the_counted_result() -> None:
    result = match("othello", "uct", "ucb-tuned1", playouts=40, games=6, seed=2)
    points = 0.0
    for record in result.records:
        position = Othello()
        for move in record.moves:
            position = position.play(move)
        assert position.is_over
        seat = 0 if record.a_is_first else 1
        assert position.outcome()[seat] == record.points
        assert min(record.cpu_seconds) > 0
        points += record.points
    assert [record.a_is_first for record in result.records] == [True, False] * 3
    assert result.percentage == pytest.approx(100 * points / 6)
    assert result.wins + result.draws + result.losses == result.games == 6
    assert result.interval.low < result.percentage < result.interval.high


def test_more_playouts_win_and_equal_ones_share() -> None:
    strong = match(Othello(), "uct", "uct", playouts=(400, 4), games=20, seed=1)
    assert strong.wins >= 18
    even = match(Havannah(3), "uct", "uct", playouts=30, games=200, seed=1)
    assert 50 in even.interval


def test_colours_alternate() -> None:
    """With such a komi Black always wins, so that each engine wins its half of the games."""
    result = match(Go(5, komi=-30), "uct", "uct", playouts=10, games=10, seed=1)
    assert [record.points for record in result.records] == [1.0, 0.0] * 5
    assert result.percentage == 50


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_match_counts_what_was_played(jobs: int) -> None:
    seen: list[GameRecord] = []

    def interrupt(record: GameRecord) -> None:
        seen.append(record)
        if len(seen) == 3:
            raise KeyboardInterrupt

    result = match("tic-tac-toe", "uct", "uct", playouts=50, games=3000, seed=1, jobs=jobs, progress=interrupt)
    assert result.interrupted
    assert 3 <= len(result.records) < 3000
    assert result.games + result.tally.duplicates == len(result.records)
    assert len({record.number for record in result.records}) == len(result.records)


def test_games_that_go_in_circles_are_cut() -> None:
    result = match(Go(5, superko=False), "uct", "uct", playouts=5, games=2, seed=1, move_limit=5)
    assert {(record.ended_by, len(record.moves)) for record in result.records} == {("move limit", 5)}
    assert result.draws == 2


def test_derived_seeds() -> None:
    seeds = {derive_seed(seed, number, side) for seed in range(10) for number in range(50) for side in "ab"}
    assert len(seeds) == 1000
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_match_wants_a_game_to_play() -> None:
    with pytest.raises(GameStateError, match="is over"):
        match(TicTacToe.from_ascii("XXX\nOO.\n..."), "uct", "uct", playouts=1, games=1)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"game": "chess"}, ArgumentError, "no game 'chess'"),
        ({"game": 3}, ArgumentError, "3 is no position"),
        ({"a": "uctt"}, SpecError, "did you mean"),
        ({"b": ""}, SpecError, "empty"),
        ({"playouts": 0}, ArgumentError, "playouts"),
        ({"playouts": None}, ArgumentError, "needs a budget"),
        ({"seconds": -1}, ArgumentError, "seconds must be positive"),
        ({"threads": 0}, ArgumentError, "threads"),
        ({"a": 7}, ArgumentError, "a player is"),
        ({"failures": "win"}, ArgumentError, "failures must be 'loss' or 'void'"),
        ({"move_limit": 0}, ArgumentError, "move_limit"),
        ({"move_limit": 10**30}, ArgumentError, "move_limit must be an integer from 1 to 10000000"),
        ({"openings": "random:x"}, ArgumentError, "random:8"),
        ({"openings": "random:0"}, ArgumentError, "from 1 to"),
        ({"openings": "random:9"}, ArgumentError, "nearly always end the game"),
        ({"openings": "random:" + "9" * 5000}, ArgumentError, "random:8"),
        ({"openings": "no\0file"}, ArgumentError, "cannot be read"),
        ({"openings": 3}, ArgumentError, "openings must be"),
        ({"shard": "3/2"}, ArgumentError, "from 1 to 2"),
        ({"shard": "half"}, ArgumentError, "i/n"),
        ({"shard": "1/" + "9" * 5000}, ArgumentError, "i/n"),
        ({"shard": 2}, ArgumentError, "shard must be a text"),
        ({"sprt": (5, 0)}, ArgumentError, "elo0 must be less"),
        ({"sprt": [5, 0]}, ArgumentError, "elo0 must be less"),
        ({"sprt": (5,)}, ArgumentError, "sprt must be two Elo differences"),
        ({"sprt": "0,10"}, ArgumentError, "sprt must be two Elo differences"),
        ({"playouts": (1, 2, 3)}, ArgumentError, "one for A and one for B"),
        ({"games": 0}, ArgumentError, "games"),
        ({"games": 10**9}, ArgumentError, "games"),
        ({"jobs": 0}, ArgumentError, "jobs"),
        ({"seed": "x"}, ArgumentError, "seed"),
    ],
)
def test_bad_arguments_leave_no_file(
    change: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    arguments = {"game": "tic-tac-toe", "a": "uct", "b": "uct", "playouts": 10, "games": 2, "seed": 1, **change}
    with pytest.raises(error, match=message):
        match(**arguments, store=tmp_path / "results.db")
    assert list(tmp_path.iterdir()) == []


SLOW_TO_LOAD = {"numpy", "scipy", "matplotlib", "pydantic"}


@pytest.mark.parametrize(
    ("statement", "needless"),
    [
        ("import tesuji; tesuji.match('othello', 'uct', 'uct', playouts=5, games=1)", {"rich", "typer", *SLOW_TO_LOAD}),
        ("import tesuji.cli", {"fastapi", "uvicorn", *SLOW_TO_LOAD}),
        ("import tesuji; tesuji.Search(tesuji.Go(9), 'best').run(playouts=5)", {"rich", *SLOW_TO_LOAD} - {"numpy"}),
    ],
)
def test_processes_load_no_more_than_they_need(statement: str, needless: set[str]) -> None:
    """Each worker of a match starts anew: numpy alone would add half to the time that this takes."""
    script = f"{statement}; import sys; print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert needless & set(output.stdout.split()) == set()
