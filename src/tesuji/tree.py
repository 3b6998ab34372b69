"""Search trees as values: to look at, to hand to other tools, to keep in a file, and to search on.

A tree is columns of numbers, one row for each child that the search knows, the root in row 0. The children of a node
stand together, parents before children: the rows are in breadth-first order.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.array_file import ArrayFile
from tesuji.checks import check_integer, check_memory
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, GameError, GameStateError, TreeError, shown
from tesuji.games.own import AnyPosition, OwnPosition, check_range
from tesuji.search_result import TreeNode, dot_text, plain_move

if TYPE_CHECKING:
    from tesuji.tree_shape import TreeComparison, TreeShape

_FILE: Final = ArrayFile(kind="tree", version=1, read_versions=(1,), error=TreeError, max_bytes=2**32)
_KEPT: Final = "kept: "
_PROOFS: Final = (None, "loss", "draw", "win")
_RAVE_VISIT: Final = 256  # RAVE visits are counted in parts of one

#: In the column `move` of the root, to which no move leads.
NO_MOVE: Final = 2**32 - 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Tree:
    """All that a search knows, a row for each child.

    `parent` is a row, the root its own; `player` who chose the child (`tesuji.CHANCE` where chance did); `move` a place
    in `moves` and `texts`, `NO_MOVE` at the root; `value` what it is worth to that player, 0 without visits. `kept` has
    what the search needs to go on, by names; `random` where its random numbers are. `position` is the root's as text,
    and `fingerprint` tells it from all others.
    """

    game: str
    position: str
    fingerprint: str
    engine: str
    seed: int
    reward_range: tuple[float, float]
    moves: tuple[Any, ...]
    texts: tuple[str, ...]
    parent: NDArray[np.uint32]
    player: NDArray[np.int8]
    move: NDArray[np.uint32]
    visits: NDArray[np.uint32]
    value: NDArray[np.float64]
    kept: Mapping[str, NDArray[np.float64]]
    random: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.parent)

    def __repr__(self) -> str:
        return f"<Tree of {self.game} by {self.engine}: {len(self)} rows, {int(self.visits[0])} visits>"

    # ---- rows

    @cached_property
    def levels(self) -> tuple[slice, ...]:
        """The rows of each depth: those of one depth stand together."""
        bounds = [0, 1]
        while bounds[-1] < len(self):
            bounds.append(int(self._first_child[bounds[-1]]))
        return tuple(slice(*pair) for pair in pairwise(bounds))

    @cached_property
    def _first_child(self) -> NDArray[np.int64]:
        """Where the children of each row begin; they end where those of the next row do. One more than rows."""
        counts = np.bincount(self.parent[1:], minlength=len(self))
        return np.concatenate([[1], 1 + np.cumsum(counts)])

    @cached_property
    def depth(self) -> NDArray[np.int32]:
        """How many moves each row is below the root."""
        return np.repeat(np.arange(len(self.levels), dtype=np.int32), [end.stop - end.start for end in self.levels])

    def children(self, row: int = 0) -> slice:
        """The rows of the children; none where the row is a leaf."""
        return slice(int(self._first_child[row]), int(self._first_child[row + 1]))

    @property
    def prior(self) -> NDArray[np.float64] | None:
        return self.kept.get("prior")

    @cached_property
    def rave(self) -> NDArray[np.float64] | None:
        """The RAVE value, nan where there is none."""
        if "RAVE visits" not in self.kept:
            return None
        low, high = self.reward_range
        with np.errstate(invalid="ignore"):
            share: NDArray[np.float64] = self.kept["RAVE rewards"] / (self.kept["RAVE visits"] / _RAVE_VISIT)
        return low + (high - low) * share

    def move_at(self, row: int) -> Any:
        """The move that leads to a row, None for the root."""
        return None if row == 0 else self.moves[self.move[row]]

    def text_at(self, row: int) -> str:
        return "root" if row == 0 else self.texts[self.move[row]]

    def proven(self, row: int) -> str | None:
        """What the solver has proven for the player who chose: "win", "draw", "loss", or None."""
        return _PROOFS[int(self.kept["proof"][row])] if "proof" in self.kept else None

    def principal_variation(self) -> list[int]:
        """The rows of the most visited moves from the root on, the first of equals."""
        line, row = [], 0
        while (below := self.children(row)) and below.stop > below.start:
            row = below.start + int(np.argmax(self.visits[below]))
            if self.visits[row] == 0:
                break
            line.append(row)
        return line

    def rows(self, *, max_depth: int | None = None, min_visits: int = 1) -> NDArray[np.intp]:
        """The rows with so many visits, and the root; never one without its parent."""
        check_integer("min_visits", min_visits, low=0)
        chosen = self.visits >= min_visits
        chosen[0] = True
        if max_depth is not None:
            chosen &= self.depth <= check_integer("max_depth", max_depth, low=0)
        for level in self.levels[1:]:
            chosen[level] &= chosen[self.parent[level]]
        return np.flatnonzero(chosen)

    # ---- for other tools

    def to_dict(self, *, max_depth: int | None = None, min_visits: int = 1) -> dict[str, Any]:
        """The tree in plain values, one entry for each of `rows`; an `id` is a row."""
        return {
            "game": self.game,
            "position": self.position,
            "engine": self.engine,
            "seed": self.seed,
            "nodes": [
                {"id": int(row), "parent": None if row == 0 else int(self.parent[row]), **self._attributes(int(row))}
                for row in self.rows(max_depth=max_depth, min_visits=min_visits)
            ],
        }

    def to_json(self, *, max_depth: int | None = None, min_visits: int = 1, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(max_depth=max_depth, min_visits=min_visits), indent=indent, allow_nan=False)

    def to_dot(self, *, max_depth: int | None = 6, min_visits: int | None = None) -> str:
        """The tree for Graphviz: by default what has at least one in a hundred of the root's visits."""
        least = max(1, int(self.visits[0]) // 100) if min_visits is None else min_visits
        nodes = [
            TreeNode(
                id=int(row),
                parent=None if row == 0 else int(self.parent[row]),
                move=int(row),
                visits=int(self.visits[row]),
                value=float(self.value[row]),
            )
            for row in self.rows(max_depth=max_depth, min_visits=least)
        ]
        return dot_text(nodes, self.text_at)

    def to_networkx(self, *, max_depth: int | None = None, min_visits: int = 1) -> Any:
        """A `networkx.DiGraph` from parents to children; nodes are rows, with the attributes of `to_dict`."""
        try:
            import networkx as nx  # noqa: PLC0415  optional
        except ImportError:
            raise ArgumentError("to_networkx() needs networkx: pip install 'tesuji[networkx]'") from None
        graph = nx.DiGraph(game=self.game, engine=self.engine, seed=self.seed)
        for row in self.rows(max_depth=max_depth, min_visits=min_visits):
            graph.add_node(int(row), **self._attributes(int(row)))
            if row:
                graph.add_edge(int(self.parent[row]), int(row))
        return graph

    def _attributes(self, row: int) -> dict[str, Any]:
        found: dict[str, Any] = {
            "player": int(self.player[row]),
            "move": None if row == 0 else plain_move(self.move_at(row), lambda _: self.text_at(row)),
            "text": self.text_at(row),
            "visits": int(self.visits[row]),
            "value": float(self.value[row]),
        }
        if self.prior is not None:
            found["prior"] = float(self.prior[row])
        if self.rave is not None:
            found["rave"] = float(self.rave[row]) if np.isfinite(self.rave[row]) else None
        if "proof" in self.kept:
            found["proven"] = self.proven(row)
        return found

    def shape(self) -> TreeShape:
        """How large, deep and bushy the tree is."""
        from tesuji.tree_shape import shape_of  # noqa: PLC0415  it knows this module

        return shape_of(self)

    def compare(self, other: Tree) -> TreeComparison:
        """What two trees of one position agree on."""
        from tesuji.tree_shape import compare  # noqa: PLC0415  as above

        return compare(self, other)

    # ---- the file

    def save(self, path: Path | str) -> None:
        """Writes a file that `tesuji.tree.load` reads; an interrupt leaves an older one as it was."""
        header = {
            "game": self.game,
            "position": self.position,
            "fingerprint": self.fingerprint,
            "engine": self.engine,
            "seed": self.seed,
            "reward_range": self.reward_range,
            # Moves of other kinds have their text alone: such a tree can be read, but not searched on.
            "moves": [[move] if _is_plain(move) else None for move in self.moves],
            "texts": self.texts,
        }
        _FILE.write(
            path,
            {
                "header": np.array(json.dumps(header)),
                "parent": self.parent,
                "player": self.player,
                "move": self.move,
                "visits": self.visits,
                "value": self.value,
                "random": np.array(self.random, dtype=np.uint64),
                **{_KEPT + name: column for name, column in self.kept.items()},
            },
        )


class UnknownMove:
    """A move of a game of one's own that a file has only by its text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"<the move {self.text}>"


def load(path: Path | str, *, max_memory: int | str = _FILE.max_bytes) -> Tree:
    """Reads a file that `Tree.save` wrote. Nothing in it is executed; one that unpacks to more is refused."""
    kind = dataclasses.replace(_FILE, max_bytes=check_memory(max_memory, low=2**16))
    return parse(kind.read(Path(path)), name=str(path), kind=kind)


def parse(data: bytes, *, name: str = "the tree", kind: ArrayFile = _FILE) -> Tree:
    """The tree of a whole file."""
    arrays = kind.unpack(data, name)
    try:
        header = json.loads(str(arrays["header"]))
        texts = tuple(str(text) for text in header["texts"])
        tree = Tree(
            game=str(header["game"]),
            position=str(header["position"]),
            fingerprint=str(header["fingerprint"]),
            engine=str(header["engine"]),
            seed=check_integer("seed", header["seed"], low=0, high=2**64 - 1),
            reward_range=check_range(header["reward_range"]),
            moves=tuple(_from_json(move, text) for move, text in zip(header["moves"], texts, strict=True)),
            texts=texts,
            parent=_column(arrays["parent"], np.uint32),
            player=_column(arrays["player"], np.int8),
            move=_column(arrays["move"], np.uint32),
            visits=_column(arrays["visits"], np.uint32),
            value=_column(arrays["value"], np.float64),
            kept={
                key.removeprefix(_KEPT): _column(column, np.float64)
                for key, column in arrays.items()
                if key.startswith(_KEPT)
            },
            random=tuple(int(number) for number in _column(arrays["random"], np.uint64)),
        )
        _check(tree)
    except (KeyError, ValueError, TypeError, OverflowError, RecursionError, GameError) as error:
        raise TreeError(f"{name} is damaged: {error}") from None
    return tree


def _column(array: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    if array.dtype != kind or array.ndim != 1:
        raise ValueError(f"a column of {array.dtype} and {array.ndim} dimensions, where {np.dtype(kind)} and 1 are due")
    array.setflags(write=False)
    return array


def _check(tree: Tree) -> None:
    """What everything above relies on; the core checks the rest before it searches on."""
    columns: list[NDArray[Any]] = [tree.player, tree.move, tree.visits, tree.value, *tree.kept.values()]
    if len(tree) == 0 or any(len(column) != len(tree) for column in columns):
        raise ValueError("its columns are empty or differ in length")
    parents = tree.parent.astype(np.int64)
    if parents[0] != 0 or (parents[1:] >= np.arange(1, len(tree))).any() or (np.diff(parents) < 0).any():
        raise ValueError("its rows are no tree")
    if tree.move[0] != NO_MOVE or (tree.move[1:] >= len(tree.moves)).any():
        raise ValueError("it has moves that it does not name")
    if not np.isfinite(tree.value).all() or (tree.prior is not None and not np.isfinite(tree.prior).all()):
        raise ValueError("it has values or priors that are no numbers")
    if "proof" in tree.kept and not np.isin(tree.kept["proof"], range(len(_PROOFS))).all():
        raise ValueError("it has proofs of an unknown kind")
    if ("RAVE visits" in tree.kept) != ("RAVE rewards" in tree.kept):
        raise ValueError("one of its columns of RAVE is missing")


def _is_plain(move: Any) -> bool:
    if isinstance(move, tuple):
        return all(map(_is_plain, move))
    return move is None or type(move) in (bool, int, float, str)


def _from_json(entry: list[Any] | None, text: str) -> Any:
    if entry is None:
        return UnknownMove(text)
    (move,) = entry
    return _with_tuples(move)


def _with_tuples(value: Any) -> Any:
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


# ---- between a search and its tree


def tree_of(searcher: _core.Searcher, root: AnyPosition, engine: EngineSpec, seed: int) -> Tree:
    """All that a searcher knows; `root` is its position."""
    try:
        columns = searcher.columns()
    except RuntimeError as error:
        raise ArgumentError(f"{engine} has no tree to give: {error}") from None
    if len(columns["parent"]) == 1:
        raise GameStateError("nothing has been searched here yet: run() first")
    numbers, places = np.unique(columns["move"][1:], return_inverse=True)
    moves = tuple(root.move_of(int(number)) for number in numbers)
    low, high = root.reward_range
    visits = columns["visits"]
    tree = Tree(
        game=root.game,
        position=str(root.public),
        fingerprint=root.fingerprint(),
        engine=str(engine),
        seed=seed,
        reward_range=(low, high),
        moves=moves,
        texts=tuple(root.format_move(move) for move in moves),
        parent=columns["parent"],
        player=columns["chooser"],
        move=np.concatenate([[NO_MOVE], places]).astype(np.uint32),
        visits=visits,
        value=np.where(visits > 0, low + (high - low) * columns["value"], 0.0),
        kept=columns["kept"],
        random=tuple(int(number) for number in columns["random"]),
    )
    made: list[NDArray[Any]] = [tree.parent, tree.player, tree.move, tree.visits, tree.value, *tree.kept.values()]
    for column in made:
        column.setflags(write=False)
    return tree


def restore(searcher: _core.Searcher, tree: Tree, root: AnyPosition, engine: EngineSpec, *, goes_on: bool) -> None:
    """Gives a new searcher of this position the tree; with `goes_on` also the random numbers that it had."""
    if tree.fingerprint != root.fingerprint():
        raise TreeError(f"the tree is of another position than {root!r}; its own is\n{tree.position}")
    if tree.engine != str(engine):
        raise TreeError(f"the tree was made by {tree.engine}, and {engine} cannot go on with it: give that engine")
    unknown = [move for move in tree.moves if isinstance(move, UnknownMove)]
    if unknown:
        raise TreeError(
            f"the tree cannot be searched on: its file has moves, such as {unknown[0].text}, only as text. "
            "Moves that are numbers, texts or tuples of them can be kept"
        )
    numbers = np.array([*_move_numbers(tree, root), NO_MOVE], dtype=np.uint32)
    try:
        searcher.restore(
            parent=tree.parent,
            chooser=tree.player,
            move=numbers[np.minimum(tree.move, len(tree.moves))],
            visits=tree.visits,
            kept=dict(tree.kept),
            random=list(tree.random) if goes_on else [],
        )
    except _core.BadTree as error:
        raise TreeError(f"the tree cannot be searched on: {error}") from None
    except _core.MemoryTooSmall as error:
        raise ArgumentError(str(error)) from None
    except RuntimeError as error:
        raise ArgumentError(f"{engine} cannot go on with one tree: {error}") from None


def _move_numbers(tree: Tree, root: AnyPosition) -> list[int]:
    """The moves as the searcher knows them. They need not be legal at the root: the core looks at each in its place."""
    if isinstance(root, OwnPosition):
        return [root.native.move_number(move) for move in tree.moves]
    count = root.num_distinct_moves
    for move in tree.moves:
        if type(move) is not int or not 0 <= move < count:
            raise TreeError(f"the tree has the move {shown(move)}, which is none of {root!r}")
    return list(tree.moves)
