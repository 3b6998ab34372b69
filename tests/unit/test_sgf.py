"""Records of games of Go: reading, writing, and what is said of broken ones."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill_sgf

from tesuji import ArgumentError, Go, IllegalMoveError, SgfError
from tesuji.sgf import SgfGame

# Set-up stones, two variations, a comment with brackets, and White moving twice in the second.
VARIATIONS = rb"""(;GM[1]FF[4]SZ[9]KM[6.5]PB[Ann]RE[W+R]
AB[cc][gg]AW[cg]PL[W]
;W[ee];B[ef]C[an \] and a ; inside]
(;W[df];B[])
(;W[ff];W[eg]
;B[eh]))
"""


def texts(game: SgfGame, variation: int = 1) -> list[str]:
    return [f"{'BW'[step.player]} {step.before.format_move(step.move)}" for step in game.line(variation)]


def parsed(text: str) -> SgfGame:
    return SgfGame.parse(text.encode(), name="game.sgf")


# ---- reading


def test_the_game_and_its_variations() -> None:
    game = SgfGame.parse(VARIATIONS)
    assert (game.size, game.komi, game.info("PB"), game.info("PW")) == (9, 6.5, "Ann", None)
    assert game.variation_count == 2
    assert texts(game) == ["W E5", "B E4", "W D4", "B pass"]
    assert texts(game, 2) == ["W E5", "B E4", "W F4", "W E3", "B E2"]


def test_positions_of_a_line() -> None:
    game = SgfGame.parse(VARIATIONS)
    start = Go.from_stones(black=["C7", "G3"], white=["C3"], to_move=1, komi=6.5, superko=False)
    assert game.position(0) == start
    assert game.position(2) == start.play("E5").play("E4")
    assert game.position() == start.play("E5").play("E4").play("D4").play("pass")
    for variation in (1, 2):
        line = game.line(variation)
        assert [step.number for step in line] == list(range(1, len(line) + 1))
        assert all(step.before.play(step.move) == step.after for step in line)
        assert all(step.before.to_move == step.player for step in line)
    with pytest.raises(ArgumentError, match="variation 1 of the record has 4 moves, not 5"):
        game.position(5)
    with pytest.raises(ArgumentError, match="has 2 variations, so there is no variation 3"):
        game.line(3)


def test_set_up_in_the_middle_of_a_game() -> None:
    game = parsed("(;SZ[9];B[ee];W[ed];AE[ee]AB[aa]AW[bb:cc]PL[W];W[ab])")
    position = game.position()
    expected = Go.from_stones(black=["A9"], white=["E6", "B8", "C8", "B7", "C7"], to_move=1, komi=0, superko=False)
    assert position == expected.play("A8")


def test_handicap_stones_let_white_begin() -> None:
    game = parsed("(;SZ[19]HA[2]AB[dp][pd];W[dd])")
    assert game.handicap == 2
    assert game.position(0).to_move == 1
    assert game.position(0) == Go(19, 0, superko=False, handicap=2)
    assert parsed("(;SZ[19]HA[2]AB[dp][pd])").position().to_move == 1


@pytest.mark.parametrize("stones", ["-3", "362"])
def test_handicaps_that_cannot_be(stones: str) -> None:
    with pytest.raises(SgfError, match=f"there cannot be {stones} handicap stones"):
        _ = parsed(f"(;SZ[19]HA[{stones}])").handicap


def test_a_game_goes_on_after_two_passes_and_repeats_positions() -> None:
    game = parsed("(;SZ[9];B[ee];W[];B[tt];W[dd];B[])")
    assert texts(game) == ["B E5", "W pass", "B pass", "W D6", "B pass"]


def test_a_record_without_moves() -> None:
    game = parsed("(;SZ[9]AB[aa])")
    assert game.line() == ()
    assert game.position() == game.position(0)


def test_only_the_first_game_of_a_file() -> None:
    assert texts(parsed("some words (;SZ[9];B[aa]) (;SZ[9];B[bb])")) == ["B A9"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "game.sgf, line 1, column 1: this is no SGF: no SGF data found"),
        ("hello", "line 1, column 1: this is no SGF: no SGF data found, at 'hello'"),
        ("(;SZ[9];B[aa]", "line 1, column 14: this is no SGF: unexpected end of SGF data"),
        ("(;SZ[9];B[aa]\n;W[dd] ] ;B[cc])", "line 2, column 8: this is no SGF: unexpected end of SGF data, at '] ;"),
        ("(;SZ[9];B[aa]\n;W;B[cc])", "line 2, column 3: this is no SGF: property with no values, at ';B[cc])'"),
        ("(;SZ[9]\n(B[aa]))", "line 2, column 7: this is no SGF: property value outside a node, at '))'"),
        ("(;SZ[40])", "line 1, column 2: bad root node: size out of range: 40"),
        ("(;SZ[9:13])", "line 1, column 2: bad root node: bad SZ property"),
        ("(;SZ[4])", "line 1, column 2 (node 0): the size of a Go board must be an integer from 5 to 19, not 4"),
        ("(;CA[Klingon])", "line 1, column 2: bad root node: unknown encoding: Klingon"),
        ("(;CA[hex])", "line 1, column 2: bad root node: a record cannot be in the encoding HEX: use UTF-8"),
        ("(;CA[utf-16])", "line 1, column 2: bad root node: a record cannot be in the encoding UTF-16"),
        ("(;CA[idna])", "line 1, column 2: bad root node: a record cannot be in the encoding IDNA"),
        ("(;GM[2])", "line 1, column 2 (node 0): this is a game of another kind (GM[2]), not Go (GM[1])"),
        ("(;SZ[9]KM[six])", "line 1, column 2 (node 0): komi must be a number, not 'six'"),
        ("(;SZ[9]KM[1e9])", "line 1, column 2 (node 0): komi must be a finite number from -1000 to 1000"),
    ],
)  # fmt: skip
def test_broken_files(text: str, message: str) -> None:
    with pytest.raises(SgfError) as raised:
        parsed(text)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;SZ[9];B[ee]\n\n  ;W[ee])", "game.sgf, line 3, column 3 (node 2): move 2: illegal move E5 for White"),
        ("(;SZ[9];B[ee];W[zz])", "line 1, column 14 (node 2): move 2: 'zz' is no SGF move here"),
        ("(;SZ[9];C[;;];W[z])", "line 1, column 14 (node 2): move 1: 'z' is no SGF move here"),
        ("(;SZ[9];B[ee]W[dd])", "line 1, column 8 (node 1): one node has a move of Black and one of White"),
        ("(;SZ[9]AB[zz])", "line 1, column 2 (node 0): the set-up stones, or the player to move, are none"),
        ("(;SZ[9]PL[green])", "line 1, column 2 (node 0): the set-up stones, or the player to move"),
        ("(;SZ[9]AW[aa]AB[ab][ba])", "line 1, column 2 (node 0): the stone on A9 has no liberty"),
        ("(;SZ[9]AW[ab][ba];B[aa])", "node 1): move 1: illegal move A9 for Black: it is suicide"),
    ],
)  # fmt: skip
def test_broken_lines(text: str, message: str) -> None:
    game = parsed(text)
    with pytest.raises(SgfError) as raised:
        game.line()
    assert message in str(raised.value)


def test_the_place_of_an_error_in_a_variation() -> None:
    game = parsed("(;SZ[9];B[ee]\n(;W[dd])\n(;W[cc]\n;B[cc]))")
    assert len(game.line()) == 2
    with pytest.raises(SgfError, match=r"line 4, column 1 \(node 4\): move 3"):
        game.line(2)
    assert game.position(2, variation=2).last_move is not None, "before the broken move all is well"


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(SgfError, match=r"none\.sgf cannot be read: No such file"):
        SgfGame.read(tmp_path / "none.sgf")
    with pytest.raises(SgfError, match="cannot be read: Is a directory"):
        SgfGame.read(tmp_path)
    with pytest.raises(SgfError, match="cannot be written: No such file"):
        SgfGame.from_moves(Go(9), []).write(tmp_path / "none" / "game.sgf")


# ---- writing


def random_moves(start: Go, plies: int, seed: int) -> list[int]:
    rng = random.Random(seed)
    moves: list[int] = []
    position = start
    while len(moves) < plies and not position.is_over:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves


@st.composite
def starts(draw: st.DrawFn) -> Go:
    size = draw(st.sampled_from([5, 9, 13, 19]))
    komi = draw(st.sampled_from([0.0, 0.5, 7.0, 7.5, -3.5]))
    points = draw(st.lists(st.integers(0, size * size - 1), max_size=8, unique=True))
    blank = Go(size, komi, superko=False)
    vertices = [blank.format_move(point) for point in points]
    black = draw(st.integers(0, len(vertices)))
    try:
        return Go.from_stones(
            black=vertices[:black], white=vertices[black:], to_move=draw(st.integers(0, 1)), size=size, komi=komi,
            superko=False,
        )  # fmt: skip
    except ArgumentError:  # a stone without a liberty
        return blank


@settings(max_examples=60, deadline=None)
@given(start=starts(), plies=st.integers(0, 40), seed=st.integers(0, 2**32), name=st.text(max_size=20))
def test_what_is_written_is_read_back(start: Go, plies: int, seed: int, name: str) -> None:
    moves = random_moves(start, plies, seed)
    written = SgfGame.from_moves(start, moves, properties={"PB": "tesuji", "C": name})
    data = written.to_bytes()
    game = SgfGame.parse(data)
    assert [step.move for step in game.line()] == moves
    assert game.position(0) == start
    assert game.info("PB") == "tesuji"
    assert SgfGame.parse(game.to_bytes()).to_bytes() == data
    # And as somebody else reads it.
    other = sgfmill_sgf.Sgf_game.from_bytes(data)
    assert other.get_komi() == start.komi
    assert sum(node.get_move()[0] is not None for node in other.get_main_sequence()) == len(moves)


def test_what_cannot_be_written() -> None:
    for moves in ([999], [0, 0]):
        with pytest.raises(IllegalMoveError):
            SgfGame.from_moves(Go(9), moves)
    game = SgfGame.from_moves(Go(9), [0])
    with pytest.raises(IllegalMoveError):
        game.add_line(game.game.get_last_node(), game.position(), [0])
    assert len(game.line()) == 1
    for name, value in (("KM", "much"), ("b!", "x"), ("SZ", None)):
        with pytest.raises(SgfError, match=f"the property '{name}' cannot be"):
            SgfGame.from_moves(Go(9), [], properties={name: value})


def test_text_that_looks_like_sgf() -> None:
    game = SgfGame.parse(SgfGame.from_moves(Go(9), [], properties={"C": "]\\;(:é"}).to_bytes())
    assert game.info("C") == "]\\;(:é"


def test_variations_and_comments_survive() -> None:
    game = SgfGame.parse(VARIATIONS)
    second = game.line()[1]
    game.add_comment(second.node, "more")
    game.add_line(second.node, second.after, [second.after.parse_move(text) for text in ("G7", "H8")])
    again = SgfGame.parse(game.to_bytes())
    assert again.variation_count == 3
    assert texts(again) == texts(game) == ["W E5", "B E4", "W D4", "B pass"]
    assert texts(again, 2) == ["W E5", "B E4", "W F4", "W E3", "B E2"]
    assert texts(again, 3) == ["W E5", "B E4", "W G7", "B H8"]
    assert again.line()[1].node.get("C") == "an ] and a ; inside\n\nmore"


# ---- broken at random


def look_at_everything(data: bytes) -> None:
    """Reads, replays all variations, and writes: a broken record is an SgfError and nothing else."""
    try:
        game = SgfGame.parse(data)
        for variation in range(1, min(game.variation_count, 10) + 1):
            game.position(variation=variation)
        game.info("C")
        game.add_comment(game.game.get_root(), "read")
        SgfGame.parse(game.to_bytes())
    except SgfError as error:
        message = str(error)
        assert "line" in message or "cannot be written" in message


@settings(max_examples=200, deadline=None)
@given(
    cuts=st.lists(
        st.tuples(st.integers(0, len(VARIATIONS)), st.integers(0, 4), st.binary(max_size=4)), min_size=1, max_size=4
    )
)
def test_random_corruption(cuts: list[tuple[int, int, bytes]]) -> None:
    data = VARIATIONS
    for place, removed, added in cuts:
        data = data[:place] + added + data[place + removed :]
    look_at_everything(data)


WORDS = ["(", ")", ";", "B", "W", "[", "]", "[aa]", "[]", "[tt]", "SZ[9]", "SZ[", "AB[aa:ii]", "AE[bb]", "PL[W]",
         "KM[x]", "CA[utf-16]", "CA[ascii]", "CA[hex]", "CA[idna]", "C[\xe9]", "\\", ":", "\n", "HA[1]"]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=30))
def test_random_words(words: list[str]) -> None:
    look_at_everything(("(;" + "".join(words)).encode())


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=60))
def test_random_bytes(data: bytes) -> None:
    look_at_everything(data)


def test_deep_and_wide_records() -> None:
    """Neither nesting nor length makes it slow or deep."""
    deep = "(;SZ[9]" + "(;B[aa]" * 5000 + ")" * 5001
    with pytest.raises(SgfError, match="move 2"):
        parsed(deep).line()
    wide = "(;SZ[9]" + "(;B[aa])" * 3000 + ")"
    assert parsed(wide).variation_count == 3000
    assert len(parsed(wide).line(3000)) == 1
