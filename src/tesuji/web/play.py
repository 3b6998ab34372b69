"""The desk of the page to play on: a person against an engine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

from tesuji.arena.seeds import derive_seed
from tesuji.checks import check_seed
from tesuji.endgame import Status, can_pass, final_score, final_status, format_score, should_pass, should_resign
from tesuji.errors import GameStateError
from tesuji.games.go import Go
from tesuji.games.position import Position
from tesuji.gtp.thinker import FINAL, Settings, Thinker, run_slice
from tesuji.search import SearchResult
from tesuji.web.boards import Record, ownership
from tesuji.web.messages import PLAY, Ask, Move, NewGame
from tesuji.web.pool import SLICE_SECONDS
from tesuji.web.session import Session

DEFAULT_PLAYOUTS: Final = 3000

_PROGRESS_SECONDS: Final = 0.25
_HINTED_MOVES: Final = 5
_RESIGN_BELOW: Final = 0.05
# As for `tesuji gtp`: before this part of the board has been played no game is given up or found settled.
_EARLIEST_END: Final = 0.4
_PASS_PLAYOUTS: Final = 200


@dataclass(frozen=True, kw_only=True)
class Thought:
    """What a search came to; the time it was at work, and the time it waited for a searcher."""

    result: SearchResult
    seconds: float
    queued: float


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
                await self._change(lambda: self._playing.undo())
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
        self._game = (await self._session.pool.turn(lambda: Game(message, memory=memory))).value
        await self._go_on()

    async def _move(self, move: int | str) -> None:
        game = self._playing
        if game.resigned is not None:
            raise GameStateError("the game is over: take a move back, or begin a new one")
        if not game.position.is_over and game.position.to_move != game.person:
            raise GameStateError("it is the engine's turn")
        game.position.play(move)  # says what is wrong before a hint is stopped
        await self._session.halt()
        await self._change(lambda: game.play(move))

    async def _resign(self) -> None:
        game = self._playing
        if game.is_over:
            raise GameStateError("the game is over already")
        await self._session.halt()
        game.resigned = game.person
        await self._go_on()

    async def _change(self, change: Any) -> None:
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
        if asked.value:
            assert isinstance(game.position, Go)  # noqa: S101  nobody else passes of his own will
            move, details = game.position.pass_move, {"queued": asked.queued}
        else:
            thought = await self._think(game)
            if game.is_hopeless(thought.result.value):
                game.resigned = game.position.to_move
                await self._finish_turn(game, {"text": "resigns"})
                return
            move = thought.result.best_move
            details = {
                "value": thought.result.value,
                "playouts": thought.result.visits,
                "seconds": thought.seconds,
                "queued": asked.queued + thought.queued,
            }
        details["text"] = game.position.format_move(move)
        turn = await self._session.pool.turn(lambda: game.play(move))
        details["queued"] += turn.queued
        await self._finish_turn(game, details)

    async def _finish_turn(self, game: Game, answer: dict[str, Any]) -> None:
        state = await self._session.pool.turn(game.to_dict)
        await self._session.send("state", **state.value, thinking=False, answer=answer)

    async def _think(self, game: Game) -> Thought:
        """Slices until the budget is spent. The clock runs only while a searcher is at work."""
        pool = self._session.pool
        turn = await pool.turn(lambda: game.thinker.search_of(game.searched_position()))
        search, queued, seconds, playouts = turn.value, turn.queued, 0.0, 0
        shown = time.monotonic()
        while True:
            left = None if game.seconds is None else game.seconds - seconds
            budget = {
                "playouts": None if game.playouts is None else game.playouts - playouts,
                "seconds": SLICE_SECONDS if left is None else min(SLICE_SECONDS, left),
            }
            slice_turn = await pool.turn(lambda budget=budget: run_slice(search, **budget))
            report = slice_turn.value
            queued, seconds, playouts = queued + slice_turn.queued, seconds + report.seconds, playouts + report.playouts
            is_spent = (game.playouts is not None and playouts >= game.playouts) or (
                game.seconds is not None and seconds >= game.seconds
            )
            if is_spent or report.stopped_by in FINAL:
                return Thought(result=search.result(), seconds=seconds, queued=queued)
            if time.monotonic() - shown > _PROGRESS_SECONDS:
                shown = time.monotonic()
                await self._session.send("thinking", playouts=playouts, seconds=seconds, queued=queued)

    # ---- questions

    async def _ask_hint(self) -> None:
        game = self._playing
        if game.is_over or game.position.to_move != game.person:
            raise GameStateError("hints are for your turn")
        await self._session.begin(self._hint(game))

    async def _hint(self, game: Game) -> None:
        result = (await self._think(game)).result
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
