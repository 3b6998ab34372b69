"""What a scheme asks of the network. Nothing here waits for another machine."""

from __future__ import annotations

from typing import Protocol

from tesuji.cluster.messages import Buffer


class Communicator(Protocol):
    """One machine's way to the others. Messages from one machine to another arrive in order, or not at all."""

    @property
    def rank(self) -> int:
        """Which machine this is; 0 is the one that answers."""

    @property
    def size(self) -> int:
        """How many machines there were at the start."""

    def live(self) -> frozenset[int]:
        """The machines that take part now, this one included: neither lost nor silent for too long."""

    def not_lost(self) -> list[int]:
        """The machines that take part or may still come back, this one left out, in their order."""

    def send(self, to: int, message: Buffer, *, keep: bool = False) -> None:
        """Sends without waiting; the buffer must not change any more.

        A message may be left out where the one before is still on its way, unless it is to be kept.
        """

    def receive(self) -> list[tuple[int, Buffer]]:
        """All that has arrived, each with its sender."""
