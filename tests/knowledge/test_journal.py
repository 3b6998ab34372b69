"""Answers that are kept for a run that is interrupted."""

from __future__ import annotations

import resource
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tesuji.errors import ModelError
from tesuji.knowledge.bradley_terry import Numbers
from tesuji.knowledge.journal import Journal


class Squares:
    """Finds answers, and counts how many it had to find."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found = 0

    def ask(self, numbers: Sequence[float]) -> list[float]:
        answers = []
        with Journal(self.path, "squares") as journal:
            for number in numbers:
                question = np.array([number], dtype=np.float64)

                def find(question: Numbers = question) -> Numbers:
                    self.found += 1
                    return question**2

                answers.append(float(journal.answer(question, find)[0]))
        return answers


@pytest.fixture
def squares(tmp_path: Path) -> Squares:
    return Squares(tmp_path / "kept")


def test_what_was_asked_is_known(squares: Squares) -> None:
    assert squares.ask([1, 2]) == [1, 4]
    assert squares.ask([1, 2, 3, 4]) == [1, 4, 9, 16]
    assert squares.found == 4
    assert squares.ask([1, 2, 3, 4]) == [1, 4, 9, 16]
    assert squares.found == 4


def test_another_question_ends_what_is_known(squares: Squares) -> None:
    squares.ask([1, 2, 3])
    assert squares.ask([1, 5, 3]) == [1, 25, 9]
    assert squares.found == 5
    assert squares.ask([1, 5, 3]) == [1, 25, 9]
    assert squares.found == 5


def test_an_answer_that_was_cut_short_is_found_anew(squares: Squares) -> None:
    """As a process leaves it that is killed while it writes."""
    squares.ask([1, 2, 3])
    whole = squares.path.read_bytes()
    for length in range(len(b"tesuji-learning-1 squares\n"), len(whole)):
        squares.path.write_bytes(whole[:length])
        assert squares.ask([1, 2, 3]) == [1, 4, 9]
        assert squares.path.read_bytes() == whole


def test_a_damaged_answer_is_found_anew(squares: Squares) -> None:
    squares.ask([1, 2, 3])
    whole = squares.path.read_bytes()
    for place in range(len(b"tesuji-learning-1 squares\n"), len(whole)):
        squares.path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        assert squares.ask([1, 2, 3]) == [1, 4, 9]
        assert squares.path.read_bytes() == whole


def test_a_full_disk_is_said_and_what_was_kept_stays(squares: Squares) -> None:
    """A limit to the size of files is refused by the system in the same place."""
    squares.ask([1, 2])
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (squares.path.stat().st_size + 5, hard))
        with pytest.raises(ModelError, match="kept cannot be written: File too large"):
            squares.ask([1, 2, 3])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert squares.ask([1, 2, 3]) == [1, 4, 9]
    assert squares.found == 4


def test_files_of_others_are_left_alone(squares: Squares) -> None:
    squares.ask([1])
    with pytest.raises(ModelError, match="is from learning with other records or settings: remove it to begin anew"):
        Journal(squares.path, "cubes")
    squares.path.write_bytes(b"a letter")
    with pytest.raises(ModelError, match="is from something else: remove it"):
        Journal(squares.path, "squares")
    assert squares.path.read_bytes() == b"a letter"
    with pytest.raises(ModelError, match="cannot be written: Is a directory"):
        Journal(squares.path.parent, "squares")
