"""What a release says of itself, in several places, is the same in all of them."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml

import tesuji
from tests.unit.doc_blocks import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text())


def test_one_version() -> None:
    version = PROJECT["project"]["version"]
    cmake = re.search(r"project\(tesuji VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert cmake is not None
    assert {version, cmake[1], CITATION["version"], tesuji.__version__} == {version}
    assert f"\n## {version}\n" in (ROOT / "CHANGELOG.md").read_text()


def test_the_four_papers_are_cited() -> None:
    titles = [paper["title"] for paper in CITATION["references"]]
    assert len(titles) == 4
    for word in ("Accelerated UCT", "Static Knowledge Bias", "Planning", "Scalability"):
        assert sum(word in title for title in titles) == 1
    assert all(paper.get("doi") or paper.get("url") for paper in CITATION["references"])


def test_wheels_are_for_three_systems() -> None:
    wheels = PROJECT["tool"]["cibuildwheel"]
    assert wheels["linux"]["archs"] == ["x86_64", "aarch64"]
    assert {"macos", "windows"} <= set(wheels)
    tried = wheels["test-command"].removeprefix("python {project}/")
    assert (ROOT / tried).is_file()
    assert tried in (ROOT / ".ci" / "run").read_text()


def test_extras_of_the_tests_are_those_that_users_get() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    for name in ("cluster", "mpi", "numba", "openspiel", "pettingzoo", "networkx", "web", "docs"):
        assert set(extras[name]) <= set(extras["test"]), name
