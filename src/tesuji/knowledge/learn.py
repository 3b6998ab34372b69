"""Learns a model from records: harvests shapes, lets all moves compete, finds the gammas, and judges the result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.checks import check_integer, check_number
from tesuji.errors import ArgumentError, RecordError, shown
from tesuji.knowledge.board_records import native_board_records, read_board_records
from tesuji.knowledge.bradley_terry import METHODS, Answer, Limits, Numbers, Problem, Progress, ask, maximise
from tesuji.knowledge.fast import FastLayer
from tesuji.knowledge.features import (
    FAST_LAYERS,
    NO_SHAPES,
    Shapes,
    check_shape_count,
    features_of,
    groups,
    harvest,
    level_names,
    marks_last,
    part_matrices,
    shape_sizes,
)
from tesuji.knowledge.journal import Journal
from tesuji.knowledge.model import GAMES, Model
from tesuji.knowledge.records import Record, Records, native_records, read_records, record_files, split
from tesuji.provenance import provenance

TOP_MOVES: Final = 50
FAST_GAMES: Final = 2000  # its features are few: more games say the same
_BATCH: Final = 50  # games between two looks at the clock and at Ctrl-C
_SHAPE_TABLES: Final[dict[str, Any]] = {
    "go-fast": _core.GoFastShapes,
    "othello": _core.OthelloShapes,
    "othello-fast": _core.OthelloFastShapes,
    "havannah": _core.HavannahShapes,
    "havannah-fast": _core.HavannahFastShapes,
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to learn; what changes any of it changes the model.

    `least`: how often a shape must have been played to be learned. `prior`: how many games each feature has won, and
    lost, against a feature of gamma 1. `games`: to learn from so many only, spread evenly over the years. `without`:
    how the names of features begin that are left out.
    """

    method: str = "lbfgs"
    least: int = 10
    prior: float = 1.0
    iterations: int = 100
    tolerance: float = 1e-4
    games: int | None = None
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ArgumentError(f"the method must be one of {', '.join(METHODS)}, not {self.method!r}")
        check_integer("least", self.least, low=1)
        check_number("prior", self.prior, low=0, high=1e6)
        check_integer("iterations", self.iterations, low=1)
        check_number("tolerance", self.tolerance, low=0, high=1)
        if self.method == "mm" and self.prior == 0:
            raise ArgumentError("the method mm needs a prior above 0: without it a feature that never won has no gamma")
        if not isinstance(self.without, tuple) or not all(isinstance(name, str) and name for name in self.without):
            raise ArgumentError(f"without must be a tuple of beginnings of names, not {shown(self.without)}")
        if self.games is not None:
            check_integer("games", self.games, low=1)


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """How well a model foresees moves: `top[i]` is the share of moves that were among its first i + 1."""

    positions: int
    log_likelihood: float  # a position
    top: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "top": list(self.top)}


class Watcher(Protocol):
    """Is told how far the work is: of each stage so many steps of so many, and a word on how it goes."""

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None: ...


def _watch_nothing(stage: str, done: int, total: int, note: str = "") -> None:
    """For who does not want to know."""


def learn(
    records: Iterable[Path | str] | Path | str,
    *,
    game: str = "go",
    size: int | None = None,
    settings: Settings | None = None,
    threads: int = 1,
    checkpoint: Path | str | None = None,
    watch: Watcher = _watch_nothing,
) -> Model:
    """A model learned from records: SGF files (of Go), folders of them, JSON lines.

    The newest games are kept out: the model's report says how well it foresees them. With a `checkpoint` file an
    interrupted run goes on where it was, and gives the same model; remove the file once the model is saved.
    """
    if game not in GAMES:
        raise ArgumentError(f"there are models of {', '.join(GAMES)} only, not of {game!r}")
    check_integer("threads", threads, low=1, high=64)
    settings = _checked(settings, game)
    if size is not None:
        check_integer("size", size, low=1)
    collection = _read(records, game, size, watch)
    learner = _Learner(game, collection, settings, threads, watch)
    model = learner.learn(None if checkpoint is None else Path(checkpoint))
    return replace(model, fast=learner.learn_fast())


def learn_fast(
    records: Iterable[Path | str] | Path | str,
    model: Model,
    *,
    settings: Settings | None = None,
    threads: int = 1,
    watch: Watcher = _watch_nothing,
) -> Model:
    """The same model with a fast layer, for playouts, learned from records."""
    check_integer("threads", threads, low=1, high=64)
    collection = _read(records, model.game, model.report.get("size"), watch)
    learner = _Learner(model.game, collection, _checked(settings, model.game), threads, watch)
    return replace(model, fast=learner.learn_fast())


