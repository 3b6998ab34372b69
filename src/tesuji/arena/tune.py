"""Finds good values of an engine's parameters by games against an opponent.

Games are played in pairs, seats exchanged, with the same values. The first pairs are spread over the ranges. Then, in
rounds, a model of the score (`tune_model.py`) is fitted to all games so far, and each new pair is played where a
surface drawn from the model is highest (Thompson sampling): often where the best value probably lies, seldom where it
cannot lie. A round's values follow from the games of the rounds before it alone. So the result does not depend on the
number of processes, and a tuning that was killed goes on as if nothing had happened. Why this method: docs/tuning.md.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import EnginePlayer
from tesuji.arena.record import GameRecord
from tesuji.arena.seeds import derive_seed
from tesuji.arena.statistics import Z95, Interval, Score
from tesuji.arena.tune_space import Number, Space
from tesuji.arena.tune_store import SEARCH, Trial, TuneStore
from tesuji.arena.venues import PlayGames
from tesuji.checks import check_integer
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, MatchError

Matrix = NDArray[np.float64]

# Pairs of games: so many a parameter to begin with; so many in a round, or this part of what has been played.
FIRST_PAIRS, ROUND_PAIRS, ROUND_PART = 8, 8, 8
# How many places the search chooses from, by the number of parameters. The best one is looked for among more.
CANDIDATES = {1: 64, 2: 256, 3: 256, 4: 512}
FINE_CANDIDATES = 1024
CURVE_POINTS = 101
# Surfaces drawn for the interval of the best values.
INTERVAL_DRAWS = 1000


@dataclass(frozen=True, kw_only=True)
class TuningPlan:
    """All that the games of a tuning depend on. A of `base` is the engine that is tuned, B its opponent."""

    base: MatchPlan
    space: Space

    def __post_init__(self) -> None:
        if not isinstance(self.base.players[0], EnginePlayer):
            raise ArgumentError(f"only an engine spec can be tuned, and {self.base.players[0]} is another program")

    @property
    def player(self) -> EnginePlayer:
        player = self.base.players[0]
        if not isinstance(player, EnginePlayer):
            raise TypeError(player)
        return player

    def engine(self, values: Mapping[str, Number]) -> EngineSpec:
        return self.space.engine(self.player.engine, values)

    def with_values(self, values: Mapping[str, Number]) -> MatchPlan:
        """The games with these values against the opponent."""
        return replace(self.base, players=(self._tuned(values), self.base.players[1]))

    def check_match(self, values: Mapping[str, Number]) -> MatchPlan:
        """The games with these values against the engine as it was given."""
        seed = derive_seed(self.base.seed, "check")
        return replace(self.base, players=(self._tuned(values), self.player), seed=seed)

    def _tuned(self, values: Mapping[str, Number]) -> EnginePlayer:
        return replace(self.player, engine=self.engine(values))

    def describe(self) -> dict[str, Any]:
        return {**self.base.describe(), "parameters": {item.name: str(item) for item in self.space.ranges}}

    @functools.cached_property
    def digest(self) -> str:
        """The name of this tuning in a store: another plan has another."""
        text = json.dumps(self.describe(), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The expected score along one parameter, the others at their best: fractions with a 95% band."""

    values: tuple[float, ...]
    middle: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class TuneResult:
    """What a tuning found.

    `expected` is the score that the model expects of `best` against the opponent. `check` is the score of `best`
    against the engine as it was given, in games that the search has not seen; None where there were none.
    """

    plan: TuningPlan = field(repr=False)
    trials: tuple[Trial, ...] = field(repr=False)
    best: dict[str, Number]
    intervals: dict[str, Interval]
    expected: float
    expected_interval: Interval
    curves: dict[str, Curve] = field(repr=False)
    check: Score | None
    interrupted: bool

    @property
    def engine(self) -> EngineSpec:
        return self.plan.engine(self.best)

    def to_dict(self) -> dict[str, Any]:
        check = None
        if self.check is not None:
            interval = self.check.interval()
            check = {
                "against": str(self.plan.player.engine),
                "games": self.check.games,
                "wins": self.check.wins,
                "draws": self.check.draws,
                "losses": self.check.losses,
                "percentage": 100 * self.check.fraction,
                "interval": [100 * interval.low, 100 * interval.high],
                "elo": self.check.elo,
                "elo_interval": self.check.elo_interval().to_list(),
            }
        return {
            "engine": str(self.engine),
            "best": self.best,
            "intervals": {name: [interval.low, interval.high] for name, interval in self.intervals.items()},
            "against": self.plan.base.players[1].name,
            "expected_percentage": 100 * self.expected,
            "expected_interval": [100 * self.expected_interval.low, 100 * self.expected_interval.high],
            "games": len(self.trials),
            "void": sum(trial.points is None for trial in self.trials),
            "check": check,
            "seed": self.plan.base.seed,
            "tuning": self.plan.digest,
            "interrupted": self.interrupted,
        }


