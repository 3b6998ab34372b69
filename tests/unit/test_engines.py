"""The engine-spec language."""

from __future__ import annotations

import contextlib
import math
import pickle
import re

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from tesuji.engine_parts import PARTS, Parameter
from tesuji.engines import (
    SLOTS,
    EngineSpec,
    engine_help,
    parse_engine,
)
from tesuji.errors import SpecError

ALL_DEFAULTS = (
    "uct(c=1.0,fpu=inf)+mean+playout=uniform+playout-cap=20000+final=visits+expand=1+moves=sensible"
    "+parallel=lock-free+virtual-loss=1"
)


def parameter_values(parameter: Parameter) -> st.SearchStrategy[str]:
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.type is int:
        return st.integers(int(parameter.low), int(parameter.high)).map(str)
    low, high = parameter.low, None if math.isinf(parameter.high) else parameter.high
    return st.floats(low, high, allow_nan=False, exclude_min=parameter.above_low).map(repr)


@st.composite
def specs(draw: st.DrawFn) -> str:
    """Any spec that the table allows: some slots, some parameters, any order, spaces, upper case."""
    pieces = []
    for slot in draw(st.lists(st.sampled_from(SLOTS), min_size=1, unique=True)):
        part = draw(st.sampled_from([part for part in PARTS if part.slot == slot]))
        if part.value is not None:
            pieces.append(f"{part.name}={draw(parameter_values(part.value))}")
            continue
        parameters = st.sampled_from(part.parameters) if part.parameters else st.nothing()
        given_parameters = draw(st.lists(parameters, unique_by=lambda p: p.group or p.name))
        arguments = [p.name if p.type is bool else f"{p.name} = {draw(parameter_values(p))}" for p in given_parameters]
        pieces.append(f"{part.name}( {', '.join(arguments)} )" if arguments else part.name)
    text = " + ".join(pieces)
    return text.upper() if draw(st.booleans()) else text


@given(specs())
def test_canonical_texts_read_back_as_the_same_engine(text: str) -> None:
    try:
        spec = parse_engine(text)
    except SpecError as error:
        # Parts that do not go together, which the table does not say.
        apart = "(alpha|beta) of bias|bast goes by its bounds alone|final-weight weighs|conditioning of semeai looks"
        if not re.match(apart, str(error)):
            raise
        reject()
    assert parse_engine(str(spec)) == spec
    assert parse_engine(spec.full()) == spec
    assert str(parse_engine(str(spec))) == str(spec)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert hash(parse_engine(spec.full())) == hash(spec)
    optional = {part.slot for part in PARTS if part.optional}
    assert [slot for slot in spec.slots if slot not in optional] == [slot for slot in SLOTS if slot not in optional]
    assert list(spec.slots) == [slot for slot in SLOTS if slot in spec.slots]


def test_an_engine_is_shown_in_a_few_words() -> None:
    assert repr(parse_engine("uct(c=0.5)+final=value")) == "EngineSpec('uct(c=0.5)+final=value')"


def test_missing_slots_have_their_defaults() -> None:
    assert parse_engine("uct") == parse_engine("final=visits") == parse_engine(ALL_DEFAULTS)
    assert parse_engine("uct").full() == ALL_DEFAULTS
    assert str(parse_engine("expand=1+mean")) == "uct"


def test_order_is_free_and_said_only_where_it_differs() -> None:
    spec = parse_engine(" final = value + UCT( fpu=2 , c=0.40 ) ")
    assert str(spec) == "uct(c=0.4,fpu=2.0)+final=value"
    assert parse_engine(spec) is spec
    assert str(parse_engine("ucb-tuned2(outside)")) == "ucb-tuned2(outside)"


