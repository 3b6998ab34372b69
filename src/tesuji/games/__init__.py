"""The games."""

from tesuji.games.check import GameCheck, check_game
from tesuji.games.compiled import CompiledGame
from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import Othello
from tesuji.games.own import CHANCE, Game, OwnPosition
from tesuji.games.position import Position
from tesuji.games.registry import GAMES, make_game
from tesuji.games.sum_of_switches import SumOfSwitches
from tesuji.games.tic_tac_toe import TicTacToe
from tesuji.games.tree_game import TreeGame

__all__ = [
    "CHANCE",
    "GAMES",
    "CompiledGame",
    "Game",
    "GameCheck",
    "Go",
    "Havannah",
    "Othello",
    "OwnPosition",
    "Position",
    "SumOfSwitches",
    "TicTacToe",
    "TreeGame",
    "check_game",
    "make_game",
]
