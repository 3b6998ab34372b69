"""A machine of an MPI cluster at work: in slices, with a look at the network after each."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tesuji.checks import check_number
from tesuji.cluster.group import machine_seed
from tesuji.cluster.interrupts import uninterrupted
from tesuji.cluster.messages import Kind, Message, unpack
from tesuji.cluster.mpi import MpiCommunicator
from tesuji.cluster.node import MASTER, Node, PlaysElsewhere, Slice, Work
from tesuji.cluster.scheme import Scheme
from tesuji.search import Search

DEFAULT_PERIOD = 0.1
# MPI is looked after this often: a large message needs both sides several times.
_SLICE_SECONDS = 0.01
# Machines that have died are asked for this often.
_LOOK_SECONDS = 0.05
#: A machine that has nothing to do looks for messages this often.
IDLE_SECONDS = 0.001


class Machine:
    """What the first machine and the others have in common: a node that works in slices, and exchanges in between."""

    def __init__(self, communicator: MpiCommunicator, *, log: Callable[[str], None]) -> None:
        self.communicator = communicator
        self.log = log
        self.period = DEFAULT_PERIOD
        self.node: Node | None = None
        self._next_exchange = 0.0
        self._next_look = 0.0
        self._known_lost: set[int] = set()
        self._at_home: set[int] = set()
        self.silent: set[int] = set()  # had no last word: they are not waited for before they have said something

    def step(self, node: Node, piece: Slice) -> Work:
        """Works for a slice at most, then looks at the network."""
        seconds = _SLICE_SECONDS if piece.seconds is None else min(piece.seconds, _SLICE_SECONDS)
        work = node.scheme.work(node, piece._replace(seconds=max(seconds, 1e-4)))
        with uninterrupted():
            self.look_around()
            self.take_in()
            now = time.monotonic()
            if (now >= self._next_exchange or node.scheme.has_one_tree) and self.node is node:
                self._next_exchange = now + self.period
                node.exchange()
                node.scheme.settle(node)
        return work

    def take_in(self) -> bool:
        """All that has come; whether there was anything. A command may change the node for those after it."""
        received = self.communicator.receive()
        for source, buffer in received:
            self.silent.discard(source)
            message = unpack(buffer)
            if message.kind is Kind.COMMAND:
                self.obey(source, message)
            elif self.node is not None:
                self.node.take(source, message)
        return bool(received)

    def obey(self, source: int, message: Message) -> None:  # noqa: ARG002  there is one thing to say
        """Nobody commands the first machine: another says that it goes home."""
        self._at_home.add(source)

    def begin(self, *, goes_on: bool) -> None:
        """A run. One that goes on with the one before may be shorter than a period: then the exchange stays due."""
        if not goes_on:
            self.communicator.begin()
            self._next_exchange = time.monotonic() + self.period

    def look_around(self) -> None:
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK_SECONDS
        self.communicator.find_lost()
        for rank in sorted(set(self.communicator.lost) - self._known_lost):
            self._known_lost.add(rank)
            left = len(self.communicator.not_lost()) + 1
            if self.communicator.rank == MASTER:  # all find it out; one speaks
                self.log(f"machine {rank} is lost; {left} of {self.communicator.size} go on")

    def send_home(self) -> None:
        """Ends the work of all machines. One that does not answer ends when it reads its messages."""
        self.look_around()
        send_command(self.communicator, "quit")
        silent = self._wait_for_good_byes()
        for rank in silent:
            self.log(f"machine {rank} does not answer: mpiexec waits until it goes on, or is killed")
        all_are_well = not self.communicator.lost and not silent
        send_command(self.communicator, "close", all_are_well=all_are_well)
        self.communicator.flush(1.0)
        self.communicator.close(all_are_well=all_are_well)

    def _wait_for_good_byes(self) -> list[int]:
        """The machines that have said none within the patience there is."""
        until = time.monotonic() + self.communicator.patience
        while True:
            self.look_around()
            missing = [rank for rank in self.communicator.not_lost() if rank not in self._at_home]
            if not missing or time.monotonic() >= until:
                return missing
            if not self.take_in():
                time.sleep(IDLE_SECONDS)


class Run:
    """A budget that is spent slice by slice."""

    def __init__(self, budget: Slice) -> None:
        self._playouts_left = budget.playouts
        self._until = None if budget.seconds is None else time.monotonic() + budget.seconds
        self._cpu_left = budget.cpu_seconds
        self.playouts = 0
        self.cpu = 0.0
        self.ended_by: str | None = None

    def piece(self) -> Slice:
        left = None if self._until is None else max(1e-4, self._until - time.monotonic())
        return Slice(self._playouts_left, left, self._cpu_left)

    def count(self, work: Work) -> None:
        self.playouts += work.playouts
        self.cpu += work.cpu_seconds
        self.ended_by = work.ended_by
        if self._playouts_left is not None:
            self._playouts_left -= work.playouts
            if self._playouts_left <= 0:
                self.ended_by = self.ended_by or "playouts"
        if self._cpu_left is not None:
            self._cpu_left -= work.cpu_seconds
            if self._cpu_left <= 0:
                self.ended_by = self.ended_by or "cpu_seconds"
        if self._until is not None and time.monotonic() >= self._until:
            self.ended_by = self.ended_by or "seconds"


def send_command(communicator: MpiCommunicator, name: str, *, to: Sequence[int] | None = None, **values: Any) -> None:
    """To all others, or to some; rare, and between processes of one program, so it may be pickled."""
    data = np.frombuffer(pickle.dumps({"name": name, **values}), dtype=np.uint8)
    message = Message(kind=Kind.COMMAND, epoch=0, number=0, arrays=(data,)).pack()
    for rank in communicator.not_lost() if to is None else to:
        communicator.send(rank, message, keep=True)


def check_period(period: object) -> float:
    return check_number("period", period, low=0.001, high=3600)


def make_node(
    machine: Machine,
    *,
    position: Any,
    engine: str,
    scheme: Scheme,
    period: float,
    threads: int,
    seed: int,
    max_memory: int | str,
    epoch: int,
) -> Node:
    """A machine's part of a new search, from the words of its first machine."""
    rank = machine.communicator.rank
    machine.period = period
    machine.node = Node(
        position,
        engine,
        scheme=scheme,
        communicator=machine.communicator,
        threads=threads,
        seed=machine_seed(seed, rank),
        max_memory=max_memory,
        search=PlaysElsewhere if scheme.has_one_tree and rank == MASTER else Search,
        epoch=epoch,
    )
    return machine.node
