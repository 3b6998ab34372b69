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
    EvaluatorError,
    GameError,
    GameStateError,
    IllegalMoveError,
    MatchError,
    MissingProgramError,
    ModelError,
    RecordError,
    RuleError,
    SearchBusyError,
    SgfError,
    SpecError,
    StoreError,
    TesujiError,
    TreeError,
    UnsuitedEngineError,
    WorkerError,
)
from tesuji.games import (
    CHANCE,
    CompiledGame,
    Game,
    GameCheck,
    Go,
    Havannah,
    Othello,
    Position,
    SumOfSwitches,
    TicTacToe,
    TreeGame,
    check_game,
)
from tesuji.search import Search
from tesuji.search_result import MoveStatistics, SearchResult
from tesuji.tracing import Trace, TraceRow, trace

__version__ = _version("tesuji")

__all__ = [
    "CHANCE",
    "ArgumentError",
    "Budget",
    "CompiledGame",
    "EnginePlayer",
    "EngineSpec",
    "EvaluatorError",
    "Game",
    "GameCheck",
    "GameError",
    "GameRecord",
    "GameStateError",
    "Go",
    "Havannah",
    "IllegalMoveError",
    "MatchError",
    "MatchResult",
    "MissingProgramError",
    "ModelError",
    "MoveStatistics",
    "Othello",
    "Position",
    "RecordError",
    "RuleError",
    "Search",
    "SearchBusyError",
    "SearchResult",
    "SgfError",
    "SpecError",
    "StoreError",
    "SumOfSwitches",
    "TesujiError",
    "TicTacToe",
    "Trace",
    "TraceRow",
    "TreeError",
    "TreeGame",
    "UnsuitedEngineError",
    "WorkerError",
    "__version__",
    "check_game",
    "engine_help",
    "match",
    "parse_engine",
    "trace",
]
