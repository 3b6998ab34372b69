"""Our games for programs that learn: checked by PettingZoo's and Gymnasium's own tests."""

from __future__ import annotations

import random
import signal
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import tesuji
from examples.connect_four_numba import connect_four
from tesuji.errors import ArgumentError, GameStateError, IllegalMoveError, UnsuitedEngineError
from tesuji.gymnasium import AgainstEngine
from tesuji.pettingzoo import Environment, env

# Made anew by each test: what a module holds until the interpreter ends counts as a leak of the native module.
STARTS: dict[str, Callable[[], tesuji.Position]] = {
    "go": lambda: tesuji.Go(5, 0.5),
    "othello": tesuji.Othello,
    "havannah": lambda: tesuji.Havannah(4),
    "tic-tac-toe": tesuji.TicTacToe,
    "sum-of-switches": lambda: tesuji.SumOfSwitches(4),
    "tree-game": lambda: tesuji.TreeGame.random(seed=1),
}


@pytest.mark.parametrize("name", STARTS)
def test_pettingzoos_own_test(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its remarks on style, such as on observations that are dictionaries
        api_test(env(STARTS[name]()), num_cycles=300)


def test_pettingzoos_tests_of_seeds_and_pictures() -> None:
    seed_test(lambda: env(tesuji.TicTacToe()), num_cycles=50)
    render_test(lambda render_mode=None: env(tesuji.TicTacToe(), render_mode=render_mode))


@pytest.mark.parametrize("name", STARTS)
def test_a_game_there_is_the_game_here(name: str) -> None:
    rng = random.Random(name)
    for _ in range(3):
        game, position = env(STARTS[name]()), STARTS[name]()
        game.reset()
        total = dict.fromkeys(game.possible_agents, 0.0)
        for agent in game.agent_iter():
            observation, reward, termination, _, _ = game.last()
            total[agent] += reward
            if termination:
                game.step(None)
                continue
            assert agent == f"player_{position.to_move}"
            assert np.flatnonzero(observation["action_mask"]).tolist() == position.legal_moves()
            assert (observation["observation"] == position.planes()).all()
            other = game.observe(f"player_{1 - position.to_move}")
            assert (other["observation"][0] == position.planes()[1]).all()
            assert not other["action_mask"].any()
            move = rng.choice(position.legal_moves())
            game.step(move)
            position = position.play(move)
        assert position.is_over
        assert list(total.values()) == [2 * reward - 1 for reward in position.outcome()]


def test_illegal_actions() -> None:
    game = Environment(tesuji.TicTacToe())
    game.reset()
    game.step(4)
    with pytest.raises(IllegalMoveError, match="occupied"):
        game.step(4)
    with pytest.raises(ArgumentError, match="None is no action"):
        game.step(None)
    assert game.agent_selection == "player_1"
    assert game.render() == str(tesuji.TicTacToe().play(4))


def test_what_is_no_start() -> None:
    for start in (tesuji.TreeGame([1, 0], one_player=True), "go", tesuji.TreeGame([1, 0]).play(0), connect_four()):
        for make in (Environment, AgainstEngine):
            with pytest.raises(ArgumentError, match=r"for two, not|the game is over"):
                make(start)  # type: ignore[arg-type]  # that is what is tried


@pytest.mark.parametrize("side", [0, 1])
def test_gymnasiums_own_test(side: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its remarks on what is not registered with it
        check_env(AgainstEngine(tesuji.TicTacToe(), playouts=20, side=side), skip_render_check=True)


@pytest.mark.parametrize("action", [3.7, float("nan"), "b2", None, True, [4], np.array([4]), np.float32(4)])
def test_what_is_no_action(action: Any) -> None:
    games: list[Any] = [Environment(tesuji.TicTacToe()), AgainstEngine(tesuji.TicTacToe(), playouts=5)]
    for game in games:
        game.reset(seed=1)
        with pytest.raises(ArgumentError, match="is no action"):
            game.step(action)
        assert game.position == tesuji.TicTacToe()
        game.step(np.array(4))  # as some programs that learn give them


def test_ctrl_c_leaves_the_game_as_it_is() -> None:
    game = AgainstEngine(tesuji.Othello(), playouts=100_000_000)
    game.reset(seed=1)
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        game.step(19)
    timer.join()
    assert game.position == tesuji.Othello()


def test_against_an_engine() -> None:
    """Whoever answers at random loses nearly always, and the same seed gives the same games."""

    def rewards(seed: int) -> list[float]:
        game = AgainstEngine(tesuji.Othello(), playouts=50, side=seed % 2, render_mode="ansi")
        observation, info = game.reset(seed=seed)
        rng = random.Random(seed)
        found = []
        for _ in range(2):
            terminated = False
            while not terminated:
                moves = np.flatnonzero(info["action_mask"]).tolist()
                assert moves == game.position.legal_moves()
                observation, reward, terminated, truncated, info = game.step(rng.choice(moves))
                assert not truncated
                assert game.observation_space.contains(observation)
            found.append(reward)
            assert game.render() == str(game.position)
            observation, info = game.reset()
        return found

    first = [rewards(seed) for seed in range(3)]
    assert first == [rewards(seed) for seed in range(3)]
    assert sum(map(sum, first)) <= -3


def test_an_illegal_action_loses() -> None:
    game = AgainstEngine(tesuji.TicTacToe(), playouts=5, side=0)
    with pytest.raises(GameStateError, match="call reset"):
        game.step(0)
    game.reset(seed=1)
    game.step(4)
    _, reward, terminated, _, info = game.step(4)
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(GameStateError, match="call reset"):
        game.step(0)
    with pytest.raises(ArgumentError, match="render_mode"):
        AgainstEngine(tesuji.TicTacToe(), render_mode="human")
    with pytest.raises(ArgumentError, match="playouts"):
        AgainstEngine(tesuji.TicTacToe(), playouts=0)
    with pytest.raises(UnsuitedEngineError, match="prior"):
        AgainstEngine(tesuji.TicTacToe(), "uct+prior")
