"""Clusters as players: `cluster(n=8,scheme=slow-tree,depth=0)+uct(c=0.4)`, and those on real machines."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tesuji.arena.players import Budget, EnginePlayer, Player, PlayerSpec, never
from tesuji.engines import parse_engine
from tesuji.errors import ArgumentError, SpecError, shown
from tesuji.games.own import AnyPosition

if TYPE_CHECKING:
    from tesuji.cluster.cluster import Cluster
    from tesuji.cluster.mpi_cluster import MpiCluster

PREFIX = "cluster("
_SPEC = re.compile(r"cluster\((?P<options>[^()]*)\)(?:\+(?P<engine>.+))?", re.DOTALL)
_WORDS = ("scheme", "share")
_FRACTIONS = ("threshold", "loss")


@dataclass(frozen=True, kw_only=True)
class ClusterPlayer(EnginePlayer):
    """Machines that are simulated in one process. The budget is that of each of them."""

    n: int
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        options = [f"n={self.n}", *(f"{key}={value}" for key, value in self.options)]
        return f"cluster({','.join(options)})+{self.engine}"

    def __str__(self) -> str:
        return f"{self.name} [{self.budget} a machine]"

    def make(self, start: AnyPosition, *, seed: int | None = None) -> Cluster:
        from tesuji.cluster.cluster import Cluster  # noqa: PLC0415  it needs numpy

        return Cluster(
            start, n=self.n, engine=self.engine, threads=self.budget.threads, seed=seed, **dict(self.options)
        )

    def check(self, start: AnyPosition) -> None:
        self.make(start)
        super().check(start)

    def open(self) -> Player:
        return PlayerOfSearches(self.make, self.budget)


def machines_of(player: PlayerSpec) -> int:
    """How many are simulated for it; 1 where none are."""
    return player.n if isinstance(player, ClusterPlayer) else 1


@dataclass(frozen=True, kw_only=True)
class MachinesPlayer(EnginePlayer):
    """The machines of an MPI cluster, of which this is the first. It stays in its process."""

    description: str
    make: Callable[..., MpiCluster] = field(compare=False)

    @property
    def name(self) -> str:
        return f"{self.description}+{self.engine}"

    def __str__(self) -> str:
        return f"{self.name} [{self.budget} a machine]"

    def open(self) -> Player:
        make = functools.partial(self.make, engine=self.engine, threads=self.budget.threads)
        return PlayerOfSearches(make, self.budget)


class PlayerOfSearches:
    """Plays by whatever is used like a search; `make(start, seed=...)` gives one for each game."""

    def __init__(self, make: Callable[..., Cluster | MpiCluster], budget: Budget) -> None:
        self._make = make
        self._budget = budget
        self._search: Cluster | MpiCluster  # from begin() on
        self.cpu_seconds = 0.0

    def begin(
        self,
        start: AnyPosition,
        *,
        seed: int,
        stopped: Callable[[], bool] = never,  # noqa: ARG002  it begins at once
    ) -> None:
        self._search = self._make(start, seed=seed)
        self.cpu_seconds = 0.0

    def observe(self, move: Any) -> None:
        began = time.thread_time()
        self._search.advance(move)
        self.cpu_seconds += time.thread_time() - began

    def choose(self, position: AnyPosition, stopped: Callable[[], bool]) -> Any:
        budget = self._budget
        began = time.thread_time()
        run = self._search.think(budget.playouts, budget.seconds, budget.cpu_seconds, stopped=stopped)
        if run.stopped_by == "interrupt":
            raise KeyboardInterrupt
        best = self._search.decide()
        self.cpu_seconds += max(time.thread_time() - began, run.cpu_seconds)
        low, high = position.reward_range
        is_hopeless = best.visits > 0 and best.value < low + budget.resign * (high - low)
        return None if budget.resign and is_hopeless else best.move

    def close(self) -> None: ...


def parse_cluster_player(text: str, budget: Budget, *, start: AnyPosition | None) -> ClusterPlayer:
    """`cluster(n=32,scheme=voting)+ENGINE`; the options are those of `tesuji.Cluster`."""
    found = _SPEC.fullmatch(text.strip())
    if found is None:
        raise SpecError(f"{shown(text)} is no cluster: write cluster(n=8,scheme=slow-tree)+ENGINE")
    options: dict[str, Any] = {}
    for part in (part.strip() for part in found["options"].split(",") if part.strip()):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or key in options:
            raise SpecError(f"{shown(text)}: {shown(part)} must be an option, once, such as n=8")
        options[key] = _value(text, key, value)
    engine = parse_engine(found["engine"] or "uct", position=start)
    if "n" not in options:
        raise SpecError(f"{shown(text)}: n, the number of machines, is missing: write cluster(n=8)")
    player = ClusterPlayer(engine=engine, budget=budget, n=options.pop("n"), options=tuple(sorted(options.items())))
    _check_options(player, text)
    return player


def _value(text: str, key: str, value: str) -> Any:
    if key in _WORDS:
        return value
    try:
        return float(value) if key in _FRACTIONS else int(value)
    except ValueError:
        raise SpecError(f"{shown(text)}: {key} must be a number, not {shown(value)}") from None


def _check_options(player: ClusterPlayer, text: str) -> None:
    """On a game without secrets: what is wrong with the options does not depend on it."""
    from tesuji.games.tic_tac_toe import TicTacToe  # noqa: PLC0415  seldom wanted

    unknown = {key for key, _ in player.options} & {"engine", "threads", "seed", "max_memory", "speeds", "position"}
    if unknown:
        raise SpecError(f"{shown(text)}: {min(unknown)} cannot be given here")
    try:
        small = ClusterPlayer(engine=parse_engine("uct"), budget=Budget(playouts=1), n=1, options=player.options)
        small.make(TicTacToe())
    except ArgumentError as error:
        raise SpecError(f"{shown(text)}: {error}") from None
