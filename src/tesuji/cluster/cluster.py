"""The virtual cluster: many machines in one process, in lock-step, so that everything repeats exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tesuji.arena.seeds import derive_seed
from tesuji.checks import check_integer, check_number, check_seed
from tesuji.cluster import result as results
from tesuji.cluster.group import GroupSearch, check_budget, check_engine, machine_seed
from tesuji.cluster.interrupts import uninterrupted
from tesuji.cluster.messages import Buffer, Message, unpack
from tesuji.cluster.node import MASTER, Node, PlaysElsewhere, Slice
from tesuji.cluster.schemes import make_scheme
from tesuji.cluster.virtual import VirtualCommunicator, VirtualNetwork
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, GameStateError, shown
from tesuji.games.own import AnyPosition, Game, OwnPosition
from tesuji.search import MAX_PLAYOUTS, NOT_RUN, RootMove, RunReport, Search

MAX_MACHINES = 4096
DEFAULT_EXCHANGES = 10
DEFAULT_MEMORY = 2**26


class Cluster(GroupSearch):
    """A search by `n` machines that are simulated here, one after another; with one thread each it repeats exactly.

    >>> cluster = tesuji.Cluster(tesuji.Go(9), n=32, scheme="slow-tree", engine="uct(c=0.4)", seed=1)
    >>> result = cluster.run(playouts=500)

    It is used like a `Search`. Budgets are those of each machine: so `run(playouts=500)` makes 16,000 playouts. A run
    has `exchanges` exchanges at equal distances; further options are those of the scheme, such as `depth=0` or
    `share="sum"`.

    A cluster need not be perfect. `speeds` has one number a machine, 1 for full speed: what part of the budget it
    spends. A message takes `delay` exchanges more than none, and the share `loss` of those that may be lost is lost.
    """

    def __init__(
        self,
        position: AnyPosition | Game,
        *,
        n: int,
        scheme: str = "slow-tree",
        engine: str | EngineSpec = "uct",
        threads: int = 1,
        seed: int | None = None,
        max_memory: int | str = DEFAULT_MEMORY,
        exchanges: int = DEFAULT_EXCHANGES,
        speeds: Sequence[float] | None = None,
        delay: int = 0,
        loss: float = 0.0,
        **options: Any,
    ) -> None:
        machines = check_integer("n", n, low=1, high=MAX_MACHINES)
        self.scheme = make_scheme(scheme, **options)
        self._exchanges = check_integer("exchanges", exchanges, low=1, high=100_000)
        self._speeds = _check_speeds(speeds, machines)
        self._seed = check_seed(seed)
        self._network = VirtualNetwork(
            machines,
            delay=check_integer("delay", delay, low=0, high=1000),
            loss=check_number("loss", loss, low=0, high=1),
            seed=derive_seed(self._seed, "network"),
        )
        spec = check_engine(engine, position, threads=threads)
        # All machines share what the game knows of its moves: so a move has the same number everywhere.
        subject = position if isinstance(position, AnyPosition) else OwnPosition(position)
        self._nodes = [
            Node(
                subject,
                spec,
                scheme=self.scheme,
                communicator=VirtualCommunicator(self._network, rank),
                threads=threads,
                seed=machine_seed(self._seed, rank),
                max_memory=max_memory,
                search=PlaysElsewhere if self.scheme.has_one_tree and rank == MASTER else Search,
            )
            for rank in range(machines)
        ]
        self._node = self._nodes[MASTER]
        self._report = NOT_RUN
        self._is_stopped = False

    @property
    def machines(self) -> int:
        return len(self._nodes)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The machines themselves, for measurements."""
        return tuple(self._nodes)

    # ---- running

    def think(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        cpu_seconds: float | None = None,
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> RunReport:
        """Like `run`, without collecting a result. `stopped` is asked after every machine's turn."""
        budget = check_budget(playouts, seconds, cpu_seconds)
        rounds = self.scheme.rounds(budget.playouts or MAX_PLAYOUTS, self._exchanges)
        if self._node.searcher.is_over():
            raise GameStateError(f"there is nothing to search: the game is over ({self.position!r})")
        began = time.perf_counter()
        self._is_stopped = False
        before = sum(node.playouts for node in self._nodes)
        run = _Run(limit=min(value for value in (budget.seconds, budget.cpu_seconds, math.inf) if value is not None))
        try:
            for step in range(rounds):
                pieces = [_piece(budget, step=step, rounds=rounds, speed=speed) for speed in self._speeds]
                self._work(run, pieces, stopped)
                with uninterrupted():
                    self._exchange()
                if run.ended_by is not None or (self.scheme.has_one_tree and run.clock >= run.limit):
                    break
        except KeyboardInterrupt:
            run.ended_by = "interrupt"
        try:
            with uninterrupted():
                self._finish()
        except KeyboardInterrupt:
            run.ended_by = "interrupt"
        limit = next(name for name, value in budget._asdict().items() if value is not None)
        spent = sum(node.playouts for node in self._nodes) - before
        self._report = RunReport(spent, time.perf_counter() - began, run.cpu_seconds, run.ended_by or limit)
        return self._report

    def _work(self, run: _Run, pieces: list[Slice], stopped: Callable[[], bool]) -> None:
        """One round; after a stop or Ctrl-C the machines that have not had their turn do without."""
        longest = 0.0
        for node, piece, speed in zip(self._nodes, pieces, self._speeds, strict=True):
            if speed == 0:
                continue
            work = self.scheme.work(node, piece)
            run.cpu_seconds += work.cpu_seconds
            longest = max(longest, work.cpu_seconds / speed)
            if work.ended_by == "interrupt" or (node is self._node and work.ended_by is not None):
                run.ended_by = work.ended_by
            if run.ended_by is None and (self._is_stopped or stopped()):
                run.ended_by = "stop"
            if run.ended_by in ("interrupt", "stop"):
                break
        run.clock += longest

    def _exchange(self) -> None:
        for node in self._nodes:
            node.exchange()
        unpacked: dict[int, tuple[Buffer, Message]] = {}
        for node in self._nodes:
            _take_in(node, unpacked)
        for node in self._nodes:
            self.scheme.settle(node)
        self._network.tick()

    def _finish(self) -> None:
        """What was delayed arrives: a run is over when the first machine has heard of everybody."""
        for node in self._nodes:
            node.run_number += 1
            self.scheme.finish(node)
        for _ in range(self._network.delay + 1):
            _take_in(self._node, {})
            self._network.tick()

    def stop(self) -> None:
        """Ends the run that goes on in another thread."""
        self._is_stopped = True
        for node in self._nodes:
            node.search.stop()

    # ---- answers

    def best_move(self) -> Any:
        return results.best_move(self._node)

    def decide(self) -> RootMove:
        """The best move, with what all machines know of it."""
        best = self.best_move()
        return next(move for move in self.glance() if move.move == best)

    def glance(self) -> list[RootMove]:
        return results.glance(self._node)

    def result(self) -> results.ClusterResult:
        """What is known so far. Playouts and times are those of the last run, over all machines."""
        return results.result(self._node, self._report, machines=self.machines, lost=())

    def advance(self, move: Any) -> None:
        """Plays a move at the root of every machine; each keeps what it knows below it."""
        self._node.search.number_of(move)  # says what is wrong with it before anything has changed
        with uninterrupted():
            for node in self._nodes:
                node.advance(move)
            self._report = NOT_RUN

    def traffic(self) -> list[int]:
        """How many bytes each machine has sent."""
        return [node.bytes_sent for node in self._nodes]


@dataclass
class _Run:
    """`clock` is what a run would have taken on machines of their own: in each round as long as the slowest of them."""

    limit: float
    clock: float = 0.0
    cpu_seconds: float = 0.0
    ended_by: str | None = None


def _take_in(node: Node, unpacked: dict[int, tuple[Buffer, Message]]) -> None:
    """What a machine sends to all is one buffer: it is unpacked once for all, and kept so that no other has its id."""
    for source, buffer in node.communicator.receive():
        if id(buffer) not in unpacked:
            unpacked[id(buffer)] = buffer, unpack(buffer)
        node.take(source, unpacked[id(buffer)][1])


def _check_speeds(speeds: Sequence[float] | None, machines: int) -> list[float]:
    if speeds is None:
        return [1.0] * machines
    if not hasattr(speeds, "__len__") or len(speeds) != machines:
        raise ArgumentError(f"speeds must have one number for each of {machines} machines, not {shown(speeds)}")
    return [check_number("a speed", speed, low=0.0, high=1000.0) for speed in speeds]


def _piece(budget: Slice, *, step: int, rounds: int, speed: float) -> Slice:
    """The part of a machine's budget for one round; the parts add up to the whole."""

    def until(number: int) -> int:
        return int((budget.playouts or 0) * speed) * number // rounds

    def part(whole: float | None) -> float | None:
        return None if whole is None else max(1e-6, whole * speed / rounds)

    return Slice(
        playouts=None if budget.playouts is None else until(step + 1) - until(step),
        seconds=part(budget.seconds),
        cpu_seconds=part(budget.cpu_seconds),
    )
