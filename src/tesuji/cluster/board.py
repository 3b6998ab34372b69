"""The books of one machine: what it has found itself, what others have told, and what its tree shows of both.

For each statistic of a move (visits, rewards, RAVE visits and rewards) there are

    L   what this machine has found, never overwritten
    L_i what machine i has told last: its L, a total and no difference, so that a lost message does no harm
    G   = L + sum_i L_i, the group's total, in which every playout counts once
    S   what the tree shows, and selection reads. Between exchanges S grows by the machine's own playouts

and at an exchange S becomes G / M for M machines (`average`, as the papers have it) or G (`sum`, as one big tree). L
is not stored: with F = S - L right after an exchange, L = S - F at any time.

An average is rounded to whole visits, but a move that anybody has visited keeps at least one: it is not unknown. Its
rewards are rounded so that the value stays that of G. What is proven anywhere is proven everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji import _core
from tesuji.cluster.messages import Array, Words
from tesuji.errors import ClusterError

Share = Literal["average", "sum"]
Path = tuple[int, ...]
Places = npt.NDArray[np.intp]

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

    def arrays(self) -> tuple[Array, ...]:
        return tuple(self)

    def plus(self, other: Statistics, sign: int = 1) -> Statistics:
        """Proofs are facts, and only gather."""
        return Statistics(
            self.visits + sign * other.visits,
            self.rewards + sign * other.rewards,
            self.rave_visits + sign * other.rave_visits,
            self.rave_rewards + sign * other.rave_rewards,
            np.maximum(self.proofs, other.proofs),
        )

    def minus(self, other: Statistics) -> Statistics:
        return self.plus(other, -1)

    def at(self, places: slice | Places) -> Statistics:
        return Statistics(*(array[places] if array.size else array for array in self.arrays()))

    def grown(self, moves: int, like: Statistics) -> Statistics:
        """With zeros at its end, as many as there are moves; like another one in what it has at all."""
        return Statistics(
            *(
                np.concatenate([array, np.zeros(moves - array.size, dtype=array.dtype)])
                if other.size and array.size < moves
                else array
                for array, other in zip(self.arrays(), like.arrays(), strict=True)
            )
        )

    def add(self, places: Places, other: Statistics) -> None:
        """Adds to some of the moves, each named once."""
        for array, more in zip(self.arrays()[:-1], other.arrays(), strict=False):
            if array.size:
                array[places] += more
        if self.proofs.size:
            self.proofs[places] = np.maximum(self.proofs[places], other.proofs)

    def copy(self) -> Statistics:
        return Statistics(*(array.copy() for array in self.arrays()))

    def to_arrays(self) -> tuple[Array, ...]:
        """As they are sent: visits fit into 4 bytes."""
        return (
            self.visits.astype(np.uint32),
            self.rewards,
            self.rave_visits.astype(np.uint32),
            self.rave_rewards,
            self.proofs,
        )


def statistics(arrays: tuple[Array, ...]) -> Statistics:
    visits, rewards, rave_visits, rave_rewards, proofs = arrays
    return Statistics(
        visits.astype(np.int64),
        rewards.astype(np.int64),
        rave_visits.astype(np.int64),
        rave_rewards.astype(np.float64),
        proofs.astype(np.uint8),
    )


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
        self._searcher = searcher
        self._clear()

    def _clear(self) -> None:
        self._places: dict[Path, slice] = {}
        self._size = 0
        self.nodes: Words = np.zeros(0, dtype=np.uint32)
        self._maps: dict[int, tuple[bytes, Places]] = {}  # by machine, its last list and where that is
        self._told: dict[int, tuple[Places, Statistics]] = {}  # by machine, L_i and where it is
        self._own = self._foreign = self._read()
        self.add_nodes(np.array([0, 1], dtype=np.uint32))

    # ---- nodes

    @property
    def node_count(self) -> int:
        return len(self._places)

    @property
    def moves(self) -> int:
        """How many there are on the board, over all nodes."""
        return self._size

    def find_nodes(self, *, depth: int, threshold: float, least: int) -> None:
        """Adds the nodes that are worth telling of. Those that once were stay: totals that stop to grow mislead."""
        self.add_nodes(self._searcher.shared_nodes(depth, threshold, least))

    def add_nodes(self, words: Words) -> Places:
        """The places of a list of nodes on the board; those that are new come to its end."""
        new: list[int] = []
        moves = self._size
        ranges = [np.zeros(0, dtype=np.intp)]
        for path, count in nodes_in(words):
            place = self._places.get(path)
            if place is None:
                place = self._places[path] = slice(moves, moves + count)
                moves += count
                new += [len(path), *path, count]
            elif place.stop - place.start != count:
                raise ClusterError(f"a node has {place.stop - place.start} moves here and {count} elsewhere")
            ranges.append(np.arange(place.start, place.stop))
        if new:
            self.nodes = np.concatenate([self.nodes, np.array(new, dtype=np.uint32)])
            self._size = moves
            like = self._read()
            self._foreign = self._foreign.grown(moves, like)
            self._own = like.minus(self._foreign)
        return np.concatenate(ranges)

    def _places_of(self, source: int, words: Words) -> Places:
        """The same for the list of another machine, which only grows at its end from one message to the next."""
        data = words.tobytes()
        known, places = self._maps.get(source, (b"", np.zeros(0, dtype=np.intp)))
        if not data.startswith(known):
            known, places = b"", places[:0]
        if len(data) > len(known):
            more = self.add_nodes(words[len(known) // words.itemsize :])
            places = np.concatenate([places, more])
            self._maps[source] = data, places
        return places

    # ---- L, L_i, G and S

    def _read(self) -> Statistics:
        """S; zeros where the tree lacks a node."""
        return statistics(self._searcher.statistics_of(self.nodes))

    def look(self) -> None:
        """Brings L up to date."""
        own = self._read().minus(self._foreign)
        # A counter of RAVE visits that was full has been halved: then less is left than others have given.
        self._own = own._replace(rave_visits=np.maximum(own.rave_visits, 0))

    def leave_out_changes(self) -> None:
        """What has changed since the last look came from others."""
        self._foreign = self._read().minus(self._own)

    def begin_again(self, *, owns: bool) -> None:
        """All that the tree shows now counts as found here, or else as others'; what they have told is void."""
        shown = self._read()
        nothing = shown.minus(shown)
        self._own, self._foreign = (shown, nothing) if owns else (nothing, shown)
        self._told = {}

    def tell(self) -> tuple[Array, ...]:
        """L as of the last look, with the nodes that it is of."""
        return (self.nodes, *self._own.to_arrays())

    def hear(self, source: int, arrays: tuple[Array, ...]) -> None:
        """L_i of another machine. It is kept as it came: that is cheap, and messages are many."""
        words, *rest = arrays
        places = self._places_of(source, words)
        told = Statistics(*rest)
        for array, own in zip(told.arrays(), self._own.arrays(), strict=True):
            if array.size != (places.size if own.size else 0):
                raise ClusterError(f"machine {source} searches with another engine, or another version of tesuji")
        self._told[source] = places, told

    def total(self) -> Statistics:
        """G, with L as of the last look."""
        total = self._own.copy()
        for places, told in self._told.values():
            total.add(places, told)
        return total

    def show(self, *, share: Share, machines: int) -> None:
        """Makes S of G; the last look must be of now."""
        target = self.total()
        if share == "average":
            target = averaged(target, machines)
        changes = target.minus(self._own.plus(self._foreign))
        self._searcher.add_changes_of(self.nodes, *changes[:-1], target.proofs)
        self.leave_out_changes()

    def total_of(self, path: Path) -> Statistics:
        """G of one node's moves."""
        place = self._places.get(path)
        return self.total().at(slice(0, 0) if place is None else place)

    # ---- following the game

    def advance(self, move: int, moves: list[int]) -> None:
        """The root has moved on: `move` was played, one of these, the moves of the old root by their numbers."""
        old = self._places
        foreign, told = self._foreign, self._told
        root = old.get(ROOT)
        if root is None or move not in moves or len(moves) != root.stop - root.start:
            self._clear()  # nothing was known of what comes
            return
        self._places, self._maps, self.nodes, self._size = {}, {}, np.zeros(0, dtype=np.uint32), 0
        kept: list[int] = [root.start + moves.index(move)]
        words = [0, 1]
        for path, place in old.items():
            if len(path) >= 2 and path[1] == move:
                shorter = (NO_MOVE, *path[2:])
                words += [len(shorter), *shorter, place.stop - place.start]
                kept += range(place.start, place.stop)
        places = np.array(kept, dtype=np.intp)
        self._foreign = Statistics(*(array[:0] for array in foreign.arrays()))
        self.add_nodes(np.array(words, dtype=np.uint32))
        self._foreign = _without_rave_of_root(foreign.at(places))
        self._told = {}
        for source, (at, one) in told.items():
            on_old_board = Statistics(*(np.zeros_like(array) for array in foreign.arrays()))
            on_old_board.add(at, one)
            self._told[source] = np.arange(places.size), _without_rave_of_root(on_old_board.at(places))
        self.look()


def averaged(total: Statistics, machines: int) -> Statistics:
    visits = np.maximum((total.visits + machines // 2) // machines, total.visits > 0)
    rave_visits = (total.rave_visits + machines // 2) // machines
    return Statistics(
        visits,
        np.rint(total.rewards * (visits / np.maximum(total.visits, 1))).astype(np.int64),
        rave_visits,
        total.rave_rewards * (rave_visits / np.maximum(total.rave_visits, 1)),
        total.proofs,
    )


def _without_rave_of_root(one: Statistics) -> Statistics:
    """The anchor's one move has no RAVE statistics: nobody chooses there."""
    if one.rave_visits.size:
        one.rave_visits[0] = 0
        one.rave_rewards[0] = 0
    return one
