"""Games of the user's own as compiled functions, which the search runs without Python: `numba.cfunc` makes them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self, SupportsIndex

from tesuji import _core
from tesuji.checks import as_integer, check_integer
from tesuji.errors import ArgumentError, GameError, GameStateError, shown
from tesuji.games import svg
from tesuji.games.numbered_moves import NumberedMoves
from tesuji.games.own import CHANCE, MAX_PLAYERS, check_range

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What `status` answers when the game is over; where chance decides it is `tesuji.CHANCE`.
OVER: Final = -2

MAX_MOVES: Final = 1_000_000
MAX_STATE: Final = 2**20

# How each function must look to numba; the state may be an array of any numbers.
_SIGNATURES = {
    "legal_moves": "int32(CPointer(STATE), CPointer(int32))",
    "play": "void(CPointer(STATE), int32)",
    "status": "int32(CPointer(STATE), CPointer(float64))",
    "probabilities": "void(CPointer(STATE), CPointer(float64))",
    "policy": "int32(CPointer(STATE), CPointer(int32), int32, uint64)",
}


@dataclass(frozen=True, kw_only=True)
class _Definition:
    """What all positions of one game share."""

    legal_moves: Any
    play: Any
    status: Any
    probabilities: Any
    num_moves: int
    num_players: int
    reward_range: tuple[float, float]
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    show: Callable[[NDArray[Any]], str] | None


class CompiledGame(NumberedMoves):
    """A game as three compiled functions on a state of fixed size, a numpy array.

    - `legal_moves(state, moves)` writes the legal moves, numbers below `num_moves`, and returns how many there are;
    - `play(state, move)` changes the state;
    - `status(state, rewards)` returns the player to move, -1 where chance decides, or -2 when the game is over, and
      then writes one reward a player;
    - `probabilities(state, probabilities)`, only for games with chance, writes one for each legal move.

    Each is a `numba.cfunc`, a `ctypes` function, or an address. What they answer is checked at every step. That they
    write only into what they are given cannot be: a function that writes elsewhere can end the process.
    """

    __slots__ = ("_definition",)

    _definition: _Definition

    game: ClassVar[str] = "compiled"
    players: ClassVar[tuple[str, ...]] = tuple(f"player {number}" for number in range(MAX_PLAYERS))
    #: The functions know nothing of boards: as in a TreeGame, one row with a cell for each move.
    plane_names: ClassVar[tuple[str, ...]] = ("nothing", "nothing", "legal moves", "player to move")

    def __init__(
        self,
        state: NDArray[Any],
        *,
        legal_moves: Any,
        play: Any,
        status: Any,
        num_moves: int,
        num_players: int = 2,
        reward_range: tuple[float, float] = (0.0, 1.0),
        probabilities: Any = None,
        show: Callable[[NDArray[Any]], str] | None = None,
    ) -> None:
        import numpy as np  # noqa: PLC0415  slow to load, and most games are played without it

        array = np.ascontiguousarray(state)
        if array.dtype.kind not in "biufc" or not array.dtype.isnative or not 0 < array.nbytes <= MAX_STATE:
            raise ArgumentError(
                f"the state must be an array of numbers, of 1 to {MAX_STATE:,} bytes, not {array.nbytes:,} bytes of "
                f"type {array.dtype}"
            )
        definition = _Definition(
            legal_moves=legal_moves,
            play=play,
            status=status,
            probabilities=probabilities,
            num_moves=check_integer("num_moves", num_moves, low=1, high=MAX_MOVES),
            num_players=check_integer("num_players", num_players, low=1, high=MAX_PLAYERS),
            reward_range=check_range(reward_range),
            dtype=array.dtype,
            shape=array.shape,
            show=show,
        )
        addresses = {
            name: address_of(name, getattr(definition, name), array.dtype) for name in ("legal_moves", "play", "status")
        }
        low, high = definition.reward_range
        with _bad_answers():
            native = _core.compiled_game(
                array.tobytes(),
                **addresses,
                probabilities=0 if probabilities is None else address_of("probabilities", probabilities, array.dtype),
                num_players=definition.num_players,
                num_moves=definition.num_moves,
                low=low,
                high=high,
            )
        object.__setattr__(self, "_native", native)
        object.__setattr__(self, "_definition", definition)

    def wrapped(self, native: Any) -> Self:
        following = self._wrap(native)
        object.__setattr__(following, "_definition", self._definition)
        return following

    @property
    def native(self) -> _core.CompiledGame:
        return self._native  # type: ignore[return-value]  # made by compiled_game

    @property
    def state(self) -> NDArray[Any]:
        """A copy of the state, as it was given."""
        import numpy as np  # noqa: PLC0415  slow to load, and most games are played without it

        definition = self._definition
        return np.frombuffer(self.native.state(), dtype=definition.dtype).reshape(definition.shape).copy()

    @property
    def reward_range(self) -> tuple[float, float]:
        return self._definition.reward_range

    def outcome(self) -> tuple[float, ...]:
        low, high = self.reward_range
        return tuple(low + (high - low) * reward for reward in super().outcome())

    def legal_moves(self) -> list[int]:
        with _bad_answers():
            return super().legal_moves()

    def play(self, move: SupportsIndex | str) -> Self:
        with _bad_answers():
            return super().play(move)

    def chance_probabilities(self) -> list[float]:
        """One for each of `legal_moves()`, where chance decides."""
        if self.to_move != CHANCE:
            raise GameStateError("a player is to move here, not chance: ask to_move first")
        with _bad_answers():
            by_move = zip(self.native.legal_moves(), self.native.chance_probabilities(), strict=True)
        return [probability for _, probability in sorted(by_move)]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.state, {**vars(self._definition), **self._named_functions()})

    def _named_functions(self) -> dict[str, Any]:
        return {
            name: _Reference.to(name, getattr(self._definition, name))
            for name in ("legal_moves", "play", "status", "probabilities", "show")
            if getattr(self._definition, name) is not None
        }

    def _state(self) -> dict[str, Any]:
        """For the fingerprint: functions by name, since their addresses differ from process to process."""
        functions = [getattr(self._definition, name) for name in ("legal_moves", "play", "status", "probabilities")]
        return {
            "state": self.native.state(),
            "functions": [str(getattr(getattr(f, "__wrapped__", f), "__qualname__", f)) for f in functions],
            "num_moves": self._definition.num_moves,
            "num_players": self._definition.num_players,
            "reward_range": self._definition.reward_range,
        }

    @classmethod
    def _from_state(cls, state: dict[str, Any]) -> NoReturn:
        raise NotImplementedError("__reduce__ does without")

    # ---- moves

    @property
    def num_distinct_moves(self) -> int:
        return self._definition.num_moves

    def _why_illegal(self, move: int) -> str:  # noqa: ARG002  the same for every move
        return f"the moves here are {shown(self.legal_moves())}"

    # ---- views

    @property
    def shape(self) -> tuple[int, int]:
        return 1, self.num_distinct_moves

    def _board_text(self) -> str:
        show = self._definition.show
        return str(self.state) if show is None else show(self.state)

    def _status(self) -> str:
        if self.is_over:
            return f"over, with the rewards {', '.join(f'{reward:g}' for reward in self.outcome())}"
        return "chance decides" if self.to_move == CHANCE else f"{self.players[self.to_move]} to move"

    def svg(self) -> str:
        """The text of the position: the functions know nothing of pictures."""
        return svg.text_picture(str(self), title=repr(self))


def is_compiled(function: Any) -> bool:
    """Whether this is a function of numba or of ctypes."""
    return hasattr(function, "native_name") or hasattr(function, "argtypes")


@contextmanager
def _bad_answers() -> Iterator[None]:
    """What the core says of the functions' answers, as an error of ours."""
    try:
        yield
    except _core.BadGame as error:
        raise GameError(str(error)) from None


