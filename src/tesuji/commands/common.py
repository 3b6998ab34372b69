"""What the commands share: options, consoles, and how errors end a command."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn, ParamSpec, TypeVar

import typer
from rich.console import Console

from tesuji.errors import ArgumentError, TesujiError
from tesuji.games.position import Position
from tesuji.games.registry import STARTS

P = ParamSpec("P")
R = TypeVar("R")

USAGE_ERROR, INTERRUPTED = 2, 130


class _ErrorConsole(Console):
    """Progress and notes. When nobody reads them any more (a killed `tee`) the work goes on: stdout has its result."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


# Names of players, files and moves may have brackets and colons, which are no markup here.
console = Console(markup=False, emoji=False)
error_console = _ErrorConsole(markup=False, emoji=False, stderr=True)

GameArgument = Annotated[str, typer.Argument(help=f"One of {', '.join(STARTS)}.", show_default=False)]
OptionalGameArgument = Annotated[
    str | None, typer.Argument(help=f"One of {', '.join(STARTS)}; not needed with --sgf.", show_default=False)
]
EngineOption = Annotated[str, typer.Option(help="Engine spec; `tesuji engines` lists the parts.")]
SizeOption = Annotated[
    int | None, typer.Option(help="Board size (Go 5 to 19, Havannah side 3 to 10, Sum of Switches 1 to 256).")
]
DepthOption = Annotated[int | None, typer.Option(help="Depth of a tree-game, or of the trap in a deceptive-tree.")]
WidthOption = Annotated[int | None, typer.Option(help="Moves at each step of the trap in a deceptive-tree.")]
KomiOption = Annotated[float | None, typer.Option(help="Komi, in Go.")]
SeedOption = Annotated[int | None, typer.Option(help="Seed; with it everything repeats exactly.")]
PlayoutsOption = Annotated[int | None, typer.Option(help="Playouts a move.")]
SecondsOption = Annotated[float | None, typer.Option(help="Seconds a move.")]
ThreadsOption = Annotated[int, typer.Option(help="Threads of a search; with several it does not repeat exactly.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def example(*lines: str) -> str:
    """An epilog for a command's help."""
    return "\n\n".join(["Example:", *lines])


def fail(message: str, *, code: int = USAGE_ERROR) -> NoReturn:
    """Ends the command with one line on stderr."""
    error_console.print(f"error: {message}", highlight=False, soft_wrap=True)
    raise typer.Exit(code)


def ends_cleanly(command: Callable[P, R]) -> Callable[P, R]:
    """Turns our errors into one line and exit code 2, Ctrl-C into a short line and 130."""

    @functools.wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except TesujiError as error:
            fail(str(error))
        except BrokenPipeError:  # the reader has seen enough; the command line ends quietly then
            raise
        except OSError as error:  # a full disk, say
            fail(str(error))
        except KeyboardInterrupt:
            error_console.print("interrupted")
            raise typer.Exit(INTERRUPTED) from None

    return wrapper


@contextlib.contextmanager
def interrupts_ignored() -> Iterator[None]:
    """While what was done is shown: Ctrl-C would lose it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def print_json(value: Any) -> None:
    if sys.stdout is None:  # it was closed
        return
    left = memoryview(f"{json.dumps(value, indent=2, allow_nan=False)}\n".encode())
    sys.stdout.flush()
    # Without a buffer (PYTHONUNBUFFERED) the text layer takes a part that fits on the disk for all.
    while left:
        left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.flush()


def budget(playouts: int | None, seconds: float | None, *, default: int) -> dict[str, Any]:
    """The budget of a run; without any, a default number of playouts."""
    if playouts is None and seconds is None:
        return {"playouts": default}
    return {"playouts": playouts, "seconds": seconds}


def play_moves(position: Position, text: str) -> Position:
    """Plays moves written one after another, with spaces or commas between them."""
    for number, move in enumerate(text.replace(",", " ").split(), start=1):
        try:
            position = position.play(move)
        except TesujiError as error:
            raise ArgumentError(f"move {number} of --moves: {error}") from None
    return position


def check_output(option: str, path: Path | None) -> None:
    """Before the work begins: a file that cannot be written would be noticed late."""
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise ArgumentError(f"{option} must be a file in a folder that exists, not {path}")


def check_plot(path: Path | None) -> None:
    check_output("--plot", path)
    if path is not None and path.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise ArgumentError(f"--plot must end in .png, .svg or .pdf, unlike {path}")
