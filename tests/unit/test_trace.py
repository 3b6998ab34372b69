"""Traces: the root's values over time, in Python and on the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.unit.own_games import Auction, Dice
from tests.unit.test_cli import invoke

PNG = b"\x89PNG\r\n\x1a\n"
ENGINES = ["uct", "uct(c=0.4)+discounted(k=2)", "accelerated(k=2)+final=value"]
GAMES: dict[str, Callable[[], Any]] = {
    "go": lambda: tesuji.Go(size=5, komi=0.5),
    "othello": tesuji.Othello,
    "havannah": lambda: tesuji.Havannah(size=4),
    "tic-tac-toe": tesuji.TicTacToe,
    "sum-of-switches": tesuji.SumOfSwitches,
    "tree-game": tesuji.TreeGame.random,
    "deceptive-tree": tesuji.TreeGame.deceptive,
    "three players": Auction,
    "dice": Dice,
}


@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_rows_are_those_of_searches_with_that_budget(game: str, even: bool) -> None:
    trace = tesuji.trace(GAMES[game](), ENGINES, playouts=1500, points=6, even=even, seed=5)
    assert len(trace.rows) == 18
    assert not trace.interrupted
    for row in trace.rows:
        alone = tesuji.Search(GAMES[game](), row.engine, seed=5).run(playouts=row.playouts)
        assert row.moves == alone.moves
        assert (row.best_move, row.value) == (alone.best_move, alone.value)
        assert row.best_move_text == next(entry.text for entry in alone.moves if entry.move == alone.best_move)


def budgets(**options: Any) -> list[int]:
    trace = tesuji.trace(tesuji.TicTacToe(), "uct", seed=1, **options)
    return [row.playouts for row in trace.rows]


def test_points() -> None:
    assert budgets(playouts=2000, points=5) == [2, 11, 63, 360, 2000]
    assert budgets(playouts=2000, points=4, even=True) == [500, 1000, 1500, 2000]
    assert len(budgets(playouts=5000)) == 12
    assert budgets(playouts=777, points=1) == budgets(playouts=777, points=1, even=True) == [777]
    # Fewer playouts than points: each budget once.
    assert budgets(playouts=3, points=50) == budgets(playouts=3, points=50, even=True) == [1, 2, 3]
    assert budgets(playouts=1, points=2) == [1]


def test_engines_go_side_by_side() -> None:
    trace = tesuji.trace(tesuji.TicTacToe(), ["uct", "ucb-tuned1"], playouts=100, points=3, seed=1)
    assert [str(row.engine) for row in trace.rows] == ["uct", "ucb-tuned1"] * 3
    assert [row.playouts for row in trace.of("ucb-tuned1")] == [1, 10, 100]
    assert trace.of("uct") + trace.of("ucb-tuned1") == (*trace.rows[::2], *trace.rows[1::2])


def test_a_move_that_led_early_is_among_the_leading_ones() -> None:
    trap = tesuji.TreeGame.deceptive(depth=3, width=3)
    trace = tesuji.trace(trap, "uct", playouts=5000, seed=1)
    assert trace.rows[0].best_move == 0
    assert trace.rows[-1].best_move == 1
    assert sorted(trace.leading_moves(2)) == [0, 1]
    assert trace.leading_moves(1) == [0]
    last = trace.rows[-1]
    assert sum(last.share(entry) for entry in last.moves) == pytest.approx(1)
    assert last.share(last.entry(1)) > 0.8


def test_a_proven_position_has_no_more_rows() -> None:
    position = tesuji.TicTacToe.from_ascii("XXO\nOO.\nX.X")
    trace = tesuji.trace(position, ["uct", "uct+solver"], playouts=100, points=5, seed=1)
    counts = {engine: [row.playouts for row in trace.of(engine)] for engine in ("uct", "uct+solver")}
    assert counts["uct"][-1] == 100
    assert counts["uct+solver"] == sorted(set(counts["uct+solver"]))
    assert counts["uct+solver"][-1] < 10


def test_plain_values() -> None:
    trace = tesuji.trace(Dice(), ["uct"], playouts=50, points=2, seed=3)
    data = json.loads(trace.to_json())
    assert data == trace.to_dict()
    assert (data["game"], data["seed"], data["engines"], data["interrupted"]) == ("Dice", 3, ["uct"], False)
    row = data["rows"][-1]
    assert (row["engine"], row["playouts"]) == ("uct", 50)
    assert [entry["visits"] for entry in row["moves"]] == [entry.visits for entry in trace.rows[-1].moves]


@pytest.mark.parametrize(
    ("engines", "options", "message"),
    [
        ([], {}, r"a list of them, not \[\]"),
        (None, {}, "a list of them, not None"),
        (["uct", 7], {}, "an engine spec must be text"),
        (["uct", "utc"], {}, "did you mean 'uct'"),
        (["uct", "uct(c=1.0)"], {}, "uct is given twice"),
        ("uct", {"playouts": 0}, "playouts must be"),
        ("uct", {"points": 0}, "points must be an integer from 1"),
        ("uct", {"points": 1.5}, "points must be an integer"),
        ("uct", {"even": "yes"}, "even must be True or False"),
        ("uct", {"seed": -1}, "seed must be"),
    ],
)
def test_bad_input(engines: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(tesuji.TesujiError, match=message):
        tesuji.trace(tesuji.TicTacToe(), engines, **{"playouts": 10, **options})


def test_a_finished_game_has_no_trace() -> None:
    with pytest.raises(tesuji.GameStateError, match="the game is over"):
        tesuji.trace(tesuji.TreeGame([1]).play(0), playouts=10)


# ---- Ctrl-C


class InterruptsItself(Dice):
    """Ctrl-C comes within the user's code, after so many questions."""

    left = 0

    def play(self, move: Any) -> Any:
        cls = type(self)
        cls.left -= 1
        if cls.left == 0:
            raise KeyboardInterrupt
        return super().play(move)


