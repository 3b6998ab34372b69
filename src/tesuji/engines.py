"""The engine-spec language: `uct(c=0.4)+final=value`.

A spec is a list of parts joined by `+`, in any order, at most one for each slot; a missing slot has its default.
`best` stands for the engine that is known to be the strongest on a board (best_engines.py); parts beside it replace
its own. `PARTS` (engine_parts.py) lists every part, parameter, default and range. The parser, the errors and the help
are all made from it: a new rule needs a row there, and a line in `to_parameters` for each parameter that the core has
not met before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tesuji import _core
from tesuji.best_engines import BEST, BEST_ENGINES, best_engine
from tesuji.engine_parts import PARTS, Parameter, Part, Value
from tesuji.errors import SpecError, shown, suggestion

MAX_SPEC_LENGTH = 1000

SLOTS: Final = tuple(dict.fromkeys(part.slot for part in PARTS))
_BY_NAME: Final = {part.name: part for part in PARTS}
_DEFAULTS: Final = {part.slot: part for part in reversed(PARTS) if not part.optional}


@dataclass(frozen=True)
class PartChoice:
    """A part with the values of all its parameters, in the order of the table."""

    part: Part
    values: tuple[tuple[str, Value | None], ...]

    def value(self, name: str) -> Value | None:
        """The value of a parameter, None where it is off or the part has no such parameter."""
        return dict(self.values).get(name)

    def text(self, slots: Container[str], *, full: bool = False) -> str:
        """The part as it is written beside others: parameters at their defaults only with `full`."""
        if self.part.value is not None:
            return f"{self.part.name}={self.value(self.part.name)}"
        arguments = []
        for parameter in self.part.parameters:
            value = self.value(parameter.name)
            if value is None or value is False or (value == parameter.default_among(slots) and not full):
                continue
            arguments.append(parameter.name if value is True else f"{parameter.name}={value}")
        return f"{self.part.name}({','.join(arguments)})" if arguments else self.part.name


@dataclass(frozen=True)
class EngineSpec:
    """An engine: one part for every slot, at most one where the slot is optional.

    `str()` is the shortest text that means the same, `full()` spells it out.
    """

    choices: tuple[PartChoice, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return parse_engine, (self.full(),)

    def __repr__(self) -> str:
        return f"EngineSpec({str(self)!r})"

    def __str__(self) -> str:
        parts = [choice.text(self.slots) for choice in self.choices if _is_worth_saying(choice, self.slots)]
        return "+".join(parts)

    def full(self) -> str:
        return "+".join(choice.text(self.slots, full=True) for choice in self.choices)

    @property
    def slots(self) -> tuple[str, ...]:
        return tuple(choice.part.slot for choice in self.choices)

    def choice(self, slot: str) -> PartChoice:
        return next(choice for choice in self.choices if choice.part.slot == slot)

    def find(self, slot: str) -> PartChoice | None:
        """The part of an optional slot, where there is one."""
        return next((choice for choice in self.choices if choice.part.slot == slot), None)

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
        choice = _choose(part, {**kept, parameter.name: checked}, self.slots)
        return EngineSpec(tuple(choice if old.part is part else old for old in self.choices))

    def with_word(self, name: str, word: str) -> EngineSpec:
        """The same engine with another word for a part such as `model` or `final`, which it need not have yet."""
        kept = [choice.text(self.slots, full=True) for choice in self.choices if choice.part.name != name]
        return parse_engine("+".join([*kept, f"{name}={word}"]))

    def to_parameters(self) -> _core.Parameters:
        """The same for the native search."""
        selection = self.choice("selection")
        parameters = _core.Parameters()
        parameters.selection = selection.part.name
        parameters.c = _number(selection.value("c") or 0.0)
        parameters.lcb_c = parameters.c or 1.0
        parameters.prior_even = _number(selection.value("even") or 0.0)
        parameters.fpu = _number(selection.value("fpu") or 0.0)
        parameters.term_outside = bool(selection.value("outside"))
        if selection.part.name == "bast":
            parameters.bast_delta = _number(selection.value("delta"))
            parameters.bast_gamma = _number(selection.value("gamma"))
            parameters.bast_b = _number(selection.value("b"))
        backup = self.choice("backup")
        parameters.backup = backup.part.name
        parameters.decay = _decay(backup)
        parameters.automatic_decay = bool(backup.value("auto"))
        parameters.mix_q = _number(backup.value("q") or 0.0)
        parameters.mix_m = _number(backup.value("m") or 0.0)
        parameters.evaluation = _evaluation(backup)
        parameters.solver = self.find("solver") is not None
        parameters.expand = int(_number(self.choice("expand").value("expand")))
        parameters.final = str(self.choice("final").value("final"))
        if weight := self.find("final-weight"):
            parameters.final_weight = _number(weight.value("final-weight"))
        parameters.playout = str(self.choice("playout").value("playout"))
        if temperature := self.find("playout-temperature"):
            parameters.playout_temperature = _number(temperature.value("playout-temperature"))
        if mercy := self.find("mercy"):
            parameters.playout_mercy = _number(mercy.value("mercy"))
        parameters.playout_cap = int(_number(self.choice("playout-cap").value("playout-cap")))
        parameters.all_moves = self.choice("moves").value("moves") == "legal"
        parameters.parallel = str(self.choice("parallel").value("parallel"))
        parameters.virtual_loss = int(_number(self.choice("virtual-loss").value("virtual-loss")))
        _set_rave(parameters, self.find("rave"))
        _set_bias(parameters, self.find("bias"))
        if prior := self.find("prior"):
            parameters.prior_weight = _number(prior.value("weight"))
        if widening := self.find("widening"):
            parameters.widening_mu = _number(widening.value("mu"))
        _set_semeai(parameters, self.find("semeai"))
        return parameters


def _set_semeai(parameters: _core.Parameters, semeai: PartChoice | None) -> None:
    if semeai is None:
        return
    is_plain = not any(semeai.value(name) for name in ("expertise", "conditioning", "settle"))
    if is_plain or semeai.value("expertise"):
        parameters.semeai_weight = _number(semeai.value("weight"))
    if semeai.value("conditioning"):
        parameters.semeai_retries = int(_number(semeai.value("retries")))
    parameters.semeai_settles = is_plain or bool(semeai.value("settle"))
    parameters.semeai_positions = int(_number(semeai.value("positions")))
    parameters.semeai_effort = int(_number(semeai.value("effort")))
    parameters.semeai_stones = int(_number(semeai.value("stones")))
    parameters.semeai_life = bool(semeai.value("life"))


def _set_rave(parameters: _core.Parameters, rave: PartChoice | None) -> None:
    if rave is None:
        return
    if rave.part.name == "rave":
        parameters.rave = "rave"
        parameters.rave_initial = _number(rave.value("initial"))
        parameters.rave_final = _number(rave.value("final"))
    elif (b := rave.value("b")) is not None:
        parameters.rave = "amaf-error"
        parameters.amaf_b = _number(b)
    else:
        parameters.rave = "amaf-schedule"
        parameters.amaf_k = _number(rave.value("k"))
    parameters.rave_distance = bool(rave.value("distance"))
    parameters.rave_check_same = bool(rave.value("check"))
    parameters.rave_skip = int(_number(rave.value("skip")))


def _set_bias(parameters: _core.Parameters, bias: PartChoice | None) -> None:
    if bias is None:
        return
    parameters.bias = {"bias": "bradley-terry", "bias-chaslot": "chaslot", "bias-huang": "huang"}[bias.part.name]
    parameters.bias_c = _number(bias.value("c"))
    parameters.bias_k = _number(bias.value("k") or 0.0)
    parameters.bias_gamma = _number(bias.value("gamma") or 0.0)
    if (alpha := bias.value("alpha")) is not None:
        parameters.bias_alpha = _number(alpha)
        parameters.bias_beta = _number(bias.value("beta") or 0.0)


def _decay(backup: PartChoice) -> float:
    """The lambda of the papers; 1 for a rule that does not forget, or that finds its own."""
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


def _is_worth_saying(choice: PartChoice, slots: Container[str]) -> bool:
    """The selection rule names the engine, so it is always said; the rest only where it is not the default."""
    slot = choice.part.slot
    return slot == "selection" or slot not in _DEFAULTS or choice != _choose(_DEFAULTS[slot], {}, slots)


def _choose(part: Part, given: Mapping[str, Value], slots: Container[str]) -> PartChoice:
    """Fills in the defaults. A parameter given replaces the default of the alternatives in its group."""
    groups = {p.group for p in part.all_parameters if p.group is not None and p.name in given}
    values = (
        (p.name, given.get(p.name, None if p.group in groups else p.default_among(slots))) for p in part.all_parameters
    )
    return PartChoice(part, tuple(values))


# ---- reading


def parse_engine(text: str | EngineSpec, *, position: Any = None) -> EngineSpec:
    """Reads a spec. Raises `SpecError`, which says what is allowed, when it cannot be understood.

    What `best` means depends on the game and the size of its board: it needs a position.
    """
    if isinstance(text, EngineSpec):
        return text
    if not isinstance(text, str):
        raise SpecError(f"an engine spec must be text such as 'uct(c=0.4)', not {shown(text)}")
    if len(text) > MAX_SPEC_LENGTH or not text.isascii():
        raise SpecError(f"an engine spec is plain text of at most {MAX_SPEC_LENGTH} characters, not {shown(text)}")
    if not text.strip():
        raise SpecError("the engine spec is empty: write at least one part, for example 'uct'")
    pieces = [piece.strip() for piece in _split(text, "+", text)]
    count = sum(piece.lower() == BEST for piece in pieces)
    if count > 1:
        raise SpecError(f"{BEST} is given twice in {shown(text)}")
    named = _parse_parts([piece for piece in pieces if piece.lower() != BEST], text)
    if count:
        best = _best_for(position, text)
        named = _parse_parts(best.split("+"), best) | named
    slots = [slot for slot in SLOTS if slot in named or slot in _DEFAULTS]
    spec = EngineSpec(tuple(_choose(*(named.get(slot) or (_DEFAULTS[slot], {})), slots) for slot in slots))
    _check_together(spec)
    return spec


def _parse_parts(pieces: Sequence[str], whole: str) -> dict[str, tuple[Part, Mapping[str, Value]]]:
    """The parts by their slots."""
    named: dict[str, tuple[Part, Mapping[str, Value]]] = {}
    for piece in pieces:
        part, given = _parse_part(piece, whole)
        if part.slot in named:
            first, second = named[part.slot][0].name, part.name
            what = f"{first} is given twice" if first == second else f"{first} and {second} are both {part.slot} rules"
            raise SpecError(f"{what} in {shown(whole)}: at most one part for each slot")
        named[part.slot] = part, given
    return named


def _best_for(position: Any, whole: str) -> str:
    if position is None:
        raise SpecError(f"{BEST} in {shown(whole)} is another engine in each game, and no game is known here")
    game = getattr(position, "game", type(position).__name__)  # a user's own position need not say
    return best_engine(game, getattr(position, "size", None))


def _check_together(spec: EngineSpec) -> None:
    """What no part can say alone."""
    bias = spec.find("bias")
    informed = [
        choice.part.name for slot in ("rave", "bias", "widening", "prior", "semeai") if (choice := spec.find(slot))
    ]
    if spec.choice("selection").part.name == "bast" and informed:
        raise SpecError(f"bast goes by its bounds alone: it cannot be combined with {informed[0]}")
    if spec.find("final-weight") and spec.choice("final").value("final") != "balanced":
        raise SpecError("final-weight weighs the visits of final=balanced: write both, or neither")
    mercy, semeai = spec.find("mercy"), spec.find("semeai")
    if mercy and mercy.value("mercy") and semeai and semeai.value("conditioning"):
        raise SpecError(
            "conditioning of semeai looks at the boards at which playouts end: mercy cannot end them before"
        )
    if bias is None or bias.part.name == "bias":
        return
    alpha, beta = bias.value("alpha"), bias.value("beta")
    if beta is not None and alpha is None:
        raise SpecError(f"beta of {bias.part.name} needs an alpha beside it: write both, or neither")
    if alpha is not None and spec.find("rave") is None:
        raise SpecError(f"alpha of {bias.part.name} weighs a value against RAVE's: add rave or amaf, or leave it out")


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


def _parse_part(piece: str, whole: str) -> tuple[Part, Mapping[str, Value]]:
    if not piece:
        raise SpecError(f"an empty part in {shown(whole)}: a name must stand on both sides of every '+'")
    head, parenthesis, rest = piece.partition("(")
    name, equals, value = (word.strip() for word in head.partition("="))
    part = _BY_NAME.get(name.lower())
    if part is None:
        if name.lower() == BEST:
            raise SpecError(f"{BEST} is written without parameters, not {shown(piece)}: add parts with '+'")
        known = [*_BY_NAME, BEST]
        listed = ", ".join(known)
        raise SpecError(f"unknown part {shown(name)} in {shown(whole)}; known are {listed}{suggestion(name, known)}")
    if part.value is not None:
        if parenthesis or not equals:
            raise SpecError(f"{part.name} is written {part.usage()}, not {shown(piece)}")
        return part, {part.name: _parse_value(part.value, value, part)}
    if equals or (parenthesis and not rest.rstrip().endswith(")")):
        raise SpecError(f"{part.name} is written {part.usage()}, not {shown(piece)}")
    return part, _parse_arguments(part, rest.rstrip()[:-1]) if parenthesis else {}


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
        is_other = bool(parameter.others and re.fullmatch("[a-z0-9][a-z0-9._-]*", text))
        if parameter.choices and word not in parameter.choices and not is_other:
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
    if parameter.above_low and number == parameter.low:
        raise error
    return number + 0.0 if parameter.type is float else number  # -0.0 would be another text for the same engine


# ---- help


def engine_table() -> list[tuple[str, str, str]]:
    """Slot, usage and one-line description of every part and, indented below it, of its parameters."""
    rows = []
    for part in PARTS:
        default = " (default)" if _DEFAULTS.get(part.slot) is part and part.value is None else ""
        usage = part.usage()
        if part.value is not None and part.value.choices:
            default = f" (default {part.value.default})"
        rows.append((part.slot, usage, part.doc + default))
        rows += [
            ("", f"  {parameter.usage()}", f"{parameter.doc}; {parameter.allowed()}") for parameter in part.parameters
        ]
    return rows


def engine_help() -> str:
    """The whole language on one screen, made from the table."""
    width = max(len(usage) for _, usage, _ in engine_table())
    lines = ["An engine is written as parts joined by '+', in any order, at most one for each slot,"]
    lines += ["for example uct(c=0.4)+final=value. A missing slot has its default.", ""]
    slot_width = max(len(slot) for slot, _, _ in engine_table())
    lines += [f"{slot:<{slot_width}} {usage:<{width}}  {doc}" for slot, usage, doc in engine_table()]
    lines += ["", f"{BEST} is the engine that is known to be the strongest; parts beside it replace its own:", ""]
    boards = [(game, size, text) for game, sizes in BEST_ENGINES.items() for size, text in sizes.items()]
    lines += [f"{game:<{slot_width}} {size:<{width}}  {text}" for game, size, text in boards]
    return "\n".join(lines)
