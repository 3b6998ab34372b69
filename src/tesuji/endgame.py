"""The end of a game of Go: which stones are dead and which in seki, the score by several rules, passing and resigning.

Everything here judges by playouts or counts; nothing searches. Points are moves, as `Go` numbers them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tesuji.checks import check_integer
from tesuji.errors import ArgumentError, shown, suggestion
from tesuji.games.go import Go
from tesuji.games.position import EMPTY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLAYOUTS: Final = 1000
# A chain that its player owns less often is dead. Either side of a seki, which random play cannot hold, is at nearly a
# half.
ALIVE_SHARE: Final = 0.35


@dataclass(frozen=True, kw_only=True)
class Status:
    """What will become of the stones on the board; every stone is in one of the three."""

    alive: frozenset[int]
    dead: frozenset[int]
    seki: frozenset[int]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How a set of rules counts.

    `area` counts stones and territory, else territory and prisoners. `takes_off_dead` says whether the players agree on
    dead stones or have to capture them. `compensated_from` is the first handicap stone for which White gets a point.
    """

    area: bool = True
    takes_off_dead: bool = True
    compensated_from: int | None = None

    def compensation(self, handicap: int) -> int:
        return 0 if self.compensated_from is None else max(0, handicap + 1 - self.compensated_from)


RULES: Final = {
    "chinese": Rules(compensated_from=1),
    "aga": Rules(compensated_from=2),
    "new-zealand": Rules(),
    "tromp-taylor": Rules(takes_off_dead=False),
    "japanese": Rules(area=False),
}


def find_rules(name: str) -> Rules:
    rules = RULES.get(name)
    if rules is None:
        known = ", ".join(RULES)
        raise ArgumentError(f"there are no rules {shown(name)}; known are {known}{suggestion(str(name), RULES)}")
    return rules


# ---- life and death


def final_status(position: Go, *, seed: int, playouts: int = PLAYOUTS) -> Status:
    """The dead, the living, and the stones in seki, as if both players had just passed."""
    dead = dead_stones(position, seed=seed, playouts=playouts)
    stones = frozenset(point for point, cell in enumerate(position.native.cells()) if cell != EMPTY)
    return Status(alive=stones - dead, dead=dead, seki=frozenset())


def dead_stones(position: Go, *, seed: int, playouts: int = PLAYOUTS) -> frozenset[int]:
    """The points of the chains that random play seldom leaves to their player."""
    ownership = position.ownership(playouts, seed)
    cells = position.cells()
    dead: set[int] = set()
    for colour in (0, 1):
        for chain in _parts(cells == colour):
            if ownership[colour][chain].mean() < ALIVE_SHARE:
                dead.update(chain.ravel().nonzero()[0].tolist())
    return frozenset(dead)


# ---- counting


def final_score(
    position: Go,
    *,
    rules: str = "chinese",
    dead: Iterable[int] = (),
    seki: Iterable[int] = (),
    captures: tuple[int, int] = (0, 0),
    handicap: int = 0,
) -> float:
    """Black's points minus White's, komi included: positive when Black is ahead.

    `dead` stones come off the board first, unless the rules want them captured. Territory beside stones in `seki`
    counts only under area rules. `captures` are the stones that Black and White have taken (`count_captures`), which
    only Japanese rules look at; `handicap` is the number of handicap stones, for which some rules compensate White.
    """
    found = find_rules(rules)
    check_integer("handicap", handicap, low=0)
    cells = position.cells()
    removed = _mask(position, dead) if found.takes_off_dead else _mask(position, ())
    prisoners = [captures[player] + int((removed & (cells == 1 - player)).sum()) for player in (0, 1)]
    board = cells.copy()
    board[removed] = EMPTY
    compensation = position.komi + found.compensation(handicap)
    if found.area:
        return _difference(board) + _territory(board) - compensation
    return _territory(board, without=_mask(position, seki)) + prisoners[0] - prisoners[1] - compensation


def count_captures(start: Go, moves: Iterable[int]) -> tuple[int, int]:
    """How many stones Black and White take when these moves are played."""
    taken = [0, 0]
    position = start
    for move in moves:
        after = position.play(move)
        added = int(move != position.pass_move)
        taken[position.to_move] += after.native.cells().count(EMPTY) - position.native.cells().count(EMPTY) + added
        position = after
    return taken[0], taken[1]


def format_score(score: float) -> str:
    """A score as GTP writes it: B+3.5, W+1, or 0 for a draw."""
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def _difference(board: NDArray[np.uint8]) -> int:
    return int((board == 0).sum()) - int((board == 1).sum())


def _territory(board: NDArray[np.uint8], *, without: NDArray[np.bool_] | None = None) -> int:
    """Black's empty points minus White's; what touches a point of `without` is nobody's."""
    total = 0
    for region in _parts(board == EMPTY):
        border = _grown(region) & ~region
        colours = set(board[border].tolist())
        if len(colours) == 1 and (without is None or not (border & without).any()):
            total += int(region.sum()) * (1 if colours == {0} else -1)
    return total


# ---- when to pass, clean up and resign


def can_pass(position: Go, *, score: float) -> bool:
    """Whether the opponent has just passed and a pass now wins, with `score` as `final_score` counts."""
    passed = position.native.passes() > 0
    return passed and (score > 0 if position.to_move == 0 else score < 0)


def stones_to_clean_up(position: Go, status: Status, *, player: int) -> frozenset[int]:
    """The dead stones of the player's opponent, which he has to capture if the dead are not agreed upon."""
    cells = position.native.cells()
    return frozenset(point for point in status.dead if cells[point] == 1 - player)


def should_resign(values: Sequence[float], *, threshold: float = 0.1, moves: int = 3) -> bool:
    """Whether a player's last values, one a move of his, have all been below the threshold. 0 never resigns."""
    last = values[-moves:]
    return len(last) == moves and all(value < threshold for value in last)


# ---- the board as an array


def _parts(cells: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """The connected parts, each as a board."""
    from scipy.ndimage import label  # noqa: PLC0415  slow to load

    labels, count = label(cells)
    return [labels == number for number in range(1, count + 1)]


def _grown(points: NDArray[np.bool_]) -> NDArray[Any]:
    """The points and their neighbours."""
    from scipy.ndimage import binary_dilation  # noqa: PLC0415  as above

    grown: NDArray[Any] = binary_dilation(points)
    return grown


def _mask(position: Go, points: Iterable[int]) -> NDArray[np.bool_]:
    import numpy as np  # noqa: PLC0415  as in games/position.py

    mask = np.zeros(position.size * position.size, dtype=np.bool_)
    mask[list(points)] = True
    return mask.reshape(position.shape)
