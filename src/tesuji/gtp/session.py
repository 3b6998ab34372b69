"""One session at a board: the table, the player, and the line to the controller."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from tesuji.gtp.lines import Line, LineReader
from tesuji.gtp.player import Choice, Player
from tesuji.gtp.protocol import clean
from tesuji.gtp.table import Step, Table
from tesuji.gtp.thinker import FINAL, Settings, Thinker, run_slice

DEFAULT_LAG: Final = 0.05
DEFAULT_RESIGN: Final = 0.08

# GoGui's way to end a genmove: a comment, which is no command.
_INTERRUPT: Final = "# interrupt"
_PONDER_SECONDS: Final = 0.2


class Session:
    """What the commands work on. `write` takes text for the controller; `reader` gives its lines."""

    def __init__(
        self,
        table: Table,
        settings: Settings,
        *,
        reader: LineReader,
        write: Callable[[str], None],
        lag: float = DEFAULT_LAG,
        resign: float = DEFAULT_RESIGN,
    ) -> None:
        self.table = table
        self.thinker = Thinker(settings)
        self.player = Player(table, self.thinker, lag=lag, resign=resign)
        self.reader = reader
        self.write = write
        self.is_over = False
        self._may_ponder = False
        self._interrupted = False
        self._now: Line | None = None
        self._free_since = time.monotonic()

    # ---- lines

    def next_line(self) -> Line | None:
        """Waits for a line, and ponders meanwhile where it may."""
        self._free_since = time.monotonic()
        if self._may_ponder and self.thinker.settings.ponder:
            self._ponder()
        self._now = self.reader.next()
        return self._now

    @property
    def asked_at(self) -> float:
        """When the command that is being carried out came; or, where it had to wait for another, when that was done."""
        return self._free_since if self._now is None else max(self._now.arrived, self._free_since)

    def _ponder(self) -> None:
        position = self.table.position
        if position.is_over:
            return
        search = self.thinker.search_of(position)
        with self.reader.announcing(lambda _: self.thinker.stop()):
            while not self.reader.is_waiting():
                if run_slice(search, seconds=_PONDER_SECONDS).stopped_by in FINAL:
                    return

    # ---- the game

    def new_game(self) -> None:
        """After the board was cleared or set up."""
        self.thinker.forget()
        self.player.restart()
        self._may_ponder = False

    def rules_changed(self) -> None:
        self.thinker.forget()

    def play(self, player: int, move: int) -> Step:
        """A move that was told, or chosen."""
        step = self.table.play(player, move)
        self.thinker.follow(step)
        self._may_ponder = False
        return step

    def undo(self, count: int = 1) -> None:
        self.table.undo(count)
        self.thinker.forget()  # positions may be equal, and yet what came before them another
        self._may_ponder = False

    def choose(self, player: int, **how: Any) -> Choice:
        """The move that the player would make; only `# interrupt` ends the thought before its time."""
        self._interrupted = False
        with self.reader.announcing(self._look_for_interrupt):
            return self.player.choose(player, began=self.asked_at, stopped=lambda: self._interrupted, **how)

    def genmove(self, player: int, **how: Any) -> int | None:
        """Chooses a move, makes it, and takes the time for it; None to resign."""
        asked_at = self.asked_at
        choice = self.choose(player, **how)
        if choice.move is not None:
            self.play(player, choice.move)
            self._may_ponder = True
        self.player.spend(player, time.monotonic() - asked_at, planned=choice.planned_seconds)
        return choice.move

    def _look_for_interrupt(self, text: str | None) -> None:
        if text is not None and not clean(text) and text.strip().lower() == _INTERRUPT:
            self._interrupted = True
            self.thinker.stop()
