"""The search behind a GTP session: it follows the game, and is run in slices, so that time and input are looked at."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tesuji.arena.seeds import derive_seed
from tesuji.engines import EngineSpec, parse_engine
from tesuji.errors import GameStateError
from tesuji.games.position import Position
from tesuji.gtp.clock import Allowance
from tesuji.gtp.table import Step
from tesuji.search import DEFAULT_MEMORY, RootMove, RunReport, Search, SearchResult

#: For a move, where neither the user nor a clock says anything.
DEFAULT_PLAYOUTS: Final = 20_000

#: What ends a search for good: more of it brings nothing.
FINAL: Final = ("proven", "visits")

# A look at the root after so many parts of the budget, and at least after so many seconds.
_LOOKS: Final = 8
_SLICE_SECONDS: Final = 0.1
_SHORTEST_SLICE: Final = 0.002

# A clock's share of a move is stretched by this where many searches end early: what they save would come too late, in
# games that are decided by then.
_STRETCH: Final = 1.25

# A move with fewer visits than this part of the best one's says little by its value.
_RIVAL_SHARE: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to think. `playouts` and `seconds` are for one move; a clock may allow less, or without either, more.

    `reuse` keeps the tree from move to move. `early_stop` ends a search whose best move cannot change any more within
    its budget. `more_time` goes on, where a clock allows it, as long as the root is unstable. `ponder` thinks while the
    opponent does. An engine that is given as text, such as `best`, may mean another one after a change of the board.
    `search` makes what is used as one: that of a cluster is no `Search`, and behaves like it.
    """

    engine: str | EngineSpec
    playouts: int | None = None
    seconds: float | None = None
    threads: int = 1
    seed: int = 0
    max_memory: int | str = DEFAULT_MEMORY
    reuse: bool = True
    early_stop: bool = True
    more_time: bool = True
    ponder: bool = False
    search: Any = Search

    def engine_for(self, position: Position) -> EngineSpec:
        return parse_engine(self.engine, position=position)


