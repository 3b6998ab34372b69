"""What the schemes have in common: how machines work together on one search."""

from __future__ import annotations

from typing import ClassVar, Protocol

from tesuji.cluster.messages import Message
from tesuji.cluster.node import Node, Slice, Work


class Scheme(Protocol):
    """A way to work together, as a value. The state of a machine is in its `Node`.

    A run is a loop of `work`, `exchange`, `take` of every message that has come, and `settle`; at its end every machine
    has `finish` told once. On a virtual cluster all machines take each of these steps before the next one is taken.
    """

    @property
    def name(self) -> str: ...

    @property
    def has_one_tree(self) -> bool:
        """Whether all work for the first machine's tree, as fast as messages go; else each has one, and a period."""

    def rounds(self, playouts: int, exchanges: int) -> int:
        """How often a run of so many playouts a machine goes through the loop on a virtual cluster."""

    def work(self, node: Node, piece: Slice) -> Work:
        """A piece of the search."""

    def exchange(self, node: Node) -> None:
        """Sends what others should know."""

    def take(self, node: Node, source: int, message: Message) -> None:
        """A message of another machine."""

    def settle(self, node: Node) -> None:
        """Takes into the tree what was received."""

    def finish(self, node: Node) -> None:
        """The run is over: the first machine must know what all have found."""

    def follow(self, node: Node) -> None:
        """A move was played, and the books of the node have followed."""


class TreeOfOnesOwn:
    """What most schemes do: every machine searches a tree of its own, and at the end tells the first one its root."""

    has_one_tree: ClassVar[bool] = False

    def rounds(self, playouts: int, exchanges: int) -> int:
        return min(playouts, exchanges)

    def work(self, node: Node, piece: Slice) -> Work:
        return node.think(piece)

    def finish(self, node: Node) -> None:
        node.look_at_root()
        node.send_final()

    def follow(self, node: Node) -> None: ...
