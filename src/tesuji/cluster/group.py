"""What a simulated cluster and one of real machines have in common: both are used like a `Search`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from tesuji.arena.seeds import derive_seed
from tesuji.checks import check_integer, check_positive
from tesuji.cluster.node import MASTER, Node, Slice
from tesuji.cluster.result import ClusterResult
from tesuji.engines import EngineSpec, parse_engine
from tesuji.errors import ArgumentError
from tesuji.games.own import AnyPosition, Game, OwnPosition
from tesuji.search import MAX_PLAYOUTS, RootMove, RunReport


def machine_seed(seed: int, rank: int) -> int:
    """The first machine has the seed itself: alone it is an ordinary search."""
    return seed if rank == MASTER else derive_seed(seed, "machine", rank)


def check_engine(engine: str | EngineSpec, position: AnyPosition | Game, *, threads: int) -> EngineSpec:
    """The engine, if machines can share what it finds."""
    subject = position if isinstance(position, AnyPosition) else OwnPosition(position)
    spec = parse_engine(engine, position=subject)
    if threads > 1 and spec.to_parameters().parallel == "root":
        raise ArgumentError(
            "parallel=root has a tree for each thread, and a cluster needs one a machine: take lock-free or mutex"
        )
    return spec


def check_budget(playouts: int | None, seconds: float | None, cpu_seconds: float | None) -> Slice:
    """Of each machine."""
    if playouts is None and seconds is None and cpu_seconds is None:
        raise ArgumentError("a search needs a budget: give playouts, seconds or cpu_seconds")
    return Slice(
        playouts=None if playouts is None else check_integer("playouts", playouts, low=1, high=MAX_PLAYOUTS),
        seconds=None if seconds is None else check_positive("seconds", seconds),
        cpu_seconds=None if cpu_seconds is None else check_positive("cpu_seconds", cpu_seconds),
    )


class GroupSearch(ABC):
    """Budgets are those of each machine, answers those of all."""

    _node: Node  # of the first machine
    _seed: int

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

    def run(
        self, playouts: int | None = None, seconds: float | None = None, cpu_seconds: float | None = None
    ) -> ClusterResult:
        """Searches with this budget a machine. Ctrl-C ends the run with what it has, as with a `Search`."""
        report = self.think(playouts, seconds, cpu_seconds)
        if report.stopped_by == "interrupt" and not self._node.root_moves():
            raise KeyboardInterrupt
        return self.result()

    @abstractmethod
    def think(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        cpu_seconds: float | None = None,
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> RunReport:
        """Like `run`, without collecting a result. `stopped` is asked now and then."""

    @abstractmethod
    def result(self) -> ClusterResult: ...

    @abstractmethod
    def decide(self) -> RootMove:
        """The best move, with what all machines know of it."""

    @abstractmethod
    def best_move(self) -> Any: ...

    @abstractmethod
    def glance(self) -> list[RootMove]: ...

    @abstractmethod
    def advance(self, move: Any) -> None: ...

    @abstractmethod
    def stop(self) -> None: ...
