"""The code of every page is run, and prints what the page shows; the site can be built. See doc_blocks.py."""

from __future__ import annotations

import lzma
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

import tesuji
from tests.unit.doc_blocks import ROOT, blocks, misfits, run_command, run_python
from tesuji.arena.tally import Tally
from tesuji.cli import app

DOCS = ROOT / "docs"
PAGES = sorted(str(page.relative_to(ROOT)) for page in [*DOCS.rglob("*.md"), *ROOT.glob("*.md")])


def with_record(folder: Path) -> None:
    (record,) = blocks(DOCS / "sgf.md", "sgf")
    (folder / "game.sgf").write_text(record.code)


def with_test_positions(folder: Path) -> None:
    data = ROOT / "tests" / "regress" / "data"
    for name in ("capture.sgf", "own.jsonl"):
        shutil.copy(data / name, folder)
    shutil.copy(data / "own.tst", folder / "tests.tst")
    (folder / "more.jsonl.xz").write_bytes(lzma.compress((data / "own.jsonl").read_bytes()))


def with_tests_folder(folder: Path) -> None:
    (folder / "tests").symlink_to(ROOT / "tests")


# Files that a page takes for granted, and files that its code leaves behind, with a word in them.
BEFORE: dict[str, Callable[[Path], None]] = {
    "docs/sgf.md": with_record,
    "docs/regress.md": with_test_positions,
    "README.md": with_tests_folder,
}
AFTER = {
    "docs/deception.md": [("deception.svg", "<svg")],
    "docs/sgf.md": [("chances.svg", "<svg"), ("annotated.sgf", "gives away")],
}


@pytest.fixture
def namespace(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """That of a module, so that dataclasses and pickle find their classes."""
    module = ModuleType("my_own_game")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    yield module.__dict__
    # Numba holds on to the functions that it has compiled, and they to this; Python does the same for a real module.
    module.__dict__.clear()


@pytest.mark.parametrize("name", [name for name in PAGES if blocks(ROOT / name)])
def test_code_of(name: str, namespace: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / name
    assert misfits(page) == []
    monkeypatch.chdir(tmp_path)
    if name in BEFORE:
        BEFORE[name](tmp_path)
    for block in blocks(page):
        where = f"{name}, line {block.line}"
        if block.marker == "from":
            assert block.code in (ROOT / block.note).read_text(), where
        elif block.marker == "not run":
            for command in block.commands if block.language == "sh" else []:
                check_options(command, where)
        elif block.language == "sh":
            options = block.note if block.marker == "small" else ""
            printed = "".join(run_command(command, tmp_path, options) for command in block.commands)
            assert block.output in (None, printed), where
        elif block.language == "python":
            printed = run_python(block, namespace, name)
            assert block.output in (None, printed), where
    for left, word in AFTER.get(name, []):
        assert word in (tmp_path / left).read_text()


def check_options(command: str, where: str) -> None:
    """A command that is not run: with --help it does nothing, but an option that does not exist is still an error."""
    program, *arguments = shlex.split(command.partition(" > ")[0], comments=True)
    if program in ("make", "pip", "git"):
        return
    if program == "python":
        assert (ROOT / arguments[0]).is_file(), where
        return
    if program in ("mpiexec", "srun"):
        _, program, *arguments = arguments[arguments.index("tesuji") - 1 :]
    assert program in ("tesuji", ".venv/bin/tesuji"), where
    result = CliRunner().invoke(app, [*arguments, "--help"])
    assert result.exit_code == 0, f"{where}: {result.output}"


def test_an_option_that_does_not_exist_is_noticed() -> None:
    with pytest.raises(AssertionError, match="gmes"):
        check_options("tesuji match go uct uct --gmes 3", "here")


def test_a_misfit_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for text in ("```\nls\n```\n", "<!-- never: x -->\n```sh\ntesuji\n```\n", "```sh\ntesuji\n"):
        page.write_text(text)
        assert misfits(page)


def test_linked_files_exist() -> None:
    for name in PAGES:
        page = ROOT / name
        prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)#]+)\)", prose):
            assert link.startswith("http") or (page.parent / link).exists(), f"{name}: {link}"


@pytest.mark.slow
def test_the_first_match_of_the_tutorial_is_what_it_says() -> None:
    result = tesuji.match(
        "othello", "uct(c=0.7)", "uct(c=1.4)", playouts=500, games=1000, openings="random:4", seed=1, jobs=2
    )
    text = (DOCS / "tutorial.md").read_text()
    assert f"it is {result.percentage:.1f}% ({result.interval.low:.1f} to {result.interval.high:.1f}%)" in text
    first = Tally()
    first.add_all(result.records[:200])
    low, high = 100 * first.interval().low, 100 * first.interval().high
    assert f"{100 * first.fraction:.1f}% of the 200 games" in text
    assert f"from {low:.1f} to {high:.1f}%" in text


def test_the_site_is_built(tmp_path: Path) -> None:
    """In strict mode: a link to nowhere, or a name in the reference that is not there, is an error."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    front = (site / "index.html").read_text()
    assert "Monte-Carlo" in front
    assert not re.findall(r'(?:src|href)="(?:https?:)?//(?!127\.|localhost)[^"]*\.(?:js|css|woff2?)', front)
    assert "class MoveStatistics" not in front
    reference = {page.parent.name: page.read_text() for page in (site / "reference").rglob("index.html")}
    described = set(re.findall(r'<h\d id="tesuji\.(?:errors\.)?(\w+)"', "".join(reference.values())))
    assert set(tesuji.__all__) - described == {"CHANCE", "__version__"}
    assert 'id="tesuji.Search.advance"' in reference["search"]
    assert "max_memory" in re.findall(r"<pre.*?</pre>", reference["search"], re.DOTALL)[0], "how a search is made"
    assert not [name for name, page in reference.items() if "<blockquote>" in page], "examples of docstrings are code"
    assert (site / "experiments" / "reports" / "acceleration" / "acceleration" / "index.html").exists()
