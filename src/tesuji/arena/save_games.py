"""Games as files to look at: SGF for Go, transcripts for the others."""

from __future__ import annotations

from pathlib import Path

from sgfmill import sgf

from tesuji.arena.plan import MatchPlan
from tesuji.arena.record import GameRecord
from tesuji.arena.result import MatchResult
from tesuji.games.go import Go

_COLOURS = "bw"


def save_games(folder: Path, result: MatchResult) -> None:
    """Writes a file for each game; the names begin with that of the match, so that many matches share a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for record in result.records:
        stem = f"{result.plan.digest}-{record.number:06}"
        if isinstance(result.plan.start, Go):
            (folder / f"{stem}.sgf").write_bytes(go_record(result.plan, result.plan.start, record))
        else:
            (folder / f"{stem}.txt").write_text(transcript(result.plan, record), encoding="utf-8")


def go_record(plan: MatchPlan, start: Go, record: GameRecord) -> bytes:
    """A game of Go in SGF."""
    game = sgf.Sgf_game(size=start.size)
    root = game.get_root()
    black, white = (record.a, record.b) if record.a_is_first else (record.b, record.a)
    for name, value in (
        ("PB", black),
        ("PW", white),
        ("KM", start.komi),
        ("RU", "Chinese"),
        ("AP", ("tesuji", record.version)),
    ):
        root.set(name, value)
    root.set("RE", go_result(record))
    root.set("GN", f"match {plan.digest}, game {record.number}")
    root.set("C", comment(record))
    cells = start.native.cells()
    stones = [[_point(start, point) for point, cell in enumerate(cells) if cell == colour] for colour in (0, 1)]
    if stones[0] or stones[1]:
        root.set_setup_stones(*stones)
    position = start
    for move in record.moves:
        node = game.extend_main_sequence()
        point = None if move == start.pass_move else _point(start, move)
        node.set_move(_COLOURS[position.to_move], point)
        position = position.play(move)
    return bytes(game.serialise())


def _point(start: Go, move: int) -> tuple[int, int]:
    """Row from below and column, as sgfmill counts."""
    row, column = divmod(move, start.size)
    return start.size - 1 - row, column


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
