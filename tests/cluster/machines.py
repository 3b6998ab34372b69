"""Real machines for the tests: processes of mpiexec, whose words are read line by line."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("mpi_program.py")
BIN = Path(sys.executable).parent
#: Open MPI does not start for root, or on a machine with fewer cores than processes, unless it is told to.
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{BIN}:{os.environ['PATH']}",
    "PYTHONPATH": str(Path(__file__).parent.parent.parent),
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
#: Starting takes seconds where the machine has other work.
START_SECONDS = 60.0


def mpiexec(machines: int, *command: str, ulfm: bool = True) -> list[str]:
    fault_tolerance = ["--with-ft", "ulfm"] if ulfm else []
    return ["mpiexec", *fault_tolerance, "--oversubscribe", "-n", str(machines), *command]


def tesuji_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tesuji", *arguments]


class Job:
    """Processes of one mpiexec running `mpi_program.py`."""

    def __init__(self, machines: int, *arguments: str, ulfm: bool = True) -> None:
        self.process = subprocess.Popen(
            mpiexec(machines, sys.executable, str(PROGRAM), *arguments, ulfm=ulfm),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT,
        )  # fmt: skip
        self._text = b""
        self.pids: dict[int, int] = {}
        self.has_ulfm = False
        self._machines = machines
        self._waiting: list[dict[str, Any]] = []

    def start(self) -> None:
        """Until all machines have said who they are."""
        while len(self.pids) < self._machines:
            line = self._read(START_SECONDS)
            if "rank" in line:
                self.pids[line["rank"]] = line["pid"]
                self.has_ulfm = line["ulfm"]
            else:
                self._waiting.append(line)

    def next(self, seconds: float) -> dict[str, Any]:
        """What the first machine says next, within so many seconds."""
        return self._waiting.pop(0) if self._waiting else self._read(seconds)

    def _read(self, seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        stream = self.process.stdout
        assert stream is not None
        while b"\n" not in self._text:
            ready, _, _ = select.select([stream], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError(f"nothing was said for {seconds:g} s; so far: {self._text!r}")
            data = os.read(stream.fileno(), 65536)
            if not data:
                raise EOFError(f"all machines have gone: {self.errors()}")
            self._text += data
        line, _, self._text = self._text.partition(b"\n")
        return dict(json.loads(line))

    def signal(self, rank: int, number: signal.Signals) -> None:
        os.kill(self.pids[rank], number)

    def is_alive(self, rank: int) -> bool:
        try:
            return Path(f"/proc/{self.pids[rank]}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            return False

    def wait(self, seconds: float) -> int:
        return self.process.wait(seconds)

    def errors(self) -> str:
        """All of them; to be asked for when the machines have gone."""
        assert self.process.stderr is not None
        self.process.wait(20)
        return self.process.stderr.read().decode()

    def end(self) -> None:
        """Whatever is left; each by its number."""
        for pid in self.pids.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@contextlib.contextmanager
def job(machines: int, *arguments: str, ulfm: bool = True) -> Iterator[Job]:
    started = Job(machines, *arguments, ulfm=ulfm)
    try:
        started.start()
        yield started
    finally:
        started.end()