# ---- running


def tune(
    plan: TuningPlan,
    *,
    games: int,
    check_games: int,
    store: TuneStore,
    play: PlayGames,
    progress: Callable[[str, int, float], None] | None = None,
) -> TuneResult:
    """Plays the games that the store does not have, and says what they all show.

    `games` is made even. `progress` is called with the phase ("search" or "check"), and the games and points in it so
    far. `play` plays games and hands over their records.
    """
    pairs = (check_integer("games", games, low=2) + 1) // 2
    check_integer("the number of games of the check", check_games, low=0)
    plan.base.check()
    store.add_tuning(plan.digest, plan.describe())
    interrupted, check = False, None
    run = _Run(plan, store, progress or (lambda *_: None))
    try:
        run.search(pairs, play)
    except KeyboardInterrupt:
        interrupted = True
        run.read_store(pairs)  # it may have come after a game was stored and before it was counted
    conclusion = _conclude(plan, run.trials)
    try:
        if not interrupted and plan.engine(conclusion["best"]) != plan.player.engine:
            check = run.check(conclusion["best"], check_games, play)
    except KeyboardInterrupt:
        interrupted = True
    return TuneResult(plan=plan, trials=tuple(run.trials), check=check, interrupted=interrupted, **conclusion)


class _Run:
    def __init__(self, plan: TuningPlan, store: TuneStore, progress: Callable[[str, int, float], None]) -> None:
        self._plan = plan
        self._store = store
        self._progress = progress
        self._by_number: dict[int, Trial] = {}

    @property
    def trials(self) -> list[Trial]:
        return [self._by_number[number] for number in sorted(self._by_number)]

    def read_store(self, pairs: int) -> None:
        stored = self._store.trials(self._plan.digest, SEARCH)
        self._by_number = {trial.number: trial for trial in stored if trial.number < 2 * pairs}

    def search(self, pairs: int, play: PlayGames) -> None:
        self.read_store(pairs)
        points = sum(trial.points or 0 for trial in self._by_number.values())
        self._progress(SEARCH, len(self._by_number), points)
        for numbers in rounds(pairs, self._plan.space.dimensions):
            self._play_round(numbers, play)
            self._check_for_void()

    def _play_round(self, pairs: range, play: PlayGames) -> None:
        games = [number for pair in pairs for number in (2 * pair, 2 * pair + 1) if number not in self._by_number]
        if not games:
            return
        before = [trial for trial in self.trials if trial.number < 2 * pairs.start]
        chosen = dict(zip(pairs, choose_values(self._plan, before, pairs), strict=False))
        for trial in self.trials:  # a pair whose first game has been played goes on with the values of that
            chosen[trial.number // 2] = dict(trial.values)

        def take(record: GameRecord) -> None:
            values = chosen[record.number // 2]
            self._store.save(self._plan.digest, SEARCH, record, values)
            self._by_number[record.number] = Trial(number=record.number, values=values, points=record.points)
            self._progress(SEARCH, 1, record.points or 0)

        play([(self._plan.with_values(chosen[number // 2]), number) for number in games], take)

    def _check_for_void(self) -> None:
        if self._by_number and all(trial.points is None for trial in self._by_number.values()):
            raise MatchError(f"the first {len(self._by_number)} games were all void: see that both players can play")

    def check(self, values: dict[str, Number], games: int, play: PlayGames) -> Score | None:
        """A match against the engine as it was given."""
        plan = self._plan.check_match(values)
        phase = f"check {json.dumps(values)}"
        points = {trial.number: trial.points for trial in self._store.trials(self._plan.digest, phase)}
        self._progress("check", len(points), sum(value or 0 for value in points.values()))

        def take(record: GameRecord) -> None:
            self._store.save(self._plan.digest, phase, record, values)
            points[record.number] = record.points
            self._progress("check", 1, record.points or 0)

        play([(plan, number) for number in range(games) if number not in points], take)
        counted = [value for number, value in points.items() if value is not None and number < games]
        wins, losses = counted.count(1.0), counted.count(0.0)
        return Score(wins=wins, draws=len(counted) - wins - losses, losses=losses) if counted else None


def rounds(pairs: int, dimensions: int) -> Iterator[range]:
    """The numbers of the pairs, round by round."""
    start, size = 0, FIRST_PAIRS * dimensions
    while start < pairs:
        yield range(start, min(start + size, pairs))
        start += size
        size = max(ROUND_PAIRS, start // ROUND_PART)


# ---- the model


def choose_values(plan: TuningPlan, before: Sequence[Trial], pairs: range) -> list[dict[str, Number]]:
    """The values of a round: of at least as many pairs as asked for, since a round that was cut short goes on later."""
    space = plan.space
    candidates = space.candidates(CANDIDATES[space.dimensions])
    if not any(trial.points is not None for trial in before):
        return [space.values(candidates[pair % len(candidates)]) for pair in pairs]
    random = np.random.default_rng(derive_seed(plan.base.seed, "choose", pairs.start))
    whole = max(ROUND_PAIRS, pairs.start // ROUND_PART)
    with _one_thread():
        surfaces = _fit(space, before).draw(candidates, max(whole, len(pairs)), random)
    return [space.values(candidates[index]) for index in surfaces.argmax(axis=1)]


def _fit(space: Space, trials: Sequence[Trial]) -> Any:
    from tesuji.arena.tune_model import Surface  # noqa: PLC0415  scipy is slow to load

    sums: dict[tuple[float, ...], list[float]] = {}
    for trial in trials:
        if trial.points is not None:
            entry = sums.setdefault(tuple(space.place(trial.values)), [0.0, 0.0])
            entry[0] += 1
            entry[1] += trial.points
    games, points = np.array(list(sums.values())).T
    return Surface(np.array(list(sums)), games, points)


def _conclude(plan: TuningPlan, trials: Sequence[Trial]) -> dict[str, Any]:
    """Best values, their intervals, the expected score and the curves."""
    space = plan.space
    if not any(trial.points is not None for trial in trials):
        raise MatchError("no game was finished, so nothing can be said of the parameters")
    with _one_thread():
        surface = _fit(space, trials)
        best = _best_place(space, surface)
        candidates = np.vstack([space.candidates(CANDIDATES[space.dimensions]), best])
        random = np.random.default_rng(derive_seed(plan.base.seed, "interval"))
        winners = candidates[surface.draw(candidates, INTERVAL_DRAWS, random).argmax(axis=1)]
        middle, low, high = _scores(surface, best[None])
        curves = {item.name: _curve(space, surface, best, index) for index, item in enumerate(space.ranges)}
    ends = np.quantile(winners, [0.025, 0.975], axis=0)
    ends = np.clip(ends, [np.zeros(space.dimensions), best], [best, np.ones(space.dimensions)])
    lows, highs = (space.values(end) for end in ends)
    return {
        "best": space.values(best),
        "intervals": {name: Interval(low=lows[name], high=highs[name]) for name in lows},
        "expected": float(middle[0]),
        "expected_interval": Interval(low=float(low[0]), high=float(high[0])),
        "curves": curves,
    }


def _best_place(space: Space, surface: Any) -> Matrix:
    """Where the expected score is highest: among places everywhere, then among places near the best of them."""
    places = space.candidates(FINE_CANDIDATES)
    for width in (0.25, 0.05):
        center = places[surface.predict(places)[0].argmax()]
        places = np.vstack([center, space.candidates(FINE_CANDIDATES, center=center, width=width)])
    best: Matrix = places[surface.predict(places)[0].argmax()]
    return best


def _scores(surface: Any, places: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Expected score and its 95% band."""
    from scipy.special import expit  # noqa: PLC0415  slow to load

    mean, deviation = surface.predict(places)
    return expit(mean), expit(mean - Z95 * deviation), expit(mean + Z95 * deviation)


def _curve(space: Space, surface: Any, best: Matrix, index: int) -> Curve:
    places = np.repeat(best[None], CURVE_POINTS, axis=0)
    places[:, index] = np.linspace(0, 1, CURVE_POINTS)
    middle, low, high = (tuple(line.tolist()) for line in _scores(surface, places))
    item = replace(space.ranges[index], integer=False)
    values = tuple(float(item.value(place)) for place in places[:, index])
    return Curve(values=values, middle=middle, low=low, high=high)


@contextmanager
def _one_thread() -> Iterator[None]:
    """The matrices are small: more threads only wait for each other, and may round otherwise."""
    from threadpoolctl import threadpool_limits  # noqa: PLC0415  slow to load

    import tesuji.arena.tune_model  # noqa: F401, PLC0415  its libraries must be loaded to be limited

    with threadpool_limits(1):
        yield
