"""A prior from numpy: a table of good and bad squares leads a search of Othello.

The evaluator gets a batch of positions and returns an array with one column a move; a neural network would do the same.
It gives no values, so the positions are played out as ever. PUCT looks first where the prior is high.

    python examples/prior_from_numpy.py
"""

import numpy as np

import tesuji

# What a square is worth, in a quarter of the board: corners are good, the squares beside them give them away. Small
# numbers: a prior that is too sure of itself keeps the search from finding out where it is wrong.
QUARTER = np.array(
    [
        [1.0, -0.5, 0.25, 0.1],
        [-0.5, -0.75, -0.1, -0.1],
        [0.25, -0.1, 0.1, 0.0],
        [0.1, -0.1, 0.0, 0.0],
    ]
)
HALF = np.hstack([QUARTER, QUARTER[:, ::-1]])
SQUARES = np.vstack([HALF, HALF[::-1]]).ravel()
PRIOR = np.append(np.exp(SQUARES), 1.0)  # the last move is the pass


def with_prior(positions):
    """One row of priors for each position; None for values has them played out."""
    return np.tile(PRIOR, (len(positions), 1)), None


def without(positions):  # noqa: ARG001  all are the same to it
    return None, None


def play_game(evaluators, *, playouts, seed):
    """The first player's reward in a game between two searches that differ in their evaluators."""
    position = tesuji.Othello()
    while not position.is_over:
        search = tesuji.Search(position, "puct", seed=seed, evaluator=evaluators[position.to_move])
        search.think(playouts=playouts)
        position = position.play(search.best_move())
    return position.outcome()[0]


def match(games, *, playouts):
    """The share of points of the search with the prior, which has the first move in every second game."""
    points = 0.0
    for seed in range(games):
        if seed % 2 == 0:
            points += play_game((with_prior, without), playouts=playouts, seed=seed)
        else:
            points += 1 - play_game((without, with_prior), playouts=playouts, seed=seed)
    return points / games


if __name__ == "__main__":
    position = tesuji.Othello()
    for move in ("f5", "d6", "c3", "d3", "c4", "f4", "f6"):
        position = position.play(move)
    print(f"{position}\n")
    for name, evaluator in (("without", without), ("with prior", with_prior)):
        result = tesuji.Search(position, "puct", seed=1, evaluator=evaluator).run(playouts=400)
        print(f"{name:10} visits:", ", ".join(f"{entry.text} {entry.visits}" for entry in result.moves[:6]))
    share = match(60, playouts=32)
    print(f"with the prior, at 32 playouts a move: {share:.1%} of the points in 60 games")
