"""Capturing races in Go, and verdicts of solvers of one's own for the search. docs/semeai.md has examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tesuji import _core
from tesuji.checks import check_integer
from tesuji.errors import ArgumentError, shown
from tesuji.games.go import Go

Outcome = Literal["black", "white", "seki", "ko", "unknown"]

#: In the order of the core's numbers.
_OUTCOMES: Final[tuple[Outcome, ...]] = ("black", "white", "seki", "ko", "unknown")
DEFAULT_POSITIONS: Final = 100_000
MAX_POSITIONS: Final = 10**9
_COLOURS: Final = ("black", "white")


@dataclass(frozen=True, kw_only=True)
class Race:
    """What is known of a race: who wins it if Black, and if White, moves first.

    `outcomes` are "black" or "white" for the winner, "seki" where neither side can capture the other, "ko" where it
    depends on who has more ko threats, "unknown" where the bound was reached. Chains of one side alone live or die:
    their owner wins if they are never captured. `necessary` are the moves of each player, moving first, without which
    the outcome is worse; none where a pass does as well, or where the bound was reached before all were looked at.
    """

    position: Go
    outcomes: tuple[Outcome, Outcome]
    necessary: tuple[tuple[int, ...], tuple[int, ...]]
    positions: int

    def first(self, colour: str) -> Outcome:
        """The outcome if this colour moves first."""
        return self.outcomes[_player(colour)]

    def necessary_for(self, colour: str) -> tuple[str, ...]:
        """The moves as text."""
        return tuple(map(self.position.format_move, self.necessary[_player(colour)]))

    def is_won_after_pass(self, colour: str) -> bool:
        """Whether this colour wins although the other moves first."""
        player = _player(colour)
        return self.outcomes[1 - player] == _COLOURS[player]

    def to_json(self) -> dict[str, Any]:
        return {
            "first": dict(zip(_COLOURS, self.outcomes, strict=True)),
            "necessary": {colour: list(self.necessary_for(colour)) for colour in _COLOURS},
            "won after a pass": {colour: self.is_won_after_pass(colour) for colour in _COLOURS},
            "positions": self.positions,
        }


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a solver of one's own says of a position.

    `necessary`: moves of the player to move, which get virtual wins. `stones`: of points with a stone on them, whether
    this is still there at the end of the game; playouts that end otherwise are made anew.
    """

    necessary: Sequence[Any] = ()
    stones: Mapping[Any, bool] = field(default_factory=dict)


def solve(
    position: Go,
    *,
    black: Iterable[str | int] = (),
    white: Iterable[str | int] = (),
    positions: int = DEFAULT_POSITIONS,
) -> Race:
    """Solves the race between chains of Black and of White, each named by one of its stones.

    The first capture of one of these chains decides the race. Where only one side has any the question is whether one
    of them can be captured: life or death. `positions` bounds the search.
    """
    if not isinstance(position, Go):
        raise ArgumentError(f"races are fought on a Go board, not {shown(position)}")
    most = check_integer("positions", positions, low=1, high=MAX_POSITIONS)
    stones = [_stones(position, player, given) for player, given in enumerate((black, white))]
    if not any(stones):
        raise ArgumentError("no stones were named: name one of each chain in the race")
    found = _core.go_solve_race(position.native, *stones, most)  # type: ignore[call-overload]  # one for each size
    first, second = (_OUTCOMES[number] for number in found.outcome)
    black_moves, white_moves = (tuple(sorted(moves)) for moves in found.necessary)
    return Race(
        position=position,
        outcomes=(first, second),
        necessary=(black_moves, white_moves),
        positions=found.positions,
    )


def find(position: Go, *, stones: int = 2, life: bool = False) -> list[tuple[list[str], list[str]]]:
    """What an engine with `semeai` would look at: the stones of Black and of White for `solve`.

    With `life`, also chains that are shut in and race against none; then only one side has stones.
    """
    if not isinstance(position, Go):
        raise ArgumentError(f"races are fought on a Go board, not {shown(position)}")
    least = check_integer("stones", stones, low=1, high=position.size * position.size)
    races = _core.go_races(position.native, least, bool(life))  # type: ignore[call-overload]  # as above
    return [
        ([position.format_move(p) for p in black], [position.format_move(p) for p in white]) for black, white in races
    ]


def _stones(position: Go, player: int, given: Iterable[str | int]) -> list[int]:
    points = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    numbers = [position.move_number(point) for point in points]
    cells = position.native.cells()
    for number in numbers:
        if number >= len(cells) or cells[number] != player:
            raise ArgumentError(f"{_COLOURS[player]} has no stone on {position.format_move(number)}:\n{position}")
    return numbers


def _player(colour: str) -> int:
    if colour not in _COLOURS:
        raise ArgumentError(f"a colour is black or white, not {shown(colour)}")
    return _COLOURS.index(colour)
