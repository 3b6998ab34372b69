"""The games of tunings in one SQLite file, one row a game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from tesuji.arena.database import Database
from tesuji.arena.record import GameRecord

SEARCH = "search"

_SCHEMA = """
CREATE TABLE tunings (
    digest TEXT NOT NULL PRIMARY KEY,
    description TEXT NOT NULL
);
CREATE TABLE games (
    tuning TEXT NOT NULL REFERENCES tunings (digest),
    phase TEXT NOT NULL,
    number INTEGER NOT NULL,
    parameters TEXT NOT NULL,
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    a_is_first INTEGER NOT NULL,
    seed_a TEXT NOT NULL,
    seed_b TEXT NOT NULL,
    points REAL,
    ended_by TEXT NOT NULL,
    reason TEXT,
    version TEXT NOT NULL,
    PRIMARY KEY (tuning, phase, number)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One game with the values that were tried in it; `points` is None where it is void."""

    number: int
    values: Mapping[str, float]
    points: float | None


class TuneStore(Database):
    """An open file of tunings; without a path it lives in memory and is forgotten."""

    APPLICATION_ID = 0x7E50_0918
    SCHEMA_VERSION = 1
    SCHEMA = _SCHEMA

    def add_tuning(self, digest: str, description: Mapping[str, object]) -> None:
        with self._errors():
            self._database.execute(
                "INSERT OR IGNORE INTO tunings VALUES (?, ?)", (digest, json.dumps(description, sort_keys=True))
            )

    def save(self, digest: str, phase: str, record: GameRecord, values: Mapping[str, float]) -> None:
        """One game, one transaction. A game that is there already stays as it is."""
        row = (
            *(digest, phase, record.number, json.dumps(values), record.a, record.b, record.a_is_first),
            # As text: SQLite's integers have no room for the upper half of the seeds.
            *(str(record.seeds[0]), str(record.seeds[1])),
            *(record.points, record.ended_by, record.reason, record.version),
        )
        self._check_still_there()
        with self._errors():
            self._database.execute(f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608  marks

    def trials(self, digest: str, phase: str) -> list[Trial]:
        """The games of one phase in order."""
        with self._errors():
            rows = self._database.execute(
                "SELECT number, parameters, points FROM games WHERE tuning = ? AND phase = ? ORDER BY number",
                (digest, phase),
            ).fetchall()
        return [Trial(number=number, values=json.loads(text), points=points) for number, text, points in rows]
