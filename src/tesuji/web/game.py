"""A game of a person against an engine. Nothing here waits: what takes long is called in a searcher's turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tesuji.arena.seeds import derive_seed
from tesuji.checks import check_seed
from tesuji.endgame import Status, can_pass, final_score, final_status, format_score, should_pass, should_resign
from tesuji.errors import GameStateError
from tesuji.games.go import Go
from tesuji.games.position import Position
from tesuji.gtp.thinker import Settings, Thinker
from tesuji.search import RunReport, Search
from tesuji.web.boards import Record, engine_for, ownership
from tesuji.web.messages import NewGame
from tesuji.web.pool import SLICE_SECONDS, Turn

DEFAULT_PLAYOUTS: Final = 3000

_RESIGN_BELOW: Final = 0.05
# As for `tesuji gtp`: before this part of the board has been played no game is given up or found settled.
_EARLIEST_END: Final = 0.4
_PASS_PLAYOUTS: Final = 200
_END_PLAYOUTS: Final = 1000


@dataclass(kw_only=True)
class Spent:
    """What a search has taken so far: the time it was at work, and the time it waited for a searcher."""

    playouts: int = 0
    seconds: float = 0.0
    queued: float = 0.0

    def count(self, turn: Turn[RunReport]) -> None:
        self.playouts += turn.value.playouts
        self.seconds += turn.value.seconds
        self.queued += turn.queued


class Game:
    """What is being played. A new one replaces it as a whole, once it is known to make sense."""

    def __init__(self, message: NewGame, *, memory: int) -> None:
        self.record = Record(message.board)
        self.person = message.person
        self.resigned = message.resigned
        self.seed = check_seed(message.seed)
        self.playouts = message.playouts
        self.seconds = message.seconds
        if self.playouts is None and self.seconds is None:
            self.playouts = DEFAULT_PLAYOUTS
        self.engine = engine_for(message.engine, self.position)
        self.thinker = Thinker(Settings(engine=self.engine, seed=self.seed, max_memory=memory))
        self.values: list[float] = []
        if not self.position.is_over:
            self.thinker.search_of(self.position)  # an engine that cannot play this game says so now

    @property
    def position(self) -> Position:
        return self.record.position

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.position.is_over

    @property
    def _is_late(self) -> bool:
        rows, columns = self.position.shape
        return len(self.record.table.steps) >= _EARLIEST_END * rows * columns

    def play(self, move: int | str) -> None:
        self.thinker.follow(self.record.play(move))

    def resign(self) -> None:
        self.resigned = self.person

    def check_undo(self) -> None:
        if self.resigned is None and not any(step.player == self.person for step in self.record.table.steps):
            raise GameStateError("there is no move of yours to take back")

    def undo(self) -> None:
        """Takes back the person's last move and what came after it; or, where somebody has resigned, only that."""
        self.check_undo()
        if self.resigned is None:
            steps = self.record.table.steps
            last = max(number for number, step in enumerate(steps) if step.player == self.person)
            self.record.undo(len(steps) - last)
        self.resigned = None
        self.values.clear()
        self.thinker.forget()

    # ---- Go's end

    def _status(self, playouts: int) -> tuple[Status, float]:
        """Which stones are dead, and the score without them."""
        position = self.record.table.go()
        seed = derive_seed(self.seed, "end", len(self.record.table.steps))
        status = final_status(position, seed=seed, playouts=playouts)
        return status, final_score(position, dead=status.dead, handicap=self.record.table.handicap)

    def search(self) -> Search | None:
        """The search for the engine's move, None where it passes without one."""
        if self._engine_passes():
            return None
        position = self.position
        if isinstance(position, Go) and position.native.passes():
            # For the search a second pass ends the game with all stones alive: so the first is not shown to it.
            position = position.with_to_move(position.to_move)
        return self.thinker.search_of(position)

    def _engine_passes(self) -> bool:
        position = self.position
        if not isinstance(position, Go) or not (self._is_late or position.native.passes()):
            return False
        status, score = self._status(_PASS_PLAYOUTS)
        if not self._is_late:  # a few stones may seem to settle an empty board
            return can_pass(position, score=score)
        return should_pass(position, status=status, score=score)

    def next_slice(self, spent: Spent) -> dict[str, Any] | None:
        """The budget of the next turn, None where all of it is spent."""
        playouts = None if self.playouts is None else self.playouts - spent.playouts
        seconds = SLICE_SECONDS if self.seconds is None else min(SLICE_SECONDS, self.seconds - spent.seconds)
        if seconds <= 0 or (playouts is not None and playouts <= 0):
            return None
        return {"playouts": playouts, "seconds": seconds}

    def answer(self, search: Search | None) -> tuple[str, float | None]:
        """Makes the engine's move after a search, or lets it resign: what it did, and what it thinks of its chances."""
        if search is None:
            move, value = self.record.table.go().pass_move, None
        else:
            move = int(search.best_move())
            value = next(entry.value for entry in search.glance() if entry.move == move)
            self.values.append(value if self._is_late else 1.0)
            if should_resign(self.values, threshold=_RESIGN_BELOW):
                self.resigned = self.position.to_move
                return "resigns", value
        text = self.position.format_move(move)
        self.play(move)
        return text, value

    # ---- for the page

    def _end(self) -> dict[str, Any]:
        """How the game ended, in words, and which stones were dead then."""
        players = self.position.players
        if self.resigned is not None:
            return {"result": f"{players[1 - self.resigned]} wins: {players[self.resigned]} resigns"}
        if not isinstance(self.position, Go):
            return {"result": str(self.position).splitlines()[-1]}
        status, score = self._status(_END_PLAYOUTS)
        winner = "a draw" if score == 0 else f"{players[score < 0]} wins"
        return {"result": f"{format_score(score)}: {winner}", "dead": sorted(status.dead)}

    def judge(self) -> dict[str, Any]:
        """How it stands, without a search."""
        position = self.position
        if not isinstance(position, Go):
            return {"text": str(position).splitlines()[-1], "dead": [], "ownership": []}
        status, score = self._status(_END_PLAYOUTS)
        return {
            "text": f"about {format_score(score)} as it stands",
            "dead": sorted(status.dead),
            "ownership": ownership(position, seed=self.seed),
        }

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.record.to_dict(),
            "person": self.person,
            "resigned": self.resigned,
            "engine": str(self.engine),
            "over": self.is_over,
            "result": None,
            "dead": [],
            **(self._end() if self.is_over else {}),
        }
