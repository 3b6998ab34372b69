"""Starts `tesuji web` as a process of its own, and talks to it without a browser."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 30.0


@dataclass(frozen=True, kw_only=True)
class RunningServer:
    address: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(re.findall(r":(\d+)/", self.address)[0])

    @contextlib.contextmanager
    def talk(self, page: str, **options: Any) -> Iterator[Talk]:
        address = f"ws://127.0.0.1:{self.port}/ws/{page}"
        with connect(address, open_timeout=PATIENCE, close_timeout=5, **options) as connection:
            yield Talk(connection)

    def is_alive(self) -> bool:
        """Whether it runs and answers a question."""
        with self.talk("play") as talk:
            talk.send(type="new", board={"game": "othello"}, engine="uct", playouts=10)
            return self.process.poll() is None and talk.receive("state")["game"] == "othello"


class Talk:
    """One connection."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def receive(self, kind: str, *, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message of this kind; others before it are not looked at, but for errors."""
        end = time.monotonic() + timeout
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(timeout=max(0.01, end - time.monotonic())))
            if message["type"] == kind:
                return message
            assert message["type"] != "error", message["message"]

    def ask(self, kind: str, **message: Any) -> dict[str, Any]:
        self.send(**message)
        return self.receive(kind)

    def refusal(self, **message: Any) -> str:
        """The error that a message gets."""
        return str(self.ask("error", **message)["message"])


@contextlib.contextmanager
def running_server(*options: str, port: int = 0) -> Iterator[RunningServer]:
    command = [sys.executable, "-m", "tesuji", "web", "--port", str(port), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found is not None, line + process.stdout.read()
        yield RunningServer(address=found[0], process=process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
