"""The table of all parts of engine specs, with their parameters, defaults and ranges."""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import dataclass
from typing import Final

Value = float | int | bool | str


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of a part.

    A `bool` is a flag, switched on by its bare name. Of the parameters with the same `group` at most one may be given.
    A default of None means that the parameter is off unless given. Beside a part of the slot `beside` the default is
    another one.
    """

    name: str
    type: type[float | int | bool | str]
    default: Value | None
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    others: str = ""  # what other name than those it may be, in words
    above_low: bool = False  # the lowest value itself is not allowed
    group: str | None = None
    beside: tuple[str, Value] | None = None
    doc: str = ""

    def default_among(self, slots: Container[str]) -> Value | None:
        return self.beside[1] if self.beside is not None and self.beside[0] in slots else self.default

    def usage(self) -> str:
        """How the parameter is written, with its default."""
        if self.type is bool:
            return self.name
        return f"{self.name}={'...' if self.default is None else self.default}"

    def allowed(self) -> str:
        """What the parameter accepts, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices) + (f", or {self.others}" if self.others else "")
        if self.type is bool:
            return f"a flag: write {self.name} alone"
        kind = "an integer" if self.type is int else "a number"
        if self.above_low:
            return f"{kind} above {self.low}" + ("" if math.isinf(self.high) else f", at most {self.high}")
        if math.isinf(self.high):
            return f"{kind} of at least {self.low}"
        return f"{kind} from {self.low} to {self.high}"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One row of the table. With `value` the part is written `name=value`, otherwise `name(parameters)`.

    A slot whose parts are `optional` is empty unless one of them is named.
    """

    name: str
    slot: str
    doc: str
    optional: bool = False
    parameters: tuple[Parameter, ...] = ()
    value: Parameter | None = None

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        return self.parameters if self.value is None else (self.value,)

    def usage(self) -> str:
        """How the part is written, with its defaults."""
        if self.value is not None:
            choices = "|".join(self.value.choices)
            return f"{self.name}={choices or self.value.default}"
        arguments = ",".join(
            parameter.usage() for parameter in self.parameters if parameter.default not in (None, False)
        )
        return f"{self.name}({arguments})" if arguments else self.name


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

_RAVE_OPTIONS = (
    Parameter(name="distance", type=bool, default=False, doc="moves count for more the sooner they came"),
    Parameter(name="check", type=bool, default=False, doc="a move that an opponent made first does not count"),
    Parameter(
        name="skip",
        type=int,
        default=0,
        low=0,
        high=1_000_000,
        doc="every so many-th selection at a node does without RAVE (Fuego has 20); 0 is never",
    ),
)

_BIAS_ALPHA = Parameter(
    name="alpha",
    type=float,
    default=None,
    low=0,
    high=1,
    doc="weight of the value; without it the rest of RAVE's",
)

_AUTO = Parameter(
    name="auto",
    type=bool,
    default=None,
    group="decay",
    doc="the decay follows from the tree: the longer the search and the more moves, the longer the memory",
)

#: Every part there is. The first of a slot is its default, unless the slot is optional.
PARTS: Final[tuple[Part, ...]] = (
    Part(
        name="uct",
        slot="selection",
        doc="UCB1: value + c sqrt(ln s / n)",
        parameters=(
            Parameter(
                name="c",
                type=float,
                default=1.0,
                low=0,
                high=1000,
                beside=("rave", 0.0),
                doc="weight of the exploration term; by default 0 beside rave and amaf",
            ),
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
        doc="value + c P sqrt(s) / (1 + n), where a model or an evaluator gives the prior P (else all have the same)",
        parameters=(
            Parameter(name="c", type=float, default=1.25, low=0, high=1000, doc="weight of the prior's term"),
            Parameter(
                name="even",
                type=float,
                default=0.0,
                low=0,
                high=1,
                doc="so much of the prior is spread evenly: a move that looks absurd is tried in time",
            ),
        ),
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
        parameters=(*_DECAY, _AUTO),
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
    Part(
        name="rave",
        slot="rave",
        optional=True,
        doc="mixes values with those of playouts in which the move came later, by the visits of both",
        parameters=(
            Parameter(name="initial", type=float, default=1.0, low=0, high=1e6, doc="weight of a first RAVE visit"),
            Parameter(
                name="final",
                type=float,
                default=5000.0,
                low=0,
                above_low=True,
                doc="weight of very many RAVE visits",
            ),
            *_RAVE_OPTIONS,
        ),
    ),
    Part(
        name="amaf",
        slot="rave",
        optional=True,
        doc="the same mixture by a schedule: beta = sqrt(k / (3 s + k)), or m / (n + m + 4 n m b^2)",
        parameters=(
            Parameter(
                name="k",
                type=float,
                default=1000.0,
                low=0,
                high=1e9,
                above_low=True,
                group="schedule",
                doc="visits of the node until both values weigh the same",
            ),
            Parameter(name="b", type=float, default=None, low=0, high=1, group="schedule", doc="bias of a RAVE value"),
            *_RAVE_OPTIONS,
        ),
    ),
    Part(
        name="widening",
        slot="widening",
        optional=True,
        doc="considers only the 1 + ln n / ln mu moves of the highest prior",
        parameters=(
            Parameter(name="mu", type=float, default=1.8, low=1, high=1e6, above_low=True, doc="how slowly it widens"),
        ),
    ),
    Part(
        name="bias",
        slot="bias",
        optional=True,
        doc="adds c sqrt(k / (s + k)) P, where a model or an evaluator gives the prior P (else all have the same)",
        parameters=(
            Parameter(name="c", type=float, default=0.6, low=0, high=1000, doc="weight of the bias"),
            Parameter(
                name="k",
                type=float,
                default=600.0,
                low=0,
                above_low=True,
                doc="visits of the node at which the bias has fallen to 0.7 of what it was; inf for one that stays",
            ),
        ),
    ),
    Part(
        name="bias-chaslot",
        slot="bias",
        optional=True,
        doc="alpha value + beta RAVE value + (gamma + c / ln(2 + n)) P",
        parameters=(
            Parameter(name="c", type=float, default=0.5, low=0, high=1000, doc="weight of the part that fades"),
            Parameter(name="gamma", type=float, default=0.0, low=0, high=1000, doc="weight of the part that stays"),
            _BIAS_ALPHA,
            Parameter(
                name="beta",
                type=float,
                default=None,
                low=0,
                high=1,
                doc="weight of the RAVE value beside alpha, 0 if not given; without alpha it is RAVE's own",
            ),
        ),
    ),
    Part(
        name="bias-huang",
        slot="bias",
        optional=True,
        doc="alpha (value + exploration) + (1 - alpha) RAVE value + c P / s",
        parameters=(
            Parameter(name="c", type=float, default=10.0, low=0, high=1e6, doc="weight of the bias"),
            _BIAS_ALPHA,
        ),
    ),
    Part(
        name="prior",
        slot="prior",
        optional=True,
        doc="what the game's knowledge says of a move counts as visits before the first one (in Go; with rave or amaf "
        "as RAVE visits)",
        parameters=(
            Parameter(
                name="weight",
                type=float,
                default=1.0,
                low=0,
                high=1000,
                above_low=True,
                doc="how many visits, as a multiple of those that suit 9x9",
            ),
        ),
    ),
    Part(
        name="model",
        slot="model",
        optional=True,
        doc="a model learned from records gives the prior P of each move, for bias, widening and puct",
        value=Parameter(
            name="model",
            type=str,
            default="go9",
            choices=("go9", "go19", "othello", "havannah"),
            others="the name of one in the folder TESUJI_MODELS, in small letters",
        ),
    ),
    Part(
        name="solver",
        slot="solver",
        optional=True,
        doc="wins, draws and losses are proven where the game's end is in sight, and a proven root ends the search; "
        "for games of one or two players",
    ),
    Part(
        name="semeai",
        slot="semeai",
        optional=True,
        doc="what a solver knows of capturing races at the root (in Go, or a solver of your own); without expertise, "
        "conditioning or settle it is the first and the last of them",
        parameters=(
            Parameter(name="expertise", type=bool, default=False, doc="virtual wins for the moves a race needs"),
            Parameter(name="conditioning", type=bool, default=False, doc="playouts with another outcome are made anew"),
            Parameter(
                name="settle", type=bool, default=False, doc="races are decided on the board before the playout begins"
            ),
            Parameter(
                name="weight", type=float, default=50.0, low=0, high=100_000, above_low=True, doc="the virtual wins"
            ),
            Parameter(
                name="retries", type=int, default=20, low=1, high=1000, doc="how often a playout is made anew at most"
            ),
            Parameter(
                name="positions",
                type=int,
                default=5000,
                low=1,
                high=10**9,
                doc="what the solver may look at for a race",
            ),
            Parameter(
                name="effort",
                type=int,
                default=10,
                low=1,
                high=10**6,
                doc="what it may look at in the tree, for each question on the average",
            ),
            Parameter(name="stones", type=int, default=3, low=1, high=361, doc="what a chain has at least in a race"),
            Parameter(name="life", type=bool, default=False, doc="chains that race against none are looked at, too"),
        ),
    ),
    Part(
        name="playout",
        slot="playout",
        doc="how games are played out from a leaf: at random, or (in Go and Havannah) by answers to the last move such "
        "as captures, escapes and patterns, or with moves drawn by a model's P, or by that where no answer is urgent; "
        "both: each playout by answers or by the model",
        value=Parameter(
            name="playout",
            type=str,
            default="uniform",
            choices=("uniform", "knowledge", "bradley-terry", "mixed", "both"),
        ),
    ),
    Part(
        name="playout-temperature",
        slot="playout-temperature",
        optional=True,
        doc="bradley-terry, mixed and both draw a move with P^(1 / temperature); 1 if not given",
        value=Parameter(name="playout-temperature", type=float, default=1.0, low=0.05, high=1000),
    ),
    Part(
        name="mercy",
        slot="mercy",
        optional=True,
        doc="playouts that know Go end when one player has more stones than the other by this share of the board's "
        "points, and by the komi given; 0, as if not given, for playouts to the end",
        value=Parameter(name="mercy", type=float, default=0.2, low=0, high=1),
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
        "(with the selection rule's c, or 1), or of the best sum of value and share of visits",
        value=Parameter(name="final", type=str, default="visits", choices=("visits", "value", "lcb", "balanced")),
    ),
    Part(
        name="final-weight",
        slot="final-weight",
        optional=True,
        doc="final=balanced: what the share of visits counts beside the value; 1 if not given",
        value=Parameter(name="final-weight", type=float, default=1.0, low=0, high=1000),
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
    Part(
        name="parallel",
        slot="parallel",
        doc="how several threads work together: on one tree without locks, on one tree with mutexes, or each on a tree "
        "of its own, whose visits at the root are added up",
        value=Parameter(name="parallel", type=str, default="lock-free", choices=("lock-free", "mutex", "root")),
    ),
    Part(
        name="virtual-loss",
        slot="virtual-loss",
        doc="until a playout ends it counts as so many lost visits on its path, so that other threads look elsewhere",
        value=Parameter(name="virtual-loss", type=int, default=1, low=0, high=1000),
    ),
)
