"""What came out of a match."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import Budget, EnginePlayer, PlayerSpec
from tesuji.arena.record import GameRecord
from tesuji.arena.statistics import Interval, Score
from tesuji.arena.tally import Tally
from tesuji.games.own import OwnPosition

# An engine that had a core for itself takes hardly more wall time than CPU time.
OVERLOAD = 1.5
# Too little to judge by.
_LITTLE_CPU_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """The result as A sees it. Games that were not played because of Ctrl-C are missing, and `interrupted` says so.

    `sprt` is the hypothesis that a sequential test accepted, `notes` what the reader of the figures should know.
    """

    plan: MatchPlan = field(repr=False)
    tally: Tally = field(repr=False)
    records: tuple[GameRecord, ...] = field(repr=False)
    interrupted: bool = False
    sprt: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def a(self) -> PlayerSpec:
        return self.plan.players[0]

    @property
    def b(self) -> PlayerSpec:
        return self.plan.players[1]

    @property
    def seed(self) -> int:
        return self.plan.seed

    @property
    def playouts(self) -> tuple[int | None, int | None]:
        """The playouts a move of A and B, None for a player without such a budget."""
        first, second = (None if budget is None else budget.playouts for budget in map(budget_of, self.plan.players))
        return first, second

    @property
    def score(self) -> Score:
        """The games but those of fractional points."""
        return self.tally.score

    @property
    def games(self) -> int:
        """The games that count: neither void nor duplicates."""
        return self.tally.games

    @property
    def wins(self) -> int:
        return self.tally.score.wins

    @property
    def draws(self) -> int:
        return self.tally.score.draws

    @property
    def losses(self) -> int:
        return self.tally.score.losses

    @property
    def percentage(self) -> float:
        """Points of A in percent, a draw being half a point."""
        return 100 * self.tally.fraction

    @property
    def interval(self) -> Interval:
        """The 95% Wilson interval of `percentage`."""
        fractions = self.tally.interval()
        return Interval(low=100 * fractions.low, high=100 * fractions.high)

    @property
    def elo(self) -> float:
        return self.tally.elo

    @property
    def elo_interval(self) -> Interval:
        """The 95% interval of `elo`, from pairs of games where the openings are paired."""
        return self.tally.elo_interval()

    def __str__(self) -> str:
        low, high = self.interval.low, self.interval.high
        return (
            f"{self.a.name} against {self.b.name}: {self.percentage:.1f}% ({low:.1f} to {high:.1f}) of {self.games} "
            f"games; {self.wins} won, {self.draws} drawn, {self.losses} lost"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "a": self.a.name,
            "b": self.b.name,
            "players": [str(player) for player in self.plan.players],
            "playouts": list(self.playouts),
            "seed": self.seed,
            "openings": str(self.plan.openings),
            "match": self.plan.digest,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "fractional": self.tally.fractional,
            "void": self.tally.void,
            "duplicates": self.tally.duplicates,
            "percentage": self.percentage,
            "interval": [self.interval.low, self.interval.high],
            "elo": self.elo,
            "elo_interval": self.elo_interval.to_list(),
            "sprt": self.sprt,
            "interrupted": self.interrupted,
            "notes": list(self.notes),
        }


def budget_of(player: PlayerSpec) -> Budget | None:
    """What a player may spend on a move, as far as it is known."""
    budget = getattr(player, "budget", None)
    return budget if isinstance(budget, Budget) else None


# ---- notes


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crowding(plan: MatchPlan, jobs: int) -> Iterator[str]:
    """Warns of more threads than processors."""
    budgets = filter(None, map(budget_of, plan.players))
    threads = max((budget.threads for budget in budgets), default=1)
    if jobs * threads > cores():
        product = f"{jobs} jobs" if threads == 1 else f"{jobs} jobs times {threads} threads"
        yield f"{product} are more than the {cores()} processors here: budgets in wall time are not what they say"


def observations(plan: MatchPlan, records: list[GameRecord]) -> Iterator[str]:
    """What the games themselves show."""
    by_the_clock = any(budget is None or budget.seconds is not None for budget in map(budget_of, plan.players))
    for side, player in enumerate(plan.players):
        wall = sum(record.wall_seconds[side] for record in records)
        cpu = sum(record.cpu_seconds[side] for record in records)
        if by_the_clock and isinstance(player, EnginePlayer) and cpu > _LITTLE_CPU_SECONDS:
            # Threads of a game written in Python wait for each other, and not for the machine.
            ratio = wall * (1 if isinstance(plan.start, OwnPosition) else player.budget.threads) / cpu
            if ratio > OVERLOAD:
                yield (
                    f"the machine was overloaded: {'AB'[side]} took {ratio:.1f} times as much wall time as CPU time, "
                    "so budgets in wall time are not what they say"
                )
    void = [record for record in records if record.is_void]
    if void:
        yield f"void games: {len(void)}, the first because of {void[0].reason}"
    failed = [record for record in records if record.reason is not None and not record.is_void]
    if failed:
        yield f"games lost by a failure: {len(failed)}, the first because of {failed[0].reason}"
    disputed = sum(record.disagreement is not None for record in records)
    if disputed:
        yield f"games in which two ways to settle the board disagreed: {disputed}"
    versions = sorted({record.version for record in records})
    if len(versions) > 1:
        yield f"the games were played by several versions of tesuji: {', '.join(versions)}"
