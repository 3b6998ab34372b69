"""A slow cluster, written from the paper's words: every machine's own totals, counted from its own simulations.

The search writes each simulation down: the moves from the root and the rewards. Added up here, with dictionaries and
without any books, they are what the books of `tesuji.cluster.board` must come to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tesuji.cluster import Cluster
from tesuji.cluster.board import NO_MOVE, ROOT, Path
from tesuji.cluster.messages import Words

PLAYERS = 2


def simulations(words: Words) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The moves from the root and the rewards of each simulation."""
    numbers = words.tolist()
    place = 0
    while place < len(numbers):
        length, count = numbers[place : place + 2]
        first = place + 3 + PLAYERS
        yield tuple(numbers[first : first + count]), tuple(numbers[place + 3 : first])
        place += length


@dataclass
class Tally:
    """Visits and rewards by path and move: rewards are those of the player who makes the move."""

    first_player: int
    visits: dict[tuple[Path, int], int] = field(default_factory=lambda: defaultdict(int))
    rewards: dict[tuple[Path, int], int] = field(default_factory=lambda: defaultdict(int))

    def add(self, words: Words) -> None:
        for moves, rewards in simulations(words):
            path, player = ROOT, self.first_player
            for move in moves:
                self.visits[path, move] += 1
                self.rewards[path, move] += rewards[player]
                path, player = (*path, move), 1 - player

    def advanced(self, move: int) -> Tally:
        below = Tally(1 - self.first_player)
        for (path, child), count in self.visits.items():
            if path[1:2] == (move,):
                below.visits[(NO_MOVE, *path[2:]), child] = count
                below.rewards[(NO_MOVE, *path[2:]), child] = self.rewards[path, child]
        return below


class CountedCluster(Cluster):
    """A cluster that writes down what each machine really did. Not for broadcast, which does so itself."""

    def count(self) -> list[Tally]:
        """From now on; the tallies grow with every run."""
        self.tallies = [Tally(int(self.position.to_move)) for _ in self._nodes]
        for node in self._nodes:
            node.searcher.keep_simulations(True)
        return self.tallies

    def _exchange(self) -> None:
        for node, tally in zip(self._nodes, self.tallies, strict=True):
            tally.add(node.searcher.take_simulations())
        super()._exchange()
        self.check()

    def check(self) -> None:
        """Called after every exchange; a test overrides it."""
