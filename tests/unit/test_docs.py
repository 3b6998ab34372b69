"""The code in docs/ is run: every Python block, in order and in one namespace, prints what the page shows.

So do the commands of some pages.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"


@dataclass(frozen=True)
class Block:
    code: str
    output: str | None  # what the page shows below it
    line: int


def blocks(page: Path, language: str = "python") -> list[Block]:
    pattern = rf"^```{language}\n(.*?)^```\n(?:```text\n(.*?)^```\n)?"
    text = page.read_text()
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start(1)))
        for found in re.finditer(pattern, text, flags=re.MULTILINE | re.DOTALL)
    ]


def run(block: Block, namespace: dict[str, object], page: str) -> str:
    printed = io.StringIO()
    # As many lines above as the page has: a traceback then names the page's line.
    code = compile("\n" * block.line + block.code, page, "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


@pytest.fixture
def namespace(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """That of a module, so that dataclasses and pickle find their classes."""
    module = ModuleType("my_own_game")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    yield module.__dict__
    # Numba holds on to the functions that it has compiled, and they to this; Python does the same for a real module.
    module.__dict__.clear()


@pytest.mark.parametrize("name", ["my-own-game.md", "deception.md", "endgame.md", "threads.md", "semeai.md"])
def test_python_blocks(name: str, namespace: dict[str, object]) -> None:
    page = DOCS / name
    found = blocks(page)
    assert len(found) == page.read_text().count("```python")
    for block in found:
        printed = run(block, namespace, name)
        if block.output is not None:
            assert printed == block.output, f"{name}, line {block.line}"


def run_commands(page: str, folder: Path) -> int:
    """Runs the commands of a page in this folder, one a block. Gives their number."""
    found = blocks(DOCS / page, "sh")
    for block in found:
        program, *arguments = shlex.split(block.code)
        assert program == "tesuji"
        printed = subprocess.run(
            [sys.executable, "-m", "tesuji", *arguments],
            capture_output=True, text=True, check=True, timeout=300, cwd=folder, env={**os.environ, "COLUMNS": "80"},
        ).stdout  # fmt: skip
        if block.output is not None:
            assert printed == block.output
    return len(found)


def test_commands_on_deception(tmp_path: Path) -> None:
    assert run_commands("deception.md", tmp_path) == 2
    assert (tmp_path / "deception.svg").stat().st_size > 0


def test_the_page_on_sgf(tmp_path: Path, namespace: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    (record,) = blocks(DOCS / "sgf.md", "sgf")
    (tmp_path / "game.sgf").write_text(record.code)
    assert run_commands("sgf.md", tmp_path) == 2
    assert (tmp_path / "chances.svg").stat().st_size > 0
    assert "gives away" in (tmp_path / "annotated.sgf").read_text()
    monkeypatch.chdir(tmp_path)
    (block,) = blocks(DOCS / "sgf.md")
    assert run(block, namespace, "sgf.md") == block.output


def test_linked_files_exist() -> None:
    for page in DOCS.glob("*.md"):
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert link.startswith("http") or (page.parent / link).exists(), f"{page.name}: {link}"
