"""What the system does to the threads of a search: forks that do not take them along, and limits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

# The child has an alarm: one that waits for threads which it does not have would wait for ever.
FORK = """
import os, signal, sys, threading, time, warnings
import tesuji
warnings.simplefilter("ignore", DeprecationWarning)  # Python's own, of forks while there are threads
search = tesuji.Search(tesuji.Go(5), threads=4, seed=1)
search.run(playouts=100)
{before}
child = os.fork()
if child == 0:
    signal.alarm(30)
    {in_child}
    sys.exit(0)
print("child", os.waitpid(child, 0)[1], flush=True)
search.stop()
{after}
"""
IN_BACKGROUND = """
thread = threading.Thread(target=search.run, kwargs={"seconds": 60})
thread.start()
time.sleep(0.3)
"""


def run(script: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("in_child", "printed"),
    [
        ("print(search.run(playouts=50).visits, flush=True)", ["150"]),
        ("del search", []),
        ("pass", []),
        ("print(tesuji.Search(tesuji.Go(5), threads=3, seed=1).run(playouts=50).visits, flush=True)", ["50"]),
    ],
    ids=["search", "delete", "end", "new search"],
)
def test_a_fork_leaves_the_threads_behind(in_child: str, printed: list[str]) -> None:
    script = FORK.format(before="", in_child=in_child, after="print(search.run(playouts=7).visits)")
    assert run(script) == [*printed, "child 0", "107"]


@pytest.mark.parametrize(
    ("in_child", "printed"),
    [
        ("pass", []),
        ("print(tesuji.Search(tesuji.Go(5), threads=3, seed=1).run(playouts=50).visits, flush=True)", ["50"]),
    ],
    ids=["end", "new search"],
)
def test_a_fork_in_the_middle_of_a_run(in_child: str, printed: list[str]) -> None:
    script = FORK.format(before=IN_BACKGROUND, in_child=in_child, after="thread.join()")
    assert run(script) == [*printed, "child 0"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is Linux's")
def test_a_system_without_room_for_the_threads() -> None:
    """Their stacks do not fit into the address space. The search is as before, and others can be run."""
    script = """
import resource, tesuji
many = tesuji.Search(tesuji.Go(5), threads=1024, seed=1, max_memory="10MB")
few = tesuji.Search(tesuji.Go(5), threads=2, seed=1, max_memory="10MB")
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 500_000_000, resource.RLIM_INFINITY))
for _ in range(2):
    try:
        many.run(playouts=100)
    except tesuji.ArgumentError as error:
        print(str(error).split(",")[0])
print(few.run(playouts=100).visits)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(many.run(playouts=100).visits)
"""
    assert run(script) == [*["the system does not give threads = 1024"] * 2, "100", "100"]
