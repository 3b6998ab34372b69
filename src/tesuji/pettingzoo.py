"""Our games as environments of PettingZoo, for programs that learn (`pip install 'tesuji[pettingzoo]'`).

>>> from tesuji.pettingzoo import env
>>> game = env(tesuji.Othello())
>>> game.reset(seed=1)
>>> observation, reward, termination, truncation, info = game.last()
>>> game.step(game.action_space(game.agent_selection).sample(observation["action_mask"]))
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tesuji.checks import as_integer
from tesuji.errors import ArgumentError, shown
from tesuji.games import CompiledGame, Position

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ImportError as error:
    raise ImportError("tesuji.pettingzoo needs PettingZoo: pip install 'tesuji[pettingzoo]'") from error

__all__ = ["Environment", "env", "observation_of", "observation_space_of"]


def env(start: Position, *, render_mode: str | None = None) -> Any:
    """The environment with PettingZoo's own checks around it: what to use."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(Environment(start, render_mode=render_mode)))


class Environment(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game for two, from a position of this package on. An action is the number of a move.

    An observation has the planes of `Position.planes()`, seen by the agent that asks, and the `action_mask`: 1 for each
    legal move, all 0 for the agent whose turn it is not. Rewards come at the end, from -1 for a loss to 1 for a win. An
    illegal action raises `IllegalMoveError`, and changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tesuji_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(self, start: Position, *, render_mode: str | None = None) -> None:
        super().__init__()
        check_start(start)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ArgumentError(f"render_mode must be 'ansi', 'human' or None, not {shown(render_mode)}")
        self._start = start
        self.position = start
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._actions = {agent: spaces.Discrete(start.num_distinct_moves) for agent in self.possible_agents}
        self._observations = {agent: observation_space_of(start) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        return observation_of(self.position, self.possible_agents.index(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  no dice here
        """Back to the start. The games have no dice: the seed changes nothing."""
        self.position = self._start
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.to_move]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(checked_action(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.position.is_over:
            self.rewards = {
                name: 2 * reward - 1 for name, reward in zip(self.agents, self.position.rewards(), strict=True)
            }
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        else:
            self.agent_selection = self.possible_agents[self.position.to_move]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text: returned with "ansi", printed with "human"."""
        if self.render_mode == "human":
            print(self.position)
            return None
        return str(self.position)

    def close(self) -> None:
        """There is nothing to give back."""


def check_start(start: Any) -> None:
    """Only games of two players of this package have boards of planes; those of a compiled game show nothing of it."""
    if not isinstance(start, Position) or isinstance(start, CompiledGame) or start.num_players != 2:
        raise ArgumentError(
            f"an environment begins with a position of one of tesuji's games for two, not {shown(start)}"
        )
    if start.is_over:
        raise ArgumentError(f"there is nothing to play: the game is over ({start!r})")


def checked_action(action: object) -> int:
    """The number of a move, which need not be legal. Not `int(action)`: that makes some move of 3.7, and of True."""
    number = as_integer(action)
    if number is None:
        raise ArgumentError(f"an action is the number of a move: {shown(action)} is no action")
    return number


def observation_space_of(start: Position) -> spaces.Dict:
    shape = start.planes().shape
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, shape, np.float32),
            "action_mask": spaces.Box(0, 1, (start.num_distinct_moves,), np.int8),
        }
    )


def observation_of(position: Position, player: int) -> dict[str, NDArray[Any]]:
    """What a player sees. `planes()` is as the player to move sees it: the other has the first two the other way."""
    planes = position.planes()
    mask = np.zeros(position.num_distinct_moves, dtype=np.int8)
    if position.to_move != player:
        planes[[0, 1]] = planes[[1, 0]]
    else:
        mask[position.legal_moves()] = 1
    return {"observation": planes, "action_mask": mask}
