"""Matches as CSV files, one row a game: to look at, and to go on from on another machine."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from tesuji.arena.plan import MatchPlan
from tesuji.arena.record import GameRecord
from tesuji.arena.rows import COLUMNS, check_moves, from_row, to_row
from tesuji.errors import StoreError, TesujiError
from tesuji.replacing import replacing

HEADER = ("match", "a", "b", *COLUMNS)


def check_export(path: Path) -> None:
    """Says before the first game that there is no place for the file."""
    if path.is_dir() or not path.parent.is_dir():
        raise StoreError(f"the games cannot be exported to {path}: name a file in a folder that exists")


def export_csv(path: Path, plan: MatchPlan, records: Iterable[GameRecord]) -> None:
    """Writes the games; a file that is there is replaced when the new one is complete."""
    with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADER, lineterminator="\n")
        writer.writeheader()
        for record in records:
            writer.writerow({"match": plan.digest, "a": record.a, "b": record.b, **to_row(plan, record)})


def import_csv(path: Path, plan: MatchPlan) -> list[GameRecord]:
    """Reads the games of a match; a file of another match is refused."""
    records = []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            if tuple(reader.fieldnames or ()) != HEADER:
                raise StoreError(f"{path} is no export of a match: its first line must be {','.join(HEADER)}")
            for row in reader:
                records.append(_read(row, plan, f"{path}, line {reader.line_num}"))  # noqa: PERF401  the line is needed
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise StoreError(f"{path} cannot be read: {error}") from None
    if len({record.number for record in records}) != len(records):
        raise StoreError(f"{path} has a game twice")
    return records


def _read(row: dict[str, str], plan: MatchPlan, where: str) -> GameRecord:
    if None in row or None in row.values():
        raise StoreError(f"{where}: {len(HEADER)} fields are needed")
    if row["match"] != plan.digest:
        raise StoreError(
            f"{where}: a game of another match ({row['a']} against {row['b']}); the players, the game, the seed, the "
            "openings and the rules of the match must be the same"
        )
    try:
        record = from_row(plan, row)
        check_moves(plan, record)
    except TesujiError as error:
        raise StoreError(f"{where}: {error}") from None
    return record
