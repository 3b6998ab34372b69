"""Playouts per CPU-second of Go programs that speak GTP, ours beside others, as ratios within one run.

python benchmarks/gtp_speed.py --size 9 \
    --program "tesuji=tesuji gtp --no-early-stop --playouts {playouts}" \
    --program "other=other-program --playouts {playouts}" --setup "other=some_parameter {playouts}; another 0" \
    --ask "other=how_many" --made "other=([0-9]+) playouts made"

Each program opens some games with few and with many playouts, `{playouts}` in its command or in the GTP lines of its
setup; the difference of the CPU times is that of the playouts between, without the start of the program. Several games,
because a program gets its memory from the system once and plays on in it; on some machines that first time takes a
tenth as long as the search. How many are many is found by a first look: they take about as long with every program.

A program may stop once its move is decided, or look at the clock now and then and make more than it was asked to. Where
it tells how many it made, `--made` is a regular expression that finds the number in its answers or its log, once a
move, and `--ask` are the GTP lines that make it tell.

Rounds are played in turns, so that a slow minute of the machine is everybody's. The first program is the one that
ratios are of.
"""

from __future__ import annotations

import argparse
import re
import resource
import shlex
import statistics
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Program:
    name: str
    command: str
    setup: tuple[str, ...]
    ask: tuple[str, ...]
    made: re.Pattern[str] | None
    games: int

    def search(self, *, size: int, playouts: int) -> tuple[int, float]:
        """The playouts made for the first moves of its games, and the CPU time with the program's start and end."""
        command = [word.replace("{playouts}", str(playouts)) for word in shlex.split(self.command)]
        first_moves = ["clear_board", *self.setup, "genmove b", *self.ask] * self.games
        lines = [f"boardsize {size}", "komi 7.5", *first_moves, "quit"]
        text = "\n".join(lines).replace("{playouts}", str(playouts)) + "\n"
        before = children_seconds()
        try:
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        except OSError as error:
            raise SystemExit(f"{self.name} cannot be run: {error}") from None
        refused = [line for line in done.stdout.splitlines() if line.startswith("?")]
        if refused or done.returncode != 0:
            raise SystemExit(f"{self.name} ended with {done.returncode}: {'; '.join(refused) or done.stderr}")
        return self.count(playouts, done.stdout + done.stderr), children_seconds() - before

    def count(self, asked: int, said: str) -> int:
        if self.made is None:
            return self.games * asked
        told = self.made.findall(said)
        if len(told) != self.games or not all(text.isdecimal() for text in told):
            raise SystemExit(
                f"--made finds {told} in what {self.name} said, not a number for each of {self.games} moves"
            )
        return sum(map(int, told))


def children_seconds() -> float:
    """CPU time of the programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def speed(program: Program, size: int, few: int, many: int) -> float:
    made_few, short = program.search(size=size, playouts=few)
    made_many, long = program.search(size=size, playouts=many)
    if made_many <= made_few:
        raise SystemExit(
            f"{program.name} says that it made {made_few:,} playouts for {few:,}, {made_many:,} for {many:,}"
        )
    if long <= short:
        raise SystemExit(f"{program.name} takes no longer for {many:,} playouts than for {few:,}: does it make them?")
    return (made_many - made_few) / (long - short)


def enough(program: Program, size: int, few: int, seconds: float) -> int:
    """Playouts a move that take about so long in all games, in whole thousands."""
    playouts = speed(program, size, few, few + max(1000, 20_000 // program.games)) * seconds / program.games
    return max(2 * few, 1000 * round(playouts / 1000))


def pairs(texts: list[str], option: str) -> dict[str, str]:
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise SystemExit(f"{option} wants NAME=TEXT, not {text!r}")
        if name in found:
            raise SystemExit(f"{option} has {name!r} twice")
        found[name] = value
    return found


def gtp_lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.split(";") if line.strip())


def one_group(text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise SystemExit(f"--made {text!r} is no regular expression: {error}") from None
    if pattern.groups != 1:
        raise SystemExit(f"--made {text!r} has {pattern.groups} groups, and wants one: the number")
    return pattern


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--setup", action="append", default=[], metavar="NAME=LINE;LINE")
    parser.add_argument("--ask", action="append", default=[], metavar="NAME=LINE;LINE")
    parser.add_argument("--made", action="append", default=[], metavar="NAME=REGEX")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--few", type=int, default=2000)
    parser.add_argument("--games", type=int, default=4, help="opened by a program before it ends")
    parser.add_argument("--seconds", type=float, default=4.0, help="CPU time of the many playouts, about")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.games < 1:
        raise SystemExit("--games wants at least 1")
    commands = pairs(arguments.program, "--program")
    of = {option: pairs(getattr(arguments, option), f"--{option}") for option in ("setup", "ask", "made")}
    for option, texts in of.items():
        for name in texts.keys() - commands.keys():
            raise SystemExit(f"--{option} is of {name!r}, and there is no such --program")
    programs = [
        Program(
            name=name,
            command=command,
            setup=gtp_lines(of["setup"].get(name, "")),
            ask=gtp_lines(of["ask"].get(name, "")),
            made=one_group(of["made"][name]) if name in of["made"] else None,
            games=arguments.games,
        )
        for name, command in commands.items()
    ]
    few = arguments.few
    many = {program.name: enough(program, arguments.size, few, arguments.seconds) for program in programs}
    speeds: dict[str, list[float]] = {program.name: [] for program in programs}
    for _ in range(arguments.rounds):
        for program in programs:
            speeds[program.name].append(speed(program, arguments.size, few, many[program.name]))
    first = speeds[programs[0].name]
    print(f"Go {arguments.size}x{arguments.size}, medians of {arguments.rounds}")
    for name, values in speeds.items():
        ratios = sorted(ours / theirs for ours, theirs in zip(first, values, strict=True))
        print(
            f"{name:12} {statistics.median(values):10,.0f} playouts per CPU-second up to {many[name]:,}; "
            f"{programs[0].name} has {statistics.median(ratios):.2f} times that ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        )


if __name__ == "__main__":
    main()