class Thinker:
    """One search at a time. `stop` may be called from another thread, and ends the slice that runs.

    `now` is the clock on the wall, or another one for experiments.
    """

    def __init__(self, settings: Settings, *, now: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self.now = now
        self._search: Search | None = None
        self._searches = 0
        #: How long the last thought was meant to last, from when it was asked for.
        self.planned_seconds = 0.0

    @property
    def settings(self) -> Settings:
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._settings = settings
        self.forget()

    def forget(self) -> None:
        """The next search begins anew."""
        self._search = None

    def follow(self, step: Step) -> None:
        """Keeps what is known of the position after a move, where the search is at the position before it."""
        search = self._search
        if search is None or not self._settings.reuse or step.after.is_over or search.position != step.before:
            self.forget()
        else:
            search.advance(step.move)

    def stop(self) -> None:
        search = self._search
        if search is not None:
            search.stop()

    def search_of(self, position: Position) -> Search:
        """The search at this position; what an earlier one knows of it is kept."""
        if self._search is None or self._search.position != position:
            self._search = self.new_search(position, derive_seed(self._settings.seed, self._searches))
            self._searches += 1
        return self._search

    def new_search(self, position: Position, seed: int) -> Search:
        settings = self._settings
        options = {"threads": settings.threads, "seed": seed, "max_memory": settings.max_memory}
        made: Search = settings.search(position, settings.engine, **options)
        return made

    def think(
        self,
        search: Search,
        *,
        began: float,
        allowance: Allowance | None = None,
        seen: Callable[[Search], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> SearchResult:
        """Searches for a move as long as the settings and the clock say. `seen` is called after every slice.

        `began` is when the move was asked for, by the clock of this thinker.
        """
        budget = _Budget(self._settings, search.engine, allowance, lambda: self.now() - began)
        while True:
            report = run_slice(search, **budget.slice())
            budget.count(report)
            seen(search)
            moves = search.glance()
            is_over = stopped() or report.stopped_by in FINAL or len(moves) == 1
            if is_over or budget.is_spent(_not_lost(moves)):
                self.planned_seconds = budget.planned_seconds()
                return search.result()


def run_slice(search: Search, *, playouts: int | None = None, seconds: float | None = None) -> RunReport:
    """One run, and at least one playout where nothing is known yet. Ctrl-C ends the program here, not the slice."""
    while True:
        report = search.think(playouts=playouts, seconds=seconds)
        if report.stopped_by == "interrupt":
            raise KeyboardInterrupt
        with contextlib.suppress(GameStateError):  # nothing searched: the slice was too short, or stopped too soon
            search.best_move()
            return report


class _Budget:
    """What a search for a move may still spend."""

    def __init__(
        self, settings: Settings, engine: EngineSpec, allowance: Allowance | None, elapsed: Callable[[], float]
    ) -> None:
        self._settings = settings
        self._elapsed = elapsed
        self._playouts = 0
        self._searching = 0.0
        target = settings.seconds
        limit = target
        self._stops_early = settings.early_stop and engine.choice("final").value("final") == "visits"
        if allowance is not None:
            share = min(allowance.limit, allowance.target * (_STRETCH if self._stops_early else 1.0))
            target = share if target is None else min(target, share)
            limit = target if settings.seconds is not None else allowance.limit
        self._target, self._limit = target, limit
        self._goal = math.inf if target is None else target
        self._total = DEFAULT_PLAYOUTS if settings.playouts is None and target is None else settings.playouts
        self._next_look = 0

    def slice(self) -> dict[str, Any]:
        """The budget of the next run."""
        playouts, seconds = None, _SLICE_SECONDS
        if self._total is not None:
            if self._playouts >= self._next_look:
                self._next_look = min(self._total, self._playouts + -(-self._total // _LOOKS))
            playouts = max(1, self._next_look - self._playouts)
        if self._target is not None and self._limit is not None:
            elapsed = self._elapsed()
            left = (self._target if elapsed < self._target else self._limit) - elapsed
            seconds = max(_SHORTEST_SLICE, min(_SLICE_SECONDS, self._target / _LOOKS, left))
        return {"playouts": playouts, "seconds": seconds}

    def count(self, report: RunReport) -> None:
        self._playouts += report.playouts
        self._searching += report.seconds

    def is_spent(self, moves: list[RootMove]) -> bool:
        if self._total is not None and self._playouts >= self._total:
            return True
        if self._target is None or self._limit is None:
            # Looks are counted in playouts then, so that the same seed plays the same game on any machine.
            return self._playouts >= self._next_look and self._is_decided(moves)
        elapsed = self._elapsed()
        if elapsed < self._target:
            return self._is_decided(moves)
        if elapsed >= self._limit or not self._settings.more_time or not is_unstable(moves):
            return True
        self._goal = self._limit
        return False

    def planned_seconds(self) -> float:
        """At its end: how long it was meant to last. What it takes beyond that is lost."""
        return min(self._elapsed(), self._goal)

    def _is_decided(self, moves: list[RootMove]) -> bool:
        """Only of the most visited move, of those not proven lost, can be known that it stays the chosen one."""
        return self._stops_early and is_decided(moves, self._playouts_left())

    def _playouts_left(self) -> float:
        """How many playouts may still come; with a clock, at the rate so far."""
        left = math.inf if self._total is None else self._total - self._playouts
        if self._target is not None:
            rate = self._playouts / max(self._searching, 1e-6)
            left = min(left, rate * max(0.0, self._target - self._elapsed()))
        return left


def _not_lost(moves: list[RootMove]) -> list[RootMove]:
    """Those that a solver leaves to choose from; all, where it has proven each of them lost."""
    return [move for move in moves if move.proven != "loss"] or moves


def is_decided(moves: list[RootMove], playouts_left: float) -> bool:
    """Whether the move with most visits stays the one, whatever so many playouts bring."""
    return len(moves) > 1 and moves[0].visits - moves[1].visits > playouts_left


def is_unstable(moves: list[RootMove]) -> bool:
    """Whether a rival with many visits has a better value than the move with most: their order may still change."""
    best = moves[0]
    rivals = [rival for rival in moves[1:] if rival.visits >= _RIVAL_SHARE * best.visits]
    return any(rival.value > best.value for rival in rivals)
