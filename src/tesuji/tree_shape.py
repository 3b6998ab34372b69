"""Numbers about a search tree's shape, and about what two trees of one position agree on."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tesuji.errors import TreeError
from tesuji.tree import Tree


@dataclass(frozen=True, kw_only=True)
class TreeShape:
    """How large, deep and bushy a tree is.

    `nodes` have children, `visited` rows at least one visit. `mean_depth` is that of the playouts' last rows in the
    tree, `branching` the mean number of children of a node, `effective_branching` the same by how the visits spread
    over them: the exponential of their entropy, weighted by the node's visits. `visited_by_depth` counts rows.
    """

    rows: int
    nodes: int
    visited: int
    visits: int
    depth: int
    mean_depth: float
    branching: float
    effective_branching: float
    root_moves: int
    best_share: float
    pv_length: int
    visited_by_depth: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent)


def shape_of(tree: Tree) -> TreeShape:
    visits = tree.visits.astype(np.float64)
    parents = tree.parent[1:]
    below = np.bincount(parents, weights=visits[1:], minlength=len(tree))
    children = np.bincount(parents, minlength=len(tree))
    is_node = children > 0
    # A playout that ended in a row went through it and through none of its children.
    ended = np.maximum(visits - below, 0)
    visited = tree.visits > 0
    top = tree.visits[tree.children(0)]
    return TreeShape(
        rows=len(tree),
        nodes=int(is_node.sum()),
        visited=int(visited.sum()),
        visits=int(tree.visits[0]),
        depth=int(tree.depth[visited].max(initial=0)),
        mean_depth=float((ended * tree.depth).sum() / ended.sum()) if ended.sum() else 0.0,
        branching=float(children[is_node].mean()) if is_node.any() else 0.0,
        effective_branching=_effective_branching(visits, parents, below),
        root_moves=len(top),
        best_share=float(top.max(initial=0) / max(top.sum(), 1)),
        pv_length=len(tree.principal_variation()),
        visited_by_depth=tuple(int(count) for count in np.bincount(tree.depth[visited])),
    )


def _effective_branching(visits: Any, parents: Any, below: Any) -> float:
    share = np.divide(visits[1:], below[parents], out=np.zeros(len(parents)), where=below[parents] > 0)
    terms = -share * np.log(np.where(share > 0, share, 1.0))
    entropy = np.bincount(parents, weights=terms, minlength=len(below))
    return float((np.exp(entropy) * below).sum() / below.sum()) if below.sum() else 0.0


@dataclass(frozen=True, kw_only=True)
class MoveComparison:
    """A move at the root in two trees."""

    text: str
    visits: tuple[int, int]
    value: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class TreeComparison:
    """What two trees of one position agree on.

    `same_best` is about the most visited moves. `visit_distance` is the total variation distance between the two
    distributions of visits over the root's moves: 0 the same, 1 no move in common. `shared` counts the paths with
    visits in both trees, `only` those in one alone, `overlap` is the shared part of all. `common_pv` is how many moves
    the principal variations share. `moves` has every move at the root, the most visited first.
    """

    same_best: bool
    visit_distance: float
    shared: int
    only: tuple[int, int]
    overlap: float
    common_pv: int
    moves: tuple[MoveComparison, ...]

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent)


def compare(first: Tree, second: Tree) -> TreeComparison:
    """Compares trees of one position, of any two engines; moves are matched by their texts."""
    if first.fingerprint != second.fingerprint:
        raise TreeError("two trees of different positions have nothing to compare")
    shared = len(_shared_rows(first, second))
    only = (int((first.visits > 0).sum()) - shared, int((second.visits > 0).sum()) - shared)
    moves = _root_moves(first, second)
    totals = [max(sum(move.visits[side] for move in moves), 1) for side in (0, 1)]
    lines = [[tree.text_at(row) for row in tree.principal_variation()] for tree in (first, second)]
    return TreeComparison(
        same_best=bool(lines[0] and lines[1]) and lines[0][0] == lines[1][0],
        visit_distance=math.fsum(abs(move.visits[0] / totals[0] - move.visits[1] / totals[1]) for move in moves) / 2,
        shared=shared,
        only=only,
        overlap=shared / max(shared + sum(only), 1),
        common_pv=_common_length(*lines),
        moves=moves,
    )


def _common_length(one: list[str], other: list[str]) -> int:
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))


def _shared_rows(first: Tree, second: Tree) -> dict[int, int]:
    """The rows of the first tree that both have visited, and where they are in the second."""
    pairs = {0: 0}
    pending = [(0, 0)]
    while pending:
        row, twin = pending.pop()
        theirs = second.children(twin)
        by_text = {second.text_at(other): other for other in range(theirs.start, theirs.stop)}
        for child in range(*first.children(row).indices(len(first))):
            other = by_text.get(first.text_at(child))
            if other is None or not (first.visits[child] and second.visits[other]):
                continue
            pairs[child] = other
            pending.append((child, other))
    return pairs


def _root_moves(first: Tree, second: Tree) -> tuple[MoveComparison, ...]:
    sides = [
        {tree.text_at(row): (int(tree.visits[row]), float(tree.value[row])) for row in range(below.start, below.stop)}
        for tree, below in ((first, first.children()), (second, second.children()))
    ]
    moves = []
    for text in sides[0] | sides[1]:
        (visits_a, value_a), (visits_b, value_b) = (side.get(text, (0, 0.0)) for side in sides)
        moves.append(MoveComparison(text=text, visits=(visits_a, visits_b), value=(value_a, value_b)))
    return tuple(sorted(moves, key=lambda move: (-sum(move.visits), move.text)))
