"""The command line of matches, tournaments and stores."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tesuji.cli import app
from tesuji.commands import match as match_module

MATCH = ("match", "othello", "uct", "uct(c=0.5)", "--playouts", "20", "--openings", "random:4", "--jobs", "1", "--json")


def run(*arguments: object) -> Any:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_another_machine_goes_on_from_a_csv_file(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    run(*MATCH, "--games", 6, "--export", file)
    assert len(file.read_text().splitlines()) == 7
    there = json.loads(run(*MATCH, "--games", 10, "--import", file, "--store", tmp_path / "there.db", "--export", file))
    assert len(file.read_text().splitlines()) == 11
    here = json.loads(run(*MATCH, "--games", 10, "--store", tmp_path / "here.db"))
    assert {**there, "notes": []} == {**here, "notes": []}
    assert there["games"] == there["wins"] + there["draws"] + there["losses"] == 10


def test_a_file_that_cannot_be_imported_leaves_no_store(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [*MATCH, "--import", str(tmp_path / "no.csv"), "--store", str(tmp_path / "s.db")])
    assert result.exit_code == 2
    assert "no.csv cannot be read" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_place_for_the_games_is_looked_for_before_the_first_of_them(tmp_path: Path) -> None:
    for option, place in (("--export", tmp_path / "missing" / "games.csv"), ("--save-games", Path("/dev/null/games"))):
        result = CliRunner().invoke(app, [*MATCH, "--games", "10000000", option, str(place)])
        assert result.exit_code == 2
        assert str(place) in result.stderr


def test_shards_are_merged(tmp_path: Path) -> None:
    stores = [tmp_path / f"{shard}.db" for shard in (1, 2)]
    for shard, store in enumerate(stores, start=1):
        part = json.loads(run(*MATCH, "--games", 8, "--shard", f"{shard}/2", "--store", store))
        assert part["games"] == 4
    merged = tmp_path / "all.db"
    assert run("store", "merge", *stores, "--into", merged).count("4 games added") == 2
    (listed,) = json.loads(run("store", "list", merged, "--json"))
    assert (listed["games"], listed["a"]) == (8, "uct [20 playouts]")
    assert "8" in run("store", "list", merged)
    assert json.loads(run(*MATCH, "--games", 8, "--store", merged))["games"] == 8


def test_games_are_saved_as_files(tmp_path: Path) -> None:
    run(*MATCH, "--games", 3, "--save-games", tmp_path / "games")
    assert len(list((tmp_path / "games").glob("*.txt"))) == 3


def test_a_sequential_test_on_the_command_line() -> None:
    arguments = [
        "match",
        "othello",
        "uct",
        "uct",
        "--playouts",
        "200,4",
        "--sprt",
        "0,100",
        "--games",
        "400",
        "--jobs",
        "1",
    ]
    assert "the sequential test accepted H1" in run(*arguments)


def test_the_table_shows_what_a_program_was_told_to_spend(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    crash = f"command = {json.dumps(sys.executable + ' -c 0')}"
    file.write_text(f'[told]\n{crash}\nsetup = ["playouts {{playouts}}"]\n[untold]\n{crash}\n', encoding="utf-8")
    table = run("match", "go", "told", "untold", "--playouts", "70,80", "--games", 1, "--jobs", 1, "--engines", file)
    assert "70:own" in table


def test_the_demo_goes_on_from_its_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = tuple((name, game, options, 10, 2) for name, game, options, _, _ in match_module.DEMO)
    monkeypatch.setattr(match_module, "DEMO", small)
    arguments = ["match", "--demo", "--jobs", "1", "--json", "--store", tmp_path / "demo.db"]
    assert json.loads(run(*arguments)) == json.loads(run(*arguments))
    assert len(json.loads(run("store", "list", tmp_path / "demo.db", "--json"))) == 3


@pytest.mark.parametrize(("option", "matches"), [("", 3), ("--gauntlet", 2)])
def test_a_tournament_gives_one_rating(tmp_path: Path, option: str, matches: int) -> None:
    players = ["uct", "uct(c=0.0)", "uct(c=500)"]
    arguments = ["tournament", "othello", *players, "--playouts", 60, "--games", 10, "--jobs", 1, "--seed", 1]
    arguments += ["--store", tmp_path / "results.db", *([option] if option else [])]
    result = json.loads(run(*arguments, "--json"))
    assert len(result["matches"]) == matches
    assert result["ratings"][-1]["name"] == "uct(c=500.0) [60 playouts]"
    assert len(result["ratings"]) == 3
    assert sum(rating["games"] for rating in result["ratings"]) == 2 * 10 * matches
    assert json.loads(run(*arguments, "--json")) == result
    assert "Bradley-Terry" in run(*arguments)
