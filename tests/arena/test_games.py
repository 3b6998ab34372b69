"""Single games: openings, ends, failures, duplicates, and games with rewards in between."""

from __future__ import annotations

import functools
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.arena.players_for_tests import Scripted
from tests.unit.own_games import Heap
from tesuji import ArgumentError, MatchError, Othello, TicTacToe, TreeGame, match
from tesuji.arena.game import play_game
from tesuji.arena.openings import ListedOpenings, RandomOpenings, read_openings
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.arena.pool import Pool
from tesuji.arena.result import observations
from tesuji.arena.store import Store
from tesuji.arena.tally import Tally
from tesuji.arena.workers import Workers


def test_pairs_share_a_random_opening() -> None:
    result = match("othello", "uct", "uct(c=0.5)", playouts=10, games=20, seed=4, openings="random:6")
    openings = [record.opening for record in result.records]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) == 10
    for record in result.records:
        assert len(record.opening) == 6
        assert record.moves[:6] == record.opening
        assert record.pair == record.number // 2
    # Of each pair one game has A first.
    assert [record.a_is_first for record in result.records] == [True, False] * 10


def test_random_openings_leave_a_game_to_play() -> None:
    """After five moves many games of tic-tac-toe are won already."""
    for pair in range(200):
        position: tesuji.Position = TicTacToe()
        for move in RandomOpenings(5).moves(position, seed=1, pair=pair):
            position = position.play(move)
        assert not position.is_over


def test_openings_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# parallel and diagonal\nf5 f4\n\nf5, f6  # diagonal\n")
    result = match("othello", "uct", "uct", playouts=10, games=6, seed=1, openings=str(file))
    texts = [" ".join(Othello().format_move(move) for move in record.opening) for record in result.records]
    assert texts == ["f5 f4", "f5 f4", "f5 f6", "f5 f6", "f5 f4", "f5 f4"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f5 f4\nf5 f5\n", "line 2: illegal move f5"),
        ("f5 z9\n", "line 1: 'z9' is no move"),
        ("# nothing\n\n", "no openings"),
    ],
)
def test_bad_openings_say_the_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "openings.txt"
    file.write_text(text)
    with pytest.raises(tesuji.ArgumentError, match=message):
        read_openings(file, Othello())


def test_openings_that_leave_no_game() -> None:
    with pytest.raises(tesuji.ArgumentError, match="opening 1: the game is over"):
        match("tic-tac-toe", "uct", "uct", playouts=1, games=1, openings=ListedOpenings(((0, 3, 1, 4, 2),)))
    with pytest.raises(tesuji.ArgumentError, match="cannot be read"):
        match("tic-tac-toe", "uct", "uct", playouts=1, games=1, openings="no/such/file")


# ---- how games end


@pytest.mark.parametrize(
    ("trouble", "ended_by", "reason"),
    [
        ("crash", "crash", "B: crash: exit code 3"),
        ("crash at begin", "crash", "B: crash: exit code 3"),
        ("crash while watching", "timeout", "B: timeout: no answer for 1 s"),
        ("illegal", "illegal move", "B: illegal move: illegal move a1"),
    ],
)
def test_failures_lose_or_void_the_game(trouble: str, ended_by: str, reason: str) -> None:
    bad = Scripted(trouble=trouble, at_move=2)
    lost = match("tic-tac-toe", Scripted(), bad, games=4)
    assert [record.ended_by for record in lost.records] == [ended_by] * 4
    assert all((record.reason or "").startswith(reason) for record in lost.records)
    # A failure is not the same game again, whatever the moves were.
    assert (lost.wins, lost.games) == (4, 4)
    assert "games lost by a failure: 4" in lost.notes[0]
    turned = match("tic-tac-toe", bad, Scripted(), games=2)
    assert turned.losses == 2
    void = match("tic-tac-toe", Scripted(), bad, games=3, failures="void")
    assert (void.games, void.tally.void) == (0, 3)
    assert [record.points for record in void.records] == [None] * 3


