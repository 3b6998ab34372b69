"""Capturing races by brute force: plain, and written without a look at how the solver does it.

Every position that can be reached is listed, with all legal moves of the whole board and with passes; then the
positions from which a side forces a capture are found from the end backwards. The rules of a race: the first capture
of one of its chains decides it; two passes in a row end it with both sides on the board; with `rich` to move a ko may
be taken back at once, the other side may not.

Boards are sets of points as bits of a number, so that a whole chain grows in a step.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

OUTCOMES = ("black", "white", "seki", "ko", "unknown")


class TooManyPositionsError(Exception):
    """The race is too large for brute force."""


class State(NamedTuple):
    stones: tuple[int, int]  # Black's and White's
    ko: int  # the point that must not be taken, as a set, or 0
    mover: int
    passes: int


class Board:
    """The geometry of a square board."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.all = (1 << size * size) - 1
        self.not_left = sum(self.all & (1 << row * size + column) for row in range(size) for column in range(1, size))
        self.not_right = sum(self.all & (1 << row * size + column) for row in range(size) for column in range(size - 1))

    def around(self, points: int) -> int:
        """The neighbours of all these points, some of the points themselves among them."""
        sideways = (points & self.not_left) >> 1 | (points & self.not_right) << 1
        return (sideways | points >> self.size | points << self.size) & self.all

    def chain(self, stone: int, stones: int) -> int:
        chain = stone
        while (grown := (chain | self.around(chain)) & stones) != chain:
            chain = grown
        return chain

    def play(self, state: State, point: int) -> State | None:
        """None where the point is taken or the move would be a suicide."""
        taken = state.stones[0] | state.stones[1]
        if point & taken:
            return None
        own, enemy = state.stones[state.mover] | point, state.stones[1 - state.mover]
        captured, near = 0, self.around(point) & enemy
        while near:
            chain = self.chain(near & -near, enemy)
            near &= ~chain
            if not self.around(chain) & ~(own | enemy):
                captured |= chain
        enemy &= ~captured
        chain = self.chain(point, own)
        liberties = self.around(chain) & ~(own | enemy)
        if not liberties:
            return None
        is_ko = captured.bit_count() == 1 and chain == point and liberties == captured
        stones = (own, enemy) if state.mover == 0 else (enemy, own)
        return State(stones, captured if is_ko else 0, 1 - state.mover, 0)


class _Graph:
    """All that can follow from some states. A state that is over has the winner, or None for both sides."""

    def __init__(self, board: Board, roots: list[State], race: tuple[int, int], rich: int, most: int) -> None:
        self.winners: dict[State, int | None] = {}
        self.before: dict[State, list[State]] = {}
        self.left: dict[State, int] = {}
        front = deque(roots)
        seen = set(roots)
        while front:
            state = front.popleft()
            if state.passes == 2:
                self.winners[state] = None
                continue
            if any(race[colour] & ~state.stones[colour] for colour in (0, 1)):
                self.winners[state] = 1 - state.mover
                continue
            following = {State(state.stones, 0, 1 - state.mover, state.passes + 1)}
            empty = board.all & ~(state.stones[0] | state.stones[1])
            while empty:
                point = empty & -empty
                empty ^= point
                if (state.mover == rich or point != state.ko) and (after := board.play(state, point)):
                    following.add(after)
            self.left[state] = len(following)
            for after in following:
                self.before.setdefault(after, []).append(state)
                if after not in seen:
                    seen.add(after)
                    front.append(after)
            if len(seen) > most:
                raise TooManyPositionsError

    def won_by(self, attacker: int) -> set[State]:
        """All states from which the attacker forces a capture."""
        won = {state for state, winner in self.winners.items() if winner == attacker}
        left = dict(self.left)
        front = deque(won)
        while front:
            for state in self.before.get(front.popleft(), ()):
                if state in won:
                    continue
                left[state] -= 1
                if state.mover == attacker or left[state] == 0:
                    won.add(state)
                    front.append(state)
        return won


def outcomes(board: Board, start: State, race: tuple[int, int], *, most: int = 100_000) -> tuple[str, str]:
    """The outcome when Black moves first, and when White does; a ko is forbidden to the one whose turn it is."""
    roots = [start._replace(mover=first, ko=start.ko if start.mover == first else 0, passes=0) for first in (0, 1)]
    found: list[list[str]] = [[], []]
    for rich in (0, 1):
        graph = _Graph(board, roots, race, rich, most)
        black, white = graph.won_by(0), graph.won_by(1)
        for first, root in enumerate(roots):
            found[first].append("black" if root in black else "white" if root in white else "seki")
    black_first, white_first = (one if one == two else "ko" for one, two in found)
    return black_first, white_first
