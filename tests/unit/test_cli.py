"""The command line, within this process and as a real one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import tesuji
from tests.arena.programs import in_a_group
from tesuji.cli import app
from tesuji.commands import bench as bench_module
from tesuji.commands import match as match_module
from tesuji.commands.bench_threads import playouts_a_second


def names_of(group: Any) -> Iterator[str]:
    """Of all commands, those of groups as `store list`."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from (f"{name} {inner}" for inner in names_of(command))
        else:
            yield name


COMMANDS = list(names_of(typer.main.get_command(app)))


def invoke(*arguments: str, stdin: str | None = None) -> Any:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tesuji", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    result = invoke(*command.split(), "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert f"tesuji {command}" in result.stdout


def test_version_and_bare_call() -> None:
    assert invoke("--version").stdout == f"tesuji {tesuji.__version__}\n"
    bare = run()
    assert bare.returncode == 0
    assert all(command.split()[0] in bare.stdout for command in COMMANDS)


def test_engines_prints_the_table() -> None:
    assert tesuji.engine_help() in invoke("engines").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["analyze", "chess"], "there is no game 'chess'"),
        (["analyze", "go", "--size", "20"], "from 5 to 19"),
        (["analyze", "othello", "--size", "8"], "othello has no option 'size'"),
        (["analyze", "othello", "--moves", "f5 f5"], "move 2 of --moves: illegal move f5 for White"),
        (["analyze", "othello", "--engine", "uct(c=x)"], "c of uct must be a number"),
        (["analyze", "go", "--engine", "max(discs)"], "max cannot judge by discs: this game has no functions"),
        (["analyze", "othello", "--engine", "max"], "max has nothing to judge leaves with"),
        (["analyze", "othello", "--playouts", "0"], "playouts must be"),
        (["analyze", "othello", "--seconds", "nan"], "finite number"),
        (["analyze", "othello", "--playouts", "many"], "--playouts"),
        (["analyze"], "game"),
        (["play", "go", "--engine", "utc"], "did you mean 'uct'"),
        (["match", "go", "uct"], "needs GAME, A and B"),
        (["match", "go", "uct", "uct", "--playouts", "1,2,3"], "two with a comma"),
        (["match", "go", "uct", "uct", "--games", "0"], "games must be"),
        (["match", "go", "--demo"], "plays its own games"),
        (["match", "go", "uct", "uct", "--sprt", "5"], "two Elo differences"),
        (["match", "go", "uct", "uct", "--shard", "0/2"], "the shard must be"),
        (["match", "go", "uct", "uct", "--openings", "no/such/file"], "cannot be read"),
        (["match", "go", "uct", "uct", "--store", "/no/such/folder/results.db"], "there is no folder"),
        (["match", "go", "uct", "uct", "--import", "no/such/file.csv"], "cannot be read"),
        (["match", "go", "uct", "uct", "--failures", "draw"], "'loss' or 'void'"),
        (["match", "go", "uct", "gtp:/no/such/program"], "there is no program"),
        (["tournament", "go", "uct"], "at least two players"),
        (
            ["tournament", "go", "uct", "puct", "--games", "10000000000000"],
            "games must be an integer from 1 to 10000000",
        ),
        (["tournament", "go", "uct", "uct(c=1.0)"], "is given twice"),
        (["store", "list", "no/such/file.db"], "there is no store"),
        (["store", "merge", "no/such/file.db", "--into", "all.db"], "there is no store"),
        (["nothing"], "nothing"),
        (["bench", "--fast"], "--fast"),
        (["analyze", "go", "--threads", "0"], "threads must be an integer from 1 to 1024, not 0"),
        (["play", "go", "--threads", "2000"], "threads must be an integer from 1 to 1024, not 2000"),
        (["match", "othello", "uct", "uct", "--threads", "2,0"], "threads must be an integer from 1 to 1024, not 0"),
    ],
)
def test_mistakes_get_one_line_and_code_2(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message.lower() in result.stderr.lower()


def test_analyze_shows_a_table() -> None:
    result = invoke("analyze", "othello", "--moves", "f5, d6 c3", "--playouts", "300", "--seed", "1", "--top", "3")
    assert result.exit_code == 0
    assert "White (O) to move" in result.stdout
    assert "300 playouts" in result.stdout


def test_analyze_shows_how_likely_a_model_thinks_a_move() -> None:
    arguments = ["analyze", "go", "--size", "9", "--playouts", "100", "--seed", "1", "--engine"]
    table = invoke(*arguments, "puct+model=go9+moves=legal").stdout
    priors = tesuji.knowledge.load("go9").priors(tesuji.Go(9))
    assert "P(m)" in table
    assert f"{100 * max(priors.values()):.1f}%" in table
    assert "P(m)" not in invoke(*arguments, "uct").stdout


def test_analyze_json_is_the_search() -> None:
    result = invoke("analyze", "go", "--size", "5", "--komi", "0.5", "--playouts", "200", "--seed", "4", "--json")
    data = json.loads(result.stdout)
    expected = tesuji.Search(tesuji.Go(5, 0.5), seed=4).run(playouts=200)
    assert data["moves"] == json.loads(expected.to_json())["moves"]


def test_analyze_shows_what_is_proven() -> None:
    result = invoke("analyze", "tic-tac-toe", "--engine", "uct+solver", "--playouts", "1000000", "--seed", "1")
    assert result.exit_code == 0
    assert "50.0% draw" in result.stdout
    assert "proven: draw" in result.stdout


def test_match_prints_a_table_or_json() -> None:
    arguments = ["match", "tic-tac-toe", "uct", "uct(c=0.5)", "--playouts", "40,20", "--games", "6", "--seed", "1"]
    table = invoke(*arguments, "--jobs", "1")
    assert table.exit_code == 0
    assert "95% interval" in table.stdout
    data = json.loads(invoke(*arguments, "--jobs", "1", "--json").stdout)
    assert data["games"] == data["wins"] + data["draws"] + data["losses"] == 6 - data["duplicates"]
    assert (data["playouts"], data["b"]) == ([40, 20], "uct(c=0.5)")
    real = run(*arguments, "--jobs", "2", "--json")
    assert {**json.loads(real.stdout), "notes": []} == {**data, "notes": []}


def test_the_demo_ends_in_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    small = tuple((name, game, options, 10, 2) for name, game, options, _, _ in match_module.DEMO)
    monkeypatch.setattr(match_module, "DEMO", small)
    result = invoke("match", "--demo", "--jobs", "1")
    assert result.exit_code == 0
    for name in ("Othello", "Havannah", "Go 9x9", "60 to 72%", "20:10"):
        assert name in result.stdout
    rows = json.loads(invoke("match", "--demo", "--jobs", "1", "--json").stdout)
    assert [row["game"] for row in rows] == [name for name, *_ in small]


def interrupted_match(delay: float) -> tuple[int, str, str]:
    """Exit code and output of an endless match that gets Ctrl-C after so many seconds."""
    budget = ["--playouts", "50", "--games", "1000000", "--jobs", "2", "--json"]
    command = [sys.executable, "-m", "tesuji", "match", "tic-tac-toe", "uct", "uct", *budget]
    with in_a_group(command) as process:
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors


def test_ctrl_c_in_a_match_shows_what_was_played() -> None:
    for delay in (2, 8, 30):  # a slow machine needs longer until the first game has been played
        code, output, errors = interrupted_match(delay)
        if output and json.loads(output)["games"]:
            break
    assert code == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors
    assert json.loads(output)["interrupted"]
    assert 0 < json.loads(output)["games"] < 1_000_000
    assert set(json.loads(output)) >= {"percentage", "interval", "elo", "elo_interval"}


def test_ctrl_c_while_the_workers_start_is_clean() -> None:
    for delay in (0.8, 1.1, 1.4):
        code, _, errors = interrupted_match(delay)
        # On a slow machine the signal may come before our code does: then Python itself dies of it.
        assert code in (130, -signal.SIGINT)
        assert "BrokenProcessPool" not in errors


INTERRUPTED_TWICE = """
import atexit, signal, sys
from tesuji.__main__ import main

module = sys.argv.pop(1)

class Interrupting:
    def find_spec(self, name, *_):
        if name == module:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
atexit.register(signal.raise_signal, signal.SIGINT)
main()
"""


@pytest.mark.parametrize("module", ["tesuji.cli", "tesuji.regress.files"])
def test_ctrl_c_while_something_loads_and_again_at_the_end_is_clean(module: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED_TWICE, module, "regress", "nowhere.tst"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "interrupted\n")


def test_workers_end_with_a_match_that_is_killed() -> None:
    budget = ["--playouts", "50", "--games", "1000000", "--jobs", "2", "--json"]
    command = [sys.executable, "-m", "tesuji", "match", "tic-tac-toe", "uct", "uct", *budget]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        time.sleep(2)
        process.kill()
        # The workers hold the other end of the pipe: it is closed when the last of them has gone.
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL


def test_ctrl_c_ends_a_benchmark() -> None:
    command = [sys.executable, "-m", "tesuji", "bench", "--rounds", "1000000"]
    for delay in (3, 10, 30):  # a slow machine needs longer until it measures
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        if process.returncode == 130:
            break
    assert process.returncode == 130
    assert "Traceback" not in errors


def test_bench_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_module, "BARE_SECONDS", 0.001)
    result = invoke("bench", "--json", "--rounds", "1", "--playouts", "200")
    rows = json.loads(result.stdout)
    assert {(row["game"], row["size"]) for row in rows} == {
        ("go", 9), ("go", 13), ("go", 19), ("othello", 8), ("havannah", 5), ("havannah", 8)
    }  # fmt: skip
    assert len({row["name"] for row in rows}) == len(rows) == 12
    assert all(row["playouts_per_cpu_second"] > 0 for row in rows)
    searches = [row for row in rows if "ratio" in row]
    assert len(searches) == 6
    assert all(row["peer"] in {other["name"] for other in rows} for row in searches)
    assert "Playouts a CPU-second" in invoke("bench", "--rounds", "1", "--playouts", "200").stdout


