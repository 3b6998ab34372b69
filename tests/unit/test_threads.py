"""A search on several threads: nothing is lost, all limits hold, and exceptions of any thread reach the caller."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from examples.connect_four_numba import connect_four
from tests.unit.own_games import Auction, Corridor, Dice, Heap
from tesuji import (
    ArgumentError,
    EvaluatorError,
    GameError,
    Go,
    Havannah,
    Othello,
    Position,
    Search,
    SearchBusyError,
    SearchResult,
    TicTacToe,
)
from tesuji.games import GAMES, make_game

ROOT = Path(__file__).parents[2]
LONG = 60.0  # seconds: far more than any of these searches takes
MODES = ("lock-free", "mutex", "root")
SHARED = ("lock-free", "mutex")
RULES = (
    "uct(c=0.4)", "uct(fpu=1)", "ucb-tuned1", "ucb-tuned2", "puct", "bast", "discounted(k=2)", "accelerated(k=2)",
    "accelerated(auto)", "mix", "max(discs)", "rave", "amaf", "rave+accelerated", "amaf+discounted(k=3)", "widening",
    "bias", "rave+bias-chaslot", "rave+bias-huang", "solver", "expand=5", "virtual-loss=0", "virtual-loss=1000",
    "rave+mix+widening+bias+virtual-loss=3",
)  # fmt: skip


def check_counts(result: SearchResult, playouts: int) -> None:
    """Every playout is counted at the root and at one of its moves, and no virtual loss is left behind.

    But for the first ones: they may come before the root has moves, in each of its trees with `parallel=root`.
    """
    assert (result.playouts, result.visits, result.stopped_by) == (playouts, playouts, "playouts")
    at_moves = sum(entry.visits for entry in result.moves)
    trees = result.threads if "parallel=root" in str(result.engine) else 1
    assert playouts - trees * (1 + result.threads) <= at_moves <= playouts
    for entry in result.moves:
        assert 0 <= entry.value <= 1
        assert entry.rave is None or 0 <= entry.rave <= 1
    assert result.best_move in result.position.legal_moves()


# ---- nothing is lost


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("threads", [2, 4, 8])
def test_every_playout_counts_in_every_game(game: str, mode: str, threads: int) -> None:
    result = Search(make_game(game), f"uct+parallel={mode}", threads=threads, seed=1).run(playouts=1000)
    check_counts(result, 1000)
    assert result.threads == result.to_dict()["threads"] == threads


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rule", RULES)
def test_every_playout_counts_with_every_rule(rule: str, mode: str) -> None:
    search = Search(Othello(), f"{rule}+parallel={mode}", threads=4, seed=1)
    first = search.run(playouts=1500)
    if "expand" not in rule:
        check_counts(first, 1500)
    assert search.run(playouts=500).visits == 2000


@pytest.mark.parametrize("mode", MODES)
def test_few_playouts_for_many_threads(mode: str) -> None:
    search = Search(Go(5), f"uct+parallel={mode}", threads=32, seed=1)
    for number in range(1, 60):
        result = search.run(playouts=1)
        assert (result.playouts, result.visits) == (1, number)
    assert search.run(playouts=33).visits == 92


@pytest.mark.parametrize("mode", MODES)
def test_the_rewards_of_a_won_position_add_up(mode: str) -> None:
    """Each move wins at once: every reward is 1, and a lost or doubled one would show in a value."""

    class Won(Heap):
        def legal_moves(self) -> list[str]:
            return list(self.WORDS)

        def play(self, move: str) -> Heap:
            return Heap(0, 1)

    result = Search(Won(), f"uct+parallel={mode}", threads=4, seed=1).run(playouts=500)
    assert [entry.value for entry in result.moves] == [1.0] * 3
    assert sum(entry.visits for entry in result.moves) >= 500 - 4 * 5


def test_one_thread_repeats_whatever_the_mode() -> None:
    """With one thread there is nobody to share with, or to mislead."""
    engines = ["uct", *(f"uct+parallel={mode}" for mode in MODES), "uct+virtual-loss=5"]
    results = [Search(Havannah(4), engine, threads=1, seed=3).run(playouts=2000) for engine in engines]
    assert all(result.tree == results[0].tree for result in results)


@pytest.mark.parametrize("mode", MODES)
def test_a_win_in_one_is_found(mode: str) -> None:
    position = TicTacToe.from_ascii("XX.\nOO.\n...")
    result = Search(position, f"uct+parallel={mode}", threads=4, seed=1).run(playouts=3000)
    assert (position.format_move(result.best_move), result.value) == ("c1", 1.0)


@pytest.mark.parametrize("mode", MODES)
def test_what_is_proven_is_true(mode: str) -> None:
    won = TicTacToe.from_ascii("XX.\nOO.\n...")
    result = Search(won, f"uct+solver+parallel={mode}", threads=4, seed=1).run(playouts=20_000)
    assert (result.proven, result.stopped_by) == ("win", "proven")
    drawn = Search(TicTacToe(), f"uct+solver+parallel={mode}", threads=4, seed=1).run(playouts=20_000)
    assert drawn.proven in (None, "draw")


# ---- limits


@pytest.mark.parametrize("mode", MODES)
def test_time_limits(mode: str) -> None:
    search = Search(Go(9), f"uct+parallel={mode}", threads=4, seed=1)
    timed = search.run(seconds=0.05)
    assert (timed.stopped_by, timed.playouts) == ("seconds", timed.visits)
    assert timed.seconds >= 0.05
    spent = search.run(cpu_seconds=0.05)
    assert (spent.stopped_by, spent.visits) == ("cpu_seconds", timed.visits + spent.playouts)
    assert spent.cpu_seconds >= 0.05
    first = search.run(playouts=10, seconds=LONG, cpu_seconds=LONG)
    assert (first.stopped_by, first.playouts) == ("playouts", 10)


@pytest.mark.parametrize("mode", MODES)
def test_stop_from_another_thread(mode: str) -> None:
    search = Search(Go(9), f"uct+parallel={mode}", threads=4, seed=1)
    results: list[SearchResult] = []
    for _ in range(5):
        thread = threading.Thread(target=lambda: results.append(search.run(seconds=LONG)))
        thread.start()
        while thread.is_alive():
            search.stop()
            thread.join(0.01)
    assert [result.stopped_by for result in results] == ["stop"] * 5
    assert sum(result.playouts for result in results) == results[-1].visits
    assert search.run(playouts=5).visits == results[-1].visits + 5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rule", ["uct", "rave", "accelerated", "discounted"])
def test_a_full_tree_stays_within_its_memory(rule: str, mode: str) -> None:
    search = Search(Othello(), f"{rule}+parallel={mode}", threads=4, seed=1, max_memory="400kB")
    result = search.run(playouts=30_000)
    assert (result.tree_full, result.visits) == (True, 30_000)
    assert result.memory <= 400_000
    search.advance(result.best_move)
    kept = search.result()
    assert kept.nodes < result.nodes
    assert search.run(playouts=10_000).visits == kept.visits + 10_000


def test_every_tree_needs_its_part_of_the_memory() -> None:
    with pytest.raises(ArgumentError, match=r"200000 bytes is not enough for 4 trees .* 262144 are needed"):
        Search(Othello(), "uct+parallel=root", threads=4, max_memory="200kB")
    search = Search(Othello(), "uct+parallel=root", threads=4, max_memory=262_144, seed=1)
    assert search.run(playouts=100).visits == 100


@pytest.mark.parametrize("mode", SHARED)
def test_advance_keeps_what_is_known(mode: str) -> None:
    search = Search(Othello(), f"uct+parallel={mode}", threads=4, seed=1)
    before = search.run(playouts=5000)
    search.advance(before.best_move)
    kept = search.result()
    visits = next(entry.visits for entry in before.moves if entry.move == before.best_move)
    assert (kept.visits, kept.position) == (visits, Othello().play(before.best_move))
    assert search.run(playouts=100).visits == kept.visits + 100


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("start", [Go(5), Havannah(4), Othello()], ids=lambda start: start.game)
def test_a_whole_game_with_one_search(start: Position, mode: str) -> None:
    """Small memory and many moves: trees are cut and filled again and again."""
    search = Search(start, f"uct(c=0.4)+rave+parallel={mode}", threads=4, seed=1, max_memory="300kB")
    kept = 0
    for _ in range(30):
        if search.position.is_over:
            break
        result = search.run(playouts=500)
        assert result.visits == kept + 500
        kept = next(entry.visits for entry in result.moves if entry.move == result.best_move)
        search.advance(result.best_move)


@pytest.mark.parametrize("mode", SHARED)
@pytest.mark.parametrize("rule", ["uct", "rave", "accelerated(k=2)", "discounted(k=2)", "mix", "bast", "solver"])
def test_many_threads_a_tiny_tree_and_no_rest(rule: str, mode: str) -> None:
    """Games to the end with short runs, so that most of the time threads begin, end, and find the tree full."""
    search = Search(Havannah(4), f"{rule}+parallel={mode}", threads=16, seed=1, max_memory="80kB")
    while not search.position.is_over:
        run = search.think(playouts=200)
        assert run.playouts == 200 or run.stopped_by == "proven"
        search.advance(search.best_move())


def test_many_searches_at_once() -> None:
    """Each with threads of its own, run from several threads."""
    counts: Counter[int] = Counter()

    def work(seed: int) -> None:
        search = Search(Havannah(4), threads=3, seed=seed)
        for _ in range(20):
            counts[seed] = search.run(playouts=50).visits

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert counts == dict.fromkeys(range(6), 1000)


# ---- the user's own games and knowledge


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("start", [Heap(12), Dice(), Auction()], ids=lambda start: type(start).__name__)
def test_games_written_in_python(start: Any, mode: str) -> None:
    result = Search(start, f"uct+parallel={mode}", threads=4, seed=1).run(playouts=1000)
    assert (result.playouts, result.visits) == (1000, 1000)
    assert result.best_move in start.legal_moves()


@pytest.mark.parametrize("mode", MODES)
def test_compiled_games(mode: str) -> None:
    position = connect_four()
    for move in (0, 1, 0, 1, 0):
        position = position.play(move)
    result = Search(position, f"uct+parallel={mode}", threads=4, seed=3).run(playouts=5000)
    assert (result.visits, result.best_move) == (5000, 0)


class BrokenError(Exception):
    pass


class Fragile(Heap):
    """Cannot be played below three stones."""

    def play(self, move: str) -> Fragile:
        if self.stones < 3:
            raise BrokenError(f"{self.stones} stones")
        following = super().play(move)
        return Fragile(following.stones, following.to_move)


class Wrong(Heap):
    def outcome(self) -> tuple[float, float]:
        return (2.0, -1.0)


@pytest.mark.parametrize("mode", MODES)
def test_exceptions_of_a_game_reach_the_caller(mode: str) -> None:
    engine = f"uct+parallel={mode}"
    search = Search(Fragile(20), engine, threads=4, seed=1)
    for _ in range(5):
        with pytest.raises(BrokenError, match="stones"):
            search.run(playouts=1000)
    with pytest.raises(GameError, match="outcome"):
        Search(Wrong(6), engine, threads=4, seed=1).run(playouts=100)


@pytest.mark.parametrize("mode", MODES)
def test_after_an_exception_the_counts_are_right(mode: str) -> None:
    """The playouts that ended are counted, the others have left nothing behind."""
    calls, good_mood = 0, False

    class Moody(Heap):
        def play(self, move: str) -> Moody:
            nonlocal calls
            calls += 1
            if calls % 997 == 0 and not good_mood:
                raise BrokenError("now and then")
            following = super().play(move)
            return Moody(following.stones, following.to_move)

    search = Search(Moody(12), f"uct+parallel={mode}", threads=4, seed=1)
    broken = 0
    for _ in range(20):
        try:
            search.run(playouts=100)
        except BrokenError:
            broken += 1
    good_mood = True
    result = search.run(playouts=100)
    at_moves = sum(entry.visits for entry in result.moves)
    assert broken > 3
    assert 0 <= result.visits - at_moves <= 4 * 5
    assert all(0 <= entry.value <= 1 for entry in result.moves)
    assert search.run(playouts=100).visits == result.visits + 100


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("engine", ["puct", "uct"])
def test_a_batched_evaluator(engine: str, mode: str) -> None:
    batches: list[int] = []  # a sum would lose what two threads add at once

    def judge(positions: list[Othello]) -> tuple[list[list[float]], list[float]]:
        batches.append(len(positions))
        return [[1.0] * len(position.legal_moves()) for position in positions], [0.5] * len(positions)

    search = Search(Othello(), f"{engine}+parallel={mode}", threads=4, seed=1, evaluator=judge, batch=16)
    result = search.run(playouts=1600)
    check_counts(result, 1600)
    assert max(batches) <= 16
    # No game is over so soon: every playout asks, and before the first one so does each root.
    assert sum(batches) == 1600 + (4 if mode == "root" else 1)
    assert all(entry.value == 0.5 for entry in result.moves if entry.visits)


@pytest.mark.parametrize("mode", MODES)
def test_exceptions_of_evaluators_and_policies_reach_the_caller(mode: str) -> None:
    def angry(*_: Any) -> Any:
        raise BrokenError("no")

    engine = f"uct+parallel={mode}"
    for knowledge in ({"evaluator": angry, "batch": 4}, {"policy": angry}):
        search = Search(TicTacToe(), engine, threads=4, seed=1, **knowledge)
        for _ in range(3):
            with pytest.raises(BrokenError, match="no"):
                search.run(playouts=100)

    def nonsense(_: list[Any]) -> Any:
        return 7

    with pytest.raises(EvaluatorError):
        Search(TicTacToe(), engine, threads=4, seed=1, evaluator=nonsense).run(playouts=100)


def test_a_policy_written_in_python() -> None:
    seen: set[int] = set()

    def last(position: Othello, moves: list[int], random: Any) -> int:
        seen.add(len(moves))
        return moves[-1]

    assert Search(Othello(), threads=4, seed=1, policy=last).run(playouts=100).visits == 100
    assert len(seen) > 3


def test_a_call_from_within_a_run_is_refused() -> None:
    """From the threads of the search too."""
    refused = 0

    def evaluator(positions: list[Any]) -> tuple[None, None]:
        nonlocal refused
        for call in (search.result, lambda: search.run(playouts=1), lambda: search.advance(0)):
            with pytest.raises(SearchBusyError):
                call()
            refused += 1
        return None, None

    search = Search(TicTacToe(), "uct", threads=4, seed=1, evaluator=evaluator)
    assert search.run(playouts=20).visits == 20
    assert refused >= 3


# ---- how it ends

INTERRUPTED = """
import tesuji
from tests.unit.own_games import Corridor
search = tesuji.Search({game}, "uct+parallel={mode}", threads=4, seed=1)
search.run(playouts=4)
print("ready", flush=True)
first = search.run(seconds=60)
second = search.run(playouts=10)
print(first.stopped_by, first.visits - 4 == first.playouts, second.visits - first.visits)
"""


@pytest.mark.parametrize(
    ("game", "mode"), [("tesuji.Go(9)", "lock-free"), ("tesuji.Go(9)", "root"), ("Corridor(length=200)", "lock-free")]
)
def test_ctrl_c_gives_a_result(game: str, mode: str) -> None:
    script = INTERRUPTED.format(game=game, mode=mode)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)  # before the run has begun Ctrl-C would be Python's own business
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=LONG)
    assert (process.returncode, output.split()) == (0, ["interrupt", "True", "10"])


def test_a_playout_without_an_end_is_stopped() -> None:
    search = Search(Corridor(length=10**9), "uct+playout-cap=2147483647", threads=4, seed=1)
    assert search.think(seconds=0.2).stopped_by == "seconds"


def test_a_script_ends_with_its_threads() -> None:
    """Idle threads, threads at work for a daemon thread, and searches that were thrown away hold nothing up."""
    script = """
import threading, time, tesuji
from tests.unit.own_games import Heap
for _ in range(20):
    tesuji.Search(tesuji.Go(5), threads=8, seed=1).run(playouts=50)
idle = tesuji.Search(Heap(6), threads=8, seed=1)
print(idle.run(playouts=100).visits)
search = tesuji.Search(tesuji.Go(9), threads=4, seed=1)
threading.Thread(target=search.run, kwargs={"seconds": 600}, daemon=True).start()
time.sleep(0.3)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "100\n", "")
