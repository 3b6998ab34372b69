"""A search on the machines of an MPI cluster, used on the first one, which commands, answers and searches."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tesuji.checks import check_seed
from tesuji.cluster import result as results
from tesuji.cluster.group import GroupSearch, check_budget, check_engine
from tesuji.cluster.machine import DEFAULT_PERIOD, IDLE_SECONDS, Machine, Run, check_period, make_node, send_command
from tesuji.cluster.scheme import Scheme
from tesuji.cluster.slow_tree import SlowTree
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, GameStateError
from tesuji.games.position import Position
from tesuji.search import DEFAULT_MEMORY, NOT_RUN, RootMove, RunReport


class MpiCluster(GroupSearch):
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
    def machines(self) -> int:
        return self._communicator.size

    @property
    def lost(self) -> tuple[int, ...]:
        return tuple(sorted(self._communicator.lost))

    def _command(self, name: str, **values: Any) -> None:
        send_command(self._communicator, name, **values)

    # ---- running

    def think(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        cpu_seconds: float | None = None,
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> RunReport:
        """Searches, and returns as soon as this machine has spent its budget: the others may still be at it."""
        budget = check_budget(playouts, seconds, cpu_seconds)
        if self._node.searcher.is_over():  # said before the others are told to search it
            raise GameStateError(f"there is nothing to search: the game is over ({self.position!r})")
        self._is_stopped = False
        self._node.run_number += 1
        goes_on = not self._has_last_words
        self._command("go", run=self._node.run_number, goes_on=goes_on, **budget._asdict())
        self._machine.begin(goes_on=goes_on)
        self._has_last_words = False
        began = time.monotonic()
        workers = max(1, len(self._node.others)) if self._node.scheme.has_one_tree else 1
        run = Run(budget._replace(playouts=None if budget.playouts is None else budget.playouts * workers))
        try:
            while run.ended_by is None:
                run.count(self._machine.step(self._node, run.piece()))
                if self._is_stopped or stopped():
                    run.ended_by = run.ended_by or "stop"
        except KeyboardInterrupt:
            run.ended_by = "interrupt"
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
                time.sleep(IDLE_SECONDS)
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
