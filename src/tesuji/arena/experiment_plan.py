"""The matches of an experiment: those of a scale, all or some of them, checked before the first is played."""

from __future__ import annotations

import contextlib
import functools
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tesuji.arena.experiment import ExperimentFile, MatchTable, Scale
from tesuji.arena.match import as_player, make_budgets
from tesuji.arena.openings import as_openings
from tesuji.arena.plan import MatchPlan
from tesuji.arena.settle import check_referee
from tesuji.errors import ArgumentError, MissingProgramError, TesujiError, shown
from tesuji.games.registry import STARTS, make_game


@dataclass(frozen=True, kw_only=True)
class PlannedMatch:
    """One match of an experiment, and the command that plays it alone. `missing` says which program is not here."""

    series: str
    x: float
    plan: MatchPlan
    games: int
    command: str
    missing: str | None = None

    @property
    def name(self) -> str:
        return f"{self.series}, {self.x:.15g}"


@dataclass(frozen=True, kw_only=True)
class Only:
    """Some matches of an experiment: one of these games, series with one of these words, one of these x."""

    games: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    x: frozenset[float] = frozenset()

    def takes(self, table: MatchTable, x: float) -> bool:
        return (
            (not self.games or table.game.lower() in self.games)
            and (not self.words or any(word in table.series.lower() for word in self.words))
            and (not self.x or x in self.x)
        )


def parse_only(text: str, *, x_label: str, series: Iterable[str] = ()) -> Only:
    """`othello,k=3`: a name of a game, a word of a series' name, a value of the axis. Several of a kind are or-ed.

    A name of one of the `series` may have commas of its own.
    """
    whole = text.strip().lower()
    if "," in whole and any(whole in name.lower() for name in series):
        return Only(words=(whole,))
    games, words, values = set(), [], set()
    keys = {"x", x_label.lower(), x_label.lower().split()[0] if x_label.split() else "x"}
    for part in (part.strip() for part in whole.split(",")):
        key, equals, value = part.partition("=")
        if equals and key.strip() in keys:
            values.add(_number(part, value))
        elif equals:
            raise ArgumentError(f"--only: {shown(part)} is no value of the axis: write {x_label}=NUMBER or x=NUMBER")
        elif part in STARTS:
            games.add(part)
        elif part:
            words.append(part)
    if not (games or words or values):
        raise ArgumentError(f"--only: {shown(text)} names nothing: write games, words of a series, or {x_label}=NUMBER")
    return Only(games=frozenset(games), words=tuple(words), x=frozenset(values))


def _number(part: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ArgumentError(f"--only: {shown(part)} needs a number behind the '='") from None


def plan_matches(
    file: ExperimentFile,
    *,
    scale: str | None = None,
    games: int | None = None,
    only: Only | None = None,
    check: bool = True,
) -> list[PlannedMatch]:
    """The matches of a scale; an error says in which line and series it is.

    Without `scale` it is the smallest, and without scales in the file all as it says. `games` replaces the number of
    games everywhere. A match with a program that is not installed says so in `missing`. Without `check` nothing is
    tried out: whether the players can play at all.
    """
    tables = file.experiment.match
    matches = [
        _plan(
            file,
            number,
            x,
            own,
            games=games or own.games or tables[number].games or file.experiment.games or 1,
            check=check,
        )
        for number, x, own in file.places(scale)
        if only is None or only.takes(tables[number], x)
    ]
    if not matches and tables:
        raise ArgumentError(f"{file.path}: no match is chosen; there are {_choices(file)}")
    return matches


def _choices(file: ExperimentFile) -> str:
    label = file.experiment.x_label
    return "; ".join(
        f"{table.series} with {label} = {', '.join(f'{x:g}' for x in table.x)}" for table in file.experiment.match
    )


def _plan(file: ExperimentFile, number: int, x: float, scale: Scale, *, games: int, check: bool) -> PlannedMatch:
    reading = functools.partial(_reading, file, number, x)
    table = file.experiment.match[number]
    with reading("game"):
        start = make_game(table.game, size=table.size, komi=table.komi)
    budget = table.budget(x, scale)
    with reading("resign" if table.resign else "threads"):
        budgets = make_budgets(**budget)
    a, b = (text.replace("{x}", f"{x:.15g}") for text in (table.a, table.b))  # all digits: 1234567 is not 1.23457e+06
    with reading("a"):
        first = as_player(a, budgets[0], start=start)
    with reading("b"):
        second = as_player(b, budgets[1], start=start)
    with reading("openings"):
        openings = as_openings(table.openings, start)
    with reading("referee"):
        referee = None if table.referee is None else check_referee(as_player(table.referee, budgets[0]))
    seed = file.experiment.seed or 0
    plan = MatchPlan(
        start=start,
        players=(first, second),
        seed=seed,
        openings=openings,
        referee=referee,
        failures=table.failures,
    )
    return PlannedMatch(
        series=table.series,
        x=x,
        plan=plan,
        games=games,
        command=_command(table, (a, b), budget, games=games, seed=seed),
        missing=_check(plan, reading) if check else None,
    )


@contextlib.contextmanager
def _reading(file: ExperimentFile, number: int, x: float, key: str) -> Iterator[None]:
    """An error in here comes from this key of the series."""
    try:
        yield
    except MissingProgramError:
        raise
    except TesujiError as error:
        series = file.experiment.match[number].series
        raise ArgumentError(f"{file.where(('match', number, key))}: {series}, {x:g}: {error}") from None


def _check(plan: MatchPlan, reading: Callable[[str], AbstractContextManager[None]]) -> str | None:
    """Which program is missing here, if any."""
    with reading("openings"):
        plan.openings.check(plan.start)
    try:
        for key, player in (("a", plan.players[0]), ("b", plan.players[1]), ("referee", plan.referee)):
            with reading(key):
                if player is not None:
                    player.check(plan.start)
    except MissingProgramError as error:
        return str(error)
    return None


def _command(table: MatchTable, players: tuple[str, str], budget: dict[str, Any], *, games: int, seed: int) -> str:
    """What plays the match alone."""
    options: dict[str, Any] = {name: getattr(table, name) for name in ("size", "komi", "openings", "referee")}
    options |= {name.replace("_", "-"): f"{pair[0]},{pair[1]}" for name, pair in budget.items()}
    options |= {"games": games, "seed": seed, "failures": None if table.failures == "loss" else table.failures}
    words = ["tesuji", "match", table.game, *players]
    words += [word for name, value in options.items() if value is not None for word in (f"--{name}", str(value))]
    return shlex.join(words)
