"""The search once more, slow and plain, straight from the papers' equations: what the native one is compared with.

Dictionaries and lists, every child touched at every backup, nothing scaled or kept up to date on the side. It draws the
same random numbers in the same order as the native search, so that the trees must be equal, visit for visit.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, repeat
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


OTHELLO_PASS = 64


def _first(moves: list[tuple[int, Any]], wanted: tuple[int, Any], ply: int) -> int | None:
    return next((at for at in range(ply, len(moves)) if moves[at] == wanted), None)


def _as_float(number: float) -> float:
    """In single precision, in which the tree keeps priors."""
    (result,) = struct.unpack("f", struct.pack("f", number))
    return float(result)


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
    backed_up: list[float] = field(default_factory=list)  # the values of mix or max, one a player
    bounds: tuple[float, float] = (0.0, 1.0)  # of bast
    proof: list[float] | None = None  # proven rewards, one a player
    prior: float = 0.0
    rave_rewards: float = 0.0
    rave_visits: float = 0.0
    node: Node | None = None


@dataclass(frozen=True, kw_only=True)
class Rave:
    """Equation 8 with Fuego's weights, or one of the schedules of AMAF where `k` or `b` is given."""

    initial: float = 1.0
    final: float = 5000.0
    k: float | None = None
    b: float | None = None
    distance: bool = False
    check: bool = False
    skip: int = 0

    def visit_weight(self, s: float, n: float, m: float) -> float:
        """What a RAVE visit weighs beside a visit. In this form, as ties are broken by the last bit."""
        if m == 0 or (self.initial == 0 and self.k is None and self.b is None):
            return 0.0
        if self.k is not None:
            beta = math.sqrt(self.k / (3 * s + self.k))
            return beta / (1 - beta) * n / m if n else 1.0
        if self.b is not None:
            return 1 / (1 + 4 * self.b * self.b * m)
        return 1 / (1 / self.initial + m * (1 / self.final))


@dataclass(frozen=True, kw_only=True)
class Bias:
    """Equations 4 (chaslot), 5 (huang) and 6 (bias) of the bias paper."""

    form: str
    c: float
    k: float = math.inf
    gamma: float = 0.0
    alpha: float | None = None
    beta: float | None = None

    def term(self, s: float, child: Child, n: float) -> float:
        if self.form == "bias":
            return self.c * (1.0 if math.isinf(self.k) else math.sqrt(self.k / (s + self.k))) * child.prior
        if self.form == "chaslot":
            return (self.gamma + self.c / math.log(2 + n)) * child.prior
        return self.c / max(s, 1) * child.prior


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


@dataclass(frozen=True, kw_only=True)
class Rules:
    """UCB1, or PUCT, or with `bast` (delta, gamma, b) BAST, and one of the backup rules.

    These are mean, discounted, accelerated (without a decay the automatic one), mix and max; `evaluate`, for max, gives
    a position's rewards. With `prior(position, moves)` a leaf gets its children and their priors at its first visit, as
    with an evaluator that leaves the rewards to playouts.
    """

    backup: str = "mean"
    decay: float | None = 1.0
    q: float = 0.0
    m: float = 0.0
    evaluate: Callable[[Any], list[float]] | None = None
    solver: bool = False
    bast: tuple[float, float, float] | None = None
    c: float = 1.0
    expand: int = 1
    rave: Rave | None = None
    bias: Bias | None = None
    mu: float | None = None
    puct: bool = False
    even: float = 0.0  # the share of the prior that is spread evenly
    prior: Callable[[Any, list[Any]], list[float]] | None = None


