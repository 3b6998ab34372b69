"""The conversations of other programs, as they go in their sources and logs.

A line that begins with `>` is said. Between these stand the answers, line by line as regular expressions, the empty
line at their end included. `+` stands before a line that comes once or more often, `*` before one that may be missing.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.gtp.conversation import Live

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_the_conversation(file: Path) -> None:
    # A little time for a thought, where nothing else is said.
    with Live(playouts=None, seconds=0.2, early_stop=False) as engine:
        repeated = None
        for line in file.read_text().splitlines():
            if line.startswith("#"):
                continue
            if line.startswith("> "):
                engine.send(line[2:])
            elif line.startswith(("+ ", "* ")):
                repeated = line[2:]
                if line.startswith("+"):
                    _expect(engine, repeated, None)
            else:
                _expect(engine, line, repeated)
                repeated = None


def _expect(engine: Live, pattern: str, repeated: str | None) -> None:
    found = engine.line()
    while repeated is not None and re.fullmatch(repeated, found):
        found = engine.line()
    assert re.fullmatch(pattern, found), f"{found!r} where {pattern!r} is expected"


def test_there_are_conversations_of_gogui_and_sabaki() -> None:
    assert {"gogui-twogtp", "sabaki", "lizzie"} <= {file.stem for file in TRANSCRIPTS}