def address_of(name: str, function: Any, state: np.dtype[Any]) -> int:
    """Where a compiled function for states of these numbers lies in memory."""
    if hasattr(function, "native_name"):  # numba
        _check_signature(name, function, state)
        return int(function.address)
    if hasattr(function, "argtypes"):  # ctypes
        import ctypes  # noqa: PLC0415  only those who use it have loaded it

        return ctypes.cast(function, ctypes.c_void_p).value or 0
    address = as_integer(function)
    if address is None or not 0 < address < 2**64:
        raise ArgumentError(
            f"{name} must be a numba.cfunc, a ctypes function or an address, not {shown(function)}: "
            f"write @numba.cfunc('{_SIGNATURES[name].replace('STATE', 'int64')}') above it"
        )
    return address


def _check_signature(name: str, function: Any, numbers: np.dtype[Any]) -> None:
    """A cfunc says what it takes: a wrong type would be read as something else, a wider one beyond the state's end."""
    signature = function._sig  # noqa: SLF001  numba has no public way to ask a cfunc
    given = f"{signature.return_type}({', '.join(str(argument) for argument in signature.args)})"
    wanted = _SIGNATURES[name].replace("CPointer(STATE)", f"{numbers}*")
    wanted = wanted.replace("CPointer(int32)", "int32*").replace("CPointer(float64)", "float64*")
    if given.replace("none", "void") != wanted:
        raise ArgumentError(
            f"{name} has the signature {given}; for a state of {numbers} numbers it must be "
            f"{_SIGNATURES[name].replace('STATE', str(numbers))}"
        )


@dataclass(frozen=True)
class _Reference:
    """A function by the name of its module and its own: other processes find it there."""

    module: str
    name: str

    @classmethod
    def to(cls, what: str, function: Any) -> _Reference:
        original = getattr(function, "__wrapped__", function)
        reference = cls(getattr(original, "__module__", ""), getattr(original, "__qualname__", ""))
        if reference.resolved() is not function:
            raise TypeError(
                f"the game's {what} cannot be found by name, so another process cannot be told of it: "
                "define it at the top level of a module"
            )
        return reference

    def resolved(self) -> Any:
        try:
            return getattr(importlib.import_module(self.module), self.name, None)
        except (ImportError, ValueError):
            return None


def _restored(state: NDArray[Any], definition: dict[str, Any]) -> CompiledGame:
    given = {name: value.resolved() if isinstance(value, _Reference) else value for name, value in definition.items()}
    del given["dtype"], given["shape"]
    return CompiledGame(state, **given)
