"""The search from Python: budgets, results, repetition, and how it ends."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from tesuji import (
    ArgumentError,
    GameStateError,
    Go,
    Havannah,
    IllegalMoveError,
    Othello,
    Position,
    Search,
    SearchBusyError,
    SearchResult,
    SpecError,
    SumOfSwitches,
    TicTacToe,
    TreeGame,
)
from tesuji.games import GAMES, make_game

LONG = 60.0  # seconds: far more than any of these searches takes


@pytest.fixture(params=GAMES)
def start(request: pytest.FixtureRequest) -> Position:
    return make_game(request.param)


def statistics_of(result: SearchResult) -> dict[str, Any]:
    """All of a result that must repeat: everything but the clocks."""
    return {name: value for name, value in result.to_dict().items() if name not in ("seconds", "cpu_seconds")}


def test_results_hang_together(start: Position) -> None:
    result = Search(start, seed=1).run(playouts=500)
    assert (result.playouts, result.visits, result.stopped_by, result.seed) == (500, 500, "playouts", 1)
    assert sorted(entry.move for entry in result.moves) == sorted(start.legal_moves())
    assert 499 <= sum(entry.visits for entry in result.moves) <= 500
    assert [entry.visits for entry in result.moves] == sorted((e.visits for e in result.moves), reverse=True)
    best = next(entry for entry in result.moves if entry.move == result.best_move)
    assert best.visits == result.moves[0].visits
    assert (result.value, result.pv) == (best.value, best.pv)
    assert all(0 <= entry.value <= 1 for entry in result.moves)
    assert result.position == start
    for entry in result.moves:
        assert entry.pv[0] == entry.move == start.parse_move(entry.text)
        position = start
        for move in entry.pv:
            position = position.play(move)
    assert 0 < result.memory <= 2**30
    assert result.child_slots > result.nodes > 0


def test_equal_seeds_give_equal_trees(start: Position) -> None:
    results = [Search(start, seed=seed).run(playouts=1000) for seed in (5, 5, 6)]
    assert results[0].tree == results[1].tree
    assert statistics_of(results[0]) == statistics_of(results[1])
    assert results[0].tree != results[2].tree


def test_a_search_in_pieces_is_the_same_search() -> None:
    whole, pieces = Search(Havannah(4), seed=7), Search(Havannah(4), seed=7)
    expected = whole.run(playouts=1000)
    for playouts in (1, 299, 700):
        result = pieces.run(playouts=playouts)
    assert result.tree == expected.tree
    assert (result.visits, result.playouts) == (1000, 700)


def test_without_a_seed_one_is_drawn_and_told() -> None:
    search = Search(Othello())
    result = search.run(playouts=200)
    assert result.seed == search.seed
    assert Search(Othello(), seed=search.seed).run(playouts=200).tree == result.tree
    assert Search(Othello()).seed != search.seed


def test_engines_differ() -> None:
    specs = ("uct", "uct(c=0.1)", "ucb-tuned1", "ucb-tuned2", "expand=5", "uct(fpu=1)")
    results = {spec: Search(Othello(), spec, seed=1).run(playouts=2000) for spec in specs}
    assert len({tuple((e.move, e.visits) for e in result.moves) for result in results.values()}) == len(results)
    assert results["expand=5"].nodes < results["uct"].nodes
    assert results["uct(c=0.1)"].moves[0].visits > results["uct"].moves[0].visits
    assert str(results["ucb-tuned1"].engine) == "ucb-tuned1"


def test_the_final_rule_chooses_the_move() -> None:
    result = Search(Othello(), "uct(c=2)+final=value", seed=1).run(playouts=50)
    assert result.value == max(entry.value for entry in result.moves)


def test_budgets() -> None:
    search = Search(Go(5), seed=1)
    assert search.run(seconds=0.05).stopped_by == "seconds"
    assert search.run(cpu_seconds=0.05).stopped_by == "cpu_seconds"
    result = search.run(playouts=10, seconds=LONG, cpu_seconds=LONG)
    assert (result.stopped_by, result.playouts) == ("playouts", 10)
    assert result.visits > 10
    assert result.seconds > 0
    assert result.cpu_seconds > 0


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({}, "needs a budget"),
        ({"playouts": 0}, "playouts must be an integer from 1"),
        ({"playouts": -5}, "-5"),
        ({"playouts": 1.5}, "1.5"),
        ({"playouts": True}, "True"),
        ({"playouts": 2**40}, "to 4294967295"),
        ({"playouts": 10**5000}, "not a value of type int"),
        ({"seconds": 0}, "seconds must be positive"),
        ({"seconds": float("nan")}, "finite number"),
        ({"cpu_seconds": "1"}, "finite number"),
        ({"playouts": 10, "seconds": -1}, "must be positive"),
    ],
)
def test_bad_budgets(budget: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Search(TicTacToe()).run(**budget)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"threads": 0}, ArgumentError, "threads must be an integer from 1 to 1024, not 0"),
        ({"threads": 1025}, ArgumentError, "from 1 to 1024, not 1025"),
        ({"threads": 2.0}, ArgumentError, "from 1 to 1024, not 2.0"),
        ({"threads": "all"}, ArgumentError, "from 1 to 1024, not 'all'"),
        ({"seed": -1}, ArgumentError, "seed must be"),
        ({"seed": 2**64}, ArgumentError, "seed must be"),
        ({"batch": 0}, ArgumentError, "^batch must be an integer from 1"),
        ({"max_memory": 10}, ArgumentError, "max_memory"),
        ({"max_memory": "lots"}, ArgumentError, "'512MB'"),
        ({"max_memory": "5 parsecs"}, ArgumentError, "'512MB'"),
        ({"engine": "uctt"}, SpecError, "did you mean 'uct'"),
        ({"position": "go"}, ArgumentError, "no position"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Search(**{"position": TicTacToe(), **arguments})


def test_a_finished_game_has_nothing_to_search() -> None:
    with pytest.raises(GameStateError, match="the game is over"):
        Search(TicTacToe.from_ascii("XXX\nOO.\n..."))


# ---- moving on


def test_advance_keeps_what_is_known() -> None:
    search = Search(Othello(), seed=1)
    before = search.run(playouts=5000)
    search.advance(before.best_move)
    kept = search.result()
    assert kept.position == search.position == Othello().play(before.best_move)
    assert kept.visits == before.moves[0].visits
    assert kept.best_move == before.pv[1]
    assert kept.nodes < before.nodes
    assert (kept.playouts, kept.stopped_by) == (0, "not run")
    assert search.run(playouts=100).visits == kept.visits + 100


def test_advance_refuses_illegal_moves_and_stays() -> None:
    search = Search(Othello(), seed=1)
    before = search.run(playouts=100)
    for move in ("a1", "pass", 99, None, "nonsense"):
        with pytest.raises(IllegalMoveError):
            search.advance(move)
    assert search.position == Othello()
    assert search.result().tree == before.tree


def test_advance_by_text_before_any_run_and_to_the_end() -> None:
    search = Search(TicTacToe(), seed=1)
    with pytest.raises(GameStateError, match="run"):
        search.result()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        search.advance(move)
    assert search.position.is_over
    with pytest.raises(GameStateError, match="the game is over"):
        search.run(playouts=1)


# ---- limits and interruptions


def test_a_full_tree_still_gives_an_answer(start: Position) -> None:
    result = Search(start, seed=1, max_memory="70kB").run(playouts=20_000)
    assert result.memory <= 70_000
    assert result.visits == 20_000
    assert result.best_move in start.legal_moves()
    assert result.tree_full
    assert not Search(start, seed=1).run(playouts=100).tree_full


def in_the_background(search: Search) -> tuple[threading.Thread, list[SearchResult]]:
    results: list[SearchResult] = []
    thread = threading.Thread(target=lambda: results.append(search.run(seconds=LONG)))
    thread.start()
    return thread, results


def is_busy(search: Search) -> bool:
    try:
        search.result()
    except SearchBusyError:
        return True
    return False


def test_stop_and_questions_from_another_thread() -> None:
    search = Search(Go(9), seed=1)
    search.run(playouts=10)
    thread, results = in_the_background(search)
    try:
        while thread.is_alive() and not is_busy(search):
            pass
        with pytest.raises(SearchBusyError):
            search.run(playouts=1)
        with pytest.raises(SearchBusyError):
            search.advance("E5")
    finally:
        while thread.is_alive():
            search.stop()
            thread.join(0.01)
    assert results[0].stopped_by == "stop"
    assert results[0].seconds < LONG
    assert search.position == Go(9)
    assert search.run(playouts=5).visits == results[0].visits + 5


def test_stopping_an_idle_search_does_nothing() -> None:
    search = Search(TicTacToe(), seed=1)
    search.stop()
    assert search.run(playouts=50).playouts == 50


INTERRUPTED = """
import tesuji
search = tesuji.Search(tesuji.Go(9), seed=1)
print("ready", flush=True)
first = search.run(seconds=60)
second = search.run(playouts=10)
print(first.stopped_by, first.best_move in tesuji.Go(9).legal_moves(), second.visits - first.visits)
"""


def test_ctrl_c_gives_a_result() -> None:
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)  # before the run has begun Ctrl-C would be Python's own business
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=LONG)
    assert (process.returncode, output.split()) == (0, ["interrupt", "True", "10"])


# ---- strength


def win_in_one(name: str) -> tuple[Position, str]:
    if name == "tic-tac-toe":
        return TicTacToe.from_ascii("XX.\nOO.\n..."), "c1"
    if name == "othello":  # e3 turns both white discs, the other two moves only one of them
        return Othello.from_discs(black=["b3", "c2"], white=["c3", "d3"]), "e3"
    if name == "havannah":
        return Havannah.from_stones(size=4, white=["a1", "b1", "c1"], black=["d4", "e4", "f5"]), "d1"
    if name == "sum-of-switches":  # the opponent's last pick is forced
        return SumOfSwitches(2), "1"
    if name == "tree-game":
        return TreeGame([0, [1, 0], 1, 0.5]), "2"
    # One stone holds the whole board, and komi asks for all of it: only passing at once wins for sure.
    return Go(5, komi=24.5).play("C3").play("pass"), "pass"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("engine", ["uct", "ucb-tuned1", "ucb-tuned2"])
def test_a_win_in_one_is_found(name: str, engine: str) -> None:
    position, move = win_in_one(name)
    result = Search(position, engine, seed=1).run(playouts=2000)
    assert result.position.format_move(result.best_move).lower() == move
    assert result.value == 1.0
    for reply in result.pv:
        position = position.play(reply)
    assert position.is_over


def never_loses(search_side: int, position: TicTacToe) -> None:
    """Follows every answer of the opponent."""
    if position.is_over:
        assert position.outcome()[search_side] >= 0.5
    elif position.to_move == search_side:
        never_loses(search_side, position.play(Search(position, "uct", seed=1).run(playouts=3000).best_move))
    else:
        for move in position.legal_moves():
            never_loses(search_side, position.play(move))


@pytest.mark.parametrize("side", [0, 1])
def test_tic_tac_toe_is_never_lost(side: int) -> None:
    never_loses(side, TicTacToe())


def test_tic_tac_toe_is_a_draw() -> None:
    result = Search(TicTacToe(), "uct(c=0.3)", seed=1).run(playouts=200_000)
    assert result.value == pytest.approx(0.5, abs=0.03)


# ---- other forms


def test_json_and_dot() -> None:
    result = Search(Go(5), "uct(c=0.5)", seed=3).run(playouts=300)
    data = json.loads(result.to_json())
    assert data["best_move_text"] == Go(5).format_move(data["best_move"])
    assert data["engine"] == "uct(c=0.5)"
    assert len(data["moves"]) == 26
    assert data["moves"][0]["pv_text"] == [Go(5).format_move(move) for move in data["moves"][0]["pv"]]
    dot = result.to_dot()
    assert dot.startswith("digraph")
    assert dot.count("label=") == len(result.tree) > 10
    assert dot.count("->") == len(result.tree) - 1
    assert "300 visits" in dot


def test_results_are_frozen() -> None:
    result = Search(TicTacToe(), seed=1).run(playouts=20)
    with pytest.raises(AttributeError):
        result.value = 1.0  # type: ignore[misc]


def test_a_copy_through_pickle_is_searched_alike(start: Position) -> None:
    position = start
    for ply in range(40):
        moves = position.legal_moves()[: -1 if start.game == "go" else None]
        following = position.play(moves[ply * 7919 % len(moves)])
        if following.is_over:
            break
        position = following
    twin = pickle.loads(pickle.dumps(position))
    assert statistics_of(Search(position, seed=5).run(playouts=300)) == statistics_of(
        Search(twin, seed=5).run(playouts=300)
    )


def test_all_legal_moves_can_be_searched() -> None:
    pass_move = Go(5).parse_move("pass")
    for engine, is_searched in (("uct", False), ("uct+moves=legal", True)):
        result = Search(Go(5), engine, seed=1).run(playouts=200)
        visits = next(entry.visits for entry in result.moves if entry.move == pass_move)
        assert (visits > 0) == is_searched


def test_a_search_in_a_daemon_thread_ends_with_the_interpreter() -> None:
    script = """
