"""The games."""

from tesuji.games.go import Go
from tesuji.games.havannah import Havannah
from tesuji.games.othello import Othello
from tesuji.games.position import Position
from tesuji.games.registry import GAMES, make_game
from tesuji.games.tic_tac_toe import TicTacToe

__all__ = ["GAMES", "Go", "Havannah", "Othello", "Position", "TicTacToe", "make_game"]