class ReferenceSearch:
    """The search by these rules."""

    def __init__(self, position: Any, rules: Rules, *, seed: int) -> None:
        self.position = position
        self.rules = rules
        self.backup, self.decay, self.c, self.expand = rules.backup, rules.decay, rules.c, rules.expand
        self.adds_up = isinstance(position, tesuji.Position) or getattr(position, "num_players", 2) == 1
        self.nodes, self.children = 0, 0
        self.players = getattr(position, "num_players", 2)
        self.random = Generator(seed)
        self.root = Child(move=None, rewards=[0.0] * self.players)
        self.root.node = self.new_node(position, self.root)

    def run(self, playouts: int) -> None:
        for _ in range(playouts):
            if self.root.proof is None:
                self.simulate()

    # ---- select, expand, play out

    def simulate(self) -> None:
        position, child, path = self.position, self.root, []
        while child.proof is None:
            if child.node is None:
                if child.visits < self.expand or position.is_over or self.rules.prior is not None:
                    break
                child.node = self.new_node(position, child)
            node = child.node
            chosen = self.choose(node, child.visits)
            path.append((child, node, chosen))
            position = position.play(chosen.move)
            child = chosen
        if self.rules.prior is not None and not position.is_over:
            child.node = self.new_node(position, child)
        played: list[tuple[int, Any]] = []
        rewards = child.proof or self.play_out(position, played)
        if self.rules.rave is not None:
            self.update_rave(self.rules.rave, path, played, rewards)
        self.back_up(path, rewards)
        if self.rules.solver and child.proof is None and position.is_over:
            self.prove(path, rewards)

    def new_node(self, position: Any, own: Child) -> Node:
        self.nodes += 1
        moves = list(position.legal_moves())
        probabilities = list(position.chance_probabilities()) if position.to_move == tesuji.CHANCE else []
        if position.to_move != tesuji.CHANCE:
            for left in range(len(moves), 1, -1):
                drawn = self.random.below(left)
                moves[left - 1], moves[drawn] = moves[drawn], moves[left - 1]
        priors = self.rules.prior(position, moves) if self.rules.prior is not None else [1 / len(moves)] * len(moves)
        children = [Child(move, rewards=[0.0] * self.players) for move in moves]
        self.children += len(children)
        even = self.rules.even
        for child, prior in zip(children, priors, strict=True):
            child.prior = _as_float(_as_float(even / len(moves)) + _as_float((1 - even) * _as_float(prior)))
        by_prior = self.rules.bias is not None or self.rules.mu is not None or self.rules.puct
        if by_prior and position.to_move != tesuji.CHANCE:
            children.sort(key=lambda child: -child.prior)
        virtual = Child(None, visits=own.visits, rewards=list(own.rewards))
        virtual.velocity = virtual.discounted_visits = own.visits
        virtual.accelerated = (virtual.rewards, virtual.visits)
        return Node(position.to_move, children, probabilities, virtual)

    def choose(self, node: Node, visits: int) -> Child:
        if node.chooser == tesuji.CHANCE:
            return self.drawn(node)
        if self.rules.bast is not None:
            return max(self.candidates(node), key=lambda child: (child.bounds[1], -child.visits))
        rave = self.rules.rave
        considered = self.candidates(node)
        if self.rules.mu is not None:
            considered = considered[: self.widened(visits, self.rules.mu)]
        if rave is None and not self.rules.puct:
            for child in considered:
                if child.visits == 0:
                    return child
        if self.backup == "discounted":
            visits_or_weight = sum((child.discounted_visits for child in node.children), node.virtual.discounted_visits)
        else:
            visits_or_weight = visits
        if rave is not None and rave.skip and visits % rave.skip == rave.skip - 1:
            rave = None
        return max(considered, key=lambda child: self.score(node, child, visits_or_weight, rave))

    def candidates(self, node: Node) -> list[Child]:
        """All children but the proven ones."""
        return [child for child in node.children if child.proof is None]

    def widened(self, visits: int, mu: float) -> int:
        """Equation 3 of the bias paper, by powers of mu in place of logarithms."""
        return next(children for children in count(1) if mu**children > visits)

    def drawn(self, node: Node) -> Child:
        remaining = self.random.uniform()
        for child, probability in zip(node.children[:-1], node.probabilities, strict=False):
            remaining -= probability
            if remaining < 0:
                return child
        return node.children[-1]

    def score(self, node: Node, child: Child, s: float, rave: Rave | None) -> float:
        """Equations 1, 2 and 5 of the accelerated paper, its equation 8, and 4 to 6 of the bias paper."""
        visits = self.own_visits(child)
        weight = 0.0 if rave is None else rave.visit_weight(s, visits, child.rave_visits)
        rave_sum, rave_weight = weight * child.rave_rewards, weight * child.rave_visits
        bias = self.rules.bias.term(s, child, visits) if self.rules.bias is not None else 0.0
        if child.visits == 0:
            urgency = self.mean_of_children(node) if self.rules.puct else math.inf
            value = rave_sum / rave_weight if rave_weight else urgency
            return value + (self.exploration(s, child, 0) if self.rules.puct else 0.0) + bias
        value = self.value(node, child)
        explored = self.exploration(s, child, visits)
        rave_value = rave_sum / rave_weight if rave_weight else value
        if self.rules.bias is not None and self.rules.bias.form == "huang":
            alpha = visits / (visits + rave_weight) if self.rules.bias.alpha is None else self.rules.bias.alpha
            return alpha * (value + explored) + (1 - alpha) * rave_value + bias
        if self.rules.bias is not None and self.rules.bias.alpha is not None:
            return self.rules.bias.alpha * value + (self.rules.bias.beta or 0.0) * rave_value + explored + bias
        return (self.own_sum(node, child) + rave_sum) / (visits + rave_weight) + explored + bias

    def own_visits(self, child: Child) -> float:
        return child.discounted_visits if self.backup == "discounted" else child.visits

    def own_sum(self, node: Node, child: Child) -> float:
        rewards = child.rewards[max(node.chooser, 0)]
        return rewards if self.backup == "mean" else self.own_visits(child) * self.value(node, child)

    def exploration(self, s: float, child: Child, visits: float) -> float:
        if self.rules.puct:
            return self.c * math.sqrt(max(s, 1)) * child.prior / (1 + visits)
        return self.c * math.sqrt(math.log(max(s, 1))) * (1 / math.sqrt(visits))

    def mean_of_children(self, node: Node) -> float:
        visited = [child for child in self.candidates(node) if child.visits]
        if not visited:
            return 0.5
        return sum(self.own_sum(node, child) for child in visited) / sum(self.own_visits(child) for child in visited)

    def play_out(self, position: Any, played: list[tuple[int, Any]]) -> list[float]:
        if self.rules.evaluate is not None and not position.is_over:
            return [math.floor(value * 2**20 + 0.5) / 2**20 for value in self.rules.evaluate(position)]
        while not position.is_over:
            moves = position.legal_moves()
            if isinstance(position, tesuji.Othello) and position.format_move(moves[0]) == "pass":
                move = moves[0]
            elif position.to_move == tesuji.CHANCE:
                move = moves[self.thrown(position.chance_probabilities())]
            else:
                move = moves[self.random.below(len(moves))]
            played.append((position.to_move, move))
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

    def update_rave(
        self, rave: Rave, path: list[tuple[Child, Node, Child]], played: list[tuple[int, Any]], rewards: list[float]
    ) -> None:
        # A pass says nothing about a pass at another time. The native playouts do not even count it as a ply.
        passes = isinstance(self.position, tesuji.Othello)
        moves = [(node.chooser, chosen.move) for _, node, chosen in path]
        moves += [entry for entry in played if not (passes and entry[1] == OTHELLO_PASS)]
        for ply, (_, node, _) in enumerate(path):
            if node.chooser == tesuji.CHANCE:
                continue
            for child in node.children:
                came = _first(moves, (node.chooser, child.move), ply)
                if came is None or (passes and child.move == OTHELLO_PASS):
                    continue
                others = [player for player in range(self.players) if player != node.chooser]
                before = [_first(moves, (player, child.move), ply) for player in others]
                if rave.check and any(first is not None and first < came for first in before):
                    continue
                weight = 2 - (came - ply) / (len(moves) - ply) if rave.distance else 1.0
                weight = math.floor(weight * 256 + 0.5) / 256  # the tree's unit
                child.rave_rewards += weight * rewards[node.chooser]
                child.rave_visits += weight

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
        for depth, (_, node, chosen) in reversed(list(enumerate(path, start=1))):
            if self.backup == "accelerated" and chosen.proof is None:
                chosen.accelerated = self.accelerated(chosen)
            elif self.backup == "accelerated":  # where chance has led to a proven child, its reward counts as at a leaf
                values = [old / chosen.accelerated[1] * (chosen.visits - 1) for old in chosen.accelerated[0]]
                chosen.accelerated = [old + new for old, new in zip(values, rewards, strict=True)], chosen.visits
            if self.backup in ("mix", "max"):
                chosen.backed_up = self.mixed(chosen) if self.backup == "mix" else self.minimax(chosen, rewards)
            if self.rules.bast is not None:
                chosen.bounds = self.bounds(node, chosen, depth)

    def automatic_decay(self) -> float:
        # The tree counts one node more, above the root, whose one child the root is.
        return 1 - 1 / ((self.children + 1) / (self.nodes + 1) * max(10, self.root.visits / 500))

    def value(self, node: Node, child: Child) -> float:
        """What the child is worth to the player who chooses it."""
        player = max(node.chooser, 0)
        if child.proof is not None:
            return child.proof[player]
        return self.value_by_rule(child, player)

    def value_by_rule(self, child: Child, player: int) -> float:
        if self.backup in ("mix", "max"):
            return child.backed_up[player]
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

    def mixed(self, child: Child) -> list[float]:
        """Mix: the mean and the value of the most visited child that is not known to lose."""
        means = [reward / child.visits for reward in child.rewards]
        below = [c for c in child.node.children if c.visits] if child.node is not None else []
        if child.node is not None and child.node.chooser == tesuji.CHANCE:
            return [
                mean + sum(c.visits * c.backed_up[player] - c.rewards[player] for c in below) / child.visits
                for player, mean in enumerate(means)
            ]
        if child.node is not None:
            below = [c for c in below if c.proof is None or c.proof[child.node.chooser] > 0]
        if not below:
            return means
        best = max(below, key=lambda c: c.visits)
        weight = self.rules.q * best.visits / (best.visits + self.rules.m)
        return [(1 - weight) * mean + weight * robust for mean, robust in zip(means, best.backed_up, strict=True)]

    def minimax(self, child: Child, rewards: list[float]) -> list[float]:
        """Max: the judgement of a leaf, else the value of the visited child that is best for who chooses."""
        if child.node is None or all(c.visits == 0 for c in child.node.children):
            return rewards
        pairs = zip(child.node.children, child.node.probabilities or repeat(1.0), strict=False)
        below = [(c, probability) for c, probability in pairs if c.visits]
        chooser = child.node.chooser
        if chooser != tesuji.CHANCE:
            return max((c for c, _ in below), key=lambda c: c.backed_up[chooser]).backed_up
        seen = sum(probability for _, probability in below)
        return [sum(p * c.backed_up[player] for c, p in below) / seen for player in range(self.players)]

    def bounds(self, node: Node, child: Child, depth: int) -> tuple[float, float]:
        """BAST: L and U, for the player who chooses the child."""
        delta, gamma, b = self.rules.bast or (0.0, 0.0, 1.0)
        n = child.visits
        slack = math.sqrt(math.log(2 * self.nodes * n * (n + 1) / b) / (2 * n))
        value = self.value_by_rule(child, max(node.chooser, 0))
        low, high = 0.0, 1.0
        if child.node is not None:
            slack += delta * gamma**depth
            low, high = self.bounds_by_children(child.node)
            if max(child.node.chooser, 0) != max(node.chooser, 0):
                low, high = (1 - high, 1 - low) if self.adds_up else (0.0, 1.0)
        return max(low, value - slack), min(high, value + slack)

    def bounds_by_children(self, node: Node) -> tuple[float, float]:
        player = max(node.chooser, 0)
        all_bounds = [child.bounds if child.proof is None else [child.proof[player]] * 2 for child in node.children]
        if node.chooser == tesuji.CHANCE:
            pairs = list(zip(all_bounds, node.probabilities, strict=True))
            total = sum(node.probabilities)
            return sum(p * low for (low, _), p in pairs) / total, sum(p * high for (_, high), p in pairs) / total
        return max(low for low, _ in all_bounds), max(high for _, high in all_bounds)

    def prove(self, path: list[tuple[Child, Node, Child]], rewards: list[float]) -> None:
        """Solver: what follows from the end of a game."""
        if (self.players == 2 and sum(rewards) != 1) or rewards[0] not in (0, 0.5, 1):
            return
        path[-1][2].proof = rewards
        for child, node, _ in reversed(path):
            child.proof = self.proof_by_children(node)
            if child.proof is None:
                return

    def proof_by_children(self, node: Node) -> list[float] | None:
        proofs = [child.proof for child in node.children]
        if node.chooser == tesuji.CHANCE:
            return proofs[0] if all(proof == proofs[0] for proof in proofs) else None
        known = [proof for proof in proofs if proof is not None]
        best = max(known, key=lambda proof: proof[node.chooser], default=None)
        return best if best is not None and (len(known) == len(proofs) or best[node.chooser] == 1) else None

    # ---- the tree, written out

    def lines(self) -> Iterator[Line]:
        """Level by level, as the native search lists its tree; the root itself is left out."""
        pending = [(0, self.root.node)]
        count = 1
        for parent, node in pending:
            for child in node.children if node is not None else []:
                if child.visits:
                    yield Line(parent, child.move, child.visits, self.value(node, child))  # type: ignore[arg-type]  # has one
                    pending.append((count, child.node))
                    count += 1
