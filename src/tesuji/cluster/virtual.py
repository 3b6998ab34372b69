"""A network within one process: messages wait in queues, may come late, and may be lost."""

from __future__ import annotations

import random
from collections import deque

from tesuji.cluster.messages import Buffer


class VirtualNetwork:
    """Time goes in rounds. A message arrives `delay` rounds after the one in which it would; the share `loss` never.

    Messages to be kept are not lost: a real network repeats them.
    """

    def __init__(self, size: int, *, delay: int, loss: float, seed: int) -> None:
        self.size = size
        self.delay = delay
        self.loss = loss
        self.round = 0
        self.dice = random.Random(seed)
        self.queues: list[deque[tuple[int, int, Buffer]]] = [deque() for _ in range(size)]

    def tick(self) -> None:
        self.round += 1


class VirtualCommunicator:
    """One machine's end of the network."""

    def __init__(self, network: VirtualNetwork, rank: int) -> None:
        self._network = network
        self.rank = rank

    @property
    def size(self) -> int:
        return self._network.size

    def live(self) -> frozenset[int]:
        return frozenset(range(self.size))

    def not_lost(self) -> list[int]:
        return [rank for rank in range(self.size) if rank != self.rank]

    def send(self, to: int, message: Buffer, *, keep: bool = False) -> None:
        network = self._network
        if not keep and network.loss and network.dice.random() < network.loss:
            return
        network.queues[to].append((network.round + network.delay, self.rank, message))

    def receive(self) -> list[tuple[int, Buffer]]:
        queue = self._network.queues[self.rank]
        received = []
        while queue and queue[0][0] <= self._network.round:
            _, source, message = queue.popleft()
            received.append((source, message))
        return received
