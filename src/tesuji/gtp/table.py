"""The board of a GTP session: the game so far, with GTP's liberties about whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from tesuji.arena.gtp_dialects import DIALECTS, Dialect
from tesuji.endgame import count_captures, find_rules
from tesuji.errors import ArgumentError, GameStateError, IllegalMoveError
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import PASS, Othello
from tesuji.games.position import Position
from tesuji.games.registry import make_game
from tesuji.gtp.protocol import GtpError

GAMES: Final = (Go.game, Othello.game, Havannah.game)

#: How Havannah's cells are named: castro's two systems, by the commands that choose them.
Coordinates = Literal["hguicoords", "gridcoords"]
COORDINATES: Final[tuple[Coordinates, ...]] = get_args(Coordinates)

#: The rules under which a repetition is allowed, but for a ko. Suicide is allowed by none here.
WITHOUT_SUPERKO: Final = ("japanese",)


@dataclass(frozen=True, kw_only=True)
class Step:
    """What happened on the board: a player's move, and where it led. `before` is the position that it was made in.

    In Othello a pass that nobody told may lie between the last step and this one; `before` is after it.
    """

    player: int
    move: int
    before: Position
    after: Position


class Table:
    """The game at the board. A new game takes over size, komi and rules of the old one."""

    def __init__(self, start: Position, *, rules: str = "chinese") -> None:
        if start.game not in GAMES:
            raise ArgumentError(f"GTP is spoken here for {', '.join(GAMES)}, not for {start.game}")
        self.rules = rules
        self.coordinates: Coordinates = "hguicoords"
        self.handicap = 0
        self._start = start
        self._steps: list[Step] = []

    # ---- what is on the board

    @property
    def game(self) -> str:
        return self._start.game

    @property
    def position(self) -> Position:
        return self._steps[-1].after if self._steps else self._start

    @property
    def start(self) -> Position:
        return self._start

    @property
    def steps(self) -> Sequence[Step]:
        return self._steps

    @property
    def size(self) -> int:
        return int(getattr(self._start, "size", 8))

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been played or set up: then handicap stones can be."""
        return not self._steps and isinstance(self._start, Go) and set(self._start.native.cells()) == {2}

    @property
    def dialect(self) -> Dialect:
        if self.game == Othello.game:
            return DIALECTS["othello-with-passes"]
        little_golem = self.game == Havannah.game and self.coordinates == "gridcoords"
        return DIALECTS["havannah-little-golem" if little_golem else self.game]

    def go(self) -> Go:
        """The position, for what only Go has."""
        if not isinstance(self.position, Go):
            raise GtpError(f"this is for Go, and the game is {self.game}")
        return self.position

    def captures(self) -> tuple[int, int]:
        """How many stones each player has taken."""
        taken = [0, 0]
        for step in self._steps:
            if isinstance(step.before, Go):
                before = step.before.with_rules(superko=False)  # a game by other rules may have repeated a position
                taken[step.player] += count_captures(before, [step.move])[step.player]
        return taken[0], taken[1]

    # ---- setting up

    def new_game(self, *, size: int | None = None, swap: bool | None = None) -> None:
        """An empty board. Raises `ArgumentError` for a size that the game does not have."""
        if isinstance(self._start, Go):
            options: dict[str, Any] = {"komi": self._start.komi, "superko": self._start.superko}
            start = make_game(self.game, size=size or self.size, **options)
        elif isinstance(self._start, Havannah):
            wanted = self._start.native.swap_pending if swap is None else swap
            start = make_game(self.game, size=size or self.size, swap=wanted)
        else:
            if size not in (None, self.size):
                raise ArgumentError(f"the board of {self.game} has the size {self.size}, not {size}")
            start = make_game(self.game)
        self.set_up(start)

    def set_up(self, start: Position, *, handicap: int = 0) -> None:
        """A new game from this position."""
        self._start, self._steps, self.handicap = start, [], handicap

    def set_rules(self, *, rules: str | None = None, komi: float | None = None) -> None:
        """Rules and komi of the game that is going on, and of those after it."""
        if rules is not None:
            find_rules(rules)
        superko = None if rules is None else rules not in WITHOUT_SUPERKO

        def changed(position: Position, earlier: Position | None = None) -> Position:
            if not isinstance(position, Go):
                return position
            # Under rules without superko the positions have forgotten what came before them.
            return position.with_rules(komi=komi, superko=superko, earlier=earlier if isinstance(earlier, Go) else None)

        start = last = changed(self._start)
        steps = []
        for step in self._steps:
            before = changed(step.before, last)
            last = changed(step.after, before)
            steps.append(Step(player=step.player, move=step.move, before=before, after=last))
        self._start, self._steps = start, steps
        self.rules = self.rules if rules is None else rules

    def load(self, start: Position, steps: Sequence[Step], *, handicap: int) -> None:
        """A game that has been played elsewhere."""
        self.set_up(start, handicap=handicap)
        self._steps = list(steps)
        self.set_rules(rules=self.rules)

    def place_handicap(self, points: Sequence[int]) -> None:
        """Black stones on an empty board, and White to move."""
        board = self.go()
        if not self.is_empty:
            raise GtpError("board not empty: handicap stones come first")
        vertices = [board.format_move(point) for point in points]
        start = Go.from_stones(black=vertices, to_move=1, size=board.size, komi=board.komi, superko=board.superko)
        self.set_up(start, handicap=len(points))

    # ---- playing

    def parse(self, text: str) -> int:
        """A move by its text, in the coordinates that are in use."""
        try:
            return self.dialect.parse(self.position, text)
        except IllegalMoveError as error:
            raise GtpError(f"syntax error: {error}") from None

    def format(self, move: int) -> str:
        return self.dialect.format(self.position, move)

    def turn_of(self, player: int) -> Position:
        """The position with this player to move.

        Go lets either player move at any time, and go on after two passes. In Othello the other player's pass is
        taken for granted where it is the only move. Otherwise it must be the player's turn.
        """
        position = self.position
        if isinstance(position, Go):
            is_ready = position.to_move == player and not position.is_over
            return position if is_ready else position.with_to_move(player)
        if position.is_over:
            raise GameStateError(f"the game is over: {position!r}")
        if position.to_move != player and position.game == Othello.game and position.legal_moves() == [PASS]:
            position = position.play(PASS)
        if position.is_over or position.to_move != player:
            raise GameStateError(f"it is the turn of {self.position.players[self.position.to_move]}")
        return position

    def play(self, player: int, move: int) -> Step:
        """Makes a move. Raises an error, and changes nothing, where the rules forbid it."""
        before = self.turn_of(player)
        step = Step(player=player, move=move, before=before, after=before.play(move))
        self._steps.append(step)
        return step

    def play_all(self, moves: Sequence[tuple[int, int]]) -> None:
        """Several moves, each a player and a move; all of them or none."""
        length = len(self._steps)
        try:
            for player, move in moves:
                self.play(player, move)
        except Exception:
            del self._steps[length:]
            raise

    def undo(self, count: int = 1) -> None:
        if count > len(self._steps):
            raise GtpError(f"cannot undo: {len(self._steps)} moves have been played")
        del self._steps[len(self._steps) - count :]
