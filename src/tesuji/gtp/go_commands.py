"""What only Go has: handicap, the end of the game, records, and KGS's commands."""

from __future__ import annotations

from tesuji.endgame import format_score
from tesuji.errors import ArgumentError, IllegalMoveError, shown
from tesuji.games.go import Go, free_handicap_points, handicap_points, neighbours
from tesuji.gtp import protocol
from tesuji.gtp.basic_commands import answer_move, player_of
from tesuji.gtp.game_commands import set_rules
from tesuji.gtp.protocol import Command, GtpError
from tesuji.gtp.records import load_record, write_record
from tesuji.gtp.registry import command
from tesuji.gtp.session import Session

_GO = (Go.game,)
_MAX_MOVES = 10_000


# ---- handicap


def _vertices(session: Session, points: list[int]) -> str:
    return " ".join(session.table.format(point) for point in points)


def _placed(session: Session, points: list[int]) -> str:
    session.table.place_handicap(points)
    session.new_game()
    return _vertices(session, points)


@command("fixed_handicap STONES", games=_GO)
def fixed_handicap(session: Session, command: Command) -> str:
    """Places so many handicap stones on the usual points, and says where."""
    count = protocol.integer("the number of stones", command.arguments[0], low=2, high=361)
    try:
        points = handicap_points(session.table.size, count)
    except ArgumentError as error:
        raise GtpError(f"invalid number of stones: {error}") from None
    return _placed(session, points)


@command("place_free_handicap STONES", games=_GO)
def place_free_handicap(session: Session, command: Command) -> str:
    """Places handicap stones where the program likes: on the usual points, and more far from all others."""
    size = session.table.size
    count = protocol.integer("the number of stones", command.arguments[0], low=2, high=size * size - 1)
    return _placed(session, free_handicap_points(size, count))


@command("set_free_handicap VERTEX VERTEX ...", games=_GO)
def set_free_handicap(session: Session, command: Command) -> str:
    """Places handicap stones on these points."""
    points = [session.table.parse(text) for text in command.arguments]
    try:
        _placed(session, points)
    except (ArgumentError, IllegalMoveError) as error:
        raise GtpError(f"bad vertex list: {error}") from None
    return ""


# ---- the end


@command("final_score", games=_GO)
def final_score(session: Session, _command: Command) -> str:
    """The score by the rules that are set, dead stones taken off: B+3.5, W+1, or 0 for a draw."""
    return format_score(session.player.score(session.table.go()))


@command("final_status_list STATUS", games=_GO)
def final_status_list(session: Session, command: Command) -> str:
    """The stones that are `dead`, `alive` or in `seki`, a chain a line."""
    wanted = command.arguments[0].lower()
    if wanted not in ("dead", "alive", "seki"):
        raise GtpError(f"syntax error: a status is dead, alive or seki, not {shown(command.arguments[0])}")
    position = session.table.go()
    stones = getattr(session.player.status(position), wanted)
    return "\n".join(_vertices(session, chain) for chain in _chains(position, stones))


def _chains(position: Go, stones: frozenset[int]) -> list[list[int]]:
    """The stones, those that are connected together."""
    cells, left = position.native.cells(), set(stones)
    chains = []
    for first in sorted(stones):
        if first not in left:
            continue
        left.discard(first)
        chain = [first]
        for point in chain:
            near = neighbours(point, position.size)
            joined = [other for other in near if other in left and cells[other] == cells[first]]
            left.difference_update(joined)
            chain += joined
        chains.append(sorted(chain))
    return chains


# ---- records


@command("loadsgf FILE [MOVE]", games=_GO)
def loadsgf(session: Session, command: Command) -> str:
    """The main line of a record, or its moves before this number; says whose turn it is."""
    file, *more = command.arguments
    until = protocol.integer("the number of the move", more[0], low=1, high=_MAX_MOVES) - 1 if more else None
    load_record(session.table, file, until)
    session.new_game()
    return session.table.dialect.colour(session.table.position)


@command("printsgf [FILE]", games=_GO)
def printsgf(session: Session, command: Command) -> str:
    """The game as a record, in the answer or in a file."""
    return write_record(session.table, command.arguments[0] if command.arguments else None)


# ---- KGS


@command("kgs-genmove_cleanup COLOUR", games=_GO)
def kgs_genmove_cleanup(session: Session, command: Command) -> str:
    """A genmove that does not pass before all dead stones of the opponent are off the board."""
    return answer_move(session, player_of(session, command.arguments[0]), cleanup=True)


@command("kgs-rules RULES", games=_GO)
def kgs_rules(session: Session, command: Command) -> str:
    """`chinese`, `japanese`, `aga`, `new_zealand`; and `tromp-taylor`."""
    set_rules(session, command.arguments[0])
    return ""
