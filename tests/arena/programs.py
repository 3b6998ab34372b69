"""The programs that the tests of the arena play with: one fake, and real ones where they are installed."""

from __future__ import annotations

import sys
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


def never() -> bool:
    return False