def test_parameters_reach_the_native_search() -> None:
    parameters = parse_engine("uct(c=0.25,fpu=1.5)+final=value+expand=7").to_parameters()
    assert (parameters.selection, parameters.c, parameters.fpu) == ("uct", 0.25, 1.5)
    assert (parameters.final, parameters.expand, parameters.backup) == ("value", 7, "mean")
    assert parse_engine("uct+accelerated").to_parameters().decay == pytest.approx(0.9999)
    assert parse_engine("discounted(k=2)").to_parameters().decay == pytest.approx(0.99)
    assert parse_engine("accelerated(decay=1)").to_parameters().decay == 1.0
    assert parse_engine("uct").to_parameters().decay == 1.0
    automatic = parse_engine("accelerated(auto)").to_parameters()
    assert (automatic.automatic_decay, automatic.decay) == (True, 1.0)
    assert not parse_engine("accelerated").to_parameters().automatic_decay
    mix = parse_engine("mix(q=0.25,m=7)+solver").to_parameters()
    assert (mix.backup, mix.mix_q, mix.mix_m, mix.solver) == ("mix", 0.25, 7.0, True)
    assert [parse_engine(f"max{given}").to_parameters().evaluation for given in ("", "(discs)", "(mobility)")] == [
        "",
        "discs",
        "mobility",
    ]
    bast = parse_engine("bast(delta=2,gamma=0.25,b=0.5)").to_parameters()
    assert (bast.selection, bast.bast_delta, bast.bast_gamma, bast.bast_b) == ("bast", 2.0, 0.25, 0.5)
    assert not parse_engine("uct").to_parameters().solver
    threads = [parse_engine(text).to_parameters() for text in ("uct", "parallel=mutex+virtual-loss=0", "parallel=root")]
    assert [(p.parallel, p.virtual_loss) for p in threads] == [("lock-free", 1), ("mutex", 0), ("root", 1)]
    tuned = parse_engine("ucb-tuned2(outside)").to_parameters()
    assert (tuned.selection, tuned.term_outside, tuned.fpu) == ("ucb-tuned2", True, math.inf)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty"]),
        ("   ", ["empty"]),
        ("uct+", ["empty part"]),
        ("+uct", ["empty part"]),
        ("utc", ["unknown part 'utc'", "known are uct", "did you mean 'uct'"]),
        ("rav", ["unknown part 'rav'", "ucb-tuned1", "did you mean 'rave'"]),
        ("rave(initial=-1)", ["initial of rave", "from 0 to"]),
        ("rave(final=0)", ["final of rave", "a number above 0"]),
        ("rave+amaf", ["rave and amaf are both rave rules"]),
        ("amaf(k=10,b=0.1)", ["only one of k and b"]),
        ("amaf(k=inf)", ["k of amaf must be a number above 0, at most 1000000000.0"]),
        ("widening(mu=1)", ["mu of widening", "a number above 1", "'1'"]),
        ("widening(mu=0.5)", ["a number above 1"]),
        ("bias+bias-huang", ["bias and bias-huang are both bias rules"]),
        ("bast+rave", ["bast goes by its bounds alone", "rave"]),
        ("widening+bast", ["bast goes by its bounds alone", "widening"]),
        ("bias(k=0)", ["k of bias", "a number above 0"]),
        ("rave+bias-chaslot(beta=0.5)", ["beta of bias-chaslot needs an alpha"]),
        ("bias-huang(alpha=0.5)", ["alpha of bias-huang", "add rave or amaf"]),
        ("uct(d=1)", ["no parameter 'd'", "c, fpu"]),
        ("mean(k=1)", ["no parameter 'k'", "none"]),
        ("uct(c=-1)", ["c of uct", "from 0 to 1000", "'-1'"]),
        ("uct(c=nan)", ["from 0 to 1000", "'nan'"]),
        ("uct(c=inf)", ["from 0 to 1000"]),
        ("uct(c=much)", ["a number", "'much'"]),
        ("uct(c=)", ["a number"]),
        ("uct(0.4)", ["no parameter '0.4'"]),
        ("uct(c)", ["needs a value", "c="]),
        ("uct(c=1,c=2)", ["c is given twice"]),
        ("uct(c=1,)", ["no parameter ''"]),
        ("uct(c=1", ["never closed"]),
        ("uct)c=1(", ["do not match"]),
        ("uct((c=1))", ["do not match"]),
        ("uct(c=1)x", ["written uct(c=1.0,fpu=inf)"]),
        ("uct=1", ["written uct(c=1.0,fpu=inf)"]),
        ("uct+ucb-tuned1", ["uct and ucb-tuned1 are both selection rules"]),
        ("final=value+final=visits", ["final is given twice"]),
        ("final", ["written final=visits|value|lcb|balanced"]),
        ("final(value)", ["written final=visits|value|lcb|balanced"]),
        ("final-weight=2", ["of final=balanced: write both, or neither"]),
        ("final=value+final-weight=2", ["of final=balanced: write both, or neither"]),
        ("final=visit", ["one of visits, value, lcb, balanced", "did you mean 'visits'"]),
        ("expand=0", ["an integer from 1", "'0'"]),
        ("parallel", ["written parallel=lock-free|mutex|root"]),
        ("parallel=lockfree", ["one of lock-free, mutex, root", "did you mean 'lock-free'"]),
        ("parallel=root+parallel=mutex", ["parallel is given twice"]),
        ("virtual-loss=-1", ["virtual-loss must be an integer from 0 to 1000", "'-1'"]),
        ("virtual-loss=1001", ["an integer from 0 to 1000", "'1001'"]),
        ("virtual-loss=0.5", ["an integer from 0 to 1000"]),
        ("accelerated(k=0)", ["k of accelerated", "an integer from 1 to 9", "'0'"]),
        ("accelerated(k=2.5)", ["k of accelerated", "an integer from 1 to 9"]),
        ("discounted(decay=1.5)", ["decay of discounted", "a number from 0.001 to 1", "'1.5'"]),
        ("discounted(decay=0)", ["a number from 0.001 to 1"]),
        ("accelerated(k=3,decay=0.9)", ["only one of k and decay"]),
        ("accelerated(auto,k=3)", ["only one of k and auto"]),
        ("accelerated(decay=0.9,auto)", ["only one of decay and auto"]),
        ("accelerated(auto=1)", ["write auto alone"]),
        ("discounted(auto)", ["no parameter 'auto'", "k, decay"]),
        ("accelerated(4)", ["no parameter '4'", "k, decay, auto"]),
        ("accelerated+discounted", ["accelerated and discounted are both backup rules"]),
        ("mix(q=1.5)", ["q of mix", "a number from 0 to 1", "'1.5'"]),
        ("mix(q=-0.1)", ["q of mix", "a number from 0 to 1"]),
        ("mix(m=-1)", ["m of mix", "a number from 0 to"]),
        ("mix(0.5)", ["no parameter '0.5'", "q, m"]),
        ("mix+max(discs)", ["mix and max are both backup rules"]),
        ("max(discs,mobility)", ["only one of discs and mobility"]),
        ("max(disks)", ["no parameter 'disks'", "discs, mobility", "did you mean 'discs'"]),
        ("max(discs=1)", ["write discs alone"]),
        ("solver(k=1)", ["no parameter 'k'", "none"]),
        ("solver+solver", ["solver is given twice"]),
        ("bast+uct", ["bast and uct are both selection rules"]),
        ("bast(gamma=1.5)", ["gamma of bast", "a number from 0 to 1"]),
        ("bast(b=0)", ["b of bast", "'0'"]),
        ("bast(delta=-1)", ["delta of bast", "a number from 0 to 1000"]),
        ("uct+acelerated", ["unknown part 'acelerated'", "did you mean 'accelerated'"]),
        ("expand=1.5", ["an integer"]),
        ("ucb-tuned2(outside=1)", ["write outside alone"]),
    ],
)
def test_errors_say_what_is_allowed(text: str, words: list[str]) -> None:
    with pytest.raises(SpecError) as caught:
        parse_engine(text)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("value", [None, 3, b"uct", ["uct"]])
