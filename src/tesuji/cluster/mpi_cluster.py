"""A search on the machines of an MPI cluster: the first one commands, answers and searches, the others serve it."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tesuji.checks import check_integer, check_number, check_positive, check_seed
from tesuji.cluster import result as results
from tesuji.cluster.cluster import check_engine, machine_seed
from tesuji.cluster.messages import Kind, Message, unpack
from tesuji.cluster.mpi import MpiCommunicator
from tesuji.cluster.node import MASTER, Node, PlaysElsewhere, Slice, Work
from tesuji.cluster.scheme import Scheme
from tesuji.cluster.slow_tree import SlowTree
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, ClusterError
from tesuji.games.position import Position
from tesuji.search import DEFAULT_MEMORY, MAX_PLAYOUTS, NOT_RUN, RootMove, RunReport, Search

DEFAULT_PERIOD = 0.1
# MPI is looked after this often: a large message needs both sides several times.
_SLICE_SECONDS = 0.01
_IDLE_SECONDS = 0.001
# Machines that have died are asked for this often.
_LOOK_SECONDS = 0.05


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
        self.silent: set[int] = set()  # had no last word: they are not waited for before they have said something

    def step(self, node: Node, piece: Slice) -> Work:
        """Works for a slice at most, then looks at the network."""
        seconds = _SLICE_SECONDS if piece.seconds is None else min(piece.seconds, _SLICE_SECONDS)
        work = node.scheme.work(node, piece._replace(seconds=max(seconds, 1e-4)))
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
                self.obey(message)
            elif self.node is not None:
                self.node.take(source, message)
        return bool(received)

    def obey(self, message: Message) -> None:
        """Nobody commands the first machine."""

    def begin(self) -> None:
        """A run."""
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
            self.log(f"machine {rank} is lost; {left} of {self.communicator.size} go on")

    def send_home(self) -> None:
        """Ends the work of all machines."""
        self.look_around()
        all_are_well = not self.communicator.lost and not self.silent
        send_command(self.communicator, "quit", all_are_well=all_are_well)
        self.communicator.flush(1.0)
        self.communicator.close(all_are_well=all_are_well)


class MpiCluster:
    """Used like a `Search`, on the first machine, while the others `serve`. Budgets are those of each machine.

    An exchange comes every `period` seconds.
    """

    def __init__(
        self,
        position: Position,
        engine: str | EngineSpec = "uct",
        *,
        machine: Machine,
        scheme: Scheme | None = None,
        period: float = DEFAULT_PERIOD,
        threads: int = 1,
        seed: int | None = None,
        max_memory: int | str = DEFAULT_MEMORY,
    ) -> None:
        if not isinstance(position, Position):
            raise ArgumentError(
                f"MPI machines cannot share the search of {position!r}: a game written in Python gives its moves other "
                "numbers on each of them; tesuji.Cluster simulates a cluster for it"
            )
        self._machine = machine
        self._communicator = machine.communicator
        self._seed = check_seed(seed)
        spec = check_engine(engine, position, threads=threads)
        begin: dict[str, Any] = {
            "position": position,
            "engine": str(spec),
            "scheme": SlowTree() if scheme is None else scheme,
            "period": check_period(period),
            "threads": threads,
            "seed": self._seed,
            "max_memory": max_memory,
            "epoch": 0 if machine.node is None else machine.node.epoch + 1,
        }
        self._node = make_node(machine, **begin)
        self._command("begin", **begin)
        self._report = NOT_RUN
        self._is_stopped = False
        self._has_last_words = True

    @property
    def position(self) -> Any:
        return self._node.search.position

    @property
    def engine(self) -> EngineSpec:
        return self._node.search.engine

    @property
    def threads(self) -> int:
        return self._node.search.threads

    @property
    def seed(self) -> int:
        return self._seed

    @property
    def machines(self) -> int:
        return self._communicator.size

    @property
    def lost(self) -> tuple[int, ...]:
        return tuple(sorted(self._communicator.lost))

    def _command(self, name: str, **values: Any) -> None:
        send_command(self._communicator, name, **values)

    # ---- running

    def run(
        self, playouts: int | None = None, seconds: float | None = None, cpu_seconds: float | None = None
    ) -> results.ClusterResult:
        report = self.think(playouts, seconds, cpu_seconds)
        if report.stopped_by == "interrupt" and not self._node.root_moves():
            raise KeyboardInterrupt
        return self.result()

    def think(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        cpu_seconds: float | None = None,
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> RunReport:
        """Searches, and returns as soon as this machine has spent its budget: the others may still be at it."""
        if playouts is None and seconds is None and cpu_seconds is None:
            raise ArgumentError("a search needs a budget: give playouts, seconds or cpu_seconds")
        count = None if playouts is None else check_integer("playouts", playouts, low=1, high=MAX_PLAYOUTS)
        wall = None if seconds is None else check_positive("seconds", seconds)
        cpu = None if cpu_seconds is None else check_positive("cpu_seconds", cpu_seconds)
        self._is_stopped = False
        self._node.run_number += 1
        self._command("go", run=self._node.run_number, playouts=count, seconds=wall, cpu_seconds=cpu)
        self._machine.begin()
        self._has_last_words = False
        began = time.monotonic()
        run = Run(count, wall, cpu)
        while run.ended_by is None:
            run.count(self._machine.step(self._node, run.piece()))
            if self._is_stopped or stopped():
                run.ended_by = run.ended_by or "stop"
        workers = max(1, len(self._node.others)) if self._node.scheme.has_one_tree else 1
        self._report = RunReport(run.playouts // workers, time.monotonic() - began, run.cpu, run.ended_by)
        return self._report

    def _gather(self) -> None:
        """Ends the run on all machines, with their last words."""
        if self._has_last_words:
            return
        self._has_last_words = True
        node = self._node
        has_all = False
        if self._report.stopped_by == "playouts" and not node.scheme.has_one_tree:  # the others may be slower
            has_all = self._wait_for_last_words()
        self._command("stop", run=node.run_number)
        if not has_all:
            self._wait_for_last_words()
        self._machine.silent = self._without_last_word()
        node.scheme.finish(node)

    def _wait_for_last_words(self) -> bool:
        """Whether they have come from all who are not known to be silent."""
        until = time.monotonic() + self._communicator.patience
        while self._without_last_word() - self._machine.silent:
            self._machine.look_around()
            if time.monotonic() >= until:
                return False
            if not self._machine.take_in():
                time.sleep(_IDLE_SECONDS)
        return True

    def _without_last_word(self) -> set[int]:
        node = self._node
        return {
            rank
            for rank in self._communicator.not_lost()
            if node.finished.get(rank, (0, 0)) < (node.epoch, node.run_number)
        }

    def stop(self) -> None:
        self._is_stopped = True
        self._node.search.stop()

    # ---- answers

    def best_move(self) -> Any:
        """By what the others have told so far, as `glance`."""
        self._look()
        return results.best_move(self._node)

    def decide(self) -> RootMove:
        """The best move when all have said their last word, with what they know of it."""
        self._gather()
        best = results.best_move(self._node)
        return next(move for move in results.glance(self._node) if move.move == best)

    def glance(self) -> list[RootMove]:
        self._look()
        return results.glance(self._node)

    def _look(self) -> None:
        self._node.board.find_nodes(depth=0, threshold=0.0, least=0)
        self._node.board.look()

    def result(self) -> results.ClusterResult:
        self._gather()
        return results.result(self._node, self._report, machines=self.machines, lost=self.lost)

    def advance(self, move: Any) -> None:
        self._gather()
        number = self._node.search.number_of(move)
        self._node.advance(move)
        self._command("advance", move=int(number), epoch=self._node.epoch)
        self._report = NOT_RUN


class Run:
    """A budget that is spent slice by slice."""

    def __init__(self, playouts: int | None, seconds: float | None, cpu_seconds: float | None) -> None:
        self._playouts_left = playouts
        self._until = None if seconds is None else time.monotonic() + seconds
        self._cpu_left = cpu_seconds
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


def send_command(communicator: MpiCommunicator, name: str, **values: Any) -> None:
    """To all others; rare, and between processes of one program, so it may be pickled."""
    data = np.frombuffer(pickle.dumps({"name": name, **values}), dtype=np.uint8)
    message = Message(kind=Kind.COMMAND, epoch=0, number=0, arrays=(data,)).pack()
    for rank in communicator.not_lost():
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


class Server(Machine):
    """A machine that is not the first: does what it is told, until it is sent home or the first one is lost."""

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
                    time.sleep(_IDLE_SECONDS)
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

    def _go(self, *, run: int, playouts: int | None, seconds: float | None, cpu_seconds: float | None) -> None:
        node = self._searching()
        node.run_number = run
        if node.scheme.has_one_tree:
            playouts = cpu_seconds = None  # as long as it is asked for something
            seconds = 3600.0 * 24
        self._run = Run(playouts, seconds, cpu_seconds)
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
