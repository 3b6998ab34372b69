"""The Go Text Protocol, version 2: lines in, answers out. What the commands mean is not known here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tesuji.errors import TesujiError, shown

PROTOCOL_VERSION: Final = "2"
MAX_LINE: Final = 2**16

# The protocol has control characters thrown away, but for the tab, which is a space, and the end of the line.
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_COMMAND: Final = re.compile(r"(?:(\d+)(?:\s+|$))?(.*)", re.ASCII)
_EMPTY_LINES: Final = re.compile(r"\n\s*\n")


class GtpError(TesujiError):
    """A command that cannot be carried out. Its message is the answer, after a `?`."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """One command: its number, empty where it has none, its name, and its arguments."""

    number: str
    name: str
    arguments: tuple[str, ...]


def clean(line: str) -> str:
    """A line without control characters and comment; nothing is left where it holds no command."""
    text = _CONTROL.sub("", line.replace("\t", " "))
    return text.partition("#")[0].strip()


def parse_command(line: str) -> Command | None:
    """The command in a line, or None where there is none. A line that is only a number is a command without a name."""
    text = clean(line[:MAX_LINE])
    if not text:
        return None
    match = _COMMAND.fullmatch(text)
    number, rest = match.groups() if match is not None else ("", text)
    words = rest.split()
    return Command(number=number or "", name=words[0] if words else "", arguments=tuple(words[1:]))


def success(number: str, text: str = "") -> str:
    return _answer("=", number, text)


def failure(number: str, text: str) -> str:
    return _answer("?", number, text)


def _answer(sign: str, number: str, text: str) -> str:
    """An answer ends with an empty line, so it can have none before."""
    body = _EMPTY_LINES.sub("\n", _CONTROL.sub("", text)).rstrip()
    space = " " if body and not body.startswith("\n") else ""
    return f"{sign}{number}{space}{body}\n\n"


# ---- arguments


def integer(name: str, text: str, *, low: int, high: int) -> int:
    number = int(text) if re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII) else None
    if number is None or not low <= number <= high:
        raise GtpError(f"{name} must be a whole number from {low} to {high}, not {shown(text)}")
    return number


def number(name: str, text: str, *, low: float, high: float) -> float:
    """A decimal number; neither infinity nor the like."""
    value = float(text) if re.fullmatch(r"[+-]?(\d{1,18}(\.\d*)?|\.\d+)", text, re.ASCII) else None
    if value is None or not low <= value <= high:
        raise GtpError(f"{name} must be a number from {low:g} to {high:g}, not {shown(text)}")
    return value


def boolean(name: str, text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in words:
        raise GtpError(f"{name} must be true or false, not {shown(text)}")
    return words[text.lower()]


def colour(text: str, names: tuple[str, ...]) -> int:
    """The player whom a colour names; `names` are the players' names in their order."""
    for player, name in enumerate(names):
        if text.lower() in (name.lower(), name[0].lower()):
            return player
    raise GtpError(f"syntax error: {shown(text)} is no colour: write b, black, w or white")
