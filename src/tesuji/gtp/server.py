"""The server: one line after another, each with its answer."""

from __future__ import annotations

# The modules of the commands fill the table as they are loaded.
import tesuji.gtp.analysis_commands
import tesuji.gtp.basic_commands
import tesuji.gtp.game_commands
import tesuji.gtp.go_commands
import tesuji.gtp.gogui_commands  # noqa: F401  as above
from tesuji.errors import TesujiError, shown, suggestion
from tesuji.gtp import protocol
from tesuji.gtp.protocol import MAX_LINE, Command, GtpError
from tesuji.gtp.registry import COMMANDS, commands_of
from tesuji.gtp.session import Session


def serve(session: Session) -> None:
    """Answers until `quit`, or the end of the input."""
    while not session.is_over:
        line = session.next_line()
        if line is None:
            return
        answer(session, line.text)


def answer(session: Session, text: str) -> None:
    """Carries out the command in a line, where there is one."""
    command = protocol.parse_command(text)
    if command is None:
        return
    try:
        if len(text) > MAX_LINE:
            raise GtpError(f"the line is too long: at most {MAX_LINE} characters")
        reply = _run(session, command)
    except TesujiError as error:
        session.write(protocol.failure(command.number, str(error)))
    except Exception as error:  # a mistake of ours is no reason to leave the board in the middle of a game
        session.write(protocol.failure(command.number, f"internal error: {type(error).__name__}: {error}"))
    else:
        if reply is not None:
            session.write(protocol.success(command.number, reply))


def _run(session: Session, command: Command) -> str | None:
    game = session.table.game
    entry = COMMANDS.get(command.name)
    if entry is None or game not in entry.games:
        known = [known.name for known in commands_of(game)]
        raise GtpError(f"unknown command {shown(command.name)}{suggestion(command.name, known)}")
    entry.check(command)
    return entry.run(session, command)
