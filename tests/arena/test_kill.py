"""A match that is killed at any moment goes on as if nothing had happened."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from tesuji.arena.rows import COLUMNS, TIMING_COLUMNS

KILLS = 20
GAMES = 600
LASTING_COLUMNS = ", ".join(("match", *(name for name in COLUMNS if name not in TIMING_COLUMNS)))


def command(store: Path, *, jobs: int) -> list[str]:
    budget = [
        "--playouts",
        "150,60",
        "--games",
        str(GAMES),
        "--openings",
        "random:4",
        "--seed",
        "5",
        "--jobs",
        str(jobs),
    ]
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


def start_and_kill(store: Path, *, jobs: int, games: int, delay: float) -> None:
    """Kills a match so many seconds after it has played so many more games."""
    enough = played(store) + games
    process = subprocess.Popen(command(store, jobs=jobs), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while played(store) < enough and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(delay)
    process.kill()
    # The workers hold the other end of the pipe: none of them is left when it is closed.
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, "it ended before it was killed"


def test_a_match_killed_twenty_times_has_the_games_of_an_undisturbed_one(tmp_path: Path) -> None:
    undisturbed, disturbed = tmp_path / "undisturbed.db", tmp_path / "disturbed.db"
    subprocess.run(command(undisturbed, jobs=2), check=True, capture_output=True, timeout=300)
    moments = random.Random(1)
    counts = []
    for kill in range(KILLS):
        # Every fourth time already while it starts.
        games, longest = (0, 1.0) if kill % 4 == 0 else (moments.randint(1, 15), 0.05)
        start_and_kill(disturbed, jobs=1 + kill % 2, games=games, delay=moments.uniform(0, longest))
        counts.append(played(disturbed))
    assert counts == sorted(counts), "a game was lost"
    subprocess.run(command(disturbed, jobs=2), check=True, capture_output=True, timeout=300)
    assert contents(disturbed) == contents(undisturbed)
    assert len(contents(disturbed)[1]) == GAMES
