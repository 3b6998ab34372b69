"""Checks of arguments. Each returns the value as a plain Python number, or raises `ArgumentError`."""

from __future__ import annotations

import math
import operator
import re
import secrets

from tesuji.errors import ArgumentError, shown

_MEMORY_UNITS = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
}
_MEMORY = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


def check_integer(name: str, value: object, *, low: int, high: int | None = None) -> int:
    """An integer (numpy's too, but no bool) within [low, high]."""
    number = as_integer(value)
    if number is None or number < low or (high is not None and number > high):
        allowed = f"an integer from {low} to {high}" if high is not None else f"an integer of at least {low}"
        raise ArgumentError(f"{name} must be {allowed}, not {shown(value)}")
    return number


def as_integer(value: object) -> int | None:
    """The value as an int, or None where it is none: a bool counts as no integer, it is a slip nearly always."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # refusing what is no integer is its task
    except TypeError:
        return None


def check_number(name: str, value: object, *, low: float = -math.inf, high: float = math.inf) -> float:
    """A finite real number within [low, high]."""
    try:
        number = math.nan if isinstance(value, bool | str | bytes) else float(value)  # type: ignore[arg-type]  # as above
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or not low <= number <= high:
        bounds = "" if math.isinf(low) and math.isinf(high) else f" from {low:g} to {high:g}"
        raise ArgumentError(f"{name} must be a finite number{bounds}, not {shown(value)}")
    return number


def check_positive(name: str, value: object) -> float:
    number = check_number(name, value)
    if number <= 0:
        raise ArgumentError(f"{name} must be positive, not {shown(value)}")
    return number


def check_bool(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ArgumentError(f"{name} must be True or False, not {shown(value)}")
    return value


def check_seed(value: object) -> int:
    """A seed below 2**64; None draws a fresh one, so that every run can be repeated from its result."""
    return secrets.randbits(64) if value is None else check_integer("seed", value, low=0, high=2**64 - 1)


def check_memory(value: object, *, low: int) -> int:
    """A number of bytes, given as an int or as text such as '512MB' or '1.5GiB'."""
    if isinstance(value, str):
        match = _MEMORY.fullmatch(value)
        unit = _MEMORY_UNITS.get(match[2].lower()) if match else None
        if match is None or unit is None:
            raise ArgumentError(
                f"max_memory {shown(value)} is no size: write bytes, or a text such as '512MB' or '2GiB'"
            )
        size = float(match[1]) * unit
        value = int(size) if math.isfinite(size) else 2**63
    return check_integer("max_memory (bytes)", value, low=low, high=2**48)
