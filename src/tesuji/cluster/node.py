"""One machine of a cluster: its search, its books, its way to the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tesuji.cluster.board import Board
from tesuji.cluster.communicator import Communicator
from tesuji.cluster.messages import Array, Kind, Message
from tesuji.engines import EngineSpec
from tesuji.search import RunReport, Search

if TYPE_CHECKING:
    from tesuji.cluster.scheme import Scheme

MASTER = 0


class Slice(NamedTuple):
    """A piece of a run: whichever ends first."""

    playouts: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None


class Work(NamedTuple):
    """What a piece took. `ended_by` says why no more of it would bring anything, such as "proven"."""

    playouts: int = 0
    cpu_seconds: float = 0.0
    ended_by: str | None = None


class PlaysElsewhere(Search):
    """A search whose simulations others play out, while it goes on."""

    _plays_elsewhere = True


class Node:
    """A machine's part in the search of one position after another."""

    def __init__(
        self,
        position: Any,
        engine: str | EngineSpec,
        *,
        scheme: Scheme,
        communicator: Communicator,
        threads: int,
        seed: int,
        max_memory: int | str,
        search: type[Search] = Search,
        epoch: int = 0,
    ) -> None:
        self.scheme = scheme
        self.communicator = communicator
        self.search = search(position, engine, threads=threads, seed=seed, max_memory=max_memory)
        self.searcher = self.search.core
        self.epoch = epoch
        self.exchanges = 0
        self.bytes_sent = 0
        self.playouts = 0
        self.finished: dict[int, tuple[int, int]] = {}  # by machine, the last run whose end it has told
        self.run_number = 0
        self.board = Board(self.searcher)
        #: What a scheme keeps from one step to the next.
        self.state: Any = None

    @property
    def is_master(self) -> bool:
        return self.communicator.rank == MASTER

    @property
    def others(self) -> list[int]:
        """The machines that take part, this one left out, in their order."""
        return sorted(self.communicator.live() - {self.communicator.rank})

    def think(self, piece: Slice) -> Work:
        if piece.playouts == 0:
            return Work()
        report = self.search.think(*piece)
        self.playouts += report.playouts
        return Work(report.playouts, report.cpu_seconds, ending(report))

    def look_at_root(self) -> None:
        """Brings the books of the root up to date; also of one that nobody has searched here yet.

        Else what others find there would be taken for this machine's own as soon as it has a root.
        """
        self.searcher.back_up_simulations(np.zeros(0, dtype=np.uint32))  # none: it only makes the root
        self.board.find_nodes(depth=0, threshold=0.0, least=0)
        self.board.look()

    # ---- messages

    def send(self, to: int, kind: Kind, arrays: tuple[Array, ...], *, number: int = 0, keep: bool = False) -> None:
        packed = Message(kind=kind, epoch=self.epoch, number=number, arrays=arrays).pack()
        self.bytes_sent += packed.size
        self.communicator.send(to, packed, keep=keep)

    def send_all(self, kind: Kind, arrays: tuple[Array, ...], *, keep: bool = False) -> None:
        """Also to those that are silent, if they take it: two that are silent to each other would stay so for ever."""
        packed = Message(kind=kind, epoch=self.epoch, number=self.run_number, arrays=arrays).pack()
        live = self.communicator.live()
        for other in self.communicator.not_lost():
            self.bytes_sent += packed.size
            self.communicator.send(other, packed, keep=keep and other in live)

    def send_final(self) -> None:
        """L of the board, to the first machine, at the end of a run."""
        if not self.is_master:
            self.send(MASTER, Kind.FINAL_STATISTICS, self.board.tell(), number=self.run_number, keep=True)

    def take(self, source: int, message: Message) -> None:
        """What belongs to another position is too late, or too early."""
        if message.epoch != self.epoch:
            return
        if message.kind is Kind.FINAL_STATISTICS:
            self.board.hear(source, message.arrays)
            self.finished[source] = message.epoch, message.number
        else:
            self.scheme.take(self, source, message)

    def exchange(self) -> None:
        self.exchanges += 1
        self.scheme.exchange(self)

    # ---- following the game

    def root_moves(self) -> list[int]:
        """The numbers of the moves that are searched at the root, in the order of the board."""
        return sorted(child.move for child in self.searcher.snapshot().moves)

    def advance(self, move: Any) -> None:
        number = self.search.number_of(move)
        moves = self.root_moves()
        self.search.advance(move)
        self.searcher.take_simulations()  # those that nobody was told of: they begin at the old root
        self.board.advance(number, moves)
        self.scheme.follow(self)
        self.state = None
        self.epoch += 1


def ending(report: RunReport) -> str | None:
    return report.stopped_by if report.stopped_by in ("proven", "visits", "stop", "interrupt") else None
