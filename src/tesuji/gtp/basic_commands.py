"""GTP 2: administration, set-up, play, and the clock."""

from __future__ import annotations

import time

from tesuji import __version__
from tesuji.errors import ArgumentError, GameStateError, shown
from tesuji.games.othello import Othello
from tesuji.gtp import protocol
from tesuji.gtp.clock import MAX_SECONDS, MAX_STONES, NO_LIMIT, TimeSettings
from tesuji.gtp.protocol import Command, GtpError
from tesuji.gtp.registry import COMMANDS, command, commands_of
from tesuji.gtp.session import Session

# Lizzie talks to nothing below 0.15, since that Leela Zero had lz-analyze first. So this is no version of tesuji, but
# says how far the commands go; `tesuji-version` has ours.
GTP_VERSION = "0.20.0"


# ---- administration


@command("protocol_version")
def protocol_version(_session: Session, _command: Command) -> str:
    """The version of GTP: 2."""
    return protocol.PROTOCOL_VERSION


@command("name")
def name(_session: Session, _command: Command) -> str:
    """The name of the program."""
    return "tesuji"


@command("version")
def version(_session: Session, _command: Command) -> str:
    """How far the commands go, in numbers of Leela Zero: Lizzie wants at least 0.15."""
    return GTP_VERSION


@command("tesuji-version")
def tesuji_version(_session: Session, _command: Command) -> str:
    """The version of tesuji itself."""
    return __version__


@command("known_command NAME")
def known_command(session: Session, command: Command) -> str:
    """Whether there is a command of this name: true or false."""
    entry = COMMANDS.get(command.arguments[0])
    return "true" if entry is not None and session.table.game in entry.games else "false"


@command("list_commands")
def list_commands(session: Session, _command: Command) -> str:
    """All commands, one a line."""
    return "\n".join(entry.name for entry in commands_of(session.table.game))


@command("quit")
def quit_session(session: Session, _command: Command) -> str:
    """The end of the session."""
    session.is_over = True
    return ""


@command("cputime")
def cputime(_session: Session, _command: Command) -> str:
    """Seconds of CPU time that the program has used."""
    return f"{time.process_time():.3f}"


@command("showboard")
def showboard(session: Session, _command: Command) -> str:
    """The board as text."""
    return f"\n{session.table.position}"


# ---- set-up


@command("boardsize SIZE")
def boardsize(session: Session, command: Command) -> str:
    """An empty board of this size; in Havannah, of this side."""
    try:
        size = protocol.integer("the size", command.arguments[0], low=1, high=1000)
        session.table.new_game(size=size)
    except (ArgumentError, GtpError) as error:
        raise GtpError(f"unacceptable size: {error}") from None
    session.new_game()
    return ""


@command("clear_board")
def clear_board(session: Session, _command: Command) -> str:
    """An empty board of the same size."""
    session.table.new_game()
    session.new_game()
    return ""


@command("komi KOMI")
def komi(session: Session, command: Command) -> str:
    """Sets the komi. Games without one take note of nothing."""
    session.table.set_rules(komi=protocol.number("komi", command.arguments[0], low=-1000, high=1000))
    session.rules_changed()
    return ""


# ---- play


def player_of(session: Session, text: str) -> int:
    return protocol.colour(text, session.table.position.players)


def make_move(session: Session, player: int, text: str) -> None:
    move = session.table.parse(text)
    try:
        session.play(player, move)
    except GameStateError as error:
        raise GtpError(f"illegal move: {error}") from None


@command("play COLOUR MOVE")
def play(session: Session, command: Command) -> str:
    """Makes a move for either player. In Othello passes may be left out."""
    colour, text = command.arguments
    player = player_of(session, colour)
    if text.lower() != "resign" and not _is_idle_pass(session, text):
        make_move(session, player, text)
    return ""


def _is_idle_pass(session: Session, text: str) -> bool:
    """Whether it is a pass after the end of a game of Othello: for some, two of them end it."""
    position = session.table.position
    return isinstance(position, Othello) and position.is_over and text.lower() == "pass"


