"""The end of a game of Go: status, counting, passing and resigning."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.go_boards import DEAD, SETTLED, SHARED_LIBERTIES
from tesuji import ArgumentError, Go
from tesuji.endgame import (
    can_pass,
    clean_up_moves,
    count_captures,
    final_score,
    final_status,
    should_pass,
    should_resign,
    stones_to_clean_up,
)
from tesuji.games.go import free_handicap_points, handicap_points

# An eye against an eye, with the one shared liberty C9: nobody gets a point for A9 and E9 under Japanese rules.
EYE_AGAINST_EYE = """
    . X . O . O X X .
    X X X O O O X . X
    O O X O X X X X X
    . O O X X O X X X
    O O O O O O X X X
    O . O O O O X X X
    O O O . O X X X X
    O O O O X X . X .
    O . O O X . X X X
"""
# From a game between two people, who agreed on B+4.5: H6 is dead, and most of the left is seki.
PLAYED_SEKI = """
    . O O O O X . . .
    O O . O O X . . .
    O X O O X X X X .
    O X X X O X . O .
    O O X O O X X . .
    O O X O X X . X X
    O X X O X O X . X
    X X O O O O O X X
    . X . O O . O X .
"""


# From games between people, too. E8 and, in the second, D2 are dead, though they have some room.
ROOM_TO_LIVE = """
    . . . . . . . . .
    . . . . X O O . .
    . . . O O X O . .
    O O O O X X O O .
    O X O X . X X O O
    X X O X . X . X O
    X . X X . . X . X
    . . . . . . . X .
    . . . . . . . . .
"""
MORE_ROOM_TO_LIVE = """
    . . . . . . . . .
    . . . . . . . . .
    . . X . X X X X .
    X X . X O O X . X
    X O X X X O O X X
    O O O O X O . O X
    . . O O X O . O X
    . . . X O O . O O
    . . . . . . . . .
"""
# Every playout knows who gets what, but J9 has still to be played.
ONE_POINT_LEFT = """
    O . O . . O O O .
    . O . O . . O X X
    O X O O O O . O X
    X X O . O . O O X
    . X X O O O X X .
    . . O X O X X X X
    . X O X O O X . .
    . . X X X O X . .
    . . . X . X . X .
