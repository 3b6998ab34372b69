"""The player behind `genmove`: how long to think, and when to pass or to resign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tesuji.arena.seeds import derive_seed
from tesuji.endgame import Status, can_pass, final_score, final_status, should_resign, stones_to_clean_up
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.position import EMPTY, Position
from tesuji.gtp.clock import NO_LIMIT, Allowance, Clock, TimeSettings
from tesuji.gtp.protocol import GtpError
from tesuji.gtp.table import Table
from tesuji.gtp.thinker import Thinker
from tesuji.search import Search, SearchResult

# A board is settled when every point goes to the same player in this part of the playouts, of which there are so many.
_SETTLED_SHARE: Final = 0.95
_SETTLED_PLAYOUTS: Final = 200
# Before this part of the board has been played no game is given up or found settled.
_EARLIEST_END: Final = 0.4


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A move, or None to resign; and what the search found, where there was one."""

    move: int | None
    result: SearchResult | None = None


class Player:
    """Plays the game on a table, by its clocks. `lag` is lost with every move; a value below `resign` is hopeless."""

    def __init__(self, table: Table, thinker: Thinker, *, lag: float, resign: float) -> None:
        self.table = table
        self.thinker = thinker
        self.lag = lag
        self.resign = resign
        self._clocks = [Clock.begin(NO_LIMIT)] * 2
        self._values: tuple[list[float], list[float]] = ([], [])

    # ---- time

    def set_time(self, settings: TimeSettings) -> None:
        self._clocks = [Clock.begin(settings)] * 2

    def restart(self) -> None:
        """A new game: the clocks begin anew, and hope too."""
        self._clocks = [Clock.begin(clock.settings) for clock in self._clocks]
        self._values = ([], [])

    def set_time_left(self, player: int, seconds: float, count: int) -> None:
        self._clocks[player] = self._clocks[player].set_left(seconds, count)

    def spend(self, player: int, seconds: float) -> None:
        """A move has taken so long; the controller may say it better with `time_left`."""
        self._clocks[player] = self._clocks[player].after_move(seconds + self.lag)

    def clock(self, player: int) -> Clock:
        return self._clocks[player]

    def allowance(self, player: int) -> Allowance | None:
        moves = moves_left(self.table.position, len(self.table.steps))
        return self._clocks[player].allowance(moves_left=moves, lag=self.lag)

    # ---- choosing

    def choose(
        self,
        player: int,
        *,
        began: float,
        cleanup: bool = False,
        seen: Callable[[Search], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Choice:
        """The move that `genmove` answers; with `cleanup` it does not pass before the dead are off the board."""
        position = self.table.turn_of(player)
        if isinstance(position, Go) and not cleanup and self._may_end(position):
            return Choice(move=position.pass_move)
        search = self.thinker.search_of(position)
        result = self.thinker.think(search, began=began, allowance=self.allowance(player), seen=seen, stopped=stopped)
        if cleanup:
            return Choice(move=self._cleaning_move(position, player, result), result=result)
        self._values[player].append(result.value if self._is_late(position) else 1.0)
        is_hopeless = should_resign(self._values[player], threshold=self.resign)
        return Choice(move=None if is_hopeless else int(result.best_move), result=result)

    def _is_late(self, position: Position) -> bool:
        rows, columns = position.shape
        return len(self.table.steps) >= _EARLIEST_END * rows * columns

    def _may_end(self, position: Go) -> bool:
        """Whether to pass: the opponent has, or nothing is left to play for, and the count is won."""
        if position.native.passes() == 0:
            if not self._is_late(position) or not is_settled(position, self._seed()):
                return False
            score = self.score(position)
            return score > 0 if position.to_move == 0 else score < 0
        return can_pass(position, score=self.score(position))

    def status(self, position: Go) -> Status:
        """Which stones are dead. The same position has always the same."""
        return final_status(position, seed=self._seed())

    def score(self, position: Go) -> float:
        """Black's points minus White's by the rules of the table, the dead taken off."""
        status = self.status(position)
        return final_score(
            position,
            rules=self.table.rules,
            dead=status.dead,
            seki=status.seki,
            captures=self.table.captures(),
            handicap=self.table.handicap,
        )

    def _cleaning_move(self, position: Position, player: int, result: SearchResult) -> int:
        """The chosen move as long as there is something to take, and not a pass; then a pass."""
        if not isinstance(position, Go):
            raise GtpError("there is nothing to clean up but in Go")
        moves = [entry.move for entry in result.moves if entry.visits and entry.move != position.pass_move]
        if not moves or not stones_to_clean_up(position, self.status(position), player=player):
            return position.pass_move
        return int(result.best_move if result.best_move in moves else moves[0])

    def _seed(self) -> int:
        return derive_seed(self.thinker.settings.seed, "end", len(self.table.steps))


def is_settled(position: Go, seed: int) -> bool:
    """Whether random play gives every point to the same player nearly always."""
    return bool((position.ownership(_SETTLED_PLAYOUTS, seed).max(axis=0) >= _SETTLED_SHARE).all())


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
