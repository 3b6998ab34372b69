"""A match that is killed at any moment goes on as if nothing had happened."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from tesuji.arena.rows import COLUMNS, TIMING_COLUMNS

KILLS = 20
LASTING_COLUMNS = ", ".join(("match", *(name for name in COLUMNS if name not in TIMING_COLUMNS)))


def command(store: Path, *, jobs: int) -> list[str]:
    budget = ["--playouts", "150,60", "--games", "400", "--openings", "random:4", "--seed", "5", "--jobs", str(jobs)]
    return [sys.executable, "-m", "tesuji", "match", "othello", "uct", "uct(c=0.5)", *budget, "--store", str(store)]


def contents(store: Path) -> list[list[tuple[object, ...]]]:
    """All but the timing."""
    database = sqlite3.connect(store)
    try:
        queries = ("SELECT * FROM matches ORDER BY id", f"SELECT {LASTING_COLUMNS} FROM games ORDER BY match, number")
        return [database.execute(query).fetchall() for query in queries]
    finally:
        database.close()


def played(store: Path) -> int:
    """How many games the store has; it may not exist yet, or hold nothing."""
    try:
        return len(contents(store)[1])
    except sqlite3.OperationalError:
        return 0


def start_and_kill(store: Path, *, jobs: int, delay: float) -> None:
    process = subprocess.Popen(command(store, jobs=jobs), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(delay)
    process.kill()
    # The workers hold the other end of the pipe: none of them is left when it is closed.
    process.communicate(timeout=60)


def test_a_match_killed_twenty_times_has_the_games_of_an_undisturbed_one(tmp_path: Path) -> None:
    undisturbed, disturbed = tmp_path / "undisturbed.db", tmp_path / "disturbed.db"
    began = time.monotonic()
    subprocess.run(command(undisturbed, jobs=2), check=True, capture_output=True, timeout=300)
    whole = time.monotonic() - began
    moments = random.Random(1)
    counts = []
    for kill in range(KILLS):
        # From before the first import to well into the games: a twentieth of them a time, after the start-up.
        start_and_kill(disturbed, jobs=1 + kill % 2, delay=moments.uniform(0.1, 0.9) * min(whole, 4))
        counts.append(played(disturbed))
    assert counts == sorted(counts), "a game was lost"
    assert len(set(counts)) > 3, "nothing happened between the kills"
    subprocess.run(command(disturbed, jobs=2), check=True, capture_output=True, timeout=300)
    assert contents(disturbed) == contents(undisturbed)
    assert len(contents(disturbed)[1]) == 400
