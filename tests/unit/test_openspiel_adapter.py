"""OpenSpiel both ways: its games in our search, our search among its bots."""

from __future__ import annotations

import pickle
import random
import signal
import threading
import time
from typing import Any

import pyspiel
import pytest

import tesuji
from tesuji import openspiel
from tesuji.errors import ArgumentError

# With dice, one player, several, players who move twice in a row, draws, rewards that are no 1 and -1.
GAMES = (
    "2048",
    "backgammon",
    "breakthrough(rows=6,columns=6)",
    "catch",
    "checkers",
    "chess",
    "chinese_checkers(players=3)",
    "connect_four",
    "dots_and_boxes",
    "hex(board_size=5)",
    "mancala",
    "nim",
    "oware",
    "pentago",
    "pig(players=4)",
    "y(board_size=5)",
)

LONG = ("2048", "backgammon", "chess", "checkers", "chinese_checkers(players=3)")


def mcts_bot(game: Any, *, simulations: int, seed: int, c: float = 1.4) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, c, simulations, 100, False, seed, False)


def play(game: Any, bots: list[Any], seed: int) -> list[float]:
    """A game between bots, whose returns it gives; chance is seeded."""
    state = game.new_initial_state()
    dice = random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            action = dice.choices(actions, probabilities)[0]
        else:
            action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    returns: list[float] = state.returns()
    return returns


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_theirs_in_our_search(name: str) -> None:
    start = openspiel.position(name)
    position: Any = start
    rng = random.Random(name)
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(30):
        if position.is_over:
            break
        assert (position.to_move, position.legal_moves()) == (state.current_player(), state.legal_actions())
        move = rng.choice(position.legal_moves())
        assert position.format_move(move) == state.action_to_string(state.current_player(), move)
        position, before = position.play(move), position
        state.apply_action(move)
        assert before.legal_moves()  # it is as it was
    assert str(position) == str(state)
    assert str(pickle.loads(pickle.dumps(position))) == str(position)
    playouts = 4 if name in LONG else 40
    results = [tesuji.Search(start, seed=1).run(playouts) for _ in range(2)]
    assert results[0].moves == results[1].moves
    assert results[0].best_move in start.legal_moves()
    assert sum(entry.visits for entry in results[0].moves) == playouts


@pytest.mark.parametrize("name", ["connect_four", "tic_tac_toe", "nim", "pig", "catch", "y(board_size=5)"])
def test_our_rules_for_games_hold_for_theirs(name: str) -> None:
    check = tesuji.check_game(openspiel.position(name), games=5, seed=1)
    assert not check.problems


