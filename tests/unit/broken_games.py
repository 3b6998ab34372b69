"""A good game without equality, one with it, one with dice; and for each kind of problem a game that has it."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from typing import Any

import numpy as np

import tesuji


class Sticks:
    """Take one to three of the sticks; who takes the last one wins. Without equality, as most first games are."""

    def __init__(self, left: int = 9, to_move: int = 0) -> None:
        self.left = left
        self.to_move: Any = to_move

    @property
    def is_over(self) -> Any:
        return self.left == 0

    def legal_moves(self) -> Any:
        return list(range(1, min(3, self.left) + 1))

    def play(self, move: Any) -> Any:
        return type(self)(self.left - move, 1 - self.to_move)

    def outcome(self) -> Any:
        return (float(self.to_move), 1.0 - self.to_move)


class RaisesInPlay(Sticks):
    def play(self, move: int) -> Sticks:
        if self.left == 4 and move == 3:
            raise KeyError("no such stick")
        return type(self)(self.left - move, 1 - self.to_move)


class ChangesItsInput(Sticks):
    def play(self, move: int) -> Sticks:
        self.left -= move
        return type(self)(self.left, 1 - self.to_move)


class ReturnsItself(Sticks):
    def play(self, move: int) -> Sticks:
        self.left -= move
        self.to_move = 1 - self.to_move
        return self


class CannotBeCopied(ReturnsItself):
    """Only its moves show the change."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        raise TypeError("cannot be copied")


class ChangesASharedList(Sticks):
    """The moves stay the same, so only the copy shows the change."""

    def __init__(self, left: int = 9, to_move: int = 0, taken: list[int] | None = None) -> None:
        super().__init__(left, to_move)
        self.taken = [] if taken is None else taken

    def play(self, move: int) -> Sticks:
        self.taken.append(move)
        return type(self)(self.left - move, 1 - self.to_move, self.taken)


class ChangesADictionary(ChangesASharedList):
    def __init__(self, left: int = 9, to_move: int = 0, taken: Any = None) -> None:
        super().__init__(left, to_move)
        self.taken: Any = {} if taken is None else taken

    def play(self, move: int) -> Sticks:
        self.taken[self.left] = move
        return type(self)(self.left - move, 1 - self.to_move, self.taken)


class ChangesAnArray(Sticks):
    def __init__(self, left: int = 9, to_move: int = 0, board: Any = None) -> None:
        super().__init__(left, to_move)
        self.board = np.zeros(10) if board is None else board

    def play(self, move: int) -> Sticks:
        self.board[self.left] = move
        return type(self)(self.left - move, 1 - self.to_move, self.board)


class NeverEnds(Sticks):
    def play(self, move: int) -> Sticks:
        return type(self)(9, 1 - self.to_move)


class TooFewRewards(Sticks):
    def outcome(self) -> Any:
        return (1.0,)


class RewardsOutOfRange(Sticks):
    def outcome(self) -> Any:
        return (-1.0, 1.0)


class RewardsThatAreNone(Sticks):
    def outcome(self) -> Any:
        return None


@dataclass(frozen=True)
class Equal:
    """A counting game with equality."""

    left: int = 6
    to_move: int = 0

    @property
    def is_over(self) -> bool:
        return self.left == 0

    def legal_moves(self) -> list[int]:
        return [1, 2] if self.left > 1 else [1]

    def play(self, move: int) -> Any:
        return type(self)(self.left - move, 1 - self.to_move)

    def outcome(self) -> tuple[float, float]:
        return (0.0, 1.0)


class HashDisagrees(Equal):
    def __hash__(self) -> int:
        return id(self)


