"""Settles finished games of Go."""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.arena.players import PlayerSpec
from tesuji.games.go import Go


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """The first player's reward; where two ways to settle differ, `disagreement` says how."""

    points: float
    disagreement: str | None = None


def settle_go(position: Go, *, seed: int, referee: PlayerSpec | None = None) -> Settlement:  # noqa: ARG001  by area alone
    """Counts the board as it stands."""
    return Settlement(points=position.outcome()[0])