def test_bench_compares_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_module, "BARE_SECONDS", 0.001)
    engines = ("--engine", "uct", "--engine", "accelerated(k=3)")
    result = invoke("bench", "--json", "--rounds", "1", "--playouts", "200", "--game", "othello", *engines)
    rows = json.loads(result.stdout)
    assert [row["name"] for row in rows] == [
        "othello-playouts",
        "othello-search uct",
        "othello-search uct+accelerated(k=3)",
    ]
    assert rows[1]["ratio_to_first_engine"] == 1.0
    assert rows[2]["bytes_per_child_slot"] > rows[1]["bytes_per_child_slot"]
    assert invoke("bench", "--game", "tic-tac-toe").exit_code == 2


def test_bench_of_threads() -> None:
    options = ("--threads", "3", "--rounds", "2", "--playouts", "200", "--game", "othello")
    engines = ("--engine", "uct", "--engine", "uct+parallel=root")
    rows = json.loads(invoke("bench", *options, *engines, "--json").stdout)
    assert [(row["engine"], row["threads"]) for row in rows] == [
        (engine, threads) for engine in ("uct", "uct+parallel=root") for threads in (1, 2, 3)
    ]
    assert {(row["board"], row["size"]) for row in rows} == {("othello", 8)}
    assert len({row["name"] for row in rows}) == len(rows)
    for row in rows:
        low, high = row["ratio_quartiles"]
        assert 0 < low <= row["ratio"] <= high
        assert row["playouts_per_second"] > 0
        assert row["independent_playouts_per_second"] > 0
        assert row["speedup"] > 0
    assert [row["speedup"] for row in rows if row["threads"] == 1] == [1.0, 1.0]
    assert "uct: playouts a second" in invoke("bench", *options, "--rounds", "1").stdout
    assert invoke("bench", "--threads", "0").exit_code == 2


