"""`tesuji play`: a person against an engine in the terminal."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from tesuji.commands.common import (
    INTERRUPTED,
    EngineOption,
    GameArgument,
    KomiOption,
    PlayoutsOption,
    SecondsOption,
    SeedOption,
    SizeOption,
    ThreadsOption,
    budget,
    console,
    ends_cleanly,
    error_console,
)
from tesuji.errors import IllegalMoveError
from tesuji.games.position import Position
from tesuji.games.registry import make_game
from tesuji.search import Search, SearchResult

HELP = "type a move, or one of: undo, hint, moves, board, quit"


class Side(StrEnum):
    first = "first"
    second = "second"


class Session:
    """A game in progress: the positions so far, and one search that follows them."""

    def __init__(
        self, start: Position, *, engine: str, person: int, spend: dict[str, Any], threads: int, seed: int | None
    ) -> None:
        self.positions = [start]
        self.person = person
        self._engine = engine
        self._spend = spend
        self._search = Search(start, engine, threads=threads, seed=seed)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def think(self) -> SearchResult:
        result = self._search.run(**self._spend)
        if result.stopped_by == "interrupt":
            raise KeyboardInterrupt
        return result

    def play(self, move: int | str) -> None:
        self.positions.append(self.position.play(move))
        self._search.advance(move)

    def undo(self) -> bool:
        """Takes back the person's last move and the answer to it; False where there is none."""
        for length in range(len(self.positions) - 1, 0, -1):
            if self.positions[length - 1].to_move == self.person:
                del self.positions[length:]
                # A tree cannot be moved backwards, so a new one is grown.
                before = self._search
                self._search = Search(self.position, self._engine, threads=before.threads, seed=before.seed)
                return True
        return False


@ends_cleanly
def play(
    game: GameArgument,
    *,
    engine: EngineOption = "uct",
    playouts: PlayoutsOption = None,
    seconds: SecondsOption = None,
    threads: ThreadsOption = 1,
    size: SizeOption = None,
    komi: KomiOption = None,
    side: Annotated[Side, typer.Option(help="Which side you play.")] = Side.first,
    seed: SeedOption = None,
) -> None:
    """Play against an engine in the terminal.

    At the prompt type a move, or: undo, hint, moves (the legal ones), board, quit.
    """
    session = Session(
        make_game(game, size=size, komi=komi),
        engine=engine,
        person=0 if side is Side.first else 1,
        spend=budget(playouts, seconds, default=20_000),
        threads=threads,
        seed=seed,
    )
    show(session.position)
    console.print(HELP, style="dim")
    try:
        while not session.position.is_over:
            if session.position.to_move == session.person:
                if not ask(session):
                    console.print("good-bye")
                    return
            else:
                answer(session)
    except KeyboardInterrupt:
        error_console.print("\ninterrupted; the moves so far: " + (transcript(session) or "none"))
        raise typer.Exit(INTERRUPTED) from None
    console.print(f"The game is over. Moves: {transcript(session)}", highlight=False)


def ask(session: Session) -> bool:
    """One line from the person; False when they leave."""
    try:
        text = console.input(f"{session.position.players[session.person]}> ").strip()
    except EOFError:
        console.print()
        return False
    word = text.lower()
    if word in ("quit", "exit", "q"):
        return False
    if word == "undo":
        console.print("taken back" if session.undo() else "there is nothing to take back")
        show(session.position)
    elif word == "hint":
        console.print(f"hint: {describe(session.think())}", highlight=False)
    elif word == "moves":
        moves = [session.position.format_move(move) for move in session.position.legal_moves()]
        console.print(" ".join(moves), highlight=False)
    elif word == "board":
        show(session.position)
    elif word in ("", "help", "?"):
        console.print(HELP, style="dim")
    else:
        try_move(session, text)
    return True


def try_move(session: Session, text: str) -> None:
    try:
        session.play(text)
    except IllegalMoveError as error:
        console.print(f"{error}", highlight=False, soft_wrap=True)
        return
    show(session.position)


def answer(session: Session) -> None:
    """The engine's turn."""
    name = session.position.players[session.position.to_move]
    result = session.think()
    session.play(result.best_move)
    console.print(f"{name} plays {describe(result)}", highlight=False)
    show(session.position)


def describe(result: SearchResult) -> str:
    text = result.position.format_move(result.best_move)
    return f"{text}  ({100 * result.value:.1f}% after {result.visits:,} playouts)"


def show(position: Position) -> None:
    console.print(str(position), highlight=False)


def transcript(session: Session) -> str:
    """The moves of the game, found again from the positions."""
    moves = []
    for before, after in zip(session.positions, session.positions[1:], strict=False):
        moves.append(next(before.format_move(m) for m in before.legal_moves() if before.play(m) == after))
    return " ".join(moves)