import threading, time, tesuji
search = tesuji.Search(tesuji.Go(9), seed=1)
threading.Thread(target=search.run, kwargs={"seconds": 600}, daemon=True).start()
time.sleep(0.3)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_an_interrupt_in_advance_leaves_position_and_tree_together() -> None:
    """SIGALRM stands for Ctrl-C; it comes while the core is at work, and is noticed right after."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for delay in (0.0001, 0.0005, 0.002):
            search = Search(Go(9), "uct(c=0.1)", seed=1)
            best = search.run(playouts=60_000).best_move
            with contextlib.suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, delay)
                search.advance(best)
            signal.setitimer(signal.ITIMER_REAL, 0)
            result = search.run(playouts=1000)
            assert {entry.move for entry in result.moves} == set(search.position.legal_moves())
            search.advance(result.best_move)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_call_from_within_a_run_is_refused() -> None:
    """By an evaluator, which runs in the same thread."""
    seen: list[Any] = []

    def evaluator(positions: list[Any]) -> tuple[None, None]:
        for call in (search.result, lambda: search.run(playouts=1), lambda: search.advance(0)):
            with pytest.raises(SearchBusyError):
                call()
            seen.append(call)
        return None, None

    search = Search(TicTacToe(), "uct", seed=1, evaluator=evaluator)
    assert search.run(playouts=5).visits == 5
    assert len(seen) >= 3


def test_a_search_is_not_copied() -> None:
    search = Search(Go(5), seed=1)
    for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="make a new one"):
            duplicate(search)


def test_memory_that_cannot_be_had_is_said() -> None:
    script = """