def test_ctrl_c_stops_searches_that_run_together() -> None:
    """SIGALRM stands for Ctrl-C."""
    searches = [tesuji.Search(tesuji.Go(9), seed=seed) for seed in range(3)]
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            playouts_a_second(searches, 2**31)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    for search in searches:
        search.stop()
        assert search.think(playouts=10).playouts == 10


def test_commands_take_threads() -> None:
    position = ("tic-tac-toe", "--playouts", "50", "--seed", "1", "--threads", "2")
    assert json.loads(invoke("analyze", *position, "--json").stdout)["threads"] == 2
    assert "2 threads" in invoke("analyze", *position).stdout
    traced = json.loads(invoke("analyze", *position, "--trace", "--json").stdout)
    assert traced["rows"][-1]["playouts"] == 50
    assert "O plays" in invoke("play", *position, stdin="b2\nundo\nb2\nquit\n").stdout
    options = ("--playouts", "20", "--games", "2", "--jobs", "1", "--threads", "2,1")
    two = json.loads(invoke("match", "tic-tac-toe", "uct", "uct", *options, "--json").stdout)
    assert "; threads 2:1" in invoke("match", "tic-tac-toe", "uct", "uct", *options).stdout
    assert two["players"] == ["uct [20 playouts, 2 threads]", "uct [20 playouts]"]


