"""What the README says of `make`. Its code is run by test_docs.py."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.web.running import running_server

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text()


def make_targets() -> list[str]:
    return re.findall(r"^make ([a-z-]+)", README, flags=re.MULTILINE)


def test_make_targets_exist() -> None:
    assert make_targets() == ["run", "test"]
    for target in make_targets():
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


def test_the_page_is_served() -> None:
    """`tesuji web` goes on until Ctrl-C. On any port: that of the README may be in use."""
    assert ".venv/bin/tesuji web\n" in README
    with running_server() as server, urllib.request.urlopen(server.address, timeout=60) as answer:
        assert b"<title>tesuji" in answer.read()
    assert server.process.returncode == 0


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
