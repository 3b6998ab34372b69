"""Games and engines as the page describes them, and what it needs to draw a board."""

from __future__ import annotations

import functools
from typing import Any, Final

from tesuji.engines import EngineSpec, parse_engine
from tesuji.errors import GameStateError, SgfError, SpecError, TesujiError
from tesuji.games.go import Go, star_points
from tesuji.games.othello import Othello
from tesuji.games.position import OFF_BOARD, Position
from tesuji.games.registry import make_game
from tesuji.gtp.records import put_record, record_text
from tesuji.gtp.table import Step, Table
from tesuji.sgf import SgfGame
from tesuji.web.messages import MAX_MOVES, MAX_NODES, Board


class Record:
    """A game on a table, and how many of its moves come from a record that was loaded."""

    def __init__(self, board: Board) -> None:
        self.table, kept = _table(board)
        self._loaded = len(self.table.steps)
        #: Those that the record has before stones in its middle, where the game on the table begins.
        self._earlier = kept - self._loaded
        for move in board.moves:
            self.play(move)

    @property
    def position(self) -> Position:
        return self.table.position

    def play(self, move: int | str) -> Step:
        position = self.position
        if position.is_over:
            raise GameStateError("the game is over: take a move back, or begin a new one")
        if len(self.table.steps) - self._loaded >= MAX_MOVES:
            raise GameStateError(f"no more than {MAX_MOVES:,} moves can be made here: save the record, and load it")
        number = position.parse_move(move) if isinstance(move, str) else move
        return self.table.play(position.to_move, number)

    def undo(self, count: int) -> None:
        self.table.undo(count)
        self._loaded = min(self._loaded, len(self.table.steps))

    def to_dict(self) -> dict[str, Any]:
        """The game so far: what the page needs to draw it, and to send it here again."""
        texts = [step.before.format_move(step.move) for step in self.table.steps]
        captures = self.table.captures() if isinstance(self.position, Go) else None
        return {
            **board_dict(self.position, self.table.steps[-1].move if self.table.steps else None),
            "kept": self._earlier + self._loaded,
            "moves": texts[self._loaded :],
            "all_moves": texts,
            "captures": captures,
        }

    def to_text(self) -> str:
        """SGF for Go; of the other games the moves in a line."""
        if isinstance(self.position, Go):
            return record_text(self.table)
        return " ".join(step.before.format_move(step.move) for step in self.table.steps) + "\n"


def _table(board: Board) -> tuple[Table, int]:
    """The game, and how many moves of the record lead to it."""
    if board.record.strip() and board.game == Go.game:
        if board.record.count(";") > MAX_NODES:
            raise SgfError(f"the record has more than {MAX_NODES:,} nodes: a game has fewer")
        record = SgfGame.parse(board.record.encode(), name="the record")
        table = Table(Go(record.size))
        return table, put_record(table, record, board.kept)
    options: dict[str, Any] = {"size": board.size} if board.game != "othello" else {}
    if board.game == Go.game:
        options |= {"komi": board.komi, "handicap": board.handicap}
    elif board.game == "havannah":
        options["swap"] = board.swap
    table = Table(make_game(board.game, **options))
    table.handicap = board.handicap if board.game == Go.game else 0
    for number, text in enumerate(board.record.split()[: board.kept], start=1):
        position = table.position
        try:
            table.play(position.to_move, position.parse_move(text))
        except TesujiError as error:
            raise GameStateError(f"move {number} of the record: {error}") from None
    return table, len(table.steps)


def board_dict(position: Position, last: int | None = None) -> dict[str, Any]:
    """What is on the board, and what can be done."""
    rows, columns = position.shape
    size = getattr(position, "size", rows)
    return {
        "game": position.game,
        "size": size,
        "rows": rows,
        "columns": columns,
        "stars": star_points(position.size) if isinstance(position, Go) else [],
        "names": _names(position.game, size),
        "players": list(position.players),
        "komi": getattr(position, "komi", None),
        "legal": position.legal_moves(),
        **changing_dict(position, last),
    }


def changing_dict(position: Position, last: int | None) -> dict[str, Any]:
    """What every move changes."""
    rows, columns = position.shape
    return {
        "cells": "".join(map(str, position.native.cells())),
        "to_move": position.to_move,
        "last": None if last is None or last >= rows * columns else last,
        "over": position.is_over,
        "status": str(position).splitlines()[-1],
    }


@functools.lru_cache(maxsize=64)
def _names(game: str, size: int) -> list[str]:
    """The texts of all cells; those of cells off the board are empty."""
    start = make_game(game, size=None if game == Othello.game else size)
    cells = start.native.cells()
    return ["" if content == OFF_BOARD else start.format_move(cell) for cell, content in enumerate(cells)]


# Beside the playouts these take time, and a turn is to be short.
_HIGHEST: Final = {"positions": 10_000, "effort": 1000, "retries": 100}


def engine_for(text: str, position: Position) -> EngineSpec:
    """The engine of a spec that a page has sent. Specs name no files, for anybody; here they are bounded as well."""
    engine = parse_engine(text, position=position)
    semeai = engine.find("semeai")
    for name, highest in _HIGHEST.items():
        value = None if semeai is None else semeai.value(name)
        if isinstance(value, int) and value > highest:
            raise SpecError(f"{name} of semeai may be at most {highest:,} on this page, not {value:,}")
    return engine


def ownership(position: Go, *, seed: int, playouts: int = 200) -> list[float]:
    """From 1 for the first player's to -1 for the second's, by rows from the upper left corner."""
    owned = position.ownership(playouts, seed)
    return [round(float(value), 2) for value in (owned[0] - owned[1]).flat]
