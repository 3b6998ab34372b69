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
from tesuji.regress.files import files_without_tests, read_problems
from tesuji.regress.problem import Expectation, Problem, ProblemFileError
from tesuji.sgf import SgfGame

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
        *("fixed_handicap 17", "fixed_handicap 1", "set_free_handicap A1", "set_free_handicap", "play b resign"),
    ]
    question = "reg_genmove b\n#? [A1]\n"
    for command in commands:
        (tmp_path / "a.tst").write_text(f"boardsize 9\n{command}\nplay b C3\n{question}clear_board\n{question}")
        first, second = read_problems([tmp_path / "a.tst"])
        assert first.setup is None
        assert first.obstacle.startswith(f"{command}: ")
        assert second.setup is not None
        assert second.setup.moves == ()


def test_handicap_stones_on_a_board_that_is_not_empty_are_an_obstacle(tmp_path: Path) -> None:
    for command in ("fixed_handicap 2", "set_free_handicap A1 B2"):
        (tmp_path / "a.tst").write_text(f"boardsize 9\nplay b C3\n{command}\nreg_genmove b\n#? [A1]\n")
        (problem,) = read_problems([tmp_path / "a.tst"])
        assert problem.setup is None
        assert problem.obstacle.startswith(f"{command}: board not empty")


@pytest.mark.parametrize(
    ("answers", "pattern", "negated", "known_fail"),
    [
        ("[ D4 ]", "D4", False, False),
        ("[ !C3 ]", "C3", True, False),
        ("[ ! C3|D4 ] *", "C3|D4", True, True),
        ("[A1] # comment", "A1", False, False),
        ("[!A1]* # not [B2]", "A1", True, True),
        ("[[AB]1]", "[AB]1", False, False),
    ],
)
def test_blanks_and_comments_beside_the_answers(
    tmp_path: Path, answers: str, pattern: str, *, negated: bool, known_fail: bool
) -> None:
    (tmp_path / "a.tst").write_text(f"reg_genmove b\n#? {answers}\n")
    (problem,) = read_problems([tmp_path / "a.tst"])
    assert problem.expected == Expectation(pattern=pattern, negated=negated)
    assert problem.known_fail == known_fail
    assert problem.setup is not None


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("20 reg_genmove b\n#?\n", "it asks only that the command does not fail"),
        ("20 reg_genmove b\n#? [A1|\n#?  B2]\n", "its answers go on in the next line"),
        ("20 reg_genmove b\n#? [[AB]1|\n#?  [CD]2]\n", "its answers go on in the next line"),
        ("# 20 reg_genmove b\n#? [A1]\n", "there is no command before its answers"),
        ("loadsgf nowhere.sgf\n20 reg_genmove b\n#? [A1]\nboardsize 9\n", "there is no file"),
    ],
)
def test_only_the_test_that_cannot_be_asked_is_skipped(tmp_path: Path, lines: str, reason: str) -> None:
    question = "reg_genmove b\n#? [A1]\n"
    (tmp_path / "a.tst").write_text(f"boardsize 9\n10 {question}{lines}30 {question}")
    first, second, third = read_problems([tmp_path / "a.tst"])
    assert first.setup is not None
    assert second.setup is None
    assert reason in second.obstacle
    assert third.setup is not None


def test_a_byte_order_mark_is_no_part_of_the_first_command(tmp_path: Path) -> None:
    (tmp_path / "a.tst").write_bytes(b"\xef\xbb\xbfboardsize 9\nreg_genmove b\n#? [A1]\n")
    (problem,) = read_problems([tmp_path / "a.tst"])
    assert problem.setup is not None
    assert problem.setup.board == "go 9x9"


def test_the_seed_of_gnu_go_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.tst").write_text("gg_genmove white 17\n#? [A1]\n")
    (problem,) = read_problems([tmp_path / "a.tst"])
    assert problem.setup is not None
    assert problem.setup.player == 1


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
        ({"game": "otello"}, "game is 'otello', not go, othello or havannah"),
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
        ("a.tst", b"reg_genmove b\n#? [(]\n", "line 2: '(' is no regular expression"),
        ("a.tst", b"reg_genmove\n#? [A1]\n", "line 2: reg_genmove takes the colour"),
        ("a.tst", b"reg_genmove green\n#? [A1]\n", "line 2: syntax error: 'green' is no colour"),
        ("a.tst", b"play b\n", "line 1: play takes 2 arguments, not 1"),
        ("a.tst", b"play b Z1\n", "line 1: syntax error: 'Z1' is no move"),
        ("a.tst", b"boardsize large\n", "line 1: the size must be a whole number"),
        ("a.tst", b"reg_genmove b 7\n#? [A1]\n", "line 2: reg_genmove takes the colour"),
        ("a.tst", b"fixed_handicap many\n", "line 1: the handicap must be a whole number"),
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


