"""The features of a model by name and number, and how the parts of a team stand for them.

The native core declares them, each game's in one file (`cpp/knowledge/go/features.hpp` and its like; those of Go's fast
layer in `fast_features.hpp`, of the others' in `fast_teams.hpp`). First come the named features, level by level, in the
order of their declaration; then, in Go's rich layer, the combinations of those that are in one part of a team, which
correct what each says alone; then the shapes that were found in the records. A layer is "go", "othello" or "havannah",
or a small one of FAST_LAYERS.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tesuji import _core

SHAPE_PART: Final = 0
PARTS: Final = 4
FIRST_SHAPE_SIZE, LAST_SHAPE_SIZE = _core.go_shape_sizes()
SHAPE_SIZES: Final = LAST_SHAPE_SIZE - FIRST_SHAPE_SIZE + 1
#: The layers for playouts, by game.
FAST_LAYERS: Final = {"go": "go-fast", "othello": "othello-fast", "havannah": "havannah-fast"}
_DECLARED: Final[dict[str, Callable[[], list[tuple[str, int, tuple[str, ...]]]]]] = {
    "go": partial(_core.go_features, False),
    "go-fast": partial(_core.go_features, True),
    "othello": _core.othello_features,
    "othello-fast": _core.othello_fast_features,
    "havannah": _core.havannah_features,
    "havannah-fast": _core.havannah_fast_features,
}
_COMBINES: Final = ("go",)
_WEAKEST: Final = (-40.0, -20.0, -20.0, -20.0)  # logarithm of the strength of each part


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A kind of knowledge; a move has at most one of its levels. They have the numbers from `first` on."""

    name: str
    part: int
    levels: tuple[str, ...]
    first: int


def shape_sizes(layer: str) -> tuple[int, int]:
    """The smallest and the largest: which is less than it where there are none."""
    return {"go": (FIRST_SHAPE_SIZE, LAST_SHAPE_SIZE), "othello-fast": (1, 0), "havannah-fast": (1, 1)}.get(
        layer, (1, 2)
    )


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


@cache
def _digits(layer: str, part: int) -> tuple[int, ...]:
    """A part's value has the levels of its features as digits; 0 is none of the feature's."""
    return tuple(len(feature.levels) + 1 for feature in features_of(layer) if feature.part == part)


@cache
def _first_combination(layer: str, part: int) -> int:
    before = [math.prod(_digits(layer, other)) for other in range(1, part)] if layer in _COMBINES else []
    return named_count(layer) + sum(before)


def first_shape(layer: str = "go") -> int:
    """The number of the first shape: so many features have no shape."""
    return _first_combination(layer, PARTS)


def combination_name(layer: str, number: int) -> str:
    part = max(part for part in range(1, PARTS) if _first_combination(layer, part) <= number)
    features = [feature for feature in features_of(layer) if feature.part == part]
    levels = np.unravel_index(number - _first_combination(layer, part), _digits(layer, part))
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


NO_SHAPES: Final = Shapes(hashes=np.zeros(0, np.uint64), sizes=np.zeros(0, np.uint8), parents=np.zeros(0, np.int32))


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


def check_shape_count(count: int) -> None:
    """More have no room in a team: they would be taken for other features."""
    if count > _core.MAX_SHAPES:
        raise ValueError(f"{count:,} shapes are more than the {_core.MAX_SHAPES:,} that a model can have")


def part_matrices(shapes: Shapes, layer: str = "go", *, without: Sequence[str] = ()) -> list[Any]:
    """For each part a matrix: a row for each of its values, a column for each feature, 1 where the value has it.

    No value has a feature whose name begins with one of those in `without`: their gammas stay 1.
    """
    first = first_shape(layer)
    width = first + len(shapes)
    named = [_ones(*_named_places(layer, part, tuple(without)), width) for part in range(1, PARTS)]
    return [_shape_matrix(shapes, first), *named]


def part_weights(
    weights: NDArray[np.float64], shapes: Shapes, layer: str = "go", *, without: Sequence[str] = ()
) -> list[NDArray[np.float64]]:
    """For each part, the sum of the weights of each value's features: as with the matrices, but made in no time."""
    of_shapes = weights[first_shape(layer) :].copy()
    for size in np.unique(shapes.sizes):  # small ones first: a parent's sum is there before it is asked for
        places = np.flatnonzero((shapes.sizes == size) & (shapes.parents >= 0))
        of_shapes[places] += of_shapes[shapes.parents[places]]
    named = []
    for part in range(1, PARTS):
        rows, columns, height = _named_places(layer, part, tuple(without))
        named.append(np.bincount(rows, weights=weights[columns], minlength=height))
    return [np.concatenate([[0.0], of_shapes]), *named]


