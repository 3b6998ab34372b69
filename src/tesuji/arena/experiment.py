"""Experiment files: one TOML file for each table of a paper, the published numbers beside the matches that redo it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from tesuji.arena.report import Published
from tesuji.arena.toml_lines import line_of
from tesuji.errors import ArgumentError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Positive = Annotated[int, Field(ge=1)]
ScaleName = Literal["quick", "medium", "full"]
#: From minutes over a night on a laptop to what the paper did.
SCALES: tuple[ScaleName, ...] = get_args(ScaleName)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Scale(_Model):
    """How much of an experiment is played: games a match, the part of every budget or other playouts, and which x.

    Playouts that are multiples of x are what the experiment is about, and stay as they are. A series may have a scale
    of its own, whose items go before those of the experiment.
    """

    games: Positive | None = None
    budget: Annotated[float, Field(gt=0, le=1)] | None = None
    playouts: Annotated[list[Positive], Field(min_length=2, max_length=2)] | None = None
    x: list[int | float] | None = None

    def over(self, other: Scale) -> Scale:
        """Itself, and where it says nothing the other."""
        return other.model_copy(update=self.model_dump(exclude_none=True))

    def __str__(self) -> str:
        """What it changes."""
        parts = [
            f"{self.budget:g} of the budgets that the full one has" if self.budget is not None else "",
            f"{self.playouts[0]:,} playouts a move against {self.playouts[1]:,}" if self.playouts is not None else "",
            f"at {', '.join(f'{x:,g}' for x in self.x)} only" if self.x is not None else "",
        ]
        return ", ".join(part for part in parts if part) or "everything with the budgets of the file"


class MatchTable(_Model):
    """A series of matches: one for each `x`, which may stand in the players as {x}, or scale the playouts.

    It may also be the threads of a player: `threads = ["x", 1]` is x threads of A against one of B. Without
    `games` of its own it has the experiment's.
    """

    series: str
    game: str
    size: int | None = None
    komi: float | None = None
    a: str
    b: str
    x: list[int | float]
    playouts: list[Positive] | None = None
    playouts_times_x: list[Positive] | None = None
    cpu_seconds: list[float] | None = None
    threads: list[Positive | Literal["x"]] | None = None
    resign: float = 0.0
    openings: str | None = None
    referee: str | None = None
    failures: Literal["loss", "void"] = "loss"
    games: Positive | None = None
    scale: dict[ScaleName, Scale] = {}

    @model_validator(mode="after")
    def _one_budget(self) -> MatchTable:
        budgets = [self.playouts, self.playouts_times_x, self.cpu_seconds]
        if sum(budget is not None for budget in budgets) != 1:
            raise ValueError("give one of playouts, playouts_times_x and cpu_seconds")
        if any(budget is not None and len(budget) != 2 for budget in budgets):
            raise ValueError("a budget is a pair: for A and for B")
        if self.threads is not None and len(self.threads) != 2:
            raise ValueError('threads are a pair, for A and for B, such as [2, 1] or ["x", 1]')
        return self

    def budget(self, x: float, scale: Scale) -> dict[str, tuple[Any, Any]]:
        """The options of `make_budgets`, as far as the scale leaves them as they are in the file."""
        budget = self._limit(x, scale)
        if self.threads is not None:
            first, second = (x if count == "x" else count for count in self.threads)
            budget["threads"] = first, second
        if self.resign != 0:
            budget["resign"] = self.resign, self.resign
        return budget

    def _limit(self, x: float, scale: Scale) -> dict[str, tuple[Any, Any]]:
        part = scale.budget or 1.0
        if self.playouts_times_x is not None:
            return {"playouts": (round(self.playouts_times_x[0] * x), round(self.playouts_times_x[1] * x))}
        if self.playouts is not None:
            first, second = scale.playouts or [max(1, round(count * part)) for count in self.playouts]
            return {"playouts": (first, second)}
        pair = self.cpu_seconds or []
        return {"cpu_seconds": (pair[0] * part, pair[1] * part)}


class PublishedTable(_Model):
    """Printed numbers: x, percentage and, where there is one, the margin; none where there is only a picture.

    Those that answer another question than the matches are shown, but not `comparable`.
    """

    series: str
    source: str
    comparable: bool = True
    values: list[list[int | float]]

    @model_validator(mode="after")
    def _two_or_three(self) -> PublishedTable:
        if any(len(value) not in (2, 3) for value in self.values):
            raise ValueError("each value is [x, percentage] or [x, percentage, margin]")
        return self


class Experiment(_Model):
    """One that `waits_for` a part of tesuji has only matches that need not wait, one `made_by` another command none."""

    title: str
    text: str
    x_label: str
    y_label: str
    paper: str | None = None
    log_x: bool = False
    games: Positive | None = None
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = None
    waits_for: str | None = None
    made_by: str | None = None
    report: str | None = None
    scale: dict[ScaleName, Scale] = {}
    match: list[MatchTable] = []
    published: list[PublishedTable] = []

    @model_validator(mode="after")
    def _complete(self) -> Experiment:
        if not self.match and self.waits_for is None and self.made_by is None:
            raise ValueError("give matches, or say what it waits for, or which command it is made by")
        if self.match and self.made_by is not None:
            raise ValueError("what is made by another command has no matches")
        if self.match and (self.games is None or self.seed is None):
            raise ValueError("matches need games and seed")
        return self

    def numbers(self) -> tuple[Published, ...]:
        """What was published, a value each."""
        return tuple(
            Published(
                series=table.series,
                x=value[0],
                percentage=value[1],
                margin=value[2] if len(value) == 3 else None,
                source=table.source,
                comparable=table.comparable,
            )
            for table in self.published
            for value in table.values
        )


@dataclass(frozen=True, kw_only=True)
class ExperimentFile:
    """An experiment and where it comes from."""

    path: Path
    text: str
    experiment: Experiment

    @property
    def name(self) -> str:
        return self.path.stem

    def where(self, place: Sequence[str | int]) -> str:
        """File and line, for messages."""
        return f"{self.path}, line {line_of(self.text, place)}"

    def scale_names(self) -> list[ScaleName]:
        """The scales that the file knows, the smallest first."""
        return [name for name in SCALES if name in self.experiment.scale]

    def choose_scale(self, name: str | None) -> ScaleName | None:
        """The scale of this name, or the smallest; None where the file has none and none is asked for."""
        known = self.scale_names()
        if name is None:
            return known[0] if known else None
        chosen = next((scale for scale in known if scale == name), None)
        if chosen is None:
            has = f"it has {', '.join(known)}" if known else "it is played as the file says: leave out --scale"
            raise ArgumentError(f"{self.path} has no scale {name!r}; {has}")
        return chosen

    def places(self, scale: str | None) -> Iterator[tuple[int, float, Scale]]:
        """The matches of a scale: the number of the series, the x, and what the scale says of them."""
        chosen = self.choose_scale(scale)
        common = Scale() if chosen is None else self.experiment.scale[chosen]
        for number, table in enumerate(self.experiment.match):
            own = common if chosen is None else table.scale.get(chosen, Scale()).over(common)
            for x in table.x:
                if own.x is None or x in own.x:
                    yield number, x, own


def load_experiment(path: Path) -> ExperimentFile:
    try:
        text = path.read_text(encoding="utf-8")
        return ExperimentFile(path=path, text=text, experiment=Experiment.model_validate(tomllib.loads(text)))
    except OSError as error:
        raise ArgumentError(f"cannot read the experiment {path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ArgumentError(f"{path} is no TOML: {error}") from None
    except ValidationError as error:
        errors = error.errors()
        # Of "an integer or a finite number" the second half is what an infinite one lacks.
        first = next((item for item in errors if item["type"] == "finite_number"), errors[0])
        line = line_of(text, first["loc"])
        raise ArgumentError(f"{path}, line {line}: {_what_is_wrong(first)}") from None


def _what_is_wrong(error: ErrorDetails) -> str:
    """In our words where pydantic's speak of fields and inputs."""
    place = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"{place}: there is no such key"
    if error["type"] == "missing":
        return f"{place} is missing"
    message = error["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message