@command("undo [COUNT]")
def undo(session: Session, command: Command) -> str:
    """Takes back the last move, or so many."""
    text = command.arguments[0] if command.arguments else "1"
    session.undo(protocol.integer("the number of moves", text, low=1, high=10_000))
    return ""


def answer_move(session: Session, player: int, *, cleanup: bool = False) -> str:
    """Chooses and makes a move, and says which."""
    if isinstance(session.table.position, Othello) and session.table.position.is_over:
        return "pass"
    before = session.table.turn_of(player)
    move = session.genmove(player, cleanup=cleanup)
    return "resign" if move is None else session.table.dialect.format(before, move)


@command("genmove COLOUR")
def genmove(session: Session, command: Command) -> str:
    """Chooses a move and makes it; `resign` where there is no hope."""
    return answer_move(session, player_of(session, command.arguments[0]))


@command("reg_genmove COLOUR")
def reg_genmove(session: Session, command: Command) -> str:
    """The move that a new search chooses; it is not made, and with a budget of playouts always the same."""
    position = session.table.turn_of(player_of(session, command.arguments[0]))
    thinker = session.thinker
    search = thinker.new_search(position, thinker.settings.seed)
    result = thinker.think(search, began=session.asked_at)
    return session.table.dialect.format(position, result.best_move)


# ---- the clock


def _seconds(name: str, text: str) -> float:
    return protocol.number(name, text, low=0, high=MAX_SECONDS)


def _stones(name: str, text: str, *, low: int = 0) -> int:
    return protocol.integer(name, text, low=low, high=MAX_STONES)


@command("time_settings MAIN PERIOD STONES")
def time_settings(session: Session, command: Command) -> str:
    """Seconds of main time, then so many stones in each period. A period without stones, or all 0, is no limit."""
    main, period = (_seconds(what, text) for what, text in zip(("main", "period"), command.arguments, strict=False))
    stones = _stones("stones", command.arguments[2])
    if (stones == 0 and period > 0) or (main == 0 and period == 0):
        settings = NO_LIMIT
    elif stones == 0:
        settings = TimeSettings(kind="absolute", main=main)
    else:
        settings = TimeSettings(kind="canadian", main=main, period=period, stones=stones)
    session.player.set_time(settings)
    return ""


@command("kgs-time_settings KIND [MAIN] [PERIOD] [COUNT]")
def kgs_time_settings(session: Session, command: Command) -> str:
    """`none`, `absolute MAIN`, `canadian MAIN PERIOD STONES` or `byoyomi MAIN PERIOD PERIODS`."""
    kind, *rest = command.arguments
    wanted = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}
    if len(rest) != wanted.get(kind.lower()):
        raise GtpError(
            "syntax error: write none, absolute MAIN, canadian MAIN PERIOD STONES or byoyomi MAIN PERIOD PERIODS, "
            f"not {shown(' '.join(command.arguments))}"
        )
    numbers = [_seconds(what, text) for what, text in zip(("main", "period"), rest, strict=False)]
    if kind.lower() == "none":
        settings = NO_LIMIT
    elif kind.lower() == "absolute":
        settings = TimeSettings(kind="absolute", main=numbers[0])
    elif kind.lower() == "canadian":
        stones = _stones("stones", rest[2], low=1)
        settings = TimeSettings(kind="canadian", main=numbers[0], period=numbers[1], stones=stones)
    else:
        periods = _stones("periods", rest[2], low=1)
        settings = TimeSettings(kind="byoyomi", main=numbers[0], period=numbers[1], periods=periods)
    session.player.set_time(settings)
    return ""


@command("time_left COLOUR SECONDS STONES")
def time_left(session: Session, command: Command) -> str:
    """What is left on a player's clock: of the main time with 0 stones, else of the period; with byo-yomi, periods."""
    player = player_of(session, command.arguments[0])
    seconds = _seconds("the time", command.arguments[1])
    session.player.set_time_left(player, seconds, _stones("stones", command.arguments[2]))
    return ""
