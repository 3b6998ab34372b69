"""A player's clock: absolute time, Canadian overtime, byo-yomi, and how much of it a move may take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

#: The most seconds that a setting may have: some years.
MAX_SECONDS: Final = 1e8
MAX_STONES: Final = 100_000

# Kept in hand for what nobody foresees on a loaded machine: so many seconds, or this part of the time where it is less.
_RESERVE_SECONDS: Final = 0.5
_RESERVE_SHARE: Final = 0.05

# A move whose root is unstable may take so many times what it was given.
_EXTENSION: Final = 2.0


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """Seconds for one move: what to spend, and what may be spent where the root is unstable."""

    target: float
    limit: float


@dataclass(frozen=True, kw_only=True)
class TimeSettings:
    """How long a game may take.

    After `main` seconds, `canadian` grants a `period` for every so many `stones`, and `byoyomi` a period for every
    move, of which all but the last of the `periods` may be used up for good.
    """

    kind: Literal["none", "absolute", "canadian", "byoyomi"] = "none"
    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    periods: int = 0

    @property
    def share(self) -> float:
        """What overtime grants for one move."""
        if self.kind == "canadian":
            return self.period / self.stones
        return self.period if self.kind == "byoyomi" else 0.0


NO_LIMIT: Final = TimeSettings()


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What is left, as GTP's `time_left` says it.

    While `count` is 0 the main time runs. Then it is the number of stones to be played within `seconds`, or with
    byo-yomi the number of periods of which the first has `seconds` left.
    """

    settings: TimeSettings
    seconds: float
    count: int = 0

    @classmethod
    def begin(cls, settings: TimeSettings) -> Clock:
        clock = cls(settings=settings, seconds=settings.main)
        return clock if settings.main > 0 else clock._in_overtime(0.0)

    def set_left(self, seconds: float, count: int) -> Clock:
        return replace(self, seconds=seconds, count=count)

    def after_move(self, spent: float) -> Clock:
        """The clock when a move has taken so long, for a controller that does not tell."""
        if self.settings.kind == "none":
            return self
        if self.count == 0:
            left = self.seconds - spent
            return replace(self, seconds=left) if left > 0 else _counted(self._in_overtime(-left))
        return _counted(replace(self, seconds=self.seconds - spent))

    def _in_overtime(self, overdue: float) -> Clock:
        """At the beginning of overtime, of which so much is gone; without overtime, nothing is left."""
        settings = self.settings
        count = settings.stones or settings.periods
        return replace(self, seconds=settings.period - overdue if count else 0.0, count=count)

    def allowance(self, *, moves_left: int, lag: float, kept: float = 0.0) -> Allowance | None:
        """What the next move may take, when so many are still to come; None without a limit.

        `lag` is lost with every move on its way to and from the board. `kept` seconds stay in hand where no overtime
        comes after them.
        """
        settings = self.settings
        if settings.kind == "none":
            return None
        in_main = self.count == 0
        # Time that is lost unless it is used now: a period of byo-yomi.
        granted = settings.share if in_main else 0.0
        reserve = _reserve(settings.main if in_main else settings.period)
        bank = max(0.0, self.seconds - reserve - (kept if settings.kind == "absolute" else 0.0))
        if in_main:
            target = max(bank / max(1, moves_left), granted)
            most = bank + granted - (_reserve(granted) if granted else 0.0)
        elif settings.kind == "byoyomi":
            target = most = bank
        else:
            target = bank / self.count
            most = bank if self.count == 1 else bank / 2
        return _allowance(target - lag, most - lag)


def _counted(clock: Clock) -> Clock:
    """In overtime, after a move."""
    settings = clock.settings
    if settings.kind == "canadian":
        if clock.count <= 1:
            return replace(clock, seconds=settings.period, count=settings.stones)
        return replace(clock, count=clock.count - 1)
    if settings.kind == "byoyomi":
        lost = 0 if clock.seconds >= 0 else int(-clock.seconds // max(settings.period, 1e-9)) + 1
        return replace(clock, seconds=settings.period, count=max(1, clock.count - lost))
    return clock


def _reserve(seconds: float) -> float:
    return min(_RESERVE_SECONDS, _RESERVE_SHARE * max(0.0, seconds))


def _allowance(target: float, most: float) -> Allowance:
    limit = max(0.0, min(_EXTENSION * target, most))
    return Allowance(target=max(0.0, min(target, limit)), limit=limit)
