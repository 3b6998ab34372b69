"""The one exception hierarchy. Every error that tesuji raises on purpose is a `TesujiError`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "ArgumentError",
    "ClusterError",
    "EvaluatorError",
    "GameError",
    "GameStateError",
    "IllegalMoveError",
    "MatchError",
    "MissingProgramError",
    "ModelError",
    "RecordError",
    "RuleError",
    "SearchBusyError",
    "SgfError",
    "SpecError",
    "StoreError",
    "TesujiError",
    "TreeError",
    "UnsuitedEngineError",
    "WorkerError",
]


class TesujiError(Exception):
    """The root of all errors raised by tesuji."""


class ArgumentError(TesujiError, ValueError):
    """An argument of the wrong type or out of its range."""


class UnsuitedEngineError(ArgumentError):
    """An engine that asks for what the game does not have, such as playouts with knowledge of another one."""


class MissingProgramError(ArgumentError):
    """A player that is another program, which is not installed here."""


class IllegalMoveError(TesujiError, ValueError):
    """A move that the rules forbid, or a value that is no move of this game at all."""


class GameStateError(TesujiError, ValueError):
    """A question that this position cannot answer, such as the outcome of a game that still goes on."""


class GameError(TesujiError, RuntimeError):
    """A game of the user's own that gives an answer which no game can give."""


class EvaluatorError(TesujiError, ValueError):
    """An evaluator or a playout policy of the user's own that gives an answer of the wrong kind."""


class SearchBusyError(TesujiError, RuntimeError):
    """A search that is asked for something while it runs in another thread."""


class SgfError(TesujiError, ValueError):
    """A game record that cannot be read or written; the message says where in the file."""


class SpecError(TesujiError, ValueError):
    """An engine spec that cannot be understood."""


class MatchError(TesujiError, RuntimeError):
    """A match that makes no sense to go on with."""


class StoreError(TesujiError, RuntimeError):
    """A file of results that cannot be used: damaged, of another kind, or in contradiction with another."""


class RecordError(TesujiError, ValueError):
    """Game records from which nothing can be learned."""


class ModelError(TesujiError, ValueError):
    """A file that is no model, or a damaged one, or one for something else."""


class TreeError(TesujiError, ValueError):
    """A file that is no search tree, or a damaged one, or a tree of something else."""


class RuleError(TesujiError, ValueError):
    """A rule of the user's own that gives an answer of the wrong kind."""


class ClusterError(TesujiError, RuntimeError):
    """Machines of a cluster that do not understand each other, or one that cannot take part."""


class WorkerError(TesujiError, RuntimeError):
    """A worker process of a match ended without an answer."""


def shown(value: object, limit: int = 60) -> str:
    """`repr(value)`, cut so that an error message stays one line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # the user's objects raise what they like; and Python writes out no integer of 5000 digits
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` where a known name is close, else nothing."""
    close = difflib.get_close_matches(word[:100], list(known), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
