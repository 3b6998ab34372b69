"""The features of a Go model by name and number, and how the parts of a team stand for them.

The native core declares them (`cpp/knowledge/go/features.hpp`, and in `fast_features.hpp` those of the fast layer).
First come the named features, level by level, in the order of their declaration; then the shapes that were found in the
records.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tesuji import _core
from tesuji.errors import ModelError

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
def go_features(*, fast: bool = False) -> tuple[Feature, ...]:
    features, first = [], 0
    for name, part, levels in _core.go_features(fast):
        features.append(Feature(name=name, part=part, levels=levels, first=first))
        first += len(levels)
    return tuple(features)


def named_count(*, fast: bool = False) -> int:
    return sum(len(feature.levels) for feature in go_features(fast=fast))


def level_names(*, fast: bool = False) -> list[str]:
    """One name for each named feature's level, by its number."""
    return [f"{feature.name}: {level}" for feature in go_features(fast=fast) for level in feature.levels]


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


def part_matrices(shapes: Shapes, *, fast: bool = False) -> list[Any]:
    """For each part a matrix: a row for each of its values, a column for each feature, 1 where the value has it."""
    named = [_named_matrix(part, len(shapes), fast=fast) for part in range(1, PARTS)]
    return [_shape_matrix(shapes, named_count(fast=fast)), *named]


def strengths_of(parts: list[Any], weights: NDArray[Any]) -> list[NDArray[np.float32]]:
    """For each part how strong each of its values is, as the core wants it."""
    return [np.exp(part @ weights.astype(np.float64)).astype(np.float32) for part in parts]


def check_arrays(shapes: Shapes, weights: NDArray[Any], *, fast: bool = False) -> None:
    """Arrays of a file may be anything."""
    count = len(shapes.hashes)
    wanted: list[tuple[NDArray[Any], Any, int]] = [
        (shapes.hashes, np.uint64, count), (shapes.sizes, np.uint8, count), (shapes.parents, np.int32, count),
        (weights, np.float32, named_count(fast=fast) + count),
    ]  # fmt: skip
    if any(array.dtype != dtype or array.shape != (length,) for array, dtype, length in wanted):
        raise ModelError("its arrays do not fit each other")
    in_order = (shapes.parents >= -1) & (shapes.parents < np.arange(count))
    in_range = (shapes.sizes >= FIRST_SHAPE_SIZE) & (shapes.sizes <= LAST_SHAPE_SIZE)
    if not (in_order & in_range).all() or not np.isfinite(weights).all():
        raise ModelError("its numbers make no sense")


def _named_matrix(part: int, shape_count: int, *, fast: bool) -> Any:
    """A part's value has the levels of its features as digits; level 0 is none of the feature's."""
    features = [feature for feature in go_features(fast=fast) if feature.part == part]
    digits = tuple(len(feature.levels) + 1 for feature in features)
    values = np.arange(np.prod(digits))
    rows, columns = [], []
    for feature, levels in zip(features, np.unravel_index(values, digits), strict=True):
        rows.append(values[levels > 0])
        columns.append(feature.first + levels[levels > 0] - 1)
    width = named_count(fast=fast) + shape_count
    return _ones(np.concatenate(rows), np.concatenate(columns), (len(values), width))


def _shape_matrix(shapes: Shapes, named: int) -> Any:
    """Value 0 is no known shape; the value i + 1 has shape i and all smaller ones within it."""
    rows, columns = [], []
    now: NDArray[Any] = np.arange(len(shapes))
    values = now + 1
    while len(now):
        rows.append(values)
        columns.append(named + now)
        parents = shapes.parents[now]
        values, now = values[parents >= 0], parents[parents >= 0]
    empty = [np.zeros(0, dtype=np.int64)]
    size = len(shapes) + 1, named + len(shapes)
    return _ones(np.concatenate(rows or empty), np.concatenate(columns or empty), size)


def _ones(rows: NDArray[Any], columns: NDArray[Any], shape: tuple[int, int]) -> Any:
    return scipy.sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def groups(shapes: Shapes, *, fast: bool = False) -> list[NDArray[np.intp]]:
    """Features of which a move has at most one each: the levels of a kind, and the shapes of a size."""
    named = [np.arange(feature.first, feature.first + len(feature.levels)) for feature in go_features(fast=fast)]
    by_size = [named_count(fast=fast) + np.flatnonzero(shapes.sizes == size) for size in np.unique(shapes.sizes)]
    return [*named, *by_size]
