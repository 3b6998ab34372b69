"""A fuzzer over the command stream: nearly right lines, and lines that are nothing at all.

As a script it says a number of lines, a million unless told otherwise, and reports what it heard:

    python -m tests.gtp.fuzz --lines 1000000 --seed 1
"""

from __future__ import annotations

import argparse
import collections
import random
import re
import string
import sys
import time
from collections.abc import Iterator

from tests.gtp.conversation import say
from tesuji.gtp import server  # noqa: F401  fills the table of commands
from tesuji.gtp.registry import COMMANDS

GAMES = ("go", "othello", "havannah")
BATCH = 1000
_ANSWER = re.compile(r"[=?](\d*)(?:[ \n].*)?", re.DOTALL)
# These would end the session, write files, or take long.
_LEFT_OUT = {"quit", "printsgf", "loadsgf"}
_COLOURS = ["b", "w", "black", "white", "B", "W"]
_NUMBERS = ["0", "1", "2", "5", "7.5", "-1", "9", "19", "1e9", "nan", "inf", "99999999999999999999", "0x10", "\u0661"]
_WORDS = ["pass", "resign", "swap", "true", "false", "none", "absolute", "byoyomi", "canadian", "dead", "alive", "seki"]
_KEYS = ["interval", "minmoves", "maxmoves", "avoid", "allow", "ownership", "rootInfo", "show", "chinese", "japanese"]
_PARAMETERS = ["engine", "lag", "ponder", "rules", "resign", "c", "uct.c", "uct+rave", "coordinates", "final=value"]


def lines(dice: random.Random, game: str, count: int) -> Iterator[str]:
    """So many lines; most of them name a command, with arguments that it may understand."""
    names = [name for name, entry in COMMANDS.items() if game in entry.games and name not in _LEFT_OUT]
    for _ in range(count):
        yield _line(dice, names)


def _line(dice: random.Random, names: list[str]) -> str:
    kind = dice.random()
    if kind < 0.05:
        return "".join(dice.choices(string.printable.replace("\n", ""), k=dice.randrange(40)))
    if kind < 0.08:
        return "".join(chr(dice.randrange(1, 0x3000)) for _ in range(dice.randrange(20))).replace("\n", " ")
    if kind < 0.10:
        return dice.choice(["", "#", "# interrupt", " ", "\t", "7", "play " * 50])
    command = COMMANDS[dice.choice(names)]
    # A move that is made now and then keeps the games going.
    name = dice.choice(["play", "play", "clear_board"]) if kind < 0.35 else command.name
    wanted = COMMANDS[name].low + (dice.random() < 0.3) * dice.randrange(3)
    words = [name, *(_argument(dice, name, number) for number in range(wanted))]
    if kind > 0.97:
        words[0] = _damaged(dice, words[0])
    number = f"{dice.randrange(1000)} " if dice.random() < 0.3 else ""
    return number + dice.choice([" ", "  ", "\t"]).join(words) + dice.choice(["", "", " # why"])


def _argument(dice: random.Random, name: str, number: int) -> str:
    if name in ("play", "genmove", "reg_genmove", "time_left") and number == 0 and dice.random() < 0.9:
        return dice.choice(_COLOURS)
    if name == "boardsize":
        return dice.choice(["5", "6", "7", *_NUMBERS])
    if name == "play" or dice.random() < 0.4:
        return dice.choice("abcdefghijABCDEFGHJT") + str(dice.randrange(12))
    return dice.choice(dice.choice([_COLOURS, _NUMBERS, _WORDS, _KEYS, _PARAMETERS]))


def _damaged(dice: random.Random, word: str) -> str:
    place = dice.randrange(len(word))
    return word[:place] + dice.choice(string.ascii_lowercase) + word[place + dice.randrange(2) :]


def hear(said: list[str], heard: str) -> collections.Counter[str]:
    """What came back, by its kind. Raises `AssertionError` where a command has no answer, or an answer no command."""
    counts: collections.Counter[str] = collections.Counter()
    *found, rest = heard.split("\n\n")
    assert rest == "", f"an answer without its end: {rest[:200]!r}"
    commands = [line for line in said if _bare(line)]
    assert len(found) == len(commands), f"{len(commands)} commands and {len(found)} answers"
    for line, answer in zip(commands, found, strict=True):
        match = _ANSWER.fullmatch(answer)
        assert match is not None, f"{line!r} was answered with {answer[:200]!r}"
        number = re.match(r"(\d+)(\s|$)", _bare(line), re.ASCII)
        assert match[1] == (number[1] if number else ""), f"{line!r} was answered with {answer[:200]!r}"
        assert "internal error" not in answer, f"{line!r} was answered with {answer[:500]!r}"
        counts[answer[0]] += 1
    return counts


def _bare(line: str) -> str:
    """What is left of a line without control characters and comment; written here once more, as an oracle."""
    symbols = [" " if symbol == "\t" else symbol for symbol in line.partition("#")[0]]
    return "".join(symbol for symbol in symbols if ord(symbol) >= 32 and ord(symbol) != 127).strip()


def run(count: int, seed: int, batch: int = BATCH) -> collections.Counter[str]:
    """Says so many lines, in conversations of `batch` lines with each game in turn."""
    dice = random.Random(seed)
    counts: collections.Counter[str] = collections.Counter()
    for number in range(-(-count // batch)):
        game = GAMES[number % len(GAMES)]
        said = list(lines(dice, game, min(batch, count - number * batch)))
        heard = say(said, game=game, size=5 if game == "go" else 4 if game == "havannah" else None, playouts=2)
        counts += hear(said, heard)
        counts["lines"] += len(said)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.monotonic()
    counts = run(arguments.lines, arguments.seed)
    sys.stdout.write(
        f"{counts['lines']:,} lines, {counts['=']:,} answered with =, {counts['?']:,} with ?, the rest comments; "
        f"{time.monotonic() - began:.0f} s, seed {arguments.seed}\n"
    )


if __name__ == "__main__":
    main()
