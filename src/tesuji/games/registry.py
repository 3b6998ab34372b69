"""The games by name: for the command line, for matches, and for the one test that every game must pass."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from tesuji.errors import ArgumentError, shown, suggestion
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import Othello
from tesuji.games.position import Position
from tesuji.games.sum_of_switches import SumOfSwitches
from tesuji.games.tic_tac_toe import TicTacToe
from tesuji.games.tree_game import TreeGame

GAMES: Final[dict[str, Callable[..., Position]]] = {
    **{game.game: game for game in (Go, Othello, Havannah, TicTacToe, SumOfSwitches)},
    TreeGame.game: TreeGame.random,  # a tree of one's own can only be given in Python
}

#: What `make_game` knows: the games, and trees of a special kind, which are no games of their own.
STARTS: Final[dict[str, Callable[..., Position]]] = {**GAMES, "deceptive-tree": TreeGame.deceptive}


def make_game(name: str, **options: Any) -> Position:
    """The start of a game by its name; options that are None are left to the game's defaults."""
    factory = STARTS.get(name.lower())
    if factory is None:
        raise ArgumentError(f"there is no game {shown(name)}; known are {', '.join(STARTS)}{suggestion(name, STARTS)}")
    known_options = inspect.signature(factory).parameters
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in known_options:
            has = ", ".join(known_options) or "none"
            raise ArgumentError(f"{name} has no option {option!r}; it has {has}")
    return factory(**given)
