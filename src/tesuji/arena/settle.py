"""The end of a game of Go: which of the stones that two passes left on the board are dead, and who has won."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tesuji.arena.gtp_client import GtpRefusal
from tesuji.arena.gtp_dialects import DIALECTS
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import PlayerFailure, PlayerSpec, never
from tesuji.endgame import dead_stones, final_score, format_score
from tesuji.errors import ArgumentError, GameStateError, IllegalMoveError, shown
from tesuji.games.go import Go

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


def settle_go(
    position: Go, *, seed: int, referee: PlayerSpec | None = None, stopped: Callable[[], bool] = never
) -> Settlement:
    """Settles a game of Go that ended with two passes, by playouts and, where it is given, by a referee program.

    A referee that fails leaves it at the playouts; `disagreement` says how it failed. When `stopped()` becomes true
    while it is waited for, `PlayerStopped` is raised.
    """
    if not position.is_over:
        raise GameStateError("the game goes on, so there is nothing to settle: play it to its end first")
    dead = dead_stones(position, seed=seed)
    score = final_score(position, dead=dead)
    if referee is None:
        return Settlement(points=_points(score), score=score, dead=dead)
    program = check_referee(referee)
    try:
        judged_dead, judged_score = _judgement(position, program, seed, stopped)
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


def _points(score: float) -> float:
    return 0.5 if score == 0 else float(score > 0)


def _judgement(
    position: Go, referee: GtpProgram, seed: int, stopped: Callable[[], bool]
) -> tuple[frozenset[int], float]:
    """The dead stones and the score as the referee sees them.

    It is shown the bare board. So the score is counted here from the stones that it calls dead: its own would miss the
    prisoners if it counted territory. Its own is asked for only where it does not list the dead.
    """
    go = DIALECTS["go"]
    with referee.start(seed=seed, stopped=stopped) as client:
        for command in go.opening(position):
            referee.ask(client, command, stopped)
        try:
            answer = client.send("final_status_list dead", timeout=referee.timeout, stopped=stopped)
        except GtpRefusal:
            return frozenset(), _parse_score(referee.ask(client, "final_score", stopped), referee)
    try:
        dead = frozenset(go.parse(position, vertex) for vertex in answer.split())
    except IllegalMoveError as error:
        raise PlayerFailure("nonsense", f"{referee.name} listed the dead stones so: {error}") from None
    if not all(_has_stone(position, point) for point in dead):
        raise PlayerFailure("nonsense", f"{referee.name} listed dead stones where there are none: {shown(answer)}")
    return dead, final_score(position, dead=dead)


def _has_stone(position: Go, point: int) -> bool:
    return point != position.pass_move and position.native.cells()[point] in range(position.num_players)


def _parse_score(text: str, referee: GtpProgram) -> float:
    match = _SCORE.fullmatch(text)
    if match is None:
        raise PlayerFailure("nonsense", f"{referee.name} gave {shown(text)} as the score, not B+3.5, W+1 or 0")
    size = float(match[2] or 0)
    return size if match[1] == "B" else -size
