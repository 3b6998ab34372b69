"""OpenSpiel both ways: its games in our search, and our search as one of its bots (`pip install 'tesuji[openspiel]'`).

>>> from tesuji import openspiel
>>> result = tesuji.Search(openspiel.position("connect_four"), seed=1).run(playouts=1000)
>>> bot = openspiel.Bot(pyspiel.load_game("chess"), playouts=500, seed=1)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tesuji.arena.players import Budget
from tesuji.checks import check_seed
from tesuji.engines import EngineSpec
from tesuji.errors import ArgumentError, shown
from tesuji.games import Go, Havannah, Othello, Position, TicTacToe
from tesuji.games.own import CHANCE, MAX_PLAYERS
from tesuji.knowledge import Evaluator
from tesuji.search import DEFAULT_MEMORY, Search

try:
    import pyspiel
except ImportError as error:
    raise ImportError("tesuji.openspiel needs OpenSpiel: pip install 'tesuji[openspiel]'") from error

__all__ = ["Bot", "OpenSpielPosition", "is_native", "position", "rollouts"]


class OpenSpielPosition:
    """A state of one of OpenSpiel's games as a position; moves are its actions. It holds the state as its own."""

    __slots__ = ("num_players", "reward_range", "state")

    def __init__(self, state: Any, *, num_players: int, reward_range: tuple[float, float]) -> None:
        self.state = state
        self.num_players = num_players
        self.reward_range = reward_range

    @property
    def to_move(self) -> int:
        return CHANCE if self.state.is_chance_node() else int(self.state.current_player())

    @property
    def is_over(self) -> bool:
        return bool(self.state.is_terminal())

    def legal_moves(self) -> list[int]:
        actions: list[int] = self.state.legal_actions()
        return actions

    def play(self, move: int) -> OpenSpielPosition:
        return OpenSpielPosition(self.state.child(move), num_players=self.num_players, reward_range=self.reward_range)

    def outcome(self) -> tuple[float, ...]:
        return tuple(self.state.returns())

    def chance_probabilities(self) -> list[float]:
        probabilities = dict(self.state.chance_outcomes())
        return [probabilities.get(action, 0.0) for action in self.legal_moves()]

    def format_move(self, move: int) -> str:
        """OpenSpiel's text of an action that is legal here; of another, such as a later one, its number."""
        if self.is_over or move not in self.legal_moves():
            return str(move)
        return str(self.state.action_to_string(self.state.current_player(), move))

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"<OpenSpiel {self.state.get_game()} after {len(self.state.history())} actions>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _deserialized, (pyspiel.serialize_game_and_state(self.state.get_game(), self.state),)


def _deserialized(text: str) -> OpenSpielPosition:
    _, state = pyspiel.deserialize_game_and_state(text)
    return position(state)


def position(start: Any) -> OpenSpielPosition:
    """A position for our search: from a game's name with its options, a `pyspiel.Game`, or a `pyspiel.State`.

    The game must be sequential and of perfect information, with at most 8 players; dice are fine where their
    probabilities are known.
    """
    game = _game_of(start)
    _check_kind(game)
    state = start.clone() if isinstance(start, pyspiel.State) else _initial_state(game)
    bounds = (float(game.min_utility()), float(game.max_utility()))
    return OpenSpielPosition(state, num_players=game.num_players(), reward_range=bounds)


def _game_of(start: Any) -> Any:
    if isinstance(start, pyspiel.State):
        return start.get_game()
    if isinstance(start, pyspiel.Game):
        return start
    if not isinstance(start, str):
        raise ArgumentError(f"give a game's name, a pyspiel.Game or a pyspiel.State, not {shown(start)}")
    try:
        return pyspiel.load_game(start)
    except pyspiel.SpielError as error:
        raise ArgumentError(f"OpenSpiel does not load {shown(start)}: {str(error).splitlines()[0]}") from None


def _initial_state(game: Any) -> Any:
    try:
        return game.new_initial_state()
    except pyspiel.SpielError as error:  # some games look at their options no sooner
        raise ArgumentError(f"OpenSpiel cannot begin {game}: {str(error).splitlines()[0]}") from None


def _check_kind(game: Any) -> None:
    kind = game.get_type()
    wanted = {
        "sequential": kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL,
        "of perfect information": kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION,
        "one whose dice have known probabilities": kind.chance_mode != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        f"one of at most {MAX_PLAYERS} players": game.num_players() <= MAX_PLAYERS,
    }
    for what, holds in wanted.items():
        if not holds:
            raise ArgumentError(f"{game} cannot be searched: it is not {what}")


def _is_zero_sum_of_two(game: Any) -> bool:
    return bool(game.num_players() == 2 and game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM)


def rollouts(game: Any, *, seed: int) -> Evaluator:
    """An evaluator that plays leaves out within OpenSpiel, for zero-sum games of two: much faster than from Python.

    OpenSpiel offers rollouts to Python only as part of its search: one of a single simulation is one rollout.
    """
    if not _is_zero_sum_of_two(game):
        raise ArgumentError(f"rollouts within OpenSpiel are for zero-sum games of two players, and {game} is none")
    single = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 1.0, 1, 1, False, seed, False)
    dice = random.Random(seed)

    def value(leaf: OpenSpielPosition) -> list[float]:
        state = leaf.state
        while state.is_chance_node():
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            state = state.child(dice.choices(actions, probabilities)[0])
        if state.is_terminal():
            first = state.returns()[0]
        else:
            root = single.mcts_search(state)
            first = root.total_reward if root.player == 0 else -root.total_reward
        return [first, -first]

    def evaluate(positions: list[Any]) -> tuple[None, list[list[float]]]:
        return None, [value(leaf) for leaf in positions]

    return evaluate


