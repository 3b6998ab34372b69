"""Records of games at the table, as SGF."""

from __future__ import annotations

from pathlib import Path

from sgfmill import sgf, sgf_moves

from tesuji.errors import TesujiError, shown
from tesuji.games.go import Go
from tesuji.gtp.protocol import GtpError
from tesuji.gtp.table import Table

_MAX_BYTES = 10_000_000
_COLOURS = "bw"


def load_record(table: Table, file: str, until: int | None) -> None:
    """Puts the game of a file on the table, up to so many moves. Where it cannot, the table stays as it is."""
    board = table.go()
    try:
        content = Path(file).read_bytes()[:_MAX_BYTES]
        game = sgf.Sgf_game.from_bytes(content)
        setup, plays = sgf_moves.get_setup_and_moves(game)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise GtpError(f"cannot load file {shown(file)}: {reason}") from None
    fresh = Table(board, rules=table.rules)
    try:
        size = game.get_size()
        start = Go(size, game.get_komi() or 0.0, board.superko)
        stones: tuple[list[str], list[str]] = ([], [])
        for colour, (row, column) in setup.list_occupied_points():
            stones[_COLOURS.index(colour)].append(start.format_move((size - 1 - row) * size + column))
        if stones[0] or stones[1]:
            first = _COLOURS.index(plays[0][0]) if plays else int(not stones[1])
            start = Go.from_stones(
                black=stones[0], white=stones[1], to_move=first, size=size, komi=start.komi, superko=board.superko
            )
        fresh.set_up(start, handicap=0 if stones[1] else len(stones[0]))
        for colour, point in plays[:until]:
            move = start.pass_move if point is None else (size - 1 - point[0]) * size + point[1]
            fresh.play(_COLOURS.index(colour), move)
    except TesujiError as error:
        raise GtpError(f"cannot load file {shown(file)}: {error}") from None
    table.set_up(fresh.start, handicap=fresh.handicap)
    table.play_all([(step.player, step.move) for step in fresh.steps])


def write_record(table: Table, file: str | None) -> str:
    """The record as text; with a file, written there, and nothing is left to say."""
    board = table.go()
    size = board.size
    game = sgf.Sgf_game(size=size)
    root = game.get_root()
    root.set("KM", board.komi)
    root.set("RU", table.rules)
    root.set("AP", ("tesuji", "gtp"))
    if table.handicap:
        root.set("HA", table.handicap)

    def point(move: int) -> tuple[int, int] | None:
        return None if move == board.pass_move else (size - 1 - move // size, move % size)

    cells = table.start.native.cells()
    for colour, name in enumerate(("AB", "AW")):
        stones = [point(number) for number, cell in enumerate(cells) if cell == colour]
        if stones:
            root.set(name, stones)
    for step in table.steps:
        node = game.extend_main_sequence()
        node.set_move(_COLOURS[step.player], point(step.move))
    text = game.serialise().decode()
    if file is None:
        return str(text)
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise GtpError(f"cannot write {shown(file)}: {error.strerror}") from None
    return ""
