"""A game as a row of plain values: the same in the store and in CSV files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, get_args

from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import FailureReason
from tesuji.arena.record import REGULAR_ENDS, GameRecord
from tesuji.errors import StoreError, TesujiError, shown
from tesuji.games.go import Go
from tesuji.games.own import AnyPosition

#: What may differ when a game is played again.
TIMING_COLUMNS = ("cpu_a", "cpu_b", "wall_a", "wall_b")
COLUMNS = (
    "number",
    "a_is_first",
    "opening_plies",
    "seed_a",
    "seed_b",
    "version",
    "moves",
    "points",
    "ended_by",
    "reason",
    "disagreement",
    *TIMING_COLUMNS,
)

Row = dict[str, Any]


def to_row(plan: MatchPlan, record: GameRecord) -> Row:
    values = (
        record.number,
        int(record.a_is_first),
        len(record.opening),
        # As text: SQLite's integers have no room for the upper half of the seeds.
        str(record.seeds[0]),
        str(record.seeds[1]),
        record.version,
        plan.start.write_moves(record.moves),
        record.points,
        record.ended_by,
        record.reason,
        record.disagreement,
        *record.cpu_seconds,
        *record.wall_seconds,
    )
    return dict(zip(COLUMNS, values, strict=True))


def from_row(plan: MatchPlan, row: Mapping[str, Any]) -> GameRecord:
    """The game of a row, whose values may be text. Raises `StoreError` where they make no sense in this match."""
    try:
        record = _record(row, names=plan.names, moves=plan.start.read_moves(row["moves"]))
    except (TesujiError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise StoreError(f"a game that cannot be read ({error})") from None
    _check_values(plan, record)
    return record


def plain_record(row: Mapping[str, Any]) -> GameRecord:
    """The game of a row with its players' names, without a plan: unchecked, and its moves are texts."""
    try:
        return _record(row, names=(row["a"], row["b"]), moves=tuple(row["moves"].split()))
    except (ValueError, TypeError, AttributeError) as error:
        raise StoreError(f"a game that cannot be read ({error})") from None


def _record(row: Mapping[str, Any], *, names: tuple[str, str], moves: tuple[Any, ...]) -> GameRecord:
    return GameRecord(
        number=int(row["number"]),
        a_is_first=bool(int(row["a_is_first"])),
        a=names[0],
        b=names[1],
        version=row["version"],
        opening=moves[: int(row["opening_plies"])],
        seeds=(int(row["seed_a"]), int(row["seed_b"])),
        moves=moves,
        points=None if row["points"] in (None, "") else float(row["points"]),
        ended_by=row["ended_by"],
        reason=row["reason"] or None,
        disagreement=row["disagreement"] or None,
        cpu_seconds=(float(row["cpu_a"]), float(row["cpu_b"])),
        wall_seconds=(float(row["wall_a"]), float(row["wall_b"])),
    )


def _check_values(plan: MatchPlan, record: GameRecord) -> None:
    times = (*record.cpu_seconds, *record.wall_seconds)
    if record.number < 0 or record.points not in (None, *_between(record.points)):
        raise StoreError(f"game {record.number} with {shown(record.points)} points: from 0 to 1 are possible")
    if not all(math.isfinite(seconds) and seconds >= 0 for seconds in times):
        raise StoreError(f"game {record.number} took {times} seconds, which is impossible")
    if record.seeds != plan.seeds(record.number) or record.a_is_first != plan.a_is_first(record.number):
        raise StoreError(f"game {record.number} has other seeds or seats than this match gives it")


def _between(points: float | None) -> tuple[float, ...]:
    return (points,) if points is not None and 0 <= points <= 1 else ()


def check_moves(plan: MatchPlan, record: GameRecord) -> None:
    """Replays a game from outside: its moves must be legal, its opening that of the match, its result the board's."""
    position = plan.start
    for move in record.moves:
        position = position.play(move)
    opening = plan.opening(record.number)
    if record.opening != opening[: len(record.opening)] or (record.opening != opening and record.reason is None):
        raise StoreError(f"game {record.number} has another opening than this match gives it")
    if record.ended_by == "rules" and not position.is_over:
        raise StoreError(f"game {record.number} is said to have ended, and goes on after its last move")
    if record.points not in _possible_points(plan, record, position):
        raise StoreError(f"game {record.number} ended by {record.ended_by!r}, and cannot have {record.points} points")


def _possible_points(plan: MatchPlan, record: GameRecord, end: AnyPosition) -> tuple[float | None, ...]:
    """What A can have got. Who has won a game of Go with dead stones the board alone does not say."""
    if record.ended_by == "rules" and not isinstance(end, Go):
        return (end.rewards()[0 if record.a_is_first else 1],)
    if record.ended_by == "move limit":
        return (0.5,) if len(record.moves) >= plan.move_limit else ()
    if record.ended_by in REGULAR_ENDS:
        return (0.0, 0.5, 1.0)
    if record.ended_by not in get_args(FailureReason) or record.reason is None:
        return ()
    return (None,) if plan.failures == "void" else (0.0, 1.0)
