"""The player behind `genmove`: how long to think, and when to pass or to resign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tesuji.arena.seeds import derive_seed
from tesuji.endgame import (
    Status,
    can_pass,
    clean_up_moves,
    final_score,
    final_status,
    find_rules,
    should_pass,
    should_resign,
    stones_to_clean_up,
)
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.position import EMPTY, Position
from tesuji.gtp.clock import NO_LIMIT, Allowance, Clock, TimeSettings
from tesuji.gtp.protocol import GtpError
from tesuji.gtp.table import Table
from tesuji.gtp.thinker import Thinker
from tesuji.search import Search, SearchResult

# Enough to see whether to pass: it is asked for at every move of a late game, and costs its time.
_PASS_PLAYOUTS: Final = 200
# Before this part of the board has been played no game is given up or found settled.
_EARLIEST_END: Final = 0.4

# A look at whether to pass may take this part of a move's time. Where the opponent has passed, much hangs on it: then
# it may take this part of all that is left.
_LOOK_SHARE: Final = 0.25
_URGENT_SHARE: Final = 0.05
_FADING: Final = 0.95
# How much of the mean of what moves take beyond their time comes from the last one.
_OVERRUN_WEIGHT: Final = 0.2
# The game may be longer than it seems: for every so many points of the board, one move more can still be made, however
# little time is left.
_POINTS_A_MOVE_MORE: Final = 3


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A move, or None to resign; and how long it was meant to take."""

    move: int | None
    planned_seconds: float


