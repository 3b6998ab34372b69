"""Files of test positions, by how their names end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tesuji.regress import json_lines, tst
from tesuji.regress.json_lines import read_json_lines
from tesuji.regress.problem import Problem, ProblemFileError, check_unique
from tesuji.regress.tst import read_tst


def read_problems(files: Sequence[Path]) -> list[Problem]:
    """All tests of these files, in their order. Raises `ProblemFileError` where one cannot be read or holds none."""
    problems = [problem for file in files for problem in _read(file)]
    check_unique(problems)
    return problems


def _read(file: Path) -> list[Problem]:
    if file.name.endswith(tst.SUFFIX):
        problems = read_tst(file)
    elif file.name.endswith(json_lines.SUFFIXES):
        problems = read_json_lines(file)
    else:
        known = ", ".join((tst.SUFFIX, *json_lines.SUFFIXES))
        raise ProblemFileError(file, None, f"a file of test positions ends in one of {known}")
    if not problems:
        raise ProblemFileError(file, None, "it holds no test")
    return problems
