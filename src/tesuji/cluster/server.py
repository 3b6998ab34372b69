"""The machines of an MPI cluster but the first: they do what that one says."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from typing import Any

from tesuji.cluster.machine import IDLE_SECONDS, Machine, Run, make_node
from tesuji.cluster.messages import Message
from tesuji.cluster.mpi import MpiCommunicator
from tesuji.cluster.node import MASTER, Node, Slice
from tesuji.errors import ClusterError


class Server(Machine):
    """Does what it is told, until it is sent home or the first one is lost."""

    def __init__(self, communicator: MpiCommunicator, *, log: Callable[[str], None]) -> None:
        super().__init__(communicator, log=log)
        self._run: Run | None = None
        self._is_over = False

    def serve(self) -> None:
        while not self._is_over:
            if MASTER in self.communicator.lost:
                raise ClusterError("the first machine is lost: this one ends")
            if self._run is None or self.node is None:
                self.look_around()
                if not self.take_in():
                    time.sleep(IDLE_SECONDS)
                continue
            run = self._run
            run.count(self.step(self.node, run.piece()))
            if run is self._run and run.ended_by is not None:
                self._end_run()

    def obey(self, message: Message) -> None:
        command = pickle.loads(message.arrays[0].tobytes())  # noqa: S301  of a process of the same program
        name = command.pop("name")
        getattr(self, f"_{name}")(**command)

    def _begin(self, **values: Any) -> None:
        self._run = None
        make_node(self, **values)

    def _advance(self, *, move: int, epoch: int) -> None:
        self._run = None
        node = self._searching()
        node.advance(node.search.move_of(move))
        if node.epoch != epoch:
            raise ClusterError(f"machine {node.communicator.rank} has lost its way: restart the cluster")

    def _go(self, *, run: int, **budget: Any) -> None:
        node = self._searching()
        node.run_number = run
        if node.scheme.has_one_tree:
            budget = {}  # as long as it is asked for something
        self._run = Run(Slice(**budget))
        self.begin()

    def _stop(self, *, run: int) -> None:
        if self._run is not None and self._searching().run_number == run:
            self._end_run()

    def _quit(self, *, all_are_well: bool) -> None:
        self._is_over = True
        self.communicator.close(all_are_well=all_are_well)

    def _end_run(self) -> None:
        self._run = None
        node = self._searching()
        node.scheme.finish(node)

    def _searching(self) -> Node:
        if self.node is None:
            raise ClusterError("a command came before the position")
        return self.node