class Player:
    """Plays the game on a table, by its clocks. A value below `resign` is hopeless.

    `lag` seconds are lost with every move, or what moves have been seen to take beyond their time, where it is more: on
    a machine that is busy with other things.
    """

    def __init__(self, table: Table, thinker: Thinker, *, lag: float, resign: float) -> None:
        self.table = table
        self.thinker = thinker
        self.lag = lag
        self.resign = resign
        self._clocks = [Clock.begin(NO_LIMIT)] * 2
        self._values: tuple[list[float], list[float]] = ([], [])
        self._overrun = 0.0
        self._look_seconds = 0.0

    # ---- time

    def set_time(self, settings: TimeSettings) -> None:
        self._clocks = [Clock.begin(settings)] * 2

    def restart(self) -> None:
        """A new game: the clocks begin anew, and hope too."""
        self._clocks = [Clock.begin(clock.settings) for clock in self._clocks]
        self._values = ([], [])

    def set_time_left(self, player: int, seconds: float, count: int) -> None:
        self._clocks[player] = self._clocks[player].set_left(seconds, count)

    def spend(self, player: int, seconds: float, *, planned: float) -> None:
        """A move has taken so long, and was meant to take `planned`; the controller may say better with `time_left`."""
        overrun = max(0.0, seconds - planned)
        self._overrun += _OVERRUN_WEIGHT * (overrun - self._overrun)
        self._clocks[player] = self._clocks[player].after_move(seconds + self.lag)

    def clock(self, player: int) -> Clock:
        return self._clocks[player]

    def allowance(self, player: int) -> Allowance | None:
        position = self.table.position
        rows, columns = position.shape
        return self._clocks[player].allowance(
            moves_left=moves_left(position, self._plies()),
            lag=max(self.lag, self._overrun),
            kept=self._overrun * rows * columns / _POINTS_A_MOVE_MORE,
        )

    # ---- choosing

    def choose(
        self,
        player: int,
        *,
        began: float,
        cleanup: bool = False,
        seen: Callable[[Search], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
        permits: Callable[[int], bool] = lambda _: True,
    ) -> Choice:
        """The move that `genmove` answers; with `cleanup` it does not pass before the dead are off the board.

        `permits` must leave a legal move.
        """
        position = self.table.turn_of(player)
        allowance = self.allowance(player)
        status = None
        if isinstance(position, Go):
            status = self._look(position, allowance, cleanup=cleanup)
            wants_to_pass = status is not None and self._should_pass(position, status, cleanup=cleanup)
            if wants_to_pass and permits(position.pass_move):
                return Choice(move=position.pass_move, planned_seconds=self._look_seconds)
            if position.native.passes() and find_rules(self.table.rules).takes_off_dead:
                # For the search a second pass ends the game with all stones alive: it would win by passing where it
                # loses.
                position = position.with_to_move(player)
        search = self.thinker.search_of(position)
        result = self.thinker.think(search, began=began, allowance=allowance, seen=seen, stopped=stopped)
        planned = self.thinker.planned_seconds
        if cleanup:
            return Choice(move=_cleaning_move(position, status, result), planned_seconds=planned)
        self._values[player].append(result.value if self._is_late(position) else 1.0)
        is_hopeless = should_resign(self._values[player], threshold=self.resign)
        by_merit = [result.best_move, *(entry.move for entry in result.moves)]
        move = next(int(move) for move in by_merit if permits(move))
        return Choice(move=None if is_hopeless else move, planned_seconds=planned)

    def _plies(self) -> int:
        """How far the game has come. Stones that it began with count as moves: a board may be late from the start."""
        start = self.table.start
        stones = start.size**2 - start.native.cells().count(EMPTY) if isinstance(start, Go) else 0
        return stones + len(self.table.steps)

    def _is_late(self, position: Position) -> bool:
        rows, columns = position.shape
        return self._plies() >= _EARLIEST_END * rows * columns

    def _look(self, position: Go, allowance: Allowance | None, *, cleanup: bool) -> Status | None:
        """What becomes of the stones, where a pass may come of it, and the clock allows to look."""
        has_passed = position.native.passes() > 0
        if not cleanup and not has_passed and not self._is_late(position):
            return None
        if allowance is not None and not cleanup:
            affordable = _LOOK_SHARE * allowance.target
            if has_passed:
                affordable = max(affordable, _URGENT_SHARE * self._clocks[position.to_move].seconds)
            if self._look_seconds > affordable:
                self._look_seconds *= _FADING  # it may have been slow only once
                return None
        began = self.thinker.now()
        status = final_status(position, seed=self._seed(), playouts=_PASS_PLAYOUTS)
        self._look_seconds = self.thinker.now() - began
        return status

    def _should_pass(self, position: Go, status: Status, *, cleanup: bool) -> bool:
        if cleanup:  # both have passed before, so the rest of the board is no question
            return not stones_to_clean_up(position, status, player=position.to_move)
        score = self._score(position, status)
        if not self._is_late(position) and not can_pass(position, score=score):
            return False  # a few stones may seem to settle an empty board
        return should_pass(position, status=status, score=score, rules=self.table.rules)

    # ---- the end of the game

    def status(self, position: Go) -> Status:
        """Which stones are dead. The same position has always the same."""
        return final_status(position, seed=self._seed())

    def score(self, position: Go) -> float:
        """Black's points minus White's by the rules of the table, the dead taken off."""
        return self._score(position, self.status(position))

    def _score(self, position: Go, status: Status) -> float:
        return final_score(
            position,
            rules=self.table.rules,
            dead=status.dead,
            seki=status.seki,
            captures=(0, 0) if find_rules(self.table.rules).area else self.table.captures(),
            handicap=self.table.handicap,
        )

    def _seed(self) -> int:
        return derive_seed(self.thinker.settings.seed, "end", len(self.table.steps))


def _cleaning_move(position: Position, status: Status | None, result: SearchResult) -> int:
    """Of the moves that take dead stones the most visited one; without them, the best move."""
    if not isinstance(position, Go) or status is None:
        raise GtpError("there is nothing to clean up but in Go")
    wanted = clean_up_moves(position, status)
    moves = [entry.move for entry in result.moves if entry.visits and entry.move in wanted]
    return int(moves[0] if moves else result.best_move)


def moves_left(position: Position, plies: int) -> int:
    """About how many moves of one's own are still to come."""
    cells = position.native.cells()
    empty = cells.count(EMPTY)
    if isinstance(position, Go):
        # Most games take about three moves for every four points; some go on until the last ones are filled.
        points = position.size**2
        return max(points // 7, (points * 3 // 4 - plies) // 2)
    if isinstance(position, Havannah):
        return max(4, empty // 3)  # seldom is the board full at the end
    return max(1, (empty + 1) // 2)
