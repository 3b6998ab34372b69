"""What Othello and Havannah add, and the parameters of the engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from tesuji.endgame import RULES
from tesuji.engine_parts import PARTS
from tesuji.engines import EngineSpec
from tesuji.errors import shown
from tesuji.games.havannah import Havannah
from tesuji.games.position import Position
from tesuji.gtp import protocol
from tesuji.gtp.basic_commands import make_move, player_of
from tesuji.gtp.protocol import Command, GtpError
from tesuji.gtp.registry import command
from tesuji.gtp.session import Session
from tesuji.gtp.table import COORDINATES, Coordinates
from tesuji.gtp.thinker import Settings
from tesuji.search import MAX_PLAYOUTS, Search

_HAVANNAH = (Havannah.game,)


# ---- Havannah, as castro has it


def _use(session: Session, coordinates: Coordinates) -> str:
    session.table.coordinates = coordinates
    return ""


@command("hguicoords", games=_HAVANNAH)
def hguicoords(session: Session, _command: Command) -> str:
    """Letters and numbers are the coordinates of the grid, as HavannahGui has them (the default)."""
    return _use(session, "hguicoords")


@command("gridcoords", games=_HAVANNAH)
def gridcoords(session: Session, _command: Command) -> str:
    """Numbers are counted within each line, as on Little Golem."""
    return _use(session, "gridcoords")


@command("swap ON", games=_HAVANNAH)
def swap(session: Session, command: Command) -> str:
    """A new game, in which the second player may answer the first stone with `swap`, or not."""
    session.table.new_game(swap=protocol.boolean("swap", command.arguments[0]))
    session.new_game()
    return ""


@command("white CELL", games=_HAVANNAH)
def white(session: Session, command: Command) -> str:
    """A move of White."""
    make_move(session, player_of(session, "white"), command.arguments[0])
    return ""


@command("black CELL", games=_HAVANNAH)
def black(session: Session, command: Command) -> str:
    """A move of Black."""
    make_move(session, player_of(session, "black"), command.arguments[0])
    return ""


@command("playgame CELL ...", games=_HAVANNAH)
def playgame(session: Session, command: Command) -> str:
    """Moves of both players in turn; all of them or none."""
    mover = session.table.position.to_move
    moves = [session.table.parse(text) for text in command.arguments]
    session.table.play_all([((mover + number) % 2, move) for number, move in enumerate(moves)])
    session.thinker.forget()
    return ""


@command("all_legal", games=_HAVANNAH)
def all_legal(session: Session, _command: Command) -> str:
    """The legal moves."""
    return " ".join(session.table.format(move) for move in session.table.position.legal_moves())


@command("havannah_winner", games=_HAVANNAH)
def havannah_winner(session: Session, _command: Command) -> str:
    """`white`, `black`, `draw`, or `none` while the game goes on."""
    position = session.table.position
    return winner(position) if position.is_over else "none"


def winner(position: Position) -> str:
    """The colour that has won a game that is over, or `draw`."""
    first, second = position.outcome()
    return "draw" if first == second else position.players[0 if first > second else 1].lower()


# ---- parameters


@dataclass(frozen=True, kw_only=True)
class _Parameter:
    """One that `tesuji-param` shows: its type for GoGui's dialog, how to read it, and how to set it from a text."""

    kind: str
    read: Callable[[Session], Any]
    set: Callable[[Session, str], None]


def _setting(kind: str, field: str, parse: Callable[[str], Any]) -> _Parameter:
    """A field of the engine's settings."""

    def change(session: Session, text: str) -> None:
        settings: Settings = replace(session.thinker.settings, **{field: parse(text)})
        Search(  # refuses what the engine cannot do in this game
            session.table.start, settings.engine, threads=settings.threads, max_memory=settings.max_memory
        )
        session.thinker.settings = settings

    return _Parameter(kind=kind, read=lambda session: getattr(session.thinker.settings, field), set=change)