def test_a_match_of_void_games_halts_and_can_be_mended(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    play = functools.partial(
        match,
        "othello",
        Scripted(needs=file),
        "uct",
        playouts=10,
        games=10,
        failures="void",
        store=tmp_path / "results.db",
    )
    for _ in range(2):
        with pytest.raises(MatchError, match=r"the first 4 games were all void: A: crash: exit code 3"):
            play()
    file.touch()
    assert (play().games, play().tally.void) == (10, 0)


def test_void_games_of_one_shard_cost_another_one_nothing(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    play = functools.partial(
        match, "othello", Scripted(needs=file), "uct", playouts=10, failures="void", store=tmp_path / "results.db"
    )
    file.touch()
    before = play(games=20, shard="1/2").records
    file.unlink()
    for _ in range(2):
        with pytest.raises(MatchError, match="were all void"):
            play(games=20, shard="2/2")
    assert play(games=20, shard="1/2").records == before


def test_a_player_that_is_not_there_is_an_error_before_the_first_game(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    with pytest.raises(tesuji.ArgumentError, match="no such program"):
        match("tic-tac-toe", Scripted(trouble="missing"), "uct", playouts=10, games=100, store=store)
    with Store(store) as opened:
        assert opened.matches() == []


def test_resignation() -> None:
    result = match("othello", Scripted(trouble="resign", at_move=5), Scripted(), games=2)
    assert [(record.ended_by, record.points) for record in result.records] == [("resignation", 0.0)] * 2
    assert [len(record.moves) for record in result.records] == [6, 5]


# ---- counting


def test_duplicate_games_count_once() -> None:
    result = match("othello", Scripted(), Scripted(last=True), games=10)
    assert [record.duplicate_of for record in result.records] == [None, None, *[0, 1] * 4]
    assert (result.games, result.tally.duplicates) == (2, 8)
    everything = match("othello", Scripted(), Scripted(last=True), games=10, count_duplicates=True)
    assert everything.games == 10


def test_games_of_which_only_the_hash_is_the_same_are_no_duplicates() -> None:
    """Those of -1 and -2 are, and both may be moves of a game of one's own."""
    (game,) = match("tic-tac-toe", "uct", "uct", playouts=5, games=1, seed=1).records
    tally = Tally()
    tally.add_all(replace(game, number=number, moves=(move,)) for number, move in ((0, -1), (2, -2), (4, -1)))
    assert (tally.games, tally.duplicates) == (2, 1)


def test_real_valued_rewards_are_no_draws() -> None:
    result = match(
        TreeGame([[0.25, 1.0], [0.5, 0.0]]), "uct", "uct", playouts=200, games=6, seed=1, count_duplicates=True
    )
    # The first player gets 0.25 by best play: A as the first, 0.75 as the second.
    assert [record.points for record in result.records] == [0.25, 0.75] * 3
    assert (result.wins, result.draws, result.losses, result.tally.fractional, result.games) == (0, 0, 0, 6, 6)
    assert result.percentage == 50
    assert result.elo == 0
    assert result.interval.low < 50 < result.interval.high
    assert result.to_dict()["fractional"] == 6


def test_half_a_point_is_a_draw() -> None:
    result = match(TreeGame([0.5, 0.5]), "uct", "uct", playouts=10, games=2, seed=1)
    assert (result.draws, result.tally.fractional) == (2, 0)


def test_a_sequential_test_stops_early_and_does_not_depend_on_jobs() -> None:
    def play(jobs: int) -> tesuji.MatchResult:
        return match(
            "othello",
            "uct",
            "uct",
            playouts=(200, 4),
            games=400,
            seed=1,
            sprt=(0, 100),
            openings="random:4",
            jobs=jobs,
        )

    here, there = play(1), play(2)
    assert here.sprt == there.sprt == "H1"
    assert 4 <= here.games <= there.games < 200
    assert not here.interrupted
    turned = match("othello", "uct", "uct", playouts=(4, 200), games=400, seed=1, sprt=(0, 100))
    assert turned.sprt == "H0"


def test_a_sequential_test_counts_duplicates_where_the_match_does() -> None:
    play = functools.partial(match, "othello", Scripted(), Scripted(last=True), games=100, sprt=(0, 300))
    assert play(count_duplicates=True).sprt is not None
    assert (play().sprt, play().games) == (None, 2)


def test_paired_openings_give_the_interval_of_pairs() -> None:
    """An opening that decides the game gives each side a point, and says nothing about the players."""
    openings = ListedOpenings(((0,), (1,)))
    result = match(TreeGame([[[1], [1]], [[0], [0]]]), "uct", "uct", playouts=5, games=40, seed=1, openings=openings,
                   count_duplicates=True)  # fmt: skip
    assert (result.wins, result.losses) == (20, 20)
    pairs = result.tally.pentanomial
    assert pairs is not None
    assert pairs.counts == (0, 0, 20, 0, 0)
    assert result.elo_interval == pairs.elo_interval()
    assert result.elo_interval.high < result.score.elo_interval().high / 2


def test_slow_games_are_all_played() -> None:
    """A worker gives back the games of a task that it does not come to in time."""
    result = match("tic-tac-toe", "uct", "uct", seconds=0.03, games=24, seed=1, jobs=2)
    assert [record.number for record in result.records] == list(range(24))


def test_workers_play_on_after_an_exception() -> None:
    plan = match("tic-tac-toe", "uct", "uct", playouts=5, games=1, seed=1).plan
    games = [(plan, number) for number in range(40)]
    seen: list[int] = []

    def fail(_: tesuji.GameRecord) -> None:
        raise LookupError("enough")

    with Workers(2) as workers:
        with pytest.raises(LookupError, match="enough"):
            workers.play(games, fail)
        workers.play(games, lambda record: seen.append(record.number))
        workers.play(games[:3], lambda record: seen.append(record.number))
    assert sorted(seen) == sorted([*range(40), *range(3)])


def begin_and_take_long(piece: tuple[Path, int], stopped: object) -> int:
    folder, number = piece
    (folder / str(number)).touch()
    time.sleep(0 if number == 0 else 3)  # as a program that does not answer, which no stop reaches
    return number


def test_nothing_is_begun_after_a_stop(tmp_path: Path) -> None:
    def stop(_: int) -> None:
        raise LookupError("enough")

    with Pool[tuple[Path, int], int](1, begin_and_take_long) as pool, pytest.raises(LookupError):
        pool.run([(tmp_path, number) for number in range(6)], stop)
    assert {path.name for path in tmp_path.iterdir()} <= {"0", "1"}


def test_a_game_that_was_stopped_while_it_began_is_no_game() -> None:
    plan = match("tic-tac-toe", Scripted(), Scripted(), games=1).plan
    assert play_game(plan, 0, lambda: True) is None
    failing = match("tic-tac-toe", Scripted(), Scripted(trouble="crash at begin"), games=1).plan
    assert play_game(failing, 0, lambda: True) is None, "B was not asked any more"


def test_following_the_game_is_counted_as_time_of_the_engine() -> None:
    player = EnginePlayer(engine=tesuji.parse_engine("uct"), budget=Budget(playouts=20_000)).open()
    player.begin(Othello(), seed=1, stopped=lambda: False)
    move = player.choose(Othello(), lambda: False)
    before = player.cpu_seconds
    player.observe(move)
    assert player.cpu_seconds > before


def test_budgets_of_time() -> None:
    result = match("tic-tac-toe", "uct", "uct", cpu_seconds=0.002, seconds=(1, 2), games=2, seed=1)
    for record in result.records:
        moves_of_a = (len(record.moves) + record.a_is_first) // 2
        assert record.cpu_seconds[0] >= 0.002 * moves_of_a
        assert record.wall_seconds[0] > 0
    assert str(result.a) == "uct [1 s, 0.002 CPU-s]"


def test_a_crowded_machine_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.arena.result.cores", lambda: 1)
    result = match("tic-tac-toe", "uct", "uct", playouts=5, games=4, seed=1, jobs=2)
    assert result.notes[0].startswith("2 jobs are more than the 1 processors here")
    result = match("tic-tac-toe", "uct", "uct", playouts=5, games=4, seed=1, threads=(1, 3))
    assert result.notes[0].startswith("1 jobs times 3 threads are more than the 1 processors here")


def test_an_overloaded_machine_is_noted() -> None:
    result = match("tic-tac-toe", "uct", "uct", playouts=5, seconds=9, games=2, seed=1)
    game = result.records[0]
    quiet = replace(game, cpu_seconds=(9.0, 9.0), wall_seconds=(9.5, 9.5))
    loaded = replace(game, cpu_seconds=(9.0, 9.0), wall_seconds=(9.5, 27.0))
    assert list(observations(result.plan, [quiet])) == []
    (note,) = observations(result.plan, [loaded])
    assert note.startswith("the machine was overloaded: B took 3.0 times as much wall time as CPU time")
    timeless = match("tic-tac-toe", "uct", "uct", playouts=5, games=2, seed=1)
    assert list(observations(timeless.plan, [loaded])) == [], "playouts take as long as they take"


def test_threads_count_as_wall_time_but_not_where_they_wait_for_each_other() -> None:
    def notes(game: Any, threads: int) -> list[str]:
        result = match(game, "uct", "uct", playouts=5, seconds=9, games=1, seed=1, threads=threads)
        record = replace(result.records[0], cpu_seconds=(9.0, 9.0), wall_seconds=(9.0, 9.0))
        return list(observations(result.plan, [record]))

    assert notes("tic-tac-toe", 1) == notes(Heap(), 1) == notes(Heap(), 2) == []
    assert "A took 2.0 times" in notes("tic-tac-toe", 2)[0]


@pytest.mark.parametrize("game", ["go", "sum-of-switches", "havannah", "tree-game"])
def test_other_games_can_be_played(game: str) -> None:
    assert match(game, "uct", "uct", playouts=5, games=2, seed=1).games >= 1


def test_an_engine_resigns_when_its_best_move_is_worth_too_little() -> None:
    # With twenty points given, Black cannot lose but by losing everything.
    options: dict[str, Any] = {"playouts": 500, "games": 2, "seed": 5}
    played = tesuji.match(tesuji.Go(5, komi=-20.5), "uct", "uct", **options)
    resigned = tesuji.match(tesuji.Go(5, komi=-20.5), "uct", "uct", **options, resign=0.1)
    assert {record.ended_by for record in played.records} == {"rules"}
    assert {record.ended_by for record in resigned.records} == {"resignation"}
    assert [record.points for record in resigned.records] == [record.points for record in played.records]


def test_what_a_player_resigns_at_is_part_of_its_name() -> None:
    assert str(Budget(playouts=9, resign=0.05)) == "9 playouts, resigns below 0.05"
    assert str(Budget(playouts=9)) == "9 playouts"
    for wrong in (-0.1, 0.6, float("nan")):
        with pytest.raises(ArgumentError, match="resign"):
            Budget(playouts=9, resign=wrong)
