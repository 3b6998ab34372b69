"""A game that is an explicit tree: for tests and for teaching, since every value in it is known."""

from __future__ import annotations

import random
from numbers import Real
from typing import Any, ClassVar, Final, Self, TypeAlias

from tesuji import _core
from tesuji.checks import as_integer, check_bool, check_integer, check_seed
from tesuji.errors import ArgumentError, shown
from tesuji.games import svg
from tesuji.games.native import NativeTreeGame
from tesuji.games.numbered_moves import NumberedMoves

#: A list of children, or (player, list of children); a child is such a tree, or a number. No deeper type says it: that
#: of a nested list which a checker infers would not fit.
Tree: TypeAlias = list[Any] | tuple[int, list[Any]]

MAX_NODES: Final = 10_000_000

# What text and picture show: of the path its end, of the children the first, of the tree the upper levels.
_SHOWN_PATH = 12
_SHOWN_CHILDREN = 16
_SHOWN_LEVELS = 3


class TreeGame(NumberedMoves):
    """A position in a tree that is given as nested lists.

    >>> TreeGame([[1, 1, 0], [[1, 0]]])

    A list is a position, and its move k leads to its k-th element; as text the move is "0", "1", ... A number is a
    leaf, where the game is over: the first player's reward in [0, 1] (kept to a millionth), of which the second gets
    what is missing to 1. The players take turns, the first begins. A tuple `(player, [...])` is a position where this
    player (0 or 1) moves, and turns are taken from there on: in `[(0, [1, 0]), 1]` the first player moves twice in a
    row after move 0. With `one_player=True` there is only one, who makes all the moves.

    Positions of one game share the tree. Each pickle holds all of it.
    """

    __slots__ = ()

    _native: NativeTreeGame

    game: ClassVar[str] = "tree-game"
    players: ClassVar[tuple[str, ...]] = ("First", "Second")
    #: There is no board: one row with a cell for each move, of which only the third and fourth plane say anything.
    plane_names: ClassVar[tuple[str, ...]] = ("nothing", "nothing", "legal moves", "player to move")

    def __init__(self, tree: Tree, *, one_player: bool = False) -> None:
        native = _native_tree(tree, one_player=check_bool("one_player", one_player))
        object.__setattr__(self, "_native", native)

    @classmethod
    def random(cls, *, branching: int = 4, depth: int = 6, seed: int | None = 0) -> Self:
        """A tree of this depth with so many moves in every position; the leaves have random values, 0.00 to 1.00."""
        width = check_integer("branching", branching, low=1, high=MAX_NODES)
        levels = check_integer("depth", depth, low=1, high=MAX_NODES)
        # Two to the 24 are too many already: no need to raise numbers to higher powers.
        below_root = levels if width == 1 else sum(width**level for level in range(1, min(levels, 24) + 1))
        if below_root >= MAX_NODES:
            raise ArgumentError(
                f"a tree of branching {width} and depth {levels} has more than {MAX_NODES:,} nodes: take less"
            )
        rng = random.Random(check_seed(seed))
        level: list[Any] = [round(rng.random(), 2) for _ in range(width**levels)]
        for _ in range(levels):
            level = [level[start : start + width] for start in range(0, len(level), width)]
        return cls(level[0])

    @classmethod
    def deceptive(cls, *, depth: int = 4, width: int = 4) -> Self:
        r"""A trap for searches that go by means: move 0 looks won and is lost, move 1 looks lost and is won.

        Either move begins a ladder: so many right moves in a row (`depth`), each one of so many (`width`), lead to a
        win, and any other move on the way loses at once. After move 0 it is Second who must find the right moves,
        after move 1 First. The other side has only forced replies. With `depth=2` and `width=3`, leaves as First's
        rewards:

                       First
                    0 /     \ 1
                Second       Second
               /  |  \          |
          First   1   1       First
            |                /  |  \
          Second        Second  0   0
          /  |  \          |
         0   1   1       First
                        /  |  \
                       1   0   0

        Random games show next to nothing of that: First wins all but one in `width ** depth` of them after move 0,
        and loses as many after move 1. The tree has `2 * depth * (width + 1) + 2` nodes.
        """
        steps = check_integer("depth", depth, low=1, high=MAX_NODES)
        moves = check_integer("width", width, low=2, high=MAX_NODES)
        if 2 * steps * (moves + 1) + 2 > MAX_NODES:
            raise ArgumentError(
                f"a deceptive tree of depth {steps} and width {moves} has more than {MAX_NODES:,} nodes: take less"
            )
        trap = _ladder(steps, moves, won=0, lost=1)
        way_out = _ladder(steps, moves, won=1, lost=0)
        return cls([trap, [way_out]])

    @property
    def native(self) -> NativeTreeGame:
        return self._native

    def path(self) -> list[int]:
        """The moves from the root of the tree to this position."""
        return self._native.path()

    def _state(self) -> dict[str, Any]:
        num_players, child_counts, players, values = self._native.nodes()
        return {
            "num_players": num_players,
            "child_counts": child_counts,
            "players": players,
            "values": values,
            "node": self._native.node,
        }

    @classmethod
    def _from_state(cls, state: dict[str, Any]) -> Self:
        return cls._wrap(_core.tree_game(**state))

    # ---- moves

    @property
    def num_distinct_moves(self) -> int:
        return self._native.widest

    def _why_illegal(self, move: int) -> str:  # noqa: ARG002  the same for every move
        return f"the moves here are 0 to {self._native.child_count() - 1}"

    # ---- views

    @property
    def shape(self) -> tuple[int, int]:
        return 1, self.num_distinct_moves

    def _board_text(self) -> str:
        """The end of the path to here, and what the first moves lead to."""
        path = self.path()
        moves = [str(move) for move in path[-_SHOWN_PATH:]]
        if len(path) > _SHOWN_PATH:
            moves.insert(0, f"... ({len(path) - _SHOWN_PATH:,} moves)")
        lines = [f"path: {' '.join(moves) or 'none, this is the root'}"]
        count = self.native.child_count()
        lines += [f"{move}: {_content(self.play(move))}" for move in range(min(count, _SHOWN_CHILDREN))]
        if count > _SHOWN_CHILDREN:
            lines.append(f"... and {count - _SHOWN_CHILDREN:,} more")
        return "\n".join(lines)

    def _status(self) -> str:
        return f"leaf of value {_content(self)}" if self.is_over else f"{self.players[self.to_move]} to move"

    def _options_text(self) -> str:
        return f"of {self.native.node_count:,} nodes"

    def svg(self) -> str:
        """The upper levels of the tree below this position: a disc in the mover's colour, at a leaf its value."""
        levels = _shown_levels(self)
        width = svg.CELL * 1.3 * max(len(level) for level in levels)
        drawing = svg.Drawing(
            width=2 * svg.MARGIN + width,
            height=2 * svg.MARGIN + svg.CELL * (2 * len(levels) - 1),
            background=svg.PAPER,
            title=repr(self),
        )
        places: list[tuple[float, float]] = []
        for depth, level in enumerate(levels):
            above, places = places, []
            for number, (parent, position) in enumerate(level):
                place = (svg.MARGIN + width * (number + 0.5) / len(level), svg.MARGIN + svg.CELL * (2 * depth + 0.5))
                places.append(place)
                if above:
                    x, y = above[parent]
                    drawing.line((x, y + svg.CELL * 0.4), (place[0], place[1] - svg.CELL * 0.4))
                if position is None or position.is_over:
                    drawing.label(place, "..." if position is None else _content(position))
                else:
                    drawing.stone(place, position.to_move, radius=svg.CELL * 0.4)
        return drawing.document()


