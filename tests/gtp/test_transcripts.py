"""The conversations of other programs: gogui-twogtp's and Sabaki's recorded, the others' by their sources and logs.

A line that begins with `>` is said. Between these stand the answers, line by line as regular expressions, the empty
line at their end included. `+` stands before a line that comes once or more often, `*` before one that may be missing.
Where a move was generated any move will do, and the game goes on with the one in the transcript.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.gtp.conversation import Live

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
_GENMOVE = re.compile(r"> (?:\w+-)?genmove(?:_analyze)? ([bw]).*", re.IGNORECASE)
_RECORDED = re.compile(r"(= |play )([A-HJ-T]\d+)")
_ANY_MOVE = r"([A-HJ-T]\d+|pass)"


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_the_conversation(file: Path) -> None:
    # A little time for a thought, where nothing else is said.
    with Live(playouts=None, seconds=0.2, early_stop=False) as engine:
        _hold(engine, [line for line in file.read_text().splitlines() if not line.startswith("#")])


def _hold(engine: Live, lines: list[str]) -> None:
    repeated = colour = correction = None
    for line in lines:
        if line.startswith("> "):
            engine.send(line[2:])
            asked = _GENMOVE.fullmatch(line)
            colour = asked[1] if asked else None
        elif line.startswith(("+ ", "* ")):
            repeated = line[2:]
            if line.startswith("+"):
                _expect(engine, repeated, None)
        elif colour is not None and (recorded := _RECORDED.fullmatch(line)):
            found = _expect(engine, re.escape(recorded[1]) + _ANY_MOVE, repeated)
            correction = f"play {colour} {recorded[2]}" if found != line else None
            repeated = None
        else:
            _expect(engine, line, repeated)
            repeated = None
            if line == "" and correction is not None:
                assert (engine.ask("undo"), engine.ask(correction)) == (["="], ["="])
                correction = None


def _expect(engine: Live, pattern: str, repeated: str | None) -> str:
    found = engine.line()
    while repeated is not None and re.fullmatch(repeated, found):
        found = engine.line()
    assert re.fullmatch(pattern, found), f"{found!r} where {pattern!r} is expected"
    return found


def test_there_are_conversations_of_gogui_and_sabaki() -> None:
    assert {"gogui-twogtp", "gogui-twogtp-handicap", "sabaki", "lizzie"} <= {file.stem for file in TRANSCRIPTS}
