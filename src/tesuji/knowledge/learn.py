"""Learns a model from records: harvests shapes, lets all moves compete, finds the gammas, and judges the result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.checks import check_integer, check_number
from tesuji.errors import ArgumentError, ModelError, RecordError
from tesuji.knowledge.bradley_terry import METHODS, Limits, Numbers, Problem, Progress, maximise
from tesuji.knowledge.features import (
    SHAPE_SIZES,
    Shapes,
    go_features,
    groups,
    harvest,
    level_names,
    marks_last,
    part_matrices,
)
from tesuji.knowledge.model import Model
from tesuji.knowledge.records import Record, Records, native_records, read_records, split
from tesuji.provenance import provenance

GAMES: Final = ("go",)
TOP_MOVES: Final = 50
_BATCH: Final = 50  # games between two looks at the clock and at Ctrl-C


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
        if self.games is not None:
            check_integer("games", self.games, low=1)
        for name in self.without:
            if not any(feature.name.startswith(name) for feature in go_features()):
                raise ArgumentError(f"no feature's name begins with {name!r}; `tesuji learn go --show` lists them")


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
    checkpoint: Path | None = None,
    watch: Watcher = _watch_nothing,
) -> Model:
    """A model learned from records: SGF files, folders of them, JSON lines.

    The newest games are kept out: the model's report says how well it foresees them. With a `checkpoint` file an
    interrupted run goes on with the gammas that it had.
    """
    if game not in GAMES:
        raise ArgumentError(f"there are models of {', '.join(GAMES)} only, not of {game!r}")
    check_integer("threads", threads, low=1, high=64)
    settings = settings or Settings()
    paths = [records] if isinstance(records, Path | str) else list(records)
    watch("reading", 0, 1)
    collection = read_records(paths, size=size)
    watch("reading", 1, 1, f"{len(collection.games):,} games, {len(collection.skipped):,} left out")
    return _Learner(collection, settings, threads, watch).learn(checkpoint)


class _Learner:
    def __init__(self, records: Records, settings: Settings, threads: int, watch: Watcher) -> None:
        self.records = records
        self.settings = settings
        self.threads = threads
        self.watch = watch
        self.split = split(records)
        self.train = _spread(self.split.train, settings.games)
        self.provenance = provenance()  # now: the checkout may have changed when the gammas are found

    def learn(self, checkpoint: Path | None) -> Model:
        shapes = harvest(self._played_shapes(), least=self.settings.least)
        competitions = self._competitions("training games", self.train, shapes)
        parts = part_matrices(shapes, without=self.settings.without)
        problem = Problem(competitions=competitions, parts=parts, prior=self.settings.prior, threads=self.threads)
        kept = None if checkpoint is None else _Checkpoint(checkpoint, self._fingerprint(shapes))
        weights = self._maximise(problem, shapes, kept)
        facts = {"moves": competitions.position_count, "teams": competitions.team_count, "shapes": len(shapes)}
        del problem, competitions  # gigabytes
        report = self._report(weights, shapes) | facts
        if kept is not None:
            kept.remove()
        return Model(
            game="go",
            weights=weights.astype(np.float32),
            shapes=shapes,
            report=report,
            without=self.settings.without,
        )

    def _played_shapes(self) -> NDArray[np.uint64]:
        native, marks = native_records(self.train), marks_last(self.settings.without)
        found = [native.shapes(first, last, marks) for first, last in self._batches("shapes", len(self.train))]
        return np.concatenate(found).reshape(-1, SHAPE_SIZES)

    def _competitions(self, stage: str, games: Sequence[Record], shapes: Shapes) -> _core.Competitions:
        competitions = _core.Competitions()
        native = native_records(games)
        table = _core.GoShapes(shapes.hashes, marks_last(self.settings.without))
        for first, last in self._batches(stage, len(games)):
            native.compete(first, last, table, competitions, self.threads)
        return competitions

    def _batches(self, stage: str, count: int) -> Iterator[tuple[int, int]]:
        self.watch(stage, 0, count)
        for first in range(0, count, _BATCH):
            last = min(first + _BATCH, count)
            yield first, last
            self.watch(stage, last, count)

    def _maximise(self, problem: Problem, shapes: Shapes, kept: _Checkpoint | None) -> Numbers:
        def tell(progress: Progress) -> None:
            if kept is not None:
                kept.save(progress.weights)
            note = f"log-likelihood {progress.log_likelihood:.4f}, gradient {progress.gradient:.1e}"
            self.watch("gammas", progress.iteration, self.settings.iterations, note)

        self.watch("gammas", 0, self.settings.iterations)
        return maximise(
            problem,
            method=self.settings.method,
            groups=groups(shapes),
            start=None if kept is None else kept.load(problem.feature_count),
            limits=Limits(iterations=self.settings.iterations, tolerance=self.settings.tolerance),
            watch=tell,
        )

    def _report(self, weights: Numbers, shapes: Shapes) -> dict[str, Any]:
        parts = part_matrices(shapes, without=self.settings.without)
        judged = {}
        for name, games in (("validation", self.split.validation), ("test", self.split.test)):
            competitions = self._competitions(f"{name} games", games, shapes)
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
        """Of all that the gammas depend on, but for how they are found."""
        digest = hashlib.sha256(
            json.dumps([level_names(), self.settings.without, self.settings.prior, self.records.size]).encode()
        )
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


class _Checkpoint:
    """The gammas so far, for who was interrupted."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        self._path = path
        self._fingerprint = fingerprint

    def save(self, weights: Numbers) -> None:
        beside = self._path.with_name(self._path.name + ".new")
        with beside.open("wb") as file:
            np.savez(file, fingerprint=np.array(self._fingerprint), weights=weights)
        beside.replace(self._path)

    def load(self, count: int) -> Numbers | None:
        """None where there is nothing yet."""
        if not self._path.exists():
            return None
        try:
            with np.load(self._path, allow_pickle=False) as arrays:
                fingerprint, weights = str(arrays["fingerprint"]), arrays["weights"]
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(f"{self._path} cannot be gone on with: {error}; remove it to begin anew") from None
        if fingerprint != self._fingerprint or weights.shape != (count,):
            raise ModelError(f"{self._path} is from learning with other records or settings: remove it to begin anew")
        found: Numbers = weights.astype(np.float64)
        return found

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)
