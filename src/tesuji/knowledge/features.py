"""The features of a Go model by name and number, and how the parts of a team stand for them.

The native core declares them (`cpp/knowledge/go/features.hpp`). First come the named features, level by level, in the
order of their declaration; then the combinations of those that are in one part of a team, which correct what each says
alone; then the shapes that were found in the records.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tesuji import _core

SHAPE_PART: Final = 0
PARTS: Final = 4
FIRST_SHAPE_SIZE, LAST_SHAPE_SIZE = _core.go_shape_sizes()
SHAPE_SIZES: Final = LAST_SHAPE_SIZE - FIRST_SHAPE_SIZE + 1


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A kind of knowledge; a move has at most one of its levels. They have the numbers from `first` on."""

    name: str
    part: int
    levels: tuple[str, ...]
    first: int


@cache
def go_features() -> tuple[Feature, ...]:
    features, first = [], 0
    for name, part, levels in _core.go_features():
        features.append(Feature(name=name, part=part, levels=levels, first=first))
        first += len(levels)
    return tuple(features)


def named_count() -> int:
    return sum(len(feature.levels) for feature in go_features())


def level_names() -> list[str]:
    """One name for each named feature's level, by its number."""
    return [f"{feature.name}: {level}" for feature in go_features() for level in feature.levels]


@cache
def _digits(part: int) -> tuple[int, ...]:
    """A part's value has the levels of its features as digits; 0 is none of the feature's."""
    return tuple(len(feature.levels) + 1 for feature in go_features() if feature.part == part)


@cache
def _first_combination(part: int) -> int:
    return named_count() + sum(math.prod(_digits(other)) for other in range(1, part))


def first_shape() -> int:
    """The number of the first shape: so many features have no shape."""
    return _first_combination(PARTS)


def combination_name(number: int) -> str:
    part = max(part for part in range(1, PARTS) if _first_combination(part) <= number)
    features = [feature for feature in go_features() if feature.part == part]
    levels = np.unravel_index(number - _first_combination(part), _digits(part))
    return "together: " + "; ".join(
        f"{feature.name}: {feature.levels[level - 1]}"
        for feature, level in zip(features, levels, strict=True)
        if level > 0
    )


def marks_last(without: Sequence[str]) -> bool:
    """Whether shapes tell which stone is the last: not where the distance to it must not be known."""
    return not "distance to the last move".startswith(tuple(without))


@dataclass(frozen=True, kw_only=True)
class Shapes:
    """The shapes of a model, small ones first. `parents` are places in the same list, -1 for the smallest."""

    hashes: NDArray[np.uint64]
    sizes: NDArray[np.uint8]
    parents: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.hashes)


def harvest(hashes: NDArray[np.uint64], *, least: int) -> Shapes:
    """The shapes that were played at least so often. `hashes` has a row a move and a column a size."""
    played = hashes[hashes[:, 0] != 0]
    found, sizes, parents = [], [], []
    before: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
    first_before = first = 0
    for column in range(hashes.shape[1]):
        unique, places, counts = np.unique(played[:, column], return_index=True, return_counts=True)
        often = counts >= least
        unique, places = unique[often], places[often]
        found.append(unique)
        sizes.append(np.full(len(unique), FIRST_SHAPE_SIZE + column, dtype=np.uint8))
        if column == 0:
            parents.append(np.full(len(unique), -1, dtype=np.int32))
        else:
            # A shape was played no oftener than the smaller one within it, which therefore is there.
            parents.append((first_before + np.searchsorted(before, played[places, column - 1])).astype(np.int32))
        before, first_before, first = unique, first, first + len(unique)
    return Shapes(hashes=np.concatenate(found), sizes=np.concatenate(sizes), parents=np.concatenate(parents))


def part_matrices(shapes: Shapes, *, without: Sequence[str] = ()) -> list[Any]:
    """For each part a matrix: a row for each of its values, a column for each feature, 1 where the value has it.

    No value has a feature whose name begins with one of those in `without`: their gammas stay 1.
    """
    width = first_shape() + len(shapes)
    return [_shape_matrix(shapes, width), *(_named_matrix(part, width, tuple(without)) for part in range(1, PARTS))]


def part_weights(
    weights: NDArray[np.float64], shapes: Shapes, *, without: Sequence[str] = ()
) -> list[NDArray[np.float64]]:
    """For each part, the sum of the weights of each value's features: as with the matrices, but made in no time."""
    of_shapes = weights[first_shape() :].copy()
    for size in np.unique(shapes.sizes):  # small ones first: a parent's sum is there before it is asked for
        places = np.flatnonzero((shapes.sizes == size) & (shapes.parents >= 0))
        of_shapes[places] += of_shapes[shapes.parents[places]]
    named = [_named_matrix(part, len(weights), tuple(without)) @ weights for part in range(1, PARTS)]
    return [np.concatenate([[0.0], of_shapes]), *named]


def _named_matrix(part: int, width: int, without: tuple[str, ...]) -> Any:
    features = [feature for feature in go_features() if feature.part == part]
    values = np.arange(math.prod(_digits(part)))
    levels = [
        np.zeros_like(level) if feature.name.startswith(without) else level
        for feature, level in zip(features, np.unravel_index(values, _digits(part)), strict=True)
    ]
    rows = [values[level > 0] for level in levels]
    columns = [feature.first + level[level > 0] - 1 for feature, level in zip(features, levels, strict=True)]
    combined = np.ravel_multi_index(levels, _digits(part))
    rows.append(values[combined > 0])
    columns.append(_first_combination(part) + combined[combined > 0])
    return _ones(rows, columns, (len(values), width))


def _shape_matrix(shapes: Shapes, width: int) -> Any:
    """Value 0 is no known shape; the value i + 1 has shape i and all smaller ones within it."""
    rows, columns = [], []
    now: NDArray[Any] = np.arange(len(shapes))
    values = now + 1
    while len(now):
        rows.append(values)
        columns.append(first_shape() + now)
        parents = shapes.parents[now]
        values, now = values[parents >= 0], parents[parents >= 0]
    return _ones(rows, columns, (len(shapes) + 1, width))


def _ones(rows: list[NDArray[Any]], columns: list[NDArray[Any]], shape: tuple[int, int]) -> Any:
    none = np.zeros(0, dtype=np.int64)
    places = np.concatenate([none, *rows]), np.concatenate([none, *columns])
    return scipy.sparse.csr_array((np.ones(len(places[0])), places), shape=shape)


def groups(shapes: Shapes) -> list[NDArray[np.intp]]:
    """Features of which a move has at most one each: the levels of a kind, a part's combinations, a size's shapes."""
    named = [np.arange(feature.first, feature.first + len(feature.levels)) for feature in go_features()]
    combined = [np.arange(_first_combination(part), _first_combination(part + 1)) for part in range(1, PARTS)]
    by_size = [first_shape() + np.flatnonzero(shapes.sizes == size) for size in np.unique(shapes.sizes)]
    return [*named, *combined, *by_size]
