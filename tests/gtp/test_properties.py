"""Whatever comes in, every command has one answer, and the board stays as the rules have it."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gtp import fuzz
from tests.gtp.conversation import answers, say
from tesuji import Go
from tesuji.gtp.nboard import serve_nboard
from tesuji.gtp.protocol import Command, failure, parse_command, success

WORD = st.text(st.characters(codec="ascii", categories=("L", "P", "S"), exclude_characters="#"), min_size=1)
LINE = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=60)


@given(number=st.integers(0, 10**30), name=WORD, arguments=st.lists(WORD | st.integers().map(str), max_size=4))
def test_a_command_is_read_as_it_was_written(number: int, name: str, arguments: list[str]) -> None:
    written = Command(number=str(number), name=name, arguments=tuple(arguments))
    assert parse_command(f"{number} {name} {' '.join(arguments)} # comment") == written
    assert parse_command(f"\t{number}\t{name}  {' '.join(arguments)}\r") == written


@given(text=st.text())
def test_an_answer_has_one_end(text: str) -> None:
    for answer in (success("1", text), failure("1", text)):
        assert re.match(r"[=?]1(\s|$)", answer)
        assert answer.endswith("\n\n")
        assert "\n\n" not in answer[:-2]


@settings(max_examples=60)
@given(said=st.lists(LINE, max_size=20), game=st.sampled_from(fuzz.GAMES))
def test_any_text_is_answered(said: list[str], game: str) -> None:
    lines = [line for line in said if not re.search(r"\bquit\b", line)]
    fuzz.hear(lines, say(lines, game=game))


@settings(max_examples=30)
@given(said=st.lists(st.binary(max_size=60), max_size=10))
def test_any_bytes_are_survived(said: list[bytes]) -> None:
    lines = [line for line in said if b"quit" not in line]
    assert say([*lines, b"", b"99 name"]).endswith("=99 tesuji\n\n")


@settings(max_examples=30)
@given(said=st.lists(LINE | st.sampled_from(["go", "hint 2", "move D3", "move a1/x/y", "set depth x", "set game ()"])))
def test_nboard_survives_any_text(said: list[str]) -> None:
    lines = [line for line in said if not re.search(r"\bquit\b|ping", line, re.IGNORECASE)]
    written = say([*lines, "ping 7"], serve_nboard, game="othello", playouts=2).splitlines()
    assert written[-1] == "pong 7"


def test_a_line_without_end() -> None:
    lines = ["play b " + "A1 " * 100_000, "name"]
    first, second = answers(lines)
    assert first.startswith("? the line is too long")
    assert second == "= tesuji"
    assert answers(["name " + "x" * 65_000, "x" * 10**6, "name"])[2] == "= tesuji"


@settings(max_examples=30)
@given(data=st.data())
def test_played_and_undone_the_board_is_that_of_the_rules(data: st.DataObject) -> None:
    position, lines = Go(5), []
    boards = [str(position)]
    for _ in range(data.draw(st.integers(0, 30))):
        if position.is_over:
            break
        move = data.draw(st.sampled_from(position.legal_moves()))
        lines.append(f"play {'bw'[position.to_move]} {position.format_move(move)}")
        position = position.play(move)
        boards.append(str(position))
    back = data.draw(st.integers(0, len(lines)))
    found = answers([*lines, *["undo"] * back, "showboard"], size=5)
    assert found[:-1] == ["="] * (len(lines) + back)
    assert found[-1] == f"=\n{boards[len(lines) - back]}"


def test_a_short_run_of_the_fuzzer() -> None:
    counts = fuzz.run(6000, seed=7)
    assert counts["lines"] == 6000
    assert min(counts["="], counts["?"]) > 1000
