"""benchmarks/gtp_speed.py says what is wrong, in place of a figure that means nothing."""

from __future__ import annotations

import re
import runpy
import shlex
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
        (["--program", "a=cat", "--made", "b=([0-9]+)"], "--made is of 'b', and there is no such --program"),
        (["--program", "a=cat", "--made", "a=made [0-9]+"], "--made 'made [0-9]+' has 0 groups, and wants one"),
        (["--program", "a=cat", "--made", "a=(["], "--made '([' is no regular expression: "),
        (["--program", "a=cat", "--made", "a=made ([0-9]+)"], "--made finds [] in what a said"),
        (
            ["--program", "a=echo made 7", "--games", "1", "--made", "a=made ([0-9]+)"],
            "a says that it made 7 playouts for 2,000, 7 for 22,000",
        ),
        (["--program", "a=cat", "--games", "0"], "--games wants at least 1"),
        (["--program", "a=no-such-program"], "a cannot be run: "),
        (["--program", "a=false"], "a ended with 1: "),
        (["--program", r"a=printf '? unknown command\n'"], "a ended with 0: ? unknown command"),
        (["--program", FASTER_WITH_MORE, "--few", "20"], "a takes no longer for 5,020 playouts than for 20: "),
    ],
)
def test_what_cannot_be_measured_is_said(words: list[str], message: str) -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(message)


def test_playouts_are_counted_as_the_program_tells_them() -> None:
    """It makes half of what it is asked for."""
    program = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line == 'tell\\n': print('made', int(sys.argv[1]) // 2, file=sys.stderr)\n"
    )
    command = f"{sys.executable} -c {shlex.quote(program)} {{playouts}}"
    script = runpy.run_path(str(SCRIPT))
    made = re.compile("made ([0-9]+)")
    telling = script["Program"](name="a", command=command, setup=(), ask=("tell",), made=made, games=3)
    assert telling.search(size=9, playouts=100)[0] == 3 * 50
    silent = script["Program"](name="a", command=command, setup=(), ask=(), made=None, games=3)
    assert silent.search(size=9, playouts=100)[0] == 3 * 100
