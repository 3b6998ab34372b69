"""The programs that the tests of the arena play with: one fake, and real ones where they are installed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tesuji.arena.gtp_client import find_program
from tesuji.arena.gtp_program import GtpProgram
from tesuji.errors import ArgumentError

FAKE = (sys.executable, "-S", "-E", str(Path(__file__).with_name("fake_engine.py")))
PATIENCE = 60.0  # where nothing is to be late, however loaded the machine is


def fake(mode: str, *arguments: str, timeout: float = PATIENCE) -> GtpProgram:
    return GtpProgram(command=(*FAKE, mode, *arguments), name=mode, timeout=timeout)


def needs(program: str, package: str) -> pytest.MarkDecorator:
    try:
        find_program(program)
    except ArgumentError:
        return pytest.mark.skip(reason=f"{program} is not installed: {package}")
    return pytest.mark.skipif(False, reason="")


@contextlib.contextmanager
def in_a_group(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A process with a group of its own, so that it can be signalled as a whole, as a terminal does.

    What is left of it is killed at the end: a test that fails must not wait for it.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def never() -> bool:
    return False
