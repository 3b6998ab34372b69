"""The code blocks of a page, and how to run them.

A Python block is run in the namespace of its page; what a `text` block below it shows is what it prints. A block of
`sh` has commands of tesuji, one a line. A comment on the line above a block may say otherwise:

    <!-- small: --games 4 -->            the commands are run with these options added, which make them short
    <!-- not run: it needs GNU Go -->    they are not run, and only looked at: every option must exist
    <!-- from: cpp/rules/ucb1.hpp -->    the block is part of that file, word for word
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
_BLOCK = re.compile(
    r"^(?:<!-- (?P<marker>[a-z ]+): (?P<note>.*?) -->\n)?```(?P<language>\S*)\n(?P<code>.*?)^```\n"
    r"(?:```text\n(?P<output>.*?)^```\n)?",
    flags=re.MULTILINE | re.DOTALL,
)
_LANGUAGES = {"python", "sh", "text", "toml", "sgf", "cpp", "json", "bibtex"}
_MARKERS = {None, "small", "not run", "from"}


@dataclass(frozen=True, kw_only=True)
class Block:
    language: str
    code: str
    output: str | None  # what the page shows below it
    line: int
    marker: str | None
    note: str

    @property
    def commands(self) -> list[str]:
        lines = self.code.replace("\\\n", " ").splitlines()
        return [line for line in lines if line and not line.startswith("#")]


def blocks(page: Path, language: str | None = None) -> list[Block]:
    text = page.read_text()
    found = [
        Block(
            language=match["language"],
            code=match["code"],
            output=match["output"],
            line=text.count("\n", 0, match.start("code")),
            marker=match["marker"],
            note=match["note"] or "",
        )
        for match in _BLOCK.finditer(text)
    ]
    return [block for block in found if language in (None, block.language)]


def misfits(page: Path) -> list[str]:
    """Blocks of a language or with a marker that nobody knows, and fences that open none."""
    found = blocks(page)
    fences = len(re.findall(r"^```", page.read_text(), flags=re.MULTILINE))
    closed = sum(2 + 2 * (block.output is not None) for block in found)
    problems = [] if fences == closed else [f"{page.name}: {fences} fences, and blocks have {closed}"]
    problems += [
        f"{page.name}, line {block.line}: {block.language!r}, {block.marker!r}"
        for block in found
        if block.language not in _LANGUAGES or block.marker not in _MARKERS
    ]
    return problems


def run_python(block: Block, namespace: dict[str, object], page: str) -> str:
    printed = io.StringIO()
    # As many lines above as the page has: a traceback then names the page's line.
    code = compile("\n" * block.line + block.code, page, "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


def run_command(command: str, folder: Path, options: str = "") -> str:
    """Runs a command of tesuji in this folder, with no input; what it prints, or has sent to a file, is given back."""
    words = shlex.split(command, comments=True)
    target = None
    if ">" in words:
        target = folder / words[words.index(">") + 1]
        words = words[: words.index(">")]
    program, *arguments = words
    assert program in ("tesuji", ".venv/bin/tesuji"), command
    done = subprocess.run(
        [sys.executable, "-m", "tesuji", *arguments, *shlex.split(options)],
        capture_output=True, text=True, check=False, timeout=300, cwd=folder, input="",
        env={**os.environ, "COLUMNS": "80"},
    )  # fmt: skip
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    if target is not None:
        target.write_text(done.stdout)
    return done.stdout
