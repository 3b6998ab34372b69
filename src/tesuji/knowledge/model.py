"""A learned model of moves: what it says of a position, and the file that keeps it.

The file is one of arrays (tesuji/array_file.py): nothing in it is executed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.array_file import ArrayFile
from tesuji.errors import ArgumentError, ModelError, shown, suggestion
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import Othello
from tesuji.knowledge.fast import FastLayer
from tesuji.knowledge.features import (
    Shapes,
    check_arrays,
    combination_name,
    first_shape,
    level_names,
    marks_last,
    named_count,
    part_matrices,
    strengths_of,
)

#: Version 1 had no fast layer, and no word on features that are left out.
_FILE: Final = ArrayFile(kind="model", version=2, read_versions=(1, 2), error=ModelError, max_bytes=200_000_000)
#: The models that come with tesuji.
SHIPPED: Final = ("go9", "go19", "othello", "havannah")
#: The environment variable with the folder of a user's own models.
MODELS_FOLDER: Final = "TESUJI_MODELS"

#: The positions that models know.
KnownGame = Go | Othello | Havannah
NativeModel = _core.GoMoveModel | _core.OthelloMoveModel | _core.HavannahMoveModel
_POSITIONS: Final[dict[str, type[KnownGame]]] = {"go": Go, "othello": Othello, "havannah": Havannah}
_NATIVE: Final[dict[str, Any]] = {
    "go": _core.GoMoveModel, "othello": _core.OthelloMoveModel, "havannah": _core.HavannahMoveModel,
}  # fmt: skip
#: The games that there can be models of.
GAMES: Final = tuple(_POSITIONS)


@dataclass(frozen=True, kw_only=True)
class FeatureGamma:
    """A feature of a move, and the factor by which it makes the move likelier."""

    feature: str
    gamma: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """A Bradley-Terry model of a game's moves: P(m) is a product of gammas, divided by the sum over all legal moves.

    `weights` are the logarithms of the gammas: of the named features, of their combinations, then of the shapes.
    `without` are the beginnings of the names of features that it was learned without. `fast` is the layer for playouts,
    where it was learned.
    """

    game: str
    weights: NDArray[np.float32]
    shapes: Shapes
    report: Mapping[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    fast: FastLayer | None = None
    native: NativeModel = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        strengths = strengths_of(self.weights, self.shapes, self.game, without=self.without)
        fast = None if self.fast is None else self.fast.native
        options = (marks_last(self.without),) if self.game == "go" else ()
        object.__setattr__(self, "native", _NATIVE[self.game](self.shapes.hashes, strengths, *options, fast))

    @property
    def boards(self) -> str:
        """Those that it was learned on, in words."""
        size = self.report.get("size")
        if size is None:
            return "boards of several sizes"
        return f"side {size}" if self.game == "havannah" else f"{size}x{size}"

    # ---- what it says

    def priors(self, position: KnownGame) -> dict[int, float]:
        """P(m) for each legal move; together they are 1."""
        native = self._native_of(position)
        moves = position.legal_moves()
        return dict(zip(moves, self.native.probabilities(native, moves), strict=True))

    def explain(self, position: KnownGame, move: SupportsIndex | str) -> list[FeatureGamma]:
        """The features of a move with their gammas, whose product is the move's strength; the strongest first."""
        native = self._native_of(position)
        number = position.move_number(move)
        if not native.is_legal(number):
            position.play(number)  # says why
        values = _core.unpack_team(self.native.team(native, number))
        features = np.concatenate([_columns(part, value) for part, value in zip(self._parts, values, strict=True)])
        found = [self._gamma(int(feature)) for feature in features]
        return sorted(found, key=lambda entry: -abs(np.log(entry.gamma)))

    def table(self) -> list[FeatureGamma]:
        """All named features with their gammas."""
        return [self._gamma(feature) for feature in range(named_count(self.game))]

    def combinations(self) -> list[FeatureGamma]:
        """What features have together beside what each has alone, where it was learned; the strongest first."""
        learned = np.flatnonzero(self.weights[: first_shape(self.game)])
        found = [self._gamma(int(feature)) for feature in learned if feature >= named_count(self.game)]
        return sorted(found, key=lambda entry: -abs(np.log(entry.gamma)))

    @cached_property
    def _parts(self) -> list[Any]:
        """Kept: making them takes longer than a thousand looks at a position."""
        return part_matrices(self.shapes, self.game, without=self.without)

    def _gamma(self, feature: int) -> FeatureGamma:
        shape = feature - first_shape(self.game)
        if feature < named_count(self.game):
            name = level_names(self.game)[feature]
        elif shape < 0:
            name = combination_name(self.game, feature)
        else:
            name = f"shape of size {self.shapes.sizes[shape]}: {self.shapes.hashes[shape]:016x}"
        return FeatureGamma(feature=name, gamma=float(np.exp(self.weights[feature])))

    def _native_of(self, position: KnownGame) -> Any:
        if not isinstance(position, _POSITIONS[self.game]):
            raise ArgumentError(f"a model of {self.game} knows nothing of {shown(position)}")
        if position.is_over:
            raise ArgumentError("the game is over: there are no moves to judge")
        return position.native

    # ---- the file

    def save(self, path: Path | str) -> None:
        arrays: dict[str, Any] = {
            "game": np.array(self.game),
            "features": np.array(level_names(self.game)),
            "without": np.array(self.without, dtype=np.str_),
            "weights": self.weights,
            "hashes": self.shapes.hashes,
            "sizes": self.shapes.sizes,
            "parents": self.shapes.parents,
            "report": np.array(json.dumps(self.report)),
            **({} if self.fast is None else self.fast.to_arrays()),
        }
        _FILE.write(path, arrays)

    @classmethod
    def parse(cls, data: bytes, *, name: str = "the model") -> Self:
        arrays = _FILE.unpack(data, name)
        try:
            game = str(arrays["game"])
            if game not in GAMES:
                raise ModelError(f"{name} is a model of {shown(game)}; this version knows {', '.join(GAMES)}")
            if [str(feature) for feature in arrays["features"]] != level_names(game):
                raise ModelError(f"{name} was learned with other features than this version has: learn it anew")
            shapes = Shapes(hashes=arrays["hashes"], sizes=arrays["sizes"], parents=arrays["parents"])
            weights = arrays["weights"]
            check_arrays(shapes, weights, game)
            report = json.loads(str(arrays["report"]))
            if not isinstance(report, dict):
                raise ModelError(f"{name} is damaged: its report is none")
            without = tuple(str(begin) for begin in arrays.get("without", ()))
            fast = FastLayer.from_arrays(game, arrays)
            return cls(game=game, weights=weights, shapes=shapes, report=report, without=without, fast=fast)
        except ModelError:
            raise
        except (KeyError, ValueError, TypeError, RecursionError) as error:
            raise ModelError(f"{name} is damaged: {error}") from None


