"""Boards at the end of a game of Go."""

from __future__ import annotations

# Nothing dead, nothing neutral: Black has 41 points of area, 11 of them empty, White 40, 13 of them empty.
SETTLED = """
    . X . X O . O . .
    X X X X O O . O O
    . X . X O . O . O
    X X X X O O O O O
    . X X X X O . O .
    X . X . X O O O O
    X X X X X O . O .
    . X . X X O O . O
    X . X . X O . O .
"""
# White's four stones in the corner have one eye; Black's stone below is alone among living enemies.
DEAD = """
    . O . X . X . X .
    O O O X X X X X X
    X X X X . X X . X
    X . X X X X X X X
    X X X X X X X X X
    O O O O O O O O O
    O . O O O . O O .
    . . O O O O O O O
    . X . O . O O . .
"""
# Two shared liberties, C9 and C8, and no eyes.
SHARED_LIBERTIES = """
    X X . O O X . X X
    X X . O O X X X .
    O X X O X X X X X
    O O O X X X X X X
    . O O X X X X X X
    O O O X X X X X X
    O . O X X X X X X
    O O O X X X X X X
    O O O X X X X X X
"""
