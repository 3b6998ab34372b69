"""Live analysis: what boards ask for, and how they want to read it.

`lz` is Leela Zero's way, whole numbers of ten thousand; `kata` is KataGo's, fractions with a decimal point. Sabaki
expects these of a plain `analyze` as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from tesuji.errors import shown
from tesuji.games.go import Go
from tesuji.gtp import protocol
from tesuji.gtp.protocol import GtpError
from tesuji.search import MoveStatistics, SearchResult

if TYPE_CHECKING:
    from tesuji.gtp.table import Table

Style = Literal["lz", "kata"]

_OWNERSHIP_PLAYOUTS: Final = 100
_PV_MOVES: Final = 20
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

    Only the list of moves at the root is restricted: the search itself looks at all of them.
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


def analysis_line(result: SearchResult, request: Request, style: Style, format_move: Callable[[int], str]) -> str:
    """One line with the moves, the best one first, and what else was asked for. All values are the mover's."""
    uniform = 1 / max(1, sum(entry.visits > 0 for entry in result.moves))
    parts = []
    for order, entry in enumerate(_listed(result, request)):
        prior = uniform if entry.prior is None else entry.prior
        fields = [f"info move {format_move(entry.move)} visits {entry.visits}"]
        if style == "kata":
            fields.append(f"utility {2 * entry.value - 1:.6f}")
        fields += [
            f"winrate {_share(entry.value, style)}",
            f"prior {_share(prior, style)}",
            f"lcb {_share(_lower_bound(entry), style)}",
            f"order {order}",
            "pv " + " ".join(format_move(move) for move in entry.pv[:_PV_MOVES]),
        ]
        parts.append(" ".join(fields))
    if style == "kata" and request.root:
        parts.append(f"rootInfo visits {result.visits} winrate {_share(result.value, style)}")
    if style == "kata" and request.ownership and isinstance(result.position, Go):
        parts.append(_ownership(result.position, result.seed))
    return " ".join(parts)


def _listed(result: SearchResult, request: Request) -> list[MoveStatistics]:
    best_first = sorted(result.moves, key=lambda entry: entry.move != result.best_move)
    wanted = [
        entry
        for entry in best_first
        if (request.only is None or entry.move in request.only) and entry.move not in request.without
    ]
    searched = sum(entry.visits > 0 for entry in wanted)
    return wanted[: min(max(searched, request.min_moves), request.max_moves)]


def _share(value: float, style: Style) -> str:
    """A number from 0 to 1. Boards tell the two forms apart by the decimal point, so it is always there or never."""
    value = min(1.0, max(0.0, value))
    return f"{round(10_000 * value)}" if style == "lz" else f"{value:.6f}"


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
