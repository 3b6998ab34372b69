"""The desk of the page that follows matches: it reads one store, which was named when the server started."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from tesuji.arena.record import GameRecord, mark_duplicates
from tesuji.arena.store import Store
from tesuji.arena.tally import Tally
from tesuji.errors import GameStateError, TesujiError
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import Othello
from tesuji.games.position import Position
from tesuji.games.registry import make_game
from tesuji.web.boards import board_dict, changing_dict
from tesuji.web.messages import FOLLOW, ListMatches, ShowGame, ShowMatch
from tesuji.web.session import Session

_LISTED_GAMES: Final = 100
_CHART_POINTS: Final = 200
_USUAL_KOMI: Final = (7.5, 6.5, 7.0, 5.5, 0.0, 0.5, *(number / 2 for number in range(-20, 21)))


class FollowDesk:
    messages = FOLLOW

    def __init__(self, session: Session, store: Path | None) -> None:
        self._session = session
        self._store = store

    async def handle(self, message: ListMatches | ShowMatch | ShowGame) -> None:
        match message:
            case ListMatches():
                await self._answer("matches", lambda: matches(self._path))
            case ShowMatch():
                await self._answer("match", lambda: standing(self._path, message))
            case ShowGame():
                await self._answer("game", lambda: replay(self._path, message.match, message.number))

    @property
    def _path(self) -> Path:
        if self._store is None:
            raise GameStateError("no store was named: start the server with `tesuji web --store results.db`")
        return self._store

    async def _answer(self, kind: str, question: Any) -> None:
        await self._session.send(kind, **(await self._session.pool.turn(question)).value)


def matches(path: Path) -> dict[str, Any]:
    with Store(path, read_only=True) as store:
        return {
            "store": path.name,
            "matches": [
                {"match": match.digest, "game": match.game, "a": match.a, "b": match.b, "openings": match.openings,
                 "games": match.games}
                for match in store.matches()
            ],
        }  # fmt: skip


def standing(path: Path, message: ShowMatch) -> dict[str, Any]:
    """The count so far, how it came about, and a page of games."""
    with Store(path, read_only=True) as store:
        described = next((match for match in store.matches() if match.digest == message.match), None)
        if described is None:
            raise GameStateError(f"there is no match {message.match} in this store")
        if described.games == message.seen:
            return {"match": message.match, "same": True}
        records = mark_duplicates(store.plain_records(message.match))
    tally = Tally(paired=described.openings != "none")
    course = list(_course(tally, records))
    interval, elo = tally.interval(), tally.elo_interval().to_list()
    return {
        "match": message.match, "same": False, "game": described.game, "a": described.a, "b": described.b,
        "openings": described.openings, "seen": described.games, "games": tally.games,
        "wins": tally.score.wins, "draws": tally.score.draws, "losses": tally.score.losses,
        "void": tally.void, "duplicates": tally.duplicates,
        "fraction": tally.fraction, "interval": [interval.low, interval.high], "elo": tally.elo, "elo_interval": elo,
        "course": _thinned(course), "first": message.first,
        "listed": [_game_line(record) for record in records[message.first : message.first + _LISTED_GAMES]],
    }  # fmt: skip


def _course(tally: Tally, records: list[GameRecord]) -> Iterator[tuple[int, float, float, float]]:
    """After each game that counts: how many, A's share of the points, and the ends of its interval."""
    for record in records:
        before = tally.games
        tally.add(record)
        if tally.games > before:
            interval = tally.interval()
            yield tally.games, round(tally.fraction, 4), round(interval.low, 4), round(interval.high, 4)


def _thinned(course: list[tuple[int, float, float, float]]) -> list[tuple[int, float, float, float]]:
    step = max(1, len(course) // _CHART_POINTS)
    return [*course[:-1:step], *course[-1:]]


def _game_line(record: GameRecord) -> dict[str, Any]:
    return {
        "number": record.number,
        "a_is_first": record.a_is_first,
        "points": record.points,
        "plies": len(record.moves),
        "ended_by": record.ended_by,
        "duplicate_of": record.duplicate_of,
    }


# ---- one game


def replay(path: Path, match: str, number: int) -> dict[str, Any]:
    """Every position of a game, as far as it can be replayed."""
    with Store(path, read_only=True) as store:
        record = next((record for record in store.plain_records(match) if record.number == number), None)
        game, fingerprint = store.start_of(match)
    if record is None:
        raise GameStateError(f"there is no game {number} in this match")
    position = find_start(game, fingerprint)
    start = None if position is None else board_dict(position)
    positions: list[dict[str, Any]] = []
    note = None
    if position is None:
        note = "this game begins at a position that is not known here: only its moves can be shown"
    else:
        positions.append(changing_dict(position, None))
        try:
            for move in position.read_moves(" ".join(record.moves)):
                position = position.play(move)
                positions.append(changing_dict(position, move))
        except TesujiError as error:
            note = f"the record cannot be replayed to its end: {error}"
    return {
        **_game_line(record), "match": match, "a": record.a, "b": record.b, "reason": record.reason, "note": note,
        "moves": list(record.moves), "opening": len(record.opening), "start": start, "positions": positions,
    }  # fmt: skip


def find_start(game: str, fingerprint: str) -> Position | None:
    """A store names the start of its games by a fingerprint; here it is found among the usual ones."""
    options = _options_of(game, fingerprint)
    return None if options is None else make_game(game, **options)


@functools.lru_cache(maxsize=64)
def _options_of(game: str, fingerprint: str) -> dict[str, Any] | None:
    for options in _usual_options(game):
        with contextlib.suppress(TesujiError):  # small boards of Go have fewer handicap points
            if make_game(game, **options).fingerprint() == fingerprint:
                return options
    return None


def _usual_options(game: str) -> Iterator[dict[str, Any]]:
    """The usual ones first, since a search through all of them takes a second."""
    if game == Othello.game:
        yield {}
    elif game == Havannah.game:
        yield from _combinations(size=range(3, 11), swap=(False, True))
    elif game == Go.game:
        sizes, handicaps = (9, 13, 19, 7, *range(5, 19)), (0, *range(2, 10))
        yield from _combinations(size=sizes, handicap=handicaps, superko=(True, False), komi=_USUAL_KOMI)


def _combinations(**choices: Iterable[Any]) -> Iterator[dict[str, Any]]:
    return (dict(zip(choices, values, strict=True)) for values in itertools.product(*choices.values()))
