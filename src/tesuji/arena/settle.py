"""The end of a game of Go: which of the stones that two passes left on the board are dead, and who has won."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tesuji.arena.gtp_client import GtpRefusal
from tesuji.arena.gtp_dialects import DIALECTS
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import PlayerFailure, PlayerSpec
from tesuji.errors import ArgumentError, GameStateError, IllegalMoveError, shown
from tesuji.games.go import Go
from tesuji.games.position import EMPTY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLAYOUTS: Final = 1000
# A chain that its player owns less often is dead. In games that GNU Go ended, nearly all that it calls dead is far
# below this, all else far above; either side of a seki, which random play cannot hold, is at nearly a half.
ALIVE_SHARE: Final = 0.35
_SCORE: Final = re.compile(r"(?:([BW])\+(\d+(?:\.\d*)?)|0(?:\.0*)?)")


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """Who has won a finished game, and why.

    `points` is the first player's reward. `score` is Black's area minus White's and komi, with the `dead` stones taken
    off; it decides. `referee_score` is what the referee makes of the same board: where there is one it has the last
    word, and `disagreement` says so where it names another winner than the playouts.
    """

    points: float
    score: float
    dead: frozenset[int]
    referee_score: float | None = None
    disagreement: str | None = None


def settle_go(position: Go, *, seed: int, referee: PlayerSpec | None = None) -> Settlement:
    """Settles a game of Go that ended with two passes, by playouts and, where it is given, by a referee program.

    A referee that fails leaves it at the playouts; `disagreement` says how it failed.
    """
    if not position.is_over:
        raise GameStateError("the game goes on, so there is nothing to settle: play it to its end first")
    dead = dead_stones(position, seed=seed)
    score = area_score(position, dead)
    if referee is None:
        return Settlement(points=_points(score), score=score, dead=dead)
    program = check_referee(referee)
    try:
        judged_dead, judged_score = _judgement(position, program, seed)
    except PlayerFailure as failure:
        note = f"the referee failed ({failure}); playouts give {format_score(score)}"
        return Settlement(points=_points(score), score=score, dead=dead, disagreement=note)
    same = _points(score) == _points(judged_score)
    return Settlement(
        points=_points(judged_score),
        score=judged_score,
        dead=judged_dead,
        referee_score=judged_score,
        disagreement=None
        if same
        else f"playouts give {format_score(score)}, {referee.name} {format_score(judged_score)}",
    )


def check_referee(referee: PlayerSpec) -> GtpProgram:
    if not isinstance(referee, GtpProgram):
        raise ArgumentError(f"a referee must be a program that speaks GTP, not {referee}")
    return referee


def dead_stones(position: Go, *, seed: int, playouts: int = PLAYOUTS) -> frozenset[int]:
    """The points of the chains that random play seldom leaves to their player."""
    import numpy as np  # noqa: PLC0415  as in games/position.py

    ownership = position.ownership(playouts, seed)
    cells = position.cells()
    dead: set[int] = set()
    for chain in _chains(cells):
        rows, columns = np.divmod(np.array(chain), position.size)
        if ownership[cells[rows[0], columns[0]], rows, columns].mean() < ALIVE_SHARE:
            dead.update(chain)
    return frozenset(dead)


def area_score(position: Go, dead: frozenset[int]) -> float:
    """Black's area minus White's and komi, once these stones are off the board."""
    stones: tuple[list[str], list[str]] = ([], [])
    for point, cell in enumerate(position.native.cells()):
        if cell != EMPTY and point not in dead:
            stones[cell].append(position.format_move(point))
    return Go.from_stones(black=stones[0], white=stones[1], size=position.size, komi=position.komi).score


def format_score(score: float) -> str:
    """A score as GTP writes it: B+3.5, W+1, or 0 for a draw."""
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def _points(score: float) -> float:
    return 0.5 if score == 0 else float(score > 0)


def _chains(cells: NDArray[np.uint8]) -> list[list[int]]:
    """The chains of the board, each as its points."""
    size = len(cells)
    seen = cells == EMPTY
    chains = []
    for first in zip(*(axis.tolist() for axis in (~seen).nonzero()), strict=True):
        if seen[first]:
            continue
        seen[first] = True
        chain = [first]
        for row, column in chain:
            for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                on_board = 0 <= near[0] < size and 0 <= near[1] < size
                if on_board and not seen[near] and cells[near] == cells[first]:
                    seen[near] = True
                    chain.append(near)
        chains.append([row * size + column for row, column in chain])
    return chains


def _judgement(position: Go, referee: GtpProgram, seed: int) -> tuple[frozenset[int], float]:
    """The dead stones and the score as the referee sees them.

    It is shown the bare board. So the score is counted here from the stones that it calls dead: its own would miss the
    prisoners if it counted territory. Its own is asked for only where it does not list the dead.
    """
    go = DIALECTS["go"]
    with referee.start(seed=seed) as client:
        for command in go.opening(position):
            referee.ask(client, command)
        try:
            answer = client.send("final_status_list dead", timeout=referee.timeout)
        except GtpRefusal:
            return frozenset(), _parse_score(referee.ask(client, "final_score"), referee)
    try:
        dead = frozenset(go.parse(position, vertex) for vertex in answer.split())
    except IllegalMoveError as error:
        raise PlayerFailure("nonsense", f"{referee.name} listed the dead stones so: {error}") from None
    return dead, area_score(position, dead)


def _parse_score(text: str, referee: GtpProgram) -> float:
    match = _SCORE.fullmatch(text)
    if match is None:
        raise PlayerFailure("nonsense", f"{referee.name} gave {shown(text)} as the score, not B+3.5, W+1 or 0")
    size = float(match[2] or 0)
    return size if match[1] == "B" else -size
