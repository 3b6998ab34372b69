"""What every registered game must do, and what each adds."""

from __future__ import annotations

import copy
import pickle
import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji import ArgumentError, GameStateError, Go, Havannah, IllegalMoveError, Othello, Position, TicTacToe, TreeGame
from tesuji.games import GAMES, make_game

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in GAMES),
    ("go", {"size": 5, "komi": 0.5}),
    ("go", {"size": 6, "superko": False}),
    ("go", {"size": 13, "handicap": 9}),
    ("go", {"size": 19}),
    ("havannah", {"size": 3, "swap": True}),
    ("havannah", {"size": 6, "swap": True}),
    ("havannah", {"size": 10}),
    ("sum-of-switches", {"size": 7}),
    ("sum-of-switches", {"size": 100}),
    ("tree-game", {"branching": 5, "depth": 5, "seed": 7}),
]
NONSENSE: list[Any] = [-1, 10**30, True, False, 1.5, None, "", " ", "zz9", "a0", "²", "passs", b"a1", [], {}]
NONSENSE += [np.float64(1), np.bool_(True), np.array([1, 2])]


@pytest.fixture(params=VARIANTS, ids=lambda variant: f"{variant[0]}-{variant[1]}")
def start(request: pytest.FixtureRequest) -> Position:
    name, options = request.param
    return make_game(name, **options)


def random_game(start: Position, seed: int, most: int = 400) -> Iterator[Position]:
    """The positions of a random game, the start and the end included."""
    rng = random.Random(seed)
    position = start
    yield position
    for _ in range(most):
        if position.is_over:
            return
        position = position.play(rng.choice(sorted(position.legal_moves())))
        yield position


