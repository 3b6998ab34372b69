"""Where contention sets in: a simulation of threads that share a tree, for more cores than there are here.

python benchmarks/contention.py [--transfer 57] [--cores 2 4 8 16 32 64]

What is simulated: UCT with virtual loss on a made-up tree, thread by thread in the order of time, and the cache lines
that it touches: those that a selection reads, the child's visits, the node's entry, the arena's end, the child's
rewards, and the anchor every 32 playouts. A core that does not have a line waits `transfer` nanoseconds for it, and
for whoever asked before; the lines of one node come together. All else is private, and takes what a playout takes on
one core. Both numbers are measured, the one by line_transfer.cpp, the other by `tesuji bench --threads 2` (apart). The
values of the moves are drawn from a normal distribution, and memory, clock and last-level cache have no limits.
"""

from __future__ import annotations

import argparse
import heapq
from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np
from rich.console import Console
from rich.table import Table

TRANSFER = 57.0  # nanoseconds
CORES = (2, 4, 8, 16, 32, 64)
PLAYOUTS = 8_000
# The parts of a playout's time on one core that are spent on the way down and on the way back; the rest is the leaf's.
DOWN, BACK = 0.3, 0.1
ANCHOR_EVERY = 32  # kUntoldVisits
HEADER_BYTES, REWARD_BYTES, VISIT_BYTES, LINE_BYTES = 16, 8, 4, 64
SPREAD = 0.05  # of the values of a node's moves around its own


@dataclass(frozen=True, kw_only=True)
class Board:
    name: str
    moves: int
    c: float
    nanoseconds: float  # a playout on one core


BOARDS = (
    Board(name="Othello", moves=8, c=1.0, nanoseconds=1740),
    Board(name="Go 9x9", moves=81, c=1.0, nanoseconds=7100),
    Board(name="Go 19x19", moves=361, c=1.0, nanoseconds=27000),
)


@dataclass
class Line:
    """Who has it, and until when it is on its way to somebody."""

    holders: set[int] = field(default_factory=set)
    busy_until: float = 0.0

    def read(self, core: int, now: float, transfer: float) -> float:
        if core in self.holders:
            return now
        self.busy_until = max(now, self.busy_until) + transfer
        self.holders.add(core)
        return self.busy_until

    def write(self, core: int, now: float, transfer: float) -> float:
        if self.holders == {core}:
            return now
        self.busy_until = max(now, self.busy_until) + transfer
        self.holders = {core}
        return self.busy_until


class Node:
    def __init__(self, board: Board, value: float, core: int, random: np.random.Generator) -> None:
        self.values = np.clip(1 - value + SPREAD * random.standard_normal(board.moves), 0, 1)
        self.visits = np.zeros(board.moves)
        self.rewards = np.zeros(board.moves)
        self.children: dict[int, Node] = {}
        self.unvisited = 0
        # Rewards, visits and entries one after another, as in the arena; whoever makes a node has its lines.
        size = HEADER_BYTES + board.moves * (REWARD_BYTES + 2 * VISIT_BYTES)
        self.lines = [Line({core}) for _ in range(-(-size // LINE_BYTES))]

    def reward_line(self, child: int) -> Line:
        return self.lines[(HEADER_BYTES + REWARD_BYTES * child) // LINE_BYTES]

    def visits_line(self, child: int) -> Line:
        return self.lines[(HEADER_BYTES + REWARD_BYTES * len(self.visits) + VISIT_BYTES * child) // LINE_BYTES]

    def entry_line(self, child: int) -> Line:
        before = (REWARD_BYTES + VISIT_BYTES) * len(self.visits)
        return self.lines[(HEADER_BYTES + before + VISIT_BYTES * child) // LINE_BYTES]

    def choose(self, c: float) -> int:
        if self.unvisited < len(self.visits):
            self.unvisited += 1
            return self.unvisited - 1
        logarithm = np.log(self.visits.sum())
        return int(np.argmax(self.rewards / self.visits + c * np.sqrt(logarithm / self.visits)))


class Simulation:
    def __init__(self, board: Board, *, cores: int, transfer: float) -> None:
        self._board = board
        self._cores = cores
        self._transfer = transfer
        self._random = np.random.default_rng(1)
        self._root = Node(board, 0.5, 0, self._random)
        self._arena, self._anchor = Line(), Line()
        self._made = 0

    def nanoseconds(self) -> float:
        """Until all playouts are made."""
        threads = [self._thread(core) for core in range(self._cores)]
        queue = [(next(thread), core) for core, thread in enumerate(threads)]
        heapq.heapify(queue)
        end = 0.0
        while queue:
            end, core = queue[0]
            try:
                heapq.heapreplace(queue, (threads[core].send(None), core))
            except StopIteration:
                heapq.heappop(queue)
        return end

    def _thread(self, core: int) -> Generator[float]:
        """Yields the time of its next step: what it does then it does before any later step of another."""
        board, transfer = self._board, self._transfer
        now = board.nanoseconds * self._random.random()  # not all in step
        yield now
        untold, steps_before = 0, 4
        while self._made < PLAYOUTS:
            self._made += 1
            path: list[tuple[Node, int]] = []
            node = self._root
            now = self._anchor.read(core, now, transfer)
            yield now
            while True:
                now += DOWN * board.nanoseconds / steps_before
                yield now
                now = max(line.read(core, now, transfer) for line in node.lines)
                yield now
                child = node.choose(board.c)
                visits = node.visits[child]
                node.visits[child] += 1
                now = node.visits_line(child).write(core, now, transfer)
                yield now
                path.append((node, child))
                if child not in node.children:
                    break
                node = node.children[child]
            if visits > 0:
                node.children[child] = Node(board, node.values[child], core, self._random)
                now = self._arena.write(core, now, transfer)
                yield now
                now = node.entry_line(child).write(core, now, transfer)
                yield now
            now += (1 - DOWN - BACK) * board.nanoseconds
            yield now
            won = self._random.random() < path[-1][0].values[path[-1][1]]
            for distance, (step, move) in enumerate(reversed(path)):
                step.rewards[move] += won == (distance % 2 == 0)
            for step, move in path:
                now = step.reward_line(move).write(core, now, transfer)
                yield now
            untold += 1
            if untold == ANCHOR_EVERY:
                untold = 0
                now = self._anchor.write(core, now, transfer)
            now += BACK * board.nanoseconds
            yield now
            steps_before = len(path)


def ratio(board: Board, *, cores: int, transfer: float) -> float:
    """Playouts a second to those of as many cores that share nothing."""
    apart = PLAYOUTS * board.nanoseconds / cores
    return apart / Simulation(board, cores=cores, transfer=transfer).nanoseconds()


def main() -> None:
    parser = argparse.ArgumentParser(description="Where contention sets in.")
    parser.add_argument("--transfer", type=float, default=TRANSFER, help="nanoseconds")
    parser.add_argument("--cores", type=int, nargs="+", default=CORES)
    arguments = parser.parse_args()
    table = Table("board", *(f"{cores} cores" for cores in arguments.cores))
    for board in BOARDS:
        found = (ratio(board, cores=cores, transfer=arguments.transfer) for cores in arguments.cores)
        table.add_row(board.name, *(f"{value:.2f}" for value in found))
    Console().print(table)


if __name__ == "__main__":
    main()
