"""Goes on from an earlier run: what it has asked the same player is not asked again."""

from __future__ import annotations

from tesuji.arena.game import tesuji_version
from tesuji.errors import ArgumentError
from tesuji.regress.ask import Outcome
from tesuji.regress.run import Plan
from tesuji.regress.summary import OldRun


def outcomes_of(old: OldRun, plan: Plan) -> dict[tuple[str, str], Outcome]:
    """By the keys of their problems. Raises an error where the earlier run could have had other answers.

    An answer depends on the test, on who is asked with which budget, and on the seed. What could not be asked is left
    out: perhaps it can be now.
    """
    for what, then, now in (
        ("seed", str(old.seed), str(plan.seed)),
        ("version of tesuji", old.version, tesuji_version()),
        ("player", old.player, plan.player),
    ):
        if then != now:
            raise ArgumentError(f"the earlier run has another {what}, {then}, not {now}: its answers do not count here")
    before = {test.key: test for test in old.tests if test.status != "skipped"}
    found = {}
    for question in plan.questions:
        problem, setup = question.problem, question.problem.setup
        test = before.get((*problem.key, str(problem.expected)))
        if test is None or setup is None:
            continue
        player = old.players.get(setup.board)
        if player != str(question.player):
            raise ArgumentError(
                f"the earlier run asked another player on {setup.board}, {player}, not {question.player}"
            )
        found[problem.key] = Outcome(
            problem=problem,
            status=test.status,
            answer=test.answer,
            reason=test.reason,
            cpu_seconds=test.cpu_seconds,
            seconds=test.seconds,
        )
    if not found:
        raise ArgumentError("there is nothing to go on from: the earlier run has asked none of these tests")
    return found
