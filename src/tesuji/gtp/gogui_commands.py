"""GoGui's commands: analysis for its windows, and the rules of games that it does not know."""

from __future__ import annotations

from tesuji.errors import TesujiError
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import Othello
from tesuji.games.position import EMPTY
from tesuji.gtp.basic_commands import player_of
from tesuji.gtp.game_commands import winner
from tesuji.gtp.protocol import Command, GtpError
from tesuji.gtp.registry import command
from tesuji.gtp.session import Session
from tesuji.search import SearchResult

_GO = (Go.game,)
_OTHERS = (Othello.game, Havannah.game)
_OWNERSHIP_PLAYOUTS = 1000
_LABELLED_SHARE = 0.01

# Type, label and command, as GoGui wants them; for all games, and for Go alone.
_ANALYZE_COMMANDS = (
    "param/Parameters/tesuji-param",
    "sboard/Visits/tesuji-visits",
    "sboard/Prior P(m) in percent/tesuji-priors",
    "var/Principal Variation/tesuji-pv",
)
_GO_ANALYZE_COMMANDS = (
    "dboard/Ownership/tesuji-ownership",
    "plist/Dead Stones/final_status_list dead",
    "plist/Seki/final_status_list seki",
    "string/Final Score/final_score",
)


@command("gogui-analyze_commands")
def gogui_analyze_commands(session: Session, _command: Command) -> str:
    """What GoGui's analysis window can show."""
    more = _GO_ANALYZE_COMMANDS if session.table.game == Go.game else ("plist/Legal Moves/gogui-rules_legal_moves",)
    return "\n".join((*_ANALYZE_COMMANDS, *more))


@command("gogui-interrupt")
def gogui_interrupt(_session: Session, _command: Command) -> str:
    """Says that the comment line `# interrupt` ends a thought."""
    return ""


@command("gogui-play_sequence COLOUR MOVE ...")
def gogui_play_sequence(session: Session, command: Command) -> str:
    """Several moves, each with its colour; all of them or none."""
    words = command.arguments
    if len(words) % 2:
        raise GtpError("syntax error: the last colour has no move")
    players = [player_of(session, text) for text in words[::2]]
    moves = [session.table.parse(text) for text in words[1::2]]
    session.table.play_all(list(zip(players, moves, strict=True)))
    session.thinker.forget()
    return ""


# ---- what the search knows


def _known(session: Session) -> SearchResult:
    """What is known of the position; a thought where that is nothing."""
    table = session.table
    position = table.turn_of(table.position.to_move)
    search = session.thinker.search_of(position)
    try:
        return search.result()
    except TesujiError:
        return session.thinker.think(search, began=session.asked_at)


@command("tesuji-visits")
def tesuji_visits(session: Session, _command: Command) -> str:
    """How many visits each move has, as a board of labels."""
    result = _known(session)
    least = max(1.0, _LABELLED_SHARE * result.visits)
    return _labelled(result, {entry.move: str(entry.visits) for entry in result.moves if entry.visits >= least})


@command("tesuji-priors")
def tesuji_priors(session: Session, _command: Command) -> str:
    """How likely each move is before the search, P(m) in percent, where the engine has a model: a board of labels."""
    result = _known(session)
    priors = {entry.move: entry.prior or 0.0 for entry in result.moves}
    return _labelled(result, {move: f"{100 * p:.0f}" for move, p in priors.items() if p >= _LABELLED_SHARE})


def _labelled(result: SearchResult, texts: dict[int, str]) -> str:
    rows, columns = result.position.shape
    labels = [['""'] * columns for _ in range(rows)]
    for move, text in texts.items():
        if move < rows * columns:
            labels[move // columns][move % columns] = text
    return "\n" + "\n".join(" ".join(row) for row in _upright(labels, result.position))


@command("tesuji-pv")
def tesuji_pv(session: Session, _command: Command) -> str:
    """The moves that the search expects."""
    result = _known(session)
    position, texts = result.position, []
    for move in result.pv:
        texts.append(session.table.dialect.format(position, move))
        position = position.play(move)
    return " ".join(texts)


@command("tesuji-ownership", games=_GO)
def tesuji_ownership(session: Session, _command: Command) -> str:
    """Who owns each point at the end of random play: a board of numbers, 1 for Black, -1 for White."""
    shares = session.table.go().ownership(_OWNERSHIP_PLAYOUTS, session.thinker.settings.seed)
    return "\n" + "\n".join(" ".join(f"{value:.2f}" for value in row) for row in shares[0] - shares[1])


# ---- the rules of Othello and Havannah


def _upright(rows: list[list[str]], position: object) -> list[list[str]]:
    """The rows as GoGui draws them: row 1 at the bottom, so that its coordinates are ours. Go's are so already."""
    return rows if isinstance(position, Go) else rows[::-1]


@command("gogui-rules_game_id", games=_OTHERS)
def rules_game_id(session: Session, _command: Command) -> str:
    """The name of the game."""
    return session.table.game


@command("gogui-rules_board", games=_OTHERS)
def rules_board(session: Session, _command: Command) -> str:
    """The board: X for Black, O for White; a cell that is off the board is shown as an empty one."""
    position = session.table.position
    symbols = [name[0].upper().replace("B", "X").replace("W", "O") for name in position.players]
    rows = [[symbols[cell] if cell < EMPTY else "." for cell in row] for row in position.cells()]
    return "\n" + "\n".join(" ".join(row) for row in _upright(rows, position))


@command("gogui-rules_board_size", games=_OTHERS)
def rules_board_size(session: Session, _command: Command) -> str:
    """The number of rows of the board."""
    return str(session.table.position.shape[0])


@command("gogui-rules_legal_moves", games=_OTHERS)
def rules_legal_moves(session: Session, _command: Command) -> str:
    """The legal moves of the player to move."""
    position = session.table.position
    return " ".join(session.table.format(move) for move in position.legal_moves())


@command("gogui-rules_side_to_move", games=_OTHERS)
def rules_side_to_move(session: Session, _command: Command) -> str:
    """`black` or `white`."""
    return session.table.dialect.colour(session.table.position)


@command("gogui-rules_final_result", games=_OTHERS)
def rules_final_result(session: Session, _command: Command) -> str:
    """How the game has ended, or `unknown`."""
    position = session.table.position
    if not position.is_over:
        return "unknown"
    if isinstance(position, Othello):
        black, white = position.discs()
        return f"{winner(position)}, {black} : {white}"
    return winner(position)
