"""Small games in plain Python, for the tests of the search over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import tesuji


@dataclass(frozen=True)
class Heap:
    """Take one to three stones in turn; who takes the last wins. Moves are words."""

    stones: int = 6
    to_move: int = 0

    WORDS = ("one", "two", "three")

    @property
    def is_over(self) -> bool:
        return self.stones == 0

    def legal_moves(self) -> list[str]:
        return list(self.WORDS[: self.stones])

    def play(self, move: str) -> Heap:
        return replace(self, stones=self.stones - 1 - self.WORDS.index(move), to_move=1 - self.to_move)

    def outcome(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.to_move == 0 else (1.0, 0.0)


@dataclass(frozen=True)
class Dice:
    """One player throws a die as often as it likes, and stops; a one loses everything. Rewards are 0 to 20."""

    total: int = 0
    to_move: int = 0
    is_over: bool = False

    num_players = 1
    reward_range = (0, 20)

    def legal_moves(self) -> list[Any]:
        return [1, 2, 3, 4, 5, 6] if self.to_move == tesuji.CHANCE else ["throw", "stop"]

    def chance_probabilities(self) -> list[float]:
        return [1 / 6] * 6

    def play(self, move: Any) -> Dice:
        if self.to_move == 0:
            return replace(self, to_move=tesuji.CHANCE) if move == "throw" else replace(self, is_over=True)
        if move == 1:
            return Dice(0, 0, True)
        total = min(self.total + move, 20)
        return Dice(total, 0, total == 20)

    def outcome(self) -> tuple[float]:
        return (float(self.total),)


@dataclass(frozen=True)
class Auction:
    """Three players in turn name a number that nobody has named; each gets it, less what the last one named."""

    named: tuple[int, ...] = ()

    num_players = 3
    reward_range = (-3.0, 3.0)

    @property
    def to_move(self) -> int:
        return len(self.named)

    @property
    def is_over(self) -> bool:
        return len(self.named) == 3

    def legal_moves(self) -> list[tuple[str, int]]:
        return [("bid", number) for number in range(4) if number not in self.named]

    def play(self, move: tuple[str, int]) -> Auction:
        return Auction((*self.named, move[1]))

    def outcome(self) -> list[float]:
        first, second, third = self.named
        return [first - third, second - first, third - second]


@dataclass(frozen=True)
class Corridor:
    """One player walks to the end, `length` steps away, or back; with `wide` there are many ways to make a step."""

    length: int = 10_000
    wide: int = 1
    steps: int = 0

    num_players = 1
    to_move = 0

    @property
    def is_over(self) -> bool:
        return self.steps == self.length

    def legal_moves(self) -> range:
        return range(self.wide)

    def play(self, move: int) -> Corridor:
        return replace(self, steps=self.steps + 1)

    def outcome(self) -> list[float]:
        return [1.0]