def _or_none(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: None if text.lower() == "none" else parse(text)


def _set_lag(session: Session, text: str) -> None:
    session.player.lag = protocol.number("lag", text, low=0, high=60)


def _set_resign(session: Session, text: str) -> None:
    session.player.resign = protocol.number("resign", text, low=0, high=1)


def set_rules(session: Session, text: str) -> None:
    session.table.set_rules(rules=text.lower().replace("_", "-"))
    session.rules_changed()


def _set_coordinates(session: Session, text: str) -> None:
    for name in COORDINATES:
        if text.lower() == name:
            session.table.coordinates = name
            return
    raise GtpError(f"coordinates must be {' or '.join(COORDINATES)}, not {shown(text)}")


def _playouts(text: str) -> int:
    return protocol.integer("playouts", text, low=1, high=MAX_PLAYOUTS)


def _seconds(text: str) -> float:
    return protocol.number("seconds", text, low=0.001, high=1e6)


def _engine(session: Session) -> EngineSpec:
    return session.thinker.settings.engine_for(session.table.start)


def _flag(field: str) -> _Parameter:
    return _setting("[bool]", field, lambda text: protocol.boolean(field, text))


PARAMETERS: Final[dict[str, _Parameter]] = {
    # As text: `best` goes on to follow the board. What it means there is shown.
    "engine": replace(_setting("[string]", "engine", str), read=_engine),
    "playouts": _setting("[string]", "playouts", _or_none(_playouts)),
    "seconds": _setting("[string]", "seconds", _or_none(_seconds)),
    "threads": _setting("[string]", "threads", lambda text: protocol.integer("threads", text, low=1, high=1024)),
    "seed": _setting("[string]", "seed", lambda text: protocol.integer("seed", text, low=0, high=10**18 - 1)),
    "max_memory": _setting("[string]", "max_memory", str),
    "reuse": _flag("reuse"),
    "early_stop": _flag("early_stop"),
    "more_time": _flag("more_time"),
    "ponder": _flag("ponder"),
    "lag": _Parameter(kind="[string]", read=lambda session: session.player.lag, set=_set_lag),
    "resign": _Parameter(kind="[string]", read=lambda session: session.player.resign, set=_set_resign),
    "rules": _Parameter(kind=f"[list/{'/'.join(RULES)}]", read=lambda session: session.table.rules, set=set_rules),
    "coordinates": _Parameter(
        kind=f"[list/{'/'.join(COORDINATES)}]", read=lambda session: session.table.coordinates, set=_set_coordinates
    ),
}


@command("tesuji-param [NAME] [VALUE]")
def tesuji_param(session: Session, command: Command) -> str:
    """Shows all parameters, shows one, or sets one. What the engine has, such as `c` or `model`, is one as well."""
    if not command.arguments:
        lines = [f"{parameter.kind} {name} {_text(parameter.read(session))}" for name, parameter in PARAMETERS.items()]
        return "\n".join(lines)
    name, *value = command.arguments
    parameter = PARAMETERS.get(name.lower())
    if parameter is None and name.lower() in _WORDS:
        return _word_of_engine(session, name.lower(), value)
    if parameter is None:
        return _number_of_engine(session, name, value)
    if not value:
        return _text(parameter.read(session))
    parameter.set(session, value[0])
    return ""


def _text(value: Any) -> str:
    """As GoGui's dialog reads it."""
    if isinstance(value, bool):
        return str(int(value))
    return "none" if value is None else str(value)


# The parts of an engine that are written name=value, and are a word or may be missing.
_WORDS: Final = tuple(
    part.name for part in PARTS if part.value is not None and (part.value.type is str or part.optional)
)


def _word_of_engine(session: Session, name: str, value: list[str]) -> str:
    engine = _engine(session)
    if not value:
        choice = engine.find(name)
        return _text(None if choice is None else choice.value(name))
    PARAMETERS["engine"].set(session, str(engine.with_word(name, value[0])))
    return ""


def _number_of_engine(session: Session, name: str, value: list[str]) -> str:
    engine = _engine(session)
    part, parameter = engine.find_parameter(name)
    if not value:
        return _text(engine.choice(part.slot).value(parameter.name))
    text = value[0].lower()
    number = math.inf if text == "inf" else protocol.number(name, text, low=-1e15, high=1e15)
    is_whole = parameter.type is int and text.lstrip("+-").isdecimal()  # with_value refuses what is not
    PARAMETERS["engine"].set(session, str(engine.with_value(name, int(number) if is_whole else number)))
    return ""