class _Translation(NamedTuple):
    """A game that we have too: its start, and which of our moves an action is. The way back is the same."""

    start: Position
    move_of: Callable[[int], int]


def _translation(game: Any) -> _Translation | None:
    """The game as one of ours, where it is one of ours."""
    options = game.get_parameters()
    match game.get_type().short_name:
        case "tic_tac_toe":
            return _Translation(TicTacToe(), int)
        case "othello":
            return _Translation(Othello(), int)
        case "havannah" if not options.get("swap", False) and 3 <= options.get("board_size", 8) <= 10:
            return _Translation(Havannah(size=options.get("board_size", 8)), int)
        case "go" if options.get("handicap", 0) == 0 and 5 <= options.get("board_size", 19) <= 19:
            size = options.get("board_size", 19)
            passing = size * size
            # Its rows are counted from the bottom.
            return _Translation(
                Go(size=size, komi=options.get("komi", 7.5)),
                lambda action: action if action == passing else (size - 1 - action // size) * size + action % size,
            )
    return None


def is_native(game: Any) -> bool:
    """Whether a bot searches this game as one of ours."""
    return _translation(_game_of(game)) is not None


class Bot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """Our search as a bot of OpenSpiel, with a budget a move; it keeps its tree from move to move.

    Games that we have ourselves (Go, Othello, Havannah, tic-tac-toe) are searched natively; with `native=False`, and
    all others, through OpenSpiel's states. Leaves are then played out within OpenSpiel where that is possible.
    """

    def __init__(
        self,
        game: Any,
        engine: str | EngineSpec = "uct",
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        cpu_seconds: float | None = None,
        seed: int | None = None,
        threads: int = 1,
        max_memory: int | str = DEFAULT_MEMORY,
        native: bool = True,
    ) -> None:
        pyspiel.Bot.__init__(self)
        self._game = _game_of(game)
        _check_kind(self._game)
        budget = Budget(playouts=playouts, seconds=seconds, cpu_seconds=cpu_seconds, threads=threads)
        self._budget: dict[str, Any] = {"playouts": playouts, "seconds": seconds, "cpu_seconds": cpu_seconds}
        self._translation = _translation(self._game) if native else None
        self._seed = None if seed is None else check_seed(seed)
        self._options: dict[str, Any] = {"engine": engine, "threads": budget.threads, "max_memory": max_memory}
        self.restart()  # so that a wrong engine is told here

    @property
    def search(self) -> Search:
        """The search as it is after the last step."""
        return self._search

    def step(self, state: Any) -> int:
        """The action to play; pyspiel calls it where it is this bot's turn."""
        self._follow(state)
        report = self._search.think(**self._budget)
        if report.stopped_by == "interrupt":  # of the whole game, not of this move
            raise KeyboardInterrupt
        return self._translated(self._search.best_move())

    def restart(self) -> None:
        self._begin(_initial_state(self._game))

    def restart_at(self, state: Any) -> None:
        if state.is_terminal():
            self.restart()
        else:
            self._begin(state)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Nothing to do: the next state tells what was played."""

    def provides_policy(self) -> bool:
        return False

    def _translated(self, move: int) -> int:
        """An action as a move of the game that is searched, and back."""
        if self._translation is None or not isinstance(self._search.position, Position):
            return move
        return self._translation.move_of(move)

    def _follow(self, state: Any) -> None:
        """Plays what was played since the last step; where that does not lead to this state, begins anew."""
        known, history = self._reached.history(), state.history()
        if history[: len(known)] == known:
            for action in history[len(known) :]:
                if action not in self._reached.legal_actions():
                    break
                self._search.advance(self._translated(action))
                self._reached.apply_action(action)
        # Another game, or one that did not begin at the beginning, as chess can with any diagram.
        if self._reached.history() != history or str(self._reached) != str(state):
            self._begin(state)

    def _begin(self, state: Any) -> None:
        start = self._native(state.history(), str(state)) or position(state)
        self._search = Search(start, seed=self._seed, **self._options, **self._playing_out(start))
        self._reached = state.clone()

    def _native(self, history: Sequence[int], reached: str) -> Position | None:
        """The position of ours after these actions, where it is the one that was reached by them."""
        if self._translation is None:
            return None
        start, state = self._translation.start, _initial_state(self._game)
        for action in history:
            if action not in state.legal_actions():
                return None
            start = start.play(self._translation.move_of(action))
            state.apply_action(action)
        return start if str(state) == reached else None

    def _playing_out(self, start: Position | OpenSpielPosition) -> dict[str, Any]:
        if isinstance(start, Position):
            return {}
        game = start.state.get_game()
        if not _is_zero_sum_of_two(game):
            return {}
        return {"evaluator": rollouts(game, seed=random.getrandbits(31) if self._seed is None else self._seed % 2**31)}
