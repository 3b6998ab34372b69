"""Small collections of games for the tests."""

from __future__ import annotations

import json
from pathlib import Path

import tesuji

SAMPLE = Path(__file__).parent.parent / "data" / "records.jsonl"


def sample_games(size: int = 9) -> list[str]:
    """The Go games of the tests' sample as lines to learn from: SGF pairs run together, with made-up dates."""
    lines: list[str] = []
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        if game["game"] != "go" or game["size"] != size:
            continue
        board = tesuji.Go(size)
        moves = [board.format_sgf_move(board.parse_move(move)) or "--" for move in game["moves"].split()]
        date = f"2001-{len(lines) // 28 + 1:02}-{len(lines) % 28 + 1:02}"
        lines.append(json.dumps({"sz": size, "mv": "".join(moves), "dt": date}))
    return lines


def write_sample(folder: Path) -> Path:
    path = folder / "games.jsonl"
    path.write_text("\n".join(sample_games()) + "\n", encoding="utf-8")
    return path
