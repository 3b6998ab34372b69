"""A game against an engine as an environment of Gymnasium (`pip install 'tesuji[pettingzoo]'`).

>>> from tesuji.gymnasium import AgainstEngine
>>> game = AgainstEngine(tesuji.Othello(), "uct(c=0.7)", playouts=100)
>>> observation, info = game.reset(seed=1)
>>> observation, reward, terminated, truncated, info = game.step(game.action_space.sample(info["action_mask"]))
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from tesuji.checks import check_integer
from tesuji.engines import EngineSpec, parse_engine
from tesuji.errors import ArgumentError, GameStateError, shown
from tesuji.games import Position
from tesuji.pettingzoo import check_start, checked_action, observation_of, observation_space_of
from tesuji.search import MAX_PLAYOUTS, Search

try:
    import gymnasium
except ImportError as error:
    raise ImportError("tesuji.gymnasium needs Gymnasium: pip install 'tesuji[pettingzoo]'") from error

__all__ = ["AgainstEngine"]


class AgainstEngine(gymnasium.Env[Any, Any]):
    """A game for two from a position on, in which an engine plays the other side.

    Observations are those of `tesuji.pettingzoo`; `info` has the `action_mask` too. The reward comes at the end, from
    -1 for a loss to 1 for a win. An illegal action loses the game at once: `info["illegal"]` then says so. With
    `reset(seed=...)` the engine's moves repeat; its tree is new for each of them.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  as Gymnasium has it

    def __init__(
        self,
        start: Position,
        engine: str | EngineSpec = "uct",
        *,
        playouts: int = 100,
        side: int = 0,
        render_mode: str | None = None,
    ) -> None:
        check_start(start)
        if render_mode not in (None, "ansi"):
            raise ArgumentError(f"render_mode must be 'ansi' or None, not {shown(render_mode)}")
        self._start = start
        self._engine = parse_engine(engine, position=start)
        self._playouts = check_integer("playouts", playouts, low=1, high=MAX_PLAYOUTS)
        self._side = check_integer("side", side, low=0, high=1)
        Search(start, self._engine)  # says what is wrong with the engine
        self._is_over = True
        self.position = start
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Discrete(start.num_distinct_moves)
        self.observation_space = observation_space_of(start)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.position = self._after_engine(self._start)
        self._is_over = self.position.is_over
        return self._seen()

    def step(self, action: int) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        if self._is_over:
            raise GameStateError("the game is over, or has not begun: call reset() first")
        number = checked_action(action)
        if not self.position.is_legal(number):
            self._is_over = True
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": True}
        self.position = self._after_engine(self.position.play(number))
        self._is_over = self.position.is_over
        reward = 2 * self.position.rewards()[self._side] - 1 if self._is_over else 0.0
        observation, info = self._seen()
        return observation, reward, self._is_over, False, info

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def _after_engine(self, position: Position) -> Position:
        """Where it is the other side's turn: a player may have several moves in a row. Ctrl-C leaves all as it was."""
        while not position.is_over and position.to_move != self._side:
            search = Search(position, self._engine, seed=int(self.np_random.integers(2**63)))
            report = search.think(playouts=self._playouts)
            if report.stopped_by == "interrupt":
                raise KeyboardInterrupt
            position = position.play(search.best_move())
        return position

    def _seen(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        observation = observation_of(self.position, self._side)
        return observation, {"action_mask": observation["action_mask"]}
