"""What a cluster found: the first machine's view, with the statistics of the root summed over all machines."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from tesuji.cluster.board import ROOT
from tesuji.cluster.node import Node
from tesuji.errors import GameStateError
from tesuji.search import MoveStatistics, RootMove, RunReport, SearchResult

_PROOFS = (None, "loss", "draw", "win")
_REWARD_ONE = 2**20  # cpp/core/rewards.hpp


@dataclass(frozen=True, kw_only=True)
class ClusterResult(SearchResult):
    """A `SearchResult` whose visits and values at the root are those of all machines; the rest is the first one's.

    `machines` took part, and `lost` are those that were lost on the way. `exchanges` and `bytes_sent` are the first
    machine's, since the beginning.
    """

    machines: int
    lost: tuple[int, ...]
    exchanges: int
    bytes_sent: int

    def to_dict(self) -> dict[str, Any]:
        return {
            **super().to_dict(),
            "machines": self.machines,
            "lost": list(self.lost),
            "exchanges": self.exchanges,
            "bytes_sent": self.bytes_sent,
        }


@dataclass(frozen=True, kw_only=True)
class _Root:
    """The root's moves by their numbers, over all machines; a value in [0, 1]."""

    visits: dict[int, int]
    values: dict[int, float]
    proven: dict[int, str | None]
    best: int | None


def _root(node: Node) -> _Root:
    moves = node.root_moves()
    total = node.board.total_of(ROOT)
    if not moves or total.visits.size != len(moves) or not total.visits.any():
        return _Root(visits={}, values={}, proven={}, best=None)
    values = total.rewards / (np.maximum(total.visits, 1) * _REWARD_ONE)
    proofs = total.proofs.tolist() or [0] * len(moves)
    values = np.array([(proof - 1) / 2 if proof else value for proof, value in zip(proofs, values, strict=True)])
    visits = np.minimum(total.visits, 2**32 - 1).astype(np.uint32)
    return _Root(
        visits=dict(zip(moves, total.visits.tolist(), strict=True)),
        values=dict(zip(moves, values.tolist(), strict=True)),
        proven=dict(zip(moves, (_PROOFS[proof] for proof in proofs), strict=True)),
        best=moves[node.searcher.choose(visits, values, total.proofs)],
    )


def best_move(node: Node) -> Any:
    best = _root(node).best
    if best is None:
        raise GameStateError("nothing has been searched here yet: run() first")
    return node.search.move_of(best)


def glance(node: Node) -> list[RootMove]:
    root = _root(node)
    low, high = node.search.reward_range
    moves = [
        RootMove(
            node.search.move_of(number),
            visits,
            low + (high - low) * root.values[number] if visits else 0.0,
            root.proven[number],
        )
        for number, visits in root.visits.items()
    ]
    return sorted(moves, key=lambda entry: (-entry.visits, -entry.value))


def result(node: Node, report: RunReport, *, machines: int, lost: tuple[int, ...]) -> ClusterResult:
    """What is known at the root by the books of this machine."""
    root = _root(node)
    if root.best is None:
        raise GameStateError("nothing has been searched here yet: run() first")
    own = node.search.result()
    low, high = node.search.reward_range
    by_move = {node.search.move_of(number): number for number in root.visits}

    def summed(entry: MoveStatistics) -> MoveStatistics:
        number = by_move.get(entry.move)
        if number is None:
            return entry
        visits = root.visits[number]
        value = low + (high - low) * root.values[number] if visits else 0.0
        return replace(entry, visits=visits, value=value, proven=root.proven[number])

    moves = sorted(map(summed, own.moves), key=lambda entry: (-entry.visits, -entry.value))
    best = next(entry for entry in moves if entry.move == node.search.move_of(root.best))
    inherited = {field.name: getattr(own, field.name) for field in fields(own)}
    return ClusterResult(
        **{
            **inherited,
            "best_move": best.move,
            "value": best.value,
            "pv": best.pv,
            "moves": tuple(moves),
            "visits": sum(entry.visits for entry in moves),
            **report._asdict(),
        },
        machines=machines,
        lost=lost,
        exchanges=node.exchanges,
        bytes_sent=node.bytes_sent,
    )
