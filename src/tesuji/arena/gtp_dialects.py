"""How positions and moves are told to programs that speak GTP, game by game. docs/engines.md has it in words."""

from __future__ import annotations

from typing import Final

from tesuji.errors import ArgumentError
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import PASS, Othello
from tesuji.games.own import AnyPosition


class Dialect:
    """One way to speak of one game. A colour is the player's name: the first is black, but white in Havannah."""

    game: str

    def check(self, start: AnyPosition) -> None:
        """Raises `ArgumentError` where a program cannot be told of a game from this position."""
        if start.game != self.game:
            raise ArgumentError(f"it plays {self.game}, not {start.game}")
        if not self._can_begin(start):
            raise ArgumentError(f"it cannot be told to begin {start.game} from {start!r}; use the start of the game")

    def _can_begin(self, start: AnyPosition) -> bool:
        raise NotImplementedError

    def opening(self, start: AnyPosition) -> list[str]:
        """The commands that set the board up."""
        raise NotImplementedError

    def colour(self, position: AnyPosition) -> str:
        return position.players[position.to_move].lower()

    def tell(self, position: AnyPosition, move: int) -> str | None:
        """The command that tells of a move, or None for one that is not told."""
        return f"play {self.colour(position)} {self.format(position, move)}"

    def format(self, position: AnyPosition, move: int) -> str:
        return position.format_move(move)

    def parse(self, position: AnyPosition, text: str) -> int:
        return position.parse_move(text)


class GoDialect(Dialect):
    """Standard GTP. Stones that are there from the start are told as moves, the black ones first."""

    game = Go.game

    def _can_begin(self, start: AnyPosition) -> bool:
        return isinstance(start, Go) and start.ko_point is None and start.last_move is None

    def opening(self, start: AnyPosition) -> list[str]:
        assert isinstance(start, Go)  # noqa: S101  check() has seen to that
        cells = start.native.cells()
        stones = [
            f"play {name.lower()} {start.format_move(point)}"
            for colour, name in enumerate(start.players)
            for point, cell in enumerate(cells)
            if cell == colour
        ]
        return [f"boardsize {start.size}", "clear_board", f"komi {start.komi:g}", *stones]


class OthelloDialect(Dialect):
    """Squares as in every Othello book, a1 in the upper left corner.

    gtp-rhino refuses to be told of a pass, and infers it from whose move comes next. So does Edax.
    """

    game = Othello.game

    def __init__(self, *, tells_passes: bool) -> None:
        self.tells_passes = tells_passes

    def _can_begin(self, start: AnyPosition) -> bool:
        return start == Othello()

    def opening(self, start: AnyPosition) -> list[str]:  # noqa: ARG002  there is one board
        return ["boardsize 8", "clear_board"]

    def tell(self, position: AnyPosition, move: int) -> str | None:
        return None if move == PASS and not self.tells_passes else super().tell(position, move)


class HavannahDialect(Dialect):
    """The size is the side, white begins. Cells are those of our grid, or numbered as Little Golem does."""

    game = Havannah.game

    def __init__(self, *, little_golem: bool) -> None:
        self.little_golem = little_golem

    def _can_begin(self, start: AnyPosition) -> bool:
        return isinstance(start, Havannah) and start == Havannah(start.size) and not start.native.swap_pending

    def opening(self, start: AnyPosition) -> list[str]:
        assert isinstance(start, Havannah)  # noqa: S101  check() has seen to that
        return [f"boardsize {start.size}", "clear_board"]

    def format(self, position: AnyPosition, move: int) -> str:
        if isinstance(position, Havannah) and self.little_golem:
            return position.format_little_golem_move(move)
        return super().format(position, move)

    def parse(self, position: AnyPosition, text: str) -> int:
        if isinstance(position, Havannah) and self.little_golem:
            return position.parse_little_golem_move(text)
        return super().parse(position, text)


#: By name. A program that names none speaks the one that is called like the game.
DIALECTS: Final[dict[str, Dialect]] = {
    "go": GoDialect(),
    "othello": OthelloDialect(tells_passes=False),
    "othello-with-passes": OthelloDialect(tells_passes=True),
    "havannah": HavannahDialect(little_golem=False),
    "havannah-little-golem": HavannahDialect(little_golem=True),
}
