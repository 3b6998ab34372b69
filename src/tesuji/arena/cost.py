"""What an experiment will cost, from the speed of this machine as it is measured now."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tesuji.arena.cluster_player import machines_of
from tesuji.arena.experiment_plan import PlannedMatch
from tesuji.arena.game import play_game
from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.arena.record import GameRecord
from tesuji.search import Search

# So long the first look at an engine takes, and about so long the game that it then plays with fewer playouts.
_LOOK_SECONDS = 0.05
_GAME_SECONDS = 0.5
# A cluster of this size is within reach of many.
MANY_CORES = 256


@dataclass(frozen=True, kw_only=True)
class Cost:
    """CPU-seconds of the games that are left, and of the longest; `guessed` are programs whose share is a guess."""

    games: int
    cpu_seconds: float
    longest_game: float
    guessed: tuple[str, ...] = ()

    def wall_seconds(self, cores: int) -> float:
        return max(self.cpu_seconds / cores, self.longest_game)

    def describe(self, cores: int) -> str:
        """`about 310 core-hours here; 155 h on 2 cores, 1 h 20 min on 256 cores`."""
        if not self.games:
            return "nothing is left to play"
        if not self.cpu_seconds:
            return f"{self.games:,} games, of whose players nothing is known: the first ones will tell"
        units = (("core-hours", 3600), ("core-minutes", 60), ("core-seconds", 1))
        unit, seconds = next((unit for unit in units if self.cpu_seconds >= unit[1]), units[-1])
        size = f"{_rounded(self.cpu_seconds / seconds)} {unit}"
        times = [
            f"{duration(self.wall_seconds(count))} on {count} core{'s' if count > 1 else ''}"
            for count in dict.fromkeys((cores, MANY_CORES))
        ]
        guess = f" ({', '.join(self.guessed)}: taken to be as slow as ours)" if self.guessed else ""
        return f"about {size} here; {', '.join(times)}{guess}"


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def duration(seconds: float) -> str:
    """In the two largest units."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days:,} days {hours} h" if hours and days < 10 else f"{days:,} days"


def estimate(matches: Sequence[PlannedMatch], played: Callable[[MatchPlan], Sequence[GameRecord]]) -> Cost:
    """Games that were played tell what the others of their match will cost; else a short game of the series does."""
    paces: dict[str, Pace] = {}
    games, total, longest = 0, 0.0, 0.0
    guessed: dict[str, None] = {}
    for item in matches:
        records = played(item.plan)
        left = item.games - sum(record.number < item.games for record in records)
        if left <= 0 or item.missing is not None:
            continue
        if records:
            game = statistics.fmean(sum(record.cpu_seconds) for record in records)
        else:
            if item.series not in paces:
                paces[item.series] = measure(item.plan)
            game = paces[item.series].game_seconds(item.plan)
            guessed.update((player.name, None) for player in item.plan.players if not isinstance(player, EnginePlayer))
        games += left
        total += left * game
        longest = max(longest, game)
    return Cost(games=games, cpu_seconds=total, longest_game=longest, guessed=tuple(guessed))


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Moves that a player makes in a game, and CPU-seconds a playout of A and of B, None for another program.

    A playout of each machine, where they are simulated: what their exchanges take in larger clusters is not known.
    """

    moves: float
    seconds: tuple[float | None, float | None]

    def game_seconds(self, plan: MatchPlan) -> float:
        costs = [
            self.moves * machines_of(player) * self._move_seconds(player.budget, pace)
            for player, pace in zip(plan.players, self.seconds, strict=True)
            if isinstance(player, EnginePlayer) and pace is not None
        ]
        # A program that is not ours is taken to be as slow as its opponent.
        return 2 * statistics.fmean(costs) if costs else 0.0

    def _move_seconds(self, budget: Budget, pace: float) -> float:
        limits = [
            budget.playouts * pace if budget.playouts is not None else None,
            budget.cpu_seconds,
            budget.seconds * budget.threads if budget.seconds is not None else None,
        ]
        return min(limit for limit in limits if limit is not None)


def measure(plan: MatchPlan) -> Pace:
    """Plays one game with few playouts, each of our engines against itself where the other is a program."""
    engines = [player if isinstance(player, EnginePlayer) else None for player in plan.players]
    stand_in = next((player for player in engines if player is not None), None)
    if stand_in is None:
        return Pace(moves=0, seconds=(None, None))
    few = [_with_few_playouts(plan, player or stand_in) for player in engines]
    record = play_game(replace(plan, players=(few[0], few[1]), referee=None), 0)
    if record is None:
        raise KeyboardInterrupt
    moves = max(1, len(record.moves) - len(record.opening)) / 2
    seconds = [
        None if player is None else cpu / (moves * machines_of(probe) * (probe.budget.playouts or 1))
        for player, probe, cpu in zip(engines, few, record.cpu_seconds, strict=True)
    ]
    return Pace(moves=moves, seconds=(seconds[0], seconds[1]))


def _with_few_playouts(plan: MatchPlan, player: EnginePlayer) -> EnginePlayer:
    look = Search(plan.start, player.engine, seed=0).run(seconds=_LOOK_SECONDS)
    if look.stopped_by == "interrupt":
        raise KeyboardInterrupt
    moves = max(1, len(plan.start.legal_moves()))
    playouts = round(look.playouts / _LOOK_SECONDS * _GAME_SECONDS / moves)
    limit = player.budget.playouts
    return replace(player, budget=Budget(playouts=max(4, playouts if limit is None else min(playouts, limit))))
