"""check_game: for each kind of problem a game that has it, and games that have none."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tesuji
from tesuji.games import GAMES, make_game


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
    (Sticks, "Sticks is a class: give a position, Sticks()"),
    (object(), "there is no to_move, is_over, legal_moves, play, outcome"),
    (None, "there is no to_move"),
)


@pytest.mark.parametrize(("game", "words"), BROKEN, ids=lambda value: getattr(value, "__name__", type(value).__name__))
def test_says_what_is_wrong(game: Any, words: str) -> None:
    check = tesuji.check_game(game, max_plies=300)
    assert not check.ok
    assert len(check.problems) == 1, check.problems
    assert words in check.problems[0]
    assert words in str(check)


def test_the_moves_lead_to_the_problem() -> None:
    (problem,) = tesuji.check_game(RaisesInPlay()).problems
    position: Any = RaisesInPlay()
    for move in problem.partition("moves: ")[2].rstrip(")").split():
        position = position.play(int(move))
    with pytest.raises(KeyError):
        position.play(3)


@pytest.mark.parametrize("game", [Sticks(), Equal(), Dice()], ids=lambda game: type(game).__name__)
def test_nothing_is_wrong_with_a_good_game(game: Any) -> None:
    check = tesuji.check_game(game, games=7)
    assert check.ok, str(check)
    assert check.games == 7
    assert "7 random games" in str(check)
    assert "nothing is wrong" in str(check)


def test_lengths_and_widths() -> None:
    """Nine sticks are gone after 3 to 9 moves; three ways to take, fewer at the end."""
    check = tesuji.check_game(Sticks(), games=200)
    assert 3 <= check.mean_length <= 9
    assert 2 < check.mean_branching < 3


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_package_passes(name: str) -> None:
    check = tesuji.check_game(make_game(name), games=3)
    assert check.ok, str(check)
    assert not check.remarks


class Cached(Sticks):
    """An answer is remembered in an attribute that comes later: nothing that counts has changed."""

    def legal_moves(self) -> Any:
        if not hasattr(self, "moves"):
            self.moves = super().legal_moves()
        return self.moves


@dataclass(frozen=True)
class Stone:
    owner: int = 0


class Piece:
    """Without equality: copies of it differ only for Python."""


class ManyThings(Sticks):
    def __init__(self, left: int = 9, to_move: int = 0) -> None:
        super().__init__(left, to_move)
        self.board = np.arange(4)
        self.pieces = [Piece(), {"a": Piece()}, {Piece()}, (Stone(), Stone(1))]


@dataclass
class ArrayInside:
    """Its equality raises, as that of every dataclass with an array."""

    left: int = 4
    to_move: int = 0
    board: Any = field(default_factory=lambda: np.zeros(3))

    is_over = property(lambda self: self.left == 0)

    def legal_moves(self) -> list[int]:
        return [1]

    def play(self, move: int) -> ArrayInside:
        return ArrayInside(self.left - move, 1 - self.to_move)

    def outcome(self) -> tuple[float, float]:
        return (1.0, 0.0) if self.left % 2 else (0.0, 1.0)


@pytest.mark.parametrize("game", [Cached(), ManyThings(), ArrayInside()], ids=lambda game: type(game).__name__)
def test_no_false_alarm(game: Any) -> None:
    check = tesuji.check_game(game)
    assert check.ok, str(check)


def test_remarks_are_no_problems() -> None:
    class Local(Sticks):
        def legal_moves(self) -> Any:
            return set(super().legal_moves())

        def play(self, move: int) -> Any:
            return type(self)(self.left - move, 0)

        def outcome(self) -> Any:
            return (1.0, 0.0)

    check = tesuji.check_game(Local())
    assert check.ok
    remarks = "\n".join(check.remarks)
    assert "cannot be pickled" in remarks
    assert "gives a set" in remarks
    assert "player 1 never moved" in remarks
    assert "every game had the outcome (1.0, 0.0)" in remarks
    assert "remark: " in str(check)


def test_equality_that_raises_is_a_remark() -> None:
    check = tesuji.check_game(ArrayInside())
    assert check.ok
    assert check.remarks[0].startswith("positions cannot be compared: == raised ValueError")


def test_a_game_that_is_over_at_its_start() -> None:
    check = tesuji.check_game(Sticks(0))
    assert check.ok
    assert "the game is over at its start" in check.remarks


def test_the_same_seed_finds_the_same() -> None:
    checks = [tesuji.check_game(Sticks(), seed=seed) for seed in (1, 1, 2)]
    assert checks[0] == checks[1]
    assert checks[0] != checks[2]


@pytest.mark.parametrize("name", ["games", "max_plies"])
def test_arguments_are_checked(name: str) -> None:
    arguments: dict[str, Any] = {name: 0}
    with pytest.raises(tesuji.ArgumentError, match=name):
        tesuji.check_game(Sticks(), **arguments)


def test_ctrl_c_ends_a_check() -> None:
    class Interrupted(Sticks):
        def outcome(self) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tesuji.check_game(Interrupted())


def test_a_long_game_takes_no_minutes() -> None:
    """A position that remembers its past cannot be copied when that is long, and is still checked."""

    class Long(Sticks):
        past: Any = None

        def play(self, move: int) -> Any:
            following = super().play(1)
            following.past = self
            return following

    check = tesuji.check_game(Long(5_000), games=1)
    assert check.ok, str(check)
    assert check.mean_length == 5_000


def test_a_compiled_game_with_chance() -> None:
    numba = pytest.importorskip("numba")

    @numba.cfunc("int32(CPointer(int64), CPointer(int32))")  # type: ignore[untyped-decorator]
    def legal_moves(state: Any, moves: Any) -> Any:
        moves[0] = 1
        moves[1] = 0
        return 2

    @numba.cfunc("void(CPointer(int64), int32)")  # type: ignore[untyped-decorator]
    def play(state: Any, move: Any) -> None:
        state[0] += 1
        state[1] += move

    @numba.cfunc("int32(CPointer(int64), CPointer(float64))")  # type: ignore[untyped-decorator]
    def status(state: Any, rewards: Any) -> Any:
        if state[0] < 4:
            return -1 if state[0] % 2 else 0
        rewards[0] = state[1]
        return -2

    def compiled(shares: tuple[float, float]) -> tesuji.CompiledGame:
        one, zero = shares

        @numba.cfunc("void(CPointer(int64), CPointer(float64))")  # type: ignore[untyped-decorator]
        def probabilities(state: Any, written: Any) -> None:
            written[0] = one
            written[1] = zero

        return tesuji.CompiledGame(
            np.zeros(2, dtype=np.int64), legal_moves=legal_moves, play=play, status=status,
            probabilities=probabilities, num_moves=2, num_players=1, reward_range=(0, 4),
        )  # fmt: skip

    game = compiled((0.75, 0.25))
    assert tesuji.check_game(game).ok
    # In the order of legal_moves(), which is not that of the functions.
    assert game.play(0).chance_probabilities() == [0.25, 0.75]
    with pytest.raises(tesuji.GameStateError):
        game.chance_probabilities()
    assert "chance decides" in str(game.play(0))
    assert "over, with the rewards 4" in str(game.play(1).play(1).play(1).play(1))
    wrong = compiled((0.75, 0.75))
    with pytest.raises(tesuji.GameError, match=r"add up to 1\.5"):
        wrong.play(0).chance_probabilities()
    (problem,) = tesuji.check_game(wrong).problems
    assert "add up to 1.5" in problem
