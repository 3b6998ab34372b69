"""The fast layer of a model: a small set of features for playouts (`cpp/knowledge/go/fast_features.hpp`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.knowledge.features import (
    FAST_LAYER,
    Shapes,
    check_arrays,
    level_names,
    named_count,
    strengths_of,
)


@dataclass(frozen=True, kw_only=True)
class FastLayer:
    """What playouts draw their moves by. `weights` are the logarithms of the gammas, as in a model."""

    weights: NDArray[np.float32]
    shapes: Shapes
    report: Mapping[str, Any] = field(default_factory=dict)
    native: _core.GoFastModel = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        strengths = strengths_of(self.weights, self.shapes, FAST_LAYER)
        object.__setattr__(self, "native", _core.GoFastModel(self.shapes.hashes, strengths))

    def gammas(self) -> dict[str, float]:
        """Of the named features."""
        named = np.exp(self.weights[: named_count(FAST_LAYER)].astype(np.float64))
        return dict(zip(level_names(FAST_LAYER), named.tolist(), strict=True))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """For a model's file."""
        return {
            "fast_features": np.array(level_names(FAST_LAYER)),
            "fast_weights": self.weights,
            "fast_hashes": self.shapes.hashes,
            "fast_sizes": self.shapes.sizes,
            "fast_parents": self.shapes.parents,
            "fast_report": np.array(json.dumps(self.report)),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self | None:
        """None where the file has no such layer, or one of other features, which --fast-only learns anew."""
        if "fast_weights" not in arrays:
            return None
        if [str(feature) for feature in arrays["fast_features"]] != level_names(FAST_LAYER):
            return None
        shapes = Shapes(hashes=arrays["fast_hashes"], sizes=arrays["fast_sizes"], parents=arrays["fast_parents"])
        check_arrays(shapes, arrays["fast_weights"], FAST_LAYER)
        return cls(weights=arrays["fast_weights"], shapes=shapes, report=json.loads(str(arrays["fast_report"])))
