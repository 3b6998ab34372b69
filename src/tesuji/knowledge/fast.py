"""The fast layer of a model: a small set of features for playouts (Go's: `cpp/knowledge/go/fast_features.hpp`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.knowledge.features import (
    FAST_LAYERS,
    Shapes,
    check_arrays,
    level_names,
    named_count,
    strengths_of,
)

NativeFastModel = _core.GoFastModel | _core.OthelloFastMoveModel | _core.HavannahFastMoveModel
_NATIVE: Final[dict[str, Any]] = {
    "go": _core.GoFastModel, "othello": _core.OthelloFastMoveModel, "havannah": _core.HavannahFastMoveModel,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class FastLayer:
    """What playouts draw their moves by. `weights` are the logarithms of the gammas, as in a model."""

    game: str
    weights: NDArray[np.float32]
    shapes: Shapes
    report: Mapping[str, Any] = field(default_factory=dict)
    native: NativeFastModel = field(init=False, repr=False)

    def __post_init__(self) -> None:
        strengths = strengths_of(self.weights, self.shapes, FAST_LAYERS[self.game])
        object.__setattr__(self, "native", _NATIVE[self.game](self.shapes.hashes, strengths))

    def gammas(self) -> dict[str, float]:
        """Of the named features."""
        layer = FAST_LAYERS[self.game]
        named = np.exp(self.weights[: named_count(layer)].astype(np.float64))
        return dict(zip(level_names(layer), named.tolist(), strict=True))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """For a model's file."""
        return {
            "fast_features": np.array(level_names(FAST_LAYERS[self.game])),
            "fast_weights": self.weights,
            "fast_hashes": self.shapes.hashes,
            "fast_sizes": self.shapes.sizes,
            "fast_parents": self.shapes.parents,
            "fast_report": np.array(json.dumps(self.report)),
        }

    @classmethod
    def from_arrays(cls, game: str, arrays: Mapping[str, NDArray[Any]]) -> Self | None:
        """None where the file has no such layer, or one of other features, which --fast-only learns anew."""
        if "fast_weights" not in arrays:
            return None
        layer = FAST_LAYERS[game]
        if [str(feature) for feature in arrays["fast_features"]] != level_names(layer):
            return None
        shapes = Shapes(hashes=arrays["fast_hashes"], sizes=arrays["fast_sizes"], parents=arrays["fast_parents"])
        check_arrays(shapes, arrays["fast_weights"], layer)
        report = json.loads(str(arrays["fast_report"]))
        return cls(game=game, weights=arrays["fast_weights"], shapes=shapes, report=report)
