"""A match of two engines: many games, colours alternating, on several processes if wanted."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from typing import Any

from tesuji.arena.statistics import Interval, Score
from tesuji.checks import check_integer, check_seed
from tesuji.engines import EngineSpec, parse_engine
from tesuji.errors import ArgumentError, GameStateError, WorkerError, shown
from tesuji.games.position import Position
from tesuji.games.registry import make_game
from tesuji.search import MAX_PLAYOUTS, Search

MAX_JOBS = 1024
# Without superko a game of Go may go round in circles; no other game comes near this.
MAX_MOVES = 2000
# A fraction of a second in any of the games.
STOP_CHECK_PLAYOUTS = 10_000


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One game. `points` is what A got: 1, 0.5 or 0."""

    number: int
    a_is_first: bool
    seeds: tuple[int, int]
    moves: tuple[int, ...]
    points: float
    cpu_seconds: tuple[float, float]
    ended_by: str


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """The result as A sees it. Games that were not played because of Ctrl-C are missing, and `interrupted` says so."""

    a: EngineSpec
    b: EngineSpec
    playouts: tuple[int, int]
    seed: int
    score: Score
    records: tuple[GameRecord, ...]
    interrupted: bool

    @property
    def games(self) -> int:
        return self.score.games

    @property
    def wins(self) -> int:
        return self.score.wins

    @property
    def draws(self) -> int:
        return self.score.draws

    @property
    def losses(self) -> int:
        return self.score.losses

    @property
    def percentage(self) -> float:
        """Points of A in percent, a draw being half a point."""
        return 100 * self.score.fraction

    @property
    def interval(self) -> Interval:
        """The 95% Wilson interval of `percentage`."""
        fractions = self.score.interval()
        return Interval(low=100 * fractions.low, high=100 * fractions.high)

    def to_dict(self) -> dict[str, Any]:
        return {
            "a": str(self.a),
            "b": str(self.b),
            "playouts": list(self.playouts),
            "seed": self.seed,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "percentage": self.percentage,
            "interval": [self.interval.low, self.interval.high],
            "interrupted": self.interrupted,
        }


def match(
    game: str | Position,
    a: str | EngineSpec,
    b: str | EngineSpec,
    *,
    playouts: int | tuple[int, int],
    games: int,
    jobs: int = 1,
    seed: int | None = None,
    progress: Callable[[GameRecord], None] | None = None,
) -> MatchResult:
    """Plays A against B from a position (or the start of the game of this name) and counts.

    A moves first in games 0, 2, 4, ... Each game's seeds follow from `seed` and its number alone, so that the result
    does not depend on `jobs`. `playouts` is the budget a move, one for both or one each; trees are kept from move to
    move. `progress` is called in this process with each game as it ends. Ctrl-C gives the result so far.

    With more than one job, processes are spawned: a script must then keep its own work under
    `if __name__ == "__main__":`.
    """
    position = make_game(game) if isinstance(game, str) else game
    if not isinstance(position, Position):
        raise ArgumentError(f"game must be a position or the name of a game, not {shown(game)}")
    if position.is_over:
        raise GameStateError(f"a match cannot begin where the game is over ({position!r})")
    if position.num_players != 2:
        raise ArgumentError(f"a match needs a game of two players, and {position!r} has {position.num_players}")
    plan = _Plan(
        position=position,
        engines=(parse_engine(a), parse_engine(b)),
        playouts=check_playouts(playouts),
        seed=check_seed(seed),
    )
    count = check_integer("games", games, low=1)
    workers = min(check_integer("jobs", jobs, low=1, high=MAX_JOBS), count)
    records: list[GameRecord] = []

    def take(batch: list[GameRecord]) -> None:
        records.extend(batch)  # first of all: the callback may be where Ctrl-C strikes
        if progress is not None:
            for record in batch:
                progress(record)

    interrupted = False
    try:
        if workers == 1:
            _play_here(plan, count, take)
        else:
            _play_in_processes(plan, count, workers, take)
    except KeyboardInterrupt:
        interrupted = True
    return _result(plan, records, interrupted)


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """All that a game depends on, but for its number."""

    position: Position
    engines: tuple[EngineSpec, EngineSpec]
    playouts: tuple[int, int]
    seed: int


def check_playouts(playouts: object) -> tuple[int, int]:
    pair = playouts if isinstance(playouts, tuple | list) else (playouts, playouts)
    if len(pair) != 2:
        raise ArgumentError(f"playouts must be one number, or one for A and one for B, not {shown(playouts)}")
    first, second = (check_integer("playouts", number, low=1, high=MAX_PLAYOUTS) for number in pair)
    return first, second


