"""Files of test positions: what is read, and what is said of those that cannot be."""

from __future__ import annotations

import json
import lzma
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.errors import TesujiError
from tesuji.games.go import Go
from tesuji.regress.files import read_problems
from tesuji.regress.problem import Expectation, Problem, ProblemFileError

DATA = Path(__file__).parent / "data"
GOOD: dict[str, Any] = {"id": 1, "sz": 9, "moves": ["B E5"], "to_play": "W", "ok": ["E4"]}


def by_name(*files: Path) -> dict[str, Problem]:
    return {f"{problem.suite} {problem.id}": problem for problem in read_problems(files)}


def board(problem: Problem) -> str:
    assert problem.setup is not None
    return str(problem.setup.table().position)


def test_json_lines() -> None:
    found = by_name(DATA / "own.jsonl")
    assert list(found) == [
        *(f"own/capture {number}" for number in (1, 2, 3)),
        *(f"own/strange {number}" for number in (1, 2, 3)),
        "own/win1 line 7",
        "othello first reply",
    ]
    first = found["own/capture 1"]
    assert str(first.expected) == "[E8]"
    drawn = """
        .........
        ...O.O.O.
        ...XOX...
        ...XOX...
        ...XOX...
        ...XOX...
        ....X..O.
        ..O......
        .........
    """
    assert first.setup is not None
    assert first.setup.table().position == Go.from_ascii(drawn).play("pass").with_to_move(0)
    assert (first.setup.player, first.setup.board) == (0, "go 9x9")
    assert found["own/capture 3"].known_fail
    assert str(found["own/capture 2"].expected) == "[!A1|pass]"
    reasons = [found[f"own/strange {number}"].obstacle for number in (1, 2, 3)]
    assert "from 5 to 19, not 4" in reasons[0]
    assert "special mode" in reasons[1]
    assert "occupied by Black" in reasons[2]


def test_compressed_files_are_the_same(tmp_path: Path) -> None:
    packed = tmp_path / "own.jsonl.xz"
    packed.write_bytes(lzma.compress((DATA / "own.jsonl").read_bytes()))
    assert [problem.setup for problem in read_problems([packed])] == [
        problem.setup for problem in read_problems([DATA / "own.jsonl"])
    ]


def test_tst() -> None:
    found = by_name(DATA / "own.tst")
    assert list(found) == [*(f"own {number}" for number in (10, 20, 30, 40, 50, 60)), "own line 38", "own 70", "own 80"]
    first, second = found["own 10"].setup, found["own 20"].setup
    assert first is not None
    assert second is not None
    assert (len(first.moves), first.player) == (18, 0)
    assert (len(second.moves), second.player) == (17, 1)
    assert found["own 20"].expected == Expectation(pattern="A1|J9", negated=True)
    assert found["own 30"].known_fail
    third = found["own 30"].setup
    assert third is not None
    assert isinstance(third.start, Go)
    assert (third.start.komi, third.start.size, len(third.moves)) == (5.5, 9, 2)
    assert found["own 40"].obstacle == "it asks for attack, not for a move"
    assert "boardsize 4: " in found["own 50"].obstacle
    assert "play white D4: " in found["own 60"].obstacle
    last = found["own line 38"].setup
    assert last is not None
    assert (last.board, last.moves) == ("go 7x7", ())
    assert "boardsize 25: " in found["own 70"].obstacle
    assert found["own 80"].obstacle == "genmove black: it changes the board, and is not carried out here"


def test_what_is_not_carried_out_is_an_obstacle_until_the_board_begins_anew(tmp_path: Path) -> None:
    commands = [
        *("genmove b", "genmove_white", "kgs-genmove_cleanup b", "place_free_handicap 2", "gogui-setup b A1"),
        *("gogui-setup_player w", "gogui-play_sequence b A1", "trymove A1 b", "tryko A1 b", "popgo", "undo", "undo 3"),
    ]
    question = "reg_genmove b\n#? [A1]\n"
    for command in commands:
        (tmp_path / "a.tst").write_text(f"boardsize 9\n{command}\nplay b C3\n{question}clear_board\n{question}")
        first, second = read_problems([tmp_path / "a.tst"])
        assert first.setup is None
        assert first.obstacle.startswith(f"{command}: ")
        assert second.setup is not None
        assert second.setup.moves == ()


