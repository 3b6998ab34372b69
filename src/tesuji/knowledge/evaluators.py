"""The user's own evaluators and playout policies: positions in, numpy arrays out.

The native search calls what `evaluator_for_core` and `policy_for_core` make of the user's functions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tesuji.errors import EvaluatorError, shown
from tesuji.games.own import AnyPosition

#: Gets a list of positions, none of them over, and returns `(priors, values)`.
#:
#: `priors`: one sequence for each position, with one number of at least 0 for each of its `legal_moves()`, in that
#: order; or, where moves are numbers, an array (positions, moves) with one column for each move of the game; or None,
#: which makes all moves equal. They need not add up to 1.
#:
#: `values`: one number for each position, what it is worth to the player to move, within the game's rewards; or an
#: array (positions, players); or None, which has the positions played out. In a game of two the other player has the
#: rest; where chance is to move, the number is the first player's.
Evaluator = Callable[[list[Any]], tuple[Any, Any]]

#: Gets a position, its legal moves and a seeded `random.Random`, and returns one of the moves.
Policy = Callable[[Any, list[Any], random.Random], Any]


def evaluator_for_core(evaluate: Evaluator, game: AnyPosition, *, needs_values: bool = False) -> Callable[..., Any]:
    """The evaluator as the native search calls it: flat float32 priors, flat float64 values in [0, 1] or None."""

    def answer(
        natives: list[Any], moves: list[list[Hashable]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64] | None]:
        positions = [game.wrapped(native) for native in natives]
        answered = evaluate(list(positions))
        if not isinstance(answered, tuple) or len(answered) != 2:
            raise EvaluatorError(f"an evaluator returns (priors, values), not {shown(answered)}")
        priors, values = answered
        if values is None and needs_values:
            raise EvaluatorError("with the backup rule max an evaluator must give values: leaves are not played out")
        flat = np.concatenate([_shares(row) for row in _rows(priors, positions, moves)])
        return flat.astype(np.float32), None if values is None else _rewards(values, positions, game).ravel()

    return answer


def _rows(priors: Any, positions: list[Any], moves: list[list[Hashable]]) -> list[NDArray[np.float64]]:
    """For each position the priors of those moves that the search looks at, in its order."""
    if priors is None:
        return [np.ones(len(row)) for row in moves]
    if isinstance(priors, np.ndarray) and priors.ndim == 2:
        return _columns(priors, moves)
    if _length(priors) != len(positions):
        raise EvaluatorError(f"{len(priors)} rows of priors for {len(positions)} positions")
    rows = []
    for given, position, wanted in zip(priors, positions, moves, strict=True):
        legal = list(position.legal_moves())
        if _length(given) != len(legal):
            raise EvaluatorError(f"{len(given)} priors for a position of {len(legal)} legal moves")
        by_move = dict(zip(legal, given, strict=True))
        rows.append(_numbers([by_move[move] for move in wanted], "priors"))
    return rows


def _length(given: Any) -> int:
    """Of a list or an array; what has no order cannot have that of the moves."""
    try:
        if isinstance(given, Mapping | AbstractSet):
            raise TypeError
        return len(given)
    except TypeError:
        raise EvaluatorError(
            "priors are a list or an array for each position, with one number for each of its legal_moves() in their "
            f"order, not {shown(given)}"
        ) from None


def _columns(priors: NDArray[Any], moves: list[list[Hashable]]) -> list[NDArray[np.float64]]:
    if len(priors) != len(moves):
        raise EvaluatorError(f"{len(priors)} rows of priors for {len(moves)} positions")
    numbers = _numbers(priors, "priors")
    rows = []
    for shares, row in zip(numbers, moves, strict=True):
        columns = _move_numbers(row)
        if columns.min() < 0 or columns.max() >= len(shares):
            outside = columns.min() if columns.min() < 0 else columns.max()
            raise EvaluatorError(f"an array of priors with {len(shares)} columns has none for move {outside}")
        rows.append(shares[columns])
    return rows


def _move_numbers(moves: list[Hashable]) -> NDArray[np.intp]:
    try:
        numbers = np.array(moves)
    except ValueError:  # tuples of different lengths, say
        numbers = np.array([None])
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise EvaluatorError("an array of priors has a column for each move, and the moves of this game are no numbers")
    return numbers.astype(np.intp)


def _shares(row: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same in proportion, adding up to 1."""
    if row.min(initial=0.0) < 0:
        raise EvaluatorError(f"a prior of {row.min()}: it must be at least 0")
    greatest = row.max(initial=0.0)
    if greatest == 0:
        return np.full(len(row), 1 / len(row))
    parts = row / greatest  # the sum of very large numbers would be infinite
    shares: NDArray[np.float64] = parts / parts.sum()
    return shares


def _numbers(values: ArrayLike, what: str) -> NDArray[np.float64]:
    try:
        if np.iscomplexobj(values):
            raise TypeError
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvaluatorError(f"{what} must be numbers, not {shown(values)}") from None
    if not np.isfinite(numbers).all():
        raise EvaluatorError(f"{what} must be finite, and there are nan or infinite ones among them")
    return numbers


def _rewards(values: ArrayLike, positions: Sequence[Any], game: AnyPosition) -> NDArray[np.float64]:
    """One row a position, one column a player, scaled to [0, 1]."""
    low, high = game.reward_range
    numbers = _numbers(values, "values")
    players = game.num_players
    if numbers.min(initial=low) < low or numbers.max(initial=low) > high:
        raise EvaluatorError(f"values must be within the game's rewards, {low:g} to {high:g}")
    scaled = (numbers - low) / (high - low)
    if scaled.shape == (len(positions), players):
        return np.ascontiguousarray(scaled)
    if scaled.shape not in ((len(positions),), (len(positions), 1)) or players > 2:
        raise EvaluatorError(
            f"values have the shape {scaled.shape}; for {len(positions)} positions and {players} players it must be "
            f"({len(positions)}, {players}){f' or ({len(positions)},)' if players <= 2 else ''}"
        )
    mover = scaled.reshape(-1)
    if players == 1:
        return mover.reshape(-1, 1)
    second = np.array([position.to_move == 1 for position in positions])
    first = np.where(second, 1 - mover, mover)
    return np.stack([first, 1 - first], axis=1)


def policy_for_core(policy: Policy, game: AnyPosition, seed: int) -> Callable[..., int]:
    """The policy as the native search calls it: the place of the chosen move."""
    generator = random.Random(seed)

    def choose(native: Any, moves: list[Any]) -> int:
        chosen = policy(game.wrapped(native), list(moves), generator)
        try:
            return moves.index(chosen)
        except ValueError:
            raise EvaluatorError(
                f"the playout policy chose {shown(chosen)}, which is none of the legal moves {shown(moves)}"
            ) from None

    return choose
