"""The end of a game of Go: which stones are dead and which in seki, the score by several rules, passing and resigning.

Everything here judges by playouts or counts; nothing searches. Points are moves, as `Go` numbers them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tesuji.checks import check_integer, check_number
from tesuji.errors import ArgumentError, shown, suggestion
from tesuji.games.go import Go
from tesuji.games.position import EMPTY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Cells = NDArray[np.uint8]
    Mask = NDArray[np.bool_]

PLAYOUTS: Final = 1000
# A chain that its player owns less often is dead. Measured with benchmarks/final_scores.py: anything from 0.45 to 0.6
# is as good.
ALIVE_SHARE: Final = 0.5
# Of the playouts that leave a point to nobody: more, and it is a shared liberty that neither player may fill.
SHARED: Final = 0.5
# A fate is clear when this many of the playouts agree.
CLEAR: Final = 0.8


@dataclass(frozen=True, kw_only=True)
class Status:
    """What will become of the stones on the board; every stone is in one of the three.

    `is_settled` says that nothing is left to play for: every stone's fate is clear, and no empty point can be gained.
    """

    alive: frozenset[int]
    dead: frozenset[int]
    seki: frozenset[int]
    is_settled: bool


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
    ownership = position.ownership(playouts, seed)
    cells = position.cells()
    dead = _dead(cells, ownership)
    board = _without(cells, dead)
    shared = (board == EMPTY) & (ownership.sum(axis=0) < 1 - SHARED)
    seki = _seki(board, shared=shared)
    no_neutral_points = all(region.owner is not None or shared[region.points].all() for region in _regions(board))
    return Status(
        alive=_points((board != EMPTY) & ~seki),
        dead=_points(dead),
        seki=_points(seki),
        is_settled=no_neutral_points and bool((ownership.max(axis=0) >= CLEAR)[~shared].all()),
    )


def dead_stones(position: Go, *, seed: int, playouts: int = PLAYOUTS) -> frozenset[int]:
    """The points of the chains that playouts seldom leave to their player."""
    return _points(_dead(position.cells(), position.ownership(playouts, seed)))


def _dead(cells: Cells, ownership: NDArray[np.float64]) -> Mask:
    import numpy as np  # noqa: PLC0415  as in games/position.py

    dead = np.zeros(cells.shape, dtype=np.bool_)
    for colour in (0, 1):
        for chain in _parts(cells == colour):
            if ownership[colour][chain].mean() < ALIVE_SHARE:
                dead |= chain
    return dead


def _seki(board: Cells, *, shared: Mask) -> Mask:
    """The chains beside a shared liberty."""
    import numpy as np  # noqa: PLC0415  as above

    seki = np.zeros(board.shape, dtype=np.bool_)
    if not shared.any():
        return seki
    for colour in (0, 1):
        for chain in _parts(board == colour):
            if (_grown(chain) & shared).any():
                seki |= chain
    return seki


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
    removed = _mask(position, dead if found.takes_off_dead else ())
    board = _without(cells, removed)
    compensation = position.komi + found.compensation(handicap)
    if found.area:
        return _difference(board) + _territory(board) - compensation
    prisoners = captures[0] - captures[1] - _difference(_without(cells, ~removed))
    return _territory(board, without=_mask(position, seki)) + prisoners - compensation


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


def _difference(board: Cells) -> int:
    """Black's stones minus White's."""
    return int((board == 0).sum()) - int((board == 1).sum())


def _territory(board: Cells, *, without: Mask | None = None) -> int:
    """Black's empty points minus White's; what touches a stone of `without` is nobody's."""
    total = 0
    for region in _regions(board):
        if region.owner is not None and (without is None or not (_grown(region.points) & without).any()):
            total += int(region.points.sum()) * (1 if region.owner == 0 else -1)
    return total


# ---- when to pass, clean up and resign


def can_pass(position: Go, *, score: float) -> bool:
    """Whether the opponent has just passed and a pass now wins, with `score` as `final_score` counts."""
    return position.native.passes() > 0 and (score > 0 if position.to_move == 0 else score < 0)


def should_pass(position: Go, *, status: Status, score: float, rules: str = "chinese", clean_up: bool = False) -> bool:
    """Whether the player to move passes; `score` is what `final_score` counts for this status.

    He does when nothing is left to play for, and when the opponent has just passed and the count is won. Where the dead
    are not agreed upon, by the rules or because the opponent disputes them (`clean_up`), he captures them first.
    """
    if clean_up or not find_rules(rules).takes_off_dead:
        return status.is_settled and not stones_to_clean_up(position, status, player=position.to_move)
    return status.is_settled or can_pass(position, score=score)


def stones_to_clean_up(position: Go, status: Status, *, player: int) -> frozenset[int]:
    """The dead stones of the player's opponent: what he has to capture when the dead are not agreed upon."""
    cells = position.native.cells()
    return frozenset(point for point in status.dead if cells[point] == 1 - player)


def clean_up_moves(position: Go, status: Status) -> list[int]:
    """The legal moves next to the opponent's dead stones, or to empty points that they hold: these capture them."""
    stones = _mask(position, stones_to_clean_up(position, status, player=position.to_move))
    empty = position.cells() == EMPTY
    wanted = stones & empty
    for region in _parts(empty | stones):
        if (region & stones).any():
            wanted |= region & empty
    legal = set(position.legal_moves())
    return sorted(_points(wanted) & legal)


def should_resign(values: Sequence[float], *, threshold: float = 0.1, moves: int = 3) -> bool:
    """Whether a player's last values, one a move of his, have all been below the threshold; with 0 he never resigns."""
    check_number("threshold", threshold, low=0, high=1)
    check_integer("moves", moves, low=1)
    last = values[-moves:]
    return len(last) == moves and all(value < threshold for value in last)


# ---- the board as an array


@dataclass(frozen=True, kw_only=True)
class _Region:
    """Empty points that hang together, and the player whose stones alone touch them."""

    points: Mask
    owner: int | None


def _regions(board: Cells) -> Iterator[_Region]:
    for points in _parts(board == EMPTY):
        colours = set(board[_grown(points) & ~points].tolist())
        yield _Region(points=points, owner=colours.pop() if len(colours) == 1 else None)


def _parts(cells: Mask) -> list[Mask]:
    """The connected parts, each as a board."""
    from scipy.ndimage import label  # noqa: PLC0415  slow to load

    labels, count = label(cells)
    return [labels == number for number in range(1, count + 1)]


def _grown(points: Mask) -> Mask:
    """The points and their neighbours."""
    from scipy.ndimage import binary_dilation  # noqa: PLC0415  as above

    grown: Mask = binary_dilation(points)
    return grown


def _without(cells: Cells, removed: Mask) -> Cells:
    board = cells.copy()
    board[removed] = EMPTY
    return board


def _mask(position: Go, points: Iterable[int]) -> Mask:
    import numpy as np  # noqa: PLC0415  as in games/position.py

    mask = np.zeros(position.size * position.size, dtype=np.bool_)
    for point in points:
        mask[check_integer("a point", point, low=0, high=position.pass_move - 1)] = True
    return mask.reshape(position.shape)


def _points(mask: Mask) -> frozenset[int]:
    return frozenset(mask.ravel().nonzero()[0].tolist())