def strengths_of(
    weights: NDArray[Any], shapes: Shapes, layer: str = "go", *, without: Sequence[str] = ()
) -> list[NDArray[np.float32]]:
    """For each part how strong each of its values is, as the core wants it.

    Within bounds that learned models keep to: a product over the parts is above 0, and a sum over all moves finite.
    """
    logarithms = part_weights(weights.astype(np.float64), shapes, layer, without=without)
    return [
        np.exp(np.clip(values, low, 20.0)).astype(np.float32) for values, low in zip(logarithms, _WEAKEST, strict=True)
    ]


def check_arrays(shapes: Shapes, weights: NDArray[Any], layer: str) -> None:
    """Arrays of a file may be anything. Raises a ValueError that says what is wrong with them."""
    count = len(shapes.hashes)
    check_shape_count(count)
    wanted: list[tuple[NDArray[Any], Any, int]] = [
        (shapes.hashes, np.uint64, count), (shapes.sizes, np.uint8, count), (shapes.parents, np.int32, count),
        (weights, np.float32, first_shape(layer) + count),
    ]  # fmt: skip
    if any(array.dtype != dtype or array.shape != (length,) for array, dtype, length in wanted):
        raise ValueError("its arrays do not fit each other")
    in_order = (shapes.parents >= -1) & (shapes.parents < np.arange(count))
    smallest, largest = shape_sizes(layer)
    in_range = (shapes.sizes >= smallest) & (shapes.sizes <= largest)
    if not (in_order & in_range).all() or not np.isfinite(weights).all():
        raise ValueError("its numbers make no sense")


#: The rows and columns of a matrix's ones, and how many rows it has.
Places = tuple[NDArray[np.intp], NDArray[np.intp], int]


def _named_places(layer: str, part: int, without: tuple[str, ...]) -> Places:
    features = [feature for feature in features_of(layer) if feature.part == part]
    digits = _digits(layer, part)
    values = np.arange(math.prod(digits))
    levels = [
        np.zeros_like(level) if feature.name.startswith(without) else level
        for feature, level in zip(features, np.unravel_index(values, digits) if digits else (), strict=True)
    ]
    rows = [values[level > 0] for level in levels]
    columns = [feature.first + level[level > 0] - 1 for feature, level in zip(features, levels, strict=True)]
    if layer in _COMBINES:
        combined = np.ravel_multi_index(levels, digits)
        rows.append(values[combined > 0])
        columns.append(_first_combination(layer, part) + combined[combined > 0])
    return _joined(rows), _joined(columns), len(values)


def _shape_matrix(shapes: Shapes, first: int) -> Any:
    """Value 0 is no known shape; the value i + 1 has shape i and all smaller ones within it."""
    rows, columns = [], []
    now: NDArray[Any] = np.arange(len(shapes))
    values = now + 1
    while len(now):
        rows.append(values)
        columns.append(first + now)
        parents = shapes.parents[now]
        values, now = values[parents >= 0], parents[parents >= 0]
    return _ones(_joined(rows), _joined(columns), len(shapes) + 1, first + len(shapes))


def _joined(places: list[NDArray[Any]]) -> NDArray[np.intp]:
    return np.concatenate([np.zeros(0, dtype=np.intp), *places])


def _ones(rows: NDArray[np.intp], columns: NDArray[np.intp], height: int, width: int) -> Any:
    import scipy.sparse  # noqa: PLC0415  slow to load, and a model that is only used does without

    return scipy.sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, width))


def groups(shapes: Shapes, layer: str = "go") -> list[NDArray[np.intp]]:
    """Features of which a move has at most one each: the levels of a kind, a part's combinations, a size's shapes."""
    named = [np.arange(feature.first, feature.first + len(feature.levels)) for feature in features_of(layer)]
    parts = range(1, PARTS) if layer in _COMBINES else ()
    combined = [np.arange(_first_combination(layer, part), _first_combination(layer, part + 1)) for part in parts]
    by_size = [first_shape(layer) + np.flatnonzero(shapes.sizes == size) for size in np.unique(shapes.sizes)]
    return [*named, *combined, *by_size]
