"""Starts `tesuji web` as a process of its own, and talks to it without a browser."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from websockets.exceptions import ConnectionClosed
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


def running_server(*options: str, port: int = 0) -> contextlib.AbstractContextManager[RunningServer]:
    return _running("-m", "tesuji", "web", "--port", str(port), *options)


#: With bounds that no option sets, since nobody wants them otherwise, but a test cannot wait for.
_WITH_OTHER_BOUNDS = """
import contextlib, json, sys
from tesuji.web import connections
from tesuji.web.app import Limits
from tesuji.web.guard import Guard
from tesuji.web.server import serve

connections._REQUEST_SECONDS = 0.5
limits = Limits(searchers=1, sessions=2, memory=10**9, **json.loads(sys.argv[1]))
with contextlib.suppress(KeyboardInterrupt):
    sys.stdout.reconfigure(line_buffering=True)
    serve(guard=Guard(host="127.0.0.1"), port=0, limits=limits, store=None, announce=print)
"""


def impatient_server(**limits: float) -> contextlib.AbstractContextManager[RunningServer]:
    """With two places, and half a second for a request."""
    return _running("-c", _WITH_OTHER_BOUNDS, json.dumps(limits))


@contextlib.contextmanager
def _running(*arguments: str) -> Iterator[RunningServer]:
    command = [sys.executable, *arguments]
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


def get(server: RunningServer, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()


def closing_code(talk: Talk) -> int | None:
    """Why the server closes the connection; before that it says nothing but errors."""
    try:
        while True:
            assert json.loads(talk.connection.recv(timeout=PATIENCE))["type"] == "error"
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code
