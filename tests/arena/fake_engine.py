"""A GTP engine that misbehaves in one way, named by its first argument, as soon as it is asked for a move.

It plays any game, since it knows none: its moves are the further arguments, in turn. Run without site packages, it
starts in a moment.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn, TextIO


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def sleep_for_ever() -> NoReturn:
    while True:
        time.sleep(1000)


def flood(stream: TextIO, text: str) -> NoReturn:
    while True:
        stream.write(text * 1000)


def burn(seconds: float) -> None:
    while time.process_time() < seconds:
        pass


def genmove(mode: str, number: str, move: str) -> None:  # noqa: C901  a flat list of misdeeds
    if mode == "crash":
        sys.stderr.write("first words\n\x1b[2Jlast words\n")
        sys.exit(3)
    elif mode == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "hang":
        sleep_for_ever()
    elif mode == "late":
        time.sleep(3)
        write(f"={number} {move}\n\n")
    elif mode == "flood-stdout":
        flood(sys.stdout, "chatter\n")
    elif mode == "flood-answer":
        write(f"={number} ")
        flood(sys.stdout, "chatter\n")
    elif mode == "flood-stderr":
        flood(sys.stderr, "chatter\n")
    elif mode == "much-on-stderr":
        sys.stderr.write("chatter\n" * 2_000_000)
        write(f"={number} {move}\n\n")
    elif mode == "close-output":
        os.close(1)
        sleep_for_ever()
    elif mode == "close-input":
        os.close(0)
        write(f"={number} {move}\n\n")
        sleep_for_ever()
    elif mode == "no-gtp":
        write(f"my move is {move}\n\n")
    elif mode == "wrong-number":
        write(f"={int(number) + 1} {move}\n\n")
    elif mode == "twice":
        write(f"={number} {move}\n\n={number} {move}\n\n")
    elif mode == "refuse":
        write(f"?{number} not today\n\n")
    elif mode == "burn":
        subprocess.run([sys.executable, "-S", "-E", __file__, "burn-now"], check=True)
        burn(0.3)
        write(f"={number} {move}\n\n")
    else:
        write(f"={number} {move}\n\n")


def main() -> None:  # noqa: C901  as above
    mode, moves = sys.argv[1], sys.argv[2:]
    if mode == "exit-at-once":
        sys.exit(1)
    if mode == "burn-now":
        burn(0.3)
        sys.exit()
    if mode == "crash-once":  # the first argument is a file that remembers
        marker = Path(moves.pop(0))
        mode = "sound" if marker.exists() else "crash"
        marker.touch()
    if mode.startswith("hang at "):  # the first argument is a file that it makes when it comes to that
        marker = Path(moves.pop(0))
    if mode == "stubborn":  # with a child, and not to be asked to go
        child = subprocess.Popen(["sleep", "1000"])
        Path(moves.pop(0)).write_text(f"{os.getpid()} {child.pid}")
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        number, _, command = line.strip().partition(" ")
        if not number.isdigit():
            number, command = "", line.strip()
        if command.startswith("genmove"):
            genmove(mode, number, moves.pop(0) if moves else "pass")
        elif mode == "judge" and command.startswith("final_"):  # its argument is the dead, or after a ? the score
            wants_dead, has_dead = command.startswith("final_status_list"), not moves[0].startswith("?")
            sign = "=" if wants_dead == has_dead else "?"
            write(f"{sign}{number} {moves[0].lstrip('? ')}\n\n")
        elif command.startswith("raw "):  # an answer byte by byte, and the end
            os.write(1, bytes.fromhex(command[4:]))
            sys.exit()
        elif command.startswith("say "):
            write(f"={number} {bytes.fromhex(command[4:]).decode()}\n\n")
        elif mode == f"hang at {command.split()[0]}":
            marker.touch()
            sleep_for_ever()
        elif command == "quit" and mode != "stubborn":
            sys.exit()
        else:
            write(f"={number}\n\n")
    if mode == "stubborn":
        sleep_for_ever()


main()
