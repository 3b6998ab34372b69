"""Slow tree (parallelization paper, Algorithm 6; scalability paper, section 3).

One tree on each machine. Now and then the statistics of the moves at nodes of at most `depth` moves from the root, with
at least `least` visits and the share `threshold` of the root's, are made the same on all machines: the average of
theirs, or their sum. `board.py` has the books that count nothing twice.

A rule of backup that keeps more than means (discounted, accelerated, mix, max), and BAST's bounds, cannot follow when
visits and rewards come from outside: such engines exchange only what the decision needs, and so vote. Broadcast, which
sends playouts and not totals, is exact for every rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.checks import check_integer, check_number
from tesuji.cluster.board import Share
from tesuji.cluster.messages import Kind, Message
from tesuji.cluster.node import Node
from tesuji.cluster.scheme import TreeOfOnesOwn
from tesuji.errors import ArgumentError, shown

MAX_DEPTH = 100


@dataclass(frozen=True, kw_only=True)
class SlowTree(TreeOfOnesOwn):
    """`threshold` is 5% in the scalability paper; Algorithm 6 has a number of visits in its place, here `least`."""

    depth: int = 1
    threshold: float = 0.05
    least: int = 0
    share: Share = "average"

    @property
    def name(self) -> str:
        return "slow-tree"

    def __post_init__(self) -> None:
        check_integer("depth", self.depth, low=0, high=MAX_DEPTH)
        check_number("threshold", self.threshold, low=0, high=1)
        check_integer("least", self.least, low=0, high=2**32 - 1)
        if self.share not in ("average", "sum"):
            raise ArgumentError(f"share must be 'average' or 'sum', not {shown(self.share)}")

    def exchange(self, node: Node) -> None:
        depth = self.depth if node.searcher.takes_changes() else 0
        node.board.find_nodes(depth=depth, threshold=self.threshold, least=self.least)
        node.board.look()
        node.send_all(Kind.STATISTICS, node.board.tell())

    def take(self, node: Node, source: int, message: Message) -> None:
        node.board.hear(source, message.arrays)

    def settle(self, node: Node) -> None:
        if node.searcher.takes_changes():
            node.board.show(share=self.share, machines=len(node.communicator.live()))
