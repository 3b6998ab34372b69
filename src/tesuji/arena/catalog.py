"""Players by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tesuji.arena.players import Budget, EnginePlayer, PlayerSpec
from tesuji.engines import parse_engine

Catalog = Mapping[str, Callable[[Budget], PlayerSpec]]


def load_engines(path: Path | None = None) -> Catalog:  # noqa: ARG001  no programs are known
    return {}


def resolve_player(text: str, budget: Budget, catalog: Catalog) -> PlayerSpec:
    """The player of this name, or our engine with this spec."""
    return catalog[text](budget) if text in catalog else EnginePlayer(engine=parse_engine(text), budget=budget)
