"""A match of two players: many games, colours alternating, in several processes if wanted; it can be resumed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tesuji.arena.catalog import Catalog, load_engines, resolve_player
from tesuji.arena.openings import NoOpenings, Openings, as_openings
from tesuji.arena.plan import DEFAULT_MOVE_LIMIT, MatchPlan, Shard, parse_shard
from tesuji.arena.players import Budget, EnginePlayer, PlayerSpec, check_resign, needed
from tesuji.arena.record import GameRecord, mark_duplicates
from tesuji.arena.result import MatchResult, crowding, observations
from tesuji.arena.statistics import Sprt
from tesuji.arena.store import Store
from tesuji.arena.tally import Tally
from tesuji.arena.venues import Venue, make_venue
from tesuji.checks import check_integer, check_seed
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, MatchError, shown
from tesuji.games.own import AnyPosition, Game, OwnPosition
from tesuji.games.position import Position
from tesuji.games.registry import make_game

# A match with so many void games and no other would only waste time.
VOID_GAMES_THAT_HALT = 4
# More than anybody plays; the numbers of the games are kept in a list.
MAX_GAMES = 10_000_000
# What is meant to be continued must have the same seed the next time.
DEFAULT_SEED = 1


def match(
    game: str | Position | Game,
    a: str | EngineSpec | PlayerSpec,
    b: str | EngineSpec | PlayerSpec,
    *,
    games: int,
    playouts: int | tuple[int, int] | None = None,
    seconds: float | tuple[float, float] | None = None,
    cpu_seconds: float | tuple[float, float] | None = None,
    threads: int | tuple[int, int] = 1,
    resign: float | tuple[float, float] = 0.0,
    jobs: int = 1,
    seed: int | None = None,
    store: str | Path | None = None,
    openings: str | Path | Openings | None = None,
    sprt: tuple[float, float] | Sprt | None = None,
    failures: str = "loss",
    timeout: float | None = None,
    move_limit: int = DEFAULT_MOVE_LIMIT,
    shard: str | Shard | None = None,
    referee: str | PlayerSpec | None = None,
    cluster: str | None = None,
    count_duplicates: bool = False,
    progress: Callable[[GameRecord], None] | None = None,
) -> MatchResult:
    """Plays A against B from a position (or the start of the game of this name) and counts.

    A moves first in games 0, 2, 4, ... Each game's seeds follow from `seed` and its number alone, so that the result
    does not depend on `jobs`. The budgets are those of a move, one for both or one each, and so are the `threads` of
    a search; with several of these games do not repeat exactly. Trees are kept from move to move. A search that values
    its best move below the share `resign` of a win gives up. `progress` is called in this process with each game as it
    ends. Ctrl-C gives the result so far; with several jobs it waits for `progress` to return.

    With a `store` (a file) the games are kept, and those that are there already are not played again: a match that was
    killed goes on when it is started again. The seed is then 1 unless given. `openings` are "random:8" or a file with
    one opening a line; games 2i and 2i+1 share one. `sprt=(elo0, elo1)` stops as soon as the test has decided. `shard`
    is "i/n" to play only one of n parts, `cluster` the address of a Dask scheduler.

    A player may be another program (`engines.toml` names them). One that fails, or does not answer for `timeout`
    seconds, loses the game or makes it void, as `failures` says. A `referee` settles finished games of Go.

    With more than one job, processes are spawned: a script must then keep its own work under
    `if __name__ == "__main__":`.
    """
    start = _start(game)
    budgets = make_budgets(playouts=playouts, seconds=seconds, cpu_seconds=cpu_seconds, threads=threads, resign=resign)
    plan = MatchPlan(
        start=start,
        players=(
            as_player(a, budgets[0], timeout=timeout, start=start),
            as_player(b, budgets[1], timeout=timeout, start=start),
        ),
        seed=choose_seed(seed, keeps=store is not None or shard is not None),
        openings=as_openings(openings, start),
        failures=failures,
        move_limit=move_limit,
        referee=None if referee is None else as_player(referee, budgets[0], timeout=timeout),
    )
    # All that can be wrong comes before the store: a mistake leaves no file behind.
    check_integer("games", games, low=1, high=MAX_GAMES)
    test, part = _as_sprt(sprt), _as_shard(shard)
    plan.check()
    with make_venue(jobs=jobs, cluster=cluster, games=games) as venue, Store(store) as opened:
        return run_match(
            plan,
            games=games,
            store=opened,
            venue=venue,
            shard=part,
            sprt=test,
            count_duplicates=count_duplicates,
            progress=progress,
        )


def _start(game: str | Position | Game) -> AnyPosition:
    if isinstance(game, str):
        return make_game(game)
    return game if isinstance(game, Position) else OwnPosition(game)


def _as_sprt(value: object) -> Sprt | None:
    if value is None or isinstance(value, Sprt):
        return value
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ArgumentError(f"sprt must be two Elo differences such as (0, 10), or an Sprt, not {shown(value)}")
    return Sprt(*value)


def _as_shard(value: object) -> Shard | None:
    if value is None or isinstance(value, Shard):
        return value
    if not isinstance(value, str):
        raise ArgumentError(f"shard must be a text such as '2/5', or a Shard, not {shown(value)}")
    return parse_shard(value)


def as_player(
    value: str | EngineSpec | PlayerSpec,
    budget: Budget | None,
    *,
    timeout: float | None = None,
    catalog: Catalog | None = None,
    start: AnyPosition | None = None,
) -> PlayerSpec:
    """A player from an engine spec, the name of a program, or a player as it is, which has a budget of its own.

    `start` is where its games begin: the spec `best` has another meaning in each game.
    """
    if isinstance(value, EngineSpec):
        return EnginePlayer(engine=value, budget=needed(budget))
    if isinstance(value, str):
        programs = load_engines() if catalog is None else catalog
        return resolve_player(value, budget, programs, timeout=timeout, start=start)
    if not hasattr(value, "open"):
        raise ArgumentError(f"a player is an engine spec, the name of a program or a PlayerSpec, not {shown(value)}")
    return value


def make_budgets(
    *,
    playouts: object = None,
    seconds: object = None,
    cpu_seconds: object = None,
    threads: object = 1,
    resign: object = 0.0,
) -> tuple[Budget | None, Budget | None]:
    """The budgets of A and B, None without any limit."""
    limits = {"playouts": playouts, "seconds": seconds, "cpu_seconds": cpu_seconds}
    habits = {name: _pair(name, value) for name, value in {"threads": threads, "resign": resign}.items()}
    for share in habits["resign"]:
        check_resign(share)
    if all(limit is None for limit in limits.values()):
        return None, None
    pairs = {name: _pair(name, value) for name, value in limits.items()} | habits
    first, second = (Budget(**{name: pair[side] for name, pair in pairs.items()}) for side in (0, 1))
    return first, second


def _pair(name: str, value: object) -> tuple[Any, Any]:
    pair = value if isinstance(value, tuple | list) else (value, value)
    if len(pair) != 2:
        raise ArgumentError(f"{name} must be one number, or one for A and one for B, not {shown(value)}")
    return pair[0], pair[1]


def choose_seed(seed: object, *, keeps: bool) -> int:
    """A fresh seed where none is given, but always the same for games that are kept."""
    return check_seed(DEFAULT_SEED if seed is None and keeps else seed)


# ---- running


def run_match(
    plan: MatchPlan,
    *,
    games: int,
    store: Store,
    venue: Venue,
    shard: Shard | None = None,
    sprt: Sprt | None = None,
    count_duplicates: bool = False,
    progress: Callable[[GameRecord], None] | None = None,
    resumed: Callable[[Sequence[GameRecord]], None] | None = None,
) -> MatchResult:
    """Plays the games of a plan that the store does not have. `resumed` gets those that it has, before the first."""
    numbers = list((shard or Shard()).numbers(check_integer("games", games, low=1, high=MAX_GAMES)))
    plan.check()
    run = _Run(plan, numbers, store=store, sprt=sprt, count_duplicates=count_duplicates, progress=progress)
    if resumed is not None:
        resumed(run.records)
    interrupted = False
    try:
        if run.left and run.verdict is None:
            venue.play([(plan, number) for number in run.left], run.take)
    except KeyboardInterrupt:
        interrupted = True
    except _Decided:
        pass
    return run.result(interrupted=interrupted, warnings=crowding(plan, venue.jobs or 1))


class _Decided(Exception):  # noqa: N818  it never leaves this file
    """The sequential test needs no more games."""


class _Run:
    """A match under way: what has been played, what is left, and the count."""

    def __init__(
        self,
        plan: MatchPlan,
        numbers: Sequence[int],
        *,
        store: Store,
        sprt: Sprt | None,
        count_duplicates: bool,
        progress: Callable[[GameRecord], None] | None,
    ) -> None:
        self._plan = plan
        self._store = store
        self._progress = progress
        self._new_tally = functools.partial(
            Tally, paired=not isinstance(plan.openings, NoOpenings), count_duplicates=count_duplicates
        )
        self._tally = self._new_tally()
        self._sprt = _SprtWatch(numbers, sprt, self._new_tally()) if sprt is not None else None
        store.add_match(plan)
        wanted = set(numbers)
        self.records = [record for record in store.records(plan) if record.number in wanted]
        if self.records and all(record.is_void for record in self.records):
            store.forget(plan, self.records)  # whatever was wrong has been mended, or will show again
            self.records = []
        self._tally.add_all(self.records)
        played = {record.number for record in self.records}
        self.left = [number for number in numbers if number not in played]
        if self._sprt is not None:
            self._sprt.look_at(self.records)

    @property
    def verdict(self) -> str | None:
        return None if self._sprt is None else self._sprt.verdict

    def take(self, record: GameRecord) -> None:
        self._store.save(self._plan, record)  # first of all: the callback may be where Ctrl-C strikes
        self.records.append(record)
        self._tally.add(record)
        if self._progress is not None:
            self._progress(record)
        if not self._tally.games and self._tally.void >= VOID_GAMES_THAT_HALT:
            raise MatchError(f"the first {self._tally.void} games were all void: {record.reason}")
        if self._sprt is not None:
            self._sprt.look_at([record])
            if self._sprt.verdict is not None:
                raise _Decided

    def result(self, *, interrupted: bool, warnings: Iterable[str]) -> MatchResult:
        records = mark_duplicates(self.records)
        tally = self._new_tally()
        tally.add_all(records)
        return MatchResult(
            plan=self._plan,
            tally=tally,
            records=tuple(records),
            interrupted=interrupted,
            sprt=self.verdict,
            notes=(*warnings, *observations(self._plan, records)),
        )


class _SprtWatch:
    """Looks at whole pairs in the order of their numbers: so the verdict does not depend on which game ends first."""

    def __init__(self, numbers: Sequence[int], sprt: Sprt, tally: Tally) -> None:
        self._sprt = sprt
        self._numbers = iter(numbers)
        self._next = next(self._numbers, None)
        self._waiting: dict[int, GameRecord] = {}
        self._tally = tally
        self.verdict: str | None = None

    def look_at(self, records: Iterable[GameRecord]) -> None:
        self._waiting.update((record.number, record) for record in records)
        while self.verdict is None and self._next in self._waiting:
            record = self._waiting.pop(self._next)
            self._tally.add(record)
            self._next = next(self._numbers, None)
            if record.number % 2 or self._next is None:
                self.verdict = self._decide()

    def _decide(self) -> str | None:
        if self._tally.fractional:
            raise ArgumentError("a sequential test needs wins, draws and losses, and this game has rewards in between")
        return self._sprt.decide(self._tally.pentanomial or self._tally.score)
