"""Playthroughs and trees as they were when somebody last looked at them: a change in rules or search shows here.

`TESUJI_UPDATE_GOLDEN=1 pytest tests/golden` writes the files anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tesuji

HERE = Path(__file__).parent
UPDATE = os.environ.get("TESUJI_UPDATE_GOLDEN") == "1"

POSITIONS: dict[str, Callable[[], tesuji.Position]] = {
    "go-5": lambda: tesuji.Go(size=5, komi=0.5),
    "go-9": lambda: tesuji.Go(size=9),
    "go-19-handicap": lambda: tesuji.Go(size=19, handicap=4),
    "othello": tesuji.Othello,
    "havannah-4": lambda: tesuji.Havannah(size=4),
    "havannah-8-swap": lambda: tesuji.Havannah(size=8, swap=True),
    "tic-tac-toe": tesuji.TicTacToe,
    "sum-of-switches": tesuji.SumOfSwitches,
    "tree-game": tesuji.TreeGame.random,
}

# Enough plies for every game but Go to end; Go's boards are full of captures and kos by then.
MOST_PLIES = 200


def check(name: str, lines: Iterator[str]) -> None:
    path = HERE / name
    text = "\n".join(lines) + "\n"
    if UPDATE:
        path.write_text(text)
    assert text == path.read_text()


@pytest.mark.parametrize("name", POSITIONS)
def test_playthrough(name: str) -> None:
    check(f"{name}.playthrough.txt", playthrough(POSITIONS[name]()))


def playthrough(position: tesuji.Position) -> Iterator[str]:
    for ply in range(MOST_PLIES):
        if position.is_over:
            break
        moves = position.legal_moves()
        if ply % 20 == 0:
            yield str(position)
        move = moves[(ply * 7919 + 13) % len(moves)]
        yield f"{ply}: player {position.to_move} has {len(moves)} moves and plays {position.format_move(move)}"
        position = position.play(move)
    yield str(position)
    yield f"outcome: {position.outcome() if position.is_over else 'not over'}"


ENGINES = ("uct", "uct(c=0.4,fpu=1.1)+expand=4", "ucb-tuned1", "ucb-tuned2+final=value")


@pytest.mark.parametrize("name", POSITIONS)
def test_trees(name: str) -> None:
    check(f"{name}.trees.txt", trees(POSITIONS[name]()))


def trees(position: tesuji.Position) -> Iterator[str]:
    """One block an engine: the best move, the size of the tree, and the ten moves most visited."""
    for engine in ENGINES:
        result = tesuji.Search(position, engine, seed=2012).run(playouts=3000)
        best = position.format_move(result.best_move)
        yield f"{engine}: best {best}, {result.nodes} nodes, {result.memory} bytes"
        for move in result.moves[:10]:
            pv = " ".join(position.format_move(reply) for reply in move.pv)
            yield f"  {move.text} {move.visits} {move.value:.9f} {pv}"
