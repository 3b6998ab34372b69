"""Games of the user's own, written in plain Python: what they must have, and how the search sees them."""

from __future__ import annotations

import hashlib
import math
import pickle
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final, Protocol, Self, runtime_checkable
from urllib.parse import quote, unquote

from tesuji import _core
from tesuji.checks import as_integer, check_number
from tesuji.errors import ArgumentError, GameError, GameStateError, IllegalMoveError, shown
from tesuji.games.position import Position

#: Who is to move where the dice decide.
CHANCE: Final = -1

MAX_PLAYERS: Final = 8

# What needs no quoting in a line of moves: all but the space between them, and the sign that quotes.
_PLAIN = "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"

NEEDED: Final = ("to_move", "is_over", "legal_moves", "play", "outcome")


@runtime_checkable
class Game(Protocol):
    """A position of a game of your own: these five are all that a search needs.

    A position is a value: `play` returns the next one and leaves this one as it is. Moves may be any hashable values.

    It may also have
    - `num_players`: 1 to 8, where it is not 2;
    - `reward_range`: `(low, high)`, where rewards are not within 0 and 1;
    - `chance_probabilities()`: needed where `to_move` can be `tesuji.CHANCE`; one for each of `legal_moves()`, which
      then are the outcomes;
    - `format_move(move)`: how a move is written; `str(move)` otherwise.
    """

    @property
    def to_move(self) -> int:
        """The player whose turn it is, 0, 1, ..., or `tesuji.CHANCE`. After the end it is not asked."""

    @property
    def is_over(self) -> bool: ...

    def legal_moves(self) -> Sequence[Hashable]:
        """Every legal move once; at least one while the game is not over."""

    def play(self, move: Any, /) -> Game:
        """The position after this move."""

    def outcome(self) -> Sequence[float]:
        """One reward a player, after the end; each player wants as much of its own as it can get."""


class OwnPosition:
    """A position of the user's own game with the face that search and matches need of any position."""

    __slots__ = ("native", "num_players", "reward_range", "state")

    def __init__(self, state: Game) -> None:
        if isinstance(state, type):
            raise ArgumentError(f"{state.__name__} is a class: give a position, {state.__name__}()")
        missing = missing_names(state)
        if missing:
            raise ArgumentError(
                f"{shown(state)} is no position: it has no {', '.join(missing)}. "
                f"A game of your own needs {', '.join(NEEDED)}; see tesuji.Game"
            )
        self.state = state
        self.num_players = check_players(getattr(state, "num_players", 2))
        self.reward_range = check_range(getattr(state, "reward_range", (0.0, 1.0)))
        self.native = _core.PythonGame(state, self.num_players, *self.reward_range)

    @property
    def game(self) -> str:
        return type(self.state).__name__

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(f"player {number}" for number in range(self.num_players))

    @property
    def to_move(self) -> int:
        return self.state.to_move

    @property
    def is_over(self) -> bool:
        if callable(self.state.is_over):
            raise GameError(
                "is_over is a method, and must be a plain attribute or a property: write @property above it"
            )
        return bool(self.state.is_over)

    def legal_moves(self) -> list[Any]:
        return [] if self.is_over else list(self.state.legal_moves())

    def play(self, move: Hashable) -> Self:
        """The position after a legal move, given as itself or by its text."""
        if self.is_over:
            raise GameStateError(f"the game is over, so {shown(move)} cannot be played")
        return type(self)(self.state.play(self.legal_move(move)))

    def outcome(self) -> tuple[float, ...]:
        return tuple(float(reward) for reward in self.state.outcome())

    def rewards(self) -> tuple[float, ...]:
        """The outcome in [0, 1], whatever the range of the game's rewards."""
        low, high = self.reward_range
        return tuple((reward - low) / (high - low) for reward in self.outcome())

    def chance_probabilities(self) -> list[float]:
        """One for each legal move, where chance decides."""
        return [float(probability) for probability in self.state.chance_probabilities()]  # type: ignore[attr-defined]  # optional

    def format_move(self, move: Hashable) -> str:
        return move_text(self.state, move)

    def write_moves(self, moves: Iterable[Hashable]) -> str:
        """The moves of a game from here, in one line; `read_moves` reads it back."""
        position, words = self, []
        for move in moves:
            words.append(quote(position.format_move(move), safe=_PLAIN))
            position = position.play(move)
        return " ".join(words)

    def read_moves(self, text: str) -> tuple[Hashable, ...]:
        position, moves = self, []
        for word in text.split():
            moves.append(position.parse_move(unquote(word)))
            position = position.play(moves[-1])
        return tuple(moves)

    def fingerprint(self) -> str:
        """A short text that tells this position from others, the same in every process."""
        kind = type(self.state)
        try:
            content = pickle.dumps(self.state, protocol=4)
        except Exception:
            content = repr(self.state).encode()
        name = f"{kind.__module__}.{kind.__qualname__}:".encode()
        return hashlib.blake2b(name + content, digest_size=8).hexdigest()

    def parse_move(self, text: str) -> Any:
        """The legal move of this text."""
        for move in self.legal_moves():
            if self.format_move(move) == text.strip():
                return move
        raise IllegalMoveError(f"{shown(text)} is no legal move here")

    def legal_move(self, move: Hashable) -> Any:
        """The move itself, or that of this text; `IllegalMoveError` where it is none."""
        if move in self.legal_moves():
            return move
        if isinstance(move, str):
            return self.parse_move(move)
        raise IllegalMoveError(f"{shown(move)} is no legal move here")

    # ---- for the search

    def move_number(self, move: Hashable) -> int:
        """The number under which the search knows a move."""
        return self.native.move_number(self.legal_move(move))

    def move_of(self, number: int) -> Any:
        return self.native.move_object(number)

    def wrapped(self, native: Any) -> Any:
        """What a user's evaluator gets to see; the search hands out the user's own objects."""
        return native

    @property
    def public(self) -> Game:
        return self.state

    def __repr__(self) -> str:
        return shown(self.state)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.state,)


#: What a search and a match work with.
AnyPosition = Position | OwnPosition


def missing_names(position: object) -> list[str]:
    """What a position lacks. A property that raises is there: its exception is worth more than a word that it lacks."""
    return [name for name in NEEDED if name not in dir(position) and not hasattr(position, name)]


def move_text(position: Any, move: Hashable) -> str:
    """How a move is written, in any game."""
    written = getattr(position, "format_move", None)
    return str(move) if written is None else str(written(move))


def check_players(given: object) -> int:
    """How many players there are."""
    number = as_integer(given)
    if number is None or not 1 <= number <= MAX_PLAYERS:
        raise GameError(f"num_players must be a number from 1 to {MAX_PLAYERS}, not {shown(given)}")
    return number


def check_range(given: object) -> tuple[float, float]:
    """The least and the greatest reward."""
    if not isinstance(given, Sequence) or len(given) != 2:
        raise GameError(f"reward_range must be (low, high), not {shown(given)}")
    low, high = (check_number("a bound of reward_range", bound) for bound in given)
    if not low < high:
        raise GameError(f"reward_range must be (low, high) with low below high, not {shown(given)}")
    if math.isinf(high - low):
        raise GameError(f"reward_range must not be wider than a number can say, as {shown(given)} is")
    return low, high