"""


def board(text: str, komi: float = 7.5) -> Go:
    return Go.from_ascii(text, komi=komi)


def names(position: Go, points: frozenset[int]) -> set[str]:
    return {position.format_move(point) for point in points}


# ---- status


def test_every_stone_has_one_status() -> None:
    for text in (SETTLED, DEAD, SHARED_LIBERTIES, PLAYED_SEKI):
        position = board(text)
        status = final_status(position, seed=1)
        stones = [point for point, cell in enumerate(position.native.cells()) if cell != 2]
        assert sorted([*status.alive, *status.dead, *status.seki]) == stones


def test_dead_stones() -> None:
    position = board(DEAD)
    status = final_status(position, seed=1)
    assert names(position, status.dead) == {"B9", "A8", "B8", "C8", "B1"}
    assert not status.seki
    assert status.is_settled


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("text", "dead", "score"), [(ROOM_TO_LIVE, "E8", -4.5), (MORE_ROOM_TO_LIVE, "D2", -0.5)])
def test_dead_stones_with_some_room(text: str, dead: str, score: float, seed: int) -> None:
    position = board(text)
    status = final_status(position, seed=seed)
    assert names(position, status.dead) == {dead}
    assert final_score(position, dead=status.dead) == score


@pytest.mark.parametrize("seed", range(5))
def test_seki_with_shared_liberties(seed: int) -> None:
    position = board(SHARED_LIBERTIES)
    status = final_status(position, seed=seed)
    black, white = {"A9", "B9", "A8", "B8", "B7", "C7"}, {"D9", "E9", "D8", "E8", "D7"}
    assert names(position, status.seki) == black | white
    assert not status.dead
    assert status.is_settled


@pytest.mark.parametrize("seed", range(5))
def test_seki_of_an_eye_against_an_eye(seed: int) -> None:
    position = board(EYE_AGAINST_EYE)
    status = final_status(position, seed=seed)
    black, white = {"B9", "A8", "B8", "C8", "C7"}, {"D9", "F9", "D8", "E8", "F8", "D7"}
    assert names(position, status.seki) == black | white
    assert not status.dead - {position.parse_move(text) for text in ("D6", "E6", "F6")}


@pytest.mark.parametrize("seed", range(5))
def test_a_seki_between_people(seed: int) -> None:
    position = board(PLAYED_SEKI)
    status = final_status(position, seed=seed)
    assert position.parse_move("C5") in status.seki
    assert position.parse_move("D4") in status.seki
    assert names(position, status.dead) == {"H6"}
    assert final_score(position, dead=status.dead) == 4.5


def test_an_open_board_is_not_settled() -> None:
    assert not final_status(Go(9), seed=1).is_settled
    assert not final_status(Go(9).play("E5").play("C3"), seed=1).is_settled


def test_a_neutral_point_is_something_to_play_for() -> None:
    # The two walls of SETTLED, with a hole between them.
    lines = SETTLED.split("\n")
    lines[1] = "    . X . X . . O . ."
    assert not final_status(board("\n".join(lines)), seed=1).is_settled
    assert not final_status(board(ONE_POINT_LEFT), seed=1).is_settled
    assert final_status(board(SETTLED), seed=1).is_settled


def test_status_is_that_of_the_seed() -> None:
    position = Go(9).play("E5").play("C3").play("G4")
    assert final_status(position, seed=3) == final_status(position, seed=3)


@pytest.mark.parametrize("size", [13, 19])
def test_larger_boards(size: int) -> None:
    """Two walls, and behind Black's a white stone without a chance."""
    letters = "ABCDEFGHJKLMNOPQRST"[:size]
    rows = range(1, size + 1)
    black = [f"{letters[column]}{row}" for column in (size // 2 - 1, 1) for row in rows]
    white = [f"{letters[column]}{row}" for column in (size // 2, size - 2) for row in rows] + ["A2"]
    position = Go.from_stones(black=black, white=white, size=size)
    status = final_status(position, seed=1, playouts=200)
    assert names(position, status.dead) == {"A2"}
    assert final_score(position, dead=status.dead) == size * (size // 2) - size * (size - size // 2) - 7.5


# ---- counting


def test_area() -> None:
    assert final_score(board(SETTLED)) == 41 - 40 - 7.5
    position = board(DEAD)
    dead = final_status(position, seed=1).dead
    assert final_score(position, dead=dead) == 45 - 36 - 7.5
    assert final_score(position, rules="tromp-taylor", dead=dead) == position.score != 1.5


def test_territory_and_prisoners() -> None:
    position = board(SETTLED, komi=0.5)
    assert SETTLED.count(".") == 11 + 13
    assert final_score(position, rules="japanese") == 11 - 13 - 0.5
    assert final_score(position, rules="japanese", captures=(5, 2)) == 11 + 5 - 13 - 2 - 0.5


def test_dead_stones_are_prisoners() -> None:
    position = board(DEAD, komi=0)
    white_dead = {position.parse_move(text) for text in ("B9", "A8", "B8", "C8")}
    before = final_score(position, rules="japanese", dead=[position.parse_move("B1")])
    after = final_score(position, rules="japanese", dead=[*white_dead, position.parse_move("B1")])
    # White loses the eye A9; Black gains it, C9, the four points under the stones, and four prisoners.
    assert after - before == 1 + 2 + 4 + 4


def test_area_and_territory_agree_after_equally_many_moves() -> None:
    """The known theorem: they differ by what the players have put on the board, stones and prisoners."""
    position = board(SETTLED, komi=0)
    stones = [SETTLED.count("X"), SETTLED.count("O")]
    area = final_score(position)
    assert final_score(position, rules="japanese") == area - (stones[0] - stones[1])


def test_no_territory_in_seki() -> None:
    position = board(EYE_AGAINST_EYE, komi=0)
    status = final_status(position, seed=1)
    with_eyes = final_score(position, rules="japanese", dead=status.dead)
    without = final_score(position, rules="japanese", dead=status.dead, seki=status.seki)
    assert with_eyes == without, "an eye of each"
    black_only = {point for point in status.seki if position.native.cells()[point] == 0}
    assert final_score(position, rules="japanese", dead=status.dead, seki=black_only) == with_eyes - 1
    assert final_score(position, dead=status.dead, seki=black_only) == final_score(position, dead=status.dead)


@pytest.mark.parametrize(
    ("rules", "points"), [("chinese", 4), ("aga", 3), ("new-zealand", 0), ("tromp-taylor", 0), ("japanese", 0)]
)
def test_compensation_for_handicap(rules: str, points: int) -> None:
    position = board(SETTLED)
    even = final_score(position, rules=rules)
    assert final_score(position, rules=rules, handicap=4) == even - points
    assert final_score(position, rules=rules, handicap=0) == even


def test_unknown_rules() -> None:
    with pytest.raises(ArgumentError, match=r"no rules 'chinees'.*did you mean 'chinese'"):
        final_score(board(SETTLED), rules="chinees")


@pytest.mark.parametrize("point", [-1, 81, 999, "A1"])
def test_points_that_are_none(point: Any) -> None:
    with pytest.raises(ArgumentError, match="a point must be an integer from 0 to 80"):
        final_score(board(SETTLED), dead=[point])


def test_captures_are_counted() -> None:
    start = Go.from_stones(black=["A2", "B3"], white=["B2", "A1", "J9"], size=9)
    # Black takes one stone, then White one in the corner.
    moves = [start.parse_move(text) for text in ("C2", "H8", "B1", "pass", "J8", "H9")]
    assert count_captures(start, moves) == (2, 0)
    assert count_captures(start, moves[:2]) == (0, 0)
    assert count_captures(start, ()) == (0, 0)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 120))
def test_captures_and_stones_add_up(seed: int, plies: int) -> None:
    """Every stone that was played is on the board or a prisoner; and the area is that of the native count."""
    rng = random.Random(seed)
    start = position = Go(5, superko=False)
    moves: list[int] = []
    while len(moves) < plies and not position.is_over:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    played = [sum(move != start.pass_move for move in moves[player::2]) for player in (0, 1)]
    taken = count_captures(start, moves)
    cells = position.native.cells()
    assert [cells.count(player) for player in (0, 1)] == [played[0] - taken[1], played[1] - taken[0]]
    assert final_score(position, rules="tromp-taylor") == position.score


# ---- passing, cleaning up, resigning


def test_passes_when_nothing_is_left() -> None:
    position = board(SETTLED)
    status = final_status(position, seed=1)
    assert should_pass(position, status=status, score=final_score(position))
    open_board = Go(9)
    assert not should_pass(open_board, status=final_status(open_board, seed=1), score=-7.5)


def test_passes_after_a_pass_when_that_wins() -> None:
    position = Go(9).play("E5").play("pass")
    status = final_status(position, seed=1)
    assert not status.is_settled
    assert should_pass(position, status=status, score=3.5)
    assert not should_pass(position, status=status, score=-3.5)
    assert can_pass(position, score=3.5)
    assert not can_pass(Go(9), score=3.5), "nobody has passed"
    assert can_pass(Go(9).play("pass"), score=-7.5), "White is to move"


def test_dead_stones_are_captured_where_nobody_agrees_on_them() -> None:
    position = board(DEAD)
    status = final_status(position, seed=1)
    score = final_score(position, dead=status.dead)
    assert should_pass(position, status=status, score=score)
    assert not should_pass(position, status=status, score=score, clean_up=True)
    assert not should_pass(position, status=status, score=score, rules="tromp-taylor")
    assert names(position, stones_to_clean_up(position, status, player=0)) == {"B9", "A8", "B8", "C8"}
    assert names(position, stones_to_clean_up(position, status, player=1)) == {"B1"}


def test_clean_up_moves_capture_what_is_dead() -> None:
    position = board(DEAD)
    status = final_status(position, seed=1)
    assert {position.format_move(move) for move in clean_up_moves(position, status)} <= {"A9", "C9"}
    # Black goes on until nothing is left to capture, White passes.
    for _ in range(10):
        status = final_status(position, seed=1)
        if not stones_to_clean_up(position, status, player=0):
            break
        position = position.play(clean_up_moves(position, status)[0]).play("pass")
    assert position.native.cells()[position.parse_move("B8")] != 1
    assert should_pass(position, status=status, score=1.5, clean_up=True)


def test_resigns_when_hopeless() -> None:
    assert should_resign([0.5, 0.05, 0.04, 0.03])
    assert not should_resign([0.05, 0.04]), "too early to tell"
    assert not should_resign([0.05, 0.2, 0.03, 0.02])
    assert should_resign([0.2, 0.2], threshold=0.3, moves=2)
    assert not should_resign([0.0, 0.0, 0.0], threshold=0)
    with pytest.raises(ArgumentError, match="threshold"):
        should_resign([0.1], threshold=2)


# ---- handicap


@pytest.mark.parametrize("size", [9, 13, 19])
def test_free_handicap_is_the_fixed_one_up_to_nine(size: int) -> None:
    for count in range(2, 10):
        assert free_handicap_points(size, count) == handicap_points(size, count)


@pytest.mark.parametrize(("size", "count"), [(19, 13), (19, 360), (13, 25), (9, 20), (7, 9), (6, 2), (5, 24)])
def test_free_handicap_of_any_number(size: int, count: int) -> None:
    points = free_handicap_points(size, count)
    assert len(set(points)) == count
    position = Go(size)
    Go.from_stones(black=[position.format_move(point) for point in points], size=size, to_move=1)


def test_free_handicap_spreads() -> None:
    """On 19x19 the tenth to thirteenth stones go between the centre and the corners."""
    position = Go(19)
    added = free_handicap_points(19, 13)[9:]
    assert {position.format_move(point) for point in added} == {"G13", "N13", "G7", "N7"}


@pytest.mark.parametrize("count", [0, 1, 81])
def test_no_free_handicap_of(count: int) -> None:
    with pytest.raises(ArgumentError, match="free handicap must be an integer from 2 to 80"):
        free_handicap_points(9, count)
