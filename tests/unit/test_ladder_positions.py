"""The long ladders among the positions, read to their ends by the rules of the game alone."""

from __future__ import annotations

from pathlib import Path

from tesuji import Go
from tesuji.regress.files import read_problems

POSITIONS = Path(__file__).parents[2] / "experiments" / "positions"
COLUMNS = "ABCDEFGHJKLMNOPQRST"
BLACK, EMPTY = 0, 2

Point = tuple[int, int]
Chain = tuple[set[Point], set[Point]]


def point(position: Go, name: str) -> Point:
    return position.size - int(name[1:]), COLUMNS.index(name[0])


def neighbours(position: Go, place: Point) -> list[Point]:
    row, column = place
    around = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    return [(row, column) for row, column in around if 0 <= row < position.size and 0 <= column < position.size]


def chain_at(position: Go, stone: Point) -> Chain:
    """Its stones and its liberties."""
    cells = position.cells()
    stones, liberties, todo = {stone}, set(), [stone]
    while todo:
        for place in neighbours(position, todo.pop()):
            if cells[place] == EMPTY:
                liberties.add(place)
            elif cells[place] == cells[stone] and place not in stones:
                stones.add(place)
                todo.append(place)
    return stones, liberties


def after(position: Go, place: Point) -> Go | None:
    move = f"{COLUMNS[place[1]]}{position.size - place[0]}"
    return position.play(move) if position.is_legal(move) else None


def attacked(position: Go, stone: Point) -> int | None:
    """The moves until White's stone is captured by atari after atari, Black to move; None where it gets away."""
    liberties = chain_at(position, stone)[1]
    if len(liberties) == 1:
        return 1
    if len(liberties) > 2:
        return None
    for place in sorted(liberties):
        following = after(position, place)
        moves = None if following is None else defended(following, stone)
        if moves is not None:
            return moves + 1
    return None


def defended(position: Go, stone: Point) -> int | None:
    """The same with White to move, who runs, or takes stones that are in atari themselves."""
    stones, tries = chain_at(position, stone)
    if len(tries) > 1:
        return None
    cells = position.cells()
    for place in {place for one in stones for place in neighbours(position, one) if cells[place] == BLACK}:
        last = chain_at(position, place)[1]
        if len(last) == 1:
            tries = tries | last
    longest = 0
    for following in filter(None, (after(position, place) for place in tries)):
        moves = attacked(following, stone)
        if moves is None:
            return None
        longest = max(longest, moves + 1)
    return longest


def test_long_ladders_work_from_the_right_side_only() -> None:
    problems = [problem for problem in read_problems([POSITIONS / "blind-spots.jsonl"]) if problem.suite == "ladder"]
    lengths = []
    for problem in problems:
        assert problem.setup is not None
        position = problem.setup.start
        assert isinstance(position, Go)
        stone = point(position, "D4")
        lengths.append(1 + (defended(position.play("D5"), stone) or 0))
        moves = [position.format_move(move) for move in position.legal_moves()]
        assert [move for move in moves if problem.expected.is_met(move)] == ["D5"]
        others = [position.play(move).play("D5") for move in moves if move != "D5"]
        assert all(attacked(other, stone) is None for other in others)  # it gets out there, whatever Black did before
    assert lengths == [35, 59]
