"""Live analysis: what boards ask for, and how they want to read it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tesuji.errors import shown
from tesuji.games.go import Go
from tesuji.gtp import protocol
from tesuji.gtp.protocol import GtpError
from tesuji.search import MoveStatistics, SearchResult

if TYPE_CHECKING:
    from tesuji.gtp.lead import ScoreLeads
    from tesuji.gtp.table import Table


@dataclass(frozen=True, kw_only=True)
class Style:
    """A way to write: shares as decimal fractions, else as whole numbers of ten thousand; and what else is told.

    `has_more` stands for what only KataGo tells: the utility, and on demand the root and the ownership.
    """

    is_decimal: bool = False
    has_lead: bool = False
    has_more: bool = False


#: Leela Zero's way, KataGo's, and Sabaki's: it takes shares of `analyze` for whole numbers, decimal point or not.
LZ: Final = Style()
KATA: Final = Style(is_decimal=True, has_lead=True, has_more=True)
SABAKI: Final = Style(has_lead=True)

_OWNERSHIP_PLAYOUTS: Final = 100
_PV_MOVES: Final = 20
# Of the most visited move's visits: with fewer than this a move is not listed, unless so many are asked for.
_LISTED_SHARE: Final = 0.02
_LCB_DEVIATIONS: Final = 1.96
_MAX_CENTISECONDS: Final = 100_000_000
# Asked for by some boards; what is not known here is left out of the answer.
_FLAGS: Final = (
    "ownership",
    "rootInfo",
    "pvVisits",
    "pvEdgeVisits",
    "movesOwnership",
    "ownershipStdev",
    "movesOwnershipStdev",
    "noResultValue",
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What an analysis is asked to show, and of whose turn."""

    player: int
    interval: float = 0.5
    min_moves: int = 0
    max_moves: int = 1000
    only: frozenset[int] | None = None
    without: frozenset[int] = frozenset()
    ownership: bool = False
    root: bool = False

    def permits(self, move: int) -> bool:
        return (self.only is None or move in self.only) and move not in self.without


def parse_request(arguments: Sequence[str], table: Table) -> Request:
    """`[colour] [interval] key value ...`, the interval in hundredths of a second."""
    words = list(arguments)
    names = table.position.players
    request = Request(player=table.position.to_move)
    if words and words[0].lower() in {text for name in names for text in (name.lower(), name[0].lower())}:
        request = replace(request, player=protocol.colour(words.pop(0), names))
    if words and words[0].isdigit():
        request = replace(request, interval=_interval(words.pop(0)))
    while words:
        key = words.pop(0)
        if key in ("avoid", "allow"):
            request = _restricted(request, key, _taken(words, 3, key), table)
        else:
            (value,) = _taken(words, 1, key)
            request = _with(request, key, value)
    return request


def _taken(words: list[str], count: int, key: str) -> list[str]:
    if len(words) < count:
        raise GtpError(f"syntax error: {shown(key)} wants {count} more words")
    taken = words[:count]
    del words[:count]
    return taken


def _interval(text: str) -> float:
    return protocol.integer("the interval (hundredths of a second)", text, low=0, high=_MAX_CENTISECONDS) / 100


def _with(request: Request, key: str, value: str) -> Request:
    if key == "interval":
        return replace(request, interval=_interval(value))
    if key in ("minmoves", "maxmoves"):
        count = protocol.integer(key, value, low=0, high=1000)
        return replace(request, min_moves=count) if key == "minmoves" else replace(request, max_moves=count)
    if key in _FLAGS:
        wanted = protocol.boolean(key, value)
        if key in ("ownership", "rootInfo"):
            return replace(request, ownership=wanted) if key == "ownership" else replace(request, root=wanted)
        return request
    raise GtpError(
        f"syntax error: {shown(key)} is no key of an analysis: known are interval, minmoves, maxmoves, avoid, allow, "
        + ", ".join(_FLAGS)
    )


def _restricted(request: Request, key: str, words: list[str], table: Table) -> Request:
    """`avoid` and `allow` name a player, moves with commas between them, and a depth.

    Only the moves that are listed or made are restricted: the search itself looks at all of them.
    """
    player = protocol.colour(words[0], table.position.players)
    moves = frozenset(table.parse(text) for text in words[1].split(",") if text)
    protocol.integer("the depth", words[2], low=1, high=1_000_000)
    if player != request.player:
        return request
    if key == "avoid":
        return replace(request, without=request.without | moves)
    return replace(request, only=moves if request.only is None else request.only | moves)


# ---- the answer


def analysis_line(
    result: SearchResult,
    request: Request,
    style: Style,
    format_move: Callable[[int], str],
    leads: ScoreLeads | None = None,
) -> str:
    """One line with the moves, the best one first, and what else was asked for. All values are the mover's."""
    uniform = 1 / max(1, sum(entry.visits > 0 for entry in result.moves))
    entries = _listed(result, request)
    points = leads.of(entries) if leads is not None and style.has_lead else None
    parts = []
    for order, entry in enumerate(entries):
        prior = uniform if entry.prior is None else entry.prior
        fields = [
            f"info move {format_move(entry.move)} visits {entry.visits}",
            *([f"utility {2 * entry.value - 1:.6f}"] if style.has_more else []),
            f"winrate {_share(entry.value, style)}",
            *([f"scoreMean {points[order]:.2f} scoreLead {points[order]:.2f}"] if points is not None else []),
            f"prior {_share(prior, style)}",
            f"lcb {_share(_lower_bound(entry), style)}",
            f"order {order}",
            "pv " + " ".join(format_move(move) for move in entry.pv[:_PV_MOVES]),
        ]
        parts.append(" ".join(fields))
    if style.has_more and request.root:
        parts.append(f"rootInfo visits {result.visits} winrate {_share(result.value, style)}")
    if style.has_more and request.ownership and isinstance(result.position, Go):
        parts.append(_ownership(result.position, result.seed))
    return " ".join(parts)


def _listed(result: SearchResult, request: Request) -> list[MoveStatistics]:
    """The permitted moves, the best one first. Few visits are left out: a board would show chance as merit."""
    best_first = sorted(result.moves, key=lambda entry: entry.move != result.best_move)
    wanted = [entry for entry in best_first if request.permits(entry.move)]
    least = max(1.0, _LISTED_SHARE * max((entry.visits for entry in wanted), default=0))
    searched = sum(entry.visits >= least for entry in wanted)
    return wanted[: min(max(searched, request.min_moves), request.max_moves)]


def _share(value: float, style: Style) -> str:
    """A number from 0 to 1. Boards tell the two forms apart by the decimal point, so it is always there or never."""
    value = min(1.0, max(0.0, value))
    return f"{value:.6f}" if style.is_decimal else f"{round(10_000 * value)}"


def _lower_bound(entry: MoveStatistics) -> float:
    """The lower end of the value's confidence interval."""
    if entry.visits == 0:
        return 0.0
    value = min(1.0, max(0.0, entry.value))
    return value - _LCB_DEVIATIONS * math.sqrt(max(value * (1 - value), 0.25 / entry.visits) / entry.visits)


def _ownership(position: Go, seed: int) -> str:
    """From -1 for the opponent's to 1 for the mover's, from the upper left corner row by row."""
    shares = position.ownership(_OWNERSHIP_PLAYOUTS, seed)
    mine = shares[position.to_move] - shares[1 - position.to_move]
    return "ownership " + " ".join(f"{value:.3f}" for value in mine.flat)
