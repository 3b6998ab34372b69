"""Asks a player for its move in a test position."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tesuji.arena.gtp_client import GtpClient, GtpRefusal, GtpStopped
from tesuji.arena.gtp_dialects import Dialect
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import EnginePlayer, PlayerFailure, PlayerSpec
from tesuji.errors import ArgumentError, IllegalMoveError, TesujiError, UnsuitedEngineError, shown
from tesuji.games.position import Position
from tesuji.gtp.player import Player
from tesuji.gtp.table import Table
from tesuji.gtp.thinker import Settings, Thinker
from tesuji.regress.problem import Problem, Setup

Status = Literal["passed", "failed", "skipped"]
RESIGN = "resign"


@dataclass(frozen=True, kw_only=True)
class Question:
    """A test, who is asked, and the seed: all that the answer depends on."""

    problem: Problem
    player: PlayerSpec | None
    seed: int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a test. `reason` says why it was skipped, or why there was no answer or none that counts."""

    problem: Problem
    status: Status
    answer: str | None = None
    reason: str = ""
    cpu_seconds: float = 0.0
    seconds: float = 0.0


class _Unplayable(TesujiError):  # noqa: N818  no error: the test is skipped
    """The player does not play on this board, or nobody can."""


@dataclass(frozen=True, kw_only=True)
class _Answer:
    move: str
    cpu_seconds: float


def ask(question: Question, stopped: Callable[[], bool] = lambda: False) -> Outcome | None:
    """The outcome of a test; None when it was stopped before there was one.

    Who does not play on this board is not asked. Threads or memory that cannot be had are an error all the same.
    """
    problem, player = question.problem, question.player
    if problem.setup is None or player is None:
        return Outcome(problem=problem, status="skipped", reason=problem.obstacle)
    began = time.perf_counter()
    try:
        if isinstance(player, GtpProgram):
            answer = _ask_program(problem.setup, player, question.seed, stopped)
        else:
            answer = _ask_engine(problem.setup, player, question.seed, stopped)
    except (_Unplayable, UnsuitedEngineError) as error:
        return Outcome(problem=problem, status="skipped", reason=str(error))
    except PlayerFailure as failure:
        seconds = time.perf_counter() - began
        return Outcome(problem=problem, status="failed", reason=str(failure), seconds=seconds)
    except GtpStopped:
        return None
    if stopped():
        return None
    return Outcome(
        problem=problem,
        status=status_of(problem, answer.move),
        answer=answer.move,
        cpu_seconds=answer.cpu_seconds,
        seconds=time.perf_counter() - began,
    )


def status_of(problem: Problem, answer: str) -> Status:
    """Who resigns has not avoided a bad move."""
    return "passed" if answer != RESIGN and problem.expected.is_met(answer) else "failed"


def _table(setup: Setup) -> Table:
    try:
        return setup.table()
    except IllegalMoveError as error:
        raise _Unplayable(str(error)) from None


def _ask_engine(setup: Setup, spec: PlayerSpec, seed: int, stopped: Callable[[], bool]) -> _Answer:
    """One of our own, as it plays at somebody's board: so it passes where nothing is left to do."""
    assert isinstance(spec, EnginePlayer)  # noqa: S101  there are two kinds of players by name
    budget = spec.budget
    settings = Settings(
        engine=spec.engine,
        playouts=budget.playouts,
        seconds=budget.seconds,
        threads=budget.threads,
        seed=seed,
        more_time=False,
    )
    table = _table(setup)
    player = Player(table, Thinker(settings), lag=0.0, resign=0.0)
    began = time.process_time()
    choice = player.choose(setup.player, began=time.monotonic(), stopped=stopped)
    assert choice.move is not None  # noqa: S101  it does not resign
    return _Answer(move=table.format(choice.move), cpu_seconds=time.process_time() - began)


def _ask_program(setup: Setup, program: GtpProgram, seed: int, stopped: Callable[[], bool]) -> _Answer:
    """Every test has a process of its own, so that no answer depends on the tests before it."""
    try:
        dialect = program.dialect_for(setup.start)
        dialect.check(setup.start)
    except ArgumentError as error:
        raise _Unplayable(str(error)) from None
    table = _table(setup)
    position = table.turn_of(setup.player)
    told = [dialect.tell(step.before, step.move) for step in table.steps]
    with program.start(seed=seed, stopped=stopped) as client:
        for command in [*dialect.opening(setup.start), *filter(None, told)]:
            try:
                client.send(command, timeout=program.timeout, stopped=stopped)
            except GtpRefusal as refusal:
                raise _Unplayable(f"{program.name} refused {command!r}: {shown(str(refusal))}") from None
        question = f"{_name_of_question(client, program, stopped)} {dialect.colour(position)}"
        answer = program.ask(client, question, stopped)
        if answer.lower() == RESIGN:
            return _Answer(move=RESIGN, cpu_seconds=client.cpu_seconds)
        move = _legal_move(position, dialect, answer, program, question)
        return _Answer(move=table.format(move), cpu_seconds=client.cpu_seconds)


def _name_of_question(client: GtpClient, program: GtpProgram, stopped: Callable[[], bool]) -> str:
    """`reg_genmove` is made for tests, but not every program has it."""
    try:
        knows = client.send("known_command reg_genmove", timeout=program.timeout, stopped=stopped)
    except GtpRefusal:
        return "genmove"
    return "reg_genmove" if knows.lower() == "true" else "genmove"


def _legal_move(position: Position, dialect: Dialect, answer: str, program: GtpProgram, question: str) -> int:
    """Who plays against the rules has not avoided a bad move."""
    try:
        move = dialect.parse(position, answer)
    except IllegalMoveError as error:
        raise PlayerFailure("nonsense", f"{program.name} answered {question!r} so: {error}") from None
    try:
        position.play(move)
    except IllegalMoveError as error:
        raise PlayerFailure("illegal move", f"{program.name}: {error}") from None
    return move
