"""The books of one machine, in which every playout of the cluster counts once: cpp/search/shared_board.hpp has how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tesuji import _core
from tesuji.cluster.messages import Array, Words
from tesuji.errors import ClusterError

Share = Literal["average", "sum"]
Path = tuple[int, ...]

NO_MOVE = 2**32 - 1
ANCHOR: Path = ()
ROOT: Path = (NO_MOVE,)


class Statistics(NamedTuple):
    """Of the moves of a list of nodes; without RAVE or solver the last arrays are empty."""

    visits: Array
    rewards: Array
    rave_visits: Array  # in units of 1/256
    rave_rewards: Array
    proofs: Array


def nodes_in(words: Words) -> Iterator[tuple[Path, int]]:
    """The nodes of a list, each with the number of its moves (cpp/search/sharing.hpp)."""
    numbers = words.tolist()
    place = 0
    while place < len(numbers):
        length = numbers[place]
        if place + length + 2 > len(numbers):
            raise ClusterError("a list of nodes ends within a node")
        yield tuple(numbers[place + 1 : place + 1 + length]), numbers[place + 1 + length]
        place += length + 2


class Board:
    """Of one machine and one position. The first node is the anchor, whose one move is the root itself."""

    def __init__(self, searcher: _core.Searcher) -> None:
        self._books = _core.SharedBoard(searcher)

    @property
    def nodes(self) -> Words:
        return self._books.nodes

    @property
    def node_count(self) -> int:
        return self._books.node_count

    @property
    def moves(self) -> int:
        """How many there are on the board, over all nodes."""
        return self._books.moves

    def find_nodes(self, *, depth: int, threshold: float, least: int) -> None:
        """Adds the nodes that are worth telling of."""
        self._books.find_nodes(depth, threshold, least)

    def look(self) -> None:
        """Brings what this machine has found up to date."""
        self._books.look()

    def leave_out_changes(self) -> None:
        """What has changed since the last look came from others."""
        self._books.leave_out_changes()

    def own(self) -> Statistics:
        """What this machine has found, as of the last look."""
        return Statistics(*self._books.own())

    def begin_again(self, *, owns: bool) -> None:
        """All that the tree shows now counts as found here, or else as others'; what they have told is void."""
        self._books.begin_again(owns)

    def tell(self) -> tuple[Array, ...]:
        """The same with the nodes that it is of, to be sent."""
        own = self.own()  # first: it may be of nodes that were heard of since
        return (self.nodes, *own)

    def hear(self, source: int, arrays: tuple[Array, ...]) -> None:
        """What another machine tells."""
        try:
            self._books.hear(source, *arrays)
        except (_core.BadMessage, TypeError) as error:
            raise ClusterError(f"a message of machine {source} makes no sense here: {error}") from error

    def total(self) -> Statistics:
        """Of all machines."""
        return Statistics(*self._books.total())

    def total_of(self, path: Path) -> Statistics:
        """The same of one node's moves."""
        return Statistics(*self._books.total_of(path))

    def show(self, *, share: Share, machines: int) -> None:
        """Makes the tree show the average over so many machines, or their sum; the last look must be of now."""
        self._books.show(machines if share == "average" else 1)

    def advance(self, move: int, moves: list[int]) -> None:
        """The root has moved on: `move` was played, one of these, the moves of the old root by their numbers."""
        self._books.advance(move, moves)
