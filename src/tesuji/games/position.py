"""What every position has in common: an immutable Python value over a native position."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self, SupportsIndex

from tesuji.checks import as_integer
from tesuji.errors import GameStateError, IllegalMoveError, shown
from tesuji.games.board_text import SYMBOLS
from tesuji.games.native import NativePosition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EMPTY: Final = 2
OFF_BOARD: Final = 3


class Position(ABC):
    """A position of a game for which the core has native code.

    Positions are values: `play` returns the next one and changes nothing, equal positions have equal hashes, and
    copies, pickles and threads can share them freely. Moves are numbers; wherever a move is taken, its text will do.
    """

    __slots__ = ("_native",)

    _native: NativePosition

    #: The name under which the game is registered.
    game: ClassVar[str]
    #: What to call each player in messages.
    players: ClassVar[tuple[str, ...]] = ("Black", "White")
    #: One name for each plane of `planes()`.
    plane_names: ClassVar[tuple[str, ...]] = ("own stones", "opponent's stones", "empty", "player to move")

    @classmethod
    def _wrap(cls, native: NativePosition) -> Self:
        self = object.__new__(cls)
        object.__setattr__(self, "_native", native)
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a position never changes: play() returns the next one (tried to set {name!r})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a position never changes (tried to delete {name!r})")

    @property
    def native(self) -> NativePosition:
        """The position in the core, for the search and the benchmarks."""
        return self._native

    def wrapped(self, native: Any) -> Self:
        """The same game at another of its native positions."""
        return self._wrap(native)

    def move_number(self, move: object) -> int:
        """The number under which the search knows a move."""
        return self._move_number(move)

    def move_of(self, number: int) -> int:
        """The move that the search knows under this number: here they are the same."""
        return number

    @property
    def public(self) -> Self:
        """What a result shows as its position."""
        return self

    # ---- rules

    @property
    def reward_range(self) -> tuple[float, float]:
        """The least and the greatest reward."""
        return 0.0, 1.0

    @property
    def num_players(self) -> int:
        return self._native.num_players()

    @property
    def to_move(self) -> int:
        """The player whose turn it is; 0 is the player who began. After the end it means nothing."""
        return self._native.to_move()

    @property
    def is_over(self) -> bool:
        return self._native.is_over()

    def legal_moves(self) -> list[int]:
        """Every legal move once, in order; empty exactly when the game is over."""
        return sorted(self._native.legal_moves())

    def is_legal(self, move: SupportsIndex | str) -> bool:
        """Whether `play(move)` would succeed."""
        try:
            return self._native.is_legal(self._move_number(move))
        except IllegalMoveError:
            return False

    def play(self, move: SupportsIndex | str) -> Self:
        """The position after this move, given as a number or as text.

        Raises `IllegalMoveError` when the rules forbid the move, or when the value is no move of this game.
        """
        number = self._move_number(move)
        if not self._native.is_legal(number):
            raise self._illegal(number)
        return self.wrapped(self._native.play(number))

    def outcome(self) -> tuple[float, ...]:
        """One reward in [0, 1] a player: 1 a win, 0.5 a draw, 0 a loss. Raises `GameStateError` before the end."""
        if not self.is_over:
            raise GameStateError("the game is not over, so it has no outcome yet: ask is_over first")
        return tuple(self._native.rewards())

    def rewards(self) -> tuple[float, ...]:
        """The outcome in [0, 1], whatever the range of the game's rewards."""
        low, high = self.reward_range
        return tuple((reward - low) / (high - low) for reward in self.outcome())

    # ---- moves as text

    def write_moves(self, moves: Iterable[int]) -> str:
        """The moves of a game from here, in one line; `read_moves` reads it back."""
        return " ".join(self._format(move) for move in moves)

    def read_moves(self, text: str) -> tuple[int, ...]:
        return tuple(self.parse_move(word) for word in text.split())

    @property
    @abstractmethod
    def num_distinct_moves(self) -> int:
        """Every move of the game, in any position, is a number from 0 to one less than this."""

    def parse_move(self, text: str) -> int:
        """The number of a move written as text. It need not be legal here, but must name a move of this board."""
        if not isinstance(text, str):
            raise IllegalMoveError(f"a move's text must be a str, not {shown(text)}")
        number = self._parse(text.strip().lower())
        if number is None:
            raise IllegalMoveError(f"{shown(text)} is no move here: {self._move_syntax()}")
        return number

    def format_move(self, move: SupportsIndex) -> str:
        """The text of a move, which `parse_move` reads back."""
        if isinstance(move, str):
            raise IllegalMoveError(f"format_move wants a move's number, not the text {shown(move)}")
        return self._format(self._move_number(move))

    @abstractmethod
    def _parse(self, text: str) -> int | None:
        """The move named by this stripped lower-case text, or None."""

    @abstractmethod
    def _format(self, move: int) -> str: ...

    @abstractmethod
    def _move_syntax(self) -> str:
        """How a move is written on this board, for error messages."""

    def _move_number(self, move: object) -> int:
        if isinstance(move, str):
            return self.parse_move(move)
        number = move if type(move) is int else as_integer(move)  # the first is what a game does all the time
        if number is None:
            raise IllegalMoveError(
                f"{shown(move)} ({type(move).__name__}) is no move: give a move's number or its text"
            )
        if not 0 <= number < self.num_distinct_moves:
            raise IllegalMoveError(
                f"there is no move number {shown(number)}: moves are numbered 0 to {self.num_distinct_moves - 1}"
            )
        return number

    def _illegal(self, move: int) -> IllegalMoveError:
        reason = f"the game is over ({self._status()})" if self.is_over else self._why_illegal(move)
        player = "" if self.is_over or self.to_move < 0 else f" for {self.players[self.to_move]}"
        return IllegalMoveError(f"illegal move {self._format(move)}{player}: {reason} (move number {move})")

    @abstractmethod
    def _why_illegal(self, move: int) -> str:
        """Why a move of this board is illegal here, where the game goes on."""

    # ---- values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        if type(self) is not type(other) or type(self._native) is not type(other._native):
            return False
        return self._native == other._native

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._native.hash()))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return self._from_state, (self._state(),)

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """All that makes up this position, in plain values: what a pickle holds."""

    def fingerprint(self) -> str:
        """A short text that tells this position from all others, the same in every process and on every machine."""
        text = json.dumps({"game": self.game, **self._state()}, sort_keys=True, default=bytes.hex)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    @classmethod
    @abstractmethod
    def _from_state(cls, state: dict[str, Any]) -> Self: ...

    # ---- views

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board as an array; its cells are in the order of the move numbers."""

    def cells(self) -> NDArray[np.uint8]:
        """The board, rows by columns: 0 or 1 for a player's stone, 2 for an empty cell, 3 for one off the board."""
        import numpy as np  # noqa: PLC0415  slow to load, and most games are played without it

        return np.frombuffer(self._native.cells(), dtype=np.uint8).reshape(self.shape).copy()

    def planes(self) -> NDArray[np.float32]:
        """The position as input for a network: float32, (planes, rows, columns), seen from the player to move.

        `plane_names` says what each plane holds. The first three are one-hot (all 0 on cells off the board), the
        fourth is filled with the number of the player to move; a game may add its own after these.
        """
        import numpy as np  # noqa: PLC0415  slow to load, and most games are played without it

        cells = self.cells()
        mover = self.to_move
        boards = [cells == mover, cells == 1 - mover, cells == EMPTY, np.full(self.shape, mover), *self._extra_planes()]
        return np.stack(boards).astype(np.float32)

    def _extra_planes(self) -> list[NDArray[Any]]:
        return []

    def _status(self) -> str:
        """One line: whose turn it is, or how the game ended."""
        if not self.is_over:
            name, symbol = self.players[self.to_move], SYMBOLS[self.to_move]
            return f"{name} to move" if name == symbol else f"{name} ({symbol}) to move"
        rewards = self.outcome()
        best = max(rewards)
        winners = [name for name, reward in zip(self.players, rewards, strict=True) if reward == best]
        return f"{winners[0]} wins" if len(winners) == 1 else "draw"

    @abstractmethod
    def _board_text(self) -> str: ...

    @abstractmethod
    def svg(self) -> str:
        """A picture of the board as an SVG document."""

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return f"{self._board_text()}\n{self._status()}"

    def _options_text(self) -> str:
        """The options that make this game what it is, as `name=value, ...`."""
        return ""

    def __repr__(self) -> str:
        options = self._options_text()
        return f"<{type(self).__name__}{' ' if options else ''}{options}: {self._status()}>"
