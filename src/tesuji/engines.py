"""The engine-spec language: `uct(c=0.4)+final=value`.

A spec is a list of parts joined by `+`, in any order, at most one for each slot; a missing slot has its default.
`PARTS` lists every part, parameter, default and range. The parser, the errors and the help are all made from it: a new
rule needs a row there, and a line in `to_parameters` for each parameter that the core has not met before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tesuji import _core
from tesuji.errors import SpecError, shown, suggestion

Value = float | int | bool | str

MAX_SPEC_LENGTH = 1000


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of a part.

    A `bool` is a flag, switched on by its bare name. Of the parameters with the same `group` at most one may be given.
    A default of None means that the parameter is off unless given.
    """

    name: str
    type: type[float | int | bool | str]
    default: Value | None
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    group: str | None = None
    doc: str = ""

    def allowed(self) -> str:
        """What the parameter accepts, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.type is bool:
            return f"a flag: write {self.name} alone"
        kind = "an integer" if self.type is int else "a number"
        if math.isinf(self.high):
            return f"{kind} of at least {self.low}"
        return f"{kind} from {self.low} to {self.high}"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One row of the table. With `value` the part is written `name=value`, otherwise `name(parameters)`."""

    name: str
    slot: str
    doc: str
    parameters: tuple[Parameter, ...] = ()
    value: Parameter | None = None

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        return self.parameters if self.value is None else (self.value,)

    def usage(self) -> str:
        """How the part is written, with its defaults."""
        if self.value is not None:
            choices = "|".join(self.value.choices)
            return f"{self.name}={choices or _format_value(self.value.default)}"
        arguments = ",".join(
            _usage(parameter) for parameter in self.parameters if parameter.default not in (None, False)
        )
        return f"{self.name}({arguments})" if arguments else self.name


def _usage(parameter: Parameter) -> str:
    if parameter.type is bool:
        return parameter.name
    return f"{parameter.name}={'...' if parameter.default is None else _format_value(parameter.default)}"


_FPU = Parameter(
    name="fpu",
    type=float,
    default=math.inf,
    low=0,
    doc="first-play urgency: the score of a move never tried",
)

_DECAY = (
    Parameter(name="k", type=int, default=4, low=1, high=9, group="decay", doc="sets decay to 1 - 0.1^k"),
    Parameter(
        name="decay",
        type=float,
        default=None,
        low=0.001,
        high=1,
        group="decay",
        doc="what a visit keeps of its weight at the next one; 1 is plain uct",
    ),
)

