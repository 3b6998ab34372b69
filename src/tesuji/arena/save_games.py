"""Games as files to look at: SGF for Go, transcripts for the others."""

from __future__ import annotations

from pathlib import Path

from tesuji.arena.plan import MatchPlan
from tesuji.arena.record import GameRecord
from tesuji.arena.result import MatchResult
from tesuji.games.go import Go
from tesuji.replacing import replacing
from tesuji.sgf import SgfGame


def save_games(folder: Path, result: MatchResult) -> None:
    """Writes a file for each game; the names begin with that of the match, so that many matches share a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for record in result.records:
        stem = f"{result.plan.digest}-{record.number:06}"
        if isinstance(result.plan.start, Go):
            path, content = folder / f"{stem}.sgf", go_record(result.plan, result.plan.start, record)
        else:
            path, content = folder / f"{stem}.txt", transcript(result.plan, record).encode()
        with replacing(path) as beside:
            beside.write_bytes(content)


def go_record(plan: MatchPlan, start: Go, record: GameRecord) -> bytes:
    """A game of Go in SGF."""
    black, white = (record.a, record.b) if record.a_is_first else (record.b, record.a)
    properties = {
        "PB": black,
        "PW": white,
        "RU": "Chinese",
        "AP": ("tesuji", record.version),
        "RE": go_result(record),
        "GN": f"match {plan.digest}, game {record.number}",
        "C": comment(record),
    }
    return SgfGame.from_moves(start, record.moves, properties=properties).to_bytes()


def go_result(record: GameRecord) -> str:
    if record.points is None:
        return "Void"
    if record.points == 0.5:
        return "0"
    winner = "B" if (record.points == 1) == record.a_is_first else "W"
    return f"{winner}+R" if record.ended_by == "resignation" else f"{winner}+"


def transcript(plan: MatchPlan, record: GameRecord) -> str:
    """Any other game: what is known of it, a line each, then the moves."""
    first, second = (record.a, record.b) if record.a_is_first else (record.b, record.a)
    lines = [
        f"game: {plan.start.game}",
        f"match: {plan.digest}, game {record.number}",
        f"first: {first}",
        f"second: {second}",
        f"points of {'first' if record.a_is_first else 'second'}: {'void' if record.is_void else f'{record.points:g}'}",
        comment(record),
        "moves: " + " ".join(plan.start.format_move(move) for move in record.moves),
    ]
    return "\n".join(lines) + "\n"


def comment(record: GameRecord) -> str:
    parts = [f"ended by: {record.ended_by}", f"opening: {len(record.opening)} moves", f"tesuji {record.version}"]
    parts += [f"reason: {record.reason}"] if record.reason else []
    parts += [f"disagreement: {record.disagreement}"] if record.disagreement else []
    parts += [f"seeds of A and B: {record.seeds[0]} {record.seeds[1]}"]
    return "\n".join(parts)
