"""Runs test positions through a player, in one process or several."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tesuji.arena.catalog import Catalog, resolve_player
from tesuji.arena.game import tesuji_version
from tesuji.arena.gtp_client import find_program
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import Budget, PlayerSpec
from tesuji.arena.pool import Pool
from tesuji.arena.seeds import derive_seed
from tesuji.errors import MatchError, UnsuitedEngineError
from tesuji.regress.ask import Outcome, Question, ask
from tesuji.regress.problem import Problem

# A program that fails so often without a single answer does not work at all.
FAILURES_THAT_HALT = 4


@dataclass(frozen=True, kw_only=True)
class Run:
    """Who was asked, and what came of it, in the order of the files. `players` has the meaning of `best` by board."""

    player: str
    players: dict[str, str]
    seed: int
    version: str
    outcomes: tuple[Outcome, ...]
    count: int
    interrupted: bool = False


def run_problems(
    problems: Sequence[Problem],
    player: str,
    *,
    budget: Budget | None,
    catalog: Catalog,
    timeout: float | None = None,
    jobs: int = 1,
    seed: int,
    progress: Callable[[Outcome], None] = lambda _: None,
) -> Run:
    """Asks a player, given as text as in matches, in every position. Ctrl-C gives what was done until then.

    Only a program can do without a budget. The seed of a test follows from `seed` and its name, so that its outcome
    does not depend on the other tests.
    """
    players = {problem.key: _player_for(problem, player, budget, catalog, timeout) for problem in problems}
    questions = [
        Question(problem=problem, player=players[problem.key], seed=derive_seed(seed, *problem.key))
        for problem in problems
    ]
    taken: list[Outcome] = []
    answers = _Answers()

    def take(outcome: Outcome) -> None:
        taken.append(outcome)
        progress(outcome)
        answers.count(outcome)

    interrupted = False
    try:
        _ask_all(questions, min(jobs, len(questions)), take)
    except KeyboardInterrupt:
        interrupted = True
    order = {problem.key: number for number, problem in enumerate(problems)}
    boards = {
        problem.setup.board: str(found)
        for problem in problems
        if problem.setup is not None and (found := players[problem.key]) is not None
    }
    return Run(
        player=player,
        players=boards,
        seed=seed,
        version=tesuji_version(),
        outcomes=tuple(sorted(taken, key=lambda outcome: order[outcome.problem.key])),
        count=len(problems),
        interrupted=interrupted,
    )


def _player_for(
    problem: Problem, text: str, budget: Budget | None, catalog: Catalog, timeout: float | None
) -> PlayerSpec | None:
    """None where there is no board to play on."""
    if problem.setup is None:
        return None
    return resolve_player(text, budget, catalog, timeout=timeout, start=problem.setup.start)


def _ask_all(questions: Sequence[Question], jobs: int, take: Callable[[Outcome], None]) -> None:
    _check_players(questions)
    if jobs > 1:
        with Pool(jobs, ask) as pool:
            pool.run(questions, take)
        return
    for question in questions:
        outcome = ask(question)
        if outcome is not None:
            take(outcome)


def _check_players(questions: Sequence[Question]) -> None:
    """Each once a board, before the work begins. One that a board is nothing for is not asked there."""
    checked = set()
    for question in questions:
        player, setup = question.player, question.problem.setup
        if player is None or setup is None or (str(player), setup.board) in checked:
            continue
        checked.add((str(player), setup.board))
        if isinstance(player, GtpProgram):
            find_program(player.command[0])
            continue
        with contextlib.suppress(UnsuitedEngineError):
            player.check(setup.start)


class _Answers:
    """Counts them, and ends a run that has none."""

    def __init__(self) -> None:
        self._asked = 0
        self._has_one = False

    def count(self, outcome: Outcome) -> None:
        if outcome.status == "skipped":
            return
        self._asked += 1
        self._has_one = self._has_one or outcome.answer is not None
        if self._asked >= FAILURES_THAT_HALT and not self._has_one:
            raise MatchError(f"in the first {self._asked} positions there was no answer: {outcome.reason}")
