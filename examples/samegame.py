"""SameGame, a puzzle for one player: rewards that are points, and a range that says how many there can be.

A move takes a group of at least two stones of one colour; what lies above falls down, and empty columns close up. A
group of n stones is worth (n - 2)^2 points, an empty board 1000 more.

    python examples/samegame.py
"""

import random
from collections import Counter
from dataclasses import dataclass

import tesuji

BONUS = 1000


@dataclass(frozen=True)
class SameGame:
    columns: tuple[str, ...]  # each from the bottom up
    reward_range: tuple[float, float]
    points: int = 0

    num_players = 1
    to_move = 0

    @classmethod
    def random(cls, *, width, height, colours, seed):
        generator = random.Random(seed)
        columns = tuple("".join(generator.choices("abcde"[:colours], k=height)) for _ in range(width))
        # No more than if every colour came off in one group. A bound nearer to what can be had makes a better search.
        most = sum((count - 2) ** 2 for count in Counter("".join(columns)).values()) + BONUS
        return cls(columns, (0.0, float(most)))

    @property
    def is_over(self):
        return not self.legal_moves()

    def legal_moves(self):
        """Each group by its first stone, (column, row)."""
        seen = set()
        moves = []
        for x, column in enumerate(self.columns):
            for y in range(len(column)):
                if (x, y) not in seen:
                    group = self.group(x, y)
                    seen |= group
                    if len(group) > 1:
                        moves.append((x, y))
        return moves

    def group(self, x, y):
        colour = self.columns[x][y]
        group, waiting = {(x, y)}, [(x, y)]
        while waiting:
            x, y = waiting.pop()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near not in group and self.colour(*near) == colour:
                    group.add(near)
                    waiting.append(near)
        return group

    def colour(self, x, y):
        return self.columns[x][y] if 0 <= x < len(self.columns) and 0 <= y < len(self.columns[x]) else None

    def play(self, move):
        group = self.group(*move)
        left = (
            "".join(colour for y, colour in enumerate(column) if (x, y) not in group)
            for x, column in enumerate(self.columns)
        )
        columns = tuple(filter(None, left))
        points = self.points + (len(group) - 2) ** 2 + (0 if columns else BONUS)
        return SameGame(columns, self.reward_range, points)

    def outcome(self):
        return (self.points,)

    def __str__(self):
        height = max(map(len, self.columns), default=0)
        return "\n".join("".join(column[y : y + 1] or "." for column in self.columns) for y in reversed(range(height)))


def random_game(position, seed):
    generator = random.Random(seed)
    while not position.is_over:
        position = position.play(generator.choice(position.legal_moves()))
    return position.points


def greedy_game(position):
    """The largest group first."""
    while not position.is_over:
        position = position.play(max(position.legal_moves(), key=lambda move: len(position.group(*move))))
    return position.points


def searched_game(position, *, playouts, engine="uct(c=0.1)", seed=1):
    search = tesuji.Search(position, engine, seed=seed)
    while not search.position.is_over:
        search.think(playouts=playouts)
        search.advance(search.best_move())
    return search.position.points


if __name__ == "__main__":
    puzzle = SameGame.random(width=8, height=8, colours=4, seed=1)
    print(f"{puzzle}\n")
    scores = [random_game(puzzle, seed) for seed in range(100)]
    print(f"at random:           {sum(scores) / len(scores):5.0f} points, the best of 100 games {max(scores)}")
    print(f"largest group first: {greedy_game(puzzle):5} points")
    for playouts in (10, 100):
        print(f"{playouts:4} playouts a move: {searched_game(puzzle, playouts=playouts):5} points")
