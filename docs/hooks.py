"""What the site needs beyond mkdocs: files of the repository that pages link to, and examples in docstrings.

Linked files lie outside this folder, and the site takes them along: a link `../experiments/...` becomes one to a copy
in the site, and Markdown among these files becomes pages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.structure.files import File, Files

_LINK = re.compile(r"\]\(\.\./([^)#\s]+)")
_EXAMPLE = re.compile(r"^>>> .+(?:\n.+)*", re.MULTILINE)
_DOCS = Path(__file__).parent
_ROOT = _DOCS.parent


def on_files(files: Files, config: Any) -> Files:
    for path in sorted(_linked_files()):
        files.append(File.generated(config, path.relative_to(_ROOT).as_posix(), abs_src_path=str(path)))
    return files


def _linked_files() -> set[Path]:
    found = set()
    for page in _DOCS.glob("*.md"):
        for link in _LINK.findall(page.read_text(encoding="utf-8")):
            path = _ROOT / link
            # A link to nowhere is left for mkdocs to find.
            if path.is_file():
                found.add(path)
                # A report shows its plot and links to its games.
                found |= set(path.parent.glob("*")) if path.suffix == ".md" else set()
    return {path for path in found if path.is_file()}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The copies lie beside the pages."""
    return _LINK.sub(r"](\1", markdown) if page.file.src_uri.count("/") == 0 else markdown


class FencedExamples(griffe.Extension):
    """Lines behind `>>>` are code, which Markdown takes for quotations within quotations."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
