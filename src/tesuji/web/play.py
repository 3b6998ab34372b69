"""The desk of the page to play on: a person against an engine."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tesuji.arena.seeds import derive_seed
from tesuji.checks import check_seed
from tesuji.endgame import Status, can_pass, final_score, final_status, format_score, should_pass, should_resign
from tesuji.errors import GameStateError
from tesuji.games.go import Go
from tesuji.games.position import Position
from tesuji.gtp.thinker import FINAL, Settings, Thinker, run_slice
from tesuji.search import RunReport, SearchResult
from tesuji.web.boards import Record, ownership
from tesuji.web.messages import PLAY, Ask, Move, NewGame
from tesuji.web.pool import SLICE_SECONDS, Turn
from tesuji.web.session import Session

DEFAULT_PLAYOUTS: Final = 3000

_PROGRESS_SECONDS: Final = 0.25
_HINTED_MOVES: Final = 5
_RESIGN_BELOW: Final = 0.05
# As for `tesuji gtp`: before this part of the board has been played no game is given up or found settled.
_EARLIEST_END: Final = 0.4
_PASS_PLAYOUTS: Final = 200


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
        self.thinker = Thinker(Settings(engine=message.engine, seed=self.seed, max_memory=memory))
        self.engine = self.thinker.settings.engine_for(self.position)
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
    def is_late(self) -> bool:
        rows, columns = self.position.shape
        return len(self.record.table.steps) >= _EARLIEST_END * rows * columns

    def play(self, move: int | str) -> None:
        self.thinker.follow(self.record.play(move))

    def undo(self) -> None:
        """Takes back the person's last move, and what came after it."""
        steps = self.record.table.steps
        mine = [number for number, step in enumerate(steps) if step.player == self.person]
        if not mine and self.resigned is None:
            raise GameStateError("there is no move of yours to take back")
        if self.resigned is None:
            self.record.undo(len(steps) - mine[-1])
        self.resigned = None
        self.values.clear()
        self.thinker.forget()

    # ---- Go's end

    def status(self, playouts: int) -> tuple[Status, float]:
        """Which stones are dead, and the score without them."""
        position = self.record.table.go()
        seed = derive_seed(self.seed, "end", len(self.record.table.steps))
        status = final_status(position, seed=seed, playouts=playouts)
        return status, final_score(position, dead=status.dead, handicap=self.record.table.handicap)

    def engine_passes(self) -> bool:
        position = self.position
        if not isinstance(position, Go) or not (self.is_late or position.native.passes()):
            return False
        status, score = self.status(_PASS_PLAYOUTS)
        if not self.is_late:  # a few stones may seem to settle an empty board
            return can_pass(position, score=score)
        return should_pass(position, status=status, score=score)

    def searched_position(self) -> Position:
        """For the search a second pass ends the game with all stones alive: so the first is not shown to it."""
        position = self.position
        is_after_pass = isinstance(position, Go) and position.native.passes()
        return position.with_to_move(position.to_move) if is_after_pass and isinstance(position, Go) else position

    def next_slice(self, spent: Spent) -> dict[str, Any] | None:
        """The budget of the next turn, None where all of it is spent."""
        playouts = None if self.playouts is None else self.playouts - spent.playouts
        seconds = SLICE_SECONDS if self.seconds is None else min(SLICE_SECONDS, self.seconds - spent.seconds)
        if seconds <= 0 or (playouts is not None and playouts <= 0):
            return None
        return {"playouts": playouts, "seconds": seconds}

    def is_hopeless(self, value: float) -> bool:
        self.values.append(value if self.is_late else 1.0)
        return should_resign(self.values, threshold=_RESIGN_BELOW)

    # ---- for the page

    def result(self) -> str:
        """How the game ended, in words."""
        players = self.position.players
        if self.resigned is not None:
            return f"{players[1 - self.resigned]} wins: {players[self.resigned]} resigns"
        if isinstance(self.position, Go):
            _, score = self.status(playouts=1000)
            return f"{format_score(score)}: {'a draw' if score == 0 else players[score < 0] + ' wins'}"
        return str(self.position).splitlines()[-1]

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.record.to_dict(),
            "person": self.person,
            "resigned": self.resigned,
            "engine": str(self.engine),
            "over": self.is_over,
            "result": self.result() if self.is_over else None,
        }