def test_another_obstacle_does_not_hide_that_there_is_no_board(tmp_path: Path) -> None:
    question = "reg_genmove b\n#? [A1]\n"
    lines = f"boardsize 25\ngenmove b\nclear_board\nclear_board\n{question}boardsize 9\n{question}"
    (tmp_path / "a.tst").write_text(lines)
    first, second = read_problems([tmp_path / "a.tst"])
    assert first.obstacle.startswith("boardsize 25: ")
    assert second.setup is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ok": []}, "a test has either ok, the right moves, or bad"),
        ({"bad": ["A1"]}, "a test has either ok"),
        ({"ok": ["Z9"]}, "'Z9' is no move here"),
        ({"ok": "E4"}, "ok: Input should be a valid list"),
        ({"to_play": "X"}, "to_play: Input should be"),
        ({"moves": ["E5"]}, "a move is written as 'B D4', not 'E5'"),
        ({"moves": ["G E5"]}, "'G' is no colour"),
        ({"moves": ["B Z5"]}, "'Z5' is no move here"),
        ({"B": ["E0"]}, "'E0' is no move here"),
        ({"sz": None}, "the size of the board, sz, is missing"),
        ({"sz": "nine"}, "sz: Input should be a valid integer"),
        ({"komi": "much"}, "komi: Input should be a valid number"),
        ({"generic": 7}, "generic: Input should be 0 or 1"),
        ({"game": "go", "mv": "E5"}, "mv is no field of go: its board is given by B, W and moves"),
        ({"mv": "a1"}, "moves is no field of havannah: its board is given by mv"),
        ({"game": "othello", "moves": [], "B": ["e4"]}, "B is no field of othello"),
        ({"game": "othello", "moves": [], "W": ["e4"]}, "W is no field of othello"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n\n{json.dumps({**GOOD, 'id': 2, **change})}\n")
    with pytest.raises(ProblemFileError) as caught:
        read_problems([file])
    assert str(caught.value).startswith(f"{file}, line 3: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b"{", "line 1: this is no JSON"),
        ("a.jsonl", b"[1]", "line 1: a test is an object, not [1]"),
        ("a.jsonl", b"\xff\xfe\n", "line 1: this is no JSON"),
        ("a.jsonl", b"\n", "it holds no test"),
        ("a.jsonl.xz", b"no xz", "line 1: this is no xz file"),
        ("a.jsonl.xz", lzma.compress(b"\n" * 100)[:-8], "this is no xz file, or only a part of one"),
        ("a.txt", b"", "a file of test positions ends in one of .tst, .jsonl, .jsonl.xz"),
        ("a.tst", b"", "it holds no test"),
        ("a.tst", b"reg_genmove b\n#? A1\n", "line 2: the answers are written #? [A1|B2]"),
        ("a.tst", b"reg_genmove b\n#? [A1]**\n", "line 2: the answers are written"),
        ("a.tst", b"# first\n#? [A1]\n", "line 2: there is no command before these answers"),
        ("a.tst", b"reg_genmove b\n#? [A1]\n#? [A2]\n", "line 3: there is no command before these answers"),
        ("a.tst", b"reg_genmove b\n#? [(]\n", "line 2: '(' is no regular expression"),
        ("a.tst", b"reg_genmove\n#? [A1]\n", "line 2: reg_genmove takes the colour"),
        ("a.tst", b"reg_genmove green\n#? [A1]\n", "line 2: syntax error: 'green' is no colour"),
        ("a.tst", b"play b\n", "line 1: play takes 2 arguments, not 1"),
        ("a.tst", b"play b Z1\n", "line 1: syntax error: 'Z1' is no move"),
        ("a.tst", b"boardsize large\n", "line 1: the size must be a whole number"),
        ("a.tst", b"\nloadsgf nowhere.sgf\n", "line 2: there is no file"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(ProblemFileError) as caught:
        read_problems([file])
    assert str(caught.value).startswith(str(file))
    assert message in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for name in ("a.tst", "a.jsonl", "a.jsonl.xz"):
        with pytest.raises(ProblemFileError, match="it cannot be read: No such file"):
            read_problems([tmp_path / name])


def test_a_record_that_is_none_is_an_obstacle(tmp_path: Path) -> None:
    (tmp_path / "bad.sgf").write_text("hello")
    question = "reg_genmove b\n#? [A1]\n"
    (tmp_path / "a.tst").write_text(f"loadsgf bad.sgf\n{question}clear_board\n{question}boardsize 9\n{question}")
    first, second, third = read_problems([tmp_path / "a.tst"])
    for problem in (first, second):
        assert problem.setup is None
        assert "bad.sgf" in problem.obstacle
    assert third.setup is not None


@pytest.mark.parametrize("packed", [False, True])
def test_a_line_without_end_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, packed: bool
) -> None:
    size = 2**25
    monkeypatch.setattr("tesuji.regress.json_lines.MAX_BYTES", 1000)
    file = tmp_path / ("long.jsonl.xz" if packed else "long.jsonl")
    file.write_bytes(lzma.compress(bytes(size), preset=0) if packed else bytes(size))
    tracemalloc.start()
    try:
        with pytest.raises(ProblemFileError, match="line 1: the file is larger than 1,000 bytes"):
            read_problems([file])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < size / 4


def test_two_tests_of_one_name_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "twice.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n{json.dumps(GOOD)}\n")
    with pytest.raises(ProblemFileError, match=r"line 2: there is a test 1 of twice already, in .*twice.jsonl, line 1"):
        read_problems([file])


@pytest.mark.parametrize(
    ("pattern", "negated", "right", "wrong"),
    [
        ("A1|B2", False, ["A1", "b2"], ["A11", "B1", "pass"]),
        ("A1|B2", True, ["A11", "pass"], ["A1", "B2"]),
        ("PASS", False, ["pass"], ["A1"]),
        ("[AB]1", False, ["A1", "B1"], ["C1"]),
    ],
)
def test_expectations(pattern: str, *, negated: bool, right: list[str], wrong: list[str]) -> None:
    expected = Expectation(pattern=pattern, negated=negated)
    assert [expected.is_met(answer) for answer in (*right, *wrong)] == [True] * len(right) + [False] * len(wrong)


def check_refusal(file: Path) -> None:
    """A file is read, or a message names it; nothing else is raised."""
    try:
        problems = read_problems([file])
    except TesujiError as error:
        message = str(error)
    else:
        message = str(file) if problems else ""
    assert message.startswith(str(file))


TST_LINES = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            *("boardsize 9", "clear_board", "play b C3", "play white D4", "undo", "komi 0.5", "fixed_handicap 2"),
            *("10 reg_genmove b", "reg_genmove white", "#? [A1]", "#? [!A1|B2]*", "#? [", "loadsgf x.sgf 3"),
            *("set_free_handicap A1 B2", "boardsize 25", "genmove b", "popgo"),
        ]
    ),
)


@given(lines=st.lists(TST_LINES, max_size=12), junk=st.binary(max_size=20))
def test_any_tst_is_read_or_refused_by_name(lines: list[str], junk: bytes, tmp_path_factory: Any) -> None:
    file = tmp_path_factory.mktemp("tst") / "any.tst"
    file.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass") + junk)
    check_refusal(file)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["B D4", "E5", "B"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(change=st.dictionaries(st.sampled_from([*GOOD, "B", "W", "mv", "komi", "bad", "game", "generic"]), VALUES))
def test_any_json_line_is_read_or_refused_by_name(change: dict[str, Any], tmp_path_factory: Any) -> None:
    file = tmp_path_factory.mktemp("jsonl") / "any.jsonl"
    file.write_text(json.dumps({**GOOD, **change}))
    check_refusal(file)
