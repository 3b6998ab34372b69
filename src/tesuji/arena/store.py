"""Results in one SQLite file: many matches, one row a game."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tesuji.arena.database import Database
from tesuji.arena.plan import MatchPlan
from tesuji.arena.record import GameRecord, mark_duplicates
from tesuji.arena.rows import COLUMNS, TIMING_COLUMNS, from_row, plain_record, to_row
from tesuji.errors import StoreError

_MATCH_COLUMNS = ("digest", "game", "start", "a", "b", "seed", "openings", "failures", "move_limit", "referee")
_SCHEMA = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    start TEXT NOT NULL,
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    seed TEXT NOT NULL,
    openings TEXT NOT NULL,
    failures TEXT NOT NULL,
    move_limit INTEGER NOT NULL,
    referee TEXT
);
CREATE TABLE games (
    match INTEGER NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    a_is_first INTEGER NOT NULL,
    opening_plies INTEGER NOT NULL,
    seed_a TEXT NOT NULL,
    seed_b TEXT NOT NULL,
    version TEXT NOT NULL,
    moves TEXT NOT NULL,
    points REAL,
    ended_by TEXT NOT NULL,
    reason TEXT,
    disagreement TEXT,
    cpu_a REAL NOT NULL,
    cpu_b REAL NOT NULL,
    wall_a REAL NOT NULL,
    wall_b REAL NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE VIEW results AS
SELECT matches.game, matches.a, matches.b, games.*, games.number / 2 AS pair,
    CASE WHEN ended_by IN ('rules', 'resignation', 'move limit') THEN
        NULLIF(MIN(games.number) OVER (PARTITION BY match, a_is_first, moves,
            ended_by IN ('rules', 'resignation', 'move limit')), games.number)
    END AS duplicate_of
FROM games JOIN matches ON matches.id = games.match;
"""


@dataclass(frozen=True, kw_only=True)
class StoredMatch:
    """A match as a store lists it."""

    digest: str
    game: str
    a: str
    b: str
    openings: str
    seed: int
    games: int


class Store(Database):
    """An open store; without a path it lives in memory and is forgotten."""

    APPLICATION_ID = 0x7E50_0917
    SCHEMA_VERSION = 1
    SCHEMA = _SCHEMA

    def __init__(self, path: Path | str | None = None, *, must_exist: bool = False, read_only: bool = False) -> None:
        super().__init__(path, must_exist=must_exist, read_only=read_only)
        self._match_ids: dict[str, int] = {}

    # ---- games

    def add_match(self, plan: MatchPlan) -> int:
        """The row of this match, which is made where there is none."""
        if plan.digest not in self._match_ids:
            values = {"digest": plan.digest, **plan.describe()}
            with self._errors():
                self._match_ids[plan.digest] = self._match_id(tuple(values[column] for column in _MATCH_COLUMNS))
        return self._match_ids[plan.digest]

    def _match_id(self, values: tuple[object, ...]) -> int:
        columns, marks = ", ".join(_MATCH_COLUMNS), ", ".join("?" * len(_MATCH_COLUMNS))
        self._database.execute(f"INSERT OR IGNORE INTO matches ({columns}) VALUES ({marks})", values)  # noqa: S608  constants
        found = self._database.execute("SELECT id FROM matches WHERE digest = ?", values[:1])
        return int(found.fetchone()[0])

    def save(self, plan: MatchPlan, record: GameRecord) -> None:
        """One game, one transaction. A game that is there already stays as it is."""
        self._check_still_there()
        with self._errors():
            self._insert(self.add_match(plan), tuple(to_row(plan, record).values()))

    def save_all(self, plan: MatchPlan, records: Iterable[GameRecord]) -> None:
        """All or none of these games."""
        match = self.add_match(plan)  # before: what is undone must not be remembered
        with self.transaction():
            for record in records:
                self._insert(match, tuple(to_row(plan, record).values()))

    def _insert(self, match: int, values: tuple[object, ...]) -> None:
        columns, marks = ", ".join(("match", *COLUMNS)), ", ".join("?" * (len(COLUMNS) + 1))
        self._database.execute(f"INSERT OR IGNORE INTO games ({columns}) VALUES ({marks})", (match, *values))  # noqa: S608  constants

    def forget(self, plan: MatchPlan, records: Iterable[GameRecord]) -> None:
        """Removes these games of a match."""
        match = self.add_match(plan)
        with self.transaction():
            self._database.executemany(
                "DELETE FROM games WHERE match = ? AND number = ?", ((match, record.number) for record in records)
            )

    def records(self, plan: MatchPlan) -> list[GameRecord]:
        """The games of a match in order, with the duplicates marked."""
        columns = ", ".join(COLUMNS)
        with self._errors():
            rows = self._database.execute(
                f"SELECT {columns} FROM games WHERE match = (SELECT id FROM matches WHERE digest = ?)",  # noqa: S608  constants
                (plan.digest,),
            ).fetchall()
        try:
            return mark_duplicates(from_row(plan, row) for row in rows)
        except StoreError as error:
            raise StoreError(f"{self.name}: {error}") from None

    def plain_records(self, digest: str) -> list[GameRecord]:
        """The games of a match of which only the name is known; their moves are texts."""
        with self._errors():
            rows = self._database.execute(
                "SELECT games.*, matches.a, matches.b FROM games JOIN matches ON matches.id = games.match "
                "WHERE digest = ? ORDER BY number",
                (digest,),
            ).fetchall()
        return [plain_record(row) for row in rows]

    def start_of(self, digest: str) -> tuple[str, str]:
        """The name of a match's game, and the fingerprint of the position where its games begin."""
        with self._errors():
            row = self._database.execute("SELECT game, start FROM matches WHERE digest = ?", (digest,)).fetchone()
        if row is None:
            raise StoreError(f"{self.name} has no match {digest}")
        return row["game"], row["start"]

    def matches(self) -> list[StoredMatch]:
        with self._errors():
            rows = self._database.execute(
                "SELECT digest, game, a, b, openings, seed, (SELECT count(*) FROM games WHERE match = id) AS games "
                "FROM matches ORDER BY id"
            ).fetchall()
        return [StoredMatch(**{**dict(row), "seed": int(row["seed"])}) for row in rows]

    # ---- merging

    def merge(self, other: Store) -> int:
        """Adds the games of another store, all or none; how many were new.

        A game that both have must be the same in both, but for its timing.
        """
        with other._errors():
            matches = other._database.execute("SELECT * FROM matches ORDER BY id").fetchall()
        added = 0
        with self.transaction():
            for match in matches:
                own = self._match_id(tuple(match[column] for column in _MATCH_COLUMNS))
                with other._errors():
                    games = other._database.execute("SELECT * FROM games WHERE match = ?", (match["id"],))
                    added += sum(self._merge_game(own, game, other.name) for game in games)
        return added

    def _merge_game(self, match: int, game: sqlite3.Row, source: str) -> bool:
        key = (match, game["number"])
        present = self._database.execute("SELECT * FROM games WHERE match = ? AND number = ?", key).fetchone()
        if present is None:
            self._insert(match, tuple(game[column] for column in COLUMNS))
            return True
        differing = [name for name in COLUMNS if name not in TIMING_COLUMNS and present[name] != game[name]]
        if differing:
            raise StoreError(
                f"{source} has another game {game['number']} than {self.name} for the same match: "
                f"they differ in {', '.join(differing)}"
            )
        return False
