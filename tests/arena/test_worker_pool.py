"""Processes for any kind of work, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.arena.programs import PATIENCE

STUBBORN = Path(__file__).with_name("stubborn_work.py")


def test_a_second_ctrl_c_does_not_wait_for_the_work(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, str(STUBBORN), str(tmp_path)], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        end = time.monotonic() + PATIENCE
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < end:
            time.sleep(0.05)
        for _ in range(2):
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            time.sleep(0.3)
        try:
            # The workers have the other end of the pipe too: it is closed when the last of them has gone.
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, errors) == (130, "")
