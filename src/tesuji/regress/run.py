"""Runs test positions through a player, in one process or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tesuji.arena.catalog import Catalog, resolve_player
from tesuji.arena.cluster_player import PREFIX as CLUSTER_PREFIX
from tesuji.arena.game import tesuji_version
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import Budget, PlayerSpec
from tesuji.arena.pool import Pool
from tesuji.arena.seeds import derive_seed
from tesuji.errors import ArgumentError, MatchError, MissingProgramError, UnsuitedEngineError
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


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Who is to be asked what, by a player that is there."""

    player: str
    seed: int
    questions: tuple[Question, ...]


def plan_run(
    problems: Sequence[Problem],
    player: str,
    *,
    budget: Budget | None,
    catalog: Catalog,
    timeout: float | None = None,
    seed: int,
) -> Plan:
    """The questions to a player, given as text as in matches. Raises an error where it cannot be asked at all.

    Only a program can do without a budget. The seed of a test follows from `seed` and its name, so that its outcome
    does not depend on the other tests.
    """
    if player.startswith(CLUSTER_PREFIX):
        raise ArgumentError(f"{player}: a cluster plays matches only; test positions are asked of the engine behind it")
    questions = tuple(
        Question(
            problem=problem,
            player=_player_for(problem, player, budget, catalog, timeout),
            seed=derive_seed(seed, *problem.key),
        )
        for problem in problems
    )
    _check_players(questions)
    return Plan(player=player, seed=seed, questions=questions)


def run_plan(
    plan: Plan,
    *,
    jobs: int = 1,
    progress: Callable[[Outcome], None] = lambda _: None,
    ended: Callable[[], object] = lambda: None,
    known: Mapping[tuple[str, str], Outcome] | None = None,
) -> Run:
    """Asks in every position, but for those whose outcomes are known. Ctrl-C gives what was done until then.

    `ended` is called when nothing more will be asked.
    """
    known = known or {}
    taken = list(known.values())
    questions = [question for question in plan.questions if question.problem.key not in known]
    answers = _Answers()
    for outcome in taken:
        answers.count(outcome)

    def take(outcome: Outcome) -> None:
        taken.append(outcome)
        progress(outcome)
        answers.count(outcome)

    interrupted = False
    try:
        _ask_all(questions, min(jobs, len(questions)), take)
    except KeyboardInterrupt:
        interrupted = True
    ended()
    order = {question.problem.key: number for number, question in enumerate(plan.questions)}
    boards = {
        question.problem.setup.board: str(question.player)
        for question in plan.questions
        if question.problem.setup is not None
    }
    return Run(
        player=plan.player,
        players=boards,
        seed=plan.seed,
        version=tesuji_version(),
        outcomes=tuple(sorted(taken, key=lambda outcome: order[outcome.problem.key])),
        count=len(plan.questions),
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
        try:
            player.check(setup.start)
        except MissingProgramError:
            raise
        except ArgumentError as error:
            # What a program says of the board is the reason that the tests on it are skipped for.
            if not isinstance(player, GtpProgram) and not isinstance(error, UnsuitedEngineError):
                raise


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