import resource, tesuji
resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
try:
    tesuji.Search(tesuji.Go(9), max_memory="4GiB")
except tesuji.ArgumentError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert "max_memory" in result.stdout


def test_a_glance_shows_what_the_result_shows() -> None:
    for position, is_proven in ((Othello(), False), (TicTacToe.from_ascii("XX.\nO..\n.O."), True)):
        search = Search(position, "uct+solver", seed=1)
        result = search.run(playouts=500)
        assert [(entry.move, entry.visits, entry.value, entry.proven) for entry in search.glance()] == [
            (entry.move, entry.visits, entry.value, entry.proven) for entry in result.moves
        ]
        assert any(entry.proven for entry in result.moves) == is_proven


def test_the_tree_as_nodes() -> None:
    search = Search(Othello(), seed=1)
    with pytest.raises(GameStateError):
        search.result()
    search.run(playouts=500)
    nodes = search.top_of_tree(max_depth=3)
    assert nodes[0].visits == 500
    assert nodes[0].parent is None
    seen = {nodes[0].id}
    for node in nodes[1:]:
        assert node.parent in seen, "each stands behind its parent"
        seen.add(node.id)
    first = {node.move: (node.visits, node.value) for node in nodes if node.parent == nodes[0].id}
    assert first == {entry.move: (entry.visits, entry.value) for entry in search.result().moves}
    often = search.top_of_tree(max_depth=3, min_visits=20)
    assert sorted(node.visits for node in often) == sorted(node.visits for node in nodes if node.visits >= 20)
    assert len(search.top_of_tree(max_depth=0)) == 1
    assert search.top_of_tree(max_depth=10**30) == search.top_of_tree(max_depth=1000)
    assert len(search.top_of_tree(max_depth=1, min_visits=10**30)) <= 1
    with pytest.raises(ArgumentError, match="max_depth"):
        search.top_of_tree(max_depth=-1)
    with pytest.raises(ArgumentError, match="min_visits"):
        search.top_of_tree(max_depth=1, min_visits=0)