class PlayDesk:
    messages = PLAY

    def __init__(self, session: Session) -> None:
        self._session = session
        self._game: Game | None = None

    async def handle(self, message: NewGame | Move | Ask) -> None:
        match message:
            case NewGame():
                await self._new(message)
            case Move():
                await self._move(message.move)
            case Ask(type="undo"):
                await self._session.halt()
                await self._change(self._playing.undo)
            case Ask(type="resign"):
                await self._resign()
            case Ask(type="score"):
                await self._score()
            case Ask(type="hint"):
                await self._ask_hint()
            case Ask(type="save"):
                await self._save()

    @property
    def _playing(self) -> Game:
        if self._game is None:
            raise GameStateError("there is no game yet: begin a new one")
        return self._game

    async def _new(self, message: NewGame) -> None:
        await self._session.halt()
        memory = self._session.memory
        self._game = (await self._session.pool.turn(functools.partial(Game, message, memory=memory))).value
        await self._go_on()

    async def _move(self, move: int | str) -> None:
        game = self._playing
        if game.resigned is not None:
            raise GameStateError("the game is over: take a move back, or begin a new one")
        if not game.position.is_over and game.position.to_move != game.person:
            raise GameStateError("it is the engine's turn")
        game.position.play(move)  # says what is wrong before a hint is stopped
        await self._session.halt()
        await self._change(functools.partial(game.play, move))

    async def _resign(self) -> None:
        game = self._playing
        if game.is_over:
            raise GameStateError("the game is over already")
        await self._session.halt()
        game.resigned = game.person
        await self._go_on()

    async def _change(self, change: Callable[[], None]) -> None:
        await self._session.pool.turn(change)
        await self._go_on()

    async def _go_on(self, **answer: Any) -> None:
        """Shows the board; then it is the engine's turn, or the person's."""
        game = self._playing
        state = (await self._session.pool.turn(game.to_dict)).value if game.is_over else game.to_dict()
        is_thinking = not game.is_over and game.position.to_move != game.person
        await self._session.send("state", **state, thinking=is_thinking, **answer)
        if is_thinking:
            await self._session.begin(self._answer(game))

    # ---- the engine

    async def _answer(self, game: Game) -> None:
        asked = await self._session.pool.turn(game.engine_passes)
        spent = Spent(queued=asked.queued)
        value = None
        if asked.value:
            move = game.record.table.go().pass_move
        else:
            result = await self._think(game, spent)
            move, value = result.best_move, result.value
            if game.is_hopeless(value):
                game.resigned = game.position.to_move
        text = "resigns" if game.is_over else game.position.format_move(move)
        if not game.is_over:
            spent.queued += (await self._session.pool.turn(functools.partial(game.play, move))).queued
        state = await self._session.pool.turn(game.to_dict)
        spent.queued += state.queued
        answer = {"text": text, "value": value, **vars(spent)}
        await self._session.send("state", **state.value, thinking=False, answer=answer)

    async def _think(self, game: Game, spent: Spent) -> SearchResult:
        """Slices until the budget is spent. The clock runs only while a searcher is at work."""
        pool = self._session.pool
        turn = await pool.turn(lambda: game.thinker.search_of(game.searched_position()))
        search = turn.value
        spent.queued += turn.queued
        shown = time.monotonic()
        while (budget := game.next_slice(spent)) is not None:
            run = await pool.turn(functools.partial(run_slice, search, **budget))
            spent.count(run)
            if run.value.stopped_by in FINAL:
                break
            if time.monotonic() - shown > _PROGRESS_SECONDS:
                shown = time.monotonic()
                await self._session.send("thinking", **vars(spent))
        return search.result()

    # ---- questions

    async def _ask_hint(self) -> None:
        game = self._playing
        if game.is_over or game.position.to_move != game.person:
            raise GameStateError("hints are for your turn")
        await self._session.begin(self._hint(game))

    async def _hint(self, game: Game) -> None:
        result = await self._think(game, Spent())
        best_first = sorted(result.moves, key=lambda entry: entry.move != result.best_move)
        moves = [
            {"move": entry.move, "text": entry.text, "value": entry.value, "visits": entry.visits}
            for entry in best_first[:_HINTED_MOVES]
            if entry.visits
        ]
        await self._session.send("hint", moves=moves, playouts=result.visits)

    async def _score(self) -> None:
        game = self._playing
        if not isinstance(game.position, Go):
            await self._session.send("score", text=str(game.position).splitlines()[-1], dead=[], ownership=[])
            return
        position = game.position

        def judge() -> dict[str, Any]:
            status, score = game.status(playouts=1000)
            return {
                "text": f"about {format_score(score)} as it stands",
                "dead": sorted(status.dead),
                "ownership": ownership(position, seed=game.seed),
            }

        await self._session.send("score", **(await self._session.pool.turn(judge)).value)

    async def _save(self) -> None:
        game = self._playing
        text = (await self._session.pool.turn(game.record.to_text)).value
        suffix = "sgf" if isinstance(game.position, Go) else "txt"
        await self._session.send("saved", name=f"{game.position.game}.{suffix}", text=text)
