"""The features of a model by name and number, and how the parts of a team stand for them.

The native core declares them, each game's in one file (`cpp/knowledge/go/features.hpp` and its like; those of Go's fast
layer in `fast_features.hpp`). First come the named features, level by level, in the order of their declaration; then the
shapes that were found in the records. A layer is "go", "othello" or "havannah", or FAST_LAYER.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
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
FAST_LAYER: Final = "go-fast"
_DECLARED: Final = {
    "go": partial(_core.go_features, False),
    FAST_LAYER: partial(_core.go_features, True),
    "othello": _core.othello_features,
    "havannah": _core.havannah_features,
}


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A kind of knowledge; a move has at most one of its levels. They have the numbers from `first` on."""

    name: str
    part: int
    levels: tuple[str, ...]
    first: int


def shape_sizes(layer: str) -> tuple[int, int]:
    """The smallest and the largest; all but Go's rich layer have a small and a large shape."""
    return (FIRST_SHAPE_SIZE, LAST_SHAPE_SIZE) if layer == "go" else (1, 2)


@cache
def features_of(layer: str) -> tuple[Feature, ...]:
    features, first = [], 0
    for name, part, levels in _DECLARED[layer]():
        features.append(Feature(name=name, part=part, levels=levels, first=first))
        first += len(levels)
    return tuple(features)


def named_count(layer: str = "go") -> int:
    return sum(len(feature.levels) for feature in features_of(layer))


def level_names(layer: str = "go") -> list[str]:
    """One name for each named feature's level, by its number."""
    return [f"{feature.name}: {level}" for feature in features_of(layer) for level in feature.levels]


@dataclass(frozen=True, kw_only=True)
class Shapes:
    """The shapes of a model, small ones first. `parents` are places in the same list, -1 for the smallest."""

    hashes: NDArray[np.uint64]
    sizes: NDArray[np.uint8]
    parents: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.hashes)


def harvest(hashes: NDArray[np.uint64], *, least: int, first_size: int = FIRST_SHAPE_SIZE) -> Shapes:
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
        sizes.append(np.full(len(unique), first_size + column, dtype=np.uint8))
        if column == 0:
            parents.append(np.full(len(unique), -1, dtype=np.int32))
        else:
            # A shape was played no oftener than the smaller one within it, which therefore is there.
            parents.append((first_before + np.searchsorted(before, played[places, column - 1])).astype(np.int32))
        before, first_before, first = unique, first, first + len(unique)
    return Shapes(hashes=np.concatenate(found), sizes=np.concatenate(sizes), parents=np.concatenate(parents))


def part_matrices(shapes: Shapes, layer: str = "go") -> list[Any]:
    """For each part a matrix: a row for each of its values, a column for each feature, 1 where the value has it."""
    named = named_count(layer)
    width = named + len(shapes)
    return [_shape_matrix(shapes, named, width), *(_named_matrix(layer, part, width) for part in range(1, PARTS))]


def strengths_of(parts: list[Any], weights: NDArray[Any]) -> list[NDArray[np.float32]]:
    """For each part how strong each of its values is, as the core wants it."""
    return [np.exp(part @ weights.astype(np.float64)).astype(np.float32) for part in parts]


def check_arrays(shapes: Shapes, weights: NDArray[Any], layer: str) -> None:
    """Arrays of a file may be anything."""
    count = len(shapes.hashes)
    wanted: list[tuple[NDArray[Any], Any, int]] = [
        (shapes.hashes, np.uint64, count), (shapes.sizes, np.uint8, count), (shapes.parents, np.int32, count),
        (weights, np.float32, named_count(layer) + count),
    ]  # fmt: skip
    if any(array.dtype != dtype or array.shape != (length,) for array, dtype, length in wanted):
        raise ModelError("its arrays do not fit each other")
    in_order = (shapes.parents >= -1) & (shapes.parents < np.arange(count))
    smallest, largest = shape_sizes(layer)
    in_range = (shapes.sizes >= smallest) & (shapes.sizes <= largest)
    if not (in_order & in_range).all() or not np.isfinite(weights).all():
        raise ModelError("its numbers make no sense")


def _named_matrix(layer: str, part: int, width: int) -> Any:
    """A part's value has the levels of its features as digits; level 0 is none of the feature's."""
    features = [feature for feature in features_of(layer) if feature.part == part]
    digits = tuple(len(feature.levels) + 1 for feature in features)
    values = np.arange(np.prod(digits))
    rows, columns = [], []
    for feature, levels in zip(features, np.unravel_index(values, digits), strict=True):
        rows.append(values[levels > 0])
        columns.append(feature.first + levels[levels > 0] - 1)
    return _ones(np.concatenate(rows), np.concatenate(columns), (len(values), width))


def _shape_matrix(shapes: Shapes, named: int, width: int) -> Any:
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
    return _ones(np.concatenate(rows or empty), np.concatenate(columns or empty), (len(shapes) + 1, width))


def _ones(rows: NDArray[Any], columns: NDArray[Any], shape: tuple[int, int]) -> Any:
    return scipy.sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def groups(shapes: Shapes, layer: str = "go") -> list[NDArray[np.intp]]:
    """Features of which a move has at most one each: the levels of a kind, and the shapes of a size."""
    named = [np.arange(feature.first, feature.first + len(feature.levels)) for feature in features_of(layer)]
    by_size = [named_count(layer) + np.flatnonzero(shapes.sizes == size) for size in np.unique(shapes.sizes)]
    return [*named, *by_size]