class EqualThoughDifferent(Equal):
    """Equality forgets how many are left."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal) and other.to_move == self.to_move

    def __hash__(self) -> int:
        return hash(self.to_move)


class NeverEqual(Equal):
    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = Equal.__hash__


class DuplicateMoves(Sticks):
    def legal_moves(self) -> Any:
        return [1, *super().legal_moves()]


class UnhashableMoves(Sticks):
    def legal_moves(self) -> Any:
        return [[1]]


class MovesOfOneText(Sticks):
    def format_move(self, move: int) -> str:
        return "take"


class OverAsMethod(Sticks):
    def is_over(self) -> bool:
        return self.left == 0


class ToMoveAsMethod(Sticks):
    def __init__(self, left: int = 9, to_move: int = 0) -> None:
        self.left = left

    def to_move(self) -> int:
        return 0


class NoMovesBeforeTheEnd(Sticks):
    def legal_moves(self) -> Any:
        return [] if self.left < 3 else super().legal_moves()


class ToMoveOutOfRange(Sticks):
    def play(self, move: int) -> Sticks:
        return type(self)(self.left - move, self.to_move + 1)


class ToMoveIsText(Sticks):
    def __init__(self, left: int = 9, to_move: int = 0) -> None:
        self.left, self.to_move = left, "white"


class PlayReturnsNone(Sticks):
    def play(self, move: int) -> Any:
        return None


class PlayReturnsNumber(Sticks):
    def play(self, move: int) -> Any:
        return self.left - move


class MovesDifferWhenAskedTwice(Sticks):
    asked = itertools.count()

    def legal_moves(self) -> Any:
        return super().legal_moves()[:: 1 if next(self.asked) % 2 else -1]


class DiceInPlay(Sticks):
    def play(self, move: int) -> Sticks:
        return type(self)(max(0, self.left - random.randint(1, 3)), 1 - self.to_move)


class LegalMovesRaise(Sticks):
    def legal_moves(self) -> Any:
        raise RuntimeError("not written yet")


class ToMoveRaisesAttributeError(Sticks):
    def __init__(self, left: int = 9, to_move: int = 0) -> None:
        self.left = left

    @property
    def to_move(self) -> int:
        return self.colour  # type: ignore[attr-defined, no-any-return]


class ManyPlayers(Sticks):
    num_players = 9


class RangeUpsideDown(Sticks):
    reward_range = (1.0, 0.0)


class RangeThatChanges(Sticks):
    @property
    def reward_range(self) -> tuple[float, float]:
        return (0.0, float(self.left + 1))


class Dice(Sticks):
    """Chance takes one or two after each player."""

    def __init__(self, left: int = 9, to_move: int = 0, following: int = 1) -> None:
        super().__init__(left, to_move)
        self.following = following

    def legal_moves(self) -> Any:
        return [1, 2] if self.to_move == tesuji.CHANCE else super().legal_moves()

    def chance_probabilities(self) -> Any:
        return [0.25, 0.75]

    def play(self, move: int) -> Sticks:
        if self.to_move == tesuji.CHANCE:
            return type(self)(max(0, self.left - move), self.following)
        return type(self)(self.left - move, tesuji.CHANCE, 1 - self.to_move)

    def outcome(self) -> Any:
        return (0.5, 0.5)


class TooFewProbabilities(Dice):
    def chance_probabilities(self) -> Any:
        return [1.0]


class ProbabilitiesDoNotAddUp(Dice):
    def chance_probabilities(self) -> Any:
        return [0.25, 0.25]


class NegativeProbability(Dice):
    def chance_probabilities(self) -> Any:
        return [-0.5, 1.5]


class NoProbabilities(Dice):
    chance_probabilities = property()  # raises AttributeError


class PlayIsNoMethod(Sticks):
    play = 3  # type: ignore[assignment]


class AttributesRaise(Sticks):
    def __getattr__(self, name: str) -> Any:
        raise (AttributeError if name.startswith("__") else ZeroDivisionError)(f"of {name}")


class MovesThatCannotBeCompared(Sticks):
    class Move:
        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            raise ZeroDivisionError("of a move")

        def __repr__(self) -> str:
            raise ZeroDivisionError("of its text")

    def legal_moves(self) -> Any:
        return [self.Move(), self.Move()]


# What is wrong, and the words that must be said of it.
BROKEN: tuple[tuple[Any, str], ...] = (
    (RaisesInPlay(), "play(3), a legal move, raised KeyError: 'no such stick' (after"),
    (ChangesItsInput(), "changed the position that it was asked of"),
    (ReturnsItself(), "changed the position that it was asked of"),
    (CannotBeCopied(), "changed the position that it was asked of"),
    (ChangesASharedList(), "changed the position that it was asked of"),
    (ChangesADictionary(), "changed the position that it was asked of"),
    (ChangesAnArray(), "changed the position that it was asked of"),
    (NeverEnds(), "had not ended after 300 moves"),
    (TooFewRewards(), "outcome() has 1 rewards for 2 players"),
    (RewardsOutOfRange(), "outcome() is [-1.0, 1.0], not within 0 and 1; a game with other rewards has reward_range"),
    (RewardsThatAreNone(), "outcome() raised TypeError"),
    (HashDisagrees(), "two equal positions have different hashes"),
    (EqualThoughDifferent(), "equal positions have different moves or players to move"),
    (NeverEqual(), "not equal to a copy of itself"),
    (DuplicateMoves(), "legal_moves() has the move 1 2 times"),
    (UnhashableMoves(), "the move [1] is not hashable"),
    (MovesOfOneText(), "2 and 1 have the same text, 'take'"),
    (OverAsMethod(), "is_over is a method"),
    (ToMoveAsMethod(), "to_move is a method"),
    (NoMovesBeforeTheEnd(), "legal_moves() is empty, though is_over is false"),
    (ToMoveOutOfRange(), "to_move is 2: it must be 0 to 1, or tesuji.CHANCE (after 2 moves:"),
    (ToMoveIsText(), "to_move is 'white'"),
    (PlayReturnsNone(), "returned None"),
    (PlayReturnsNumber(), "which has no to_move, is_over, legal_moves, play, outcome"),
    (MovesDifferWhenAskedTwice(), "legal_moves(), asked twice, answers differently"),
    (DiceInPlay(), "asked twice, leads to different positions: where dice decide, to_move is tesuji.CHANCE"),
    (LegalMovesRaise(), "legal_moves() raised RuntimeError: not written yet (at the start)"),
    (ToMoveRaisesAttributeError(), "to_move raised AttributeError"),
    (ManyPlayers(), "num_players must be a number from 1 to 8, not 9"),
    (RangeUpsideDown(), "low below high"),
    (RangeThatChanges(), "num_players or reward_range changed in the game"),
    (TooFewProbabilities(), "chance_probabilities() has 1 numbers for 2 legal moves"),
    (ProbabilitiesDoNotAddUp(), "add up to 1, not to 0.5"),
    (NegativeProbability(), "must be from 0 to 1"),
    (NoProbabilities(), "there is no chance_probabilities()"),
    (PlayIsNoMethod(), "play must be a method"),
    (AttributesRaise(), "ZeroDivisionError: of num_players"),
    (MovesThatCannotBeCompared(), "a look at the position or its moves raised ZeroDivisionError: of a move"),
    (Sticks, "Sticks is a class: give a position, Sticks()"),
    (object(), "there is no to_move, is_over, legal_moves, play, outcome"),
    (None, "there is no to_move"),
)
