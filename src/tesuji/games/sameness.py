"""Whether two positions are the same, where nothing is known of their class."""

from __future__ import annotations

import copy
from contextlib import suppress
from typing import Any

# Deeper inside a position nothing is looked at; a position may hold its past.
_DEPTH = 8


def copied(position: Any) -> Any:
    """A copy to compare with, or the position itself where it cannot be copied."""
    try:
        return copy.deepcopy(position)
    except Exception:  # the user's objects raise what they like, RecursionError among it
        return position


def has_equality(value: Any) -> bool:
    """Whether its class says when two of them are equal."""
    return type(value).__eq__ is not object.__eq__  # type: ignore[comparison-overlap]  # that is the question


def same(before: Any, after: Any, depth: int = _DEPTH) -> bool:
    """Whether two values are the same, as far as can be seen: by their own equality, or else piece by piece."""
    import numpy as np  # noqa: PLC0415  slow to load, and most games are played without it

    if before is after or depth == 0:
        return True
    if type(before) is not type(after):
        return False
    if isinstance(before, np.ndarray):
        return bool(before.shape == after.shape and before.tobytes() == after.tobytes())
    if isinstance(before, list | tuple | dict | set | frozenset):
        return len(before) == len(after) and _same_pieces(before, after, depth)
    if has_equality(before):
        with suppress(Exception):  # an array inside has no truth; then piece by piece
            return bool(before == after)
    return _same_items(_fields(before), _fields(after), depth)  # an attribute that came later is a cache


def _same_pieces(before: Any, after: Any, depth: int) -> bool:
    if isinstance(before, dict):
        return _same_items(before, after, depth)
    if isinstance(before, set | frozenset):
        return bool(before == after) or not all(map(has_equality, before))
    return all(same(one, other, depth - 1) for one, other in zip(before, after, strict=True))


def _same_items(before: dict[Any, Any], after: dict[Any, Any], depth: int) -> bool:
    return all(key in after and same(value, after[key], depth - 1) for key, value in before.items())


def _fields(value: Any) -> dict[str, Any]:
    """The attributes of an object, in its dictionary or in slots."""
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    fields = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return {**fields, **getattr(value, "__dict__", {})}


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
