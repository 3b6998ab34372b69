"""Counts what came of a run suite by suite, and compares two runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from scipy.stats import binomtest

from tesuji.errors import ArgumentError
from tesuji.regress.ask import Outcome, Status
from tesuji.regress.problem import Problem
from tesuji.regress.run import Run

FORMAT = "tesuji-regress"


@dataclass(frozen=True, kw_only=True)
class Count:
    """Of the tests of a suite, or of all. What was not expected by the suite's own engine is counted again."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    passed_unexpectedly: int = 0
    failed_unexpectedly: int = 0
    cpu_seconds: float = 0.0

    @property
    def asked(self) -> int:
        return self.passed + self.failed

    @property
    def percentage(self) -> float | None:
        return 100 * self.passed / self.asked if self.asked else None

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "percentage": self.percentage}


def count(outcomes: Iterable[Outcome]) -> Count:
    counted = list(outcomes)

    def number(status: Status, *, known_fail: bool | None = None) -> int:
        return sum(outcome.status == status and known_fail in (None, outcome.problem.known_fail) for outcome in counted)

    return Count(
        passed=number("passed"),
        failed=number("failed"),
        skipped=number("skipped"),
        passed_unexpectedly=number("passed", known_fail=True),
        failed_unexpectedly=number("failed", known_fail=False),
        cpu_seconds=sum(outcome.cpu_seconds for outcome in counted),
    )


def count_by_suite(outcomes: Iterable[Outcome]) -> dict[str, Count]:
    """In the order in which the suites appear."""
    suites: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        suites.setdefault(outcome.problem.suite, []).append(outcome)
    return {suite: count(members) for suite, members in suites.items()}


# ---- as plain values


def to_dict(run: Run, *, made_by: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """`made_by`: the provenance of each part of a run that was broken off and gone on with."""
    return {
        "format": FORMAT,
        "player": run.player,
        "players": run.players,
        "seed": run.seed,
        "version": run.version,
        "made_by": [dict(facts) for facts in made_by],
        "interrupted": run.interrupted,
        "positions": run.count,
        "total": count(run.outcomes).to_dict(),
        "suites": {suite: found.to_dict() for suite, found in count_by_suite(run.outcomes).items()},
        "tests": [_test_to_dict(outcome) for outcome in run.outcomes],
    }


def _test_to_dict(outcome: Outcome) -> dict[str, Any]:
    problem = outcome.problem
    return {
        "suite": problem.suite,
        "id": problem.id,
        "file": problem.file,
        "line": problem.line,
        "status": outcome.status,
        "answer": outcome.answer,
        "expected": str(problem.expected),
        "position": None if problem.setup is None else problem.setup.digest,
        "known_fail": problem.known_fail,
        "reason": outcome.reason,
        "cpu_seconds": round(outcome.cpu_seconds, 4),
        "seconds": round(outcome.seconds, 4),
    }


_Seconds = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class OldTest(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    suite: str
    id: str
    status: Status
    expected: str
    position: str | None = None
    answer: str | None = None
    cpu_seconds: _Seconds = 0.0
    seconds: _Seconds = 0.0


class OldRun(BaseModel):
    """An earlier run. A comparison needs the player and the tests alone."""

    model_config = ConfigDict(extra="ignore", strict=True)

    format: Literal["tesuji-regress"]
    player: str
    players: dict[str, str] = {}
    seed: int | None = None
    version: str = ""
    made_by: list[dict[str, str]] = []
    interrupted: bool = False
    tests: list[OldTest]

    def asked(self) -> dict[tuple[str, str, str], OldTest]:
        """By their suites, their names, and the answers that were wanted."""
        return {(test.suite, test.id, test.expected): test for test in self.tests if test.status != "skipped"}


def in_one_position(*positions: str | None) -> bool:
    """Files from before positions were kept do not say which it was: None."""
    return len({*positions} - {None}) < 2


def read_run(path: Path) -> OldRun:
    """A run that was written with --json."""
    try:
        text = path.read_bytes()
        if not text.strip():
            raise ArgumentError(f"{path} is empty: was it named as the output as well?")
        return OldRun.model_validate_json(text)
    except OSError as error:
        raise ArgumentError(f"{path} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        what = f"{where}: {first['msg']}" if where else first["msg"]
        raise ArgumentError(f"{path} is no result of tesuji regress --json: {what}") from None


# ---- comparing


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Tests of a suite, or of all, that both runs have asked: how many pass now, and did not before, and so on."""

    both: int
    before: int
    now: int
    newly_passed: tuple[str, ...]
    newly_failed: tuple[str, ...]

    @property
    def p_value(self) -> float:
        """McNemar's exact test: so probable is a difference like this one if both are equally strong."""
        changed = len(self.newly_passed) + len(self.newly_failed)
        return float(binomtest(len(self.newly_passed), changed).pvalue) if changed else 1.0

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "p_value": self.p_value}


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """`apart` counts the tests that only one run has asked, or that have another position or answer now.

    Of the old run are its player, what that was with its budget on each board, and the version of tesuji.
    """

    old: str
    old_players: Mapping[str, str]
    old_version: str
    total: Difference
    suites: Mapping[str, Difference]
    apart: int

    def to_dict(self) -> dict[str, Any]:
        suites = {suite: difference.to_dict() for suite, difference in self.suites.items()}
        return {**vars(self), "total": self.total.to_dict(), "suites": suites}


def check_comparable(problems: Iterable[Problem], old: OldRun) -> None:
    """Before the work begins: a comparison without a single test would be noticed late."""
    before = old.asked()
    if not any(_same_test(problem, before) for problem in problems):
        raise ArgumentError(
            f"there is nothing to compare: no test of the earlier run of {old.player} can be asked again. Tests are "
            "known by suite, id, position and expected answers"
        )


def compare(run: Run, old: OldRun) -> Comparison:
    before = old.asked()
    asked = [outcome for outcome in run.outcomes if outcome.status != "skipped"]
    pairs = [(outcome, test.status) for outcome in asked if (test := _same_test(outcome.problem, before))]
    suites = dict.fromkeys(outcome.problem.suite for outcome, _ in pairs)
    return Comparison(
        old=old.player,
        old_players=old.players,
        old_version=old.version,
        total=_difference(pairs, names_have_suites=True),
        suites={suite: _difference([pair for pair in pairs if pair[0].problem.suite == suite]) for suite in suites},
        apart=len(asked) + len(before) - 2 * len(pairs),
    )


def _same_test(problem: Problem, before: Mapping[tuple[str, str, str], OldTest]) -> OldTest | None:
    """None where the earlier run has not asked it, or in another position."""
    test = before.get((problem.suite, problem.id, str(problem.expected)))
    if test is None or problem.setup is None or not in_one_position(test.position, problem.setup.digest):
        return None
    return test


def _difference(pairs: Sequence[tuple[Outcome, Status]], *, names_have_suites: bool = False) -> Difference:
    def name(outcome: Outcome) -> str:
        return f"{outcome.problem.suite} {outcome.problem.id}" if names_have_suites else outcome.problem.id

    changed = [(outcome, old) for outcome, old in pairs if outcome.status != old]
    return Difference(
        both=len(pairs),
        before=sum(old == "passed" for _, old in pairs),
        now=sum(outcome.status == "passed" for outcome, _ in pairs),
        newly_passed=tuple(name(outcome) for outcome, old in changed if old == "failed"),
        newly_failed=tuple(name(outcome) for outcome, old in changed if old == "passed"),
    )
