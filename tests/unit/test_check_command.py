"""`tesuji check`, as a user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

GAME = """
import helper

class Count:
    def __init__(self, left=3, to_move=0):
        self.left, self.to_move = left, to_move

    @property
    def is_over(self):
        return self.left <= 0

    def legal_moves(self):
        return [1, 2]

    def play(self, move):
        return Count(self.left - move, 1 - self.to_move)

    def outcome(self):
        return helper.REWARDS

def fails():
    raise KeyError("no board")

start = Count()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game of two files."""
    (tmp_path / "count.py").write_text(GAME)
    (tmp_path / "helper.py").write_text("REWARDS = (1.0, 0.0)")
    (tmp_path / "broken.py").write_text("import nowhere")
    return tmp_path


def check(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tesuji", "check", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", ["count.py:Count", "count.py:start", "count:Count", "tic-tac-toe"])
def test_a_good_game(folder: Path, name: str) -> None:
    result = check(name, "--games", "5", folder=folder)
    assert result.returncode == 0, result.stderr
    assert "5 random games" in result.stdout
    assert "nothing is wrong" in result.stdout


def test_a_bad_game(folder: Path) -> None:
    (folder / "helper.py").write_text("REWARDS = (2.0, 0.0)")
    result = check("count.py:Count", "--json", folder=folder)
    assert result.returncode == 1
    found = json.loads(result.stdout)
    assert not found["ok"]
    assert "not within 0 and 1" in found["problems"][0]


def test_an_example() -> None:
    result = check(f"{EXAMPLES / 'connect_four.py'}:ConnectFour", folder=EXAMPLES.parent)
    assert result.returncode == 0
    assert result.stdout.startswith("ConnectFour: 20 random games")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing.py:Count", "there is no file nothing.py"),
        ("count.py:Nothing", "there is no 'Nothing' in count.py"),
        ("nothing:Count", "nothing cannot be imported: ModuleNotFoundError"),
        ("broken.py:Count", "broken.py cannot be imported: ModuleNotFoundError: No module named 'nowhere'"),
        ("count.py:fails", "fails() raised KeyError: 'no board'"),
        ("count.py", "there is no game 'count.py'"),
    ],
)
def test_what_cannot_be_found(folder: Path, name: str, message: str) -> None:
    result = check(name, folder=folder)
    assert result.returncode == 2
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert "Traceback" not in result.stderr
