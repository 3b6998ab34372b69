"""Monte-Carlo tree search for Go, Othello, Havannah, and the means to measure it.

>>> import tesuji
>>> result = tesuji.Search(tesuji.Othello(), "uct(c=0.7)", seed=1).run(playouts=10_000)
>>> result.moves[0].text
"""

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from tesuji.arena.match import match
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.arena.record import GameRecord
from tesuji.arena.result import MatchResult
from tesuji.engines import EngineSpec, engine_help, parse_engine
from tesuji.errors import (
    ArgumentError,
    ClusterError,
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

if TYPE_CHECKING:
    from tesuji import knowledge as knowledge
    from tesuji.cluster import Cluster

__version__ = _version("tesuji")


def __getattr__(name: str) -> Any:
    """These are loaded when they are asked for: they need numpy and scipy, which take longer than all the rest."""
    if name == "Cluster":
        from tesuji.cluster import Cluster  # noqa: PLC0415  not before it is asked for

        return Cluster
    if name == "knowledge":
        return import_module("tesuji.knowledge")
    raise AttributeError(f"module 'tesuji' has no attribute {name!r}")


__all__ = [
    "CHANCE",
    "ArgumentError",
    "Budget",
    "Cluster",
    "ClusterError",
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
