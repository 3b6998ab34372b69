"""Several players: matches between them, and one rating for all."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import PlayerSpec
from tesuji.arena.ratings import PairResult, Rating, rate
from tesuji.arena.result import MatchResult
from tesuji.arena.seeds import derive_seed
from tesuji.errors import ArgumentError

MakePlan = Callable[[tuple[PlayerSpec, PlayerSpec], int], MatchPlan]


@dataclass(frozen=True, kw_only=True)
class TournamentResult:
    matches: tuple[MatchResult, ...]

    @property
    def interrupted(self) -> bool:
        return any(result.interrupted for result in self.matches)

    def ratings(self) -> list[Rating]:
        """All players, the best first; those without a game are missing."""
        results = [
            PairResult(
                a=str(result.a),
                b=str(result.b),
                wins=result.wins,
                draws=result.draws,
                losses=result.losses,
                fractional=result.tally.fractional,
                fractional_points=result.tally.points - result.score.points,
            )
            for result in self.matches
        ]
        return rate(results) if any(result.games for result in self.matches) else []

    def to_dict(self) -> dict[str, Any]:
        return {
            "ratings": [vars(rating) for rating in self.ratings()],
            "matches": [result.to_dict() for result in self.matches],
            "interrupted": self.interrupted,
        }


def pairings(players: Sequence[PlayerSpec], *, gauntlet: bool) -> list[tuple[PlayerSpec, PlayerSpec]]:
    """Everybody against everybody, or the first against all others."""
    names = [str(player) for player in players]
    if len(names) < 2:
        raise ArgumentError("a tournament needs at least two players")
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(f"{name} is given twice: each player takes part once")
    if gauntlet:
        return [(players[0], other) for other in players[1:]]
    return list(itertools.combinations(players, 2))


def plan_tournament(
    players: Sequence[PlayerSpec], make_plan: MakePlan, *, seed: int, gauntlet: bool = False
) -> list[MatchPlan]:
    """A match for each pairing. Its seed follows from the names: one player more changes no game of the others."""
    plans = [make_plan((a, b), derive_seed(seed, str(a), str(b))) for a, b in pairings(players, gauntlet=gauntlet)]
    for plan in plans:
        plan.check()
    return plans