#: Every part there is. The first of a slot is its default.
PARTS: Final[tuple[Part, ...]] = (
    Part(
        name="uct",
        slot="selection",
        doc="UCB1: value + c sqrt(ln s / n)",
        parameters=(
            Parameter(name="c", type=float, default=1.0, low=0, high=1000, doc="weight of the exploration term"),
            _FPU,
        ),
    ),
    Part(name="ucb-tuned1", slot="selection", doc="UCB with the variance r (1 - r) of the value", parameters=(_FPU,)),
    Part(
        name="ucb-tuned2",
        slot="selection",
        doc="UCB-Tuned 1 with one more ln s / n under the root",
        parameters=(
            _FPU,
            Parameter(name="outside", type=bool, default=False, doc="adds that term outside the root instead"),
        ),
    ),
    Part(
        name="puct",
        slot="selection",
        doc="value + c P sqrt(s) / (1 + n), where an evaluator gives the prior P (else all moves have the same)",
        parameters=(Parameter(name="c", type=float, default=1.25, low=0, high=1000, doc="weight of the prior's term"),),
    ),
    Part(
        name="bast",
        slot="selection",
        doc="the move of the highest upper bound: value + sqrt(ln(2 N n (n + 1) / b) / (2 n)) + delta gamma^depth, and "
        "never more than the bounds of its own moves allow (N: the nodes of the tree)",
        parameters=(
            Parameter(name="delta", type=float, default=0.1, low=0, high=1000, doc="how far moves may differ in value"),
            Parameter(name="gamma", type=float, default=0.5, low=0, high=1, doc="what is left of that a move deeper"),
            Parameter(name="b", type=float, default=1.0, low=1e-9, high=1, doc="how probably a bound may fail"),
        ),
    ),
    Part(name="mean", slot="backup", doc="a node's value is the mean of its playouts"),
    Part(name="discounted", slot="backup", doc="old playouts count for less: Discounted UCT", parameters=_DECAY),
    Part(
        name="accelerated",
        slot="backup",
        doc="a node's value is the mean of its children's by their recent visits: Accelerated UCT",
        parameters=_DECAY,
    ),
    Part(
        name="mix",
        slot="backup",
        doc="a node's value is between the mean and the value of its most visited child, of n visits: the latter has "
        "the weight q n / (n + m)",
        parameters=(
            Parameter(
                name="q", type=float, default=0.6, low=0, high=1, doc="the most that this child counts; 0 is uct"
            ),
            Parameter(name="m", type=float, default=100.0, low=0, high=1e9, doc="with m visits it counts half of q"),
        ),
    ),
    Part(
        name="max",
        slot="backup",
        doc="leaves are judged, not played out, and a node has its best child's value: UCTMAX_H. The judge is one of "
        "the game's functions, below, or with max alone the evaluator that the search is given",
        parameters=(
            Parameter(name="discs", type=bool, default=False, group="evaluation", doc="Othello: the share of discs"),
            Parameter(name="mobility", type=bool, default=False, group="evaluation", doc="Othello: the share of moves"),
        ),
    ),
    Part(name="no-solver", slot="solver", doc="nothing is proven"),
    Part(
        name="solver",
        slot="solver",
        doc="wins, draws and losses are proven where the game's end is in sight, and a proven root ends the search; "
        "for games of one or two players",
    ),
    Part(
        name="playout",
        slot="playout",
        doc="how games are played out from a leaf",
        value=Parameter(name="playout", type=str, default="uniform", choices=("uniform",)),
    ),
    Part(
        name="playout-cap",
        slot="playout-cap",
        doc="a playout that has not ended after so many moves counts as a draw (the playouts of Go have their own cap)",
        value=Parameter(name="playout-cap", type=int, default=20_000, low=1, high=2**31 - 1),
    ),
    Part(
        name="final",
        slot="final",
        doc="which move is played in the end: the most visited, the one of the best value, of the best lower bound "
        "(with the selection rule's c), or of the best sum of value and share of visits",
        value=Parameter(name="final", type=str, default="visits", choices=("visits", "value", "lcb", "balanced")),
    ),
    Part(
        name="expand",
        slot="expand",
        doc="a leaf gets children when it has been visited this often",
        value=Parameter(name="expand", type=int, default=1, low=1, high=1_000_000),
    ),
    Part(
        name="moves",
        slot="moves",
        doc="which moves are searched: the game's sensible ones (in Go no own eyes, no idle passes), or all legal ones",
        value=Parameter(name="moves", type=str, default="sensible", choices=("sensible", "legal")),
    ),
)

SLOTS: Final = tuple(dict.fromkeys(part.slot for part in PARTS))
_BY_NAME: Final = {part.name: part for part in PARTS}
_DEFAULTS: Final = {slot: next(part for part in PARTS if part.slot == slot) for slot in SLOTS}


@dataclass(frozen=True)
class PartChoice:
    """A part with the values of all its parameters, in the order of the table."""

    part: Part
    values: tuple[tuple[str, Value | None], ...]

    def value(self, name: str) -> Value | None:
        """The value of a parameter, None where it is off or the part has no such parameter."""
        return dict(self.values).get(name)

    def text(self, *, full: bool = False) -> str:
        """The part as it is written: parameters at their defaults only with `full`."""
        if self.part.value is not None:
            return f"{self.part.name}={_format_value(self.value(self.part.name))}"
        arguments = []
        for parameter in self.part.parameters:
            value = self.value(parameter.name)
            if value is None or value is False or (value == parameter.default and not full):
                continue
            arguments.append(parameter.name if value is True else f"{parameter.name}={_format_value(value)}")
        return f"{self.part.name}({','.join(arguments)})" if arguments else self.part.name


