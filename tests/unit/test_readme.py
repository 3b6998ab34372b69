"""What the README says can be done, done."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.web.running import running_server

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def make_targets() -> list[str]:
    return re.findall(r"^make ([a-z-]+)", "\n".join(blocks("")), flags=re.MULTILINE)


def test_python_examples_run() -> None:
    examples = blocks("python")
    assert examples
    for example in examples:
        result = subprocess.run(
            [sys.executable, "-c", example], capture_output=True, text=True, timeout=300, check=True
        )
        assert "playouts" in result.stdout


def test_make_targets_exist() -> None:
    assert make_targets() == ["run", "test"]
    for target in make_targets():
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


def test_commands_run() -> None:
    commands = [line for line in "\n".join(blocks("sh")).splitlines() if line]
    assert commands
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == ".venv/bin/tesuji"
        if arguments == ["web"]:
            check_that_it_serves()
        else:
            subprocess.run([sys.executable, "-m", "tesuji", *arguments], check=True, capture_output=True, timeout=300)


def check_that_it_serves() -> None:
    """`tesuji web` goes on until Ctrl-C. On any port: that of the README may be in use."""
    with running_server() as server, urllib.request.urlopen(server.address, timeout=60) as answer:
        assert b"<title>tesuji" in answer.read()
    assert server.process.returncode == 0


def test_linked_files_exist() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link


@pytest.mark.slow
def test_the_table_is_what_make_run_prints(tmp_path: Path) -> None:
    """`make run` has a fixed seed, so its figures are the README's, on any machine."""
    command = [sys.executable, "-m", "tesuji", "reproduce", str(ROOT / "experiments" / "headline.toml"), "--json"]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=True, cwd=tmp_path).stdout
    for row in json.loads(printed):
        low, high = row["interval"]
        line = (
            f"| {row['series']} | {row['x']} | {row['games']} | {row['percentage']:.1f}% | {low:.1f} to {high:.1f}% |"
        )
        assert line in README, line
