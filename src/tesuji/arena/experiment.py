"""Experiment files: one TOML file for each table of a paper, the published numbers beside the matches that redo it."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from tesuji.arena.match import as_player, make_budgets
from tesuji.arena.openings import as_openings
from tesuji.arena.plan import MatchPlan
from tesuji.arena.report import Measured, Published, Report, Row
from tesuji.errors import ArgumentError, TesujiError
from tesuji.games.registry import make_game
from tesuji.provenance import provenance

Positive = Annotated[int, Field(ge=1)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


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
    games: Positive | None = None

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

    def budget(self, x: float) -> dict[str, tuple[Any, Any]]:
        """The options of `make_budgets`."""
        budget = self._limit(x)
        if self.threads is not None:
            first, second = (x if count == "x" else count for count in self.threads)
            budget["threads"] = first, second
        if self.resign != 0:
            budget["resign"] = self.resign, self.resign
        return budget

    def _limit(self, x: float) -> dict[str, tuple[Any, Any]]:
        if self.playouts_times_x is not None:
            return {"playouts": (round(self.playouts_times_x[0] * x), round(self.playouts_times_x[1] * x))}
        if self.playouts is not None:
            return {"playouts": (self.playouts[0], self.playouts[1])}
        pair = self.cpu_seconds or []
        return {"cpu_seconds": (pair[0], pair[1])}


class PublishedTable(_Model):
    """Printed numbers: x, percentage and, where there is one, the margin."""

    series: str
    source: str
    values: list[list[int | float]]

    @model_validator(mode="after")
    def _two_or_three(self) -> PublishedTable:
        if any(len(value) not in (2, 3) for value in self.values):
            raise ValueError("each value is [x, percentage] or [x, percentage, margin]")
        return self


class Experiment(_Model):
    title: str
    text: str
    x_label: str
    y_label: str
    log_x: bool = False
    games: Positive
    seed: Annotated[int, Field(ge=0)]
    match: list[MatchTable]
    published: list[PublishedTable] = []


@dataclass(frozen=True, kw_only=True)
class PlannedMatch:
    """One match of an experiment, and the command that plays it alone."""

    series: str
    x: float
    plan: MatchPlan
    games: int
    command: str


def load_experiment(path: Path) -> Experiment:
    try:
        return Experiment.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ArgumentError(f"cannot read the experiment {path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ArgumentError(f"{path} is no TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ArgumentError(f"{path}, {where or 'top'}: {first['msg']}") from None


def plan_matches(experiment: Experiment, *, games: int | None = None) -> Iterator[PlannedMatch]:
    """All matches, checked, of so many games or as many as the file says; an error says in which series it is."""
    for table in experiment.match:
        for x in table.x:
            try:
                yield _plan(experiment, table, x, games or table.games or experiment.games)
            except TesujiError as error:
                raise ArgumentError(f"{table.series}, {x:g}: {error}") from None


def _plan(experiment: Experiment, table: MatchTable, x: float, games: int) -> PlannedMatch:
    start = make_game(table.game, size=table.size, komi=table.komi)
    budget = table.budget(x)
    budgets = make_budgets(**budget)
    a, b = (text.replace("{x}", f"{x:g}") for text in (table.a, table.b))
    plan = MatchPlan(
        start=start,
        players=(as_player(a, budgets[0], start=start), as_player(b, budgets[1], start=start)),
        seed=experiment.seed,
        openings=as_openings(table.openings, start),
        referee=None if table.referee is None else as_player(table.referee, budgets[0]),
    )
    plan.check()
    options: dict[str, Any] = {name: getattr(table, name) for name in ("size", "komi", "openings", "referee")}
    options |= {name.replace("_", "-"): f"{pair[0]},{pair[1]}" for name, pair in budget.items()}
    options |= {"games": games, "seed": experiment.seed}
    words = ["tesuji", "match", table.game, a, b]
    words += [word for name, value in options.items() if value is not None for word in (f"--{name}", str(value))]
    return PlannedMatch(series=table.series, x=x, plan=plan, games=games, command=shlex.join(words))


def make_report(
    experiment: Experiment, matches: list[PlannedMatch], result_of: Callable[[PlannedMatch], Measured], *, command: str
) -> Report:
    return Report(
        title=experiment.title,
        text=experiment.text,
        x_label=experiment.x_label,
        y_label=experiment.y_label,
        log_x=experiment.log_x,
        rows=tuple(Row(series=item.series, x=item.x, result=result_of(item), command=item.command) for item in matches),
        published=tuple(
            Published(
                series=table.series,
                x=value[0],
                percentage=value[1],
                margin=value[2] if len(value) == 3 else None,
                source=table.source,
            )
            for table in experiment.published
            for value in table.values
        ),
        provenance={"command": command, **provenance()},
    )