def test_only_text_is_a_spec(value: object) -> None:
    with pytest.raises(SpecError, match="must be text"):
        parse_engine(value)  # type: ignore[arg-type]


@given(st.text(alphabet="uctmean=+(),.-1x ", max_size=30))
def test_any_text_is_a_spec_or_a_spec_error(text: str) -> None:
    with contextlib.suppress(SpecError):
        assert isinstance(parse_engine(text), EngineSpec)


def test_backup_rules_with_a_decay() -> None:
    assert parse_engine("accelerated(k=4)") == parse_engine("uct(c=1.0)+accelerated")
    assert str(parse_engine("accelerated(k=3)+uct(c=0.4)")) == "uct(c=0.4)+accelerated(k=3)"
    assert str(parse_engine("discounted(decay=0.5)")) == "uct+discounted(decay=0.5)"
    assert str(parse_engine("accelerated(k=3)").with_value("decay", 0.5)) == "uct+accelerated(decay=0.5)"
    assert str(parse_engine("accelerated(auto)").with_value("k", 2)) == "uct+accelerated(k=2)"
    automatic = parse_engine("uct(c=0.4)+accelerated( AUTO )")
    assert str(automatic) == "uct(c=0.4)+accelerated(auto)"
    assert "+accelerated(auto)+" in automatic.full()


def test_beside_rave_there_is_no_exploration_unless_it_is_asked_for() -> None:
    assert parse_engine("rave").to_parameters().c == 0
    assert str(parse_engine("rave")) == str(parse_engine("uct(c=0)+rave")) == "uct+rave"
    assert parse_engine("uct(c=1.0)+amaf").to_parameters().c == 1
    assert str(parse_engine("uct(c=1.0)+amaf")) == "uct(c=1.0)+amaf"
    assert str(parse_engine("rave").with_value("uct.c", 1.0)) == "uct(c=1.0)+rave"
    assert parse_engine("widening+bias").to_parameters().c == 1


def test_the_help_has_every_part_and_parameter() -> None:
    text = engine_help()
    for part in PARTS:
        assert part.usage() in text
        assert part.doc in text
        for parameter in part.parameters:
            assert parameter.doc in text


@pytest.mark.parametrize("text", ["a" * 10**6, "uct(" + "x" * 10**6 + ")", "uct(" + "c=1," * 10**5 + ")", "()" * 10**5])
def test_a_long_spec_is_refused_at_once_and_in_one_line(text: str) -> None:
    with pytest.raises(SpecError) as error:
        parse_engine(text)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("text", ["uct(c=\uff11)", "expand=1_000", "uct(c=1_0)"])
def test_numbers_are_plain(text: str) -> None:
    with pytest.raises(SpecError):
        parse_engine(text)