def _result(plan: _Plan, records: list[GameRecord], interrupted: bool) -> MatchResult:
    points = [record.points for record in records]
    draws = sum(0 < value < 1 for value in points)
    wins = points.count(1.0)
    return MatchResult(
        a=plan.engines[0],
        b=plan.engines[1],
        playouts=plan.playouts,
        seed=plan.seed,
        score=Score(wins=wins, draws=draws, losses=len(points) - wins - draws),
        records=tuple(sorted(records, key=lambda record: record.number)),
        interrupted=interrupted,
    )


def derive_seed(seed: int, *labels: int | str) -> int:
    """A seed for one purpose, from the one seed of the whole: neighbours have nothing in common."""
    text = ":".join(str(label) for label in (seed, *labels))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def play_game(plan: _Plan, number: int, stopped: Callable[[], bool] = lambda: False) -> GameRecord | None:
    """Plays one game of a match; None when it was stopped before its end."""
    a_is_first = number % 2 == 0
    seats = (0, 1) if a_is_first else (1, 0)  # which engine sits where
    seeds = (derive_seed(plan.seed, number, "a"), derive_seed(plan.seed, number, "b"))
    searches = [Search(plan.position, plan.engines[engine], seed=seeds[engine]) for engine in (0, 1)]
    cpu_seconds = [0.0, 0.0]
    moves: list[int] = []
    position = plan.position
    while not position.is_over and len(moves) < MAX_MOVES:
        engine = seats[position.to_move]
        for playouts in _slices(plan.playouts[engine]):
            run = searches[engine].think(playouts=playouts)
            if run.stopped_by == "interrupt":
                raise KeyboardInterrupt
            cpu_seconds[engine] += run.cpu_seconds
            if stopped():
                return None
        moves.append(searches[engine].best_move())
        position = position.play(moves[-1])
        for search in searches:
            search.advance(moves[-1])
    seat = seats.index(0)
    return GameRecord(
        number=number,
        a_is_first=a_is_first,
        seeds=seeds,
        moves=tuple(moves),
        points=position.outcome()[seat] if position.is_over else 0.5,
        cpu_seconds=(cpu_seconds[0], cpu_seconds[1]),
        ended_by="rules" if position.is_over else "move limit",
    )


def _slices(playouts: int) -> Iterator[int]:
    """A long run in pieces, so that a stop does not wait for its end; in pieces it is still the same run."""
    for start in range(0, playouts, STOP_CHECK_PLAYOUTS):
        yield min(STOP_CHECK_PLAYOUTS, playouts - start)


def _play_here(plan: _Plan, count: int, take: Callable[[list[GameRecord]], None]) -> None:
    for number in range(count):
        record = play_game(plan, number)
        if record is not None:
            take([record])


# ---- in other processes

_stop_event: Event | None = None


def _start_worker(event: Event) -> None:
    """Ctrl-C reaches every process of the terminal; only the parent answers it, and tells the others."""
    global _stop_event  # noqa: PLW0603  a pool's initializer has no other way to hand something to its tasks
    _stop_event = event
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed tells nobody: nothing must go on without it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_chunk(plan: _Plan, numbers: range) -> list[GameRecord]:
    stopped = _stop_event.is_set if _stop_event is not None else lambda: False
    records = (play_game(plan, number, stopped) for number in numbers)
    return [record for record in records if record is not None]


@contextlib.contextmanager
def _sigint_held_back() -> Iterator[None]:
    """Workers started in here inherit that SIGINT is blocked, so Ctrl-C cannot end them before they can ignore it.

    In this process it is only late.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _play_in_processes(plan: _Plan, count: int, jobs: int, take: Callable[[list[GameRecord]], None]) -> None:
    # Spawned, not forked: threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    event = context.Event()
    # Several games a task, so that handing them out costs nothing; several tasks a worker, so that none ends alone.
    size = max(1, min(16, count // (jobs * 16)))
    chunks = (range(start, min(start + size, count)) for start in range(0, count, size))
    with ProcessPoolExecutor(jobs, context, initializer=_start_worker, initargs=(event,)) as pool:
        # Only a few tasks wait at a time: a million of them would take longer to manage than to play.
        with _sigint_held_back():
            pending = {pool.submit(_play_chunk, plan, chunk) for chunk in itertools.islice(chunks, 3 * jobs)}
        try:
            while pending:
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                pending |= {pool.submit(_play_chunk, plan, chunk) for chunk in itertools.islice(chunks, len(done))}
                for future in done:
                    pending.remove(future)
                    take(future.result())
        except BrokenProcessPool:
            raise WorkerError(
                "a worker process of the match died. A script that uses jobs must keep its own work under "
                "'if __name__ == \"__main__\":', since spawned processes import it; use jobs=1 otherwise"
            ) from None
        except KeyboardInterrupt:
            event.set()
            for future in pending:
                with contextlib.suppress(BrokenProcessPool, CancelledError):
                    if not future.cancel():
                        take(future.result())
            raise
        finally:
            event.set()
            pool.shutdown(cancel_futures=True)