@pytest.mark.parametrize(
    ("record", "loaded"),
    [
        ("(;SZ[9];B[ee];AW[ef][eg];W[de])", ""),
        ("(;SZ[9];B[ee];W[de];AW[ef][eg])", ""),
        ("(;SZ[9];B[ee];AW[ef][eg];W[de])", "2"),
        ("(;SZ[9];B[ee];AE[ee];B[ee])", ""),
    ],
)
def test_stones_that_are_set_up_in_the_middle_of_a_record(tmp_path: Path, record: str, loaded: str) -> None:
    (tmp_path / "a.sgf").write_text(record)
    (tmp_path / "a.tst").write_text(f"loadsgf a.sgf {loaded}\nreg_genmove b\n#? [A1]\n")
    (problem,) = read_problems([tmp_path / "a.tst"])
    assert problem.setup is not None
    position = SgfGame.read(tmp_path / "a.sgf").position(int(loaded) - 1 if loaded else None)
    assert problem.setup.table().go().native.cells() == position.native.cells()


def test_a_record_that_the_system_does_not_find_is_an_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "a.tst"
    file.write_text(f"loadsgf {'a' * 300}.sgf\n1 reg_genmove black\n#? [A1]\n")
    (problem,) = read_problems([file])
    assert problem.setup is None
    assert "File name too long" in problem.obstacle


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


def test_an_answer_that_nobody_can_give_is_not_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "occupied.jsonl"
    answers = (["E5"], ["E5", "E4"])
    file.write_text("\n".join(json.dumps({**GOOD, "id": str(ok), "ok": ok}) for ok in answers))
    first, second = read_problems([file])
    assert first.setup is None
    assert first.obstacle.startswith("no right answer can be played: ")
    assert "occupied" in first.obstacle
    assert second.setup is not None


def test_two_tests_of_one_name_in_a_file_are_told_apart_by_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "twice.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n{json.dumps(GOOD)}\n")
    assert list(by_name(file)) == ["twice 1", "twice 1 (line 2)"]
    lines = "10 reg_genmove b\n#? [A1]\n"
    (tmp_path / "a.tst").write_text(lines * 3)
    assert list(by_name(tmp_path / "a.tst")) == ["a 10", "a 10 (line 4)", "a 10 (line 6)"]


def test_suites_of_files_with_one_name_have_their_folders_in_front(tmp_path: Path) -> None:
    paths = ["x/deep/a.tst", "y/deep/a.tst", "x/b.tst", "y/b.tst", "y/b.jsonl", "x/c.tst"]
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(GOOD) if path.endswith("l") else "1 reg_genmove b\n#? [A1]\n"
        (tmp_path / path).write_text(text)

    def suites(*names: str) -> list[str]:
        return [problem.suite for problem in read_problems([tmp_path / name for name in names])]

    assert suites("x/b.tst", "y/b.tst", "x/c.tst") == ["x/b", "y/b", "c"]
    assert suites("y/b.tst", "x/c.tst", "x/b.tst") == ["y/b", "c", "x/b"]
    assert suites("x/deep/a.tst", "y/deep/a.tst") == ["x/deep/a", "y/deep/a"]
    assert suites("y/b.tst", "y/b.jsonl") == ["y/b.tst", "y/b.jsonl"]


def test_one_file_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "twice.jsonl"
    file.write_text(json.dumps(GOOD))
    with pytest.raises(ProblemFileError, match=r"line 1: there is a test 1 of twice already, in .*twice.jsonl, line 1"):
        read_problems([file, file])


def test_a_file_without_tests_beside_others_is_none_to_fail_for(tmp_path: Path) -> None:
    empty, good = tmp_path / "empty.tst", tmp_path / "good.tst"
    empty.write_text("boardsize 9\n")
    good.write_text("1 reg_genmove b\n#? [A1]\n")
    problems = read_problems([empty, good])
    assert len(problems) == 1
    assert files_without_tests([empty, good], problems) == [empty]
    with pytest.raises(ProblemFileError, match="it holds no test, and no other file does"):
        read_problems([empty, empty])


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
            *("set_free_handicap A1 B2", "boardsize 25", "genmove b", "popgo", "play b resign"),
            *("#?", "#? [A1|", "#? B2]"),
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
