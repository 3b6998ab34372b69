"""Monte-Carlo tree search for Go, Othello, Havannah, and the means to measure it.

>>> import tesuji
>>> result = tesuji.Search(tesuji.Othello(), "uct(c=0.7)", seed=1).run(playouts=10_000)
>>> result.moves[0].text
"""

from importlib.metadata import version as _version

from tesuji.arena.match import match
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.arena.record import GameRecord
from tesuji.arena.result import MatchResult
from tesuji.engines import EngineSpec, engine_help, parse_engine
from tesuji.errors import (
    ArgumentError,
    GameStateError,
    IllegalMoveError,
    MatchError,
    SearchBusyError,
    SpecError,
    StoreError,
    TesujiError,
    WorkerError,
)
from tesuji.games import Go, Havannah, Othello, Position, SumOfSwitches, TicTacToe, TreeGame
from tesuji.search import MoveStatistics, Search, SearchResult

__version__ = _version("tesuji")

__all__ = [
    "ArgumentError",
    "Budget",
    "EnginePlayer",
    "EngineSpec",
    "GameRecord",
    "GameStateError",
    "Go",
    "Havannah",
    "IllegalMoveError",
    "MatchError",
    "MatchResult",
    "MoveStatistics",
    "Othello",
    "Position",
    "Search",
    "SearchBusyError",
    "SearchResult",
    "SpecError",
    "StoreError",
    "SumOfSwitches",
    "TesujiError",
    "TicTacToe",
    "TreeGame",
    "WorkerError",
    "__version__",
    "engine_help",
    "match",
    "parse_engine",
]
