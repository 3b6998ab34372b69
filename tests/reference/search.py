"""The search once more, slow and plain, straight from the papers' equations: what the native one is compared with.

Dictionaries and lists, every child touched at every backup, nothing scaled or kept up to date on the side. It draws the
same random numbers in the same order as the native search, so that the trees must be equal, visit for visit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import tesuji

MASK = 2**64 - 1


class Generator:
    """xoroshiro128+ (Blackman and Vigna), seeded by SplitMix64."""

    def __init__(self, seed: int) -> None:
        self.state = []
        for _ in range(2):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            self.state.append(z ^ (z >> 31))

    def next(self) -> int:
        s0, s1 = self.state
        result = (s0 + s1) & MASK
        s1 ^= s0
        self.state = [_rotated(s0, 24) ^ s1 ^ ((s1 << 16) & MASK), _rotated(s1, 37)]
        return result

    def below(self, bound: int) -> int:
        return ((self.next() >> 32) * bound) >> 32

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53


def _rotated(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) & MASK


@dataclass
class Child:
    """A move at a node. Sums have one entry a player."""

    move: Any
    visits: int = 0
    rewards: list[float] = field(default_factory=list)
    velocity: float = 0.0
    discounted_visits: float = 0.0
    discounted_rewards: float = 0.0
    accelerated: tuple[list[float], float] = ([], 0)  # numerators, one a player, and denominator of eq. 7
    node: Node | None = None


@dataclass
class Node:
    """A position with children. The virtual child has the playouts made before there were any others."""

    chooser: int
    children: list[Child]
    probabilities: list[float]
    virtual: Child


class Line(NamedTuple):
    """A line of the tree written out, as the native search has it."""

    parent: int
    move: Any
    visits: int
    value: float


class ReferenceSearch:
    """UCB1 with one of the backup rules mean, discounted and accelerated. Without a decay it is the automatic one."""

    def __init__(self, position: Any, *, backup: str, decay: float | None, c: float, expand: int, seed: int) -> None:
        self.position = position
        self.backup, self.decay, self.c, self.expand = backup, decay, c, expand
        self.players = getattr(position, "num_players", 2)
        self.random = Generator(seed)
        self.root = Child(move=None, rewards=[0.0] * self.players)
        self.nodes = self.children = 1  # what is above the root
        self.root.node = self.new_node(position, self.root)

    def run(self, playouts: int) -> None:
        for _ in range(playouts):
            self.simulate()

    # ---- select, expand, play out

    def simulate(self) -> None:
        position, child, path = self.position, self.root, []
        while True:
            if child.node is None:
                if child.visits < self.expand or position.is_over:
                    break
                child.node = self.new_node(position, child)
            node = child.node
            chosen = self.choose(node, child.visits)
            path.append((child, node, chosen))
            position = position.play(chosen.move)
            child = chosen
        rewards = self.play_out(position)
        self.back_up(path, rewards)

    def new_node(self, position: Any, own: Child) -> Node:
        moves = list(position.legal_moves())
        probabilities = []
        if position.to_move == tesuji.CHANCE:
            probabilities = list(position.chance_probabilities())
        else:
            for left in range(len(moves), 1, -1):
                drawn = self.random.below(left)
                moves[left - 1], moves[drawn] = moves[drawn], moves[left - 1]
        children = [Child(move, rewards=[0.0] * self.players) for move in moves]
        self.nodes += 1
        self.children += len(children)
        virtual = Child(None, visits=own.visits, rewards=list(own.rewards))
        virtual.velocity = virtual.discounted_visits = own.visits
        virtual.accelerated = (virtual.rewards, virtual.visits)
        return Node(position.to_move, children, probabilities, virtual)

    def choose(self, node: Node, visits: int) -> Child:
        if node.chooser == tesuji.CHANCE:
            return self.drawn(node)
        for child in node.children:
            if child.visits == 0:
                return child
        if self.backup == "discounted":
            visits_or_weight = sum((child.discounted_visits for child in node.children), node.virtual.discounted_visits)
        else:
            visits_or_weight = visits
        log = math.log(max(visits_or_weight, 1))
        return max(node.children, key=lambda child: self.score(node, child, log))

    def drawn(self, node: Node) -> Child:
        remaining = self.random.uniform()
        for child, probability in zip(node.children[:-1], node.probabilities, strict=False):
            remaining -= probability
            if remaining < 0:
                return child
        return node.children[-1]

    def score(self, node: Node, child: Child, log: float) -> float:
        """Equations 1, 2 and 5."""
        visits = child.discounted_visits if self.backup == "discounted" else child.visits
        return self.value(node, child) + self.c * math.sqrt(log) * (1 / math.sqrt(visits))

    def play_out(self, position: Any) -> list[float]:
        while not position.is_over:
            moves = position.legal_moves()
            if isinstance(position, tesuji.Othello) and position.format_move(moves[0]) == "pass":
                move = moves[0]
            elif position.to_move == tesuji.CHANCE:
                move = moves[self.thrown(position.chance_probabilities())]
            else:
                move = moves[self.random.below(len(moves))]
            position = position.play(move)
        low, high = getattr(position, "reward_range", (0, 1))
        # The tree keeps rewards in [0, 1], to a millionth.
        return [math.floor((reward - low) / (high - low) * 2**20 + 0.5) / 2**20 for reward in position.outcome()]

    def thrown(self, probabilities: list[float]) -> int:
        remaining = self.random.uniform()
        for index, probability in enumerate(probabilities):
            remaining -= probability
            if remaining < 0:
                return index
        return len(probabilities) - 1

    # ---- back up

    def back_up(self, path: list[tuple[Child, Node, Child]], rewards: list[float]) -> None:
        self.root.visits += 1
        given = self.automatic_decay() if self.decay is None else self.decay
        for _, node, chosen in path:
            decay = 1.0 if node.chooser == tesuji.CHANCE else given
            for child in [node.virtual, *node.children]:
                selected = child is chosen
                child.velocity = child.velocity * decay + selected  # eq. 6
                child.discounted_visits = child.discounted_visits * decay + selected  # eq. 3
                reward = rewards[max(node.chooser, 0)] if selected else 0.0
                child.discounted_rewards = child.discounted_rewards * decay + reward  # eq. 4, its numerator
            chosen.visits += 1
            chosen.rewards = [old + new for old, new in zip(chosen.rewards, rewards, strict=True)]
        for _, _, chosen in reversed(path):
            chosen.accelerated = self.accelerated(chosen)

    def automatic_decay(self) -> float:
        return 1 - 1 / (self.children / self.nodes * max(10, self.root.visits / 500))

    def value(self, node: Node, child: Child) -> float:
        """What the child is worth to the player who chooses it."""
        player = max(node.chooser, 0)
        if self.backup == "mean":
            return child.rewards[player] / child.visits
        if self.backup == "discounted":
            return child.discounted_rewards / child.discounted_visits
        sums, weight = child.accelerated
        return sums[player] / weight

    def accelerated(self, child: Child) -> tuple[list[float], float]:
        """Equation 7, for every player at once; a leaf has the mean of its playouts."""
        if child.node is None:
            return child.rewards, child.visits
        sums, weight = [0.0] * self.players, 0.0
        for below in [child.node.virtual, *child.node.children]:
            if below.velocity > 0:
                below_sums, below_weight = below.accelerated
                share = below.velocity / below_weight
                sums = [old + new * share for old, new in zip(sums, below_sums, strict=True)]
                weight += below.velocity
        return sums, weight

    # ---- the tree, written out

    def lines(self) -> Iterator[Line]:
        """Level by level, as the native search lists its tree; the root itself is left out."""
        pending = [(0, self.root.node)]
        count = 1
        for parent, node in pending:
            for child in node.children if node is not None else []:
                if child.visits:
                    yield Line(parent, child.move, child.visits, self.value(node, child))  # type: ignore[arg-type]
                    pending.append((count, child.node))
                    count += 1