def some_positions(start: Position) -> list[Position]:
    """A few positions of a random game, the last one too."""
    game = list(random_game(start, seed=1))
    return [*game[:: max(1, len(game) // 5)], game[-1]]


def test_games_follow_their_own_rules(start: Position) -> None:
    assert not start.is_over
    for position in random_game(start, seed=2):
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves)
        assert position.is_over == (not moves)
        assert all(type(move) is int and position.is_legal(move) for move in moves)
        if position.is_over:
            rewards = position.outcome()
            assert len(rewards) == position.num_players == 2
            assert sum(rewards) == 1
            assert set(rewards) <= {0.0, 0.5, 1.0} or isinstance(position, TreeGame)
        else:
            assert position.to_move in range(position.num_players)
            with pytest.raises(GameStateError, match="not over"):
                position.outcome()


def test_playouts_end_and_repeat(start: Position) -> None:
    for position in some_positions(start):
        _, wins = position.native.playouts(50, 1)
        assert 0 <= wins <= 50
        assert position.native.playouts(50, 1)[1] == wins


def test_illegal_moves_and_nonsense_change_nothing(start: Position) -> None:
    for position in some_positions(start):
        before, text = pickle.dumps(position), str(position)
        legal = set(position.legal_moves())
        for move in [*NONSENSE, *(m for m in range(position.num_distinct_moves + 1) if m not in legal)]:
            with pytest.raises(IllegalMoveError) as caught:
                position.play(move)
            assert str(caught.value)
            assert "\n" not in str(caught.value)
            assert not position.is_legal(move)
        assert (pickle.dumps(position), str(position), set(position.legal_moves())) == (before, text, legal)


def test_moves_may_be_numbers_of_numpy_or_text(start: Position) -> None:
    move = start.legal_moves()[3]
    text = start.format_move(move)
    following = start.play(move)
    for same in (np.int64(move), np.uint16(move), np.array(move), text, text.upper(), f" {text} "):
        assert start.play(same) == following
    assert start.parse_move(text) == move


def test_texts_of_moves_read_back(start: Position) -> None:
    texts = {}
    for move in range(start.num_distinct_moves):
        try:
            texts[move] = start.format_move(move)
        except IllegalMoveError:
            continue  # a number off the board
        assert start.parse_move(texts[move]) == move
    assert set(start.legal_moves()) <= set(texts)
    assert len(set(texts.values())) == len(texts)
    with pytest.raises(IllegalMoveError, match="number"):
        start.format_move("a1")  # type: ignore[arg-type]


def test_positions_are_values(start: Position) -> None:
    seen: dict[Position, int] = {}
    for ply, position in enumerate(random_game(start, seed=3, most=60)):
        twin = pickle.loads(pickle.dumps(position))
        assert twin == position
        assert hash(twin) == hash(position)
        assert copy.copy(position) == copy.deepcopy(position) == position
        assert (str(twin), repr(twin), twin.is_over) == (str(position), repr(position), position.is_over)
        assert sorted(twin.legal_moves()) == sorted(position.legal_moves())
        assert twin.svg() == position.svg()
        seen.setdefault(position, ply)
        assert position != start or ply == 0
    assert len(seen) > 5
    assert start != "start"
    assert start != None  # noqa: E711  the comparison itself is under test


def test_pickles_go_on_like_their_originals(start: Position) -> None:
    """What a position remembers beyond the board (ko, earlier boards, passes, swap) is in its pickle too."""
    for position in some_positions(start):
        pairs = zip(random_game(position, 4, 80), random_game(pickle.loads(pickle.dumps(position)), 4, 80), strict=True)
        assert all(mine == its for mine, its in pairs)


def test_positions_cannot_be_changed(start: Position) -> None:
    with pytest.raises(AttributeError, match="never changes"):
        start.to_move = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        start.anything = 1
    with pytest.raises(AttributeError):
        del start._native
    cells = start.cells()
    cells[:] = 0
    assert not np.array_equal(cells, start.cells())


def test_planes(start: Position) -> None:
    for position in some_positions(start):
        planes = position.planes()
        cells = position.cells()
        assert planes.dtype == np.float32
        assert planes.shape == (len(position.plane_names), *position.shape)
        assert np.array_equal(planes[:3].sum(axis=0), cells != 3)
        assert np.array_equal(planes[0] > 0, cells == position.to_move)
        assert np.array_equal(planes[1] > 0, cells == 1 - position.to_move)
        assert np.all(planes[3] == position.to_move)


def test_pictures(start: Position) -> None:
    for position in some_positions(start):
        cells = position.cells()
        board, status = str(position).rsplit("\n", 1)
        if not isinstance(position, TreeGame):  # it has no board to draw
            assert board.count(".") == int((cells == 2).sum())
        assert ("to move" in status) != position.is_over
        root = ET.fromstring(position.svg())
        assert root.tag.endswith("svg")
        assert len(root.findall("{*}circle")) >= int((cells < 2).sum())
        assert position._repr_svg_() == position.svg()


# ---- registry


def test_unknown_games_and_options() -> None:
    with pytest.raises(ArgumentError, match="did you mean 'othello'"):
        make_game("otello")
    with pytest.raises(ArgumentError, match="othello has no option 'komi'; it has none"):
        make_game("othello", komi=5.5)
    assert make_game("GO", size=None) == Go()


@pytest.mark.parametrize("size", [4, 20, 0, -9, 9.0, "9", None, True, 10**40])
def test_go_sizes_out_of_range(size: Any) -> None:
    with pytest.raises(ArgumentError, match="from 5 to 19"):
        Go(size)


@pytest.mark.parametrize("size", [2, 11, 5.0, None, False])
def test_havannah_sizes_out_of_range(size: Any) -> None:
    with pytest.raises(ArgumentError, match="from 3 to 10"):
        Havannah(size)


@pytest.mark.parametrize("komi", [float("nan"), float("inf"), "7.5", None, 1e9])
def test_komi_must_make_sense(komi: Any) -> None:
    with pytest.raises(ArgumentError, match="komi must be a finite number"):
        Go(9, komi)


def test_options_must_be_flags() -> None:
    with pytest.raises(ArgumentError, match="superko must be True or False"):
        Go(9, 7.5, "yes")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="swap must be True or False"):
        Havannah(5, 1)  # type: ignore[arg-type]


# ---- Go

KO = """
. X O . .
X O . O .
. X O . .
. . . . .
. . . . .
"""


def test_go_coordinates() -> None:
    board = Go(19)
    assert board.parse_move("A19") == 0
    assert board.parse_move("t1") == 19 * 19 - 1
    assert board.parse_move("J1") - board.parse_move("H1") == 1
    assert board.format_move(board.pass_move) == "pass"
    for text in ("I5", "A20", "A0", "U1", "A", "11", "A+1", "A1 "[:2] + "x"):
        with pytest.raises(IllegalMoveError, match="A1 to T19"):
            board.parse_move(text)


@given(st.integers(5, 19).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size * size))))
def test_sgf_coordinates_read_back(size_and_move: tuple[int, int]) -> None:
    size, move = size_and_move
    board = Go(size)
    assert board.parse_sgf_move(board.format_sgf_move(move)) == move
    with pytest.raises(IllegalMoveError, match="two letters"):
        board.parse_sgf_move("a" + chr(ord("a") + size))


