"""Finished 9x9 games between people and programs, counted again: how often the score is the recorded one.

python benchmarks/final_scores.py FOLDER [--first 200] [--show]

FOLDER holds go9.jsonl.xz, one game a line: src (where it was played), sz, km (komi), re (result), mv (SGF pairs run
together, -- is a pass). A game counts when its result is a number of points and it ended with two passes. On Go Quest
the players agree on the dead stones, so that the counting has to find them. CGOS and Minigo count every stone on the
board as alive. The records of professionals stop before the passes, and often before the last neutral points: these
games count when, as our own playouts see it, nothing is left to play for.

Go Quest's records say komi 7, but until March 2015 all results are half points, and fit 7.5: a komi that cannot give
the recorded result is raised by a half.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tesuji import Go
from tesuji.endgame import count_captures, final_score, final_status, format_score

RULES = {"goquest": "chinese", "aeb-pro": "japanese", "cgos": "tromp-taylor", "minigo-selfplay": "tromp-taylor"}
SEED = 1


@dataclass(frozen=True, kw_only=True)
class Game:
    source: str
    id: str
    start: Go
    moves: tuple[int, ...]
    recorded: float


def read_games(file: Path) -> Iterator[Game]:
    """The games with a counted result that ended with two passes or are a professional's, in the order of the file."""
    with lzma.open(file, "rt") as lines:
        for line in lines:
            game = json.loads(line)
            recorded = parse_result(game["re"])
            is_at_end = game["mv"].endswith("----") or game["src"] == "aeb-pro"
            if game["sz"] == 9 and recorded is not None and is_at_end:
                yield to_game(game, recorded)


def parse_result(text: str | None) -> float | None:
    if text in ("0", "Draw", "Jigo"):
        return 0.0
    match = re.fullmatch(r"([BW])\+(\d+(?:\.\d+)?)", text or "")
    return None if match is None else float(match[2]) * (1 if match[1] == "B" else -1)


def to_game(game: dict[str, Any], recorded: float) -> Game:
    komi = game["km"] or 0.0
    start = Go(9, komi if (komi - recorded) % 1 == 0 else komi + 0.5, superko=False)
    pairs = [game["mv"][i : i + 2] for i in range(0, len(game["mv"]), 2)]
    moves = tuple(start.parse_sgf_move("" if pair == "--" else pair) for pair in pairs)
    return Game(source=game["src"], id=game["id"], start=start, moves=moves, recorded=recorded)


def count_game(game: Game) -> tuple[Go, float | None]:
    """The position at the end, and the score by the rules of the place; None for a game that is not finished."""
    position = game.start
    for move in game.moves:
        position = position.play(move)
    status = final_status(position, seed=SEED)
    if not position.is_over and not status.is_settled:
        return position, None
    captures = count_captures(game.start, game.moves)
    rules = RULES[game.source]
    return position, final_score(position, rules=rules, dead=status.dead, seki=status.seki, captures=captures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=200, help="games of each source that the first figure is about")
    parser.add_argument("--only-first", action="store_true", help="count no others")
    parser.add_argument("--show", action="store_true", help="show the boards with another score than the recorded one")
    arguments = parser.parse_args()
    right: dict[str, list[bool]] = defaultdict(list)
    for game in read_games(arguments.folder / "go9.jsonl.xz"):
        if arguments.only_first and len(right[game.source]) >= arguments.first:
            continue
        position, score = count_game(game)
        if score is None:
            continue
        right[game.source].append(score == game.recorded)
        if arguments.show and score != game.recorded:
            print(f"{game.id}: recorded {format_score(game.recorded)}, counted {format_score(score)}\n{position}\n")
    for source, results in right.items():
        first = results[: arguments.first]
        print(
            f"{source} ({RULES[source]}): of the first {len(first)} {sum(first)} ({sum(first) / len(first):.1%}), "
            f"of all {len(results)} {sum(results)} ({sum(results) / len(results):.1%})"
        )


if __name__ == "__main__":
    main()
