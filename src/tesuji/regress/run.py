"""Runs test positions through a player, in one process or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tesuji.arena.catalog import Catalog, resolve_player
from tesuji.arena.game import tesuji_version
from tesuji.arena.gtp_client import find_program
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import Budget, PlayerSpec
from tesuji.arena.pool import Pool
from tesuji.arena.seeds import derive_seed
from tesuji.errors import MatchError
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
    budget: Budget,
    catalog: Catalog,
    timeout: float | None = None,
    jobs: int = 1,
    seed: int,
    progress: Callable[[Outcome], None] = lambda _: None,
) -> Run:
    """Asks a player, given as text as in matches, in every position. Ctrl-C gives what was done until then.

    The seed of a test follows from `seed` and its name, so that its outcome does not depend on the other tests.
    """
    players = {problem.key: _player_for(problem, player, budget, catalog, timeout) for problem in problems}
    questions = [
        Question(problem=problem, player=players[problem.key], seed=derive_seed(seed, *problem.key))
        for problem in problems
    ]
    taken: list[Outcome] = []

    def take(outcome: Outcome) -> None:
        taken.append(outcome)
        progress(outcome)
        _check_works(taken)

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
    problem: Problem, text: str, budget: Budget, catalog: Catalog, timeout: float | None
) -> PlayerSpec | None:
    """None where there is no board to play on."""
    if problem.setup is None:
        return None
    return resolve_player(text, budget, catalog, timeout=timeout, start=problem.setup.start)


def _ask_all(questions: Sequence[Question], jobs: int, take: Callable[[Outcome], None]) -> None:
    for name in {q.player.command[0] for q in questions if isinstance(q.player, GtpProgram)}:
        find_program(name)
    if jobs > 1:
        with Pool(jobs, ask) as pool:
            pool.run(questions, take)
        return
    for question in questions:
        outcome = ask(question)
        if outcome is not None:
            take(outcome)


def _check_works(taken: Sequence[Outcome]) -> None:
    asked = [outcome for outcome in taken if outcome.status != "skipped"]
    if len(asked) >= FAILURES_THAT_HALT and all(outcome.answer is None for outcome in asked):
        raise MatchError(f"in the first {len(asked)} positions there was no answer: {asked[-1].reason}")
