"""Voting, or very slow root (scalability paper, section 3): one exchange, at the end of a search.

Every machine searches by itself; the visits of the root's moves are added up, and decide.
"""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.cluster.messages import Message
from tesuji.cluster.node import Node
from tesuji.cluster.scheme import TreeOfOnesOwn


@dataclass(frozen=True, kw_only=True)
class Voting(TreeOfOnesOwn):
    @property
    def name(self) -> str:
        return "voting"

    def rounds(self, playouts: int, exchanges: int) -> int:  # noqa: ARG002  there is nothing to wait for
        return 1

    def exchange(self, node: Node) -> None: ...

    def take(self, node: Node, source: int, message: Message) -> None: ...

    def settle(self, node: Node) -> None: ...
