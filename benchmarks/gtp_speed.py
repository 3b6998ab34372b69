"""Playouts per CPU-second of Go programs that speak GTP, ours beside others, as ratios within one run.

python benchmarks/gtp_speed.py --size 9 \
    --program "tesuji=tesuji gtp --no-early-stop --playouts {playouts}" \
    --program "other=other-program --playouts {playouts}" --setup "other=some_parameter {playouts}; another 0"

Each program opens a game with few and with many playouts, `{playouts}` in its command or in the GTP lines of its setup;
the difference of the CPU times is that of the playouts between, without the start of the program. It must make all of
them: one that stops once its move is decided seems faster than it is. How many are many is found by a first look: they
take about as long with every program. Rounds are played in turns, so that a slow minute of the machine is everybody's.
The first program is the one that ratios are of.
"""

from __future__ import annotations

import argparse
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

    def cpu_seconds(self, *, size: int, playouts: int) -> float:
        """Of one first move, with the start and the end of the program."""
        command = [word.replace("{playouts}", str(playouts)) for word in shlex.split(self.command)]
        lines = [f"boardsize {size}", "komi 7.5", "clear_board", *self.setup, "genmove b", "quit"]
        text = "\n".join(lines).replace("{playouts}", str(playouts)) + "\n"
        before = children_seconds()
        try:
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        except OSError as error:
            raise SystemExit(f"{self.name} cannot be run: {error}") from None
        refused = [line for line in done.stdout.splitlines() if line.startswith("?")]
        if refused or done.returncode != 0:
            raise SystemExit(f"{self.name} ended with {done.returncode}: {'; '.join(refused) or done.stderr}")
        return children_seconds() - before


def children_seconds() -> float:
    """CPU time of the programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def speed(program: Program, size: int, few: int, many: int) -> float:
    short, long = (program.cpu_seconds(size=size, playouts=playouts) for playouts in (few, many))
    if long <= short:
        raise SystemExit(f"{program.name} takes no longer for {many:,} playouts than for {few:,}: does it make them?")
    return (many - few) / (long - short)


def enough(program: Program, size: int, few: int, seconds: float) -> int:
    """Playouts that take about so long, in whole thousands."""
    return max(2 * few, 1000 * round(speed(program, size, few, few + 20_000) * seconds / 1000))


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--setup", action="append", default=[], metavar="NAME=LINE;LINE")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--few", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=4.0, help="CPU time of the many playouts, about")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    commands, setups = pairs(arguments.program, "--program"), pairs(arguments.setup, "--setup")
    for name in setups.keys() - commands.keys():
        raise SystemExit(f"--setup is of {name!r}, and there is no such --program")
    programs = [
        Program(
            name=name,
            command=command,
            setup=tuple(line.strip() for line in setups.get(name, "").split(";") if line.strip()),
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