def test_sgf_counts_rows_from_the_top() -> None:
    assert Go(9).parse_sgf_move("ba") == Go(9).parse_move("B9")
    assert Go(19).parse_sgf_move("tt") == Go(19).pass_move


def test_go_says_why_a_move_is_illegal() -> None:
    position = Go.from_ascii(KO).play("C4")
    assert position.ko_point == position.parse_move("B4")
    assert position.planes()[4].sum() == 1
    for move, reason in (("B4", "retakes a ko"), ("C4", "occupied by Black"), ("A5", "suicide")):
        with pytest.raises(IllegalMoveError, match=f"illegal move {move} for White: .*{reason}"):
            position.play(move)
    position.play("E1").play("pass").play("B4")  # a move elsewhere lifts the ko


def test_superko_forbids_what_repeats() -> None:
    """Some random game on a small board meets a move that only superko forbids."""
    for seed in range(200):
        for position in random_game(Go(5), seed, most=150):
            if position.is_over:
                break
            free = pickle.loads(pickle.dumps(position))
            forbidden = [m for m in range(25) if position.cells().flat[m] == 2 and not position.is_legal(m)]
            reasons = {m: str(position._illegal(m)) for m in forbidden}
            repeated = [m for m, reason in reasons.items() if "superko" in reason]
            if repeated:
                state = {**free._state(), "superko": False}
                assert Go._from_state(state).is_legal(repeated[0])
                return
    pytest.fail("no superko in 200 games")


def test_go_ends_with_two_passes_and_counts_area() -> None:
    position = Go(5, komi=3.5).play("C3").play("pass")
    assert position.planes()[5].all()
    end = position.play("pass")
    assert end.is_over
    assert end.score == 25 - 3.5
    assert end.outcome() == (1.0, 0.0)
    assert str(end).endswith("Black wins by 21.5")
    with pytest.raises(IllegalMoveError, match="illegal move A1: the game is over"):
        end.play("A1")


def test_go_draws_with_an_even_komi() -> None:
    end = Go(5, komi=25).play("C3").play("pass").play("pass")
    assert end.outcome() == (0.5, 0.5)
    assert str(end).endswith("draw")


def test_go_komi_is_part_of_the_position() -> None:
    assert Go(9, 6.5) != Go(9, 7.5)
    assert Go(9, superko=False) != Go(9)
    assert Go(9) != Go(13)


HANDICAP = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
}


@pytest.mark.parametrize(("count", "points"), HANDICAP.items())
def test_fixed_handicap_is_gtps(count: int, points: str) -> None:
    position = Go(19, handicap=count)
    assert position == Go.from_stones(size=19, black=points.split(), to_move=1)
    assert position.to_move == 1


@pytest.mark.parametrize(("size", "handicap"), [(9, 1), (9, 10), (8, 5), (7, 5), (5, 2), (9, -1), (9, 2.0)])
def test_handicaps_that_do_not_fit(size: int, handicap: Any) -> None:
    with pytest.raises(ArgumentError, match="handicap"):
        Go(size, handicap=handicap)


