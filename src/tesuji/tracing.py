"""How the root's values change while a search runs, for several engines side by side."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tesuji.checks import check_bool, check_integer, check_seed
from tesuji.engines import EngineSpec, parse_engine
from tesuji.errors import ArgumentError, shown
from tesuji.games.own import AnyPosition, Game
from tesuji.plot import TraceLine, TracePanel, plot_trace
from tesuji.search import DEFAULT_MEMORY, MAX_PLAYOUTS, MoveStatistics, Search, SearchResult

DEFAULT_POINTS = 12
MAX_POINTS = 10_000

# Points spaced by factors begin at this part of the budget: before that there is more noise than news.
_FIRST_PART = 1000
_PLOTTED_MOVES = 4


@dataclass(frozen=True, kw_only=True)
class TraceRow:
    """What one engine knows after so many playouts: the same as a search with this budget and the trace's seed."""

    engine: EngineSpec
    playouts: int
    best_move: Any
    best_move_text: str
    value: float
    moves: tuple[MoveStatistics, ...]

    def entry(self, move: Any) -> MoveStatistics:
        return next(entry for entry in self.moves if entry.move == move)

    def share(self, entry: MoveStatistics) -> float:
        """The part of the visits of all moves that this one has."""
        return entry.visits / max(1, sum(other.visits for other in self.moves))

    def to_dict(self) -> dict[str, Any]:
        return {
            "engine": str(self.engine),
            "playouts": self.playouts,
            "best_move": self.best_move_text,
            "value": self.value,
            "moves": [
                {"move": entry.text, "visits": entry.visits, "share": self.share(entry), "value": entry.value}
                for entry in self.moves
            ],
        }


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The rows of all engines, the smaller budgets first, and at each of them in the order of the engines.

    After Ctrl-C `interrupted` is true, and the rows are those that were ready; the last one may have an odd budget. So
    may that of an engine with a solver, for which there are no more rows once the position is proven.
    """

    position: Any
    engines: tuple[EngineSpec, ...]
    seed: int
    rows: tuple[TraceRow, ...]
    interrupted: bool

    def of(self, engine: str | EngineSpec) -> tuple[TraceRow, ...]:
        """The rows of one engine."""
        spec = parse_engine(engine, position=self.position)
        return tuple(row for row in self.rows if row.engine == spec)

    def leading_moves(self, count: int) -> list[Any]:
        """The moves with most visits over all rows, each row weighing the same: one that led early is among them."""
        shares: dict[Any, float] = defaultdict(float)
        for row in self.rows:
            for entry in row.moves:
                shares[entry.move] += row.share(entry)
        return sorted(shares, key=lambda move: -shares[move])[:count]

    def to_dict(self) -> dict[str, Any]:
        """Everything in plain values; moves as text."""
        return {
            "game": getattr(self.position, "game", type(self.position).__name__),
            "to_move": int(self.position.to_move),
            "engines": [str(engine) for engine in self.engines],
            "seed": self.seed,
            "interrupted": self.interrupted,
            "rows": [row.to_dict() for row in self.rows],
        }

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def plot(self, path: Path | str, *, title: str = "", moves: int = _PLOTTED_MOVES) -> None:
        """Values and shares of visits of the leading moves, one column of panels an engine; PNG, SVG or PDF."""
        leading = self.leading_moves(check_integer("moves", moves, low=1))
        engines = dict.fromkeys(row.engine for row in self.rows)  # an interrupted trace may lack some
        plot_trace(path, [_panel(str(engine), self.of(engine), leading) for engine in engines], title=title)


def trace(
    position: AnyPosition | Game,
    engines: str | EngineSpec | Sequence[str | EngineSpec] = "uct",
    *,
    playouts: int,
    points: int = DEFAULT_POINTS,
    even: bool = False,
    threads: int = 1,
    seed: int | None = None,
    max_memory: int | str = DEFAULT_MEMORY,
) -> Trace:
    """Searches with each engine, and looks at the root on the way.

    >>> trace(TreeGame.deceptive(), ["uct", "accelerated(k=2)"], playouts=10_000, seed=1).plot("trap.svg")

    There are so many points up to `playouts`, or fewer where these are few. From one to the next is the same factor,
    about, or with `even=True` the same number of playouts. All engines get the same seed and `threads` (`Search` says
    what these are), and take turns from point to point: so their trees, each of at most `max_memory`, are there at the
    same time.
    """
    specs = _check_engines(engines, position)
    budgets = _budgets(playouts, points, even=even)
    common_seed = check_seed(seed)
    searches = [Search(position, spec, threads=threads, seed=common_seed, max_memory=max_memory) for spec in specs]
    rows: list[TraceRow] = []
    try:
        for row in _rows(searches, budgets):
            rows.append(row)  # noqa: PERF402  those before Ctrl-C are kept
        interrupted = False
    except KeyboardInterrupt:
        if not rows:
            raise
        interrupted = True
    root = searches[0].position
    return Trace(position=root, engines=specs, seed=common_seed, rows=tuple(rows), interrupted=interrupted)


def _check_engines(engines: object, position: AnyPosition | Game) -> tuple[EngineSpec, ...]:
    if isinstance(engines, str | EngineSpec):
        engines = [engines]
    if not isinstance(engines, Sequence) or not engines:
        raise ArgumentError(f"engines must be a spec such as 'uct', or a list of them, not {shown(engines)}")
    specs = tuple(parse_engine(engine, position=position) for engine in engines)
    for number, spec in enumerate(specs):
        if spec in specs[:number]:
            raise ArgumentError(f"the engine {spec} is given twice: with the same seed both would do the same")
    return specs


def _budgets(playouts: object, points: object, *, even: object) -> list[int]:
    """Rising numbers of playouts, the last the whole budget; where factors lie between them, of two digits."""
    last = check_integer("playouts", playouts, low=1, high=MAX_PLAYOUTS)
    count = check_integer("points", points, low=1, high=MAX_POINTS)
    if check_bool("even", even):
        inner = [last * number // count for number in range(1, count)]
    else:
        first = max(1, last // _FIRST_PART)
        inner = [_two_digits(first * (last / first) ** (number / (count - 1))) for number in range(count - 1)]
    return [*sorted({budget for budget in inner if 0 < budget < last}), last]


def _two_digits(number: float) -> int:
    return int(round(number, min(0, 1 - math.floor(math.log10(number)))))


def _rows(searches: Sequence[Search], budgets: Sequence[int]) -> Iterator[TraceRow]:
    """Point by point, each search in its turn."""
    for done, budget in pairwise([0, *budgets]):
        for search in searches:
            result = search.run(playouts=budget - done)
            if result.playouts:  # none where Ctrl-C came within the first one, or the solver has nothing left to do
                yield _row(result)
            if result.stopped_by == "interrupt":
                raise KeyboardInterrupt


def _row(result: SearchResult) -> TraceRow:
    best = next(entry for entry in result.moves if entry.move == result.best_move)
    return TraceRow(
        engine=result.engine,
        playouts=result.visits,
        best_move=result.best_move,
        best_move_text=best.text,
        value=result.value,
        moves=result.moves,
    )


def _panel(title: str, rows: Sequence[TraceRow], moves: Sequence[Any]) -> TracePanel:
    lines = []
    for move in moves:
        entries = [row.entry(move) for row in rows]
        values = [entry.value if entry.visits else math.nan for entry in entries]
        shares = [100 * row.share(entry) for row, entry in zip(rows, entries, strict=True)]
        lines.append(TraceLine(label=entries[0].text, values=values, shares=shares))
    return TracePanel(title=title, x=[row.playouts for row in rows], lines=lines)
