"""Pig, a race with a die: the search's values beside the exact ones.

In a turn a player rolls as often as it likes and adds the eyes; with a 1 the turn is over and its points are gone. Who
holds keeps the points. The first to hold at the target or above wins.

Two games are made of it: the race of two, and a single turn of one player who wants as many points as can be expected.

    python examples/pig.py
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

import tesuji

ROLL, HOLD = "roll", "hold"


@dataclass(frozen=True)
class Pig:
    target: int = 10
    scores: tuple[int, int] = (0, 0)
    turn: int = 0  # points of this turn so far
    player: int = 0
    is_rolling: bool = False

    @property
    def to_move(self):
        return tesuji.CHANCE if self.is_rolling else self.player

    @property
    def is_over(self):
        return max(self.scores) >= self.target

    def legal_moves(self):
        if self.is_rolling:
            return [1, 2, 3, 4, 5, 6]
        if self.scores[self.player] + self.turn >= self.target:
            return [HOLD]
        return [ROLL, HOLD] if self.turn else [ROLL]

    def chance_probabilities(self):
        return [1 / 6] * 6

    def play(self, move):
        if move == ROLL:
            return replace(self, is_rolling=True)
        if move in (HOLD, 1):
            scores = list(self.scores)
            scores[self.player] += self.turn if move == HOLD else 0
            return Pig(self.target, tuple(scores), 0, 1 - self.player)
        return replace(self, turn=self.turn + move, is_rolling=False)

    def outcome(self):
        winner = int(self.scores[1] >= self.target)
        return 1.0 - winner, float(winner)


def choices(wins, own, other, turn):
    """How often the player to move wins with each choice, by the table `wins[own score, other's, turn's points]`."""

    def after(own, other, turn):
        return 1.0 if own + turn >= len(wins) else wins[own, other, turn]

    lost_turn = 1 - wins[other, own, 0]
    rolls = [after(own, other, turn + eyes) for eyes in range(2, 7)]
    return {ROLL: (lost_turn + sum(rolls)) / 6, HOLD: 1 - after(other, own + turn, 0) if turn else 0.0}


def exact_wins(target):
    """The table for best play, by value iteration: T. Neller and C. Presser, "Optimal play of the dice game Pig"."""
    wins = np.zeros((target, target, target))
    change = 1.0
    while change > 1e-9:
        change = 0.0
        for own, other, turn in np.ndindex(wins.shape):
            if own + turn < target:
                best = max(choices(wins, own, other, turn).values())
                change = max(change, abs(best - wins[own, other, turn]))
                wins[own, other, turn] = best
    return wins


@dataclass(frozen=True)
class Turn:
    """One turn of one player; the reward is its points."""

    points: int = 0
    state: str = "deciding"

    num_players = 1
    reward_range = (0.0, 45.0)
    most = 40  # here the player must hold: nobody would roll with so many

    @property
    def to_move(self):
        return tesuji.CHANCE if self.state == "rolling" else 0

    @property
    def is_over(self):
        return self.state == "over"

    def legal_moves(self):
        if self.state == "rolling":
            return [1, 2, 3, 4, 5, 6]
        return [ROLL, HOLD] if self.points < self.most else [HOLD]

    def chance_probabilities(self):
        return [1 / 6] * 6

    def play(self, move):
        if move == ROLL:
            return Turn(self.points, "rolling")
        if move in (HOLD, 1):
            return Turn(self.points if move == HOLD else 0, "over")
        return Turn(self.points + move, "deciding")

    def outcome(self):
        return (self.points,)


@cache
def exact_turn(points):
    """What can be expected of a turn that has these points already. It pays to roll below 20, and not above."""
    if points >= Turn.most:
        return float(points)
    return max(points, sum(exact_turn(points + eyes) for eyes in range(2, 7)) / 6)


if __name__ == "__main__":
    target = 10
    wins = exact_wins(target)
    print(f"the race to {target}: how often the player to move wins")
    print("scores  turn   exact   search")
    for scores, turn in (((0, 0), 0), ((0, 0), 6), ((4, 6), 4), ((2, 8), 5), ((8, 0), 0)):
        exact = max(choices(wins, *scores, turn).values())
        result = tesuji.Search(Pig(target, scores, turn), seed=1).run(playouts=20_000)
        print(f"{scores[0]}:{scores[1]:<4} {turn:5}   {exact:.4f}  {result.value:.4f} with {result.best_move}")

    print("\na single turn: the points to expect")
    print("points   exact   search")
    for points in (10, 14, 18, 22, 26):
        result = tesuji.Search(Turn(points), "uct(c=0.2)", seed=1).run(playouts=20_000)
        print(f"{points:6}  {exact_turn(points):6.3f}   {result.value:6.3f} with {result.best_move}")