def test_go_set_up() -> None:
    drawn = Go.from_ascii(KO, to_move=1)
    black, white = ["B5", "A4", "B3"], ["C5", "B4", "D4", "C3"]
    assert Go.from_stones(size=5, black=black, white=white, to_move=1) == drawn
    with pytest.raises(ArgumentError, match="two stones on C3"):
        Go.from_stones(size=5, black=[*black, "C3"], white=white)
    assert Go.from_ascii(str(drawn), to_move=1) == drawn


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("X.\n..", "from 5 to 19"),
        ("....\n" * 5, "5 rows of 5 cells"),
        ("..?..\n" * 5, "is no cell"),
        ("XO...\nO....\n" + ".....\n" * 3, "stone on A5 has no liberty"),
    ],
)
def test_boards_that_cannot_be_set_up(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Go.from_ascii(text)


# ---- Othello


def test_othello_knows_its_opening() -> None:
    start = Othello()
    assert sorted(start.format_move(move) for move in start.legal_moves()) == ["c4", "d3", "e6", "f5"]
    assert start.play("f5").discs() == (4, 1)
    with pytest.raises(IllegalMoveError, match="e4 for Black: the square is occupied by Black"):
        start.play("e4")
    with pytest.raises(IllegalMoveError, match="it turns no disc"):
        start.play("a1")
    with pytest.raises(IllegalMoveError, match="there is a legal move"):
        start.play("pass")
    assert Othello.from_ascii(str(start)) == start
    assert Othello.from_discs(black=["e4", "d5"], white=["d4", "e5"]) == start


def test_othello_passes() -> None:
    position = Othello.from_discs(black=["a1"], white=["b1"], to_move=1)
    assert position.legal_moves() == [64]
    with pytest.raises(IllegalMoveError, match="the only move is to pass"):
        position.play("c1")
    end = position.play("pass").play("c1")
    assert end.is_over
    assert end.outcome() == (1.0, 0.0)


def test_othello_refuses_bad_set_ups() -> None:
    with pytest.raises(ArgumentError, match="two discs on a1"):
        Othello.from_discs(black=["a1"], white=["a1"])
    with pytest.raises(ArgumentError, match="8 rows of 8 cells"):
        Othello.from_ascii("XO")
    with pytest.raises(ArgumentError, match="to_move"):
        Othello.from_discs(black=["a1"], white=["b1"], to_move=2)


# ---- Havannah


@given(st.integers(3, 10).flatmap(lambda side: st.tuples(st.just(side), st.integers(0, (2 * side - 1) ** 2 - 1))))
def test_little_golem_coordinates_read_back(side_and_move: tuple[int, int]) -> None:
    side, move = side_and_move
    board = Havannah(side)
    y, x = divmod(move, 2 * side - 1)
    if abs(x - y) >= side:
        with pytest.raises(IllegalMoveError, match="off the board"):
            board.format_little_golem_move(move)
        return
    text = board.format_little_golem_move(move)
    assert board.parse_little_golem_move(text) == move
    assert 1 <= int(text[1:]) <= 2 * side - 1 - abs(x - side + 1)


def test_little_golem_counts_each_column_from_one() -> None:
    board = Havannah(5)
    assert board.format_little_golem_move(board.parse_move("e1")) == "e1"
    assert board.format_little_golem_move(board.parse_move("i5")) == "i1"
    assert board.parse_little_golem_move("i5") == board.parse_move("i9")
    for text in ("i6", "a0", "j1", "a6", "", None):
        with pytest.raises(IllegalMoveError, match="Little Golem"):
            board.parse_little_golem_move(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "stones", "last"),
    [
        ("bridge", "a1 b1 d1", "c1"),
        ("ring", "c3 d3 c4 e4 d5", "e5"),
        ("fork", "b1 b2 b3 b4 b5 c4 d4 e4 f4", "g5"),
    ],
)
def test_havannah_wins(kind: str, stones: str, last: str) -> None:
    before = Havannah.from_stones(size=4, white=stones.split())
    assert (before.winner, before.win_kind, before.is_over) == (None, "none", False)
    end = before.play(last)
    assert (end.winner, end.win_kind, end.is_over) == (0, kind, True)
    assert str(end).endswith(f"White wins by a {kind}")


def test_swapping_takes_over_the_first_stone() -> None:
    start = Havannah(4, swap=True)
    for illegal in (start, Havannah(4).play("d4"), start.play("d4").play("d5"), start.play("d4").play("swap")):
        with pytest.raises(IllegalMoveError, match="only the answer to the first stone"):
            illegal.play("swap")
    swapped = start.play("d4").play("swap")
    assert swapped.to_move == 0
    assert swapped.cells()[3, 3] == 1
    assert start.play("d4").planes()[4].all()
    assert not swapped.planes()[4].any()


# ---- tic-tac-toe


@pytest.mark.parametrize(
    ("text", "message"),
    [("XX.\n...\n...", "as many or one more"), ("XXX\nOOO\n...", "no game leads"), ("XO\n..", "3 rows of 3 cells")],
)
def test_tic_tac_toe_boards_that_no_game_reaches(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        TicTacToe.from_ascii(text)


def test_tic_tac_toe_boards_with_two_lines() -> None:
    end = TicTacToe.from_ascii("XXX\nOXO\nOOX")
    assert end.outcome() == (1.0, 0.0)


def test_a_game_of_go_under_other_rules() -> None:
    """Black takes a ko, and after two moves elsewhere it is taken back: superko forbids to take it once more."""
    ko = Go.from_stones(black=["B1", "A2", "B3"], white=["C1", "D2", "C3", "B2"], size=5, komi=7.5)
    position = ko.play("C2").play("E5").play("E4").play("B2").play("pass")
    assert position.with_rules(komi=0.5).komi == 0.5
    assert position.with_rules(komi=0.5).with_rules(komi=7.5) == position
    assert not position.with_rules(superko=False).superko
    assert position.with_rules() == position
    with pytest.raises(ArgumentError, match="komi"):
        position.with_rules(komi=1e9)