def test_a_search_of_theirs_finds_what_there_is() -> None:
    state = pyspiel.load_game("connect_four").new_initial_state()
    for action in (3, 0, 3, 0, 3, 1):
        state.apply_action(action)
    assert tesuji.Search(openspiel.position(state), seed=1).run(playouts=500).best_move == 3
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for action in (0, 4, 8):
        state.apply_action(action)
    solved = tesuji.Search(openspiel.position(state), "uct+solver", seed=1).run(playouts=5000)
    assert solved.proven == "draw"
    assert solved.best_move in (1, 3, 5, 7)  # a corner loses


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("kuhn_poker", "not of perfect information"),
        ("matrix_pd", "not sequential"),
        ("stones_and_gems", "known probabilities"),
        ("pig(players=10)", "at most 8 players"),
        ("no_such_game", "does not load 'no_such_game'"),
        ("go(board_size=100)", "cannot begin go"),
        (7, "give a game's name"),
    ],
)
def test_what_cannot_be_searched(start: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        openspiel.position(start)


@pytest.mark.parametrize("name", ["tic_tac_toe", "othello", "havannah(board_size=4)", "go(board_size=5,komi=0.5)"])
def test_games_that_are_ours_too(name: str) -> None:
    """The bot answers in its actions, whether it searches our game or theirs."""
    game = pyspiel.load_game(name)
    ours = openspiel.Bot(game, playouts=60, seed=1)
    theirs = openspiel.Bot(game, playouts=20, seed=2, native=False)
    assert isinstance(ours.search.position, tesuji.Position)
    assert isinstance(theirs.search.position, openspiel.OpenSpielPosition)
    for seed, bots in enumerate(([ours, theirs], [theirs, ours])):
        play(game, bots, seed)


def test_a_bot_plays_several_games_and_keeps_its_tree() -> None:
    game = pyspiel.load_game("connect_four")
    bot = openspiel.Bot(game, playouts=50, seed=1)
    state = game.new_initial_state()
    state.apply_action(bot.step(state))
    state.apply_action(3)
    bot.step(state)
    assert bot.search.result().visits > 50  # some were made before its last move
    first = play(game, [bot, bot], 1)
    bot.restart()
    assert play(game, [bot, bot], 1) != [] != first
    state = game.new_initial_state()
    state.apply_action(3)
    bot.restart_at(state)
    assert bot.step(state) in state.legal_actions()


def test_games_that_begin_elsewhere() -> None:
    """Their histories say nothing of that, so that a bot which goes by them alone would search another position."""
    chess = pyspiel.load_game("chess")
    mate = chess.new_initial_state("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    bot = openspiel.Bot(chess, playouts=300, seed=1)
    bot.step(chess.new_initial_state())
    assert mate.action_to_string(0, bot.step(mate)) == "Ra8#"
    bot.restart_at(mate)
    assert str(bot.search.position) == str(mate)
    game = pyspiel.load_game("tic_tac_toe")
    state = game.new_initial_state()
    for action in (0, 4, 1):
        state.apply_action(action)
    bot = openspiel.Bot(game, playouts=300, seed=1)
    for start in (game.new_initial_state(state.to_json()), state):
        assert bot.step(start) == 2
    assert isinstance(bot.search.position, tesuji.Position)


def test_a_position_reached_on_another_way_is_another_game() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    bot = openspiel.Bot(game, playouts=50, seed=1, native=False)
    for actions in ((0, 4, 1), (1, 4, 0)):
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        bot.step(state)
        assert bot.search.position.state.history() == list(actions)


def test_ctrl_c_ends_the_game_and_not_the_move() -> None:
    bot = openspiel.Bot("connect_four", seconds=60, seed=1)
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bot.step(pyspiel.load_game("connect_four").new_initial_state())
    timer.join()


def test_pyspiel_drives_our_bot() -> None:
    game = pyspiel.load_game("breakthrough(rows=6,columns=6)")
    bots = [openspiel.Bot(game, playouts=20, seed=1), pyspiel.make_uniform_random_bot(1, 5)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert sorted(returns) == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "needs a budget"),
        ({"playouts": 0}, "playouts must be"),
        ({"cpu_seconds": float("nan")}, "cpu_seconds must be"),
        ({"playouts": 5, "seed": "x"}, "seed must be"),
        ({"playouts": 5, "threads": 0}, "threads must be"),
    ],
)
def test_what_is_wrong_with_a_bot_is_told_at_once(options: dict[str, Any], message: str) -> None:
    for game in ("tic_tac_toe", "connect_four"):
        with pytest.raises(ArgumentError, match=message):
            openspiel.Bot(game, **options)


def test_rollouts_are_for_two() -> None:
    with pytest.raises(ArgumentError, match="zero-sum games of two"):
        openspiel.rollouts(pyspiel.load_game("catch"), seed=1)


def test_equal_playouts_are_about_equal_strength() -> None:
    """Both are UCT with one random playout a leaf. Of 40 games either side has at least 6, but for one run in 10^6."""
    game = pyspiel.load_game("connect_four")
    points = 0.0
    for seed in range(40):
        # Their rewards are from -1 to 1, ours from 0 to 1: the constants mean the same.
        ours = openspiel.Bot(game, "uct(c=0.7)", playouts=100, seed=seed)
        bots = [ours, mcts_bot(game, simulations=100, seed=seed, c=1.4)]
        side = seed % 2
        points += (play(game, bots if side == 0 else bots[::-1], seed)[side] + 1) / 2
    assert 6 <= points <= 34


def test_equal_cpu_time_in_a_game_that_we_have() -> None:
    """The native search makes a hundred times as many playouts; a lost game of four would be a wonder."""
    game = pyspiel.load_game("othello")
    points = 0.0
    for seed in range(4):
        theirs = mcts_bot(game, simulations=20, seed=seed)
        began = time.thread_time()
        theirs.step(game.new_initial_state())
        spent = time.thread_time() - began
        bots = [openspiel.Bot(game, "uct(c=0.7)", cpu_seconds=spent, seed=seed), theirs]
        side = seed % 2
        points += (play(game, bots if side == 0 else bots[::-1], seed)[side] + 1) / 2
    assert points >= 3