@pytest.mark.parametrize("questions", [100, 1000, 3000])
def test_ctrl_c_keeps_what_is_there(monkeypatch: pytest.MonkeyPatch, questions: int) -> None:
    monkeypatch.setattr(InterruptsItself, "left", questions)
    trace = tesuji.trace(InterruptsItself(), ["uct", "ucb-tuned1"], playouts=10**6, points=8, seed=1)
    assert trace.interrupted
    assert trace.rows
    assert trace.to_dict()["interrupted"]


def test_ctrl_c_before_anything_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(InterruptsItself, "left", 1)
    with pytest.raises(KeyboardInterrupt):
        tesuji.trace(InterruptsItself(), "uct", playouts=100)


def test_ctrl_c_on_the_command_line() -> None:
    command = [sys.executable, "-m", "tesuji", "analyze", "othello", "--trace", "--playouts", "4000000000"]
    for delay in (3, 10, 30):  # a slow machine needs longer until it searches
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        if output:
            break
    assert process.returncode == 130
    assert "playouts" in output
    assert errors == "interrupted: this is what was found until then\n"


# ---- plots


@pytest.mark.parametrize("even", [False, True])
def test_plots(tmp_path: Path, even: bool) -> None:
    trace = tesuji.trace(tesuji.Othello(), ["uct", "accelerated(k=2)"], playouts=500, even=even, seed=1)
    trace.plot(tmp_path / "trace.png")
    trace.plot(tmp_path / "trace.svg", title="the start", moves=3)
    assert (tmp_path / "trace.png").read_bytes().startswith(PNG)
    assert ET.parse(tmp_path / "trace.svg").getroot().tag.endswith("svg")
    trace.plot(tmp_path / "again.svg", title="the start", moves=3)
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "trace.svg").read_bytes()
    with pytest.raises(tesuji.ArgumentError, match="cannot be a plot"):
        trace.plot(tmp_path / "trace.nothing")
    with pytest.raises(tesuji.ArgumentError, match="cannot be written: No such file"):
        trace.plot(tmp_path / "none" / "trace.png")
    with pytest.raises(tesuji.ArgumentError, match="moves must be"):
        trace.plot(tmp_path / "trace.png", moves=0)


def test_names_in_a_plot_are_no_formulas(tmp_path: Path) -> None:
    tesuji.trace(tesuji.Othello(), playouts=20, seed=1).plot(tmp_path / "odd.svg", title=r"game_$\foo$.sgf")
    assert r"game_$\foo$.sgf" in (tmp_path / "odd.svg").read_text()


def test_a_plot_of_one_point_and_of_moves_without_visits(tmp_path: Path) -> None:
    tesuji.trace(tesuji.Othello(), playouts=1, seed=1).plot(tmp_path / "one.png")
    assert (tmp_path / "one.png").read_bytes().startswith(PNG)


# ---- the command line

TRAP = ["analyze", "deceptive-tree", "--depth", "3", "--trace", "--playouts", "2000", "--points", "4", "--seed", "1"]
RULES = ["--engine", "uct", "--engine", "accelerated(k=2)", "--engine", "discounted(k=3)", "--engine", "ucb-tuned1"]


def test_the_table_lines_up_at_80_columns() -> None:
    result = invoke(*TRAP, *RULES)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "│    2,000 │" in result.stdout
    # The fourth engine has a table of its own, and every line of a table is as long as its first.
    tops = [number for number, line in enumerate(lines) if line.startswith("┏")]
    assert len(tops) == 2
    for top in tops:
        length = next(n for n, line in enumerate(lines[top:]) if line.startswith("└"))
        assert {len(line) for line in lines[top : top + length + 1]} == {len(lines[top])}


def test_cells_show_the_values_of_the_search() -> None:
    result = invoke(*TRAP)
    best = tesuji.Search(tesuji.TreeGame.deceptive(depth=3), seed=1).run(playouts=2000)
    for entry in best.moves:
        mark = "*" if entry.move == best.best_move else " "
        share = entry.visits / sum(other.visits for other in best.moves)
        assert f"│ {mark}{entry.text} {100 * entry.value:5.1f}% {share:>4.0%}" in result.stdout


def test_json_is_the_trace(tmp_path: Path) -> None:
    plot = tmp_path / "trap.png"
    data = json.loads(invoke(*TRAP, *RULES, "--even", "--plot", str(plot), "--json").stdout)
    position = tesuji.TreeGame.deceptive(depth=3)
    expected = tesuji.trace(position, RULES[1::2], playouts=2000, points=4, even=True, seed=1)
    assert data == {**expected.to_dict(), "plot": str(plot)}
    assert plot.read_bytes().startswith(PNG)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "uct", "--engine", "ucb-tuned1"], "add --trace"),
        (["--plot", "trace.png"], "add --trace"),
        (["--points", "5"], "add --trace"),
        (["--even"], "add --trace"),
        (["--trace", "--seconds", "1"], "give --playouts in place of --seconds"),
        (["--trace", "--points", "0"], "points must be"),
        (["--trace", "--plot", "trace.gif"], "must end in .png, .svg or .pdf"),
        (["--trace", "--plot", "no/such/folder/trace.png"], "a folder that exists"),
        (["--trace", "--engine", "uct", "--engine", "uct"], "given twice"),
        (["--width", "1"], "width must be an integer from 2"),
    ],
)
def test_mistakes_get_one_line_and_code_2(arguments: list[str], message: str) -> None:
    result = invoke("analyze", "deceptive-tree", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