def _ladder(steps: int, width: int, *, won: int, lost: int) -> list[Any]:
    """So many right moves in a row, with forced replies between them; the first move at each step is the right one."""
    tree: list[Any] = [won] + [lost] * (width - 1)
    for _ in range(steps - 1):
        tree = [[tree]] + [lost] * (width - 1)
    return tree


def _content(position: TreeGame) -> str:
    if position.is_over:
        return f"{position.outcome()[0]:.6g}"
    count = position.native.child_count()
    return f"{count:,} move{'' if count == 1 else 's'} for {position.players[position.to_move]}"


def _shown_levels(top: TreeGame) -> list[list[tuple[int, TreeGame | None]]]:
    """Level by level, each position with the place of its parent in the level above.

    Of the first level below the top the rest may be left out, for which None stands; those below are shown whole or
    not at all, so that nothing looks like a leaf that is none.
    """
    count = top.native.child_count()
    levels: list[list[tuple[int, TreeGame | None]]] = [[(0, top)]]
    below: list[tuple[int, TreeGame | None]] = [(0, top.play(move)) for move in range(min(count, _SHOWN_CHILDREN))]
    if count > _SHOWN_CHILDREN:
        below.append((0, None))
    while below and len(levels) <= _SHOWN_LEVELS:
        levels.append(below)
        parents = [(place, position) for place, (_, position) in enumerate(below) if position is not None]
        if sum(position.native.child_count() for _, position in parents) > _SHOWN_CHILDREN:
            break
        below = [(place, position.play(move)) for place, position in parents for move in position.legal_moves()]
    return levels