def is_model_file(path: Path) -> bool:
    """Whether a file begins like one, of whatever version."""
    try:
        with path.open("rb") as file:
            return file.read(13) == b"tesuji-model "
    except OSError:
        return False


def load(path: Path | str) -> Model:
    """Reads a model: a file, or by its name one that comes with tesuji ("go9", "go19", "othello", "havannah").

    Other names are those of files NAME.model in the folder that the environment variable TESUJI_MODELS gives.
    """
    if not isinstance(path, Path | str) or path == "" or "\0" in str(path):
        raise ArgumentError(f"a model is given by its name or its file, not {shown(path)}")
    is_name = str(path) in SHIPPED or (isinstance(path, str) and Path(path).stem == path and not Path(path).exists())
    return load_named(str(path)) if is_name else _load_file(Path(path))


def load_named(name: str) -> Model:
    """The model that an engine names. It is kept: the next search has it at once."""
    if name in SHIPPED:
        path = Path(__file__).parent / "models" / f"{name}.model"
    else:
        path = Path(os.environ.get(MODELS_FOLDER, ""), f"{name}.model")
        if MODELS_FOLDER not in os.environ or not path.is_file():
            raise ModelError(
                f"there is no model {shown(name)}: {', '.join(SHIPPED)} come with tesuji, and {MODELS_FOLDER} may name "
                f"a folder with others{suggestion(name, SHIPPED)}"
            )
    return _load_kept(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _load_kept(path: Path, _changed: int) -> Model:
    return _load_file(path)


def _load_file(path: Path) -> Model:
    return Model.parse(_FILE.read(path), name=str(path))


def _columns(matrix: Any, row: int) -> NDArray[np.intp]:
    columns: NDArray[np.intp] = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
    return columns
