"""What a search found, as values: they stay as they are when the search goes on."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tesuji.engines import EngineSpec
from tesuji.games.own import move_text


@dataclass(frozen=True, kw_only=True)
class MoveStatistics:
    """What the search knows of one move at the root.

    `value` is what it is worth to the player who makes it, as the backup rule has it: with `mean`, the mean reward.
    `proven` is "win", "draw" or "loss" for that player if a solver knows; `value` is then exact.
    Moves are numbers in the games of this package, and in a game of the user's own what that game has for moves.
    """

    move: Any
    text: str
    visits: int
    value: float
    prior: float | None
    rave: float | None
    proven: str | None
    pv: tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class TreeNode:
    """A node of the upper part of the tree; the root has no parent and no move."""

    id: int
    parent: int | None
    move: Any
    visits: int
    value: float


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """What a search found. It stays as it is when the search goes on.

    `playouts`, `seconds` and `cpu_seconds` are those of the run that gave it, the last the sum over all `threads`;
    `visits` counts all playouts through the root, those kept from earlier runs included. `value` is that of
    `best_move`, for the player to move.
    `moves` has every legal move, the most visited first; one without visits may be one that the engine did not search.
    `stopped_by` says what ended the run: "playouts", "seconds", "cpu_seconds", "stop", "interrupt", "visits" when
    the root has as many as can be counted (four billion), or "proven" when the solver knows what the position is worth:
    `proven` then says it, "win", "draw" or "loss" for the player to move.
    """

    position: Any
    best_move: Any
    value: float
    playouts: int
    visits: int
    seconds: float
    cpu_seconds: float
    moves: tuple[MoveStatistics, ...]
    pv: tuple[Any, ...]
    threads: int
    seed: int
    engine: EngineSpec
    stopped_by: str
    proven: str | None
    tree_full: bool
    nodes: int
    child_slots: int
    memory: int
    tree: tuple[TreeNode, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the tree, in plain values; moves also as text, and only so where they are no plain values."""

        def text(move: Any) -> str:
            return move_text(self.position, move)

        def plain(move: Any) -> Any:
            return plain_move(move, text)

        return {
            "game": getattr(self.position, "game", type(self.position).__name__),
            "to_move": int(self.position.to_move),
            "best_move": plain(self.best_move),
            "best_move_text": text(self.best_move),
            "value": self.value,
            "playouts": self.playouts,
            "visits": self.visits,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "pv": [plain(move) for move in self.pv],
            "pv_text": [text(move) for move in self.pv],
            "threads": self.threads,
            "seed": self.seed,
            "engine": str(self.engine),
            "stopped_by": self.stopped_by,
            "proven": self.proven,
            "tree_full": self.tree_full,
            "nodes": self.nodes,
            "child_slots": self.child_slots,
            "memory": self.memory,
            "moves": [
                {
                    "move": plain(entry.move),
                    "text": entry.text,
                    "visits": entry.visits,
                    "value": entry.value,
                    "prior": entry.prior,
                    "rave": entry.rave,
                    "proven": entry.proven,
                    "pv": [plain(move) for move in entry.pv],
                    "pv_text": [text(move) for move in entry.pv],
                }
                for entry in self.moves
            ],
        }

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def to_dot(self) -> str:
        """The upper part of the tree for Graphviz: the nodes with at least one in a hundred of the root's visits."""
        return dot_text(self.tree, lambda move: move_text(self.position, move))


def plain_move(move: Any, text_of: Callable[[Any], str]) -> Any:
    """A move as JSON can have it: itself, or where JSON has no such value its text."""
    is_plain = math.isfinite(move) if isinstance(move, float) else isinstance(move, str | int)
    return move if is_plain else text_of(move)


def dot_text(nodes: Iterable[TreeNode], text_of: Callable[[Any], str]) -> str:
    """A tree in the language of Graphviz."""
    lines = ["digraph search {", "  node [shape=box, fontname=sans];"]
    for node in nodes:
        name = "root" if node.parent is None else text_of(node.move).replace("\\", "\\\\").replace('"', "'")
        lines.append(f'  n{node.id} [label="{name}\\n{node.visits} visits\\n{node.value:.3f}"];')
        if node.parent is not None:
            lines.append(f"  n{node.parent} -> n{node.id};")
    return "\n".join([*lines, "}"])
