"""Plays games in this process or in several."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Self

from tesuji.arena.game import play_game
from tesuji.arena.plan import MatchPlan
from tesuji.arena.pool import Pool
from tesuji.arena.record import GameRecord
from tesuji.errors import ArgumentError

Take = Callable[[GameRecord], None]
#: A game of a match, by its number.
Game = tuple[MatchPlan, int]


class Here:
    """Plays in this process."""

    jobs = 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def play(self, games: Sequence[Game], take: Take) -> None:
        for plan, number in games:
            record = play_game(plan, number)
            if record is not None:
                take(record)


class Workers(Pool[Game, GameRecord]):
    """Plays in processes of this machine."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, _play)

    def play(self, games: Sequence[Game], take: Take) -> None:
        """Any exception of `take` ends the work; the games that were finished until then are still taken."""
        for plan in {id(plan): plan for plan, _ in games}.values():
            _check_travels(plan)
        self.run(games, take)

    def _why_broken(self, *, finished_any: bool) -> str:
        """Workers that have played were killed later; those that never came to it could not be started."""
        if finished_any:
            return (
                "a worker process of the match died: it was killed, the memory was full, or the game ended it. The "
                "games that were finished are kept where the match has a store: the same command goes on from there"
            )
        return (
            "a worker process of the match died in its first game. A script that uses jobs must keep its own work "
            "under 'if __name__ == \"__main__\":', since spawned processes import it. If it does, jobs=1 shows what "
            "ends the game"
        )


def _play(game: Game, stopped: Callable[[], bool]) -> GameRecord | None:
    return play_game(*game, stopped)


def _check_travels(plan: MatchPlan) -> None:
    """A user's game goes to other processes by pickle, whose own words are of little help."""
    try:
        pickle.dumps(plan)
    except Exception as error:
        raise ArgumentError(
            f"{plan.start!r} cannot be sent to other processes ({error}): its class must be at the top level of a "
            "module, and all that it holds must survive pickle; use jobs=1 otherwise"
        ) from error
