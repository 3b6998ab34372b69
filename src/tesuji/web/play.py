"""The desk of the page to play on."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any, Final

from tesuji.errors import GameStateError
from tesuji.games.go import Go
from tesuji.gtp.thinker import FINAL, run_slice
from tesuji.search import Search
from tesuji.web.game import Game, Spent
from tesuji.web.messages import PLAY, Ask, Move, NewGame
from tesuji.web.session import Session

_PROGRESS_SECONDS: Final = 0.25
_HINTED_MOVES: Final = 5


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
                self._playing.check_undo()
                await self._change(self._playing.undo)
            case Ask(type="resign"):
                await self._resign()
            case Ask(type="hint"):
                await self._ask_hint()
            case Ask(type="score"):
                await self._session.send("score", **(await self._session.pool.turn(self._playing.judge)).value)
            case Ask(type="save"):
                await self._save()

    @property
    def _playing(self) -> Game:
        if self._game is None:
            raise GameStateError("there is no game yet: begin a new one")
        return self._game

    # ---- the person

    async def _new(self, message: NewGame) -> None:
        """A game that makes no sense leaves the old one as it is, and the engine at its thoughts."""
        begin = functools.partial(Game, message, memory=self._session.memory)
        game = (await self._session.pool.turn(begin)).value
        await self._session.halt()
        self._game = game
        await self._change(lambda: None)

    async def _move(self, move: int | str) -> None:
        game = self._playing
        if game.resigned is not None:
            raise GameStateError("the game is over: take a move back, or begin a new one")
        if not game.position.is_over and game.position.to_move != game.person:
            raise GameStateError("it is the engine's turn")
        game.position.play(move)  # says what is wrong before a hint is stopped
        await self._change(functools.partial(game.play, move))

    async def _resign(self) -> None:
        game = self._playing
        if game.is_over:
            raise GameStateError("the game is over already")
        await self._change(game.resign)

    async def _change(self, change: Callable[[], None]) -> None:
        """Does it and shows the board; then it is the engine's turn, or the person's."""
        await self._session.halt()
        game = self._playing

        def changed() -> dict[str, Any]:
            change()
            return game.to_dict()

        turn = await self._session.pool.turn(changed)
        is_thinking = not game.is_over and game.position.to_move != game.person
        await self._session.send("state", **turn.value, thinking=is_thinking)
        if is_thinking:
            await self._session.begin(self._answer(game, Spent(queued=turn.queued)))

    # ---- the engine

    async def _answer(self, game: Game, spent: Spent) -> None:
        search = await self._think(game, spent)
        turn = await self._session.pool.turn(lambda: (game.answer(search), game.to_dict()))
        (text, value), state = turn.value
        spent.queued += turn.queued
        await self._session.send("state", **state, thinking=False, answer={"text": text, "value": value, **vars(spent)})

    async def _think(self, game: Game, spent: Spent) -> Search | None:
        """Slices until the budget is spent. The clock runs only while a searcher is at work."""
        turn = await self._session.pool.turn(game.search)
        search = turn.value
        spent.queued += turn.queued
        shown = time.monotonic()
        while search is not None and (budget := game.next_slice(spent)) is not None:
            run = await self._session.pool.turn(functools.partial(run_slice, search, **budget))
            spent.count(run)
            if run.value.stopped_by in FINAL:
                break
            if time.monotonic() - shown > _PROGRESS_SECONDS:
                shown = time.monotonic()
                await self._session.send("thinking", **vars(spent))
        return search

    # ---- questions

    async def _ask_hint(self) -> None:
        game = self._playing
        if game.is_over or game.position.to_move != game.person:
            raise GameStateError("hints are for your turn")
        await self._session.begin(self._hint(game))

    async def _hint(self, game: Game) -> None:
        search = await self._think(game, Spent())
        if search is None:
            await self._session.send("hint", moves=[{"text": "pass", "move": game.position.num_distinct_moves - 1}])
            return
        result = search.result()
        best_first = sorted(result.moves, key=lambda entry: entry.move != result.best_move)
        moves = [
            {"move": entry.move, "text": entry.text, "value": entry.value}
            for entry in best_first[:_HINTED_MOVES]
            if entry.visits
        ]
        await self._session.send("hint", moves=moves)

    async def _save(self) -> None:
        game = self._playing
        text = (await self._session.pool.turn(game.record.to_text)).value
        suffix = "sgf" if isinstance(game.position, Go) else "txt"
        await self._session.send("saved", name=f"{game.position.game}.{suffix}", text=text)
