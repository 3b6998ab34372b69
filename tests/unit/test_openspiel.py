"""Every game, move by move, against rules that somebody else wrote: OpenSpiel's."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pyspiel
import pytest

import tesuji

GAMES_EACH = 1000


@dataclass(frozen=True, kw_only=True)
class Pair:
    """The same game twice, and how our moves are called over there."""

    name: str
    ours: Callable[[], tesuji.Position]
    theirs: str
    translate: Callable[[int], int]
    games: int


def flip_rows(size: int) -> Callable[[int], int]:
    """OpenSpiel numbers Go's rows from the bottom; the pass has the same number."""
    return lambda move: move if move == size * size else (size - 1 - move // size) * size + move % size


def same(move: int) -> int:
    return move


PAIRS = (
    Pair(
        name="go 9",
        ours=lambda: tesuji.Go(size=9, komi=7.5, superko=False),
        theirs="go(board_size=9,komi=7.5,max_game_length=100000)",
        translate=flip_rows(9),
        games=600,
    ),
    Pair(
        name="go 5",
        ours=lambda: tesuji.Go(size=5, komi=0.5, superko=False),
        theirs="go(board_size=5,komi=0.5,max_game_length=100000)",
        translate=flip_rows(5),
        games=300,
    ),
    Pair(
        name="go 13",
        ours=lambda: tesuji.Go(size=13, komi=7, superko=False),
        theirs="go(board_size=13,komi=7.0,max_game_length=100000)",
        translate=flip_rows(13),
        games=60,
    ),
    Pair(
        name="go 19",
        ours=lambda: tesuji.Go(size=19, komi=7.5, superko=False),
        theirs="go(board_size=19,komi=7.5,max_game_length=100000)",
        translate=flip_rows(19),
        games=40,
    ),
    Pair(name="othello", ours=tesuji.Othello, theirs="othello", translate=same, games=GAMES_EACH),
    Pair(
        name="havannah 4",
        ours=lambda: tesuji.Havannah(size=4),
        theirs="havannah(board_size=4)",
        translate=same,
        games=500,
    ),
    Pair(
        name="havannah 8",
        ours=lambda: tesuji.Havannah(size=8),
        theirs="havannah(board_size=8)",
        translate=same,
        games=500,
    ),
    Pair(name="tic-tac-toe", ours=tesuji.TicTacToe, theirs="tic_tac_toe", translate=same, games=GAMES_EACH),
)


def test_every_game_is_compared_a_thousand_times() -> None:
    counts: dict[str, int] = {}
    for pair in PAIRS:
        kind = pair.name.split()[0]
        counts[kind] = counts.get(kind, 0) + pair.games
    assert set(counts) == {"go", "othello", "havannah", "tic-tac-toe"}
    assert min(counts.values()) >= GAMES_EACH


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_random_games_agree_with_openspiel(pair: Pair) -> None:
    game = pyspiel.load_game(pair.theirs)
    rng = random.Random(pair.name)
    finished = 0
    for _ in range(pair.games):
        finished += play_both(pair, game.new_initial_state(), rng)
    # Random games reach their end; those of Go that repeat a position first are few.
    assert finished >= pair.games // 2


def play_both(pair: Pair, state: pyspiel.State, rng: random.Random) -> bool:
    """One random game on both boards; whether it came to its end."""
    position = pair.ours()
    is_go = isinstance(position, tesuji.Go)
    seen = {board_of(position)}
    while not position.is_over:
        moves = position.legal_moves()
        assert not state.is_terminal()
        assert state.current_player() == position.to_move
        assert sorted(map(pair.translate, moves)) == sorted(state.legal_actions())
        # In Go passes are rare at first, so that the board fills, and frequent later, so that games end.
        stones_only = is_go and len(moves) > 1 and rng.random() < (0.97 if len(seen) < 150 else 0.5)
        move = rng.choice(moves[:-1] if stones_only else moves[-1:] if is_go else moves)
        position = position.play(move)
        state.apply_action(pair.translate(move))
        if is_go and move != moves[-1]:
            if board_of(position) in seen:
                return False  # a repeated position ends the game over there, and not here
            seen.add(board_of(position))
    assert state.is_terminal()
    assert position.outcome() == tuple((value + 1) / 2 for value in state.returns())
    return True


def board_of(position: tesuji.Position) -> bytes:
    return position.native.cells()


def test_superko_forbids_exactly_the_moves_that_repeat_a_position() -> None:
    rng = random.Random(5)
    forbidden = 0
    for _ in range(200):
        position = tesuji.Go(size=5, komi=0.5)
        free = tesuji.Go(size=5, komi=0.5, superko=False)
        seen = {board_of(position)}
        while not position.is_over and len(seen) < 80:
            allowed = [move for move in free.legal_moves() if move == 25 or board_of(free.play(move)) not in seen]
            assert position.legal_moves() == allowed
            forbidden += len(free.legal_moves()) - len(allowed)
            move = rng.choice(allowed[:-1] or allowed)
            position, free = position.play(move), free.play(move)
            seen.add(board_of(position))
    assert forbidden > 10  # the rule was really at work