# ---- reading nested lists, without recursion: they may be nested deeper than Python's stack


def _native_tree(tree: object, *, one_player: bool) -> NativeTreeGame:
    """Numbers the nodes level by level, as the core wants them."""
    _check_tree(tree, one_player=one_player)
    child_counts: list[int] = []
    players: list[int] = []
    values: list[float] = []
    nodes: list[tuple[Any, int]] = [(tree, 0)]  # each with the player whose turn it is
    for node, turn in nodes:
        player, children = node if isinstance(node, tuple) else (turn, node)
        is_leaf = not isinstance(children, list)
        child_counts.append(0 if is_leaf else len(children))
        players.append(0 if is_leaf else int(player))
        values.append(float(children) if is_leaf else 0.0)
        if not is_leaf:
            following = 0 if one_player else 1 - int(player)
            nodes.extend((child, following) for child in children)
    return _core.tree_game(1 if one_player else 2, child_counts, players, values)


class _Reading:
    """A list on the way down from the root: how far it has been read, and how many nodes that makes."""

    __slots__ = ("children", "done", "nodes")

    def __init__(self, children: list[Any]) -> None:
        self.children = children
        self.done = 0
        self.nodes = 1


def _check_tree(tree: object, *, one_player: bool) -> None:
    """Raises `ArgumentError` where this is no tree, or one of too many nodes.

    Each list is read once, however often it occurs: so a list within itself is found, and lists that double at every
    level are counted without being unfolded.
    """
    root = _children(tree, [], one_player=one_player) if isinstance(tree, list | tuple) else None
    if root is None:
        raise ArgumentError(f"the tree must be a list such as [[1, 0], 0.5], not {_named(tree)}")
    sizes: dict[int, int] = {}
    on_the_way = {id(root)}
    way = [_Reading(root)]
    while way:
        top = way[-1]
        if top.done == len(top.children):
            way.pop()
            on_the_way.remove(id(top.children))
            sizes[id(top.children)] = top.nodes
            if way:
                way[-1].nodes += top.nodes
            continue
        child = top.children[top.done]
        top.done += 1
        children = _children(child, way, one_player=one_player)
        if children is None:
            top.nodes += 1
        elif id(children) in on_the_way:
            raise ArgumentError(f"the list {_where(way)} is one of those that contain it: a tree must have an end")
        elif id(children) in sizes:
            top.nodes += sizes[id(children)]
        else:
            way.append(_Reading(children))
            on_the_way.add(id(children))
    if sizes[id(root)] > MAX_NODES:
        raise ArgumentError(f"the tree has more than {MAX_NODES:,} nodes, which is the most that it may have")


def _children(node: object, way: list[_Reading], *, one_player: bool) -> list[Any] | None:
    """The children of a node, or None for a leaf."""
    if isinstance(node, tuple):
        if len(node) != 2 or not isinstance(node[1], list):
            raise ArgumentError(f"the tuple {_where(way)} must be (player, list of children)")
        player = as_integer(node[0])
        if player not in ((0,) if one_player else (0, 1)):
            allowed = "0, the only player," if one_player else "0 or 1,"
            raise ArgumentError(f"the player {_where(way)} must be {allowed} not {_named(node[0])}")
        node = node[1]
    if isinstance(node, list):
        if not node:
            raise ArgumentError(f"the list {_where(way)} is empty: a position has moves, and a leaf is a number")
        return node
    if not isinstance(node, Real) or isinstance(node, bool) or not 0 <= node <= 1:  # type: ignore[operator]  # mypy has no order on Real
        raise ArgumentError(f"the leaf {_where(way)} must be a number from 0 to 1, not {_named(node)}")
    return None


def _where(way: list[_Reading]) -> str:
    if not way:
        return "at the root"
    moves = [str(reading.done - 1) for reading in way[-_SHOWN_PATH:]]
    return f"after the moves {'... ' if len(way) > _SHOWN_PATH else ''}{' '.join(moves)}"


def _named(value: object) -> str:
    """For messages: containers by their type alone, since they may be nested deeper than `repr` can go."""
    return shown(value) if isinstance(value, Real | str | bytes | None) else f"a value of type {type(value).__name__}"
