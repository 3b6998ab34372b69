"""Files of test positions, by how their names end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from tesuji.regress import json_lines, tst
from tesuji.regress.json_lines import read_json_lines
from tesuji.regress.problem import Problem, ProblemFileError, check_unique, with_own_ids
from tesuji.regress.tst import read_tst


def read_problems(files: Sequence[Path]) -> list[Problem]:
    """All tests of these files, in their order. Raises `ProblemFileError` where one cannot be read, or none has any."""
    problems = _with_own_suites([problem for file in files for problem in with_own_ids(_read(file))])
    if not problems:
        what = "it holds no test" if len(files) == 1 else "it holds no test, and no other file does"
        raise ProblemFileError(files[0], None, what)
    check_unique(problems)
    return problems


def files_without_tests(files: Sequence[Path], problems: Sequence[Problem]) -> list[Path]:
    with_tests = {problem.file for problem in problems}
    return [file for file in files if str(file) not in with_tests]


def _read(file: Path) -> list[Problem]:
    if file.name.endswith(tst.SUFFIX):
        return read_tst(file)
    if file.name.endswith(json_lines.SUFFIXES):
        return read_json_lines(file)
    known = ", ".join((tst.SUFFIX, *json_lines.SUFFIXES))
    raise ProblemFileError(file, None, f"a file of test positions ends in one of {known}")


# ---- files of one name


def _with_own_suites(problems: Sequence[Problem]) -> list[Problem]:
    """Where several files name a suite after themselves in the same way, their folders are put in front."""
    files_of: defaultdict[str, set[Path]] = defaultdict(set)
    for problem in problems:
        if _has_name_of_file(problem):
            files_of[problem.suite].add(_path(problem))
    fronts = {suite: _fronts(files) for suite, files in files_of.items() if len(files) > 1}

    def named(problem: Problem) -> Problem:
        if problem.suite not in fronts or not _has_name_of_file(problem):
            return problem
        path = _path(problem)
        return replace(problem, suite=fronts[problem.suite][path] + problem.suite.removeprefix(_stem(path)))

    return [named(problem) for problem in problems]


def _path(problem: Problem) -> Path:
    return Path(problem.file).absolute()


def _stem(path: Path) -> str:
    return path.stem if path.suffix == tst.SUFFIX else path.name.partition(".")[0]


def _has_name_of_file(problem: Problem) -> bool:
    stem = _stem(_path(problem))
    return problem.suite == stem or problem.suite.startswith(f"{stem}/")


def _fronts(files: Collection[Path]) -> dict[Path, str]:
    """As few folders as tell them apart; where none do, the whole names of the files as well."""
    deepest = max(len(file.parents) for file in files)
    choices = (
        {file: "/".join((*file.parts[-depth - 1 : -1], file.name if is_whole else _stem(file))) for file in files}
        for is_whole in (False, True)
        for depth in range(1, deepest + 1)
    )
    return next(fronts for fronts in choices if len(set(fronts.values())) == len(files))
