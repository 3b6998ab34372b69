"""benchmarks/gtp_speed.py says what is wrong, in place of a figure that means nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "gtp_speed.py"
FASTER_WITH_MORE = f"a={sys.executable} -c 'sum(range(10**9 // {{playouts}}))'"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--program", "a"], "--program wants NAME=TEXT, not 'a'"),
        (["--program", "a=cat", "--program", "a=cat -"], "--program has 'a' twice"),
        (["--program", "a=cat", "--setup", "b=komi 5"], "--setup is of 'b', and there is no such --program"),
        (["--program", "a=no-such-program"], "a cannot be run: "),
        (["--program", "a=false"], "a ended with 1: "),
        (["--program", r"a=printf '? unknown command\n'"], "a ended with 0: ? unknown command"),
        (["--program", FASTER_WITH_MORE, "--few", "20"], "a takes no longer for 20,020 playouts than for 20: "),
    ],
)
def test_what_cannot_be_measured_is_said(words: list[str], message: str) -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(message)
