"""What a user gives a search to know, as the core takes it: an evaluator, a policy of playouts, a model of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, EvaluatorError, shown
from tesuji.games.compiled import CompiledGame, address_of, is_compiled
from tesuji.games.own import AnyPosition
from tesuji.games.position import Position

if TYPE_CHECKING:
    from tesuji.knowledge import Model
    from tesuji.knowledge.model import NativeModel


def core_evaluator(evaluator: Any, subject: AnyPosition, engine: EngineSpec) -> Any:
    if evaluator is None:
        return None
    if not callable(evaluator):
        raise ArgumentError(f"evaluator must be a function of a list of positions, not {shown(evaluator)}")
    from tesuji.knowledge.evaluators import evaluator_for_core  # noqa: PLC0415  numpy is slow to load

    return evaluator_for_core(evaluator, subject, needs_values=engine.choice("backup").part.name == "max")


def core_policy(policy: Any, subject: AnyPosition, seed: int) -> Any:
    """A function for the core to call, or the address of a compiled one, or None."""
    if policy is None:
        return None
    if is_compiled(policy):
        if not isinstance(subject, CompiledGame):
            raise ArgumentError("a compiled policy needs a compiled game: give a function of (position, moves, random)")
        return address_of("policy", policy, subject.state.dtype)
    if not callable(policy):
        raise ArgumentError(f"policy must be a function of (position, moves, random), not {shown(policy)}")
    from tesuji.knowledge.evaluators import policy_for_core  # noqa: PLC0415  numpy is slow to load

    return policy_for_core(policy, subject, seed)


def core_solver(solver: Any, subject: AnyPosition, engine: EngineSpec) -> Any:
    """A function for the core to call: a native position in; moves, and points with what becomes of them, out."""
    if solver is None:
        return None
    if not callable(solver):
        raise ArgumentError(f"solver must be a function of a position, not {shown(solver)}")
    if engine.find("semeai") is None:
        raise ArgumentError(f"{engine} does not ask a solver: add semeai(expertise) or semeai(conditioning)")

    def answer(native: Any) -> tuple[list[Any], list[tuple[int, bool]]]:
        position = subject.wrapped(native)
        return check_verdict(solver(position), position)

    return answer


def check_verdict(verdict: Any, position: Any) -> tuple[list[Any], list[tuple[int, bool]]]:
    """The parts of a verdict as the core takes them, or an error that says what is wrong with it."""
    from tesuji.semeai import Verdict  # noqa: PLC0415  which needs the core's Go

    if not isinstance(verdict, Verdict):
        raise EvaluatorError(f"a solver returns a tesuji.semeai.Verdict, not {shown(verdict)}")
    if not isinstance(verdict.necessary, Sequence) or not isinstance(verdict.stones, Mapping):
        raise EvaluatorError(
            "necessary of a verdict is a list of moves, and stones maps points to True or False, not "
            f"{shown(verdict.necessary)} and {shown(verdict.stones)}"
        )
    if not isinstance(position, Position):
        if verdict.stones:
            raise EvaluatorError("stones of a verdict: a game of your own has no points that the search could look at")
        return list(verdict.necessary), []
    cells = position.native.cells()
    stones = [(position.move_number(point), stays) for point, stays in verdict.stones.items()]
    for number, stays in stones:
        if number >= len(cells) or cells[number] >= position.num_players or not isinstance(stays, bool):
            raise EvaluatorError(
                f"stones of a verdict are points with a stone on them, and True or False for each, not "
                f"{position.format_move(number)}: {shown(stays)}"
            )
    return [position.move_number(move) for move in verdict.necessary], stones


def core_model(model: Model | None, subject: AnyPosition, engine: EngineSpec) -> NativeModel | None:
    """The model that was given, else the one that the engine names."""
    named = engine.find("model")
    if model is not None and named is not None:
        raise ArgumentError(f"{engine} names a model, and another is given: leave one of them out")
    if named is not None:
        from tesuji.knowledge.model import load_named  # noqa: PLC0415  numpy is slow to load

        model = load_named(str(named.value("model")))
    if model is None:
        return None
    from tesuji.knowledge import Model  # noqa: PLC0415  numpy is slow to load

    if not isinstance(model, Model):
        raise ArgumentError(f"model must be what tesuji.knowledge.load() gives, not {shown(model)}")
    if getattr(subject, "game", None) != model.game:
        raise ArgumentError(f"a model of the moves of {model.game.capitalize()} says nothing of {subject!r}")
    return model.native
