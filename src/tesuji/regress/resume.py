"""Goes on from an earlier run: what it has asked the same player is not asked again."""

from __future__ import annotations

from tesuji.arena.game import tesuji_version
from tesuji.errors import ArgumentError
from tesuji.regress.ask import Outcome, status_of
from tesuji.regress.run import Plan
from tesuji.regress.summary import OldRun


def outcomes_of(old: OldRun, plan: Plan) -> dict[tuple[str, str], Outcome]:
    """By the keys of their problems. Raises an error where the earlier run could have had other answers.

    An answer depends on the position, on who is asked with which budget, and on the seed. What could not be asked, or
    got no answer, is left out, since perhaps it does now; and so is a test whose position has changed.
    """
    if old.seed != plan.seed:
        then, remedy = ("unknown", "ask anew") if old.seed is None else (old.seed, f"give --seed {old.seed}")
        raise ArgumentError(f"the earlier run has another seed, {then}, not {plan.seed}: {remedy}")
    if old.version != tesuji_version():
        raise ArgumentError(
            f"the earlier run is of another version of tesuji, {old.version or 'unknown'}, not {tesuji_version()}: "
            "its answers do not count here"
        )
    # Without what was wanted of them: an answer is judged by what is wanted now.
    before = {(test.suite, test.id): test for test in old.asked().values()}
    found = {}
    unanswered = 0
    for question in plan.questions:
        problem, setup = question.problem, question.problem.setup
        test = before.get(problem.key)
        if test is None or setup is None or test.position != setup.digest:
            continue
        player = old.players.get(setup.board, "unknown")
        if player != str(question.player):
            raise ArgumentError(
                f"the earlier run asked another player on {setup.board}, or with another budget: {player}, "
                f"not {question.player}"
            )
        if test.answer is None:
            unanswered += 1
            continue
        found[problem.key] = Outcome(
            problem=problem,
            status=status_of(problem, test.answer),
            answer=test.answer,
            cpu_seconds=test.cpu_seconds,
            seconds=test.seconds,
        )
    # One that was broken off before its first answer is gone on from nevertheless.
    if before and not found and not unanswered:
        if all(test.position is None for test in before.values()):
            raise ArgumentError("there is nothing to go on from: the earlier run does not say which positions it asked")
        raise ArgumentError(
            "there is nothing to go on from: the earlier run has asked none of these tests in these positions"
        )
    return found
