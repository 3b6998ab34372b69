"""The parameters that are tuned, and the values that are tried."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, shown

Matrix = NDArray[np.float64]
Number = float | int

MAX_PARAMETERS = 4
# Values are tried with this many digits: more make no difference, and a spec stays readable.
DIGITS = 4

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"\s*([\w.-]+)\s*=\s*({_NUMBER})\s*\.\.\s*({_NUMBER})\s*(?::\s*(log|linear)\s*)?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Range:
    """One parameter of an engine and the values that it may take. `name` is `c`, or `uct.c` where that is ambiguous."""

    name: str
    low: float
    high: float
    log: bool = False
    integer: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ArgumentError(f"the range of {self.name} must go from a number up to a greater one, not {self}")
        if self.log and self.low <= 0:
            raise ArgumentError(f"{self.name} needs a range above 0 for a logarithmic scale, not {self}")
        if self.integer and not (float(self.low).is_integer() and float(self.high).is_integer()):
            raise ArgumentError(f"{self.name} is an integer, so its range must end in integers, not {self}")

    def __str__(self) -> str:
        return f"{self.low:g}..{self.high:g}{':log' if self.log else ''}"

    def value(self, place: float) -> Number:
        """The value at a place from 0 (low) to 1 (high)."""
        exact: float = self.low + place * (self.high - self.low)
        if self.log:
            exact = self.low * math.exp(place * math.log(self.high / self.low))
        if self.integer:
            return min(max(round(exact), round(self.low)), round(self.high))
        if place in (0, 1):
            return self.high if place else self.low
        # Rounded in steps of the range where that is narrow: else a range far from 0 has few values.
        size = min(exact, self.high - self.low) if self.log else self.high - self.low
        rounded = round(exact, DIGITS - 1 - math.floor(math.log10(size)))
        return min(max(rounded, self.low), self.high)

    def place(self, value: float) -> float:
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def parse_range(text: str, spec: EngineSpec) -> Range:
    """Reads `c=0.1..2` or `c=0.1..2:log`, and checks it against the parameter of the engine that it names."""
    match = _RANGE.fullmatch(text)
    if match is None:
        raise ArgumentError(
            f"a parameter is written NAME=LOW..HIGH, such as c=0.1..2 or c=0.1..2:log, not {shown(text)}"
        )
    name, low, high, scale = match.groups()
    integer = spec.find_parameter(name)[1].type is int
    found = Range(name=name, low=float(low), high=float(high), log=scale == "log", integer=integer)
    for end in (0.0, 1.0):
        spec.with_value(name, found.value(end))
    return found


@dataclass(frozen=True)
class Space:
    """All parameters together. A place is a point of the unit cube, one coordinate a parameter."""

    ranges: tuple[Range, ...]

    def __post_init__(self) -> None:
        names = [item.name for item in self.ranges]
        if not 1 <= len(names) <= MAX_PARAMETERS:
            raise ArgumentError(f"from 1 to {MAX_PARAMETERS} parameters can be tuned together, not {len(names)}")
        if len(set(names)) < len(names):
            raise ArgumentError(f"a parameter is given twice: {', '.join(names)}")

    @property
    def dimensions(self) -> int:
        return len(self.ranges)

    def values(self, place: Sequence[float] | Matrix) -> dict[str, Number]:
        return {item.name: item.value(float(x)) for item, x in zip(self.ranges, place, strict=True)}

    def place(self, values: Mapping[str, float]) -> list[float]:
        return [item.place(values[item.name]) for item in self.ranges]

    def engine(self, spec: EngineSpec, values: Mapping[str, Number]) -> EngineSpec:
        """The engine with these values."""
        for name, value in values.items():
            spec = spec.with_value(name, value)
        return spec

    def candidates(self, count: int, *, center: Matrix | None = None, width: float = 1.0) -> Matrix:
        """About `count` places, evenly spread, the first few too; without doubles, and each the place of its values.

        With a `center`: within a box of this width around it.
        """
        from scipy.stats import qmc  # noqa: PLC0415  slow to load, as in statistics

        points = qmc.Sobol(self.dimensions, scramble=False).random(count) + 0.5 / count
        # A little beyond the box and back to its faces: the best value may lie at an end of the range.
        spread = (points - 0.5) * 1.1 * width + (0.5 if center is None else center)
        snapped = [self.place(self.values(row)) for row in np.clip(spread, 0, 1)]
        return np.array(list(dict.fromkeys(tuple(place) for place in snapped)))