def test_doctor() -> None:
    data = json.loads(invoke("doctor", "--json").stdout)
    assert data["build"]["version"] == tesuji.__version__
    assert {"compiler", "cpu_path"} <= set(data["build"])
    assert all(part["how_to_get"] for part in data["optional"])
    assert "compiler" in invoke("doctor").stdout


# ---- play


def test_a_game_of_tic_tac_toe() -> None:
    session = "help\nmoves\nz9\nb2\nb2\nhint\nundo\nundo\nboard\nb2\nquit\n"
    result = run("play", "tic-tac-toe", "--playouts", "200", "--seed", "1", stdin=session)
    assert (result.returncode, result.stderr) == (0, "")
    for text in ("a1 b1 c1", "'z9' is no move here", "the cell is occupied", "hint: ", "taken back", "good-bye"):
        assert text in result.stdout
    assert "there is nothing to take back" in result.stdout
    assert result.stdout.count("O plays") == 2


def test_play_to_the_end_as_the_second_side() -> None:
    """Tries every cell again and again: occupied ones are refused, so the game ends."""
    cells = "\n".join(f"{column}{row}" for row in "123" for column in "abc") + "\n"
    result = run("play", "tic-tac-toe", "--side", "second", "--playouts", "200", "--seed", "1", stdin=cells)
    assert result.returncode == 0
    assert "The game is over. Moves: " in result.stdout
    moves = result.stdout.split("Moves: ")[1].split()
    position = tesuji.TicTacToe()
    for move in moves:
        position = position.play(move)
    assert position.is_over
    assert position.outcome()[0] >= 0.5


def test_play_go_with_passes() -> None:
    arguments = ["--size", "5", "--komi", "0.5", "--playouts", "50", "--seed", "1"]
    result = run("play", "go", *arguments, stdin="C3\npass\nquit\n")
    assert result.returncode == 0
    # After Black's pass, White, who is ahead by komi, passes too.
    assert "White wins by 0.5" in result.stdout


def test_the_end_of_input_ends_the_game() -> None:
    result = run("play", "havannah", "--playouts", "50", stdin="e5\n")
    assert result.returncode == 0
    assert "good-bye" in result.stdout
    assert "Traceback" not in result.stderr
