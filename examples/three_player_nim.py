"""Nim for three: the search against exhaustive analysis and a theorem.

A move takes any number of stones from one heap. Who takes the last stone is first, who moved before that is second, the
next player last. Each wants the best place that it can get, whatever the other two get.

    python examples/three_player_nim.py
"""

from dataclasses import dataclass
from functools import cache

import tesuji


@dataclass(frozen=True)
class ThreePlayerNim:
    heaps: tuple[int, ...]
    to_move: int = 0

    num_players = 3

    @property
    def is_over(self):
        return not any(self.heaps)

    def legal_moves(self):
        """(heap, stones)."""
        return [(heap, stones) for heap, size in enumerate(self.heaps) for stones in range(1, size + 1)]

    def play(self, move):
        heap, stones = move
        left = tuple(size - stones * (number == heap) for number, size in enumerate(self.heaps))
        return ThreePlayerNim(left, (self.to_move + 1) % 3)

    def outcome(self):
        """The player to move finds nothing, and is last."""
        rewards = [0.0, 0.0, 0.0]
        rewards[self.to_move - 1] = 1.0
        rewards[self.to_move - 2] = 0.5
        return rewards


@cache
def exact(position):
    """The rewards when everybody plays as well as can be. Places are distinct, so there is only one answer."""
    if position.is_over:
        return tuple(position.outcome())
    return max((exact(position.play(move)) for move in position.legal_moves()), key=lambda r: r[position.to_move])


def is_lost_by_theorem(heaps):
    """Whether the player to move comes last: where in every binary digit the heaps add up to a multiple of three.

    S.-Y. R. Li, "N-person Nim and N-person Moore's games", International Journal of Game Theory 7 (1978).
    """
    return all(sum(heap >> digit & 1 for heap in heaps) % 3 == 0 for digit in range(8))


if __name__ == "__main__":
    print("heaps      exact value   found by search")
    for heaps in ((1, 1, 1), (1, 2), (1, 1, 3), (1, 2, 3), (2, 2, 2), (2, 2, 3)):
        position = ThreePlayerNim(heaps)
        result = tesuji.Search(position, seed=1).run(playouts=20_000)
        print(f"{heaps!s:12} {exact(position)[0]:.1f}   {result.value:.3f} with {result.best_move}")