def _read(records: Iterable[Path | str] | Path | str, game: str, size: int | None, watch: Watcher) -> Records:
    if not isinstance(records, Path | str | Iterable):
        raise ArgumentError(f"records are files and folders, not {shown(records)}")
    files = list(record_files([records] if isinstance(records, Path | str) else records))

    def watched() -> Iterator[Path]:
        for number, file in enumerate(files):
            watch("reading", number, len(files))
            yield file

    if game == "go":
        collection = read_records(watched(), size=size)
    else:
        collection = read_board_records(watched(), game=game, size=size)
    watch("reading", len(files), len(files), f"{len(collection.games):,} games, {len(collection.skipped):,} left out")
    return collection


def _checked(settings: Settings | None, game: str) -> Settings:
    settings = Settings() if settings is None else settings
    if not isinstance(settings, Settings):
        raise ArgumentError(f"settings must be tesuji.knowledge.Settings(...), not {shown(settings)}")
    for name in settings.without:
        if not any(feature.name.startswith(name) for feature in features_of(game)):
            example = "go19" if game == "go" else game
            how = f"`tesuji learn {game} --show {example}` lists them"
            raise ArgumentError(f"no feature's name begins with {name!r}; {how}")
    return settings


class _Learner:
    def __init__(self, game: str, records: Records, settings: Settings, threads: int, watch: Watcher) -> None:
        self.game = game
        self.records = records
        self.settings = settings
        self.threads = threads
        self.watch = watch
        self.split = split(records)
        self.train = _spread(self.split.train, settings.games)
        self.iterations = 0  # that the last gammas took
        self.provenance = provenance()  # now: the checkout may have changed when the gammas are found

    def learn(self, checkpoint: Path | None) -> Model:
        shapes = self._harvest(self.train, self.game)
        competitions = self._competitions("training games", self.train, shapes, self.game)
        parts = part_matrices(shapes, self.game, without=self.settings.without)
        problem = Problem(competitions=competitions, parts=parts, prior=self.settings.prior, threads=self.threads)
        with nullcontext() if checkpoint is None else Journal(checkpoint, self._fingerprint(shapes)) as journal:
            answer = ask if journal is None else journal.answer
            weights = self._maximise(problem, groups(shapes, self.game), answer=answer)
        facts = {
            "moves": competitions.position_count,
            "teams": competitions.team_count,
            "shapes": len(shapes),
            "iterations": self.iterations,
        }
        del problem, competitions  # gigabytes
        report = self._report(weights, shapes) | facts
        return Model(
            game=self.game,
            weights=weights.astype(np.float32),
            shapes=shapes,
            report=report,
            without=self.settings.without,
        )

    def learn_fast(self) -> FastLayer:
        layer = FAST_LAYERS[self.game]
        games = _spread(self.train, FAST_GAMES)
        shapes = self._harvest(games, layer)
        parts = part_matrices(shapes, layer)
        competitions = self._competitions("fast: training games", games, shapes, layer)
        problem = Problem(competitions=competitions, parts=parts, prior=self.settings.prior, threads=self.threads)
        weights = self._maximise(problem, groups(shapes, layer), stage="fast: gammas")
        report: dict[str, Any] = {"games": len(games), "moves": competitions.position_count, "shapes": len(shapes)}
        for name, held_out in (("validation", self.split.validation), ("test", self.split.test)):
            judged = self._competitions(f"fast: {name} games", held_out, shapes, layer)
            report[name] = judge(judged, parts, weights, threads=self.threads).to_dict()
        return FastLayer(game=self.game, weights=weights.astype(np.float32), shapes=shapes, report=report)

    def _harvest(self, games: Sequence[Record], layer: str) -> Shapes:
        smallest, largest = shape_sizes(layer)
        if largest < smallest:
            return NO_SHAPES
        native = self._native(games, layer)
        list_shapes = native.fast_shapes if layer == "go-fast" else native.shapes
        options = (marks_last(self.settings.without),) if layer == "go" else ()
        stage = "shapes" if layer == self.game else "fast: shapes"
        found = [list_shapes(first, last, *options) for first, last in self._batches(stage, len(games))]
        hashes = np.concatenate(found).reshape(-1, largest - smallest + 1)
        shapes = harvest(hashes, least=self.settings.least, first_size=smallest)
        try:
            check_shape_count(len(shapes))
        except ValueError as error:
            raise ArgumentError(f"{error}: learn those that were played oftener, with a higher `least`") from None
        return shapes

    def _native(self, games: Sequence[Record], layer: str) -> Any:
        return native_records(games) if self.game == "go" else native_board_records(layer, games)

    def _shape_table(self, shapes: Shapes, layer: str) -> Any:
        if layer == "go":
            return _core.GoShapes(shapes.hashes, marks_last(self.settings.without))
        return _SHAPE_TABLES[layer](shapes.hashes)

    def _competitions(self, stage: str, games: Sequence[Record], shapes: Shapes, layer: str) -> _core.Competitions:
        competitions = _core.Competitions()
        native = self._native(games, layer)
        table = self._shape_table(shapes, layer)
        for first, last in self._batches(stage, len(games)):
            native.compete(first, last, table, competitions, self.threads)
        return competitions

    def _batches(self, stage: str, count: int) -> Iterator[tuple[int, int]]:
        self.watch(stage, 0, count)
        for first in range(0, count, _BATCH):
            last = min(first + _BATCH, count)
            yield first, last
            self.watch(stage, last, count)

    def _maximise(
        self,
        problem: Problem,
        features: Sequence[NDArray[np.intp]],
        *,
        stage: str = "gammas",
        answer: Answer = ask,
    ) -> Numbers:
        def tell(progress: Progress) -> None:
            self.iterations = progress.iteration
            note = f"log-lik. {progress.log_likelihood:.4f}"  # more would not fit in eighty columns
            self.watch(stage, progress.iteration, self.settings.iterations, note)

        self.watch(stage, 0, self.settings.iterations)
        return maximise(
            problem,
            method=self.settings.method,
            groups=features,
            limits=Limits(iterations=self.settings.iterations, tolerance=self.settings.tolerance),
            watch=tell,
            answer=answer,
        )

    def _report(self, weights: Numbers, shapes: Shapes) -> dict[str, Any]:
        parts = part_matrices(shapes, self.game, without=self.settings.without)
        judged = {}
        for name, games in (("validation", self.split.validation), ("test", self.split.test)):
            competitions = self._competitions(f"{name} games", games, shapes, self.game)
            judged[name] = judge(competitions, parts, weights, threads=self.threads).to_dict()
        return {
            "size": self.records.size,
            "settings": {**asdict(self.settings), "without": list(self.settings.without)},
            "games": {"train": len(self.train), "validation": len(self.split.validation), "test": len(self.split.test)},
            "validation_from": self.split.validation[0].date,
            "test_from": self.split.test[0].date,
            "skipped": dict(list(self.records.skipped.items())[:100]),
            "skipped_count": len(self.records.skipped),
            **judged,
            "provenance": self.provenance,
        }

    def _fingerprint(self, shapes: Shapes) -> str:
        """Of all that the gammas depend on, but for when to stop."""
        settings = self.settings
        known = [level_names(self.game), settings.without, settings.prior, settings.method, self.records.size]
        digest = hashlib.sha256(json.dumps(known).encode())
        digest.update(shapes.hashes.tobytes())
        for game in self.train:
            digest.update(game.moves.tobytes())
        return digest.hexdigest()


def judge(competitions: _core.Competitions, parts: list[Any], weights: Numbers, *, threads: int = 1) -> Accuracy:
    """How well these weights foresee the moves of the competitions."""
    if competitions.position_count == 0:
        raise RecordError("there is no move to judge the model by")
    strengths = [np.exp(part @ weights) for part in parts]
    log_likelihood, _ = competitions.expect(strengths, threads)
    better = np.bincount(np.minimum(competitions.count_better(strengths), TOP_MOVES), minlength=TOP_MOVES + 1)
    top = np.cumsum(better[:TOP_MOVES]) / competitions.position_count
    return Accuracy(
        positions=competitions.position_count,
        log_likelihood=log_likelihood / competitions.position_count,
        top=tuple(round(float(share), 5) for share in top),
    )


def _spread(games: Sequence[Record], count: int | None) -> Sequence[Record]:
    if count is None or count >= len(games):
        return games
    return [games[index] for index in np.linspace(0, len(games) - 1, count).round().astype(int)]
