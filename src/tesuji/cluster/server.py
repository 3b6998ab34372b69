"""The machines of an MPI cluster but the first: they do what that one says."""

from __future__ import annotations

import pickle
import signal
import time
from collections.abc import Callable
from typing import Any

from tesuji.cluster.machine import IDLE_SECONDS, Machine, Run, make_node, send_command
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
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # srun sends it to all: the first machine ends the others
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

    def obey(self, source: int, message: Message) -> None:  # noqa: ARG002  only the first machine commands
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

    def _go(self, *, run: int, goes_on: bool, **budget: Any) -> None:
        node = self._searching()
        node.run_number = run
        if node.scheme.has_one_tree:
            budget = {}  # as long as it is asked for something
        self._run = Run(Slice(**budget))
        self.begin(goes_on=goes_on)

    def _stop(self, *, run: int) -> None:
        if self._run is not None and self._searching().run_number == run:
            self._end_run()

    def _quit(self) -> None:
        """It may come in the middle of a run. After this nothing is sent any more."""
        self._run = self.node = None
        send_command(self.communicator, "good_bye", to=[MASTER])

    def _close(self, *, all_are_well: bool) -> None:
        """All have said good-bye, and so can come to the end of MPI together."""
        self._is_over = True
        self.communicator.flush(1.0)
        self.communicator.close(all_are_well=all_are_well)

    def _end_run(self) -> None:
        self._run = None
        node = self._searching()
        node.scheme.finish(node)

    def _searching(self) -> Node:
        if self.node is None:
            raise ClusterError("a command came before the position")
        return self.node
