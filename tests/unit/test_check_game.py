"""check_game: for each kind of problem a game that has it, and games that have none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.unit.broken_games import BROKEN, Dice, Equal, RaisesInPlay, Sticks
from tesuji.games import GAMES, make_game


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


def test_a_name_that_raises_is_not_needed() -> None:
    class Nameless(Sticks):
        @property
        def game(self) -> str:
            raise ZeroDivisionError

    check = tesuji.check_game(Nameless())
    assert check.ok
    assert check.game == "Nameless"


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
