"""The sailing domain: one player against the wind, and how the search's error falls with its playouts.

A boat sails from waypoint to waypoint of a square lake, to one of the eight neighbours each time, except into the wind.
A leg costs 1 to 4 minutes, the more the nearer it is to the wind, and 3 more when the wind comes over another side than
before. After each leg the wind may turn. The problem is R. Vanderbei's, "Optimal sailing strategies" (1996). L. Kocsis
and C. Szepesvari measured UCT with it in "Bandit based Monte-Carlo planning" (2006): how much more the search's choice
costs than the best one. Their leaves were judged by the exact values with an error of up to a tenth; here they are also
judged by random playouts.

    python examples/sailing.py
    python examples/sailing.py picture.png
"""

import random
import sys
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

import tesuji

# North, north-east, ... as steps; a wind is where it comes from.
STEPS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
NAMES = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
AWAY = 4
COSTS = {1: 4.0, 2: 3.0, 3: 2.0, AWAY: 1.0}  # by the angle between heading and wind
DELAY = 3.0
# How likely each wind turns an eighth to the left, stays, turns an eighth to the right.
WIND = [
    (0.3, 0.4, 0.3),
    (0.4, 0.3, 0.3),
    (0.4, 0.3, 0.3),
    (0.4, 0.3, 0.3),
    (0.4, 0.2, 0.4),
    (0.3, 0.3, 0.4),
    (0.3, 0.3, 0.4),
    (0.3, 0.3, 0.4),
]


@dataclass(frozen=True)
class Sailing:
    size: int = 5
    x: int = 0
    y: int = 0
    wind: int = 0
    side: int = 0  # where the wind came from on the last leg: -1 left, 1 right, 0 none yet
    cost: float = 0.0
    is_turning: bool = False  # the wind, not the boat, is next

    num_players = 1

    @property
    def reward_range(self):
        return (-20.0 * self.size, 0.0)

    @property
    def to_move(self):
        return tesuji.CHANCE if self.is_turning else 0

    @property
    def is_over(self):
        """At the far corner, or out of patience."""
        return (self.x, self.y) == (self.size - 1, self.size - 1) or -self.cost <= self.reward_range[0]

    def legal_moves(self):
        if self.is_turning:
            return [(self.wind + turn) % 8 for turn in (-1, 0, 1)]
        return [
            heading
            for heading, (right, up) in enumerate(STEPS)
            if heading != self.wind and 0 <= self.x + right < self.size and 0 <= self.y + up < self.size
        ]

    def chance_probabilities(self):
        return WIND[self.wind]

    def leg(self, heading):
        """What a leg costs, and the side on which the wind then is."""
        angle = (heading - self.wind) % 8
        side = self.side if angle == AWAY else -1 if angle < AWAY else 1
        return COSTS[min(angle, 8 - angle)] + DELAY * (side * self.side < 0), side

    def play(self, move):
        if self.is_turning:
            return replace(self, wind=move, is_turning=False)
        cost, side = self.leg(move)
        right, up = STEPS[move]
        total = min(self.cost + cost, -self.reward_range[0])
        return replace(self, x=self.x + right, y=self.y + up, side=side, cost=total, is_turning=True)

    def outcome(self):
        return (-self.cost,)

    def format_move(self, move):
        return NAMES[move]


def costs_of_legs(position, costs):
    """For each heading what is still to be paid on average, by a table of what is paid afterwards."""
    answer = {}
    for heading in position.legal_moves():
        cost, _ = position.leg(heading)
        answer[heading] = cost + cost_ahead(position.play(heading), costs)
    return answer


def cost_ahead(position, costs):
    """What is still to be paid: the table knows positions without past, where the boat is to move."""
    here = replace(position, cost=0.0)
    if not here.is_turning:
        return costs[here]
    return sum(share * costs[here.play(wind)] for wind, share in zip(here.legal_moves(), WIND[here.wind], strict=True))


@cache
def exact_costs(size):
    """The table for best play, by value iteration."""
    states = [
        Sailing(size, x, y, wind, side) for x, y in np.ndindex(size, size) for wind in range(8) for side in (-1, 0, 1)
    ]
    costs = dict.fromkeys(states, 0.0)
    change = 1.0
    while change > 1e-3:
        before = dict(costs)
        costs.update({state: min(costs_of_legs(state, costs).values()) for state in states if not state.is_over})
        change = max(abs(costs[state] - before[state]) for state in states)
    return costs


class NoisyJudge:
    """The exact values, each with an error of up to a tenth."""

    def __init__(self, size, seed):
        self.costs = exact_costs(size)
        self.random = random.Random(seed)

    def __call__(self, positions):
        values = [
            -position.cost - cost_ahead(position, self.costs) * self.random.uniform(0.9, 1.1) for position in positions
        ]
        return None, np.clip(values, *positions[0].reward_range)


def error(position, *, playouts, seed, judged):
    """How much more the search's choice costs than the best one, on average."""
    if judged:
        search = tesuji.Search(position, "uct(c=0.1)", seed=seed, evaluator=NoisyJudge(position.size, seed))
    else:
        search = tesuji.Search(position, "uct(c=0.3)", seed=seed)
    search.think(playouts=playouts)
    exact = costs_of_legs(position, exact_costs(position.size))
    return exact[search.best_move()] - min(exact.values())


def mean_errors(size, playouts, *, judged, positions=40):
    """For each number of playouts the mean over the same random positions."""
    possible = [position for position in exact_costs(size) if not position.is_over]
    chosen = random.Random(1).sample(possible, positions)
    return [
        np.mean([error(position, playouts=count, seed=seed, judged=judged) for seed, position in enumerate(chosen)])
        for count in playouts
    ]


def draw(path, playouts, curves):
    """The errors as a picture."""
    from matplotlib.figure import Figure  # noqa: PLC0415  only those who want the picture need it

    figure = Figure()
    axes = figure.subplots()
    for label, errors in curves.items():
        axes.loglog(playouts, errors, marker="o", label=label)
    axes.set(xlabel="playouts", ylabel="mean error (minutes)", title="Sailing: the error falls with the playouts")
    axes.legend()
    figure.savefig(path)


if __name__ == "__main__":
    playouts = [4, 16, 64, 256]
    curves = {
        "leaves judged by noisy values": mean_errors(5, playouts, judged=True),
        "leaves judged by random playouts": mean_errors(5, playouts, judged=False),
    }
    print(f"{'mean error in minutes with playouts':35}" + "".join(f"{count:>8}" for count in playouts))
    for label, errors in curves.items():
        print(f"{label:35}" + "".join(f"{error:8.3f}" for error in errors))
    for path in sys.argv[1:]:
        draw(path, playouts, curves)
        print(f"drawn: {path}")