@dataclass(frozen=True)
class EngineSpec:
    """An engine: one part for every slot. `str()` is the shortest text that means the same, `full()` spells it out."""

    choices: tuple[PartChoice, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return parse_engine, (self.full(),)

    def __repr__(self) -> str:
        return f"EngineSpec({str(self)!r})"

    def __str__(self) -> str:
        parts = [choice.text() for choice in self.choices if _is_worth_saying(choice)]
        return "+".join(parts)

    def full(self) -> str:
        return "+".join(choice.text(full=True) for choice in self.choices)

    def choice(self, slot: str) -> PartChoice:
        return next(choice for choice in self.choices if choice.part.slot == slot)

    def find_parameter(self, name: str) -> tuple[Part, Parameter]:
        """The numeric parameter of this name, such as `c`, or `uct.c` where two parts have a `c`."""
        part_name, _, short = name.lower().rpartition(".")
        numeric = [
            (choice.part, parameter)
            for choice in self.choices
            for parameter in choice.part.all_parameters
            if parameter.type in (int, float)
        ]
        found = [pair for pair in numeric if pair[1].name == short and part_name in ("", pair[0].name)]
        if len(found) == 1:
            return found[0]
        known = [parameter.name if part.value else f"{part.name}.{parameter.name}" for part, parameter in numeric]
        if not found:
            listed = ", ".join(known)
            raise SpecError(f"{self} has no numeric parameter {shown(name)}; it has {listed}{suggestion(name, known)}")
        ways = " or ".join(f"{part.name}.{short}" for part, _ in found)
        raise SpecError(f"{shown(name)} is ambiguous in {self}: write {ways}")

    def with_value(self, name: str, value: float) -> EngineSpec:
        """The same engine with another value of one numeric parameter, named as in `find_parameter`."""
        part, parameter = self.find_parameter(name)
        checked = _parse_value(parameter, str(value), part)
        rivals = {p.name for p in part.all_parameters if p.group is not None and p.group == parameter.group}
        values = self.choice(part.slot).values
        kept = {key: old for key, old in values if old is not None and key not in rivals}
        choice = _choose(part, {**kept, parameter.name: checked})
        return EngineSpec(tuple(choice if old.part is part else old for old in self.choices))

    def to_parameters(self) -> _core.Parameters:
        """The same for the native search."""
        selection = self.choice("selection")
        parameters = _core.Parameters()
        parameters.selection = selection.part.name
        parameters.c = _number(selection.value("c") or 0.0)
        parameters.fpu = _number(selection.value("fpu") or 0.0)
        parameters.term_outside = bool(selection.value("outside"))
        if selection.part.name == "bast":
            parameters.bast_delta = _number(selection.value("delta"))
            parameters.bast_gamma = _number(selection.value("gamma"))
            parameters.bast_b = _number(selection.value("b"))
        backup = self.choice("backup")
        parameters.backup = backup.part.name
        parameters.decay = _decay(backup)
        parameters.mix_q = _number(backup.value("q") or 0.0)
        parameters.mix_m = _number(backup.value("m") or 0.0)
        parameters.evaluation = _evaluation(backup)
        parameters.solver = self.choice("solver").part.name == "solver"
        parameters.expand = int(_number(self.choice("expand").value("expand")))
        parameters.final = str(self.choice("final").value("final"))
        parameters.playout_cap = int(_number(self.choice("playout-cap").value("playout-cap")))
        parameters.all_moves = self.choice("moves").value("moves") == "legal"
        return parameters


def _decay(backup: PartChoice) -> float:
    """The lambda of the papers; 1 for a rule that does not forget."""
    k, decay = backup.value("k"), backup.value("decay")
    if k is not None:
        return 1 - 10 ** -_number(k)
    return 1.0 if decay is None else _number(decay)


def _evaluation(backup: PartChoice) -> str:
    """The name of the game's function that judges leaves, where one is given."""
    names = [p.name for p in backup.part.parameters if p.group == "evaluation" and backup.value(p.name)]
    return names[0] if names else ""


def _number(value: Value | None) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return value


def _is_worth_saying(choice: PartChoice) -> bool:
    """The selection rule names the engine, so it is always said; the rest only where it is not the default."""
    return choice.part.slot == "selection" or choice != _default_choice(choice.part.slot)


def _default_choice(slot: str) -> PartChoice:
    return _choose(_DEFAULTS[slot], {})


def _choose(part: Part, given: Mapping[str, Value]) -> PartChoice:
    """Fills in the defaults. A parameter given replaces the default of the alternatives in its group."""
    groups = {p.group for p in part.all_parameters if p.group is not None and p.name in given}
    values = ((p.name, given.get(p.name, None if p.group in groups else p.default)) for p in part.all_parameters)
    return PartChoice(part, tuple(values))


# ---- reading


def parse_engine(text: str | EngineSpec) -> EngineSpec:
    """Reads a spec. Raises `SpecError`, which says what is allowed, when it cannot be understood."""
    if isinstance(text, EngineSpec):
        return text
    if not isinstance(text, str):
        raise SpecError(f"an engine spec must be text such as 'uct(c=0.4)', not {shown(text)}")
    if len(text) > MAX_SPEC_LENGTH or not text.isascii():
        raise SpecError(f"an engine spec is plain text of at most {MAX_SPEC_LENGTH} characters, not {shown(text)}")
    if not text.strip():
        raise SpecError("the engine spec is empty: write at least one part, for example 'uct'")
    chosen: dict[str, PartChoice] = {}
    for piece in _split(text, "+", text):
        choice = _parse_part(piece.strip(), text)
        slot = choice.part.slot
        if slot in chosen:
            first, second = chosen[slot].part.name, choice.part.name
            what = f"{first} is given twice" if first == second else f"{first} and {second} are both {slot} rules"
            raise SpecError(f"{what} in {shown(text)}: at most one part for each slot")
        chosen[slot] = choice
    return EngineSpec(tuple(chosen.get(slot) or _default_choice(slot) for slot in SLOTS))


def _split(text: str, separator: str, whole: str) -> list[str]:
    """Splits at a separator outside parentheses."""
    pieces, depth = [""], 0
    for symbol in text:
        depth += (symbol == "(") - (symbol == ")")
        if depth not in (0, 1):
            raise SpecError(f"the parentheses in {shown(whole)} do not match")
        if symbol == separator and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += symbol
    if depth:
        raise SpecError(f"a parenthesis in {shown(whole)} is never closed")
    return pieces


def _parse_part(piece: str, whole: str) -> PartChoice:
    if not piece:
        raise SpecError(f"an empty part in {shown(whole)}: a name must stand on both sides of every '+'")
    head, parenthesis, rest = piece.partition("(")
    name, equals, value = (word.strip() for word in head.partition("="))
    part = _BY_NAME.get(name.lower())
    if part is None:
        known = ", ".join(_BY_NAME)
        raise SpecError(f"unknown part {shown(name)} in {shown(whole)}; known are {known}{suggestion(name, _BY_NAME)}")
    if part.value is not None:
        if parenthesis or not equals:
            raise SpecError(f"{part.name} is written {part.usage()}, not {shown(piece)}")
        return _choose(part, {part.name: _parse_value(part.value, value, part)})
    if equals or (parenthesis and not rest.rstrip().endswith(")")):
        raise SpecError(f"{part.name} is written {part.usage()}, not {shown(piece)}")
    return _choose(part, _parse_arguments(part, rest.rstrip()[:-1]) if parenthesis else {})


def _parse_arguments(part: Part, text: str) -> dict[str, Value]:
    by_name = {parameter.name: parameter for parameter in part.parameters}
    given: dict[str, Value] = {}
    for argument in text.split(",") if text.strip() else []:
        name, equals, value = (word.strip() for word in argument.partition("="))
        name = name.lower()
        parameter = by_name.get(name)
        if parameter is None:
            known = f"has {', '.join(by_name)}" if by_name else "has none"
            raise SpecError(f"{part.name} has no parameter {shown(name)}; it {known}{suggestion(name, by_name)}")
        if name in given:
            raise SpecError(f"{name} is given twice in {shown(text)}")
        if parameter.type is bool and not equals:
            given[name] = True
        elif not equals:
            raise SpecError(f"{name} of {part.name} needs a value: write {name}=..., {parameter.allowed()}")
        else:
            given[name] = _parse_value(parameter, value, part)
        _check_group(part, parameter, given)
    return given


def _check_group(part: Part, parameter: Parameter, given: Mapping[str, Value]) -> None:
    rivals = [p.name for p in part.parameters if p.group is not None and p.group == parameter.group and p.name in given]
    if len(rivals) > 1:
        raise SpecError(f"{part.name} takes only one of {' and '.join(rivals)}: they exclude each other")


def _parse_value(parameter: Parameter, text: str, part: Part) -> Value:
    where = parameter.name if part.value is not None else f"{parameter.name} of {part.name}"
    error = SpecError(f"{where} must be {parameter.allowed()}, not {shown(text)}")
    if parameter.type is bool:
        raise error
    if parameter.type is str:
        word = text.lower()
        if parameter.choices and word not in parameter.choices:
            raise SpecError(f"{error}{suggestion(word, parameter.choices)}")
        return word
    if "_" in text:
        raise error
    try:
        number = int(text) if parameter.type is int else float(text)
    except ValueError:
        raise error from None
    if math.isnan(number) or not parameter.low <= number <= parameter.high:
        raise error
    return number + 0.0 if parameter.type is float else number  # -0.0 would be another text for the same engine


def _format_value(value: Value | None) -> str:
    return str(value)


# ---- help


def engine_table() -> list[tuple[str, str, str]]:
    """Slot, usage and one-line description of every part and, indented below it, of its parameters."""
    rows = []
    for part in PARTS:
        default = " (default)" if _DEFAULTS[part.slot] is part and part.value is None else ""
        usage = part.usage()
        if part.value is not None and part.value.choices:
            default = f" (default {part.value.default})"
        rows.append((part.slot, usage, part.doc + default))
        rows += [
            ("", f"  {_usage(parameter)}", f"{parameter.doc}; {parameter.allowed()}") for parameter in part.parameters
        ]
    return rows


def engine_help() -> str:
    """The whole language on one screen, made from the table."""
    width = max(len(usage) for _, usage, _ in engine_table())
    lines = ["An engine is written as parts joined by '+', in any order, at most one for each slot,"]
    lines += ["for example uct(c=0.4)+final=value. A missing slot has its default.", ""]
    slot_width = max(len(slot) for slot, _, _ in engine_table())
    lines += [f"{slot:<{slot_width}} {usage:<{width}}  {doc}" for slot, usage, doc in engine_table()]
    return "\n".join(lines)
